(* Noisier copies: a discrete Laplace of the wider scale is one of the narrower scale plus an
   independent W, so both together cost what the less noisy one costs
   (dpmap/vault/correlated_laplace.py). *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp Require Import reals ereal topology normedtype sequences exp esum.
From mathcomp.algebra_tactics Require Import ring.
From dpmap Require Import sums laplace.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* The sum over all j of q^|j| p^|n - j| *)

Section Convolution.
Variable R : realType.
Variables p q : R.
Hypotheses (q_gt0 : 0 < q) (qp : q < p) (p_lt1 : p < 1).

Let p_gt0 : 0 < p := lt_trans q_gt0 qp.
Let q_lt1 : q < 1 := lt_trans qp p_lt1.

Lemma pq_lt1 : p * q < 1.
Proof. by rewrite mulr_ilt1 // ltW. Qed.

Lemma esum_first (f : nat -> \bar R) : (forall n, 0 <= f n)%E ->
  (\esum_(n in [set: nat]) f n = f 0%N + \esum_(n in [set: nat]) f n.+1)%E.
Proof.
move=> f0; rewrite (esumID [set 0%N])// setTI esum_set1//; congr (_ + _)%E.
apply: reindex_esum; split=> /=.
- by move=> n _; split.
- by move=> i j _ _ [].
- by move=> [|n] [_ /= n0]; [case: n0|exists n].
Qed.

Lemma from_zero (n : nat) :
  \esum_(i in [set: nat]) (q ^+ i * p ^+ `|n%:Z - i%:Z|)%:E =
  ((p ^+ n.+1 - q ^+ n.+1) / (p - q) + q ^+ n.+1 * p / (1 - p * q))%:E.
Proof.
have pq0 : 1 - p * q != 0 by rewrite gt_eqF// subr_gt0 pq_lt1.
have dp0 : p - q != 0 by rewrite gt_eqF// subr_gt0.
have pos m i : (0 <= (q ^+ i * p ^+ `|m%:Z - i%:Z|)%:E)%E.
  by rewrite lee_fin mulr_ge0 ?exprn_ge0// ltW.
elim: n => [|n IH].
  rewrite (eq_esum (b := fun i => (1 * (p * q) ^+ i)%:E)); last first.
    by move=> i _; rewrite sub0r abszN mul1r exprMn mulrC.
  rewrite esum_geometric ?ler01//; last by rewrite mulr_ge0 ?(ltW p_gt0) ?(ltW q_gt0)// pq_lt1.
  by congr (_%:E); field; apply/andP.
