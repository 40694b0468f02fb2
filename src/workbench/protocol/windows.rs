//! Panels that are hidden, or in windows of their own.

use crate::workbench::model::{DockedPanel, PanelWindow, SecondStage, WindowPlace};

/// Hiding panels, moving them to windows of their own and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindowsCommand {
    /// Move a panel to a window of its own, or dock it back into the main window.
    Toggle(PanelWindow),
    /// Dock it back, as its window is closed.
    Dock(PanelWindow),
    /// Dock all of them back.
    DockAll,
    /// Hide a panel of the main window, or show it again.
    ToggleHidden(DockedPanel),
    /// Show it, as something in it is gone to.
    Unhide(DockedPanel),
    /// Its window stands there now.
    Place(PanelWindow, WindowPlace),
    /// Its window is to come to the front; `None`: it has.
    ToFront(Option<PanelWindow>),
    /// Show this on the second stage.
    SecondStage(SecondStage),
}
