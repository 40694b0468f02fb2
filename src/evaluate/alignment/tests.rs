//! Alignments of made-up runs: a letter is a call, and what it leads to follows from all before it.

use std::sync::Arc;

use proptest::prelude::*;

use crate::base::CancelToken;
use crate::environment::ToolCategory;

use super::{
    Alignment, DivergenceKind, Fingerprint, Likeness, RunTrace, StateTrace, StepTrace, align,
};

/// A run in which `a` to `z` draw something at a place of their own, capitals draw something else there by the
/// same tool, and `.` only looks. What the canvas looks like is what was drawn last at each place.
fn run(calls: &str) -> RunTrace {
    let picture = |drawn: &[char]| Some(Fingerprint::of(format!("{drawn:?}").as_bytes()));
    let mut drawn: Vec<char> = Vec::new();
    let start = StateTrace { picture: picture(&drawn), document: None };
    let mut before = start;
    let steps = calls.chars().zip(1..).map(|(call, turn)| {
        let place = call.to_ascii_lowercase();
        let was = drawn.iter().copied().find(|it| it.to_ascii_lowercase() == place);
        if call != '.' {
            drawn.retain(|it| it.to_ascii_lowercase() != place);
            drawn.push(call);
            drawn.sort_unstable();
        }
        let state = StateTrace { picture: picture(&drawn), document: None };
        let is_seen = state != before;
        before = state;
        StepTrace {
            tool: Some(Arc::from(format!("draw_{place}"))),
            category: ToolCategory::Creation,
            turn,
            call: Some(Fingerprint::of(call.to_string().as_bytes())),
            effect: is_seen.then(|| Fingerprint::of(format!("{was:?} {call}").as_bytes())),
            state,
            is_seen,
            failed: false,
        }
    });
    RunTrace { start, steps: steps.collect(), ..RunTrace::default() }
}

fn aligned(runs: &[&str]) -> (Vec<RunTrace>, Alignment) {
    let traces: Vec<RunTrace> = runs.iter().map(|calls| run(calls)).collect();
    let all: Vec<&RunTrace> = traces.iter().collect();
    let alignment = align(&all, &CancelToken::new()).unwrap();
    (traces, alignment)
}

/// The rows as text, each run's calls below one another.
fn as_text(runs: &[&str], alignment: &Alignment) -> Vec<String> {
    let lines = runs.iter().enumerate().map(|(run, calls)| {
        let cells = alignment.rows.iter().map(|row| {
            row.steps[run].map_or(' ', |step| calls.chars().nth(step as usize - 1).unwrap())
        });
        cells.collect()
    });
    lines.collect()
}

#[test]
fn what_one_has_alone_stands_between_what_both_have() {
    let runs = ["abcde", "abxcde"];
    let (_, alignment) = aligned(&runs);
    assert_eq!(as_text(&runs, &alignment), ["ab cde", "abxcde"]);
    let divergence = alignment.divergence.unwrap();
    assert_eq!((divergence.row, divergence.kind), (Some(2), DivergenceKind::OnlySome));
    assert_eq!(divergence.steps, [None, Some(3)]);
}

#[test]
fn other_arguments_of_one_tool_stand_in_one_row() {
    let runs = ["abc", "aBc"];
    let (traces, alignment) = aligned(&runs);
    assert_eq!(as_text(&runs, &alignment), runs);
    let all: Vec<&RunTrace> = traces.iter().collect();
    let likeness = alignment.rows[1].likeness(&all).unwrap();
    assert_eq!(likeness, Likeness { tool: true, ..Likeness::default() });
    // The last call is the same though the canvas is not.
    assert!(alignment.rows[2].likeness(&all).unwrap().call);
    let divergence = alignment.divergence.unwrap();
    assert_eq!((divergence.row, divergence.kind), (Some(1), DivergenceKind::Arguments));
}

