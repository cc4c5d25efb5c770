(* The caps: what one unit adds to the totals is at most cap * lattice steps
   (dpmap/vault/cap_sql.py, dpmap/promise/limiters.py, dpmap/vault/personal_caps.py).

   Whole numbers only, as in the SQL: `%/` rounds down, and `m - n` is 0 where n is greater. A row
   is a cell and a weight in shares, `shares` of them to the point. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

Section Caps.
Variable cell : finType.
Notation row := (cell * nat)%type.
Variables (cap lattice shares : nat).
Hypothesis shares_gt0 : 0 < shares.
Implicit Types (rows counted : seq row) (c : cell) (r : row).

Definition total rows := \sum_(r <- rows) r.2.

(* `scale`: CASE WHEN whole <= cap THEN weight * lattice // shares
                 ELSE weight * (cap // shares * lattice) // whole END, cap being cap * shares. *)
Definition scaled rows : seq row :=
  let whole := total rows in
  [seq (r.1, if whole <= cap * shares then r.2 * lattice %/ shares
             else r.2 * (cap * lattice) %/ whole) | r <- rows].

(* `_first`: GREATEST(0, LEAST(weight, cap - earlier)) * lattice // shares, `earlier` being the
   weights of the rows before. *)
Fixpoint first_rows earlier rows : seq row :=
  if rows is (c, w) :: later then
    (c, minn w (cap * shares - earlier) * lattice %/ shares) :: first_rows (earlier + w) later
  else [::].

(* `_fill` of promise/limiters.py, which counts down what is left. *)
Fixpoint fill left rows : seq row :=
  if rows is (c, w) :: later then
    (c, minn w left * lattice %/ shares) :: fill (left - minn w left) later
  else [::].

(* `sample`: a light unit's rows count whole; of a heavy one some rows, in some order. *)
Definition sampled (some_rows : seq row -> seq row) rows : seq row :=
  if total rows <= cap * shares then [seq (r.1, r.2 * lattice %/ shares) | r <- rows]
  else first_rows 0 (some_rows rows).

(* `presence`: a cell counts once, LEAST(shares, SUM(weight)), in some order. *)
Definition once rows : seq row :=
  [seq (c, minn shares (\sum_(r <- rows | r.1 == c) r.2)) | c <- undup (unzip1 rows)].

Definition presence (some_rows : seq row -> seq row) rows : seq row :=
  if total rows <= cap * shares then [seq (r.1, r.2 * lattice %/ shares) | r <- once rows]
  else first_rows 0 (some_rows (once rows)).

(* A unit `row`: LEAST(weight, cap) * lattice // shares. *)
Definition by_row r : nat := minn r.2 (cap * shares) * lattice %/ shares.

(* A unit's own cap of `most` steps: CASE WHEN whole <= fits THEN weight * lattice // shares
   ELSE weight * most // whole END, with fits = most * shares // lattice. *)
Definition scaled_to_own (most : nat) rows : seq row :=
  let whole := total rows in
  [seq (r.1, if whole <= most * shares %/ lattice then r.2 * lattice %/ shares
             else r.2 * most %/ whole) | r <- rows].

Lemma sum_div (T : Type) (s : seq T) (f : T -> nat) d :
  \sum_(i <- s) f i %/ d <= (\sum_(i <- s) f i) %/ d.
Proof.
case: d => [|d]; first by rewrite divn0 big1 // => i _; rewrite divn0.
by rewrite leq_divRL // big_distrl /=; apply: leq_sum => i _; apply: leq_trunc_div.
Qed.

Lemma total_steps rows (n d : nat) :
  total [seq (r.1, r.2 * n %/ d) | r <- rows] <= total rows * n %/ d.
Proof. by rewrite /total big_map /= big_distrl /=; apply: sum_div. Qed.

Theorem scaled_cap rows : total (scaled rows) <= cap * lattice.
Proof.
rewrite /scaled /=; case: (leqP (total rows)) => [light|heavy].
  apply: leq_trans (total_steps _ _ _) _.
  by rewrite -[leqRHS](mulnK _ shares_gt0) leq_div2r // mulnAC leq_mul2r light orbT.
apply: leq_trans (total_steps _ _ _) _.
by rewrite mulKn // (leq_ltn_trans _ heavy).
Qed.

Theorem scaled_to_own_cap (most : nat) rows : total (scaled_to_own most rows) <= most.
Proof.
rewrite /scaled_to_own /=; case: (leqP (total rows)) => [light|heavy].
  apply: leq_trans (total_steps _ _ _) _.
  rewrite -[leqRHS](mulnK _ shares_gt0) leq_div2r //.
  apply: leq_trans (leq_mul light (leqnn lattice)) _; exact: leq_trunc_div.
apply: leq_trans (total_steps _ _ _) _.
by rewrite mulKn // (leq_ltn_trans _ heavy).
Qed.

Theorem by_row_cap r : by_row r <= cap * lattice.
Proof.
rewrite /by_row -[leqRHS](mulnK _ shares_gt0) leq_div2r // mulnAC leq_mul2r.
by rewrite geq_minr orbT.
Qed.

Lemma fill_first earlier rows :
  fill (cap * shares - earlier) rows = first_rows earlier rows.
Proof.
elim: rows earlier => //= -[c w] later IH earlier; rewrite -IH; congr (_ :: fill _ _).
lia.
Qed.

Lemma first_rows_cap earlier rows :
  total (first_rows earlier rows) <= (cap * shares - earlier) * lattice %/ shares.
Proof.
suff weights : exists2 kept, first_rows earlier rows = [seq (r.1, r.2 * lattice %/ shares) | r <- kept]
    & total kept <= cap * shares - earlier.
  have [kept -> le] := weights.
  by apply: leq_trans (total_steps _ _ _) _; rewrite leq_div2r // leq_mul2r le orbT.
elim: rows earlier => [|[c w] later IH] earlier /=.
  by exists [::]; rewrite /total ?big_nil.
have [kept -> le] := IH (earlier + w).
exists ((c, minn w (cap * shares - earlier)) :: kept) => //.
rewrite /total big_cons /= -/(total kept); lia.
Qed.

Lemma first_cap rows : total (first_rows 0 rows) <= cap * lattice.
Proof.
apply: leq_trans (first_rows_cap _ _) _.
by rewrite subn0 -mulnA [shares * _]mulnC mulnA mulnK.
Qed.

Lemma light_cap rows : total rows <= cap * shares ->
  total [seq (r.1, r.2 * lattice %/ shares) | r <- rows] <= cap * lattice.
Proof.
move=> light; apply: leq_trans (total_steps _ _ _) _.
by rewrite -[leqRHS](mulnK _ shares_gt0) leq_div2r // mulnAC leq_mul2r light orbT.
Qed.

Theorem sampled_cap some_rows rows : total (sampled some_rows rows) <= cap * lattice.
Proof. by rewrite /sampled; case: (leqP (total rows)) => [/light_cap|_] //; apply: first_cap. Qed.

Lemma once_total rows : total (once rows) <= total rows.
Proof.
rewrite /total /once big_map /=.
apply: (@leq_trans (\sum_(c <- undup (unzip1 rows)) \sum_(r <- rows | r.1 == c) r.2)).
  by apply: leq_sum => c _; apply: geq_minr.
rewrite (exchange_big_dep xpredT) //=; apply: leq_sum => r _.
rewrite big_const_seq iter_addn_0 -[leqRHS]muln1 leq_mul2l (eq_count (a2 := pred1 r.1)).
  by rewrite count_uniq_mem ?undup_uniq // leq_b1 orbT.
by move=> c /=; rewrite eq_sym.
Qed.

Theorem presence_cap some_rows rows : total (presence some_rows rows) <= cap * lattice.
Proof.
rewrite /presence; case: (leqP (total rows)) => [light|_]; last exact: first_cap.
exact/light_cap/(leq_trans (once_total _)).
Qed.

(* (c) Under presence a unit's length, in the sum of squares over its cells, is at most that of cap
   cells of a point each, in whatever order its cells are taken. *)
Lemma first_rows_step earlier rows r :
  all (fun r => r.2 <= shares) rows -> r \in first_rows earlier rows -> r.2 <= lattice.
Proof.
elim: rows earlier => //= -[c w] later IH earlier /= /andP[w1 later1].
rewrite in_cons => /predU1P[-> /=|]; last exact: IH.
rewrite -[leqRHS](mulKn _ shares_gt0) leq_div2r // leq_mul2r.
by rewrite (leq_trans (geq_minl _ _)) ?orbT.
Qed.

Theorem presence_length some_rows rows :
  all (fun r => r \in once rows) (some_rows (once rows)) ->
  \sum_(r <- presence some_rows rows) r.2 ^ 2 <= cap * lattice ^ 2.
Proof.
move=> some.
suff steps r : r \in presence some_rows rows -> r.2 <= lattice.
  apply: (@leq_trans (total (presence some_rows rows) * lattice)).
    rewrite big_distrl /= big_seq [leqRHS]big_seq; apply: leq_sum => r /steps r1.
    by rewrite -mulnn leq_mul2l r1 orbT.
  by rewrite -mulnn mulnA leq_mul2r presence_cap orbT.
have once1 : all (fun r => r.2 <= shares) (once rows).
  by apply/allP => _ /mapP[c _ ->] /=; apply: geq_minl.
rewrite /presence; case: (leqP (total rows)) => _.
  move=> /mapP[q /(allP once1) q1 ->] /=.
  by rewrite -[leqRHS](mulKn _ shares_gt0) leq_div2r // leq_mul2r q1 orbT.
apply: first_rows_step; apply/allP => q /(allP some) /(allP once1) //.
Qed.

(* (c) `_shortened`: a unit's steps in each cell scaled down until their length is short enough;
   `root` is whatever number was proposed, with root * root >= square. *)
Definition eighth s := (s + 7) %/ 8.
Definition square (steps : cell -> nat) := \sum_c eighth (steps c) ^ 2.
Definition shortened (length root : nat) (steps : cell -> nat) : cell -> nat := fun c =>
  if square steps <= cap * lattice ^ 2 %/ 64 then steps c else steps c %/ 8 * length %/ root.

Theorem shortened_length length root steps :
  length ^ 2 <= cap * lattice ^ 2 -> square steps <= root ^ 2 -> 0 < root ->
  \sum_c shortened length root steps c ^ 2 <= cap * lattice ^ 2.
Proof.
move=> short rooted root_gt0; rewrite /shortened; case: (leqP (square steps)) => [fits|_].
  apply: (@leq_trans (64 * square steps)).
    rewrite /square big_distrr /=; apply: leq_sum => c _.
    have le : steps c <= 8 * eighth (steps c) by rewrite /eighth; lia.
    by apply: leq_trans (leq_mul le le) _; rewrite -!mulnn mulnACA.
  by apply: leq_trans (leq_mul (leqnn 64) fits) _; rewrite mulnC leq_trunc_div.
apply: (leq_trans _ short); rewrite -(leq_pmul2r (_ : 0 < root ^ 2)) ?expn_gt0 ?root_gt0 //.
apply: (@leq_trans (square steps * length ^ 2)); last by rewrite mulnC leq_mul2l rooted orbT.
rewrite /square !big_distrl /=; apply: leq_sum => c _.
rewrite -!expnMn leq_exp2r //; apply: leq_trans (leq_trunc_div _ _) _.
by rewrite leq_mul2r leq_div2r ?orbT // leq_addr.
Qed.

Theorem shortened_no_more length root steps c :
  length ^ 2 <= cap * lattice ^ 2 -> square steps <= root ^ 2 -> 0 < root ->
  shortened length root steps c <= steps c.
Proof.
move=> short rooted root_gt0; rewrite /shortened; case: (leqP (square steps)) => // heavy.
have le : length <= 8 * root.
  rewrite -leq_sqr; apply: leq_trans short _; rewrite expnMn.
  apply: (@leq_trans (64 * square steps)); last by rewrite leq_mul2l rooted orbT.
  by move: heavy; rewrite ltn_divLR // [64 * _]mulnC => /ltnW.
rewrite -[leqRHS](mulnK _ root_gt0) leq_div2r //.
apply: leq_trans (leq_mul (leqnn _) le) _.
by rewrite mulnA leq_mul2r leq_trunc_div orbT.
Qed.

End Caps.

(* The survey: each unit's rows are counted by themselves, and totals add them up. *)
Section Survey.
Variables (unit cell region : finType).
Variable bound : nat.
Notation row := (cell * nat)%type.
Variable counted : seq row -> seq row.
Hypothesis counted_cap : forall rows, total (counted rows) <= bound.
Implicit Types (survey : unit -> seq row) (u : unit) (c : cell).

Definition steps_in (rows : seq row) c := \sum_(r <- counted rows | r.1 == c) r.2.
Definition cell_total survey c := \sum_u steps_in (survey u) c.
Definition cell_total_without survey u c := \sum_(v | v != u) steps_in (survey v) c.

(* Totals of regions: a partition gives each cell a region, or none. *)
Definition region_total (label : cell -> option region) (cells : cell -> nat) j :=
  \sum_(c | label c == Some j) cells c.

Lemma moved survey u c :
  cell_total survey c = steps_in (survey u) c + cell_total_without survey u c.
Proof. by rewrite /cell_total (bigD1 u). Qed.

Theorem unit_moves_cells survey u :
  \sum_c (cell_total survey c - cell_total_without survey u c) <= bound.
Proof.
under eq_bigr do rewrite (moved survey u) addnK.
rewrite /steps_in (exchange_big_dep xpredT) //=; apply: leq_trans (counted_cap (survey u)).
by apply: leq_sum => r _; rewrite (big_pred1 r.1) // => c; rewrite eq_sym.
Qed.

Theorem unit_moves_regions survey u label :
  \sum_j absz (Posz (region_total label (cell_total survey) j)
               - Posz (region_total label (cell_total_without survey u) j))%R <= bound.
Proof.
apply: leq_trans (unit_moves_cells survey u).
under eq_bigr => j _.
  rewrite /region_total (eq_bigr _ (fun c _ => moved survey u c)) big_split /= PoszD addrK absz_nat.
  over.
under [leqRHS]eq_bigr do rewrite (moved survey u) addnK.
rewrite (exchange_big_dep xpredT) //=; apply: leq_sum => c _.
case: (label c) => [j|]; last by rewrite big_pred0.
by rewrite (big_pred1 j) // => i; rewrite eq_sym.
Qed.

End Survey.
