//! How the canvas is looked at where people design by hand.

use serde::{Deserialize, Serialize};

/// What is remembered of it from one session to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CanvasSettings {
    /// Whether there are rulers at the edges.
    pub rulers: bool,
    /// Whether lines between the pixels show from eight points a unit on.
    pub pixel_grid: bool,
    /// Whether nodes are lines in place of the picture.
    pub outlines: bool,
    /// Whether there is nothing but the canvas.
    pub hides_panels: bool,
    /// Whether what is dragged is drawn to what lies near.
    pub snaps: bool,
    /// How the goal is looked at beside what there is.
    pub goal: GoalView,
}

/// How the goal is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalView {
    /// Only as long as its key is held.
    #[default]
    Off,
    /// At the right of the design, as large.
    Beside,
    /// Over the design, half clear.
    Over,
}

/// A change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookCommand {
    /// With rulers, or without.
    Rulers(bool),
    /// With lines between the pixels, or without.
    PixelGrid(bool),
    /// Lines in place of the picture, or the picture.
    Outlines(bool),
    /// Nothing but the canvas, or all panels.
    HidePanels(bool),
    /// Draw what is dragged to what lies near, or not.
    Snap(bool),
    /// Look at the goal so.
    Goal(GoalView),
    /// Show the goal in place of the design, as long as a key is held.
    HoldGoal(bool),
}

impl Default for CanvasSettings {
    fn default() -> Self {
        Self {
            rulers: false,
            pixel_grid: true,
            outlines: false,
            hides_panels: false,
            snaps: true,
            goal: GoalView::Off,
        }
    }
}
