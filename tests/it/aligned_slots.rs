//! Runs that are locked by what goes together stay so while that is counted anew.

use std::sync::Arc;

use pentimento::base::CancelToken;
use pentimento::environment::ToolCategory;
use pentimento::evaluate::alignment::{Fingerprint, RunTrace, StateTrace, StepTrace, align};
use pentimento::workbench::{
    AlignedRuns, Command, Fetched, LikeFirst, PlaybackCommand, RunId, SlotLock, StageCommand,
    State, handle,
};

use crate::workbench::{load, opened};

/// A run in which every letter is a call, and the canvas looks like all of them.
fn trace(calls: &str) -> RunTrace {
    let looks = |calls: &str| StateTrace {
        picture: Some(Fingerprint::of(format!("a picture of {calls:?}").as_bytes())),
        document: None,
    };
    let step = |(at, call): (usize, char)| StepTrace {
        tool: Some(Arc::from(format!("draw_{call}"))),
        category: ToolCategory::Creation,
        turn: at as u32 + 1,
        call: Some(Fingerprint::of(call.to_string().as_bytes())),
        effect: Some(Fingerprint::of(format!("drew {call}").as_bytes())),
        state: looks(&calls[..=at]),
        is_seen: true,
        failed: false,
    };
    let steps = calls.char_indices().map(step).collect();
    RunTrace { start: looks(""), steps, ..RunTrace::default() }
}

/// Two runs of one task, the first of which is under way, aligned as far as it has come.
fn aligned() -> State {
    let (mut state, _) = opened();
    load(&mut state, 0, 10, true);
    load(&mut state, 1, 6, false);
    handle(&mut state, Command::Stage(StageCommand::ToggleSlot(RunId(1))));
    handle(&mut state, Command::Stage(StageCommand::Lock(SlotLock::Alignment)));
    let traces = ["abcdefghij", "afghij"].map(trace);
    let alignment = align(&traces.each_ref(), &CancelToken::new()).unwrap();
    let like_first = vec![LikeFirst::default(); traces.len()];
    let traces = traces.map(Arc::new).to_vec();
    let aligned = AlignedRuns { alignment, like_first, traces };
    let key = state.alignment_key().unwrap();
    state.derived.alignments.insert(key, Fetched::Ready(Arc::new(aligned)));
    // What is shown is remembered behind every command.
    handle(&mut state, Command::CloseOverlay);
    assert_eq!(state.locked_step(RunId(1), 7), Some(3), "seven calls of the one are three of it");
    state
}

#[test]
fn moving_the_threshold_of_the_heat_moves_no_run() {
    let mut state = aligned();
    let before = state.alignment_key();
    for threshold in [0.9, 0.1] {
        let counted = state.consensus_key();
        handle(&mut state, Command::Stage(StageCommand::HeatThreshold(threshold)));
        assert_eq!(state.locked_step(RunId(1), 7), Some(3), "at {threshold}");
        assert!(state.aligned_runs().is_some());
        assert_ne!(state.consensus_key(), counted, "what all have goes by it");
    }
    assert_eq!(state.alignment_key(), before);
}

#[test]
fn a_run_that_goes_on_leaves_the_others_where_they_are_until_its_new_steps_are_aligned() {
    let mut state = aligned();
    let before = state.alignment_key();
    load(&mut state, 0, 11, true);
    assert_ne!(state.alignment_key(), before);
    assert!(state.derived.alignments.ready(&state.alignment_key().unwrap()).is_none());
    assert_eq!(state.locked_step(RunId(1), 7), Some(3));
    assert_eq!(state.locked_step(RunId(1), 11), Some(6), "with what the last known step goes with");
    // Other runs are no stand-in.
    handle(&mut state, Command::Stage(StageCommand::SwapSlot(0)));
    assert!(state.aligned_runs().is_none());
}

#[test]
fn an_alignment_that_cannot_be_made_is_not_hidden_behind_an_older_one() {
    let mut state = aligned();
    load(&mut state, 0, 11, true);
    let key = state.alignment_key().unwrap();
    state.derived.alignments.insert(key, Fetched::Failed("the disk is gone".to_owned()));
    assert!(state.aligned_runs().is_none());
}

#[test]
fn the_way_back_from_the_first_lasting_divergence_leads_to_the_step_before() {
    let mut state = aligned();
    handle(&mut state, Command::Playback(PlaybackCommand::Step(3)));
    handle(&mut state, Command::Stage(StageCommand::GoToDivergence));
    assert_eq!(state.selection.step, 2, "the second call is one that the other run has not");
    handle(&mut state, Command::GoBack);
    assert_eq!(state.selection.step, 3);
    handle(&mut state, Command::GoForward);
    assert_eq!(state.selection.step, 2);
}
