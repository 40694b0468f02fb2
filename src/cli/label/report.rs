//! `label report`: how far people agree, and what their answers come to.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::exchange::open;
use crate::cli::output::{print, print_json};
use crate::cli::table::{Column, Table};
use crate::label::agreement::{Answers, QuestionAgreement, agreement};
use crate::label::{Form, Ledger, Provenance, final_answers};
use crate::metric::stats::{BootstrapPlan, Level, StatsError};

/// Resamples of an interval.
const RESAMPLES: usize = 2_000;

/// Writes the report to stdout.
pub(super) fn report(project: &Path, as_json: bool) -> anyhow::Result<()> {
    let file = open(project)?;
    let (forms, ledger) = (file.forms()?, file.ledger()?);
    let plan = BootstrapPlan { resamples: RESAMPLES, ..BootstrapPlan::default() };
    if as_json {
        let forms: Vec<Value> = forms.iter().map(|form| form_json(form, &ledger, &plan)).collect();
        let items = file.items()?.len();
        return print_json(&json!({
            "project": file.project().name, "items": items, "forms": forms,
        }));
    }
    let mut text = String::new();
    for form in &forms {
        text += &form_text(form, &ledger, &plan);
    }
    Ok(print(&text)?)
}

/// The answers to one form that stand.
fn answers<'a>(form: &Form, ledger: &'a Ledger) -> Answers<'a> {
    let hash = form.hash();
    let mut answers = Answers::new();
    for key in ledger.cell_keys().filter(|key| key.form == hash) {
        if let Some(answered) = ledger.answer(key) {
            let of_item: &mut BTreeMap<&str, _> = answers.entry(&key.item).or_default();
            of_item.insert(&key.person, &answered.answer);
        }
    }
    answers
}

fn form_json(form: &Form, ledger: &Ledger, plan: &BootstrapPlan) -> Value {
    let answers = answers(form, ledger);
    let questions: Vec<Value> = agreement(form, &answers, plan).iter().map(question_json).collect();
    let finals: Vec<Value> = final_answers(form, &answers)
        .into_iter()
        .map(|found| {
            json!({
                "item": found.item, "question": found.question, "option": found.option,
                "value": found.value, "provenance": found.provenance.name(), "votes": found.votes,
            })
        })
        .collect();
    json!({"form": form.id, "version": form.hash(), "questions": questions, "final_answers": finals})
}

fn question_json(found: &QuestionAgreement) -> Value {
    let pairs: Vec<Value> = found
        .pairs
        .iter()
        .map(|pair| {
            json!({"people": pair.people, "items": pair.items, "kappa": number(&pair.kappa),
                "reason": reason(&pair.kappa)})
        })
        .collect();
    let interval = found.interval.as_ref().ok().map(|interval| [interval.low, interval.high]);
    json!({
        "question": found.question, "option": found.option, "level": level(found.level),
        "items": found.items, "answers": found.answers,
        "raw_agreement": number(&found.raw), "alpha": number(&found.alpha),
        "alpha_reason": reason(&found.alpha),
        "interval": interval, "interval_confidence": BootstrapPlan::default().confidence,
        "interval_reason": found.interval.as_ref().err().map(ToString::to_string),
        "pairs": pairs,
    })
}

fn number(value: &Result<f64, StatsError>) -> Option<f64> {
    value.as_ref().ok().copied()
}

fn reason(value: &Result<f64, StatsError>) -> Option<String> {
    value.as_ref().err().map(ToString::to_string)
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Nominal => "nominal",
        Level::Ordinal => "ordinal",
        Level::Interval => "interval",
        Level::Ratio => "ratio",
    }
}

fn form_text(form: &Form, ledger: &Ledger, plan: &BootstrapPlan) -> String {
    let answers = answers(form, ledger);
    let columns = [
        Column::left("question"),
        Column::right("items"),
        Column::right("answers"),
        Column::right("equal"),
        Column::right("alpha"),
        Column::left("95 %"),
    ];
    let mut table = Table::new(&columns);
    for found in agreement(form, &answers, plan) {
        let question = match &found.option {
            Some(option) => format!("{}: {option}", found.question),
            None => found.question.clone(),
        };
        let three = |value: &Result<f64, StatsError>| {
            value.as_ref().map_or_else(|_| "–".to_owned(), |value| format!("{value:.3}"))
        };
        // The reason stands where the interval would.
        let interval = match (&found.alpha, &found.interval) {
            (Err(why), _) | (_, Err(why)) => why.to_string(),
            (_, Ok(interval)) => format!("[{:.3}, {:.3}]", interval.low, interval.high),
        };
        table.push(vec![
            question,
            found.items.to_string(),
            found.answers.to_string(),
            three(&found.raw),
            three(&found.alpha),
            interval,
        ]);
    }
    let finals = final_answers(form, &answers);
    let count = |wanted: Provenance| finals.iter().filter(|it| it.provenance == wanted).count();
    format!(
        "{}\n{}\n{} unanimous, {} by majority, {} by one person, {} to settle\n\n",
        form.title.in_language("en"),
        table.to_text().trim_end(),
        count(Provenance::Unanimous),
        count(Provenance::Majority),
        count(Provenance::Single),
        count(Provenance::Unresolved)
    )
}
