//! What the tables of GraphicBench and GraphicWeaver share: plans, runs and labels of a model, and
//! the numbers made of them.

use std::collections::BTreeSet;

use crate::metric::Score;
use crate::metric::constraint::DesignType;
use crate::metric::judging::DesignPass;
use crate::metric::plan::{
    ExecutionSuccess, PlanExecution, PlanRow, PlanScores, PlanSummary, Stage, TeamSummary,
};

use super::super::super::labels::{Label, Measure};
use super::facts::{RunFacts, value_or_reason};
use super::numbers::mean;
use super::sources::Sources;
use super::table::Cell;

/// Why there is no number of plans.
pub(super) const NO_PLAN: &str =
    "there are no plans of it: name a folder with files {model}/{type}.jsonl";
const NO_JUDGE: &str = "no judge said how well the plans do: --labels takes a file with columns \
                        color, text and image";
const NO_EXECUTION: &str =
    "no plan of it was executed: --labels takes a file with a column executed";
const NO_VQA: &str = "nobody asked the questions about the designs: --labels takes a file with a \
                      column vqa";
const NO_DESIGN: &str = "there is no design of it, neither of a run nor in --labels";

/// Plans, runs and labels of a model, or of one type of design.
pub(super) struct Group<'a> {
    /// Who planned.
    pub(super) model: &'a str,
    /// The type of design; `None`: all of them.
    pub(super) design: Option<DesignType>,
    plans: Vec<&'a PlanRow>,
    runs: Vec<&'a RunFacts>,
    labels: Vec<&'a Label>,
    sources: &'a Sources,
}

/// A number of a column, or why there is none.
pub(super) type Number = Result<f64, String>;

/// A column of numbers: its heading, how its number is made, its factor and its decimals.
#[derive(Clone, Copy)]
pub(super) struct NumberColumn {
    /// As it is printed.
    pub(super) heading: &'static str,
    /// What it is.
    pub(super) number: fn(&Group<'_>) -> Number,
    /// 100 where the table prints per cent of a share.
    pub(super) factor: f64,
    /// How many are printed.
    pub(super) decimals: usize,
}

/// A column whose number is printed as it is.
pub(super) const fn column(
    heading: &'static str,
    number: fn(&Group<'_>) -> Number,
    decimals: usize,
) -> NumberColumn {
    NumberColumn { heading, number, factor: 1.0, decimals }
}

/// A column whose share is printed in per cent.
pub(super) const fn percent(
    heading: &'static str,
    share: fn(&Group<'_>) -> Number,
    decimals: usize,
) -> NumberColumn {
    NumberColumn { heading, number: share, factor: 100.0, decimals }
}

impl NumberColumn {
    /// The cell of a group.
    pub(super) fn cell(&self, group: &Group<'_>) -> Cell {
        let number = (self.number)(group);
        Cell::of(number.map(|number| format!("{:.*}", self.decimals, number * self.factor)))
    }
}

/// Each model with everything there is of it.
pub(super) fn by_model(sources: &Sources) -> Vec<Group<'_>> {
    models(sources).into_iter().map(|model| Group::of(sources, model, None)).collect()
}

/// Each model by type of design.
pub(super) fn by_type(sources: &Sources) -> Vec<Group<'_>> {
    let of_model = |model| DesignType::ALL.map(|design| Group::of(sources, model, Some(design)));
    models(sources).into_iter().flat_map(of_model).collect()
}

fn models(sources: &Sources) -> BTreeSet<&str> {
    let of_plans = sources.plans.iter().map(|file| file.model.as_str());
    let of_runs = sources.runs_of("suite").map(|run| run.model.as_str());
    let labels = sources.labels.iter().filter(|label| label.is_of_suite());
    of_plans.chain(of_runs).chain(labels.map(|label| label.model.as_str())).collect()
}

impl<'a> Group<'a> {
    fn of(sources: &'a Sources, model: &'a str, design: Option<DesignType>) -> Self {
        let is_wanted = |of: Option<DesignType>| design.is_none() || of == design;
        let named = |name: &Option<String>| name.as_deref().and_then(DesignType::named);
        let files = sources.plans.iter().filter(|it| it.model == model && is_wanted(it.design));
        let runs = sources.runs_of("suite");
        let runs = runs.filter(|run| run.model == model && is_wanted(named(&run.design)));
        let labels = sources.labels.iter().filter(|label| label.is_of_suite());
        let labels = labels.filter(|it| it.model == model && is_wanted(named(&it.design)));
        Self {
            model,
            design,
            plans: files.flat_map(|file| &file.plans).collect(),
            runs: runs.collect(),
            labels: labels.collect(),
            sources,
        }
    }

    /// The final workflows of the plans.
    pub(super) fn workflows(&self) -> impl Iterator<Item = &'a Stage> {
        self.plans.iter().map(|plan| &plan.final_workflow)
    }

