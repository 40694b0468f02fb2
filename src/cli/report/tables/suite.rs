//! What the tables of GraphicBench and GraphicWeaver share: plans, runs and labels of a model, and
//! the numbers made of them.

use std::collections::BTreeMap;

use crate::agent::planner::PlayedPlan;
use crate::environment::EnvironmentKind;
use crate::evaluate::{Condition, RowNames, mixed};
use crate::metric::Score;
use crate::metric::constraint::DesignType;
use crate::metric::judging::DesignPass;
use crate::metric::plan::{
    ExecutionSuccess, PlanExecution, PlanRow, PlanScores, PlanSummary, Stage, TeamSummary,
};

use super::run_summary::{RunSummary, value_or_reason};
use super::sources::Sources;
use super::table::Cell;
use crate::cli::labels::{Label, Measure};
use crate::cli::score::mean_of;

/// Why there is no number of plans.
pub(super) const NO_PLAN: &str =
    "there are no plans of it: name a folder with files {model}/{type}.jsonl";
const NO_JUDGE: &str = "no judge said how well the plans do: --labels takes a file with columns \
                        color, text and image";
const NO_EXECUTION: &str =
    "no plan of it was executed: --labels takes a file with a column executed";
const NO_DESIGN: &str = "there is no design of it, neither of a run nor in --labels";

/// A row of these tables: plans, runs and labels of a model that were made with the same.
pub(super) struct Row<'a> {
    /// The model, and what tells it from its other rows.
    pub(super) name: String,
    condition: Condition,
    plans: Vec<(Option<DesignType>, &'a PlanRow)>,
    runs: Vec<&'a RunSummary>,
    labels: Vec<&'a Label>,
    sources: &'a Sources,
}

/// How a plan came about, in GraphicWeaver's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanMode {
    /// All at once.
    Direct,
    /// Stage by stage, by several experts.
    Agentic,
}

/// A row, or the part of it that is about one type of design.
pub(super) struct Group<'a> {
    /// The type of design; `None`: all of them.
    pub(super) design: Option<DesignType>,
    plans: Vec<&'a PlanRow>,
    runs: Vec<&'a RunSummary>,
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
    /// What has to be known of a group's number, if there is such.
    pub(super) note: fn(&Group<'_>) -> Option<String>,
}

