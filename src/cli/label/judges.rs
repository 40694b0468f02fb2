//! Judges against people, as tables and as JSON.

use serde_json::{Value, json};

use super::people::share_json;
use crate::cli::table::{Column, Table};
use crate::label::judging::{
    AgainstPeople, JudgeKind, JudgeReport, JudgedQuestion, PositionBias, Undecided,
    judged_questions,
};
use crate::label::people::Share;
use crate::metric::Score;
use crate::metric::stats::{BootstrapPlan, Calibration};

/// Everything, confusion matrices and reliability tables too.
pub(super) fn judges_json(judges: &[JudgeReport]) -> Vec<Value> {
    let judges = judges.iter().map(|judge| {
        json!({
            "judge": judge.judge, "kind": judge.kind.name(), "about": judge.about,
            "items": judge.items, "asked": judge.asked, "answered": judge.answered,
            "failed": judge.failed, "tokens_read": judge.tokens[0], "tokens_written": judge.tokens[1],
            "cost_usd": judge.cost_usd,
            "questions": judge.questions.iter().map(question_json).collect::<Vec<_>>(),
        })
    });
    judges.collect()
}

fn question_json(found: &JudgedQuestion) -> Value {
    let position = found.position.as_ref().map(|position| match position {
        Ok(bias) => json!({
            "pairs": bias.pairs, "consistent": interval_json(bias.consistent),
            "left_in_both": interval_json(bias.left), "right_in_both": interval_json(bias.right),
            "one_tie": interval_json(bias.one_tie),
        }),
        Err(why) => json!({"reason": why.to_string()}),
    });
    let against = match &found.against {
        Ok(against) => against_json(against),
        Err(why) => json!({"reason": why.to_string()}),
    };
    json!({
        "question": found.question, "option": found.option, "verdicts": found.verdicts,
        "differ_by_order": found.differ_by_order, "position": position, "against_people": against,
    })
}

fn interval_json(share: Share) -> Value {
    let interval = share.interval().ok();
    let mut value = share_json(share);
    if let Value::Object(fields) = &mut value {
        let interval = json!(interval.map(|it| [it.low, it.high]));
        fields.insert("interval".to_owned(), interval);
    }
    value
}

fn against_json(found: &AgainstPeople) -> Value {
    let labels = found.by_label.iter().map(|(label, counts)| {
        json!({
            "label": label,
            "true_positives": counts.true_positives, "false_positives": counts.false_positives,
            "false_negatives": counts.false_negatives, "true_negatives": counts.true_negatives,
            "precision": score_json(&counts.precision()), "recall": score_json(&counts.recall()),
            "f1": score_json(&counts.f1()),
        })
    });
    // A number that is missing is null with its reason beside it: no reader takes it for 0.
    let interval = found.interval.as_ref().ok();
    json!({
        "items": found.items, "labels": found.labels,
        "confusion_judge_by_people": found.confusion,
        "equal": interval_json(found.equal),
        "kappa": found.kappa.as_ref().ok(),
        "kappa_reason": found.kappa.as_ref().err().map(ToString::to_string),
        "kappa_interval": interval.map(|it| [it.interval.low, it.interval.high]),
        "kappa_interval_confidence": BootstrapPlan::default().confidence,
        "kappa_interval_resamples": interval.map(|it| it.resamples),
        "kappa_interval_left_out": interval.map(|it| it.left_out),
        "kappa_interval_reason": found.interval.as_ref().err().map(ToString::to_string),
        "by_label": labels.collect::<Vec<_>>(),
        "calibration": match &found.calibration {
            Ok(calibration) => calibration_json(calibration),
            Err(why) => json!({"reason": why.to_string()}),
        },
    })
}

fn calibration_json(found: &Calibration) -> Value {
    let bins = found.bins.iter().map(|bin| {
        json!({"above": bin.low, "to": bin.high, "answers": bin.count, "confidence": bin.confidence,
            "right": bin.accuracy})
    });
    json!({"expected_error": found.error, "bins": bins.collect::<Vec<_>>()})
}

