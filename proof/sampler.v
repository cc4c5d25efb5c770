(* The integer sampler, bit by bit, and the laws of its coins and of its draws
   (dpmap/vault/laplace.py, steps 1 to 4 of the proof there).

   A reader takes bits from the front of a string: it answers with what it made of them and the bits
   that are left, or with None where the string ended too soon. tests/proofs/reference_sampler.py is
   this file in Python, line by line; tests/test_proof.py holds the vectorised sampler to it on all
   strings to a depth. *)

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

(* The sampler *)

Definition reader (T : Type) := seq bool -> option (T * seq bool).

Definition answer_with T (x : T) : reader T := fun bits => Some (x, bits).

Definition fail T : reader T := fun=> None.

Definition and_then S T (f : reader S) (g : S -> reader T) : reader T := fun bits =>
  if f bits is Some (x, rest) then g x rest else None.

(* A coin of probability p, whose binary places are p 0, p 1, ...: the first place where the bits
   differ from them decides it, for heads where p has the 1 there. *)
Fixpoint flip (p : nat -> bool) (bits : seq bool) : option (bool * seq bool) :=
  if bits is bit :: rest then
    if bit == p 0%N then flip (fun i => p i.+1) rest else Some (p 0%N, rest)
  else None.

(* Binary digits below 2^m, coins given from the lowest; the highest is drawn first. *)
Fixpoint digits (coins : seq (nat -> bool)) : reader nat :=
  if coins is coin :: higher then
    and_then (digits higher) (fun n => and_then (flip coin) (fun d => answer_with (d + n.*2)%N))
  else answer_with 0%N.

(* How many heads before the first tails: at most so many, more are reported as a failure. *)
Fixpoint carries (most : nat) (coin : nat -> bool) : reader nat :=
  and_then (flip coin) (fun again =>
    if again then
      if most is most'.+1 then and_then (carries most' coin) (fun h => answer_with h.+1) else @fail nat
    else answer_with 0%N).

Definition geometric (most : nat) (coins : seq (nat -> bool)) carry : reader nat :=
  and_then (digits coins) (fun low =>
    and_then (carries most carry) (fun h => answer_with (low + h * 2 ^ size coins)%N)).

Definition draw (most : nat) sign coins carry : reader int :=
  and_then (flip sign) (fun negative =>
    and_then (geometric most coins carry) (fun g =>
      answer_with (if negative then Negz g else Posz g))).

(* Laws: a string of n bits that is read to its end has the chance 2^-n *)

Section Laws.
Variable R : realType.
Implicit Types (S T : choiceType).

Definition law T (f : reader T) (x : T) : \bar R :=
  \esum_(s in [set s | f s = Some (x, [::])]) ((2^-1 : R) ^+ size s)%:E.

Definition has_law T (f : reader T) (p : T -> R) :=
  (forall x, 0 <= p x) /\ (forall x, law f x = (p x)%:E).

(* What is read is a prefix, and what comes after it does not matter. *)
Definition prefix_reader T (f : reader T) :=
  (forall s x rest, f s = Some (x, rest) -> exists2 u, s = u ++ rest & f u = Some (x, [::])) /\
  (forall u x rest, f u = Some (x, [::]) -> f (u ++ rest) = Some (x, rest)).

Lemma answer_with_prefix T (x : T) : prefix_reader (answer_with x).
Proof.
by split=> [s y rest [-> ->]|u y rest [-> ->]] //; exists [::].
Qed.

Lemma fail_prefix T : prefix_reader (@fail T). Proof. by []. Qed.

