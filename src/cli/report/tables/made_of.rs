//! What a table is made of, said of it: of how many runs, plans and labels, by which variants, without which.

use std::collections::BTreeMap;

use super::psbench;
use super::run_summary::Columns;
use super::sources::Sources;
use crate::environment::EnvironmentKind;
use crate::evaluate::MadeBy;

/// Where runs of CANVAS act: with tools on a canvas, or by code on a page.
const OF_CANVAS: &[EnvironmentKind] = &[EnvironmentKind::Canvas, EnvironmentKind::Page];

/// What the ids of our own checks begin with, which no paper prints.
const CONSTRAINTS: &str = "constraints/";

/// What of the sources a table is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MadeOf {
    /// The scores of runs on a canvas.
    CanvasScores,
    /// What such runs called.
    CanvasCalls,
    /// Runs of the design suite with their scores, plans, and labels of both.
    Suite,
    /// How far the designs of such runs are what was asked.
    Constraints,
    /// Plans, published or of runs, and what was said of them.
    Plans,
    /// What people and judges said of photographs that were edited, beside the runs it is of.
    Labels,
    /// Runs with their scores, wherever they act.
    Scores,
    /// Runs without them.
    Runs,
    /// What papers print.
    Papers,
}

impl MadeOf {
    /// What there is of it: nothing of a command yet. `unreadable` are why runs were left out; what is lost of damaged
    /// ones is left out, too.
    pub(super) fn told(self, sources: &Sources, unreadable: &[String]) -> MadeBy {
        if self == Self::Papers {
            return MadeBy::default();
        }
        let mut models: BTreeMap<&str, usize> = BTreeMap::new();
        let runs = sources.runs.iter().filter(|run| self.is_of(&run.environment));
        runs.for_each(|run| *models.entry(&run.model).or_default() += 1);
        let plans = sources.plans.iter().chain(sources.plans_of_runs.iter().map(|(_, file)| file));
        let plans: usize = plans.map(|file| file.plans.len()).sum();
        let counts = [
            ("plans", plans, matches!(self, Self::Suite | Self::Plans)),
            (
                "labels",
                sources.labels.len(),
                matches!(self, Self::Suite | Self::Plans | Self::Labels),
            ),
        ];
        let counts = counts.into_iter().filter(|(_, count, is_shown)| *is_shown && *count > 0);
        let variants = self.columns(sources).into_iter().flat_map(Columns::ids);
        let variants = variants.filter(|id| match self {
            Self::Suite => !id.starts_with(CONSTRAINTS),
            Self::Constraints => id.starts_with(CONSTRAINTS),
            _ => true,
        });
        let torn = sources.torn.iter().filter(|run| self.is_of(&run.environment));
        let torn = torn.map(|run| run.words.clone());
        // Of plans and labels alone no run is missing.
        let has_runs = self != Self::Plans && !models.is_empty();
        MadeBy {
            runs: if has_runs { runs_by_model(&models) } else { String::new() },
            choices: counts.map(|(name, count, _)| (name, count.to_string())).collect(),
            variants: variants.map(str::to_owned).collect(),
            left_out: unreadable.iter().cloned().chain(torn).collect(),
            ..MadeBy::default()
        }
    }

    /// That runs were left out as they did not come to their end, if any were.
    pub(super) fn unfinished(self, sources: &Sources) -> Option<String> {
        sources.left_out(|environment| self.is_of(environment))
    }

    /// That runs count only as far as their records are whole, if any do.
    pub(super) fn torn(self, sources: &Sources) -> Option<String> {
        sources.counted_in_part(|environment| self.is_of(environment))
    }

    fn is_of(self, environment: &EnvironmentKind) -> bool {
        match self {
            Self::CanvasScores | Self::CanvasCalls => OF_CANVAS.contains(environment),
            Self::Suite | Self::Constraints | Self::Plans => *environment == EnvironmentKind::Suite,
            Self::Labels => *environment == psbench::photo(),
            Self::Scores | Self::Runs => true,
            Self::Papers => false,
        }
    }

    /// The scores it may print.
    fn columns(self, sources: &Sources) -> Vec<&Columns> {
        let has_suite = sources.runs.iter().any(|run| run.environment == EnvironmentKind::Suite);
        let has_others = sources.runs.iter().any(|run| run.environment != EnvironmentKind::Suite);
        let canvas = has_others.then_some(&sources.canvas);
        let suite = has_suite.then_some(&sources.suite);
        match self {
            Self::CanvasScores => canvas.into_iter().collect(),
            Self::Suite | Self::Constraints => suite.into_iter().collect(),
            Self::Scores => canvas.into_iter().chain(suite).collect(),
            Self::CanvasCalls | Self::Plans | Self::Labels | Self::Runs | Self::Papers => {
                Vec::new()
            }
        }
    }
}