rewrite esum_first// subr0 expr0 mul1r.
rewrite (eq_esum (b := fun i => (q%:E * (q ^+ i * p ^+ `|n%:Z - i%:Z|)%:E)%E)); last first.
  move=> i _; rewrite -EFinM mulrA -exprS; congr (_ * _ ^+ _)%:E.
  by congr absz; rewrite -!natz -![in LHS]natr1; ring.
rewrite esumZ ?(ltW q_gt0)// IH -EFinM -EFinD; congr (_%:E).
by rewrite !exprS /=; field; apply/andP.
Qed.

Lemma convolution (n : nat) :
  \esum_(j in [set: int]) (q ^+ `|j| * p ^+ `|n%:Z - j|)%:E =
  (p * q * p ^+ n / (1 - p * q)
   + ((p ^+ n.+1 - q ^+ n.+1) / (p - q) + q ^+ n.+1 * p / (1 - p * q)))%:E.
Proof.
rewrite esum_int; last by move=> j; rewrite lee_fin mulr_ge0 ?exprn_ge0// ltW.
rewrite addeC EFinD; congr (_ + _)%E; last exact: from_zero.
rewrite (eq_esum (b := fun i => (p * q * p ^+ n * (p * q) ^+ i)%:E)); last first.
  move=> i _; have -> : `|n%:Z - Negz i|%N = (n + i.+1)%N by rewrite NegzE opprK.
  have -> : `|Negz i|%N = i.+1 by [].
  rewrite exprD exprMn !exprS; congr (_%:E).
  by move: (p ^+ i) (q ^+ i) (p ^+ n) => u v w; ring.
rewrite esum_geometric ?mulr_ge0 ?exprn_ge0 ?(ltW p_gt0) ?(ltW q_gt0)//.
by rewrite pq_lt1.
Qed.

End Convolution.

(* The law of W, and the theorem *)

Section Copies.
Variable R : realType.
Implicit Types (a b : R) (k w : int).

Definition sinh (x : R) : R := (expR x - expR (- x)) / 2.

(* The chance that a copy is the same: r = sinh(a / 2)^2 / sinh(b / 2)^2. *)
Definition same a b : R := sinh (a / 2) ^+ 2 / sinh (b / 2) ^+ 2.

(* W: 0 with probability r, else a discrete Laplace of scale 1 / a. *)
Definition moved a b w : R := same a b * (w == 0)%:R + (1 - same a b) * laplace a w.

Lemma sinh2 a : sinh (a / 2) ^+ 2 = (1 - expR (- a)) ^+ 2 / (4 * expR (- a)).
Proof.
have -> : - a = - (a / 2) + - (a / 2) by rewrite -opprD -splitr.
rewrite /sinh expRD expRN; set e := expR (a / 2).
have e0 : e != 0 by rewrite gt_eqF ?expR_gt0.
by field; rewrite e0 ?pnatr_eq0.
Qed.

Lemma sameE a b : 0 < a -> 0 < b ->
  same a b = (1 - expR (- a)) ^+ 2 * expR (- b) / ((1 - expR (- b)) ^+ 2 * expR (- a)).
Proof.
move=> a0 b0; rewrite /same !sinh2.
have ? : expR (- a) != 0 by rewrite gt_eqF ?expR_gt0.
have ? : expR (- b) != 0 by rewrite gt_eqF ?expR_gt0.
have ? : 1 - expR (- b) != 0 by rewrite gt_eqF// subr_gt0 ratio_lt1.
by field; rewrite ?pnatr_eq0; do ?[apply/andP; split].
Qed.

Lemma same_gt0 a b : 0 < a -> 0 < b -> 0 < same a b.
Proof.
move=> a0 b0; rewrite sameE// divr_gt0// mulr_gt0 ?expR_gt0 ?exprn_gt0 ?subr_gt0 ?ratio_lt1//.
Qed.

Lemma same_lt1 a b : 0 < a -> a < b -> same a b < 1.
Proof.
move=> a0 ab; have b0 := lt_trans a0 ab.
rewrite sameE// ltr_pdivr_mulr; last first.
  by rewrite mulr_gt0 ?expR_gt0 ?exprn_gt0 ?subr_gt0 ?ratio_lt1.
rewrite mul1r -subr_gt0; set p := expR (- a); set q := expR (- b).
rewrite (_ : _ - _ = (p - q) * (1 - p * q)); last by ring.
rewrite mulr_gt0// subr_gt0 ?ltr_expR ?ltr_opp2//.
by rewrite mulr_ilt1 ?ratio_lt1// ltW ?expR_gt0.
Qed.

Lemma same_trans a b c : 0 < b -> same a b * same b c = same a c.
Proof.
move=> b0; rewrite /same mulrA divfK// gt_eqF// sinh2.
by rewrite divr_gt0 ?mulr_gt0 ?exprn_gt0 ?subr_gt0 ?ratio_lt1 ?expR_gt0 ?ltr0n.
Qed.

Lemma moved_ge0 a b w : 0 < a -> a < b -> 0 <= moved a b w.
Proof.
move=> a0 ab; have b0 := lt_trans a0 ab.
rewrite addr_ge0// mulr_ge0 ?ler0n ?(ltW (same_gt0 _ _))// ?laplace_ge0//.
by rewrite subr_ge0 ltW// same_lt1.
Qed.

Lemma esum_delta (f : int -> R) k : (forall j, 0 <= f j) ->
  \esum_(j in [set: int]) (f j * (k - j == 0)%:R)%:E = (f k)%:E.
Proof.
move=> f0; rewrite (esumID [set k]); last by move=> j _; rewrite lee_fin mulr_ge0 ?ler0n.
rewrite setTI esum_set1 ?subrr ?eqxx ?mulr1 ?lee_fin// esum1 ?adde0// => j [_ /= /eqP jk].
by rewrite subr_eq0 eq_sym (negPf jk) mulr0.
Qed.

(* A sum of f against the law of W, in two parts. *)
Lemma esum_moved (f : int -> R) a b k : 0 < a -> a < b -> (forall j, 0 <= f j) ->
  (\esum_(j in [set: int]) (f j * moved a b (k - j))%:E =
   (same a b * f k)%:E
   + (1 - same a b)%:E * \esum_(j in [set: int]) (f j * laplace a (k - j))%:E)%E.
Proof.
move=> a0 ab f0; have b0 := lt_trans a0 ab.
have s0 := ltW (same_gt0 a0 b0).
have s1 : 0 <= 1 - same a b by rewrite subr_ge0 ltW// same_lt1.
rewrite -esumZ//; last by move=> j _; rewrite lee_fin mulr_ge0 ?laplace_ge0.
rewrite (eq_esum (b := fun j => ((same a b)%:E * (f j * (k - j == 0)%:R)%:E
  + (1 - same a b)%:E * (f j * laplace a (k - j))%:E)%E)); last first.
  move=> j _; rewrite -!EFinM -EFinD /moved; congr (_%:E).
  by rewrite mulrDr mulrCA; congr (_ + _); rewrite mulrCA.
rewrite esumD; last 2 first.
- by move=> j _; rewrite -EFinM lee_fin mulr_ge0// mulr_ge0// ler0n.
- by move=> j _; rewrite -EFinM lee_fin mulr_ge0// mulr_ge0// laplace_ge0.
congr (_ + _)%E; rewrite esumZ//; first by rewrite esum_delta// -EFinM.
by move=> j _; rewrite lee_fin mulr_ge0 ?ler0n.
Qed.

Theorem moved_is_law a b : 0 < a -> a < b -> is_law (moved a b).
Proof.
move=> a0 ab; split=> [w|]; first exact: moved_ge0.
rewrite /chance -(esum_mirror _ 0).
rewrite (eq_esum (b := fun j => (1 * moved a b (0 - j))%:E)); last first.
  by move=> j _; rewrite mul1r.
rewrite esum_moved//; last by move=> _; exact: ler01.
rewrite (eq_esum (b := fun j => (laplace a (0 - j))%:E)); last by move=> j _; rewrite mul1r.
rewrite (esum_mirror (fun j => (laplace a j)%:E) 0).
have [_] := laplace_is_law a0; rewrite /chance => ->.
by rewrite mule1 -EFinD; congr (_%:E); rewrite mulr1 addrC subrK.
Qed.

Lemma laplace_convolution a b k : 0 < a -> a < b ->
  \esum_(j in [set: int]) (laplace b j * laplace a (k - j))%:E =
  (let p := expR (- a) in let q := expR (- b) in let n := `|k|%N in
   (1 - q) / (1 + q) * ((1 - p) / (1 + p)) *
   (p * q * p ^+ n / (1 - p * q)
    + ((p ^+ n.+1 - q ^+ n.+1) / (p - q) + q ^+ n.+1 * p / (1 - p * q))))%:E.
Proof.
move=> a0 ab; have b0 := lt_trans a0 ab.
wlog k0 : k / 0 <= k => [case_ge0|].
  have [/case_ge0//|k0] := leP 0 k.
  rewrite -abszN -case_ge0 ?oppr_ge0 ?(ltW k0)// -(esum_mirror _ 0); apply: eq_esum => j _.
  rewrite /= sub0r opprK !laplaceE abszN; congr (_ * (_ * _ ^+ _))%:E.
  by rewrite -abszN opprD.
move: k0; case: k => [n|//] _ /=.
set p := expR (- a); set q := expR (- b).
rewrite (eq_esum (b := fun j => (((1 - q) / (1 + q) * ((1 - p) / (1 + p)))%:E
   * (q ^+ `|j| * p ^+ `|n%:Z - j|)%:E)%E)); last first.
  by move=> j _; rewrite !laplaceE -EFinM; congr (_%:E); rewrite -/p -/q mulrACA.
rewrite esumZ; last 2 first.
- by rewrite mulr_ge0// ltW// laplace_constant_gt0.
- by move=> j _; rewrite lee_fin mulr_ge0 ?exprn_ge0 ?ltW ?expR_gt0.
by rewrite convolution ?expR_gt0 ?ltr_expR ?ltr_opp2 ?ratio_lt1// -EFinM.
Qed.

(* **Theorem.** Let a < b, K a discrete Laplace of scale 1 / b, and W independent of it. Then K + W
   is a discrete Laplace of scale 1 / a. *)
Theorem noisier_copy a b k : 0 < a -> a < b ->
  \esum_(j in [set: int]) (laplace b j * moved a b (k - j))%:E = (laplace a k)%:E.
Proof.
move=> a0 ab; have b0 := lt_trans a0 ab.
rewrite esum_moved// => [|j]; last exact: laplace_ge0.
rewrite laplace_convolution// -EFinM -EFinD /=; congr (_%:E).
rewrite !laplaceE sameE//.
have : expR (- a) != 0 by rewrite gt_eqF ?expR_gt0.
have : expR (- b) != 0 by rewrite gt_eqF ?expR_gt0.
have : 1 - expR (- a) != 0 by rewrite gt_eqF// subr_gt0 ratio_lt1.
have : 1 - expR (- b) != 0 by rewrite gt_eqF// subr_gt0 ratio_lt1.
have : 1 + expR (- a) != 0 by rewrite gt_eqF// ratioD1_gt0.
have : 1 + expR (- b) != 0 by rewrite gt_eqF// ratioD1_gt0.
have : expR (- a) - expR (- b) != 0 by rewrite gt_eqF// subr_gt0 ltr_expR ltr_opp2.
have : 1 - expR (- a) * expR (- b) != 0.
  by rewrite gt_eqF// subr_gt0 mulr_ilt1 ?ratio_lt1// ltW ?expR_gt0.
move: (expR (- a)) (expR (- b)) => p q ? ? ? ? ? ? ? ?.
rewrite !exprS; move: (p ^+ _) (q ^+ _) => pn qn.
by field; do ?[apply/andP; split].
Qed.

End Copies.
