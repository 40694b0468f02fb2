//! A study's results as JSON.

use serde_json::{Value, json};

use crate::metric::stats::{Interval, StatsError};
use crate::study::{Cell, CoDesign, Comparison, MixedModel, QuestionnaireScore, StudyResults};

/// All of it. What has no value is null, with the reason beside it.
pub(super) fn results_json(results: &StudyResults) -> Value {
    let plan = &results.plan;
    let codesign = plan.conditions.iter().zip(&results.codesign).map(|(condition, told)| {
        let told = told.as_ref().map_or(json!("not recorded"), codesign_json);
        (condition.id.clone(), told)
    });
    json!({
        "study": plan.id,
        "title": plan.title,
        "arrangement": plan.arrangement,
        "kind": if results.has_scripted { "scripted, not people" } else { "people" },
        "participants": results.participants,
        "scripted_left_out": results.scripted_left_out,
        "unfinished_left_out": results.unfinished,
        "balance": balance_json(results),
        "cells": results.cells.iter().map(|cell| cell_json(results, cell)).collect::<Vec<_>>(),
        "tests": results.comparisons.iter().map(|it| comparison_json(results, it)).collect::<Vec<_>>(),
        "mixed_models": results.mixed.iter().map(mixed_json).collect::<Vec<_>>(),
        "questionnaires": results.questionnaires.iter().map(questionnaire_json).collect::<Vec<_>>(),
        "codesign": codesign.collect::<serde_json::Map<String, Value>>(),
    })
}

fn balance_json(results: &StudyResults) -> Value {
    let balance = &results.balance;
    let tables = balance.tables().map(|(name, table)| {
        let rows = table.iter().map(|((a, b), count)| json!([a, b, count]));
        json!({"of": name, "counts": rows.collect::<Vec<_>>()})
    });
    json!({
        "people": balance.people,
        "is_even": balance.is_even(),
        "most_alike": balance.most_alike,
        "tables": tables,
    })
}

fn cell_json(results: &StudyResults, cell: &Cell) -> Value {
    let condition = results.plan.conditions.get(cell.condition).map(|it| &it.id);
    let individuals = cell.individuals.iter().map(|it| {
        json!({
            "participant": it.participant, "attempts": it.attempts,
            "success": it.success, "seconds": it.seconds,
        })
    });
    json!({
        "level": cell.level,
        "condition": condition,
        "persons": cell.individuals.len(),
        "tasks": cell.tasks,
        "attempts": cell.attempts,
        "successes": cell.successes,
        "success": cell.success,
        "success_interval": interval_json(&cell.success_interval),
        "wilson": interval_json(&cell.wilson),
        "seconds": cell.seconds,
        "seconds_interval": interval_json(&cell.seconds_interval),
        "geometric_seconds": cell.geometric_seconds,
        "restricted_seconds": cell.restricted_seconds,
        "restricted_interval": cell.restricted_interval.as_ref().map(interval_json),
        "individuals": individuals.collect::<Vec<_>>(),
    })
}

fn interval_json(interval: &Result<Interval, StatsError>) -> Value {
    match interval {
        Ok(interval) => json!({"low": interval.low, "high": interval.high}),
        Err(why) => json!({"missing": why.to_string()}),
    }
}

fn comparison_json(results: &StudyResults, comparison: &Comparison) -> Value {
    let pair = comparison.pair.map(|pair| {
        pair.map(|at| results.plan.conditions.get(at).map(|condition| condition.id.clone()))
    });
    let mut json = json!({
        "measure": comparison.measure.name(),
        "test": comparison.test,
        "conditions": pair,
        "persons": comparison.persons,
    });
    let more = match &comparison.finding {
        Ok(found) => json!({
            "statistic": found.statistic.0,
            "value": found.statistic.1,
            "p": found.p,
            "method": found.method.name(),
            "corrected_p": found.corrected_p,
            "correction": if comparison.pair.is_some() { "holm" } else { "none" },
            "least_p": found.least_p,
            "says": if found.is_too_small() { "n too small to say" } else { "" },
            "effect": found.effect.map(|effect| json!({"name": effect.name, "value": effect.value})),
        }),
        Err(why) => json!({"missing": why.to_string()}),
    };
    if let (Some(all), Value::Object(more)) = (json.as_object_mut(), more) {
        all.extend(more);
    }
    json
}