/// A column whose number is printed as it is.
pub(super) const fn column(
    heading: &'static str,
    number: fn(&Group<'_>) -> Number,
    decimals: usize,
) -> NumberColumn {
    NumberColumn { heading, number, factor: 1.0, decimals, note: mixed_runs }
}

/// A column whose share is printed in per cent.
pub(super) const fn percent(
    heading: &'static str,
    share: fn(&Group<'_>) -> Number,
    decimals: usize,
) -> NumberColumn {
    NumberColumn { heading, number: share, factor: 100.0, decimals, note: mixed_runs }
}

impl NumberColumn {
    /// The same with another word on its numbers.
    pub(super) const fn with_note(self, note: fn(&Group<'_>) -> Option<String>) -> Self {
        Self { note, ..self }
    }

    /// The cell of a group.
    pub(super) fn cell(&self, group: &Group<'_>) -> Cell {
        self.words((self.number)(group)).with_note((self.note)(group))
    }

    /// The cell of a row as GraphicWeaver aggregates: the plain mean of the types of design, however
    /// many plans each has. Of fewer than all types it says so.
    pub(super) fn mean_of_types(&self, row: &Row<'_>) -> Cell {
        let (mut values, mut without, mut reason) = (Vec::new(), Vec::new(), None);
        for design in DesignType::ALL {
            match (self.number)(&row.of_type(design)) {
                Ok(value) => values.push(value),
                Err(why) => {
                    without.push(design.title());
                    reason.get_or_insert(why);
                }
            }
        }
        // Said of the cell: a mean of three types is not what the paper prints.
        let note = (!without.is_empty())
            .then(|| format!("a mean without {}, of which there is none", without.join(", ")));
        let mean = mean_of(&values).ok_or_else(|| reason.unwrap_or_default());
        self.words(mean).with_note(note).with_note((self.note)(&row.all()))
    }

    fn words(&self, number: Number) -> Cell {
        Cell::of(number.map(|number| format!("{:.*}", self.decimals, number * self.factor)))
    }
}

fn mixed_runs(group: &Group<'_>) -> Option<String> {
    mixed(group.runs.iter().map(|run| &run.others))
}

/// Every row there is, in the order of models, and how they were made.
///
/// Published plans say nothing of how they were made. They belong to the runs that carried out plans
/// of others, as imported ones do, whose own plans they are; labels that do not say of which mode they
/// are belong to the only row of their model. Where that is not clear, they are a row of their own.
pub(super) fn rows(sources: &Sources) -> (Vec<Row<'_>>, Option<String>) {
    let mut rows = BTreeMap::new();
    for run in sources.runs_of(EnvironmentKind::Suite) {
        Row::find(&mut rows, sources, &run.model, &run.condition).runs.push(run);
    }
    for file in &sources.plans {
        let played = rows.keys().filter(|(model, condition)| {
            *model == file.model && condition.mode() == Some(PlayedPlan::MODE)
        });
        // Copied, as the rows are changed below.
        let mut played: Vec<Condition> = played.map(|(_, condition)| condition.clone()).collect();
        if played.is_empty() {
            played.push(Condition::default());
        }
        for condition in &played {
            let row = Row::find(&mut rows, sources, &file.model, condition);
            row.plans.extend(file.plans.iter().map(|plan| (file.design, plan)));
        }
    }
    for (condition, file) in &sources.plans_of_runs {
        let row = Row::find(&mut rows, sources, &file.model, condition);
        // The file has all plans of its model and type, those that no run came of among them.
        if !sources.plans.iter().any(|known| known.is_of_same(file)) {
            row.plans.extend(file.plans.iter().map(|plan| (file.design, plan)));
        }
    }
    for label in sources.labels.iter().filter(|label| label.is_of_suite()) {
        let said = label.mode.as_deref();
        let fitting = rows.keys().filter(|(model, condition)| {
            *model == label.model && said.is_none_or(|mode| condition.mode() == Some(mode))
        });
        let fitting: Vec<Condition> = fitting.map(|(_, condition)| condition.clone()).collect();
        let condition = match fitting.as_slice() {
            [only] => only.clone(),
            _ => said.map(Condition::of_mode).unwrap_or_default(),
        };
        Row::find(&mut rows, sources, &label.model, &condition).labels.push(label);
    }
    // Named last: what tells the rows of a model apart is known when all of them are there.
    let names = RowNames::of(rows.keys().map(|(model, condition)| (model.as_str(), condition)));
    let remark = names.remark();
    let named = rows.iter().map(|((model, condition), _)| names.name(model, condition));
    let named: Vec<String> = named.collect();
    let rows = rows.into_values().zip(named);
    (rows.map(|(row, name)| Row { name, ..row }).collect(), remark)
}

impl<'a> Row<'a> {
    /// The row of a model and a condition, which is made if it is not there.
    fn find<'m>(
        rows: &'m mut BTreeMap<(String, Condition), Self>,
        sources: &'a Sources,
        model: &str,
        condition: &Condition,
    ) -> &'m mut Self {
        rows.entry((model.to_owned(), condition.clone())).or_insert_with(|| Self {
            name: String::new(),
            condition: condition.clone(),
            plans: Vec::new(),
            runs: Vec::new(),
            labels: Vec::new(),
            sources,
        })
    }

    /// How its plans came about, if that is known: by what the runs or labels say, or by the stages of
    /// the plans themselves.
    pub(super) fn plan_mode(&self) -> Option<PlanMode> {
        match self.condition.mode() {
            Some(mode) if mode.starts_with("direct") => Some(PlanMode::Direct),
            Some(mode) if mode.starts_with("agentic") => Some(PlanMode::Agentic),
            _ => {
                let is_recruited = self.plans.iter().any(|(_, plan)| plan.has_recruitment);
                is_recruited.then_some(PlanMode::Agentic)
            }
        }
    }

    /// Everything in it.
    pub(super) fn all(&self) -> Group<'a> {
        self.group(None)
    }

    /// What is about one type of design.
    pub(super) fn of_type(&self, design: DesignType) -> Group<'a> {
        self.group(Some(design))
    }

    /// One after another what is about each type of design.
    pub(super) fn by_type(&self) -> impl Iterator<Item = Group<'a>> {
        DesignType::ALL.into_iter().map(|design| self.of_type(design))
    }

    fn group(&self, design: Option<DesignType>) -> Group<'a> {
        let mut group = Group {
            design,
            plans: self.plans.iter().map(|(_, plan)| *plan).collect(),
            runs: self.runs.clone(),
            labels: self.labels.clone(),
            sources: self.sources,
        };
        // The whole row also has what does not say of which type it is; no part of it has.
        if design.is_some() {
            let plans = self.plans.iter().filter(|(own, _)| *own == design);
            group.plans = plans.map(|(_, plan)| *plan).collect();
            group.runs.retain(|run| run.design.as_deref().and_then(DesignType::named) == design);
            group.labels.retain(|it| it.design.as_deref().and_then(DesignType::named) == design);
        }
        group
    }
}

