//! Panels: which are hidden, which are in windows of their own and where those stand, what the second stage shows.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::base::Rect;

/// Smallest and largest side of a window, in points of the system.
const SIDES: (f64, f64) = (160.0, 16_000.0);
/// No screen is further away, in points of the system.
const FURTHEST: f64 = 100_000.0;
/// The strip of a window by which it is moved, in points of the system.
const GRIP: f64 = 32.0;
/// So much of that strip has to be on a screen, or nobody gets hold of it.
const LEAST_GRIP: f64 = 80.0;

/// A panel that can have a window of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelWindow {
    /// A second stage: the main window keeps its own.
    Stage,
    /// The inspector.
    Inspector,
    /// The timeline.
    Timeline,
    /// The table over all runs, with its plots.
    Explore,
}

/// A panel of the main window that can be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DockedPanel {
    /// The library at the left.
    Library,
    /// The inspector at the right.
    Inspector,
    /// The timeline below the stage.
    Timeline,
}

/// What the second stage shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondStage {
    /// Every picture of the stage.
    #[default]
    All,
    /// The pictures beside the run that stay as they are while it is stepped through.
    Pinned,
}

/// Where a window stands, in points of the system, which the size of texts does not change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowPlace {
    /// The top left corner of its frame; `None` where the system does not say.
    pub corner: Option<[f64; 2]>,
    /// Width and height of what is in the frame.
    pub size: [f64; 2],
    /// Whether it fills its screen.
    #[serde(default)]
    pub is_maximized: bool,
}

/// Which panels are where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelWindows {
    /// Those that have one now.
    pub open: BTreeSet<PanelWindow>,
    /// Where each stands or stood last.
    pub places: BTreeMap<PanelWindow, WindowPlace>,
    /// Those of the main window that are hidden.
    pub hidden: BTreeSet<DockedPanel>,
    /// What the second stage shows.
    pub second_stage: SecondStage,
    /// The window that is to come to the front, until it has.
    #[serde(skip)]
    pub to_front: Option<PanelWindow>,
}

impl PanelWindow {
    /// All, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Stage, Self::Inspector, Self::Timeline, Self::Explore];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stage => "Stage",
            Self::Inspector => "Inspector",
            Self::Timeline => "Timeline",
            Self::Explore => "Explore",
        }
    }

    /// The panel that it is docked as; the stage and the table have rooms of their own.
    pub fn docked(self) -> Option<DockedPanel> {
        match self {
            Self::Inspector => Some(DockedPanel::Inspector),
            Self::Timeline => Some(DockedPanel::Timeline),
            Self::Stage | Self::Explore => None,
        }
    }

    /// How large its window is at first, in points of the system.
    pub fn usual_size(self) -> [f64; 2] {
        match self {
            Self::Stage => [1100.0, 760.0],
            Self::Inspector => [420.0, 760.0],
            Self::Timeline => [1100.0, 320.0],
            Self::Explore => [1280.0, 800.0],
        }
    }
}

impl WindowPlace {
    /// The same on the screens there are, given in points of the system, that of the main window first: a
    /// window that nobody could get hold of, as its screen is gone, comes onto the first one, and none is larger
    /// than its screen. Without a corner or without screens only what is known is held.
    #[must_use]
    pub fn on_screens(self, screens: &[Rect]) -> Self {
        let Some(first) = screens.first() else { return self };
        let [width, height] = self.size;
        let Some([x, y]) = self.corner else {
            return Self { size: [width.min(first.width), height.min(first.height)], ..self };
        };
        let grip = Rect { x, y, width, height: GRIP };
        let screen = screens.iter().find(|screen| {
            let [across, down] = overlap(grip, **screen);
            across >= LEAST_GRIP.min(width) && down >= GRIP * 0.5
        });
        if let Some(screen) = screen {
            return Self { size: [width.min(screen.width), height.min(screen.height)], ..self };
        }
        let size = [width.min(first.width), height.min(first.height)];
        // As far right and down as it fits, then not beyond the left and the upper edge.
        let corner = [
            x.min(first.x + first.width - size[0]).max(first.x),
            y.min(first.y + first.height - size[1]).max(first.y),
        ];
        Self { corner: Some(corner), size, ..self }
    }