/// So many runs, and how many of each model.
fn runs_by_model(models: &BTreeMap<&str, usize>) -> String {
    let all: usize = models.values().sum();
    let each: Vec<String> = models.iter().map(|(name, runs)| format!("{name}: {runs}")).collect();
    format!("{all} ({})", each.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tables::run_summary::RunSummary;
    use crate::cli::report::tables::sources::{TornRun, UnfinishedRun, WithoutEnd};
    use crate::metric::Registry;

    fn run(model: &str, environment: EnvironmentKind) -> RunSummary {
        RunSummary { model: model.to_owned(), environment, ..RunSummary::default() }
    }

    fn sources() -> Sources {
        let registry = Registry::built_in();
        Sources {
            canvas: Columns::canvas(&registry),
            suite: Columns::suite(&registry),
            runs: vec![
                run("a", EnvironmentKind::Canvas),
                run("b", EnvironmentKind::Canvas),
                run("b", EnvironmentKind::Page),
                run("c", EnvironmentKind::Suite),
            ],
            unfinished: vec![UnfinishedRun {
                model: "c".to_owned(),
                environment: EnvironmentKind::Suite,
                why: WithoutEnd::BrokeOff,
            }],
            ..Sources::default()
        }
    }

    #[test]
    fn a_table_is_of_the_runs_of_its_environment_by_model_and_names_its_variants() {
        let sources = sources();
        let canvas = MadeOf::CanvasScores.told(&sources, &["x cannot be read".to_owned()]);
        assert_eq!(canvas.runs, "3 (a: 1, b: 2)");
        assert!(canvas.variants.iter().any(|id| id == "ssim/uniform7"), "{:?}", canvas.variants);
        assert_eq!(canvas.left_out, ["x cannot be read"]);
        let calls = MadeOf::CanvasCalls.told(&sources, &[]);
        assert_eq!((calls.runs.as_str(), calls.variants.len()), ("3 (a: 1, b: 2)", 0));
        let suite = MadeOf::Suite.told(&sources, &[]);
        assert_eq!(suite.runs, "1 (c: 1)");
        assert!(suite.variants.iter().all(|id| id != "ssim/uniform7"), "{:?}", suite.variants);
        let constraints = MadeOf::Constraints.told(&sources, &[]).variants;
        assert!(constraints.iter().any(|id| id == "constraints/all"), "{constraints:?}");
        assert!(!suite.variants.iter().any(|id| constraints.contains(id)), "{:?}", suite.variants);
        assert_eq!(MadeOf::Papers.told(&sources, &[]), MadeBy::default());
        assert_eq!(MadeOf::Labels.told(&Sources::default(), &[]).runs, "", "no run was named");
    }

    #[test]
    fn what_is_lost_of_damaged_runs_is_told_below_the_tables_that_have_them() {
        let torn = TornRun {
            model: "a".to_owned(),
            environment: EnvironmentKind::Canvas,
            words: "runs/1: 2 of 4 turns are whole".to_owned(),
        };
        let sources = Sources { torn: vec![torn], ..sources() };
        let words = "Counted only as far as the record is whole: 1 run with a damaged one (a).";
        assert_eq!(MadeOf::CanvasScores.torn(&sources).as_deref(), Some(words));
        let left_out = MadeOf::CanvasScores.told(&sources, &["x cannot be read".to_owned()]);
        assert_eq!(left_out.left_out, ["x cannot be read", "runs/1: 2 of 4 turns are whole"]);
        assert_eq!(MadeOf::Suite.torn(&sources), None);
        assert!(MadeOf::Suite.told(&sources, &[]).left_out.is_empty());
    }

    #[test]
    fn runs_without_an_end_are_told_of_below_the_tables_that_would_have_them() {
        let sources = sources();
        let words = "Left out of everything: 1 run that broke off (c).";
        for made_of in [MadeOf::Suite, MadeOf::Scores, MadeOf::Runs] {
            assert_eq!(made_of.unfinished(&sources).as_deref(), Some(words), "{made_of:?}");
        }
        assert_eq!(MadeOf::CanvasScores.unfinished(&sources), None);
        assert_eq!(MadeOf::Papers.unfinished(&sources), None);
    }
}
