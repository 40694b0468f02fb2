//! What was selected before and after each step that can be undone.

use super::selection::Selection;
use crate::design::gesture::Pushed;

/// The selections around the steps of a [`History`](crate::design::gesture::History), step for step.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectionTrail {
    done: Vec<Around>,
    undone: Vec<Around>,
    /// Whether the act that made the last of `done` goes on: what it selects belongs to it.
    is_open: bool,
}

/// What was selected around a step.
#[derive(Clone, Debug)]
struct Around {
    before: Selection,
    after: Selection,
}

impl SelectionTrail {
    /// The history took in an edit and has so many steps now.
    pub(super) fn pushed(&mut self, pushed: Pushed, selection: &Selection, steps: usize) {
        match pushed {
            Pushed::Nothing => return,
            Pushed::Step => {
                let (before, after) = (selection.clone(), selection.clone());
                self.done.push(Around { before, after });
            }
            Pushed::Grown => {}
            Pushed::TakenBack => drop(self.done.pop()),
        }
        self.is_open = pushed != Pushed::TakenBack;
        self.undone.clear();
        // The oldest are forgotten there as well.
        self.done.drain(..self.done.len().saturating_sub(steps));
    }

    /// Another act begins.
    pub(super) fn close(&mut self) {
        self.is_open = false;
    }

    /// The act that made the last step, if any did, leaves this selected.
    pub(super) fn selected(&mut self, selection: &Selection) {
        if let Some(last) = self.done.last_mut().filter(|_| self.is_open) {
            last.after.clone_from(selection);
        }
    }

    /// The last step is undone: what was selected before it.
    pub(super) fn undo(&mut self) -> Option<Selection> {
        self.is_open = false;
        let around = self.done.pop()?;
        self.undone.push(around);
        self.undone.last().map(|around| around.before.clone())
    }

    /// The step undone last is done again: what was selected after it.
    pub(super) fn redo(&mut self) -> Option<Selection> {
        self.is_open = false;
        let around = self.undone.pop()?;
        self.done.push(around);
        self.done.last().map(|around| around.after.clone())
    }

    /// How many steps it knows the selections of, done and undone.
    #[cfg(test)]
    pub(super) fn len(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }
}
