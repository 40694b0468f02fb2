//! Errors of plans by step, with inconsistency in three variants: ours beside the share that GraphicWeaver prints.

use crate::cli::plans::PlanFile;
use crate::metric::plan::PlanRow;
use crate::metric::plan::errors::{self, PlanError, PlanErrorClass, with_inconsistencies};
use crate::metric::plan::words;

use super::judged::JudgedSteps;
use super::sources::Sources;
use super::table::{Cell, PaperTable};

const NO_PLAN: &str = "there is no plan of it: name a folder of published plans";
const NOT_ASKED: &str = "no judge was asked about steps: --ask-judge-steps asks the judge of --models, a question a step";

/// The columns after model, plans, steps and errors.
const CLASSES: [(&str, &[PlanErrorClass]); 4] = [
    ("Format", &[PlanErrorClass::Format]),
    ("Invalid Expert", &[PlanErrorClass::InvalidExpert]),
    ("Invalid Tool/Parameter", &[PlanErrorClass::InvalidAction, PlanErrorClass::InvalidParameters]),
    ("Dependency", &[PlanErrorClass::LocalDependency, PlanErrorClass::GlobalDependency]),
];

/// The errors of the plans of a model.
#[derive(Default)]
struct PlanErrorCounts {
    plans: usize,
    steps: usize,
    certain: Errors,
    words: Errors,
    /// Of the plans whose steps a judge was asked about.
    judge: Errors,
    judged_steps: usize,
    /// Steps of which the judge has no verdict.
    unjudged: usize,
}

/// How many errors there are of each class, by its place in [`PlanErrorClass::ALL`].
#[derive(Clone, Default)]
struct Errors([usize; PlanErrorClass::ALL.len()]);

impl Errors {
    fn count(&mut self, errors: &[PlanError]) {
        for (sum, (_, more)) in self.0.iter_mut().zip(errors::counts(errors)) {
            *sum += more;
        }
    }

    fn of(&self, classes: &[PlanErrorClass]) -> usize {
        let counted = PlanErrorClass::ALL.iter().zip(self.0);
        counted.filter(|(class, _)| classes.contains(class)).map(|(_, count)| count).sum()
    }

    /// Errors of the paper's four types, which errors of form are not.
    fn all(&self) -> usize {
        self.0.iter().sum::<usize>() - self.of(&[PlanErrorClass::Format])
    }

    fn share(&self) -> Cell {
        let (part, all) = (self.of(&[PlanErrorClass::Inconsistency]), self.all());
        if all == 0 {
            return Cell::Missing("there is no error to be a share of".to_owned());
        }
        Cell::text(format!("{:.1} ({part} of {all})", 100.0 * part as f64 / all as f64))
    }
}

impl PlanErrorCounts {
    fn add(&mut self, plan: &PlanRow, judged: Option<&[PlanError]>, unjudged: usize) {
        let certain = errors::of_row(plan);
        self.plans += 1;
        self.steps += plan.final_workflow.steps().count();
        self.certain.count(&certain);
        self.words.count(&words::errors_of_row(plan));
        if let Some(judged) = judged {
            self.judged_steps += plan.final_workflow.steps().count();
            self.unjudged += unjudged;
            self.judge.count(&with_inconsistencies(certain, judged.iter().cloned()));
        }
    }

    fn join(&mut self, other: &Self) {
        self.plans += other.plans;
        self.steps += other.steps;
        self.judged_steps += other.judged_steps;
        self.unjudged += other.unjudged;
        for (mine, theirs) in [
            (&mut self.certain, &other.certain),
            (&mut self.words, &other.words),
            (&mut self.judge, &other.judge),
        ] {
            for (sum, more) in mine.0.iter_mut().zip(theirs.0) {
                *sum += more;
            }
        }
    }

    fn cells(&self, name: &str) -> Vec<Cell> {
        let counts = [self.plans, self.steps, self.certain.all()];
        let classes = CLASSES.map(|(_, classes)| self.certain.of(classes));
        let mut cells = vec![Cell::text(name)];
        cells.extend(counts.into_iter().chain(classes).map(|count| Cell::text(count.to_string())));
        cells.extend([self.certain.share(), self.words.share()]);
        cells.push(match (self.judged_steps, self.unjudged) {
            (0, _) => Cell::Missing(NOT_ASKED.to_owned()),
            (_, 0) => self.judge.share(),
            (all, none) => self
                .judge
                .share()
                .with_note(Some(format!("the judge has no verdict of {none} of {all} steps"))),
        });
        cells
    }
}

