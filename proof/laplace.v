(* The discrete Laplace law of whole numbers, and what an answer with such noise loses
   (dpmap/vault/laplace.py, dpmap/vault/mechanism.py).

   Read the definitions and the statements; the lines between `Proof.` and `Qed.` are for the
   machine. A chance is a sum of masses, over whatever set of outcomes, countably many. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions.
From mathcomp Require Import reals ereal topology normedtype sequences exp esum.
From mathcomp.algebra_tactics Require Import ring.
From dpmap Require Import sums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Laws and losses *)

Section Laws.
Variables (R : realType) (T : choiceType).
Implicit Types (p : T -> R) (A : set T).

Definition chance p A : \bar R := \esum_(x in A) (p x)%:E.

Definition is_law p := (forall x, 0 <= p x) /\ chance p [set: T] = 1%:E.

(* No set of outcomes is more than e^loss times likelier under p than under p'. *)
Definition within (loss : R) p p' := forall A, (chance p A <= (expR loss)%:E * chance p' A)%E.

Lemma within_pointwise loss p p' :
  (forall x, 0 <= p' x) -> (forall x, p x <= expR loss * p' x) -> within loss p p'.
Proof.
move=> p'0 pp' A; apply: le_esum_scaled; first by rewrite ltW ?expR_gt0.
- by move=> x _; rewrite lee_fin.
- by move=> x _; rewrite -EFinM lee_fin.
Qed.

