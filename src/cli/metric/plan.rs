//! `pentimento metric plan`: published plans, measured without executing them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::made_by::print_result_json;
use crate::cli::output::print;
use crate::cli::plans::{self, PlanFile};
use crate::cli::table::{Column, Table};
use crate::graphictown::Expert;
use crate::metric::Score;
use crate::metric::constraint::DesignType;
use crate::metric::plan::errors::{self, PlanError, PlanErrorClass};
use crate::metric::plan::{
    Difficulty, ExpertShare, PlanRow, PlanScores, PlanSummary, TeamSummary, sequence, words,
};

use super::ndec::score;

/// Measure plans of the design suite, as GraphicBench publishes them
///
/// Delivery as published and strictly, step and expert-use efficiency, who was recruited and planned
/// how much, and what is wrong with each step. Nothing is executed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlanArguments {
    /// Files of plans, one a line, or folders of them: {model}/{type}.jsonl.
    #[arg(value_name = "PLANS", required = true)]
    plans: Vec<PathBuf>,
    /// List every error with its step.
    #[arg(long)]
    errors: bool,
    /// Which steps count as inconsistent.
    #[arg(long, value_enum, default_value_t = Inconsistency::Certain)]
    inconsistency: Inconsistency,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// Which steps count as inconsistent. What a model says of steps is in `report tables --only plan-errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Inconsistency {
    /// Those that contradict an earlier step for certain.
    Certain,
    /// Those, and the ones whose words clash with what they do, with the components or with another step.
    Words,
}

