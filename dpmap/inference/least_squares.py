"""Estimates a map from answers about regions of any shape, which may cross."""

import numpy as np

from dpmap.inference.estimate import Cells
from dpmap.inference.intervals import BoundedEstimate
from dpmap.inference.tree_estimate import project_weighted
from dpmap.read_only_arrays import read_only_property
from dpmap.record.unpool import superseded_answers

ROUNDS = 500


class LeastSquaresEstimate(BoundedEstimate):
    """Estimates cells by weighted least squares on all answers; bounds are the last answer's alone.

    Cells that lie together in every measurement are one *atom*. Of all atoms' totals that fit the
    answers equally well, the ones nearest to even land are taken, and then the nearest that are
    never negative and keep the sum.
    """

    @read_only_property
    def values(self) -> Cells:
        """The estimated total of each cell, never negative, NaN where the last question did not
        ask.
        """
        from scipy.sparse import csr_matrix, vstack
        from scipy.sparse.linalg import lsmr

        last = self._measurements[-1]
        known = last.partition.labels >= 0
        regions = np.stack([made.partition.labels[known] for made in self._measurements])
        atom_regions, atom_of_cell = np.unique(regions, axis=1, return_inverse=True)
        atom_of_cell = atom_of_cell.ravel()
        sizes = np.bincount(atom_of_cell).astype(np.float64)
        atoms = np.arange(len(sizes))
        rows = []
        answers = []
        for made, dropped, region_of_atom in zip(
            self._measurements,
            superseded_answers(self._measurements),
            atom_regions,
            strict=True,
        ):
            weight = np.where(dropped, 0.0, 1 / made.deviations)
            held = region_of_atom >= 0
            inside = region_of_atom[held]
            rows.append(
                csr_matrix(
                    (weight[inside], (inside, atoms[held])), (made.partition.regions, len(sizes))
                )
            )
            answers.append(weight * made.values)
        matrix = vstack(rows)
        target = np.concatenate(answers)
        along = matrix @ sizes
        density = max(float(along @ target) / max(float(along @ along), 1e-300), 0.0)
        # the least change of density that fits: of one size for a cell, whatever its atom
        root = np.sqrt(sizes)
        scaled = matrix.multiply(root[None, :]).tocsr()
        change = lsmr(scaled, target - along * density, atol=1e-9, btol=1e-9, maxiter=ROUNDS)[0]
        fitted = density * sizes + root * change
        total = max(float(fitted.sum()), 0.0)
        possible = project_weighted(fitted[None, :], sizes[None, :], np.array([total]))[0]
        cells = np.full(known.shape, np.nan)
        cells[known] = (possible / sizes)[atom_of_cell]
        return cells