Lemma within_le loss loss' p p' : (forall x, 0 <= p' x) ->
  loss <= loss' -> within loss p p' -> within loss' p p'.
Proof.
move=> p'0 le pp' A; apply: le_trans (pp' A) _.
apply: lee_wpmul2r; last by rewrite lee_fin ler_expR.
by apply: esum_ge0 => x _; rewrite lee_fin.
Qed.

End Laws.

(* The law of one draw *)

Section Laplace.
Variable R : realType.
Implicit Types (a : R) (k t : int).

(* P(K = k) = c e^(-a |k|), c = (1 - e^-a) / (1 + e^-a), with a = 1 / scale. *)
Definition laplace a k : R := (1 - expR (- a)) / (1 + expR (- a)) * expR (- (a * `|k|%:~R)).

Lemma laplaceE a k :
  laplace a k = (1 - expR (- a)) / (1 + expR (- a)) * expR (- a) ^+ `|k|%N.
Proof.
by rewrite /laplace -expRMm mulrN [_%:R * a]mulrC -abszE.
Qed.

Lemma ratio_lt1 a : 0 < a -> expR (- a) < 1.
Proof. by move=> a0; rewrite expR_lt1 oppr_lt0. Qed.

Lemma ratioD1_gt0 a : 0 < 1 + expR (- a).
Proof. exact: addr_gt0 ltr01 (expR_gt0 _). Qed.

Lemma laplace_constant_gt0 a : 0 < a -> 0 < (1 - expR (- a)) / (1 + expR (- a)).
Proof. by move=> a0; rewrite divr_gt0 ?ratioD1_gt0// subr_gt0 ratio_lt1. Qed.

Lemma laplace_gt0 a k : 0 < a -> 0 < laplace a k.
Proof. by move=> a0; rewrite mulr_gt0 ?expR_gt0// laplace_constant_gt0. Qed.

Lemma laplace_ge0 a k : 0 < a -> 0 <= laplace a k.
Proof. by move=> a0; apply/ltW/laplace_gt0. Qed.

Theorem laplace_is_law a : 0 < a -> is_law (laplace a).
Proof.
move=> a0; split=> [k|]; first exact: laplace_ge0.
have q0 : 0 <= expR (- a) by rewrite ltW ?expR_gt0.
have q1 := ratio_lt1 a0.
rewrite /chance esum_int; last by move=> k; rewrite lee_fin laplace_ge0.
set c := (1 - expR (- a)) / (1 + expR (- a)); have c0 : 0 <= c by apply/ltW/laplace_constant_gt0.
rewrite (eq_esum (b := fun n => (c * expR (- a) ^+ n)%:E)); last by move=> n _; rewrite laplaceE.
rewrite [X in (_ + X)%E](eq_esum (b := fun n => (c * expR (- a) * expR (- a) ^+ n)%:E)); last first.
  by move=> n _; rewrite laplaceE /= exprS mulrA.
have q01 : 0 <= expR (- a) < 1 by rewrite q0 q1.
rewrite esum_geometric// esum_geometric//; last exact: mulr_ge0.
rewrite -EFinD /c; congr (_%:E).
have ? : 1 - expR (- a) != 0 by rewrite gt_eqF// subr_gt0.
have ? : 1 + expR (- a) != 0 by rewrite gt_eqF// ratioD1_gt0.
by field; apply/andP.
Qed.

(* The ratio of two masses at distance d is at most e^(d / scale). *)
Theorem laplace_ratio a k t t' : 0 < a ->
  laplace a (k - t) <= expR (a * `|t - t'|%:~R) * laplace a (k - t').
Proof.
move=> a0; rewrite /laplace mulrCA; apply: ler_wpmul2l.
  exact/ltW/laplace_constant_gt0.
rewrite -expRD ler_expR -subr_ge0.
set X := `|k - t|%:~R; set Y := `|t - t'|%:~R; set Z := `|k - t'|%:~R.
rewrite (_ : _ - _ = a * (X + Y - Z)); last by ring.
by rewrite mulr_ge0 ?(ltW a0)// subr_ge0 -rmorphD ler_int ler_dist_add.
Qed.

End Laplace.

(* An answer: the totals of disjoint regions, each with noise of its own *)

Section Answer.
Variables (R : realType) (I : finType).
Implicit Types (x y : {ffun I -> int}).

(* The scale, in steps, that a share of epsilon buys (dpmap/noise/scales.py, laplace_scale). *)
Definition laplace_scale (cap lattice : nat) (share : rat) : rat := (cap * lattice)%:R / share.

(* The mass of the answer y where the totals are x and region i has noise of scale 1 / a i. *)
Definition answer (a : I -> R) x y : R := \prod_i laplace (a i) (y i - x i).

Lemma answer_ge0 a x y : (forall i, 0 < a i) -> 0 <= answer a x y.
Proof. by move=> a0; apply: prodr_ge0 => i _; apply: laplace_ge0. Qed.

Theorem answer_ratio (a : I -> R) x (x' : {ffun I -> int}) y : (forall i, 0 < a i) ->
  answer a x y <= expR (\sum_i a i * `|x i - x' i|%:~R) * answer a x' y.
Proof.
move=> a0; rewrite /answer.
have -> : expR (\sum_i a i * `|x i - x' i|%:~R) = \prod_i expR (a i * `|x i - x' i|%:~R).
  by elim/big_rec2: _ => [|i u v _ <-]; rewrite ?expR0 ?expRD.
rewrite -big_split; apply: ler_prod => i _.
by rewrite laplace_ge0//= laplace_ratio.
Qed.

(* Totals that one unit moves by at most cap * lattice steps in all, answered with noise of the
   scale that a share buys, lose at most the share: exactly so, for rational shares. *)
Theorem answer_loss (cap lattice : nat) (share : rat) (x x' : {ffun I -> int}) :
  (0 < cap * lattice)%N -> 0 < share -> (\sum_i `|x i - x' i|%N <= cap * lattice)%N ->
  let a : I -> R := fun=> ratr (laplace_scale cap lattice share)^-1 in
  within (ratr share) (answer a x) (answer a x').
Proof.
move=> C0 s0 moved a.
have a0 i : 0 < a i by rewrite ltr0q invr_gt0 divr_gt0 ?ltr0n.
apply: within_pointwise => [y|y]; first exact: answer_ge0.
apply: le_trans (answer_ratio _ _ _ a0) _; apply: ler_wpmul2r; first exact: answer_ge0.
have -> : \sum_i a i * `|x i - x' i|%:~R = ratr share * ((cap * lattice)%:R^-1 * (\sum_i `|x i - x' i|)%:R).
  rewrite -mulr_sumr /a invf_div rmorphM/= fmorphV/= ratr_nat mulrA natr_sum.
  by congr (_ * _); apply: eq_bigr => i _; rewrite -abszE.
rewrite ler_expR ler_pimulr ?ler0q ?(ltW s0)// ler_pdivr_mull ?ltr0n// mulr1 ler_nat.
exact: moved.
Qed.

End Answer.
