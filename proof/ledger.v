(* The sums of the ledger: releases one after the other add up, and of data sets that share no unit
   the dearest counts (dpmap/ledger/accounting.py). *)

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

(* What the ledger adds up (`spent`) *)

Section Spent.
Variable dataset : finType.
Notation reservation := (dataset * rat)%type.
Implicit Types (events : seq reservation) (groups : seq {set dataset}).
Implicit Types (holds : {set dataset}).

Definition cost events d : rat := \sum_(e <- events | e.1 == d) e.2.

Definition grouped groups d := has (fun g : {set dataset} => d \in g) groups.

(* Data sets in no group add up; of each group the dearest counts; groups add up too. *)
Definition spent groups events : rat :=
  \sum_(d | ~~ grouped groups d) cost events d
  + \sum_(g <- groups) \big[Order.max/0]_(d in g) cost events d.

(* What the releases that may hold one unit cost together: of those data sets that hold it. *)
Definition spent_on holds events : rat := \sum_(e <- events | e.1 \in holds) e.2.

(* No unit is in two data sets of a group: this is declared, not proved. *)
Definition disjoint_for groups holds :=
  forall g, g \in groups -> {in g :&: holds &, forall d d', d = d'}.

Definition nonnegative events := all (fun e => 0 <= e.2) events.

Lemma cost_ge0 events d : nonnegative events -> 0 <= cost events d.
Proof.
by move=> /allP pos; rewrite /cost big_seq_cond; apply: sumr_ge0 => e /andP[/pos].
Qed.

Theorem spent_covers groups events holds : nonnegative events -> disjoint_for groups holds ->
  spent_on holds events <= spent groups events.
Proof.
move=> pos disjoint.
have -> : spent_on holds events = \sum_(d in holds) cost events d.
  rewrite /spent_on /cost (exchange_big_dep (fun e => e.1 \in holds)) /=; last first.
    by move=> d e dh /eqP ->.
  apply: eq_bigr => e eh; rewrite (big_pred1 e.1) // => d /=.
  by rewrite [d == _]eq_sym; case: eqP => [<-|_]; rewrite ?eh ?andbF.
rewrite (bigID (grouped groups)) /= addrC; apply: ler_add.
  rewrite [leLHS]big_mkcond [leRHS]big_mkcond; apply: ler_sum => d _.
  by case: (grouped groups d) => /=; rewrite ?andbF ?andbT //; case: ifP => // _; apply: cost_ge0.