fn mixed_json(model: &MixedModel) -> Value {
    match &model.fit {
        Ok(fit) => {
            let terms = fit.terms.iter().map(|term| {
                json!({
                    "name": term.name, "log_odds": term.coefficient,
                    "std_err": term.standard_error, "z": term.z, "p": term.p,
                    "low": term.interval.low, "high": term.interval.high,
                })
            });
            json!({
                "model": model.name,
                "terms": terms.collect::<Vec<_>>(),
                "person_deviation": fit.person_deviation,
                "task_deviation": fit.task_deviation,
                "log_likelihood": fit.log_likelihood,
                "observations": fit.observations, "persons": fit.persons, "tasks": fit.tasks,
            })
        }
        Err(why) => json!({"model": model.name, "missing": why.to_string()}),
    }
}

fn questionnaire_json(score: &QuestionnaireScore) -> Value {
    let individuals = score.individuals.iter();
    let individuals =
        individuals.map(|(person, value)| json!({"participant": person, "value": value}));
    json!({
        "score": score.name,
        "condition": score.condition,
        "mean": score.mean.as_ref().ok(),
        "interval": interval_json(&score.interval),
        "unanswered": score.unanswered,
        "faults": score.faults,
        "individuals": individuals.collect::<Vec<_>>(),
    })
}

fn codesign_json(told: &CoDesign) -> Value {
    let states =
        ["offered", "shown", "accepted", "partly", "refused", "ignored", "stale", "withdrawn"];
    let suggestions = states.into_iter().zip(told.suggestions);
    let suggestions = suggestions.map(|(name, count)| (name.to_owned(), json!(count)));
    let [accepted, partly, shown] = [told.suggestions[2], told.suggestions[3], told.suggestions[1]];
    let shares = told.initiative.shares();
    json!({
        "tasks": told.tasks,
        "suggestions": suggestions.collect::<serde_json::Map<String, Value>>(),
        "acceptance": ratio(accepted + partly, shown),
        "hunk_acceptance": ratio(told.hunks_taken, told.hunks_shown),
        "decision_ms_median": median(&told.decision_ms),
        "edited_after": ratio(told.edited_after, told.hunks_followed),
        "undone": ratio(told.undone, told.hunks_followed),
        "kept": ratio(told.kept, told.hunks_followed),
        "survived_10_s": ratio(told.survived[0].0, told.survived[0].1),
        "survived_60_s": ratio(told.survived[1].0, told.survived[1].1),
        "initiative": shares.map(|[person, assistant, edited, alone]| json!({
            "person": person, "assistant": assistant, "assistant_then_edited": edited, "assistant_alone": alone,
        })),
        "steps_by_person": ratio(told.steps_by_person.0, told.steps_by_person.1),
        "first_change_ms_median": median(&told.first_change_ms),
        "first_request_ms_median": median(&told.first_request_ms),
        "requests": {
            "step": told.requests[0], "why": told.requests[1], "another_way": told.requests[2],
            "after_ten_idle_seconds": told.idle_requests,
        },
        "over_reliance": ratio(told.wrong.0, told.wrong.1),
        "under_reliance": ratio(told.right.0, told.right.1),
        "distance_area_mean": mean(&told.distance_area),
    })
}

/// A share; `None` of nothing.
pub(super) fn ratio(part: u32, of: u32) -> Option<f64> {
    (of > 0).then(|| f64::from(part) / f64::from(of))
}

/// The middle one, or the mean of the two in the middle.
pub(super) fn median(values: &[u64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2] as f64, sorted[last.div_ceil(2)] as f64))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
