"""Values of SciPy and statsmodels for the statistics of studies; prints reference.json.

    python3 -m venv /tmp/reference && /tmp/reference/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    /tmp/reference/bin/python tests/data/study/reference.py > tests/data/study/reference.json

The mixed model has no counterpart there: its likelihood is Laplace's approximation, written down once more in NumPy
and maximised by SciPy, and the exact integral by Gauss and Hermite's quadrature where one factor alone is random.
"""

import json
import sys

import numpy as np
import scipy
import statsmodels
from scipy import stats
from scipy.optimize import minimize
from scipy.special import expit, roots_hermitenorm
from statsmodels.duration.survfunc import SurvfuncRight, survdiff
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
from statsmodels.stats.multitest import multipletests

rng = np.random.default_rng(20260101)


def mcnemar_rows():
    rows = []
    for b, c in [(1, 5), (0, 6), (4, 4), (10, 25), (30, 12), (2, 0), (13, 13)]:
        table = [[7, b], [c, 9]]
        exact = mcnemar(table, exact=True)
        corrected = mcnemar(table, exact=False, correction=True)
        below = stats.binom.cdf(min(b, c), b + c, 0.5)
        own = stats.binom.pmf(min(b, c), b + c, 0.5)
        # As in Fagerland, Lydersen and Laake 2013.
        mid = 1 - own / 2 if b == c else 2 * below - own
        rows.append({"b": b, "c": c, "exact": exact.pvalue, "mid": mid,
                     "chi_squared": corrected.statistic, "chi_squared_p": corrected.pvalue})
    return rows


def cochran_rows():
    rows = []
    for n, k in [(30, 3), (40, 4), (12, 3)]:
        table = (rng.random((n, k)) < np.linspace(0.35, 0.75, k)).astype(int)
        found = cochrans_q(table)
        rows.append({"rows": table.tolist(), "q": found.statistic, "p": found.pvalue})
    return rows


def wilcoxon_rows():
    rows = []
    cases = [(10, False), (25, False), (40, False), (12, True), (40, True)]
    for n, ties in cases:
        a, b = rng.normal(0.4, 1, n), rng.normal(0, 1, n)
        if ties:
            a, b = np.round(a * 2), np.round(b * 2)
        for zeros in ["wilcox", "pratt"]:
            has_ties = len(set(np.abs(a - b))) < n
            exact = n <= 25 and not has_ties
            found = stats.wilcoxon(a, b, zero_method=zeros, correction=False,
                                   method="exact" if exact else "approx")
            rows.append({"a": a.tolist(), "b": b.tolist(), "zeros": zeros,
                         "statistic": found.statistic, "p": found.pvalue, "exact": exact})
    return rows


def friedman_rows():
    rows = []
    for n, k, ties in [(24, 3, False), (30, 4, True), (8, 3, False)]:
        table = rng.normal(0, 1, (n, k)) + np.arange(k) * 0.4
        if ties:
            table = np.round(table)
        found = stats.friedmanchisquare(*table.T)
        rows.append({"rows": table.tolist(), "chi_squared": found.statistic, "p": found.pvalue})
    return rows


def mann_whitney_rows():
    rows = []
    for n, m, ties in [(8, 8, False), (5, 9, False), (30, 40, False), (30, 40, True)]:
        a, b = rng.normal(0.5, 1, n), rng.normal(0, 1, m)
        if ties:
            a, b = np.round(a), np.round(b)
        method = "exact" if n + m <= 50 else "asymptotic"
        found = stats.mannwhitneyu(a, b, alternative="two-sided", method=method)
        rows.append({"a": a.tolist(), "b": b.tolist(), "u": found.statistic, "p": found.pvalue})
    return rows


def kruskal_rows():
    rows = []
    for sizes, ties in [((12, 12, 12), False), ((20, 15, 9, 11), True)]:
        groups = [rng.normal(at * 0.4, 1, n) for at, n in enumerate(sizes)]
        if ties:
            groups = [np.round(group) for group in groups]
        found = stats.kruskal(*groups)
        rows.append({"groups": [g.tolist() for g in groups], "h": found.statistic, "p": found.pvalue})
    return rows


def survival_rows():
    rows = []
    for n in (12, 40):
        group = np.arange(n) % 3
        time = np.round(rng.exponential(150 + 60 * group, n), 0) + 1
        limit = 300.0
        status = (time < limit).astype(int)
        time = np.minimum(time, limit)
        curve = SurvfuncRight(time, status)
        edges = np.concatenate([[0.0], curve.surv_times, [limit]])
        shares = np.concatenate([[1.0], curve.surv_prob])
        mean = float(np.sum(np.diff(np.minimum(edges, limit)) * shares))
        chi_squared, p = survdiff(time, status, group)
        rows.append({"seconds": time.tolist(), "success": status.tolist(), "group": group.tolist(),
                     "limit": limit, "times": curve.surv_times.tolist(), "shares": curve.surv_prob.tolist(),
                     "restricted_mean": mean, "chi_squared": chi_squared, "chi_squared_p": p})
    return rows


