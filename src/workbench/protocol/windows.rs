//! Panels in windows of their own.

use crate::workbench::model::{PanelWindow, SecondStage, WindowPlace};

/// Moving panels to windows of their own and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowsCommand {
    /// Move a panel to a window of its own, or dock it back into the main window.
    Toggle(PanelWindow),
    /// Dock it back, as its window is closed.
    Dock(PanelWindow),
    /// Dock all of them back.
    DockAll,
    /// Its window stands there now.
    Place(PanelWindow, WindowPlace),
    /// Its window is to come to the front; `None`: it has.
    ToFront(Option<PanelWindow>),
    /// Show this on the second stage.
    SecondStage(SecondStage),
}
