(* Chains of noisier copies, and what a course of questions loses (dpmap/vault/noise_chains.py,
   dpmap/vault/session.py: the theorem "asked again" and its corollary "several readers").

   Rates are 1 / scale. A chain is told, or kept, from the least noisy on: rates fall. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp Require Import reals ereal topology normedtype sequences exp esum.
From mathcomp.algebra_tactics Require Import ring.
From dpmap Require Import sums laplace copies.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Chains.
Variable R : realType.
Implicit Types (a b : R) (rates : seq R) (noise : seq int) (x y : int).

(* Each later noise is the one before plus an independent W. *)
Fixpoint copied b x rates noise : R :=
  match rates, noise with
  | a :: rates', y :: noise' => moved a b (y - x) * copied a y rates' noise'
  | [::], [::] => 1
  | _, _ => 0
  end.

Definition chain rates noise : R :=
  match rates, noise with
  | b :: rates', x :: noise' => laplace b x * copied b x rates' noise'
  | [::], [::] => 1
  | _, _ => 0
  end.

(* Rates above 0 that fall. *)
Definition falling rates := all (> 0) rates && sorted (fun b a => a < b) rates.

Lemma copied_ge0 b x rates noise : falling (b :: rates) -> 0 <= copied b x rates noise.
Proof.
elim: rates b x noise => [|a rates IH] b x [|y noise] //=; first by rewrite ler01.
move=> /andP[/and3P[b0 a0 pos] /andP[ab desc]].
by rewrite mulr_ge0 ?moved_ge0// IH//; apply/andP; split => //=; apply/andP.
Qed.

Lemma chain_ge0 rates noise : falling rates -> 0 <= chain rates noise.
Proof.
case: rates noise => [|b rates] [|x noise] //= down; first by rewrite ler01.
rewrite mulr_ge0 ?copied_ge0// laplace_ge0//.
by case/andP: down => /andP[].
Qed.

(* Answers of a chain where the region's total is t: a factor for the least noisy one, and copies
   that know nothing of t. *)
Definition answers rates t values : R := chain rates [seq y - t | y <- values].

Lemma copied_shift b x t rates noise :
  copied b (x - t) rates [seq y - t | y <- noise] = copied b x rates noise.
Proof.
elim: rates b x noise => [|a rates IH] b x [|y noise] //=.
by rewrite IH opprB addrA subrK.
Qed.

Theorem chain_ratio b rates t t' values : falling (b :: rates) ->
  answers (b :: rates) t values
    <= expR (b * `|t - t'|%:~R) * answers (b :: rates) t' values.
Proof.
move=> down; case: values => [|x values]; first by rewrite mulr0.
rewrite /answers /= !copied_shift mulrA; apply: ler_wpmul2r; first exact: copied_ge0.
by apply: laplace_ratio; case/andP: down => /andP[].
Qed.

(* What is not told of a chain may be left out, whichever of its noises it is: the others are a
   chain of their own. So the law of what was told hangs on nothing that was drawn beside it. *)
Theorem drop_first b a rates y noise : falling (b :: a :: rates) ->
  \esum_(x in [set: int]) (chain [:: b, a & rates] [:: x, y & noise])%:E
  = (chain (a :: rates) (y :: noise))%:E.
Proof.
move=> down; have /andP[/and3P[b0 a0 pos] /andP[ab desc]] := down.
have c0 : 0 <= copied a y rates noise.
  by apply: copied_ge0; apply/andP; split => //=; apply/andP.
rewrite (eq_esum (b := fun x =>
  ((copied a y rates noise)%:E * (laplace b x * moved a b (y - x))%:E)%E)); last first.
  by move=> x _; rewrite -EFinM /= mulrA mulrC.
rewrite esumZ//; last by move=> x _; rewrite lee_fin mulr_ge0 ?laplace_ge0 ?moved_ge0.
by rewrite noisier_copy// -EFinM mulrC.
Qed.

(* Two steps of a chain are one step: from the narrowest to the widest scale. *)
Lemma moved_twice a b c z : 0 < a -> a < b -> b < c ->
  \esum_(x in [set: int]) (moved b c x * moved a b (z - x))%:E = (moved a c z)%:E.
Proof.
move=> a0 ab bc; have b0 := lt_trans a0 ab; have c0 := lt_trans b0 bc; have ac := lt_trans ab bc.
have sb0 := ltW (same_gt0 b0 c0).
have sb1 : 0 <= 1 - same b c by rewrite subr_ge0 ltW// same_lt1.
rewrite (eq_esum (b := fun x => ((same b c)%:E * (moved a b (z - x) * (0 - x == 0)%:R)%:E
    + (1 - same b c)%:E * (laplace b x * moved a b (z - x))%:E)%E)); last first.
  move=> x _; rewrite -!EFinM -EFinD sub0r oppr_eq0; congr (_%:E).
  by rewrite {1}/moved mulrDl -!mulrA [_%:R * _]mulrC.
rewrite esumD; last 2 first.
- by move=> x _; rewrite -EFinM lee_fin mulr_ge0// mulr_ge0 ?moved_ge0 ?ler0n.
- by move=> x _; rewrite -EFinM lee_fin mulr_ge0// mulr_ge0 ?moved_ge0 ?laplace_ge0.
rewrite !esumZ//; last 2 first.
- by move=> x _; rewrite lee_fin mulr_ge0 ?moved_ge0 ?laplace_ge0.
- by move=> x _; rewrite lee_fin mulr_ge0 ?moved_ge0 ?ler0n.
rewrite noisier_copy// (@esum_delta _ (fun x => moved a b (z - x))); last first.
  by move=> x; apply: moved_ge0.
rewrite -!EFinM -EFinD subr0; congr (_%:E); rewrite /moved -(same_trans a c b0).
move: (laplace a z) (same b c) (same a b) => *; ring.
Qed.

Lemma drop_later c x b a rates z noise : falling [:: c, b, a & rates] ->
  \esum_(y in [set: int]) (copied c x [:: b, a & rates] [:: y, z & noise])%:E
  = (copied c x (a :: rates) (z :: noise))%:E.
Proof.
move=> down; have /andP[/and4P[c0 b0 a0 pos] /and3P[bc ab desc]] := down.
have k0 : 0 <= copied a z rates noise.
  by apply: copied_ge0; apply/andP; split => //=; apply/andP.
rewrite -(esum_shift _ (- x)) (eq_esum (b := fun y =>
  ((copied a z rates noise)%:E * (moved b c y * moved a b ((z - x) - y))%:E)%E)); last first.
  move=> y _; rewrite -EFinM /= opprK addrK mulrA mulrC; congr (_ * (_ * moved a b _))%:E.
  by rewrite opprD addrA addrAC.
rewrite esumZ//; last by move=> y _; rewrite lee_fin mulr_ge0 ?moved_ge0.
by rewrite moved_twice// -EFinM mulrC.
Qed.

Lemma drop_last c x a : 0 < a -> a < c ->
  \esum_(y in [set: int]) (copied c x [:: a] [:: y])%:E = (copied c x [::] [::])%:E.
Proof.
move=> a0 ac /=; rewrite -(esum_shift _ (- x)).
rewrite (eq_esum (b := fun y => (moved a c y)%:E)); last first.
  by move=> y _; rewrite opprK addrK mulr1.
by have [_] := moved_is_law a0 ac.
Qed.

Lemma falling_cons b rates : falling (b :: rates) -> falling rates.
Proof.
by move=> /andP[/andP[_ pos] /path_sorted desc]; apply/andP.
Qed.

Theorem drop_one rates rates' a noise noise' : size rates = size noise ->
  falling (rates ++ a :: rates') ->
  \esum_(y in [set: int]) (chain (rates ++ a :: rates') (noise ++ y :: noise'))%:E
  = (chain (rates ++ rates') (noise ++ noise'))%:E.
Proof.
have later c x r r' n n' : size r = size n -> falling (c :: r ++ a :: r') ->
  \esum_(y in [set: int]) (copied c x (r ++ a :: r') (n ++ y :: n'))%:E
  = (copied c x (r ++ r') (n ++ n'))%:E.
  elim: r n c x => [|b r IH] [|w n] c x // sz; rewrite ?cat0s ?cat_cons => down.
    case: r' n' down => [|b r] [|z m] down.
    - apply: drop_last; first by case/andP: down => /and3P[].
      by case/andP: down => _ /= /andP[].
    - by rewrite esum1// => y _ /=; rewrite mulr0.
    - by rewrite esum1// => y _ /=; rewrite mulr0.
    - exact: drop_later.
  have down' := falling_cons down; have {}sz : size r = size n by case: sz.
  rewrite (eq_esum (b := fun y => ((moved b c (w - x))%:E *
    (copied b w (r ++ a :: r') (n ++ y :: n'))%:E)%E)); last first.
    by move=> y _; rewrite -EFinM.
  rewrite esumZ; last 2 first.
  - by apply: moved_ge0; case/andP: down => /and3P[] // _ ? _ /andP[].
  - by move=> y _; rewrite lee_fin copied_ge0.
  by rewrite IH// -EFinM.
case: rates noise => [|b r] [|w n] // sz; rewrite ?cat0s ?cat_cons => down.
  case: rates' noise' down => [|b r] [|z n] down.
  - have a0 : 0 < a by case/andP: down => /andP[].
    rewrite (eq_esum (b := fun y => (laplace a y)%:E)); last by move=> y _ /=; rewrite mulr1.
    by have [_] := laplace_is_law a0.
  - by rewrite esum1// => y _ /=; rewrite mulr0.
  - by rewrite esum1// => y _ /=; rewrite mulr0.
  - exact: drop_first.
have b0 : 0 < b by case/andP: down => /andP[].
have {}sz : size r = size n by case: sz.
rewrite (eq_esum (b := fun y => ((laplace b w)%:E *
  (copied b w (r ++ a :: rates') (n ++ y :: noise'))%:E)%E)); last first.
  by move=> y _; rewrite -EFinM.
rewrite esumZ; last 2 first.
- exact: laplace_ge0.
- by move=> y _; rewrite lee_fin copied_ge0.
by rewrite later// -EFinM.
Qed.

End Chains.

(* A course of questions about the totals of regions *)

Section Course.
Variables (R : realType) (cell : finType) (questions : nat).
Notation region := {set cell}.
Notation question := 'I_questions.

(* All that was told, and whatever a strategy does with it. *)
Variable transcript : choiceType.
Implicit Types (told : transcript) (k : question) (x : {ffun cell -> int}).

(* The regions asked at a question: disjoint, and known from what was told before. *)
Variable asked : transcript -> question -> {set region}.
Hypothesis disjoint : forall told k, finset.trivIset (asked told k).

(* A region from the question at which it was first asked, for as long as it is asked as the same
   region at each question. *)
Notation life := (region * question)%type.
Implicit Types (l : life).

Definition starts told l : bool :=
  (l.1 \in asked told l.2)
  && ~~ [exists k : question, (k.+1 == l.2) && (l.1 \in asked told k)].

Definition alive told l k : bool :=
  (l.2 <= k)%N && [forall i : question, (l.2 <= i <= k)%N ==> (l.1 \in asked told i)].

(* The shares of the course, and the most that one unit moves the totals, C * L steps. *)
Variables (share : question -> R) (bound factor : R).
Hypotheses (share_ge0 : forall k, 0 <= share k) (bound_gt0 : 0 < bound).
Hypothesis factor_ge0 : 0 <= factor.

(* The rate of a region's last answer, f (e_i + .. + e_j) / (C * L); f is the reader's factor, 1
   where there is one reader. *)
Definition last_rate told l : R := factor * (\sum_(k | alive told l k) share k) / bound.

(* Of each region a chain was told: its last answer, and noisier copies of it. *)
Variable copies_rates : transcript -> life -> seq R.
Variable values : transcript -> life -> seq int.
Definition rates told l := last_rate told l :: copies_rates told l.
Hypothesis rates_fall : forall told l, starts told l -> falling (rates told l).

Definition region_total x (B : region) : int := \sum_(c in B) x c.

(* The chance of all that was told, where the cells hold x: a product over the regions. *)
Definition course_mass x told : R :=
  \prod_(l | starts told l) answers (rates told l) (region_total x l.1) (values told l).

Lemma one_life told k l l' c : starts told l -> starts told l' ->
  alive told l k -> alive told l' k -> c \in l.1 -> c \in l'.1 -> l = l'.
Proof.
move=> sl sl' al al' cl cl'.
have [lk /forallP run] := andP al; have [lk' /forallP run'] := andP al'.
have Bk : l.1 \in asked told k by apply: (implyP (run k)); rewrite lk leqnn.
have Bk' : l'.1 \in asked told k by apply: (implyP (run' k)); rewrite lk' leqnn.
have same_region : l.1 = l'.1.
  apply: contraTeq cl' => neq.
  have /finset.trivIsetP/(_ _ _ Bk Bk' neq) := disjoint told k.
  by rewrite disjoint_subset => /fintype.subsetP/(_ c cl).
have earlier m m' : starts told m' -> alive told m k -> (m'.2 <= k)%N -> m.1 = m'.1 ->
    (m.2 < m'.2)%N -> False.
  move=> /andP[_ /existsPn new] /andP[_ /forallP r] le eqB lt.
  have pk : (m'.2.-1 < questions)%N by apply: leq_ltn_trans (ltn_ord m'.2); apply: leq_pred.
  have := new (Ordinal pk); rewrite /= prednK ?eqxx /=; last exact: leq_ltn_trans lt.
  rewrite -eqB => /negP; apply; apply: (implyP (r (Ordinal pk))) => /=.
  by rewrite -ltnS prednK ?(leq_ltn_trans (leq0n _) lt)// lt (leq_trans (leq_pred _) le).
case: l l' sl sl' al al' lk lk' same_region {cl cl' run run' Bk Bk'} => [B i] [B' i'] /=.
move=> sl sl' al al' lk lk' eqB; congr pair => //; apply/val_inj.
by case: (ltngtP i i') => //= lt; exfalso; [apply: (earlier (B, i) (B', i'))|
  apply: (earlier (B', i') (B, i))].
Qed.

(* **Theorem (asked again)** and **Corollary (several readers).** *)
Theorem course_loss x (x' : {ffun cell -> int}) : \sum_c `|x c - x' c|%:~R <= bound ->
  within (factor * \sum_k share k) (course_mass x) (course_mass x').
Proof.
move=> near.
have mass_ge0 z told : 0 <= course_mass z told.
  by apply: prodr_ge0 => l sl; apply/chain_ge0/rates_fall.
apply: within_pointwise => // told.
pose e l : R := last_rate told l * `|region_total x l.1 - region_total x' l.1|%:~R.
apply: (@le_trans _ _ (expR (\sum_(l | starts told l) e l) * course_mass x' told)).
  have -> : expR (\sum_(l | starts told l) e l) = \prod_(l | starts told l) expR (e l).
    by elim/big_rec2: _ => [|l u v _ <-]; rewrite ?expR0 ?expRD.
  rewrite /course_mass -big_split; apply: ler_prod => l sl.
  by rewrite chain_ge0 ?rates_fall//= chain_ratio// rates_fall.
apply: ler_wpmul2r => //; rewrite ler_expR.
pose d c : R := `|x c - x' c|%:~R.
have d0 c : 0 <= d c by rewrite ler0z.
apply: (@le_trans _ _ (factor * (\sum_k share k * \sum_c d c) / bound)); last first.
  rewrite -mulr_suml -!mulrA ler_wpmul2l//.
  rewrite -[leRHS]mulr1 ler_wpmul2l ?sumr_ge0// ler_pdivr_mulr// mul1r; exact: near.
apply: (@le_trans _ _ (\sum_(l | starts told l) \sum_(k | alive told l k)
    factor * share k / bound * \sum_(c in l.1) d c)).
  apply: ler_sum => l sl; rewrite /e /last_rate -!mulr_suml -mulr_sumr.
  apply: ler_wpmul2l; first by rewrite divr_ge0 ?mulr_ge0 ?sumr_ge0 ?(ltW bound_gt0).
  rewrite /region_total -sumrB /d -rmorph_sum ler_int; exact: ler_norm_sum.
rewrite (exchange_big_dep xpredT)//= mulr_sumr mulr_suml; apply: ler_sum => k _.
rewrite -mulr_sumr mulrA [leRHS]mulrAC; apply: ler_wpmul2l.
  by rewrite divr_ge0 ?mulr_ge0 ?(ltW bound_gt0).
rewrite (exchange_big_dep xpredT)//=; apply: ler_sum => c _.
have [l /andP[/andP[sl al] cl]|none] := pickP (fun l => starts told l && alive told l k && (c \in l.1)).
  rewrite (big_pred1 l)// => l' /=; apply/idP/eqP => [/andP[/andP[sl' al'] cl']|->].
    exact: (@one_life told k l' l c).
  by rewrite sl al.
by rewrite big_pred0.
Qed.

End Course.