def laplace(parameters, x, y, person, task):
    """Minus the logarithm of Laplace's approximation."""
    persons, tasks = person.max() + 1, task.max() + 1
    beta, (sp, st) = parameters[:-2], parameters[-2:]
    z = np.zeros((len(y), persons + tasks))
    z[np.arange(len(y)), person] = sp
    z[np.arange(len(y)), persons + task] = st
    fixed, effects, sign = x @ beta, np.zeros(persons + tasks), 2 * y - 1
    for _ in range(100):
        mu = expit(fixed + z @ effects)
        hessian = z.T @ (z * (mu * (1 - mu))[:, None]) + np.eye(len(effects))
        step = np.linalg.solve(hessian, z.T @ (y - mu) - effects)
        effects = effects + step
        if np.abs(step).max() < 1e-12:
            break
    mu = expit(fixed + z @ effects)
    hessian = z.T @ (z * (mu * (1 - mu))[:, None]) + np.eye(len(effects))
    joint = -np.logaddexp(0, -sign * (fixed + z @ effects)).sum() - effects @ effects / 2
    return np.linalg.slogdet(hessian)[1] / 2 - joint


def mixed_rows():
    rows = []
    for persons, tasks in [(12, 12), (24, 8)]:
        person = np.repeat(np.arange(persons), tasks)
        task = np.tile(np.arange(tasks), persons)
        helped = ((person + task) % 2 == 0).astype(float)
        hard = (task % 3 == 0).astype(float)
        x = np.column_stack([np.ones(len(person)), helped, hard])
        odds = x @ [0.2, 1.0, -0.8] + 0.9 * rng.normal(size=persons)[person] + 0.6 * rng.normal(size=tasks)[task]
        y = (rng.random(len(odds)) < expit(odds)).astype(int)
        start = np.array([0.0, 0.0, 0.0, 0.5, 0.5])
        best = minimize(laplace, start, args=(x, y, person, task), method="BFGS", options={"gtol": 1e-7})
        best = minimize(laplace, best.x, args=(x, y, person, task), method="Nelder-Mead",
                        options={"xatol": 1e-8, "fatol": 1e-11, "maxiter": 20000})
        steps = 1e-3 * np.maximum(np.abs(best.x), 1)
        size = len(best.x)
        hessian = np.zeros((size, size))
        for i in range(size):
            for j in range(size):
                total = 0.0
                for a in (1, -1):
                    for b in (1, -1):
                        at = best.x.copy()
                        at[i] += a * steps[i]
                        at[j] += b * steps[j]
                        total += a * b * laplace(at, x, y, person, task)
                hessian[i, j] = total / (4 * steps[i] * steps[j])
        errors = np.sqrt(np.diag(np.linalg.inv(hessian)))
        rows.append({"person": person.tolist(), "task": task.tolist(), "outcome": y.tolist(),
                     "columns": {"helped": helped.tolist(), "hard": hard.tolist()},
                     "coefficients": best.x[:3].tolist(), "std_err": errors[:3].tolist(),
                     "deviations": np.abs(best.x[3:]).tolist(), "log_likelihood": -best.fun})
    return rows


def quadrature_row():
    """Persons alone are random: the integral of each is of one dimension."""
    persons, each = 10, 12
    person = np.repeat(np.arange(persons), each)
    task = np.tile(np.arange(2), len(person) // 2)
    x1 = rng.normal(size=len(person))
    y = (rng.random(len(person)) < expit(0.3 + 0.8 * x1 + 0.7 * rng.normal(size=persons)[person])).astype(int)
    nodes, weights = roots_hermitenorm(60)
    at = np.array([0.3, 0.8, 0.7])
    total = 0.0
    for p in range(persons):
        here = person == p
        odds = at[0] + at[1] * x1[here][:, None] + at[2] * nodes[None, :]
        sign = (2 * y[here] - 1)[:, None]
        logs = -np.logaddexp(0, -sign * odds).sum(axis=0)
        total += np.log((np.exp(logs) * weights).sum() / np.sqrt(2 * np.pi))
    return {"person": person.tolist(), "task": task.tolist(), "x": x1.tolist(), "outcome": y.tolist(),
            "at": at.tolist(), "log_likelihood": total}


def main():
    p = [0.01, 0.04, 0.03, 0.005, 0.2]
    print(json.dumps({
        "source": f"SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}, NumPy {np.__version__}, "
                  f"Python {sys.version.split()[0]}; tests/data/study/reference.py",
        "mcnemar": mcnemar_rows(), "cochran": cochran_rows(), "wilcoxon": wilcoxon_rows(),
        "friedman": friedman_rows(), "mann_whitney": mann_whitney_rows(), "kruskal": kruskal_rows(),
        "survival": survival_rows(), "mixed": mixed_rows(), "quadrature": quadrature_row(),
        "holm": {"p": p, "adjusted": multipletests(p, method="holm")[1].tolist()},
    }, default=float))


main()
