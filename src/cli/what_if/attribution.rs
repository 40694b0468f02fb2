//! What the calls of a run brought.

use std::fmt::Write as _;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::cli::environments::environments;
use crate::cli::made_by::{command_words, print_result_json};
use crate::cli::output::{print, score_text};
use crate::cli::progress::SharedProgress;
use crate::cli::table::{Column, Table};
use crate::evaluate::MadeBy;
use crate::evaluate::typed_table::TypedTable;
use crate::evaluate::what_if::{
    CallGroup, EndScores, Grouping, LeftOut, ShapleyEffects, ShapleyPlan, groups_of, leave_one_out,
    left_out_table, shapley, shapley_method_words, shapley_table, steps_words,
};
use crate::metric::MissingScore;
use crate::metric::stats::{EXACT_PLAYERS, ShapleyMethod};

use super::arguments::WhatIfArguments;
use super::branch::scores_json;
use super::subject::{Judges, RunSubject};

/// Leaves out, or draws orders, and prints what came of it.
pub(super) fn attribute(arguments: &WhatIfArguments) -> anyhow::Result<()> {
    let judges = Judges::of(arguments)?;
    let subject = RunSubject::open(arguments)?;
    let variants = judges.variants(&subject.run);
    let scores = judges.scores(&subject, &variants).map_err(|why| no_truth(&subject, &why))?;
    let grouping = Grouping::from(arguments.by);
    let groups = groups_of(&subject.base, grouping);
    // Before anything is drawn: each group takes as many replays as there are.
    anyhow::ensure!(!groups.is_empty(), "the run made no calls: {}", subject.dir.display());
    if let Some(orders) = arguments.shapley {
        let plan = ShapleyPlan { orders: orders.get() as usize, seed: arguments.seed };
        let effects = values(&subject, &groups, &scores, plan)?;
        if let Some(file) = &arguments.table {
            let table = shapley_table(&effects, &variants);
            file.write(&described(table, &subject, grouping, &variants))?;
        }
        if arguments.json {
            return print_result_json(&shapley_json(&effects, &subject, grouping, &variants, plan));
        }
        return Ok(print(&shapley_text(&effects, &variants))?);
    }
    let left_out = effects(&subject, &groups, &scores)?;
    if let Some(file) = &arguments.table {
        let table = left_out_table(&left_out, &variants);
        file.write(&described(table, &subject, grouping, &variants))?;
    }
    if arguments.json {
        print_result_json(&left_out_json(&left_out, &subject, grouping, &variants))
    } else {
        Ok(print(&left_out_text(&left_out, &variants))?)
    }
}

fn no_truth(subject: &RunSubject, why: &MissingScore) -> anyhow::Error {
    let dir = subject.dir.display();
    match (why, &subject.task) {
        (MissingScore::NoGroundTruth, None) => anyhow::anyhow!(
            "the task {} of this run was not found, so that its ends cannot be scored; say where it is \
             with --tasks: {dir}",
            subject.run.manifest.task.id
        ),
        _ => anyhow::anyhow!("the ends of this run cannot be scored: {why}: {dir}"),
    }
}

fn effects(
    subject: &RunSubject,
    groups: &[CallGroup],
    scores: &EndScores<'_>,
) -> anyhow::Result<LeftOut> {
    let progress = SharedProgress::start(groups.len(), "left out");
    let (open, never) = (environments().opener(), CancelToken::new());
    leave_one_out(&subject.base, groups, scores, &open, &never, &|_, _| progress.passed(""))
        .with_context(|| subject.dir.display().to_string())
}

fn values(
    subject: &RunSubject,
    groups: &[CallGroup],
    scores: &EndScores<'_>,
    plan: ShapleyPlan,
) -> anyhow::Result<ShapleyEffects> {
    let total = if groups.len() <= EXACT_PLAYERS { 1 } else { plan.orders.div_ceil(2) };
    let progress = SharedProgress::start(total, "pairs of orders");
    let (open, never) = (environments().opener(), CancelToken::new());
    shapley(&subject.base, groups, scores, plan, &open, &never, &|_, _| progress.passed(""))
        .with_context(|| subject.dir.display().to_string())
}

/// A change for people.
pub(super) fn change_text(change: Option<f64>) -> String {
    change.map_or_else(|| "—".to_owned(), |change| format!("{change:+.4}"))
}

fn left_out_text(left_out: &LeftOut, variants: &[&str]) -> String {
    let mut text = String::new();
    for (variant, score) in variants.iter().zip(&left_out.full) {
        // Writing to a String cannot fail.
        writeln!(text, "{variant} with all calls: {}", score_text(score)).ok();
    }
    let mut columns = vec![Column::left("steps"), Column::left("calls")];
    columns.extend(variants.iter().map(|variant| Column::right(variant)));
    columns.push(Column::left("fails without"));
    let mut table = Table::new(&columns);
    let mut ranked: Vec<_> = left_out.effects.iter().collect();
    // What brought most first, by the first variant; the order of the run among equals.
    ranked.sort_by(|a, b| {
        let [a, b] = [a, b].map(|it| it.brought.first().copied().flatten());
        b.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.unwrap_or(f64::NEG_INFINITY))
    });
    for effect in ranked {
        let mut row = vec![steps_words(&effect.group.steps), effect.group.label.clone()];
        row.extend(effect.brought.iter().map(|brought| change_text(*brought)));
        row.push(steps_words(&effect.broke));
        table.push(row);
    }
    text + "\n" + &table.to_text()
}

