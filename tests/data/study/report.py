"""What a study's report should come to, by SciPy and statsmodels alone; prints report.json.

It takes nothing from the program but what people did (`--table-of attempts`) and the plan: shares, means, tests,
corrections and effects are worked out here once more.

    python3 -m venv /tmp/reference && /tmp/reference/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    for preset in small psbench; do
        pentimento study simulate --participants 24 --preset $preset --tasks sample_runs --seed 1 --out /tmp/$preset
        pentimento study report /tmp/$preset --include-scripted --table-of attempts --table /tmp/$preset.csv > /dev/null
    done
    /tmp/reference/bin/python tests/data/study/report.py /tmp/small /tmp/psbench > tests/data/study/report.json

P-values by permutation of persons have no counterpart there: of Friedman's test the value of χ² is given, which is about
the same; of log-rank tests none, as χ² takes the attempts of one person for independent.
"""

import csv
import itertools
import json
import sys
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight, survdiff
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

RESAMPLES = 4000
LEVELS = ["easy", "medium", "hard"]


def read(study):
    plan = json.loads((study / "study.json").read_text())
    limits = {(it["set"], it["id"]): it["limit_secs"] for it in plan["tasks"]}
    with study.with_suffix(".csv").open() as file:
        attempts = list(csv.DictReader(file))
    for it in attempts:
        del it["run"]
        it["seconds"] = float(it["seconds"])
        it["success"] = it["success"] == "yes"
        it["limit"] = limits[it["set"], it["task"]]
    return plan, attempts


def of_persons(attempts, value):
    """A value a person, of those who have one, in the order of their names."""
    found = {}
    for person in sorted({it["participant"] for it in attempts}):
        of_person = value([it for it in attempts if it["participant"] == person])
        if of_person is not None:
            found[person] = of_person
    return found


def share(attempts):
    return float(np.mean([it["success"] for it in attempts])) if attempts else None


def seconds(attempts):
    times = [it["seconds"] for it in attempts if it["success"]]
    return float(np.mean(times)) if times else None


def log_seconds(attempts):
    times = [it["seconds"] for it in attempts if it["success"]]
    return float(np.mean(np.log(times))) if times else None


def curve_of(attempts):
    """Who never succeeds counts as at it up to the limit."""
    times = np.array([it["seconds"] if it["success"] else it["limit"] for it in attempts])
    return times, np.array([int(it["success"]) for it in attempts])


def restricted(attempts, limit):
    """The area under Kaplan and Meier's curve."""
    times, status = curve_of(attempts)
    curve = SurvfuncRight(times, status)
    edges = np.minimum(np.concatenate([[0.0], curve.surv_times, [max(limit, times.max())]]), limit)
    return float(np.sum(np.diff(edges) * np.concatenate([[1.0], curve.surv_prob])))


def cells(plan, attempts):
    rows = []
    for level in [*LEVELS, None]:
        of_level = [it for it in attempts if level in (None, it["level"])]
        limit = min(it["limit"] for it in of_level)
        for condition in plan["conditions"]:
            here = [it for it in of_level if it["condition"] == condition["id"]]
            times = [it["seconds"] for it in here if it["success"]]
            low, high = proportion_confint(len(times), len(here), method="wilson")
            rows.append({
                "level": level, "condition": condition["id"], "persons": len({it["participant"] for it in here}),
                "tasks": len({(it["set"], it["task"]) for it in here}), "attempts": len(here), "successes": len(times),
                "success": float(np.mean(list(of_persons(here, share).values()))),
                "seconds": float(np.mean(list(of_persons(here, seconds).values()))),
                "geometric_seconds": float(stats.gmean(times)),
                "restricted_seconds": restricted(here, limit) if level else None,
                "wilson": [low, high],
            })
    return rows


def interval(persons, statistic, rng):
    """The middle of a statistic in resamples of persons; none where it too often has no value."""
    found = []
    for _ in range(RESAMPLES):
        value = statistic([persons[at] for at in rng.integers(0, len(persons), len(persons))])
        if value is not None and np.isfinite(value):
            found.append(value)
    if len(found) * 20 < RESAMPLES * 19:
        return None
    return np.quantile(found, [0.025, 0.975]).tolist()


def superiority(a, b):
    if not len(a) or not len(b):
        return None
    wins = np.sign(np.subtract.outer(np.array(a), np.array(b)))
    return float((wins.mean() + 1) / 2)


def rank_biserial(a, b):
    apart = np.array(a) - np.array(b)
    apart = apart[apart != 0]
    if not len(apart):
        return None
    ranks = stats.rankdata(np.abs(apart))
    return float((ranks[apart > 0].sum() - ranks[apart < 0].sum()) / ranks.sum())


def eta_squared(groups):
    if any(not len(group) for group in groups) or len(set(itertools.chain(*groups))) < 2:
        return None
    h, n, k = stats.kruskal(*groups).statistic, sum(map(len, groups)), len(groups)
    return float(np.clip((h - k + 1) / (n - k), 0, 1))


def kendall_w(rows):
    if all(len(set(row)) < 2 for row in rows):
        return None
    return float(stats.friedmanchisquare(*np.array(rows).T).statistic / (len(rows) * (len(rows[0]) - 1)))


def comparison(measure, test, pair, attempts, value, p, effect):
    return {"measure": measure, "test": test, "conditions": pair, "persons": len({it["participant"] for it in attempts}),
            "tasks": len({(it["set"], it["task"]) for it in attempts}), "value": value, "p": p, "effect": effect}


def corrected(pairs):
    known = [it for it in pairs if it["p"] is not None]
    for it, adjusted in zip(known, multipletests([it["p"] for it in known], method="holm")[1] if known else []):
        it["corrected_p"] = float(adjusted)
    return pairs


