//! Tools left out of many runs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::base::CancelToken;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::made_by::{command_words, print_result_json};
use crate::cli::output::{note, print};
use crate::cli::progress::SharedProgress;
use crate::cli::table::{Column, Table};
use crate::evaluate::typed_table::TypedTable;
use crate::evaluate::what_if::{
    ABLATION_RESAMPLES, AblatedRun, Grouping, ToolEffect, ablate_tools, effects_table, groups_of,
    leave_one_out,
};
use crate::evaluate::{Condition, MadeBy, has_come_to_end};
use crate::metric::stats::BootstrapPlan;

use super::arguments::WhatIfArguments;
use super::attribution::change_text;
use super::subject::{Judges, RunSubject};

/// Leaves each tool out of every run, and prints what tools brought to whom.
pub(super) fn ablate(arguments: &WhatIfArguments) -> anyhow::Result<()> {
    let judges = Judges::of(arguments)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let dirs: Vec<PathBuf> = collection.runs.iter().map(|found| found.dir.clone()).collect();
    let mut problems = Vec::new();
    let mut subjects = Vec::new();
    let mut unfinished = 0;
    for dir in &dirs {
        match RunSubject::read(dir, &mut collection) {
            // As in the tables: where such a run stands is no result.
            Ok(subject) if !has_come_to_end(&subject.run.manifest) => {
                unfinished += 1;
                problems.push(format!("{}: it did not come to its end", dir.display()));
            }
            Ok(subject) => subjects.push(subject),
            Err(error) => problems.push(format!("{error:#}")),
        }
    }
    // Read one after the other, as a collection finds tasks while it reads; made again side by side.
    let progress = SharedProgress::start(subjects.len(), "runs");
    let ablated: Vec<Result<Vec<AblatedRun>, String>> = subjects
        .par_iter()
        .map(|subject| {
            let found = ablated(&judges, subject);
            progress.passed(&subject.dir.display().to_string());
            found.map_err(|error| format!("{}: {error:#}", subject.dir.display()))
        })
        .collect();
    drop(progress);
    let mut runs = Vec::new();
    for found in ablated {
        match found {
            Ok(found) => runs.extend(found),
            Err(problem) => problems.push(problem),
        }
    }
    let resamples = ABLATION_RESAMPLES;
    let plan = BootstrapPlan { resamples, seed: arguments.seed, ..BootstrapPlan::default() };
    let effects = ablate_tools(&runs, &plan);
    for problem in &problems {
        note(&format!("left out: {problem}"));
    }
    if unfinished > 0 {
        note(&format!("{unfinished} of {} runs did not come to their end", dirs.len()));
    }
    if let Some(file) = &arguments.table {
        file.write(&typed_table(&effects, dirs.len(), &problems))?;
    }
    if arguments.json {
        let tools: Vec<Value> = effects.iter().map(effect_json).collect();
        print_result_json(&json!({
            "tools": tools, "problems": problems, "unfinished": unfinished,
        }))?;
    } else {
        print(&table(&effects))?;
    }
    anyhow::ensure!(!runs.is_empty(), "none of the {} runs can be ablated", dirs.len());
    Ok(())
}

/// One for each variant.
fn ablated(judges: &Judges, subject: &RunSubject) -> anyhow::Result<Vec<AblatedRun>> {
    let variants = judges.variants(&subject.run);
    let scores = judges.scores(subject, &variants)?;
    let groups = groups_of(&subject.base, Grouping::Tool);
    let open = environments().opener();
    let never = CancelToken::new();
    let all = leave_one_out(&subject.base, &groups, &scores, &open, &never, &|_, _| ())?;
    let of_variant = variants.iter().enumerate().map(|(at, variant)| {
        let mut left_out = all.clone();
        // Of each effect the first score counts.
        left_out.full.swap(0, at);
        for effect in &mut left_out.effects {
            effect.without.swap(0, at);
            effect.brought.swap(0, at);
        }
        AblatedRun {
            task: subject.run.manifest.task.clone(),
            agent: subject.run.manifest.agent.name.clone(),
            condition: Condition::of(&subject.run.manifest).0,
            variant: (*variant).to_owned(),
            left_out,
        }
    });
    Ok(of_variant.collect())
}

fn table(effects: &[ToolEffect]) -> String {
    let columns = [
        Column::left("tool"),
        Column::left("agent"),
        Column::left("variant"),
        Column::right("runs"),
        Column::right("tasks"),
        Column::right("calls"),
        Column::right("brought"),
        Column::right("95 % over tasks"),
        Column::right("broke"),
    ];
    let mut table = Table::new(&columns);
    for effect in effects {
        let interval = effect.interval.map(|it| format!("{:+.4} … {:+.4}", it.low, it.high));
        table.push(vec![
            effect.tool.clone(),
            effect.agent.clone(),
            effect.variant.clone(),
            effect.runs.to_string(),
            effect.tasks.to_string(),
            effect.calls.to_string(),
            change_text(effect.brought),
            interval.unwrap_or_else(|| "—".to_owned()),
            format!("{}/{}", effect.broke, effect.runs + effect.unscored),
        ]);
    }
    table.to_text()
}

/// The table with where it is from; `runs` were named, and `problems` are why some are left out.
fn typed_table(effects: &[ToolEffect], runs: usize, problems: &[String]) -> TypedTable {
    let variants: BTreeSet<&str> = effects.iter().map(|it| it.variant.as_str()).collect();
    let made_by = MadeBy {
        command: command_words(),
        runs: format!("{} of {runs}", runs.saturating_sub(problems.len())),
        variants: variants.into_iter().map(str::to_owned).collect(),
        left_out: problems.to_vec(),
        ..MadeBy::default()
    };
    TypedTable { about: made_by.entries(), ..effects_table(effects) }
}

fn effect_json(effect: &ToolEffect) -> Value {
    json!({
        "tool": effect.tool, "agent": effect.agent, "variant": effect.variant,
        "runs": effect.runs, "tasks": effect.tasks, "calls": effect.calls, "brought": effect.brought,
        "low": effect.interval.map(|it| it.low), "high": effect.interval.map(|it| it.high),
        "broke": effect.broke, "unscored": effect.unscored,
    })
}
