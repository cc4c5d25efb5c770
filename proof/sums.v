(* Sums of countably many numbers that are not negative: the few facts that the proofs need beside
   the library's. All chances here are such sums; `\esum_(k in A) p k` adds up p over the set A. *)

From mathcomp Require Import all_ssreflect all_algebra finmap.
From mathcomp.classical Require Import boolp classical_sets functions cardinality fsbigop.
From mathcomp.classical Require Import mathcomp_extra.
From mathcomp Require Import reals ereal topology normedtype sequences esum.
From mathcomp.algebra_tactics Require Import ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory. Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Sums.
Variable R : realType.
Implicit Types (c p q : R).

Lemma le_esum_scaled (T : choiceType) (A : set T) c (a b : T -> \bar R) :
  0 <= c -> (forall i, A i -> 0 <= b i)%E -> (forall i, A i -> a i <= c%:E * b i)%E ->
  (\esum_(i in A) a i <= c%:E * \esum_(i in A) b i)%E.
Proof.
move=> c0 b0 ab; apply: ub_ereal_sup => _ [X [finX XA] <-].
apply: (@le_trans _ _ (c%:E * \sum_(i \in X) b i)%E).
  rewrite !fsbig_finite//= big_seq [X in (_ <= _ * X)%E]big_seq ge0_sume_distrr; last first.
    by move=> i; rewrite in_fset_set// inE => /XA /b0.
  by apply: lee_sum => i; rewrite in_fset_set// inE => /XA /ab.
apply: lee_wpmul2l; first by rewrite lee_fin.
by apply: ereal_sup_ub; exists X.
Qed.

Lemma esumZ (T : choiceType) (A : set T) c (a : T -> \bar R) :
  0 <= c -> (forall i, A i -> 0 <= a i)%E ->
  (\esum_(i in A) (c%:E * a i) = c%:E * \esum_(i in A) a i)%E.
Proof.
rewrite le_eqVlt => /predU1P[<-|c0] a0.
  by rewrite mul0e esum1// => i _; rewrite mul0e.
apply/eqP; rewrite eq_le; apply/andP; split; first exact: le_esum_scaled (ltW c0) a0 _.
rewrite -lee_pdivl_mull//; apply: le_esum_scaled; first by rewrite invr_ge0 ltW.
- by move=> i Ai; rewrite mule_ge0 ?lee_fin ?(ltW c0) ?a0.
- by move=> i Ai; rewrite muleA -EFinM mulVf ?gt_eqF// mul1e.
Qed.

Lemma esum_cst_nneg_series (f : nat -> R) (s : R) :
  (forall n, 0 <= f n) -> series f --> s -> \esum_(n in [set: nat]) (f n)%:E = s%:E.
Proof.
move=> f0 fs; have := @nneseries_esum R (fun n => (f n)%:E) xpredT.
rewrite (_ : [set x | xpredT x] = setT); last by apply/seteqP; split.
move=> <-; last by move=> n _; rewrite lee_fin.
apply/cvg_lim => //.
rewrite (_ : (fun n => _) = EFin \o series f); last first.
  by apply/funext => n /=; rewrite sumEFin.
by apply: cvg_EFin => //; apply: nearW.
Qed.

Lemma esum_geometric c q : 0 <= c -> 0 <= q < 1 ->
  \esum_(n in [set: nat]) (c * q ^+ n)%:E = (c / (1 - q))%:E.
Proof.
move=> c0 /andP[q0 q1]; apply: esum_cst_nneg_series.
  by move=> n; rewrite mulr_ge0// exprn_ge0.
by apply: cvg_geometric_series; rewrite ger0_norm.
Qed.

(* All whole numbers: 0, 1, 2, ... and -1, -2, ... *)
Lemma esum_int (f : int -> \bar R) : (forall k, 0 <= f k)%E ->
  (\esum_(k in [set: int]) f k =
   \esum_(n in [set: nat]) f (Posz n) + \esum_(n in [set: nat]) f (Negz n))%E.
Proof.
move=> f0; rewrite (esumID (range Posz))//; congr (_ + _)%E.
  by rewrite setTI esum_image// => i j _ _ [].
apply: reindex_esum; split=> /=.
- by move=> n _; split=> // -[m _].
- by move=> i j _ _ [].
- by move=> [n|n] [_] ; [case; exists n|exists n].
Qed.

(* Moving all whole numbers by t, or turning them round, changes no sum. *)
Lemma esum_shift (f : int -> \bar R) (t : int) :
  \esum_(k in [set: int]) f (k - t) = \esum_(k in [set: int]) f k.
Proof.
symmetry; apply: reindex_esum; split=> //=.
- by move=> i j _ _ /addIr.
- by move=> k _; exists (k + t) => //; rewrite addrK.
Qed.

Lemma esum_mirror (f : int -> \bar R) (t : int) :
  \esum_(k in [set: int]) f (t - k) = \esum_(k in [set: int]) f k.
Proof.
symmetry; apply: reindex_esum; split=> //=.
- by move=> i j _ _ /addrI /oppr_inj.
- by move=> k _; exists (t - k) => //; rewrite opprB addrC subrK.
Qed.

(* The order in which two countable families are added up does not matter. *)
Lemma esum_swap (S T : choiceType) (A : set S) (B : set T) (a : S -> T -> \bar R) :
  (forall i j, 0 <= a i j)%E ->
  \esum_(i in A) \esum_(j in B) a i j = \esum_(j in B) \esum_(i in A) a i j.
Proof.
move=> a0; rewrite !esum_esum// (reindex_esum (B `*`` (fun=> A)) _ (fun x => (x.2, x.1)))//.
split=> //=.
- by move=> [i j] [/=].
- by move=> [i1 i2] [j1 j2] /= _ _ [] -> ->.
- by move=> [i1 i2] [? ?] /=; exists (i2, i1).
Qed.

End Sums.
