//! What every panel gets: the state to draw from and the queue to ask through.

use std::cell::RefCell;

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
pub struct CommandQueue(RefCell<Vec<Command>>);

impl CommandQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for something.
    pub fn send(&self, command: Command) {
        self.0.borrow_mut().push(command);
    }

    /// Everything asked since the last time.
    pub fn take(&self) -> Vec<Command> {
        self.0.take()
    }
}

impl ViewContext<'_> {
    /// Asks for something.
    pub fn send(&self, command: Command) {
        self.commands.send(command);
    }
}
