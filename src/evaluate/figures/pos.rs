//! CANVAS's Table 2 as bars: how many of its scores an edit does not lower.

use super::bars::{BarRow, number, stacked};
use super::data::{FigureResult, FigureRun, FigureSources, by_row, count, row};
use crate::environment::EnvironmentKind;
use crate::metric::behavior::{EditedScore, NoChange, Pos, PosDistribution};
use crate::metric::{Direction, Score};
use crate::task::TaskKind;

/// What CANVAS calls modification; its table has the first alone.
const EDITS: [(&str, TaskKind); 3] = [
    ("attribute update", TaskKind::AttributeUpdate),
    ("component insertion", TaskKind::ComponentInsertion),
    ("mode change", TaskKind::ModeChange),
];

/// The part of the table that a run is drawn in.
pub(super) fn part_of(run: &FigureRun) -> Option<&'static str> {
    let (part, _) = EDITS.into_iter().find(|(_, kind)| run.kind == Some(*kind))?;
    (run.environment == EnvironmentKind::Canvas).then_some(part)
}

/// What is known of a model's runs at one kind of tasks.
struct PosRow {
    /// The scores that count, by their places: those that all runs have.
    counted: Vec<usize>,
    found: PosDistribution,
    /// Those that are counted, by their numbers in the library.
    runs: Vec<u32>,
    /// Runs of which no score is known.
    unscored: usize,
}

/// Table 2: the share of runs at each K, and of those of which no call did anything.
pub(super) fn pos_at_k(sources: &FigureSources) -> FigureResult {
    let most = sources.curves.len();
    let mut names: Vec<String> = (0..=most).rev().map(|k| format!("Pos@{k}")).collect();
    names.push("F".to_owned());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = ["task", "model", "runs", "scores"].into_iter().chain(names.iter().copied());
    let (mut numbers, mut rows) = (vec![row(head)], Vec::new());
    let (mut runs_drawn, mut unscored) = (0, 0);
    for (part, _) in EDITS {
        let runs = sources.runs.iter().filter(|run| part_of(run) == Some(part));
        let mut has_heading = false;
        for (model, runs) in by_row(runs, |run| &run.row) {
            let Some(of_model) = PosRow::of(most, &runs) else {
                unscored += runs.len();
                continue;
            };
            if !std::mem::replace(&mut has_heading, true) {
                rows.push(BarRow::Heading(part.to_owned()));
            }
            let cases = of_model.found.cases();
            runs_drawn += cases;
            unscored += of_model.unscored;
            let scores = of_model.counted.len();
            // Of fewer scores there is no such K, which is not a share of 0.
            let at = (0..=most).rev().map(|k| {
                (k <= scores).then(|| of_model.found.share(k).value().unwrap_or_default())
            });
            let failed = of_model.found.failed_share().value();
            let shares: Vec<Option<f64>> = at.chain([failed]).collect();
            let mut cells = row([part, model]);
            cells.extend([cases, scores].map(|count| count.to_string()));
            cells.extend(shares.iter().map(|share| share.map(number).unwrap_or_default()));
            numbers.push(cells);
            let remark = if scores < most {
                format!("{} · of {}", count(cases, "run"), count(scores, "score"))
            } else {
                count(cases, "run")
            };
            let parts = shares.iter().map(|share| 100.0 * share.unwrap_or_default());
            let (name, parts) = (model.to_owned(), parts.collect());
            rows.push(BarRow::Bar { name, parts, remark, runs: of_model.runs });
        }
    }
    if rows.is_empty() {
        return Err("it needs runs on a canvas at tasks that change a design (attribute update, component insertion, mode \
                    change), whose task sets are open, with scores against the ground truth at their start and their \
                    end: the window has those of runs whose steps it has scored, pentimento report figures makes them"
            .to_owned());
    }
    let drawing = stacked(&names, &rows, "share of runs, %");
    let mut remarks = vec![format!(
        "{}. A run counts for each of its scores that does not fall; if none changes, it is Pos@0. F: no call did \
         anything. Of each model the scores count that all of its runs have.",
        count(runs_drawn, "run")
    )];
    let scores = sources.curves.iter().map(|(id, name)| format!("{name} by {id}"));
    remarks.push(format!("Scores: {}.", scores.collect::<Vec<_>>().join(", ")));
    if unscored > 0 {
        let unscored = count(unscored, "run");
        remarks.push(format!(
            "Left out: {unscored} without a score at start and end that all runs of the model have."
        ));
    }
    Ok((drawing, numbers, remarks))
}