def between(measure, conditions, rows, counting, rng):
    """Groups of different people."""
    persons = list(rows.values())
    groups = [[row[it] for row in persons if row[it] is not None] for it in conditions]
    test = stats.kruskal(*groups)
    effect = {"value": eta_squared(groups), "interval": interval(
        persons, lambda drawn: eta_squared([[row[it] for row in drawn if row[it] is not None] for it in conditions]), rng)}
    # 24 people have too many ways to be shared out: both take χ².
    yield comparison(measure, "Kruskal–Wallis", None, counting, test.statistic, test.pvalue, effect)
    pairs = []
    for a, b in itertools.combinations(conditions, 2):
        here = [row for row in persons if row[a] is not None or row[b] is not None]
        first, second = ([row[it] for row in here if row[it] is not None] for it in (a, b))
        # Every choice of who is in which group, ties or not.
        every = stats.PermutationMethod(n_resamples=np.inf)
        if len(set(first + second)) < 2:
            continue
        test = stats.mannwhitneyu(first, second, alternative="two-sided", method=every)
        effect = {"value": superiority(first, second), "interval": interval(here, lambda drawn: superiority(
            [row[a] for row in drawn if row[a] is not None], [row[b] for row in drawn if row[b] is not None]), rng)}
        attempts = [it for it in counting if it["condition"] in (a, b)]
        pairs.append(comparison(measure, "Mann–Whitney", [a, b], attempts, test.statistic, test.pvalue, effect))
    yield from corrected(pairs)


def within(measure, conditions, rows, counting, rng):
    """The same people under every condition."""
    whole = {person: [row[it] for it in conditions] for person, row in rows.items()}
    whole = {person: row for person, row in whole.items() if None not in row}
    table = list(whole.values())
    test = stats.friedmanchisquare(*np.array(table).T)
    effect = {"value": kendall_w(table), "interval": interval(table, kendall_w, rng)}
    attempts = [it for it in counting if it["participant"] in whole]
    found = comparison(measure, "Friedman", None, attempts, test.statistic, None, effect)
    mixed = sum(len(set(row)) > 1 for row in table)
    yield {**found, "p" if mixed >= 24 else "p_about": test.pvalue}
    pairs = []
    for a, b in itertools.combinations(conditions, 2):
        both = {person: (row[a], row[b]) for person, row in rows.items() if None not in (row[a], row[b])}
        first, second = map(np.array, zip(*both.values()))
        apart = (first - second)[first != second]
        is_exact = len(apart) <= 25 and len(set(np.abs(apart))) == len(apart)
        test = stats.wilcoxon(first, second, correction=False, method="exact" if is_exact else "approx")
        positive = stats.rankdata(np.abs(apart))[apart > 0].sum()
        effect = {"value": rank_biserial(first, second),
                  "interval": interval(list(both.values()), lambda drawn: rank_biserial(*zip(*drawn)), rng)}
        attempts = [it for it in counting if it["participant"] in both and it["condition"] in (a, b)]
        pairs.append(comparison(measure, "Wilcoxon signed rank", [a, b], attempts, positive, test.pvalue, effect))
    yield from corrected(pairs)


def of_times(level, conditions, attempts, rng):
    here = [it for it in attempts if it["level"] == level]
    limit = min(it["limit"] for it in here)
    for pair in [None, *itertools.combinations(conditions, 2)]:
        mine = [it for it in here if pair is None or it["condition"] in pair]
        times, status = curve_of(mine)
        groups = np.array([conditions.index(it["condition"]) for it in mine])
        effect = None
        if pair:
            persons = list(of_persons(mine, lambda of_person: of_person).values())
            capped = lambda it: min(it["seconds"] if it["success"] else it["limit"], limit)
            # Nobody is stopped before the limit, so that the area under the curve is a mean.
            difference = lambda drawn: np.subtract(*[
                np.mean([capped(it) for it in itertools.chain(*drawn) if it["condition"] == at] or [np.nan])
                for at in pair])
            value = np.subtract(*[restricted([it for it in mine if it["condition"] == at], limit) for at in pair])
            effect = {"value": float(value), "interval": interval(persons, difference, rng)}
        value = float(survdiff(times, status, groups)[0])
        pair = list(pair) if pair else None
        yield comparison(f"time to success, {level}", "log-rank", pair, mine, value, None, effect)


def report(study):
    plan, attempts = read(study)
    rng = np.random.default_rng(1)
    conditions = [it["id"] for it in plan["conditions"]]
    tests = []
    for measure, value in [("success", share), ("log time of successes", log_seconds)]:
        counting = attempts if measure == "success" else [it for it in attempts if it["success"]]
        people = sorted({it["participant"] for it in counting})
        rows = {person: {condition: value([it for it in counting if it["participant"] == person
                                           and it["condition"] == condition]) for condition in conditions}
                for person in people}
        arranged = between if plan["arrangement"] == "between" else within
        tests += arranged(measure, conditions, rows, counting, rng)
    for level in LEVELS:
        tests += of_times(level, conditions, attempts, rng)
    rows = [[it[key] for key in ("participant", "condition", "level", "task", "success", "seconds")] for it in attempts]
    return {"attempts": rows, "cells": cells(plan, attempts), "tests": tests}


def main():
    studies = {Path(study).name: report(Path(study)) for study in sys.argv[1:]}
    print(json.dumps({
        "source": f"SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}, NumPy {np.__version__}, "
                  f"Python {sys.version.split()[0]}; tests/data/study/report.py",
        **studies,
    }, default=float))


main()
