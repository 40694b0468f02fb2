//! What is seen in all windows together.

use crate::workbench::model::{DockedPanel, PanelWindow, State, Workspace};

impl State {
    /// Whether a panel has a window of its own.
    pub fn has_window(&self, panel: PanelWindow) -> bool {
        self.windows.open.contains(&panel)
    }

    /// Whether the main window leaves a panel out: it is hidden.
    pub fn is_panel_hidden(&self, panel: DockedPanel) -> bool {
        self.windows.hidden.contains(&panel)
    }

    /// Whether windows of panels show nothing: they name runs, and somebody labels blind.
    pub fn hides_panel_windows(&self) -> bool {
        self.workspace == Workspace::Annotate && self.annotate.is_blind()
    }

    /// Whether the table over all runs is seen, in the main window or in its own.
    pub fn shows_explore(&self) -> bool {
        self.workspace == Workspace::Explore || self.is_seen_apart(&[PanelWindow::Explore])
    }

    /// Whether what belongs to the selected step is seen: the stage, the inspector or the timeline.
    pub fn shows_step(&self) -> bool {
        let of_step = [PanelWindow::Stage, PanelWindow::Inspector, PanelWindow::Timeline];
        self.workspace == Workspace::Inspect || self.is_seen_apart(&of_step)
    }

    fn is_seen_apart(&self, panels: &[PanelWindow]) -> bool {
        !self.hides_panel_windows() && panels.iter().any(|panel| self.has_window(*panel))
    }
}