Lemma flip_prefix p : prefix_reader (flip p).
Proof.
split=> [s|u]; [elim: s p => //= b s IH p x rest|elim: u p => //= b u IH p x rest].
  case: ifP => [/eqP eqb /IH[u -> fu]|neq [<- <-]].
    by exists (b :: u) => //=; rewrite eqb eqxx.
  by exists [:: b] => //=; rewrite neq.
by case: ifP => [_ /IH -> //|_ [-> ->]].
Qed.

Lemma and_then_prefix S T (f : reader S) (g : S -> reader T) :
  prefix_reader f -> (forall x, prefix_reader (g x)) -> prefix_reader (and_then f g).
Proof.
move=> [f1 f2] gp; split=> [s y rest|u y rest]; rewrite /and_then.
  case fs: (f s) => [[x r]|] // gr; have [u -> fu] := f1 _ _ _ fs.
  have [g1 _] := gp x; have [v -> gv] := g1 _ _ _ gr.
  by exists (u ++ v); rewrite ?catA// (f2 _ _ _ fu).
case fu: (f u) => [[x r]|] // gr; have [w -> fw] := f1 _ _ _ fu.
by rewrite -catA (f2 _ _ _ fw); have [_ g2] := gp x; apply: g2.
Qed.

Lemma answer_with_law T (x : T) : has_law (answer_with x) (fun y => (y == x)%:R).
Proof.
split=> y; first exact: ler0n.
rewrite /law /answer_with; case: eqP => [->|neq].
  rewrite (_ : [set s | _] = [set [::]]); last first.
    by apply/seteqP; split=> [s [->]|s ->].
  by rewrite esum_set1 expr0 // lee_fin ler01.
rewrite (_ : [set s | _] = set0) ?esum_set0//; apply/seteqP; split=> [s [xy _]|s []].
by case: neq; rewrite xy.
Qed.

Lemma fail_law T : has_law (@fail T) (fun=> 0).
Proof.
split=> [//|x]; rewrite /law (_ : [set s | _] = set0) ?esum_set0//.
by apply/seteqP; split.
Qed.

(* One reader after another: chances multiply, summed over what the first one answers. *)
Theorem and_then_law S T (f : reader S) (g : S -> reader T) p q :
  prefix_reader f -> (forall x, prefix_reader (g x)) ->
  has_law f p -> (forall x, has_law (g x) (q x)) ->
  forall y, law (and_then f g) y = \esum_(x in [set: S]) (p x * q x y)%:E.
Proof.
move=> [f1 f2] gp [p0 fp] gq y.
pose A x := [set u | f u = Some (x, [::])]; pose B x := [set v | g x v = Some (y, [::])].
pose w (s : seq bool) : R := 2^-1 ^+ size s.
have w0 s : 0 <= w s by rewrite exprn_ge0// invr_ge0 ler0n.
have pair x : (p x * q x y)%:E
    = \esum_(k in A x `*`` (fun=> B x)) (w k.1 * w k.2)%:E.
  have [q0 gl] := gq x.
  rewrite -(@esum_esum _ _ _ (A x) (fun=> B x) (fun u v => (w u * w v)%:E)); last first.
    by move=> u v; rewrite lee_fin mulr_ge0.
  have half0 (s : seq bool) : (0 <= ((2^-1 : R) ^+ size s)%:E)%E by rewrite lee_fin; apply: w0.
  rewrite mulrC EFinM -(fp x) /law -esumZ//.
  apply: eq_esum => u _; rewrite -EFinM mulrC EFinM -(gl y) /law -esumZ//; exact: w0.
rewrite (eq_esum (fun x _ => pair x)) esum_esum; last by move=> x k; rewrite lee_fin mulr_ge0.
rewrite /law (reindex_esum ([set: S] `*`` (fun x => A x `*`` (fun=> B x)))
  [set s | and_then f g s = Some (y, [::])] (fun k => k.2.1 ++ k.2.2)).
  by apply: eq_esum => -[x [u v]] _ /=; rewrite size_cat exprD.
split=> /=.
- move=> [x [u v]] [_ [/= fu gv]]; rewrite /and_then (f2 _ _ _ fu); exact: gv.
- move=> [x [u v]] [x' [u' v']]; rewrite !inE => -[_ [/= fu gv]] [_ [/= fu' gv']] eqs.
  have := f2 _ _ v fu; rewrite eqs (f2 _ _ v' fu') => -[ex ev].
  have su : size u = size u'.
    by have := congr1 size eqs; rewrite !size_cat ev; apply: addIn.
  by move/eqP: eqs; rewrite eqseq_cat// => /andP[/eqP -> _]; rewrite ex ev.
- move=> s sy; have : and_then f g s = Some (y, [::]) := sy.
  rewrite /and_then {sy}; case fs: (f s) => [[x r]|] // gr.
  have [u -> fu] := f1 _ _ _ fs; exists (x, (u, r)) => //; split=> //.
Qed.

(* The coin *)

(* The word that decides a coin at its place i. *)
Fixpoint word (p : nat -> bool) (i : nat) : seq bool :=
  if i is j.+1 then p 0%N :: word (fun k => p k.+1) j else [:: ~~ p 0%N].

Lemma size_word p i : size (word p i) = i.+1.
Proof. by elim: i p => //= i IH p; rewrite IH. Qed.

Lemma flip_word p i : flip p (word p i) = Some (p i, [::]).
Proof. by elim: i p => [|i IH] p /=; rewrite ?IH ?eqxx//; case: (p 0%N). Qed.

Lemma word_of p s b : flip p s = Some (b, [::]) -> exists2 i, p i = b & word p i = s.
Proof.
elim: s p => //= u s IH p; case: eqP => [-> /IH[i pi <-]|neq [<- ->]].
  by exists i.+1.
by exists 0%N => //=; move: neq; case: (p 0%N) u => [] [].
Qed.

(* The chance of heads is the number whose binary places are p 0, p 1, ... *)
Theorem flip_places p b :
  law (flip p) b = \esum_(i in [set: nat]) ((p i == b)%:R * 2^-1 ^+ i.+1)%:E.
Proof.
transitivity (\esum_(i in [set i | p i = b]) ((2^-1 : R) ^+ i.+1)%:E).
  rewrite /law (reindex_esum [set i | p i = b] _ (word p)).
    by apply: eq_esum => i _; rewrite size_word.
  split=> /=.
  - by move=> i /= <-; rewrite flip_word.
  - by move=> i j _ _ /(congr1 size); rewrite !size_word => -[].
  - by move=> s /word_of[i pi <-]; exists i.
rewrite esum_mkcond; apply: eq_esum => i _; case: eqP => [pi|npi].
  by rewrite mem_set// mul1r.
by rewrite memNset// mul0r.
Qed.

(* The binary places of a number between 0 and 1. *)
Definition places_of (x : R) (p : nat -> bool) :=
  \esum_(i in [set: nat]) ((p i)%:R * 2^-1 ^+ i.+1)%:E = x%:E.

Definition coin_law (x : R) : bool -> R := fun b => if b then x else 1 - x.

Lemma half01 : 0 <= (2^-1 : R) < 1.
Proof. by rewrite invr_ge0 ler0n invf_lt1 ?ltr0n ?ltr1n. Qed.

Theorem flip_law x p : 0 <= x <= 1 -> places_of x p -> has_law (flip p) (coin_law x).
Proof.
move=> /andP[x0 x1] xp; split=> [[]//=|b]; first by rewrite subr_ge0.
have heads : law (flip p) true = x%:E.
  by rewrite flip_places -xp; apply: eq_esum => i _; case: (p i).
case: b => //=.
have pos b i : (0 <= ((p i == b)%:R * 2^-1 ^+ i.+1 : R)%:E)%E.
  by rewrite lee_fin mulr_ge0 ?ler0n ?exprn_ge0 ?invr_ge0 ?ler0n.
have : (law (flip p) true + law (flip p) false = 1%:E)%E.
  rewrite !flip_places -esumD//.
  rewrite (eq_esum (b := fun i => (2^-1 * 2^-1 ^+ i)%:E)); last first.
    by move=> i _; rewrite -EFinD -mulrDl exprS; case: (p i); rewrite /= ?addr0 ?add0r mul1r.
  rewrite esum_geometric ?half01 ?(andP half01).1//; congr (_%:E).
  by rewrite -[X in X - _](@divff _ (2 : R)) ?pnatr_eq0// -[X in _ - X]div1r -mulrBl;
    rewrite (_ : 2 - 1 = 1 :> R) ?div1r ?divff ?invr_eq0 ?pnatr_eq0//; ring.
rewrite heads; case: (law _ _) => [y|//|//]; rewrite -EFinD => -[<-].
by rewrite addrC addKr.
Qed.

End Laws.

(* Carries: so many heads, then tails *)

Section Carries.
Variable R : realType.

Lemma carries_prefix most coin : prefix_reader (carries most coin).
Proof.
elim: most => [|most IH] /=; apply: and_then_prefix; try exact: flip_prefix; case.
- exact: fail_prefix.
- exact: answer_with_prefix.
- apply: and_then_prefix => // h; exact: answer_with_prefix.
- exact: answer_with_prefix.
Qed.

(* A sum with one term. *)
Lemma esum_one (T : choiceType) (f : T -> R) x : (forall y, 0 <= f y) ->
  (forall y, y != x -> f y = 0) -> \esum_(y in [set: T]) (f y)%:E = (f x)%:E.
Proof.
move=> f0 only; rewrite (esumID [set x]); last by move=> y _; rewrite lee_fin.
rewrite setTI esum_set1 ?lee_fin// esum1 ?adde0// => y [_ /= /eqP yx].
by rewrite only.
Qed.

Lemma esum_bool (f : bool -> R) : (forall b, 0 <= f b) ->
  \esum_(b in [set: bool]) (f b)%:E = (f true + f false)%:E.
Proof.
move=> f0; rewrite (esumID [set true]); last by move=> b _; rewrite lee_fin.
rewrite setTI esum_set1 ?lee_fin// (_ : _ `&` _ = [set false]); last first.
  by apply/seteqP; split=> [[] [_] // /(_ erefl)|_ ->].
by rewrite esum_set1 ?lee_fin// EFinD.
Qed.

(* P(H = h) = x^h (1 - x), for as many as may be; more are a failure, never another answer. *)
Theorem carries_law most coin (x : R) : 0 <= x <= 1 -> places_of x coin ->
  has_law (carries most coin) (fun h => if (h <= most)%N then x ^+ h * (1 - x) else 0).
Proof.
move=> x01 xp; have /andP[x0 x1] := x01.
have law0 m h : 0 <= (if (h <= m)%N then x ^+ h * (1 - x) else 0).
  by case: ifP => // _; rewrite mulr_ge0 ?exprn_ge0 ?subr_ge0.
split=> [//|]; elim: most => [|most IH] h.
  rewrite /carries (and_then_law (q := fun b h => if b then 0 else (h == 0%N)%:R) (p := coin_law x)).
  - rewrite esum_bool => [|[]]; rewrite /= ?mulr0 ?mulr_ge0 ?subr_ge0 ?ler0n//.
    by case: h => [|h]; rewrite ?mulr1 ?mulr0 ?add0r ?expr0 ?mul1r.
  - exact: flip_prefix.
  - by case; [exact: fail_prefix|exact: answer_with_prefix].
  - exact: flip_law.
  - by case; [exact: fail_law|exact: answer_with_law].
rewrite /= (and_then_law (p := coin_law x) (q := fun b h =>
  if b then if (0 < h <= most.+1)%N then x ^+ h.-1 * (1 - x) else 0 else (h == 0%N)%:R)).
- rewrite esum_bool => [|[]]; last 2 first.
  + by case: ifP => _; rewrite ?mulr0// mulr_ge0// mulr_ge0 ?exprn_ge0 ?subr_ge0.
  + by rewrite mulr_ge0 ?subr_ge0 ?ler0n.
  case: h => [|h]; rewrite /= ?mulr0 ?add0r ?addr0 ?mulr1 ?expr0 ?mul1r// ltnS.
  by case: ifP => _; rewrite ?mulr0// mulrA -exprS.
- exact: flip_prefix.
- case; last exact: answer_with_prefix.
  by apply: and_then_prefix => [|k]; [exact: carries_prefix|exact: answer_with_prefix].
- exact: flip_law.
- case; last exact: answer_with_law.
  split=> [k|k]; first by case: ifP => // _; rewrite mulr_ge0 ?exprn_ge0 ?subr_ge0.
  rewrite (and_then_law (p := fun h => if (h <= most)%N then x ^+ h * (1 - x) else 0)
    (q := fun h k => (k == h.+1)%:R)).
  + rewrite (esum_one (x := k.-1)) => [|y|y ne]; last 2 first.
    * by rewrite mulr_ge0 ?ler0n.
    * case: k ne => [|k] ne; rewrite ?mulr0//= eqSS eq_sym (negPf ne) mulr0 //.
    by case: k => [|k] /=; rewrite ?mulr0// eqxx mulr1 ltnS.
  + exact: carries_prefix.
  + by move=> y; exact: answer_with_prefix.
  + by split.
  + by move=> y; exact: answer_with_law.
Qed.

End Carries.

(* Digits *)

Section Digits.
Variable R : realType.

Lemma digits_prefix coins : prefix_reader (digits coins).
Proof.
elim: coins => [|coin coins IH] /=; first exact: answer_with_prefix.
apply: and_then_prefix => // n; apply: and_then_prefix => [|d]; first exact: flip_prefix.
exact: answer_with_prefix.
Qed.

(* One digit more: d + 2 n, whatever the laws of the digit and of n. *)
Theorem digits_step coin coins (p : nat -> R) (x : R) : 0 <= x <= 1 -> places_of x coin ->
  has_law (digits coins) p ->
  has_law (digits (coin :: coins)) (fun g => p g./2 * coin_law x (odd g)).
Proof.
move=> x01 xp lp; have [p0 _] := lp; have /andP[x0 x1] := x01.
have c0 b : 0 <= coin_law x b by case: b; rewrite //= subr_ge0.
split=> [g|g]; first exact: mulr_ge0.
rewrite /= (and_then_law (p := p) (q := fun n g => if g./2 == n then coin_law x (odd g) else 0)) //.
- rewrite (esum_one (x := g./2)) ?eqxx// => [n|n ne]; first by case: ifP; rewrite ?mulr0// mulr_ge0.
  by rewrite eq_sym (negPf ne) mulr0.
- exact: digits_prefix.
- by move=> n; apply: and_then_prefix => [|d]; [exact: flip_prefix|exact: answer_with_prefix].
move=> n; split=> [k|k]; first by case: ifP.
rewrite (and_then_law (p := coin_law x) (q := fun d k => (k == (d : bool) + n.*2)%N%:R)).
- rewrite (esum_one (x := odd k)) => [|d|d ne].
  + rewrite -[X in X == _](odd_double_half k) eqn_add2l (inj_eq double_inj).
    by case: eqP; rewrite ?mulr1 ?mulr0.
  + by rewrite mulr_ge0 ?ler0n.
  rewrite (_ : _ == _ = false) ?mulr0//; apply/negP => /eqP kd; case/negP: ne.
  by rewrite kd oddD odd_double addbF oddb.
- exact: flip_prefix.
- by move=> d; exact: answer_with_prefix.
- exact: flip_law.
- by move=> d; exact: answer_with_law.
Qed.

End Digits.

(* The sign *)

Section Sign.
Variable R : realType.

Lemma geometric_prefix most coins carry :
  (forall cs, prefix_reader (digits cs)) -> prefix_reader (geometric most coins carry).
Proof.
move=> dp; apply: and_then_prefix => // low; apply: and_then_prefix => [|h].
  exact: carries_prefix.
exact: answer_with_prefix.
Qed.

(* Step 1: K = G, or its complement -1 - G if the sign says so. *)
Theorem sign_step most sign coins carry (x : R) (G : nat -> R) :
  0 <= x <= 1 -> places_of x sign -> prefix_reader (geometric most coins carry) ->
  has_law (geometric most coins carry) G ->
  has_law (draw most sign coins carry)
    (fun k => match k with Posz g => (1 - x) * G g | Negz g => x * G g end).
Proof.
move=> x01 xp gp lG; have [G0 _] := lG; have /andP[x0 x1] := x01.
pose q (b : bool) (k : int) : R :=
  match k with Posz g => if b then 0 else G g | Negz g => if b then G g else 0 end.
have q0 b k : 0 <= q b k by rewrite /q; case: k b => g [] /=; rewrite ?lexx ?G0.
split=> [[g|g]|k]; rewrite ?mulr_ge0 ?subr_ge0//.
rewrite (and_then_law (p := coin_law x) (q := q)) //.
- rewrite esum_bool => [|b]; last by rewrite mulr_ge0//; case: b => //=; rewrite subr_ge0.
  by case: k => g; rewrite /= ?mulr0 ?add0r ?addr0.
- exact: flip_prefix.
- by move=> b; apply: and_then_prefix => // g; exact: answer_with_prefix.
- exact: flip_law.
move=> b; split=> // j.
rewrite (and_then_law (p := G) (q := fun g j => (j == if b then Negz g else Posz g)%:R)) //.
- case: j b => g [] /=.
  + by rewrite esum1// => n _; rewrite mulr0.
  + rewrite (esum_one (x := g)) ?eqxx ?mulr1// => [n|n ne]; first by rewrite mulr_ge0 ?ler0n.
    by rewrite (_ : _ == _ = false) ?mulr0//; apply/negP => /eqP[e]; rewrite e eqxx in ne.
  + rewrite (esum_one (x := g)) ?eqxx ?mulr1// => [n|n ne]; first by rewrite mulr_ge0 ?ler0n.
    by rewrite (_ : _ == _ = false) ?mulr0//; apply/negP => /eqP[e]; rewrite e eqxx in ne.
  + by rewrite esum1// => n _; rewrite mulr0.
- by move=> g; exact: answer_with_prefix.
- by move=> g; exact: answer_with_law.
Qed.

End Sign.

(* All steps together *)

Section Draw.
Variable R : realType.
Implicit Types (a x : R).

(* What is taken for granted of a coin: its places are those of 1 / (b + e^x). *)
Definition coin_of (b : bool) x (p : nat -> bool) := places_of (b%:R + expR x)^-1 p.

(* Digit i has x = a 2^i and b = 1. *)
Definition digits_of a (coins : seq (nat -> bool)) := forall i coin,
  (i < size coins)%N -> coin_of true (a * 2 ^+ i) (nth coin coins i).

(* The sign has x = a and b = 1, the carry x = a 2^m and b = 0, m being the number of digits. *)
Definition coins_of a sign coins carry :=
  [/\ coin_of true a sign, digits_of a coins & coin_of false (a * 2 ^+ size coins) carry].

Lemma coin1 x : (true%:R + expR x)^-1 = expR (- x) / (1 + expR (- x)).
Proof.
have ? := expR_gt0 x; rewrite expRN -[in RHS]div1r.
have -> : 1 + 1 / expR x = (1 + expR x) / expR x by rewrite mulrDl divff ?gt_eqF// addrC.
by rewrite invf_div div1r mulrA mulVf ?gt_eqF ?mul1r.
Qed.

Lemma coin0 x : (false%:R + expR x)^-1 = expR (- x).
Proof. by rewrite add0r expRN. Qed.

Lemma coin1_tails x : 1 - (true%:R + expR x)^-1 = (1 + expR (- x))^-1.
Proof. by rewrite coin1 -[X in X - _](divff (negbT (gt_eqF (ratioD1_gt0 x)))) -mulrBl addrK div1r. Qed.

Lemma coin1_01 x : 0 <= (true%:R + expR x)^-1 <= 1.
Proof.
rewrite -[_ <= 1]subr_ge0 coin1_tails !invr_ge0 (ltW (ratioD1_gt0 x)) andbT.
by rewrite addr_ge0 ?ler0n// ltW ?expR_gt0.
Qed.

Lemma coin0_01 x : 0 <= x -> 0 <= (false%:R + expR x)^-1 <= 1.
Proof. by move=> x0; rewrite coin0 ltW ?expR_gt0//= -expR0 ler_expR oppr_le0. Qed.

Lemma expR_scaled a n : expR (- (a * n%:R)) = expR (- a) ^+ n.
Proof. by rewrite -expRMm mulrN mulrC. Qed.

Lemma expR_pow2 a m : expR (- (a * 2 ^+ m)) = expR (- a) ^+ (2 ^ m).
Proof. by rewrite -natrX expR_scaled. Qed.

(* Digits below 2^m: the geometric, given that it is below 2^m. *)
Theorem digits_law a coins : 0 < a -> digits_of a coins ->
  has_law (digits coins) (fun g => if (g < 2 ^ size coins)%N then
    (1 - expR (- a)) / (1 - expR (- (a * 2 ^+ size coins))) * expR (- a) ^+ g else 0).
Proof.
elim: coins a => [|coin coins IH] a a0 places.
  rewrite /= expr0 mulr1 (_ : (fun _ => _) = fun g => (g == 0%N)%:R); last first.
    apply/funext => g; rewrite expn0 ltnS leqn0; case: eqP => // ->.
    by rewrite expr0 mulr1 divff// gt_eqF// subr_gt0 ratio_lt1.
  exact: answer_with_law.
have coin_a : coin_of true a coin by have := places 0%N coin isT; rewrite /= expr0 mulr1.
have higher : digits_of (a * 2) coins.
  by move=> i c im; have := places i.+1 c im; rewrite /= exprS mulrA.
have := digits_step (coin1_01 a) coin_a (IH _ (mulr_gt0 a0 (ltr0Sn _ _)) higher).
congr has_law; apply/funext => g /=.
have -> : (g./2 < 2 ^ size coins)%N = (g < 2 ^ (size coins).+1)%N.
  by rewrite expnS mul2n -divn2 ltn_divLR// muln2.
case: ifP => _; last by rewrite mul0r.
have -> : a * 2 * 2 ^+ size coins = a * 2 ^+ (size coins).+1 by rewrite exprS mulrA.
set D := 1 - expR (- (a * 2 ^+ _)).
rewrite (expR_scaled a 2); set q := expR (- a).
have -> : coin_law (true%:R + expR a)^-1 (odd g) = q ^+ odd g / (1 + q).
  case: (odd g); first by rewrite expr1; exact: coin1.
  by rewrite expr0 mul1r; exact: coin1_tails.
have -> : q ^+ g = q ^+ odd g * (q ^+ 2) ^+ g./2.
  by rewrite -exprM -exprD mul2n odd_double_half.
have r0 : 1 + q != 0 by rewrite gt_eqF// ratioD1_gt0.
have -> : 1 - q ^+ 2 = (1 - q) * (1 + q) by ring.
move: (q ^+ odd g) (_ ^+ g./2) D^-1 => u v w; rewrite -[RHS]mulr1 -[X in _ = _ * X](divff r0).
by move: (1 + q) (_^-1) => r s; ring.
Qed.

(* Digits and carries make the geometric G, up to the most there may be. *)
Theorem geometric_law a most coins carry : 0 < a -> digits_of a coins ->
  coin_of false (a * 2 ^+ size coins) carry ->
  has_law (geometric most coins carry) (fun g => if (g < most.+1 * 2 ^ size coins)%N then
    (1 - expR (- a)) * expR (- a) ^+ g else 0).
Proof.
move=> a0 places carry_places; set m := size coins; set q := expR (- a).
have q0 : 0 <= q by rewrite ltW ?expR_gt0.
have q1 : 0 < 1 - q by rewrite subr_gt0 ratio_lt1.
have am0 : 0 < a * 2 ^+ m by apply: mulr_gt0; rewrite ?exprn_gt0 ?ltr0n.
have Q1 : 0 < 1 - q ^+ (2 ^ m) by have := ratio_lt1 am0; rewrite expR_pow2 subr_gt0.
have pos n : 0 <= (1 - q) * q ^+ n by rewrite mulr_ge0 ?exprn_ge0 ?(ltW q1).
have pow0 : (0 < 2 ^ m)%N by rewrite expn_gt0.
split=> [g|g]; first by case: ifP.
have lawD := digits_law a0 places; have lawH := carries_law most (coin0_01 (ltW am0)) carry_places.
rewrite coin0 in lawH; rewrite -/m expR_pow2 -/q in lawD lawH.
set M := (2 ^ m)%N in pow0 Q1 lawD lawH *.
pose pH h := if (h <= most)%N then (q ^+ M) ^+ h * (1 - q ^+ M) else 0.
pose pD g := if (g < M)%N then (1 - q) / (1 - q ^+ M) * q ^+ g else 0.
have pH0 h : 0 <= pH h by exact: (lawH.1 h).
have pD0 n : 0 <= pD n by exact: (lawD.1 n).
pose up low n := ((n - low) %/ M)%N.
rewrite (and_then_law (p := pD)
  (q := fun low n => pH (up low n) * (n == low + up low n * M)%N%:R)) //.
- rewrite (esum_one (x := (g %% M)%N)) => [|low|low ne]; last 2 first.
  + by rewrite !mulr_ge0 ?ler0n.
  + rewrite /pD; case: ifP => lowM; last by rewrite mul0r.
    case: eqP => [gE|_]; last by rewrite !mulr0.
    by case/negP: ne; rewrite {1}gE addnC modnMDl modn_small.
  have -> : up (g %% M)%N g = (g %/ M)%N.
    by rewrite /up {1}(divn_eq g M) addnK mulnK.
  rewrite addnC -divn_eq eqxx mulr1 /pD ltn_mod pow0 /pH -ltnS ltn_divLR//; case: ifP => _; last first.
    by rewrite mulr0.
  congr (_%:E).
  have -> : q ^+ g = (q ^+ M) ^+ (g %/ M) * q ^+ (g %% M).
    by rewrite -exprM -exprD mulnC -divn_eq.
  have r0 : 1 - q ^+ M != 0 by rewrite gt_eqF.
  move: (q ^+ (g %% M)) => u; rewrite -[RHS]mulr1 -[X in _ = _ * X](divff r0).
  by move: (_ ^+ (g %/ M)) (1 - q ^+ M) (_^-1) => v r s; ring.
- exact: digits_prefix.
- by move=> low; apply: and_then_prefix => [|h]; [exact: carries_prefix|exact: answer_with_prefix].
move=> low; split=> n; first by rewrite mulr_ge0 ?ler0n.
rewrite (and_then_law (p := pH) (q := fun h n => (n == low + h * M)%N%:R)) //.
- rewrite (esum_one (x := up low n)) => [//|h|h ne]; first by rewrite mulr_ge0 ?ler0n.
  case: eqP => [nE|_]; last by rewrite mulr0.
  by case/negP: ne; rewrite nE /up addKn mulnK.
- exact: carries_prefix.
- by move=> h; exact: answer_with_prefix.
- by move=> h; exact: answer_with_law.
Qed.

(* The answers that need no more carries than there may be: -M, ..., M - 1. *)
Definition magnitude (k : int) : nat := match k with Posz g => g | Negz g => g end.

(* The sampler draws each k within reach with the mass of the discrete Laplace, exactly, and no
   other. *)
Theorem draw_law a most sign coins carry : 0 < a -> coins_of a sign coins carry ->
  has_law (draw most sign coins carry)
    (fun k => if (magnitude k < most.+1 * 2 ^ size coins)%N then laplace a k else 0).
Proof.
move=> a0 [sign_places places carry_places].
have gp : prefix_reader (geometric most coins carry).
  by apply: geometric_prefix; exact: digits_prefix.
have := sign_step (coin1_01 a) sign_places gp (geometric_law most a0 places carry_places).
congr has_law; apply/funext => k; rewrite laplaceE.
case: k => g; rewrite [magnitude _]/=; case: ifP => _; rewrite ?mulr0//.
  rewrite coin1_tails absz_nat mulrA; congr (_ * _); exact: mulrC.
rewrite coin1 (_ : `|Negz g|%N = g.+1)// exprS.
set q := expR (- a); by move: (q ^+ g) (1 + q)^-1 => u v; ring.
Qed.

Lemma esum_tail (c q : R) N : 0 <= c -> 0 <= q < 1 ->
  \esum_(n in [set n | (N <= n)%N]) (c * q ^+ n)%:E = (c * q ^+ N / (1 - q))%:E.
Proof.
move=> c0 q01; have /andP[q0 _] := q01.
rewrite (reindex_esum [set: nat] _ (addn N)).
  rewrite (eq_esum (b := fun n => (c * q ^+ N * q ^+ n)%:E)).
    by rewrite esum_geometric// mulr_ge0// exprn_ge0.
  by move=> n _; rewrite exprD mulrA.
split=> /=.
- by move=> n _; exact: leq_addr.
- by move=> i j _ _; exact: addnI.
- by move=> n Nn; exists (n - N)%N => //; exact: subnKC.
Qed.

(* What is beyond reach has the chance e^(-a N): with a 2^m >= 2 and at most 255 carries, at most
   e^-512. *)
Theorem beyond_reach a N : 0 < a ->
  chance (laplace a) [set k | (N <= magnitude k)%N] = (expR (- (a * N%:R)))%:E.
Proof.
move=> a0; rewrite /chance esum_mkcond esum_int; last first.
  by move=> k; case: ifP => _; rewrite lee_fin ?laplace_ge0.
set q := expR (- a); set c := (1 - q) / (1 + q).
have c0 : 0 <= c by apply/ltW/laplace_constant_gt0.
have q01 : 0 <= q < 1 by rewrite ratio_lt1// andbT ltW ?expR_gt0.
have q0 : 0 <= q by case/andP: q01.
have half (f : nat -> int) d : 0 <= d -> (forall n, magnitude (f n) = n) ->
    (forall n, laplace a (f n) = d * q ^+ n) ->
    \esum_(n in [set: nat]) (if f n \in [set k | (N <= magnitude k)%N] then (laplace a (f n))%:E
      else 0%E) = (d * q ^+ N / (1 - q))%:E.
  move=> d0 fn lf; rewrite -esum_tail// [RHS]esum_mkcond; apply: eq_esum => n _.
  rewrite lf (_ : (f n \in _) = (n \in [set n | (N <= n)%N]))//.
  by apply/idP/idP; rewrite !inE /= fn.
rewrite (half Posz c)// ?(half Negz (c * q)) ?(mulr_ge0 c0 q0)//; last 2 first.
- by move=> n; rewrite laplaceE (_ : `|Negz n|%N = n.+1)// exprS mulrA.
- by move=> n; rewrite laplaceE.
rewrite -EFinD expR_scaled -/q; congr (_%:E).
have ? : 1 - q != 0 by rewrite gt_eqF// subr_gt0 ratio_lt1.
have ? : 1 + q != 0 by rewrite gt_eqF// ratioD1_gt0.
move: (q ^+ N) => u; rewrite /c; field; by apply/andP.
Qed.

End Draw.
