//! What every panel gets: the state to draw from and the queue to ask through.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::workbench::{Command, State};

/// What every panel gets. A panel reads the state and sends commands; it changes nothing.
#[derive(Clone, Copy, Debug)]
pub struct ViewContext<'a> {
    /// What there is to show.
    pub state: &'a State,
    /// Where to ask for changes.
    pub commands: &'a CommandQueue,
}

/// Commands of one frame, in the order they were sent; carried out after the frame is drawn.
///
/// The one unbounded queue of the program: it lives on the window's thread and is emptied every
/// frame, so it holds no more than one frame's input can make.
#[derive(Debug, Default)]
pub struct CommandQueue(RefCell<VecDeque<QueuedInput>>);

#[derive(Debug)]
enum QueuedInput {
    Command(Command),
    /// A key was pressed: what it does depends on what the keys before it did.
    Key(Box<dyn KeyMeaning>),
}

/// What a key means.
pub(super) trait KeyMeaning: std::fmt::Debug {
    /// What it asks for in this state, if anything.
    fn pressed(&self, state: &State) -> Option<Command>;
}

impl CommandQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for something.
    pub fn send(&self, command: Command) {
        self.0.borrow_mut().push_back(QueuedInput::Command(command));
    }

    /// Asks for what a key means when its turn comes.
    pub(super) fn press(&self, key: Box<dyn KeyMeaning>) {
        self.0.borrow_mut().push_back(QueuedInput::Key(key));
    }

    /// The next thing asked for, given the state that the one before it led to; a key that means nothing
    /// then is passed over. `None` once all are taken.
    pub fn next(&self, state: &State) -> Option<Command> {
        loop {
            let asked = self.0.borrow_mut().pop_front()?;
            match asked {
                QueuedInput::Command(command) => return Some(command),
                QueuedInput::Key(key) => {
                    if let Some(command) = key.pressed(state) {
                        return Some(command);
                    }
                }
            }
        }
    }
}

impl ViewContext<'_> {
    /// Asks for something.
    pub fn send(&self, command: Command) {
        self.commands.send(command);
    }
}