    /// Who was recruited and planned how much.
    pub(super) fn team(&self) -> Result<TeamSummary, String> {
        self.check_plans()?;
        Ok(TeamSummary::of(&self.plans))
    }

    fn check_plans(&self) -> Result<(), String> {
        if self.plans.is_empty() { Err(NO_PLAN.to_owned()) } else { Ok(()) }
    }

    fn of_plans(&self, score: fn(PlanSummary) -> Score) -> Number {
        self.check_plans()?;
        let scores: Vec<PlanScores> = self.workflows().map(PlanScores::of).collect();
        value_or_reason(&score(PlanSummary::of(&scores)))
    }

    fn said(&self, measure: Measure) -> Option<f64> {
        let values: Vec<f64> =
            self.labels.iter().filter_map(|label| label.measure(measure)).collect();
        mean(&values)
    }

    /// What each run scores at its end in a column.
    pub(super) fn scores(&self, heading: &str) -> Vec<Number> {
        let Some(at) = self.sources.suite.find(heading) else { return Vec::new() };
        self.runs.iter().map(|run| run.last(at)).collect()
    }

    /// The mean of what was said, or else of what the runs score.
    fn said_or_scored(&self, measure: Measure, heading: &str) -> Number {
        if let Some(said) = self.said(measure) {
            return Ok(said);
        }
        let scores = self.scores(heading);
        let values: Vec<f64> = scores.iter().filter_map(|score| score.clone().ok()).collect();
        let reason = || scores.into_iter().find_map(Result::err);
        mean(&values).ok_or_else(|| reason().unwrap_or_else(|| NO_DESIGN.to_owned()))
    }
}

/// Plans with fewer steps than the limit, as published.
pub(super) fn delivery(group: &Group<'_>) -> Number {
    group.of_plans(|summary| summary.delivery_published)
}

/// Different descriptions over steps.
pub(super) fn step_efficiency(group: &Group<'_>) -> Number {
    group.of_plans(|summary| summary.step_efficiency)
}

/// Fewest changes of the expert over changes.
pub(super) fn expert_use_efficiency(group: &Group<'_>) -> Number {
    group.of_plans(|summary| summary.expert_use_efficiency)
}

/// How well the plans do what was asked of colours.
pub(super) fn color(group: &Group<'_>) -> Number {
    group.said(Measure::Color).ok_or_else(|| NO_JUDGE.to_owned())
}

/// How well the plans do what was asked of texts.
pub(super) fn text(group: &Group<'_>) -> Number {
    group.said(Measure::Text).ok_or_else(|| NO_JUDGE.to_owned())
}

/// How well the plans do what was asked of images.
pub(super) fn image(group: &Group<'_>) -> Number {
    group.said(Measure::Image).ok_or_else(|| NO_JUDGE.to_owned())
}

/// The three of them together, 0.2 to 1.
pub(super) fn design_pass(group: &Group<'_>) -> Number {
    let pass = DesignPass {
        color: Score::Value(color(group)?),
        text: Score::Value(text(group)?),
        image: Score::Value(image(group)?),
    };
    value_or_reason(&pass.rate())
}

/// Plans of which a file came out, as published.
pub(super) fn execution_success(group: &Group<'_>) -> Number {
    let said = group.labels.iter().filter_map(|label| label.executed);
    let said = said.map(|made_a_file| PlanExecution { made_a_file, steps: 0, failed_steps: 0 });
    let mut executions: Vec<PlanExecution> = said.collect();
    if executions.is_empty() {
        executions.extend(group.runs.iter().filter_map(|run| run.execution));
    }
    if executions.is_empty() {
        return Err(NO_EXECUTION.to_owned());
    }
    value_or_reason(&ExecutionSuccess::of(&executions).published)
}

/// Whether the pictures that were given are in the design.
pub(super) fn fidelity(group: &Group<'_>) -> Number {
    group.said_or_scored(Measure::Fidelity, "Fidelity")
}

/// CLIPScore.
pub(super) fn content_similarity(group: &Group<'_>) -> Number {
    group.said_or_scored(Measure::ContentSimilarity, "Content Similarity")
}

/// Questions answered with yes, in per cent.
pub(super) fn vqa(group: &Group<'_>) -> Number {
    group.said(Measure::Vqa).ok_or_else(|| NO_VQA.to_owned())
}

/// How uncommon the idea is.
pub(super) fn originality(group: &Group<'_>) -> Number {
    group.said_or_scored(Measure::Originality, "Creativity (O)")
}

/// How richly the idea is worked out.
pub(super) fn elaboration(group: &Group<'_>) -> Number {
    group.said_or_scored(Measure::Elaboration, "Creativity (E)")
}
