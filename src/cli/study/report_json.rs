//! A study's results as JSON.

use serde_json::{Value, json};

use crate::metric::codesign::{CoDesign, NOT_RECORDED};
use crate::metric::stats::{Interval, StatsError};
use crate::study::{
    AttemptClock, Autonomous, Cell, ConditionComparison, GivenAnswer, MixedModel, Progress,
    QuestionnaireScore, STOP_REASONS, StudyResults, UnfinishedAttempt,
};

/// All of it. What has no value is null, with the reason beside it.
pub(super) fn results_json(results: &StudyResults) -> Value {
    let plan = &results.plan;
    let codesign = plan.conditions.iter().zip(&results.codesign).map(|(condition, told)| {
        let told = told.as_ref().map_or(json!(NOT_RECORDED), codesign_json);
        (condition.id.clone(), told)
    });
    json!({
        "study": plan.id,
        "title": plan.title,
        "arrangement": plan.arrangement,
        "kind": if results.has_scripted { "scripted, not people" } else { "people" },
        "participants": results.participants,
        "scripted_left_out": results.scripted_left_out,
        "unfinished_left_out": results.unfinished.len(),
        "unfinished": results.unfinished.iter().map(unfinished_json).collect::<Vec<_>>(),
        "balance": balance_json(results),
        "cells": results.cells.iter().map(|cell| cell_json(results, cell)).collect::<Vec<_>>(),
        "clocks": clocks_json(results),
        "autonomous": autonomous_json(results),
        "tests": results.comparisons.iter().map(|it| comparison_json(results, it)).collect::<Vec<_>>(),
        "mixed_models": results.mixed.iter().map(mixed_json).collect::<Vec<_>>(),
        "questionnaires": results.questionnaires.iter().map(questionnaire_json).collect::<Vec<_>>(),
        "texts": results.answers.texts.iter().map(answer_json).collect::<Vec<_>>(),
        "choices": results.answers.choices.iter().map(answer_json).collect::<Vec<_>>(),
        "codesign": codesign.collect::<serde_json::Map<String, Value>>(),
        "distance_over_time": results.progress.iter().map(|it| progress_json(results, it)).collect::<Vec<_>>(),
    })
}

fn unfinished_json(left: &UnfinishedAttempt) -> Value {
    json!({
        "participant": left.participant, "condition": left.condition,
        "set": left.task.set, "task": left.task.id, "why": left.why,
    })
}

/// Time away and pauses by condition, and each attempt that had any.
fn clocks_json(results: &StudyResults) -> Value {
    let each = results.plan.conditions.iter().zip(&results.clocks);
    let each = each.map(|(condition, clock)| {
        let paused = STOP_REASONS.iter().zip(clock.paused_secs);
        let paused = paused.map(|((_, reason), secs)| ((*reason).to_owned(), json!(secs)));
        let told = json!({
            "attempts": clock.attempts,
            "seconds_away_median": clock.away_secs_median,
            "attempts_away": clock.attempts_away,
            "attempts_paused": clock.attempts_paused,
            "seconds_paused": paused.collect::<serde_json::Map<String, Value>>(),
            "attempts_with_clock_jumps": clock.attempts_with_jumps,
            "noted": clock.noted.iter().map(|it| attempt_clock_json(results, it)).collect::<Vec<_>>(),
        });
        (condition.id.clone(), told)
    });
    Value::Object(each.collect())
}