/// Errors by class and the share of inconsistency, by model and of all.
pub(super) fn plan_errors(sources: &Sources) -> PaperTable {
    let title = "Errors of plans by step (ours), beside GraphicWeaver, section 6.2";
    let mut table = PaperTable::new("plan-errors", title, &["Model", "Plans", "Steps", "Errors"]);
    table.columns.extend(CLASSES.iter().map(|(heading, _)| (*heading).to_owned()));
    for variant in ["certain", "words", "judge"] {
        table.columns.push(format!("inconsistency/{variant} (% of errors)"));
    }
    let of_runs = sources.plans_of_runs.iter().map(|(_, file)| (file, None));
    // Plans that were carried out have no judgement of their steps: only files are judged.
    let published =
        sources.plans.iter().enumerate().map(|(at, file)| (file, sources.judged_steps.get(at)));
    let mut models: Vec<(&str, PlanErrorCounts)> = Vec::new();
    for (file, judged) in published.chain(of_runs) {
        let place = models.iter().position(|(name, _)| *name == file.model).unwrap_or_else(|| {
            models.push((&file.model, PlanErrorCounts::default()));
            models.len() - 1
        });
        if let Some((_, counted)) = models.get_mut(place) {
            count_file(counted, file, judged);
        }
    }
    let mut all = PlanErrorCounts::default();
    for (name, counted) in &models {
        all.join(counted);
        table.rows.push(counted.cells(name));
    }
    if models.is_empty() {
        let missing = Cell::Missing(NO_PLAN.to_owned());
        let words = std::iter::once(Cell::text("–"));
        table.rows.push(words.chain(vec![missing; table.columns.len() - 1]).collect());
    // Of one model, the row of all would say the same again.
    } else if models.len() > 1 {
        table.rows.push(all.cells("All"));
    }
    table
        .with_remark(
            "A step has one error at most. Errors and shares are of GraphicWeaver's four types, without errors \
             of form, which it does not count. Counts of classes are with inconsistency/certain.",
        )
        .with_remark(
            "GraphicWeaver prints 30.3 % of the errors of its six models' plans as inconsistency. Its plans, \
             and the model that judged their steps, are not published: the figure stands here to be read beside \
             ours, which are of other plans and by other rules, and no agreement follows from their nearness.",
        )
        .with_remark(
            "certain: a step that contradicts an earlier one. words: and one whose words clash with its action \
             or parameters in place, colour or size, with the components, or that puts a thing where another is, \
             or acts on the wrong kind of layer. judge: certain, and what a model says is inconsistent.",
        )
}

fn count_file(counted: &mut PlanErrorCounts, file: &PlanFile, judged: Option<&Vec<JudgedSteps>>) {
    for (at, plan) in file.plans.iter().enumerate() {
        let of_plan = judged.and_then(|plans| plans.get(at));
        let errors = of_plan.map(|it| it.errors.as_slice());
        counted.add(plan, errors, of_plan.map_or(0, |it| it.unjudged));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cli::report::tables::table::words as words_of;

    #[test]
    fn shares_are_of_errors_and_what_nobody_was_asked_is_no_zero() {
        let plan = json!({"ID": 1, "final_workflow": [
            {"expert": "Photo Editor", "description": "Begin.", "skill": "CreateDocument",
                "parameters": {"docType": "poster"}},
            {"expert": "Photo Editor", "description": "Write.", "skill": "CreateText",
                "parameters": {"layerName": "a", "textString": "Cats"}},
            {"expert": "Photo Editor", "description": "Align it to the left.", "skill": "AlignText",
                "parameters": {"layerName": "a", "alignment": "right"}},
            {"expert": "Nobody", "description": "?", "skill": "SaveDocument", "parameters": {}},
        ]});
        let plan = PlanRow::read(plan.as_object().unwrap());
        let file = PlanFile {
            model: "m".to_owned(),
            design: None,
            path: "m/poster.jsonl".into(),
            plans: vec![plan],
            problems: Vec::new(),
        };
        let sources = Sources { plans: vec![file], ..Sources::default() };
        let table = plan_errors(&sources);
        let cells = words_of(&table.rows[0]);
        assert_eq!(&cells[..8], ["m", "1", "4", "1", "0", "1", "0", "0"]);
        assert_eq!(&cells[8..], ["0.0 (0 of 1)", "50.0 (1 of 2)", "—"]);
        let judged = JudgedSteps { errors: vec![errors::inconsistency(2, "so")], unjudged: 1 };
        let sources = Sources { judged_steps: vec![vec![judged]], ..sources };
        let table = plan_errors(&sources);
        assert_eq!(words_of(&table.rows[0])[10], "50.0 (1 of 2)");
        assert_eq!(table.footnotes(), ["the judge has no verdict of 1 of 4 steps"]);
    }
}
