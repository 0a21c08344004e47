"""Logistic regression with a ridge, small enough to be read: Newton's method on standardised columns."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["Logistic", "fit", "load"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Logistic:
    """P(y = 1 | x) = σ(bias + Σ weight · (x − mean)/scale); columns are `names`."""

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    weight: Floats
    bias: float

    def probability(self, rows: Floats) -> Floats:
        """The probability of each row of ``rows[n, len(names)]``."""
        z = ((rows - self.mean) / self.scale) @ self.weight + self.bias
        p: Floats = 1 / (1 + np.exp(-np.clip(z, -30, 30)))
        return p


def fit(names: tuple[str, ...], rows: Floats, right: Floats, ridge: float) -> Logistic:
    """The most probable coefficients for `right` (0 or 1), each weight under a normal prior of precision `ridge`."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    z = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    prior = np.full(z.shape[1], ridge)
    prior[-1] = 1e-6
    beta = np.zeros(z.shape[1])
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(z @ beta, -30, 30)))
        hessian = (z.T * (p * (1 - p))) @ z + np.diag(prior)
        step = np.linalg.solve(hessian, z.T @ (right - p) - prior * beta)
        beta += step
        if np.abs(step).max() < 1e-9:
            break
    return Logistic(names, mean, scale, beta[:-1], float(beta[-1]))


def load(file: Path, table: str) -> Logistic:
    """The regression that `benchmarks.calibrate` wrote into `table` of a TOML file."""
    data = tomllib.loads(file.read_text("utf-8"))[table]
    return Logistic(
        tuple(data["names"]), np.array(data["mean"]), np.array(data["scale"]), np.array(data["weight"]), data["bias"]
    )