fn score_json(score: &Score) -> Value {
    match score {
        Score::Value(value) => json!(value),
        Score::Missing(why) => json!({"missing": why.to_string()}),
    }
}

/// What each judge was asked, whether it prefers a side, and how far it says what people say; nothing without
/// judges.
pub(super) fn judges_text(judges: &[JudgeReport]) -> String {
    if judges.is_empty() {
        return String::new();
    }
    let parts = [
        "Judges: what models, rules and metrics say, counted in nothing above".to_owned(),
        asked_table(judges),
        failures(judges),
        position_table(judges),
        against_table(judges),
        label_table(judges),
        confusions(judges),
        reliability_table(judges),
    ];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n") + "\n\n"
}

fn asked_table(judges: &[JudgeReport]) -> String {
    let mut table = Table::new(&[
        Column::left("judge"),
        Column::left("kind"),
        Column::right("items"),
        Column::right("asked"),
        Column::right("answered"),
        Column::right("failed"),
        Column::right("tokens"),
        Column::right("cost"),
        Column::left("what it is"),
    ]);
    for judge in judges {
        let tokens = judge.tokens[0].saturating_add(judge.tokens[1]);
        // A metric is asked for nothing and costs nothing: dashes, as 0 would be a count.
        let is_model = judge.kind == JudgeKind::Model;
        table.push(vec![
            judge.judge.clone(),
            judge.kind.name().to_owned(),
            judge.items.to_string(),
            judge.asked.to_string(),
            judge.answered.to_string(),
            (judge.asked - judge.answered).to_string(),
            if is_model { tokens.to_string() } else { "–".to_owned() },
            judge.cost_usd.map_or_else(|| "–".to_owned(), |usd| format!("${usd:.4}")),
            judge.about.clone(),
        ]);
    }
    table.to_text().trim_end().to_owned()
}