apply: (@le_trans _ _ (\sum_(g <- groups) \sum_(d in g :&: holds) cost events d)); last first.
  rewrite big_seq [leRHS]big_seq; apply: ler_sum => g /disjoint one.
  have [->|[d dg]] := set_0Vmem (g :&: holds).
    by rewrite big_set0; elim/big_ind: _ => // [x y x0 y0|d _]; rewrite ?le_maxr ?x0 ?cost_ge0.
  rewrite (big_pred1 d) => [|d' /=]; last first.
    by apply/idP/eqP => [/one/(_ dg)|->].
  have /setIP[dg' _] := dg.
  exact: le_bigmax_cond.
rewrite (exchange_big_dep (fun d => d \in holds)) /=; last by move=> g d _ /setIP[].
rewrite [leLHS]big_mkcond [leRHS]big_mkcond; apply: ler_sum => d _.
case: (boolP (d \in holds)) => dh /=; last by [].
case: ifP => [/hasP[g gg dg]|_]; last by apply: sumr_ge0 => *; apply: cost_ge0.
rewrite (eq_bigl (fun g : {set dataset} => d \in g)) => [|h]; last by rewrite inE dh andbT.
rewrite (big_rem g) //= dg ler_addl; apply: sumr_ge0 => *; exact: cost_ge0.
Qed.

End Spent.

(* Releases one after the other, each chosen as late as one likes *)

Section Sequence.
Variables (R : realType) (answer : choiceType).
Implicit Types (history transcript : seq answer).

(* A course of releases over one survey: the mass of the next answer, after those before. *)
Definition course := seq answer -> answer -> R.
Implicit Types (M : course).

Fixpoint mass M history transcript : R :=
  if transcript is a :: later then M history a * mass M (rcons history a) later else 1.

Fixpoint losses (loss : seq answer -> R) history transcript : R :=
  if transcript is a :: later then loss history + losses loss (rcons history a) later else 0.

Lemma mass_ge0 M history transcript : (forall h a, 0 <= M h a) -> 0 <= mass M history transcript.
Proof.
move=> M0; elim: transcript history => [|a later IH] history /=; first exact: ler01.
by rewrite mulr_ge0.
Qed.

(* The loss of the next release may depend on all answers before it. *)
Theorem sequential_ratio M M' (loss : seq answer -> R) history transcript :
  (forall h a, 0 <= M h a) -> (forall h a, 0 <= M' h a) ->
  (forall h a, M h a <= expR (loss h) * M' h a) ->
  mass M history transcript
    <= expR (losses loss history transcript) * mass M' history transcript.
Proof.
move=> M0 M'0 ratio; elim: transcript history => [|a later IH] history /=.
  by rewrite expR0 mulr1.
rewrite expRD mulrACA; apply: ler_pmul => //; exact: mass_ge0.
Qed.

Theorem sequential M M' (loss : seq answer -> R) (budget : R) :
  (forall h a, 0 <= M h a) -> (forall h a, 0 <= M' h a) ->
  (forall h a, M h a <= expR (loss h) * M' h a) ->
  (forall transcript, losses loss [::] transcript <= budget) ->
  within budget (mass M [::]) (mass M' [::]).
Proof.
move=> M0 M'0 ratio fits; apply: within_pointwise => t; first exact: mass_ge0.
apply: le_trans (sequential_ratio _ _ M0 M'0 ratio) _.
by apply: ler_wpmul2r; [exact: mass_ge0|rewrite ler_expR].
Qed.

(* The ledger: each release is of one data set and has an epsilon, both chosen after the answers
   before; a unit's removal changes only the data sets that hold it. *)
Variable dataset : finType.
Variable release : seq answer -> dataset * rat.

Fixpoint reservations history transcript : seq (dataset * rat) :=
  if transcript is a :: later then
    release history :: reservations (rcons history a) later
  else [::].

Theorem ledger M M' (holds : {set dataset}) groups (budget : rat) :
  (forall h a, 0 <= M h a) -> (forall h a, 0 <= M' h a) ->
  (forall h, 0 <= (release h).2) -> disjoint_for groups holds ->
  (forall h a, (release h).1 \in holds -> M h a <= expR (ratr (release h).2) * M' h a) ->
  (forall h a, (release h).1 \notin holds -> M h a = M' h a) ->
  (forall transcript, spent groups (reservations [::] transcript) <= budget) ->
  within (ratr budget) (mass M [::]) (mass M' [::]).
Proof.
move=> M0 M'0 pos disjoint inside outside fits.
pose loss h : R := if (release h).1 \in holds then ratr (release h).2 else 0.
apply: (@sequential _ _ loss) => // [h a|t].
  rewrite /loss; case: ifPn => [|/outside ->]; first exact: inside.
  by rewrite expR0 mul1r.
have all_pos h u : nonnegative (reservations h u) by elim: u h => //= a u IH h; rewrite pos IH.
apply: le_trans (_ : ratr (spent_on holds (reservations [::] t)) <= _); last first.
  by rewrite ler_rat (le_trans (spent_covers _ disjoint)).
suff -> h : losses loss h t = ratr (spent_on holds (reservations h t)) by [].
rewrite /spent_on; elim: t h => [|a t IH] h /=; first by rewrite big_nil rmorph0.
by rewrite big_cons IH /loss; case: ifP; rewrite ?rmorphD ?add0r.
Qed.

End Sequence.
