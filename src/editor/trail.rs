//! What was selected before and after each step that can be undone, and whose it is.

use super::selection::Selection;
use super::step::Author;
use crate::design::gesture::Pushed;

/// What the steps of a [`History`](crate::design::gesture::History) do not say themselves, step for step.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectionTrail {
    done: Vec<Around>,
    undone: Vec<Around>,
    /// Whether the act that made the last of `done` goes on: what it selects belongs to it.
    is_open: bool,
}

/// What was selected around a step, and who did it.
#[derive(Clone, Debug)]
struct Around {
    author: Author,
    before: Selection,
    after: Selection,
}

impl SelectionTrail {
    /// The history took in an edit of somebody's.
    pub(super) fn pushed(&mut self, pushed: Pushed, author: Author, selection: &Selection) {
        match pushed {
            Pushed::Nothing => return,
            Pushed::Step => {
                let (before, after) = (selection.clone(), selection.clone());
                self.done.push(Around { author, before, after });
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

    /// The last step is undone: what was selected before it. Whosever it was, the person takes it back.
    pub(super) fn undo(&mut self) -> Option<(Author, Selection)> {
        self.is_open = false;
        let around = self.done.pop()?;
        let before = around.before.clone();
        self.undone.push(around);
        Some((Author::Person, before))
    }

    /// The step undone last is done again: whose it was, and what was selected after it.
    pub(super) fn redo(&mut self) -> Option<(Author, Selection)> {
        self.is_open = false;
        let around = self.undone.pop()?;
        let (author, after) = (around.author, around.after.clone());
        self.done.push(around);
        Some((author, after))
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
        trail.pushed(Pushed::Step, Author::Assistant, &selection("before"));
        trail.selected(&selection("made"));
        trail.close();
        trail.selected(&selection("later"));
        assert_eq!(trail.undo(), Some((Author::Person, selection("before"))));
        assert_eq!(trail.redo(), Some((Author::Assistant, selection("made"))));
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
            trail.pushed(pushed, Author::Person, &selection(id));
        }
        for id in ["g", "c", "a"] {
            assert_eq!(trail.undo(), Some((Author::Person, selection(id))));
        }
        assert_eq!(trail.undo(), None);
        trail.redo();
        trail.pushed(Pushed::Step, Author::Person, &selection("h"));
        assert_eq!(trail.redo(), None, "another step forgets what was undone");
    }
}