impl Inconsistency {
    fn name(self) -> &'static str {
        match self {
            Self::Certain => "inconsistency/certain",
            Self::Words => "inconsistency/words",
        }
    }

    fn errors(self, plan: &PlanRow) -> Vec<PlanError> {
        match self {
            Self::Certain => errors::of_row(plan),
            Self::Words => words::errors_of_row(plan),
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pentimento metric plan plans/chatgpt/poster.jsonl
  pentimento metric plan plans --json | jq '.files[] | {path, delivery_published}'
  pentimento metric plan plans/chatgpt --errors | grep 'global dependency'
  pentimento metric plan plans --inconsistency words --errors | grep inconsistency

JSON, with the program and the command: {\"inconsistency\", \"files\": [{\"path\", \"model\", \"plans\", \"difficulty\", \"delivery_published\",
\"delivery_strict\", \"released_scripts\" (the share of plans of which the released scripts leave a
file), \"step_efficiency\", \"expert_use_efficiency\", \"recruited\", \"workload\", \"agents\",
\"steps\", \"errors\": {CLASS: count}, \"each\": [{\"id\", \"experts\", \"actions\", \"errors\": [{\"class\",
\"step\", \"message\", \"object\", \"maker\"}], …}]}]}. A number that is not there is {\"missing\": \"why\"}.";

const EXPERTS: [Expert; 3] =
    [Expert::PhotoEditor, Expert::VectorGraphicEditor, Expert::LayoutDesigner];

/// A file of plans with what was measured of it.
struct MeasuredFile {
    file: PlanFile,
    scores: Vec<PlanScores>,
    errors: Vec<Vec<PlanError>>,
    summary: PlanSummary,
    team: TeamSummary,
}

/// Does the command.
pub(super) fn measure(arguments: &PlanArguments) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for path in &arguments.plans {
        // A file that is named is read whatever it is called, of a folder those that are called like plans.
        let found = if path.is_file() { PlanFile::open(path)? } else { plans::find(path)? };
        // A path without a plan is a slip: in a table of many it would be missed.
        anyhow::ensure!(
            found.iter().any(|file| !file.plans.is_empty()),
            "there is no plan in {}",
            path.display()
        );
        found.iter().for_each(PlanFile::note_problems);
        files.extend(found.into_iter().map(|file| MeasuredFile::of(file, arguments.inconsistency)));
    }
    if arguments.json {
        return print_result_json(&json!({ "inconsistency": arguments.inconsistency.name(),
                "files": files.iter().map(MeasuredFile::json).collect::<Vec<_>>() }));
    }
    Ok(print(&text(&files, arguments.errors))?)
}

impl MeasuredFile {
    fn of(file: PlanFile, inconsistency: Inconsistency) -> Self {
        let scores: Vec<PlanScores> =
            file.plans.iter().map(|plan| PlanScores::of(&plan.final_workflow)).collect();
        Self {
            summary: PlanSummary::of(&scores),
            team: TeamSummary::of(&file.plans.iter().collect::<Vec<_>>()),
            errors: file.plans.iter().map(|plan| inconsistency.errors(plan)).collect(),
            scores,
            file,
        }
    }

    fn counts(&self) -> Vec<(PlanErrorClass, usize)> {
        errors::counts(self.errors.iter().flatten()).into_iter().collect()
    }

    /// A number of each expert, by their names; null of one whom no plan has.
    fn by_expert(&self, number: fn(&ExpertShare) -> &Score) -> Value {
        let shares = EXPERTS.into_iter().map(|expert| {
            let share = self.team.expert(expert).map(number);
            (expert.name().to_owned(), share.map_or(Value::Null, score))
        });
        shares.collect()
    }

    fn json(&self) -> Value {
        let summary = &self.summary;
        let [easy, medium, hard, none] = summary.by_difficulty;
        let plans = self.file.plans.iter().zip(&self.scores).zip(&self.errors);
        json!({
            "path": self.file.path.display().to_string(),
            "model": self.file.model,
            "type": self.file.design.map(DesignType::key),
            "plans": summary.plans,
            "unreadable_lines": self.file.problems,
            "difficulty": { "easy": easy, "medium": medium, "hard": hard, "none": none },
            "delivery_published": score(&summary.delivery_published),
            "delivery_strict": score(&summary.delivery_strict),
            "step_efficiency": score(&summary.step_efficiency),
            "expert_use_efficiency": score(&summary.expert_use_efficiency),
            "released_scripts": score(&summary.released_scripts),
            "recruited": self.by_expert(|share| &share.recruited),
            "workload": self.by_expert(|share| &share.workload),
            "agents": score(&self.team.agents),
            "steps": score(&self.team.steps),
            "errors": self.counts().into_iter()
                .map(|(class, count)| (class.label().to_owned(), json!(count)))
                .collect::<Value>(),
            "each": plans.map(|((plan, scores), errors)| of_plan(plan, scores, errors))
                .collect::<Vec<_>>(),
        })
    }
}

fn of_plan(plan: &PlanRow, scores: &PlanScores, errors: &[PlanError]) -> Value {
    json!({
        "id": plan.id,
        "difficulty": scores.difficulty.map(Difficulty::label),
        "steps": scores.steps,
        "delivery_published": score(&scores.delivery_published),
        "delivery_strict": score(&scores.delivery_strict),
        "step_efficiency": score(&scores.step_efficiency),
        "expert_use_efficiency": score(&scores.expert_use_efficiency),
        "released_scripts": scores.released_scripts,
        "experts": sequence::experts(&plan.final_workflow),
        "actions": sequence::actions(&plan.final_workflow),
        "errors": errors.iter().map(of_error).collect::<Vec<_>>(),
    })
}

fn of_error(error: &PlanError) -> Value {
    json!({
        "class": error.class.label(),
        "step": error.step,
        "message": error.message,
        "object": error.object,
        "maker": error.maker.map(|maker| json!({ "expert": maker.expert.name(), "step": maker.step })),
    })
}

fn cell(score: &Score) -> String {
    score.value().map_or_else(|| "—".to_owned(), |value| format!("{value:.3}"))
}

/// A table of numbers, a table of errors, and each error if that was asked for.
fn text(files: &[MeasuredFile], with_errors: bool) -> String {
    // Two tables, as both together are wider than a terminal.
    let mut numbers = Table::new(&[
        Column::left("plans"),
        Column::right("count"),
        Column::right("delivered"),
        Column::right("strictly"),
        Column::right("released scripts"),
        Column::right("step eff."),
        Column::right("expert eff."),
        Column::right("agents"),
        Column::right("steps"),
    ]);
    let mut columns = vec![Column::left("errors")];
    columns.extend(PlanErrorClass::ALL.map(|class| Column::right(class.label())));
    let mut classes = Table::new(&columns);
    let mut each = String::new();
    for measured in files {
        let (name, summary) = (measured.file.title(), &measured.summary);
        let mut row = vec![name.clone(), summary.plans.to_string()];
        row.extend([&summary.delivery_published, &summary.delivery_strict].map(cell));
        row.push(cell(&summary.released_scripts));
        row.extend([&summary.step_efficiency, &summary.expert_use_efficiency].map(cell));
        row.extend([&measured.team.agents, &measured.team.steps].map(cell));
        numbers.push(row);
        let counts = measured.counts().into_iter().map(|(_, count)| count.to_string());
        classes.push(std::iter::once(name.clone()).chain(counts).collect());
        each.extend(measured.file.plans.iter().zip(&measured.errors).flat_map(|(plan, errors)| {
            errors.iter().map(|error| line(&name, &plan.id, error)).collect::<Vec<_>>()
        }));
    }
    let both = numbers.to_text() + "\n" + &classes.to_text();
    if with_errors { both + "\n" + &each } else { both }
}

fn line(file: &str, plan: &str, error: &PlanError) -> String {
    let step = error.step.map_or_else(String::new, |step| format!(" step {step}"));
    // The file in every line, so that what grep finds can be found again.
    format!("{file} {plan}{step}: {}: {}\n", error.class.label(), error.message)
}
