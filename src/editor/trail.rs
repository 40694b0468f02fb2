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
    /// The history took in an edit.
    pub(super) fn pushed(&mut self, pushed: Pushed, selection: &Selection) {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(id: &str) -> Selection {
        Selection { nodes: vec![id.into()], entered: None }
    }

    #[test]
    fn an_act_that_goes_on_decides_what_is_selected_after_it() {
        let mut trail = SelectionTrail::default();
        trail.pushed(Pushed::Step, &selection("before"));
        trail.selected(&selection("made"));
        trail.close();
        trail.selected(&selection("later"));
        assert_eq!(trail.undo(), Some(selection("before")));
        assert_eq!(trail.redo(), Some(selection("made")));
        assert_eq!(trail.redo(), None);
    }

    #[test]
    fn it_goes_the_way_of_the_history() {
        let mut trail = SelectionTrail::default();
        for (pushed, id) in [
            (Pushed::Step, "a"),
            (Pushed::Nothing, "b"),
            (Pushed::Step, "c"),
            (Pushed::Grown, "d"),
            (Pushed::Step, "e"),
            (Pushed::TakenBack, "f"),
            (Pushed::Step, "g"),
        ] {
            trail.pushed(pushed, &selection(id));
        }
        for id in ["g", "c", "a"] {
            assert_eq!(trail.undo(), Some(selection(id)));
        }
        assert_eq!(trail.undo(), None);
        trail.redo();
        trail.pushed(Pushed::Step, &selection("h"));
        assert_eq!(trail.redo(), None, "another step forgets what was undone");
    }
}