#[test]
fn runs_that_go_on_by_other_tools_have_the_steps_of_both_told() {
    let told = |runs: &[&str]| {
        let divergence = aligned(runs).1.divergence.unwrap();
        (divergence.row, divergence.kind, divergence.steps)
    };
    let both = vec![Some(2), Some(2)];
    assert_eq!(told(&["ab", "ax"]), (Some(1), DivergenceKind::Tools, both.clone()));
    assert_eq!(told(&["abc", "axc"]), (Some(1), DivergenceKind::Tools, both));
    let [first, last] = [Some(2), Some(3)];
    // Whoever looks first does the other thing all the same.
    assert_eq!(told(&["abc", "a.xc"]), (Some(1), DivergenceKind::Tools, vec![first, last]),);
    // What comes behind the row in which all go together again is not in its place, and a look is nothing instead.
    assert_eq!(told(&["abc", "acx"]), (Some(1), DivergenceKind::OnlySome, vec![first, None]));
    assert_eq!(told(&["abc", "a.c"]), (Some(1), DivergenceKind::OnlySome, vec![first, None]));
    // Of three runs two may agree, and one may have nothing.
    let three = ["abc", "abc", "axc"];
    assert_eq!(told(&three), (Some(1), DivergenceKind::Tools, vec![first; 3]));
    let steps = vec![first, first, None];
    assert_eq!(told(&["abc", "axc", "ac"]).1, DivergenceKind::OnlySome);
    assert_eq!(told(&["abc", "abc", "ac"]), (Some(1), DivergenceKind::OnlySome, steps));
}

#[test]
fn runs_that_meet_again_diverge_later() {
    // `B` is mended by `b`, and only `z` stays.
    let runs = ["abcd", "aBbcz"];
    let (_, alignment) = aligned(&runs);
    let divergence = alignment.divergence.as_ref().unwrap();
    assert_eq!(divergence.reconverged, 1);
    let row = divergence.row.unwrap();
    assert!(alignment.rows[row].steps.contains(&Some(if row == 4 { 4 } else { 5 })));
    let same: Vec<bool> = alignment.rows.iter().map(super::AlignedRow::is_same_for_all).collect();
    assert!(!same[row] && same[row - 1], "{same:?}");
}

#[test]
fn another_order_that_ends_the_same_is_no_lasting_divergence() {
    let runs = ["abc", "bac"];
    let (_, alignment) = aligned(&runs);
    assert_eq!(alignment.divergence, None);
    assert!(alignment.rows.last().unwrap().is_same_for_all());
}

#[test]
fn runs_that_begin_apart_diverge_at_the_start() {
    let mut other = run("ab");
    other.start.picture = Some(Fingerprint::of(b"another page"));
    for step in &mut other.steps {
        step.state.picture = Some(Fingerprint::of(b"another page still"));
    }
    let one = run("ab");
    let alignment = align(&[&one, &other], &CancelToken::new()).unwrap();
    let divergence = alignment.divergence.unwrap();
    assert_eq!((divergence.row, divergence.kind), (None, DivergenceKind::Start));
    assert_eq!(alignment.start, [0, 1]);
}

#[test]
fn of_three_runs_those_that_go_together_are_told() {
    let runs = ["abcd", "abcd", "abCd"];
    let (_, alignment) = aligned(&runs);
    assert_eq!(as_text(&runs, &alignment), runs);
    assert_eq!(alignment.rows[1].looks, [0, 0, 0]);
    assert_eq!(alignment.rows[3].looks, [0, 0, 1]);
    assert_eq!(alignment.step_with((0, 3), 2), 3);
}

#[test]
fn one_clock_stands_still_where_a_run_has_nothing() {
    let runs = ["abcde", "ae"];
    let (_, alignment) = aligned(&runs);
    let steps: Vec<u32> = (0..=5).map(|step| alignment.step_with((0, step), 1)).collect();
    assert_eq!(steps, [0, 1, 1, 1, 1, 2]);
    assert_eq!(alignment.row_of(1, 2), Some(4));
    assert_eq!(alignment.row_of(1, 3), None);
    assert_eq!(alignment.step_after(1, 999), 2);
    // Beyond the last step that was known, one is where the last is.
    assert_eq!((alignment.rows_until(1, 3), alignment.step_with((1, 3), 0)), (5, 5));
    assert_eq!((alignment.rows_until(1, 0), alignment.rows_until(7, 2)), (0, 0));
}