/// A table with where it is from.
fn described(
    table: TypedTable,
    subject: &RunSubject,
    grouping: Grouping,
    variants: &[&str],
) -> TypedTable {
    let made_by = MadeBy {
        command: command_words(),
        runs: format!("1: {}", subject.dir.display()),
        choices: vec![("left out together", grouping.name().to_owned())],
        variants: variants.iter().map(|variant| (*variant).to_owned()).collect(),
        left_out: Vec::new(),
    };
    TypedTable { about: [made_by.entries(), table.about].concat(), columns: table.columns }
}

fn left_out_json(
    left_out: &LeftOut,
    subject: &RunSubject,
    grouping: Grouping,
    variants: &[&str],
) -> Value {
    let groups = left_out.effects.iter().map(|effect| {
        json!({
            "label": effect.group.label, "steps": effect.group.steps, "brought": effect.brought,
            "without": scores_json(&effect.without), "broke": effect.broke,
        })
    });
    json!({
        "run": subject.dir,
        "by": grouping.name(),
        "variants": variants,
        "full": scores_json(&left_out.full),
        "groups": groups.collect::<Vec<_>>(),
    })
}

fn shapley_text(effects: &ShapleyEffects, variants: &[&str]) -> String {
    let mut text = format!("Shapley values, {}\n", shapley_method_words(effects.method));
    for (variant, of) in variants.iter().zip(&effects.of_variants) {
        match of {
            Ok(of) => {
                let (empty, full) = (of.empty, of.full);
                writeln!(text, "{variant}: {empty:.4} without, {full:.4} with all calls").ok();
            }
            Err(why) => {
                writeln!(text, "{variant}: {why}").ok();
            }
        }
    }
    let mut columns = vec![Column::left("steps"), Column::left("calls")];
    for variant in variants {
        columns.extend([Column::right(variant), Column::right("95 %")]);
    }
    let mut table = Table::new(&columns);
    let mut order: Vec<(usize, &CallGroup)> = effects.groups.iter().enumerate().collect();
    // There can be one order only: that of the first variant that has values.
    if let Some(first) = effects.of_variants.iter().find_map(|it| it.as_ref().ok()) {
        order.sort_by(|(a, _), (b, _)| {
            let [a, b] = [a, b].map(|at| first.values.get(*at).map(|it| it.value));
            b.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.unwrap_or(f64::NEG_INFINITY))
        });
    }
    for (at, group) in order {
        let mut row = vec![steps_words(&group.steps), group.label.clone()];
        for variant in 0..variants.len() {
            let of_variant = effects.of_variants.get(variant);
            let value = of_variant.and_then(|it| it.as_ref().ok()?.values.get(at));
            row.push(change_text(value.map(|it| it.value)));
            let interval = value.and_then(|it| it.interval);
            row.push(
                interval.map_or_else(String::new, |it| format!("{:+.4} … {:+.4}", it.low, it.high)),
            );
        }
        table.push(row);
    }
    text + "\n" + &table.to_text()
}

fn shapley_json(
    effects: &ShapleyEffects,
    subject: &RunSubject,
    grouping: Grouping,
    variants: &[&str],
    plan: ShapleyPlan,
) -> Value {
    let (method, orders) = match effects.method {
        ShapleyMethod::Exact => ("exact", None),
        ShapleyMethod::Sampled { orders } => ("sampled", Some(orders)),
    };
    let groups = effects.groups.iter().enumerate().map(|(at, group)| {
        let values = effects.of_variants.iter().map(|of| {
            let value = of.as_ref().ok().and_then(|of| of.values.get(at));
            let interval = value.and_then(|it| it.interval);
            json!({
                "value": value.map(|it| it.value),
                "low": interval.map(|it| it.low), "high": interval.map(|it| it.high),
            })
        });
        json!({ "label": group.label, "steps": group.steps, "values": values.collect::<Vec<_>>() })
    });
    let ends = effects.of_variants.iter().map(|of| match of {
        Ok(of) => json!({ "empty": of.empty, "full": of.full }),
        Err(end) => json!({
            "empty": null, "full": null, "reason": MissingScore::reason(&end.why),
            "message": end.to_string(), "left_out": end.left_out,
        }),
    });
    json!({
        "run": subject.dir,
        "by": grouping.name(),
        "variants": variants,
        "method": method,
        "orders": orders,
        "seed": plan.seed,
        "why_no_intervals": effects.method.why_no_intervals(),
        "ends": ends.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::what_if::UnscoredEnd;
    use crate::metric::stats::{Shapley, ShapleyValue};

    #[test]
    fn a_variant_without_values_says_why_and_the_others_rank_the_calls() {
        let group = |step: u32| CallGroup { label: "set_text".to_owned(), steps: vec![step] };
        let values = [0.1, 0.3].map(|value| ShapleyValue { value, interval: None });
        let of_start = UnscoredEnd {
            left_out: vec![1, 2],
            is_start: true,
            why: MissingScore::Undefined("the map is flat".to_owned()),
        };
        let effects = ShapleyEffects {
            groups: vec![group(1), group(2)],
            method: ShapleyMethod::Exact,
            of_variants: vec![
                Err(of_start),
                Ok(Shapley { values: values.into(), empty: 0.2, full: 0.6 }),
            ],
        };
        let text = shapley_text(&effects, &["saliency_cc/umsi", "ssim/uniform7"]);
        for said in [
            "saliency_cc/umsi: no Shapley values: the end without any call has no score: undefined: the map is flat",
            "ssim/uniform7: 0.2000 without, 0.6000 with all calls",
        ] {
            assert!(text.contains(said), "{text}");
        }
        assert!(text.find("+0.3000") < text.find("+0.1000"), "{text}");
    }
}
