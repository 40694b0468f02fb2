//! What tables are made of: runs, plans and labels.

use super::judged::JudgedSteps;
use super::run_summary::{Columns, RunSummary};
use super::success::Success;
use crate::cli::labels::Label;
use crate::cli::output::runs as runs_in_words;
use crate::cli::plans::PlanFile;
use crate::environment::EnvironmentKind;
use crate::evaluate::Condition;

/// What tables are made of.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The scores of CANVAS.
    pub(super) canvas: Columns,
    /// The scores of GraphicBench and GraphicWeaver.
    pub(super) suite: Columns,
    /// The runs that came to their end; those of a suite have its scores, all others those of CANVAS.
    pub(super) runs: Vec<RunSummary>,
    /// The runs that did not, of which no table knows more than that.
    pub(super) unfinished: Vec<UnfinishedRun>,
    /// The runs that came to their end, and of whose record a part is lost.
    pub(super) torn: Vec<TornRun>,
    /// Published plans.
    pub(super) plans: Vec<PlanFile>,
    /// What a judge says of their steps, by file and plan; empty if none was asked.
    pub(super) judged_steps: Vec<Vec<JudgedSteps>>,
    /// The plans that runs carried out.
    pub(super) plans_of_runs: Vec<(Condition, PlanFile)>,
    /// What people and judges said.
    pub(super) labels: Vec<Label>,
    /// When a run counts as a success, where that was said.
    pub(super) success: Option<Success>,
}

/// A run that did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnfinishedRun {
    /// Who acts, or acted.
    pub(super) model: String,
    /// The environment of its task.
    pub(super) environment: EnvironmentKind,
    /// Why it did not.
    pub(super) why: WithoutEnd,
}

/// A run of whose record a part is lost: it counts where what is whole of it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TornRun {
    /// Who acted.
    pub(super) model: String,
    /// The environment of its task.
    pub(super) environment: EnvironmentKind,
    /// Which it is, and what is lost of it.
    pub(super) words: String,
}

/// Why a run did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithoutEnd {
    /// Whoever recorded it is gone.
    BrokeOff,
    /// Somebody stopped it.
    Stopped,
    /// It is being recorded now.
    Live,
}

impl WithoutEnd {
    const ALL: [Self; 3] = [Self::BrokeOff, Self::Stopped, Self::Live];

    /// What it did, behind "that".
    fn words(self) -> &'static str {
        match self {
            Self::BrokeOff => "broke off",
            Self::Stopped => "somebody stopped",
            Self::Live => "had not ended yet",
        }
    }
}

impl Sources {
    /// The runs of an environment.
    pub(super) fn runs_of(
        &self,
        environment: EnvironmentKind,
    ) -> impl Iterator<Item = &RunSummary> {
        self.runs.iter().filter(move |run| run.environment == environment)
    }

    /// That runs in environments that pass were left out as they did not come to their end, if any were.
    pub(super) fn left_out(&self, is_of: impl Fn(&EnvironmentKind) -> bool) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        // Those that broke off first: they want looking after, the others only time.
        for why in WithoutEnd::ALL {
            let runs = self.unfinished.iter();
            let runs = runs.filter(|run| run.why == why && is_of(&run.environment));
            let models: Vec<&str> = runs.map(|run| run.model.as_str()).collect();
            if !models.is_empty() {
                let count = runs_in_words(models.len());
                parts.push(format!("{count} that {} ({})", why.words(), by_name(&models)));
            }
        }
        (!parts.is_empty()).then(|| format!("Left out of everything: {}.", parts.join("; ")))
    }

    /// That runs in environments that pass count only as far as their records are whole, if any do.
    pub(super) fn counted_in_part(
        &self,
        is_of: impl Fn(&EnvironmentKind) -> bool,
    ) -> Option<String> {
        let runs = self.torn.iter().filter(|run| is_of(&run.environment));
        let models: Vec<&str> = runs.map(|run| run.model.as_str()).collect();
        let count = runs_in_words(models.len());
        let words = format!(
            "Counted only as far as the record is whole: {count} with a damaged one ({}).",
            by_name(&models)
        );
        (!models.is_empty()).then_some(words)
    }
}

/// How often each name is there.
fn by_name(names: &[&str]) -> String {
    let mut sorted = names.to_vec();
    // So that the same names stand together, and the sentence is the same every time.
    sorted.sort_unstable();
    let groups = sorted.chunk_by(|a, b| a == b);
    let words = groups.map(|group| match group {
        [name] => (*name).to_owned(),
        [name, ..] => format!("{name}: {}", group.len()),
        [] => String::new(),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_without_an_end_are_counted_by_who_made_them() {
        let unfinished = [
            ("b", "canvas", WithoutEnd::BrokeOff),
            ("a", "canvas", WithoutEnd::BrokeOff),
            ("b", "canvas", WithoutEnd::BrokeOff),
            ("a", "page", WithoutEnd::Stopped),
            ("c", "suite", WithoutEnd::Live),
        ];
        let unfinished = unfinished.map(|(model, environment, why)| UnfinishedRun {
            model: model.to_owned(),
            environment: environment.into(),
            why,
        });
        let sources = Sources { unfinished: unfinished.into(), ..Sources::default() };
        let words = "Left out of everything: 3 runs that broke off (a, b: 2).";
        assert_eq!(sources.left_out(|it| *it == EnvironmentKind::Canvas).as_deref(), Some(words));
        let words = "Left out of everything: 1 run that somebody stopped (a).";
        assert_eq!(sources.left_out(|it| *it == EnvironmentKind::Page).as_deref(), Some(words));
        let words = "Left out of everything: 1 run that had not ended yet (c).";
        assert_eq!(sources.left_out(|it| *it == EnvironmentKind::Suite).as_deref(), Some(words));
        assert_eq!(sources.left_out(|it| *it == "photo".into()), None);
    }

    #[test]
    fn damaged_runs_are_counted_by_who_made_them() {
        let torn = [("b", "canvas"), ("a", "canvas"), ("c", "suite")];
        let torn = torn.map(|(model, environment)| TornRun {
            model: model.to_owned(),
            environment: environment.into(),
            words: "2 of 4 turns are whole".to_owned(),
        });
        let sources = Sources { torn: torn.into(), ..Sources::default() };
        let words = "Counted only as far as the record is whole: 2 runs with a damaged one (a, b).";
        let found = sources.counted_in_part(|it| *it == EnvironmentKind::Canvas);
        assert_eq!(found.as_deref(), Some(words));
        assert_eq!(sources.counted_in_part(|it| *it == EnvironmentKind::Page), None);
    }
}