#[test]
fn nothing_is_aligned_with_nothing() {
    let (_, alignment) = aligned(&["", ""]);
    assert_eq!((alignment.rows.len(), alignment.divergence), (0, None));
    let (_, alignment) = aligned(&["ab"]);
    assert_eq!(alignment.rows.len(), 2);
    assert_eq!(alignment.divergence, None);
}

fn noise(seed: u32) -> u32 {
    let mixed = seed.wrapping_mul(2_654_435_761);
    (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519) >> 8
}

#[test]
fn six_runs_of_ten_thousand_steps_are_aligned() {
    const STEPS: u32 = 10_000;
    let letter = |at: u32| char::from(b'a' + (noise(at) % 26) as u8);
    let first: String = (0..STEPS).map(letter).collect();
    // The others leave a step out here, call with other arguments there, or do something more.
    let others = (1..6_u32).map(|run| {
        let steps =
            first.chars().zip(0..).map(|(call, at)| match noise(run * 1_000_003 + at) % 300 {
                0 => String::new(),
                1 => call.to_ascii_uppercase().to_string(),
                2 => format!("{call}{}", letter(at + run)),
                _ => call.to_string(),
            });
        steps.collect::<String>()
    });
    let runs: Vec<String> = std::iter::once(first.clone()).chain(others).collect();
    let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
    let (traces, alignment) = aligned(&runs);
    for (at, calls) in runs.iter().enumerate() {
        let steps: Vec<u32> = alignment.rows.iter().filter_map(|row| row.steps[at]).collect();
        assert_eq!(steps, (1..=calls.len() as u32).collect::<Vec<_>>());
    }
    let all: Vec<&RunTrace> = traces.iter().collect();
    for run in 1..runs.len() {
        let alike = alignment.count_like_first(&all, run, |likeness| likeness.call);
        assert!(alike > 9_800, "{alike} of run {run}");
    }
    // A row for each step of the first, and little more.
    assert!(alignment.rows.len() < 10_500, "{}", alignment.rows.len());
}

fn calls() -> impl Strategy<Value = String> {
    "[abcABC.]{0,12}"
}

proptest! {
    #[test]
    fn every_step_is_in_one_row_and_in_order(runs in prop::collection::vec(calls(), 1..6)) {
        let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
        let (_, alignment) = aligned(&runs);
        for (at, calls) in runs.iter().enumerate() {
            let steps = alignment.rows.iter().filter_map(|row| row.steps[at]);
            let expected: Vec<u32> = (1..=calls.len() as u32).collect();
            prop_assert_eq!(steps.collect::<Vec<_>>(), expected);
        }
        for row in &alignment.rows {
            prop_assert!(row.steps.iter().any(Option::is_some));
            prop_assert_eq!(row.looks.len(), runs.len());
        }
        prop_assert!(alignment.rows.len() <= runs.iter().map(|calls| calls.len()).sum());
    }

    #[test]
    fn a_run_beside_itself_has_one_row_a_step_and_never_diverges(calls in calls()) {
        let (_, alignment) = aligned(&[&calls, &calls]);
        prop_assert_eq!(alignment.rows.len(), calls.len());
        prop_assert_eq!(alignment.divergence, None);
    }

    #[test]
    fn two_runs_are_as_alike_either_way_round(one in calls(), other in calls()) {
        let weight = |runs: [&str; 2]| {
            let (traces, alignment) = aligned(&runs);
            let all: Vec<&RunTrace> = traces.iter().collect();
            let likenesses = alignment.rows.iter().filter_map(|row| row.likeness(&all));
            likenesses.map(Likeness::weight).sum::<u32>()
        };
        prop_assert_eq!(weight([&one, &other]), weight([&other, &one]));
    }

    #[test]
    fn after_the_divergence_they_never_look_the_same(one in calls(), other in calls()) {
        let (_, alignment) = aligned(&[&one, &other]);
        let same: Vec<bool> =
            alignment.rows.iter().map(super::AlignedRow::is_same_for_all).collect();
        match &alignment.divergence {
            None => prop_assert!(same.last().copied().unwrap_or(true)),
            Some(divergence) => {
                let row = divergence.row.unwrap();
                prop_assert!(same[row..].iter().all(|same| !same));
                prop_assert!(row == 0 || same[row - 1]);
            }
        }
    }
}