fn failures(judges: &[JudgeReport]) -> String {
    let lines = judges.iter().flat_map(|judge| {
        judge
            .failed
            .iter()
            .map(|(why, count)| format!("{}: {count} without an answer: {why}", judge.judge))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn position_table(judges: &[JudgeReport]) -> String {
    let mut table = Table::new(&[
        Column::left("asked in both orders"),
        Column::left("question"),
        Column::right("pairs"),
        Column::left("the same"),
        Column::left("left in both"),
        Column::left("right in both"),
        Column::left("a tie in one"),
    ]);
    let mut is_empty = true;
    for (judge, found) in judged_questions(judges) {
        let Some(position) = &found.position else { continue };
        is_empty = false;
        let mut row = vec![judge.judge.clone(), found.name()];
        match position {
            Ok(PositionBias { pairs, consistent, left, right, one_tie }) => {
                row.push(pairs.to_string());
                row.extend([consistent, left, right, one_tie].map(|share| with_interval(*share)));
            }
            Err(why) => {
                row.extend(["0".to_owned(), why.to_string()]);
                row.extend(["–"; 3].map(str::to_owned));
            }
        }
        table.push(row);
    }
    if is_empty { String::new() } else { table.to_text().trim_end().to_owned() }
}

fn against_table(judges: &[JudgeReport]) -> String {
    let mut table = Table::new(&[
        Column::left("against people"),
        Column::left("question"),
        Column::right("verdicts"),
        Column::right("by order"),
        Column::right("items"),
        Column::left("equal"),
        Column::right("kappa"),
        Column::left("95 %"),
        Column::left("calibration error"),
    ]);
    for (judge, found) in judged_questions(judges) {
        let mut row = vec![
            judge.judge.clone(),
            found.name(),
            found.verdicts.to_string(),
            found.differ_by_order.to_string(),
        ];
        match &found.against {
            Ok(against) => row.extend(against_cells(against)),
            Err(why) => {
                row.extend(["0", "–", "–"].map(str::to_owned));
                row.extend([why.to_string(), "–".to_owned()]);
            }
        }
        table.push(row);
    }
    table.to_text().trim_end().to_owned()
}

fn against_cells(found: &AgainstPeople) -> [String; 5] {
    // The reason stands where the interval would.
    let interval = match (&found.kappa, &found.interval) {
        (Err(why), _) | (_, Err(why)) => why.to_string(),
        (_, Ok(it)) => format!("[{:.3}, {:.3}]", it.interval.low, it.interval.high),
    };
    let calibration = match &found.calibration {
        Ok(calibration) => format!("{:.3}", calibration.error),
        Err(Undecided::Automatic) => "–".to_owned(),
        Err(why) => why.to_string(),
    };
    [
        found.items.to_string(),
        with_interval(found.equal),
        found.kappa.as_ref().map_or_else(|_| "–".to_owned(), |kappa| format!("{kappa:.3}")),
        interval,
        calibration,
    ]
}

fn label_table(judges: &[JudgeReport]) -> String {
    let mut table = Table::new(&[
        Column::left("judge"),
        Column::left("question"),
        Column::left("answer"),
        Column::right("both"),
        Column::right("judge alone"),
        Column::right("people alone"),
        Column::right("neither"),
        Column::right("precision"),
        Column::right("recall"),
        Column::right("F1"),
    ]);
    let mut is_empty = true;
    for (judge, found) in judged_questions(judges) {
        let Ok(against) = &found.against else { continue };
        // Of metrics there are many: theirs are in JSON.
        let of_metric = judge.kind == JudgeKind::Metric;
        for (label, it) in against.by_label.iter().filter(|_| !of_metric) {
            is_empty = false;
            let counts =
                [it.true_positives, it.false_positives, it.false_negatives, it.true_negatives];
            let mut row = vec![judge.judge.clone(), found.name(), label.clone()];
            row.extend(counts.map(|count| count.to_string()));
            row.extend([it.precision(), it.recall(), it.f1()].map(|score| {
                score.value().map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
            }));
            table.push(row);
        }
    }
    if is_empty { String::new() } else { table.to_text().trim_end().to_owned() }
}

/// The confusion of questions with more than two answers; of two it is in the table of answers.
fn confusions(judges: &[JudgeReport]) -> String {
    let mut tables = Vec::new();
    for (judge, found) in judged_questions(judges) {
        let Ok(against) = &found.against else { continue };
        if against.labels.len() < 3 || judge.kind == JudgeKind::Metric {
            continue;
        }
        let heading = format!("{}, {}: judge ↓ people →", judge.judge, found.name());
        let mut columns = vec![Column::left(&heading)];
        columns.extend(against.labels.iter().map(|label| Column::right(label)));
        let mut table = Table::new(&columns);
        for (label, counts) in against.labels.iter().zip(&against.confusion) {
            let counts = counts.iter().map(ToString::to_string);
            table.push(std::iter::once(label.clone()).chain(counts).collect());
        }
        tables.push(table.to_text().trim_end().to_owned());
    }
    tables.join("\n\n")
}

fn reliability_table(judges: &[JudgeReport]) -> String {
    let mut table = Table::new(&[
        Column::left("how sure"),
        Column::left("question"),
        Column::left("confidence"),
        Column::right("answers"),
        Column::right("mean"),
        Column::right("right"),
    ]);
    let mut is_empty = true;
    for (judge, found) in judged_questions(judges) {
        let Some(Ok(calibration)) = found.against.as_ref().ok().map(|it| &it.calibration) else {
            continue;
        };
        for bin in &calibration.bins {
            is_empty = false;
            table.push(vec![
                judge.judge.clone(),
                found.name(),
                format!("to {:.1}", bin.high),
                bin.count.to_string(),
                format!("{:.3}", bin.confidence),
                format!("{:.3}", bin.accuracy),
            ]);
        }
    }
    if is_empty { String::new() } else { table.to_text().trim_end().to_owned() }
}

fn with_interval(share: Share) -> String {
    match (share.value(), share.interval()) {
        (Some(value), Ok(interval)) => {
            let [value, low, high] = [value, interval.low, interval.high].map(|it| 100.0 * it);
            format!("{value:.0} % [{low:.0}, {high:.0}]")
        }
        _ => "–".to_owned(),
    }
}
