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
    /// How far arrow keys move what is selected.
    pub nudge: NudgeSizes,
}

/// How far arrow keys move and resize what is selected, in units of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NudgeSizes {
    small: u16,
    big: u16,
}

impl NudgeSizes {
    /// The least and the most of each.
    pub const RANGE: (u16, u16) = (1, 1_000);

    /// Those of an arrow key alone and with Shift; `None` of one that is not in the range.
    pub fn new(small: u16, big: u16) -> Option<Self> {
        let (least, most) = Self::RANGE;
        let are_in_range = [small, big].iter().all(|size| (least..=most).contains(size));
        are_in_range.then_some(Self { small, big })
    }

    /// That of an arrow key alone.
    pub fn small(self) -> u16 {
        Self::in_range(self.small)
    }

    /// That of an arrow key with Shift.
    pub fn big(self) -> u16 {
        Self::in_range(self.big)
    }

    /// Settings may have been written by hand.
    fn in_range(size: u16) -> u16 {
        size.clamp(Self::RANGE.0, Self::RANGE.1)
    }
}

impl Default for NudgeSizes {
    fn default() -> Self {
        Self { small: 1, big: 10 }
    }
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
    /// Move and resize so far by arrow keys.
    Nudge(NudgeSizes),
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
            nudge: NudgeSizes::default(),
        }
    }
}