impl<'a> Group<'a> {
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
        mean_of(&values)
    }

    /// What each run scores at its end in a column.
    pub(super) fn scores(&self, name: &str) -> Vec<Number> {
        self.scores_of(&self.runs, name)
    }

    fn scores_of(&self, runs: &[&RunSummary], name: &str) -> Vec<Number> {
        // A column without a metric behind it has no scores, which is no error here.
        let Some(at) = self.sources.suite.find(name) else { return Vec::new() };
        runs.iter().map(|run| run.last(at)).collect()
    }

    /// The mean over designs of what was said of them, or else of what they score. A plan of which no
    /// file came out has no design: the released evaluator has no number of it either.
    fn said_or_scored(&self, measure: Measure, name: &str) -> Number {
        if let Some(said) = self.said_of_designs(measure) {
            return Ok(said);
        }
        let with_file = self.runs.iter().filter(|run| {
            // Of pictures nobody knows whether a file came out; they are designs in any case.
            run.execution.is_none_or(|execution| execution.made_a_file)
        });
        let scores = self.scores_of(&with_file.copied().collect::<Vec<_>>(), name);
        let values: Vec<f64> =
            scores.iter().filter_map(|score| score.as_ref().ok().copied()).collect();
        mean_of(&values).ok_or_else(|| {
            let why = scores.into_iter().find_map(Result::err);
            why.unwrap_or_else(|| NO_DESIGN.to_owned())
        })
    }

    /// The mean over plans of what was said of them, or else of what those of its runs score. Not over both: where a
    /// file of plans is there, the runs are of plans of that file.
    fn said_or_judged(&self, measure: Measure, name: &str) -> Number {
        if let Some(said) = self.said(measure) {
            return Ok(said);
        }
        let scores = self.scores(name);
        let values: Vec<f64> =
            scores.iter().filter_map(|score| score.as_ref().ok().copied()).collect();
        mean_of(&values).ok_or_else(|| {
            let why = scores.into_iter().find_map(Result::err);
            why.unwrap_or_else(|| NO_JUDGE.to_owned())
        })
    }

    /// The mean of what was said, but of plans that are said to have left no file.
    fn said_of_designs(&self, measure: Measure) -> Option<f64> {
        let with_file = self.labels.iter().filter(|label| label.executed != Some(false));
        let values: Vec<f64> = with_file.filter_map(|label| label.measure(measure)).collect();
        mean_of(&values)
    }

    /// What the execution of its plans found, and whether people said so.
    fn executions(&self) -> Result<(Vec<PlanExecution>, bool), String> {
        let said = self.labels.iter().filter_map(|label| label.executed);
        let said = said.map(|made_a_file| PlanExecution { made_a_file, steps: 0, failed_steps: 0 });
        let said: Vec<PlanExecution> = said.collect();
        let found: Vec<PlanExecution> = self.runs.iter().filter_map(|run| run.execution).collect();
        // What was carried out here counts before what was said of it elsewhere: it can be checked.
        match (found.is_empty(), said.is_empty()) {
            (false, _) => Ok((found, false)),
            (true, false) => Ok((said, true)),
            (true, true) => Err(NO_EXECUTION.to_owned()),
        }
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
    group.said_or_judged(Measure::Color, "Design Pass · Color")
}

/// How well the plans do what was asked of texts.
pub(super) fn text(group: &Group<'_>) -> Number {
    group.said_or_judged(Measure::Text, "Design Pass · Text")
}

/// How well the plans do what was asked of images.
pub(super) fn image(group: &Group<'_>) -> Number {
    group.said_or_judged(Measure::Image, "Design Pass · Image")
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

/// Plans of which the released scripts leave a file: [`published::released_scripts`].
pub(super) fn success_released(group: &Group<'_>) -> Number {
    group.of_plans(|summary| summary.released_scripts)
}

/// Plans of which a file came out here, or as people said.
pub(super) fn success_here(group: &Group<'_>) -> Number {
    let (executions, _) = group.executions()?;
    value_or_reason(&ExecutionSuccess::of(&executions).any_file)
}

/// The same, and no step of them failed.
pub(super) fn success_without_failure(group: &Group<'_>) -> Number {
    match group.executions()? {
        (_, true) => Err("labels do not say of which plans steps failed".to_owned()),
        (found, false) => value_or_reason(&ExecutionSuccess::of(&found).strict),
    }
}

/// That a number is what people said, and nothing was carried out here.
pub(super) fn said_by_people(group: &Group<'_>) -> Option<String> {
    let is_said = group.executions().is_ok_and(|(_, is_said)| is_said);
    let said = is_said.then(|| "as the labels say in their column executed".to_owned());
    said.or_else(|| mixed_runs(group))
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
    group.said_or_scored(Measure::Vqa, "VQA Pass Rate")
}

/// How uncommon the idea is.
pub(super) fn originality(group: &Group<'_>) -> Number {
    group.said_or_scored(Measure::Originality, "Creativity (O)")
}

/// How richly the idea is worked out.
pub(super) fn elaboration(group: &Group<'_>) -> Number {
    group.said_or_scored(Measure::Elaboration, "Creativity (E)")
}
