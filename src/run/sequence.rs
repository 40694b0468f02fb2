//! The order in which events may come. The recorder keeps to it, the reader holds files to it.

use std::collections::BTreeSet;

use super::event::Event;

/// Where in the order a run stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    last_turn: u32,
    last_step: u32,
    turn_is_open: bool,
    /// Steps of the open turn without an outcome.
    unanswered: BTreeSet<u32>,
}

/// An event that cannot come at this place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SequenceError {
    /// A turn began in the middle of another, or numbers were left out.
    #[error("turn {found} begins where turn {expected} should")]
    Turn {
        /// The number that should come.
        expected: u32,
        /// The number that came.
        found: u32,
    },
    /// Something of a turn that is not open.
    #[error("{what} belongs to turn {turn}, which is not the open one")]
    NotOpen {
        /// What kind of event.
        what: &'static str,
        /// Of which turn.
        turn: u32,
    },
    /// A call whose number does not follow the last.
    #[error("step {found} comes where step {expected} should")]
    Step {
        /// The number that should come.
        expected: u32,
        /// The number that came.
        found: u32,
    },
    /// An outcome of a step that has one, or of none in this turn.
    #[error("an outcome of step {0}, which waits for none")]
    NotWaiting(u32),
}

impl Sequence {
    /// The number of the last whole turn.
    pub(super) fn whole_turns(&self) -> u32 {
        if self.turn_is_open { self.last_turn.saturating_sub(1) } else { self.last_turn }
    }

    /// Takes the event, or says why it cannot come here and stays as it was.
    pub(super) fn advance(&mut self, event: &Event) -> Result<(), SequenceError> {
        match event {
            Event::Turn { turn, .. } => self.begin_turn(*turn),
            Event::Thought { turn, .. } => self.in_turn(*turn, "a thought"),
            Event::Observation { turn, .. } => self.in_turn(*turn, "an observation"),
            Event::Usage { turn, .. } => self.in_turn(*turn, "a usage"),
            Event::Call { turn, step, .. } => self.begin_step(*turn, *step),
            Event::Outcome { step, .. } => {
                let is_waiting = self.unanswered.remove(step);
                is_waiting.then_some(()).ok_or(SequenceError::NotWaiting(*step))
            }
            Event::TurnEnd { turn, .. } => self.end_turn(*turn),
            Event::Note { .. } | Event::Error { .. } | Event::HumanAction { .. } => Ok(()),
        }
    }

    fn begin_turn(&mut self, turn: u32) -> Result<(), SequenceError> {
        // Without gaps: a line that got lost is noticed at the next one.
        let expected = self.last_turn.saturating_add(1);
        if self.turn_is_open || turn != expected {
            return Err(SequenceError::Turn { expected, found: turn });
        }
        self.last_turn = turn;
        self.turn_is_open = true;
        Ok(())
    }

    fn in_turn(&self, turn: u32, what: &'static str) -> Result<(), SequenceError> {
        if self.turn_is_open && turn == self.last_turn {
            return Ok(());
        }
        Err(SequenceError::NotOpen { what, turn })
    }

    fn begin_step(&mut self, turn: u32, step: u32) -> Result<(), SequenceError> {
        self.in_turn(turn, "a call")?;
        let expected = self.last_step.saturating_add(1);
        if step != expected {
            return Err(SequenceError::Step { expected, found: step });
        }
        self.last_step = step;
        self.unanswered.insert(step);
        Ok(())
    }

    fn end_turn(&mut self, turn: u32) -> Result<(), SequenceError> {
        self.in_turn(turn, "an end")?;
        self.turn_is_open = false;
        // A turn may end without answers: a run that was cancelled between its calls.
        self.unanswered.clear();
        Ok(())
    }
}