fn attempt_clock_json(results: &StudyResults, attempt: &AttemptClock) -> Value {
    let (clock, task) = (&attempt.clock, results.plan.tasks.get(attempt.task));
    let pauses = clock.stops.iter();
    let pauses =
        pauses.map(|stop| json!({"reason": stop.name(), "seconds": stop.millis as f64 / 1_000.0}));
    let jumps = clock.wall_jumps_ms.iter().map(|millis| *millis as f64 / 1_000.0);
    json!({
        "participant": attempt.participant,
        "set": task.map(|task| &task.set),
        "task": task.map(|task| &task.id),
        "seconds_away": clock.away_secs(),
        "pauses": pauses.collect::<Vec<_>>(),
        "clock_jumps_seconds": jumps.collect::<Vec<f64>>(),
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

/// What agents did alone; null where no runs of theirs were named.
fn autonomous_json(results: &StudyResults) -> Value {
    let Autonomous { models, cells, left_out, .. } = &results.autonomous;
    if results.autonomous.is_empty() {
        return Value::Null;
    }
    let models = models.iter().map(|it| json!({"model": it.name, "runs": it.runs}));
    let left_out = left_out.iter().map(|(why, count)| json!({"why": why.words(), "runs": count}));
    json!({
        "models": models.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "cells": cells.iter().map(|cell| cell_json(results, cell)).collect::<Vec<_>>(),
    })
}

fn cell_json(results: &StudyResults, cell: &Cell) -> Value {
    let individuals = cell.individuals.iter().map(|it| {
        json!({
            "participant": it.participant, "attempts": it.attempts,
            "success": it.success, "seconds": it.seconds,
        })
    });
    json!({
        "level": cell.level,
        "condition": results.condition_id(cell.condition),
        "unit": cell.unit.name(),
        "persons": cell.individuals.len(),
        "tasks": cell.tasks,
        "attempts": cell.attempts,
        "successes": cell.successes,
        "success": cell.success,
        "success_interval": interval_json(&cell.success_interval),
        "wilson": interval_json(&cell.wilson),
        "seconds": cell.seconds,
        "seconds_persons": cell.individuals.iter().filter(|it| it.seconds.is_some()).count(),
        "seconds_interval": interval_json(&cell.seconds_interval),
        "geometric_seconds": cell.geometric_seconds,
        "restricted_seconds": cell.restricted_seconds,
        "restricted_to_seconds": cell.restricted_to,
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

fn comparison_json(results: &StudyResults, comparison: &ConditionComparison) -> Value {
    let pair = comparison.pair.map(|pair| {
        pair.map(|at| results.plan.conditions.get(at).map(|condition| condition.id.clone()))
    });
    let mut json = json!({
        "measure": comparison.measure.name(),
        "test": comparison.test,
        "conditions": pair,
        "unit": comparison.unit.name(),
        "persons": comparison.persons,
        "tasks": comparison.tasks,
    });
    // A test that cannot be made keeps its place in the list, with the reason.
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
            "effect": found.effect.as_ref().map(|effect| json!({
                "name": effect.name, "value": effect.value, "interval": interval_json(&effect.interval),
            })),
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

fn answer_json(answer: &GivenAnswer) -> Value {
    json!({
        "participant": answer.participant,
        "condition": answer.condition,
        "set": answer.task.as_ref().map(|task| &task.set),
        "task": answer.task.as_ref().map(|task| &task.id),
        "form": answer.form,
        "question": answer.question,
        "value": answer.value,
    })
}

fn codesign_json(told: &CoDesign) -> Value {
    let measures = told.measures();
    let (states, steps) = (told.suggestions, told.steps);
    json!({
        "tasks": told.tasks,
        "suggestions": {
            "offered": states.offered, "shown": states.shown, "accepted": states.accepted,
            "partly": states.partly, "refused": states.refused, "ignored": states.ignored,
            "stale": states.stale, "withdrawn": states.withdrawn,
        },
        "acceptance": measures.acceptance,
        "hunk_acceptance": measures.hunk_acceptance,
        "decision_ms_median": millis(measures.decision_secs),
        "edited_after": measures.edited_after,
        "undone": measures.undone,
        "kept": measures.kept,
        "survived_10_s": told.survived[0].share(),
        "survived_60_s": told.survived[1].share(),
        "initiative": measures.initiative.map(|it| json!({
            "person": it.person, "assistant": it.assistant,
            "assistant_then_edited": it.assistant_edited, "assistant_alone": it.assistant_alone,
        })),
        "steps": {
            "person": steps.person, "assistant": steps.assistant, "assistant_alone": steps.assistant_alone,
        },
        "steps_by_person": measures.person_steps,
        "steps_by_assistant": measures.assistant_steps,
        "steps_by_assistant_alone": measures.assistant_alone_steps,
        "step_ratio": measures.step_ratio,
        "first_change_ms_median": millis(measures.first_change_secs),
        "first_request_ms_median": millis(measures.first_request_secs),
        "requests": {
            "step": measures.next_requests, "why": measures.why_requests,
            "another_way": measures.another_requests, "after_ten_idle_seconds": measures.idle_requests,
        },
        "over_reliance": measures.over_reliance,
        "under_reliance": measures.under_reliance,
        "distance_area_mean": measures.distance_area,
        "nearer_mean": {
            "person": measures.person_nearer, "assistant": measures.assistant_nearer,
            "assistant_alone": measures.assistant_alone_nearer,
        },
    })
}

fn millis(secs: Option<f64>) -> Option<f64> {
    secs.map(|secs| (secs * 1e3).round())
}

/// How far the design was from the ground truth from which second on, and who had changed it.
fn progress_json(results: &StudyResults, progress: &Progress) -> Value {
    let condition = results.plan.conditions.get(progress.condition).map(|it| &it.id);
    let task = results.plan.tasks.get(progress.task);
    let points = progress.points.iter();
    let points = points.map(|it| json!({"seconds": it.at, "distance": it.value, "by": it.author}));
    json!({
        "participant": progress.participant,
        "condition": condition,
        "set": task.map(|task| &task.set),
        "task": task.map(|task| &task.id),
        "seconds": progress.end_secs,
        "points": points.collect::<Vec<_>>(),
    })
}