impl PosRow {
    /// Of runs by so many scores; `None`: none of them has any.
    fn of(scores: usize, runs: &[&FigureRun]) -> Option<Self> {
        // A run without any score, as one whose picture cannot be drawn, is no reason to drop a score.
        let scored = runs.iter().copied().filter(|run| {
            run.digest.is_idle() || (0..scores).any(|score| ends(run, score).is_some())
        });
        let scored: Vec<&FigureRun> = scored.collect();
        // K of three scores and K of four are no one number: a score counts only if all runs have it.
        let acted: Vec<&FigureRun> =
            scored.iter().copied().filter(|run| !run.digest.is_idle()).collect();
        let counted: Vec<usize> = (0..scores)
            .filter(|score| acted.iter().all(|run| ends(run, *score).is_some()))
            .collect();
        if scored.is_empty() || counted.is_empty() {
            return None;
        }
        let cases = scored.iter().map(|run| pos_of(run, &counted));
        let found = PosDistribution::of(counted.len(), cases);
        let numbers = scored.iter().filter_map(|run| run.number).collect();
        Some(Self { found, unscored: runs.len() - scored.len(), counted, runs: numbers })
    }
}

/// A score at the start and at the end of a run.
fn ends(run: &FigureRun, score: usize) -> Option<[f64; 2]> {
    let first = *run.scores.first()?.get(score)?;
    let last = *run.scores.last()?.get(score)?;
    Some([first?, last?])
}

fn pos_of(run: &FigureRun, counted: &[usize]) -> Pos {
    if run.digest.is_idle() {
        return Pos::Failed;
    }
    let scores = counted.iter().filter_map(|score| ends(run, *score));
    let scores: Vec<[Score; 2]> = scores.map(|ends| ends.map(Score::Value)).collect();
    // Of all of CANVAS's scores more is better.
    let direction = Direction::HigherIsBetter;
    let edited = scores.iter().map(|[before, after]| EditedScore { before, after, direction });
    let edited: Vec<EditedScore<'_>> = edited.collect();
    // The table's rule: a score that stays counts as one that rises, unless none moves at all. None is missing here.
    Pos::of(&edited, NoChange::IsBetterUnlessAllStay).unwrap_or(Pos::At(0))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::environment::ToolCategory;
    use crate::evaluate::{Failed, RunDigest, StepDigest};

    fn run(model: &str, failure: Option<Failed>, ends: [[Option<f64>; 2]; 2]) -> FigureRun {
        let category = ToolCategory::Style;
        let step = StepDigest { tool: 0, turn: 1, category, failure, expert: None };
        FigureRun {
            model: model.to_owned(),
            row: model.to_owned(),
            environment: EnvironmentKind::Canvas,
            kind: Some(TaskKind::AttributeUpdate),
            turns: 1,
            digest: Arc::new(RunDigest { steps: vec![step], ..RunDigest::default() }),
            scores: ends.map(Vec::from).to_vec(),
            ..FigureRun::default()
        }
    }

    #[test]
    fn shares_are_those_of_the_table_by_the_scores_that_all_runs_of_a_model_have() {
        let [low, high] = [Some(0.2), Some(0.4)];
        let failed = Some(Failed::NoOutcome);
        let sources = FigureSources {
            curves: vec![("ssim/uniform7".into(), "SSIM".into()), ("b/c".into(), "BLIP".into())],
            runs: vec![
                run("a", None, [[low, low], [high, high]]),
                run("a", None, [[low, high], [low, low]]),
                run("a", None, [[low, low], [low, low]]),
                run("a", failed, [[None, None], [None, None]]),
                run("a", None, [[None, None], [None, None]]),
                // The second score is not known of all.
                run("b", None, [[low, None], [high, None]]),
                run("c", None, [[None, None], [None, None]]),
            ],
            ..FigureSources::default()
        };
        let (_, numbers, remarks) = pos_at_k(&sources).unwrap();
        assert_eq!(numbers[0][4..], ["Pos@2", "Pos@1", "Pos@0", "F"]);
        assert_eq!(
            numbers[1],
            row(["attribute update", "a", "4", "2", "0.25", "0.25", "0.25", "0.25"])
        );
        assert_eq!(numbers[2], row(["attribute update", "b", "1", "1", "", "1", "0", "0"]));
        assert_eq!(numbers.len(), 3);
        assert!(remarks[0].starts_with("5 runs. "), "{remarks:?}");
        assert_eq!(
            remarks[2],
            "Left out: 2 runs without a score at start and end that all runs of the model have."
        );
    }
}