    fn is_possible(&self) -> bool {
        let (low, high) = SIDES;
        let mut corner = self.corner.iter().flatten();
        self.size.iter().all(|side| (low..=high).contains(side))
            && corner.all(|at| at.abs() <= FURTHEST)
    }
}

/// How wide and how high what two boxes share is; 0 where they share nothing.
fn overlap(one: Rect, other: Rect) -> [f64; 2] {
    let across = (one.x + one.width).min(other.x + other.width) - one.x.max(other.x);
    let down = (one.y + one.height).min(other.y + other.height) - one.y.max(other.y);
    [across.max(0.0), down.max(0.0)]
}

impl PanelWindows {
    /// Where the window of a panel stands or is to stand.
    pub fn place(&self, panel: PanelWindow) -> WindowPlace {
        let usual = WindowPlace { corner: None, size: panel.usual_size(), is_maximized: false };
        self.places.get(&panel).copied().unwrap_or(usual)
    }

    /// The same with what a file said of it brought into range.
    pub(super) fn within_bounds(mut self) -> Self {
        self.places.retain(|_, place| place.is_possible());
        self
    }

    /// What a session file says of windows; another version may know others, which costs nobody the rest of
    /// the session.
    pub(super) fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Value::deserialize(deserializer)?;
        Ok(serde_json::from_value(stored).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: Rect = Rect { x: 0.0, y: 0.0, width: 1920.0, height: 1080.0 };
    const RIGHT: Rect = Rect { x: 1920.0, y: 200.0, width: 1280.0, height: 1024.0 };

    fn at(x: f64, y: f64) -> WindowPlace {
        WindowPlace { corner: Some([x, y]), size: [800.0, 600.0], is_maximized: false }
    }

    #[test]
    fn a_window_stays_on_a_second_screen_and_comes_back_when_that_is_gone() {
        let place = at(2100.0, 300.0);
        assert_eq!(place.on_screens(&[MAIN, RIGHT]), place);
        assert_eq!(place.on_screens(&[MAIN]), at(1120.0, 300.0));
        // Half of it hangs over the edge, as somebody put it: the strip is still there to hold.
        assert_eq!(at(1500.0, 700.0).on_screens(&[MAIN]), at(1500.0, 700.0));
        // Its title is above the screen, or a corner of it alone is on it.
        assert_eq!(at(100.0, -500.0).on_screens(&[MAIN]), at(100.0, 0.0));
        assert_eq!(at(1900.0, 100.0).on_screens(&[MAIN]), at(1120.0, 100.0));
        // Between the two: beside the lower edge of the first, above the upper one of the second.
        assert_eq!(at(1930.0, 20.0).on_screens(&[MAIN, RIGHT]), at(1120.0, 20.0));
    }

    #[test]
    fn no_window_is_larger_than_its_screen() {
        let small = Rect { width: 640.0, height: 480.0, ..MAIN };
        let shown = at(3000.0, 3000.0).on_screens(&[small]);
        assert_eq!((shown.corner, shown.size), (Some([0.0, 0.0]), [640.0, 480.0]));
        // Where the system does not say where windows are, it puts them on a screen itself.
        let nowhere = WindowPlace { corner: None, ..at(0.0, 0.0) };
        assert_eq!(nowhere.on_screens(&[small]).size, [640.0, 480.0]);
        assert_eq!(at(9000.0, 9000.0).on_screens(&[]), at(9000.0, 9000.0));
    }

    #[test]
    fn places_that_no_window_can_have_are_forgotten_and_the_usual_one_is_taken() {
        let huge = WindowPlace { size: [1e9, 600.0], ..at(0.0, 0.0) };
        let far = at(1e9, 0.0);
        let windows = PanelWindows {
            places: BTreeMap::from([
                (PanelWindow::Stage, huge),
                (PanelWindow::Inspector, far),
                (PanelWindow::Timeline, at(10.0, 20.0)),
            ]),
            ..PanelWindows::default()
        };
        let windows = windows.within_bounds();
        assert_eq!(windows.places.len(), 1);
        assert_eq!(windows.place(PanelWindow::Timeline), at(10.0, 20.0));
        assert_eq!(windows.place(PanelWindow::Stage).size, PanelWindow::Stage.usual_size());
    }
}
