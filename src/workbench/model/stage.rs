//! What the stage shows and how.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::label::Place;

use super::ids::RunId;

/// Most pictures beside that of the run that can be put on the stage.
pub const MOST_SLOTS: usize = 5;
/// What they are called, by their places.
pub const SLOT_NAMES: [&str; MOST_SLOTS] = ["A", "B", "C", "D", "E"];
/// How many times a difference is magnified at most.
pub const MOST_GAIN: f32 = 16.0;
/// Most pixels that a shift is tolerated over.
pub const MOST_SHIFT: u8 = 3;

/// What the stage shows and how. Zoom and pan are shared by all panes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stage {
    /// Panes shown, in this order.
    pub panes: BTreeSet<StagePane>,
    /// `None`: fit; else screen points a ground-truth pixel.
    pub zoom: Option<f32>,
    /// The middle of the view as a fraction of the picture.
    pub center: [f32; 2],
    /// Below this difference, as a share of the largest, the heat shows nothing.
    pub heat_threshold: f32,
    /// Heat over the run's picture, 0 off ..= 1.
    pub heat_opacity: f32,
    /// The run's pane shows the ground truth for now.
    #[serde(skip)]
    pub hold_ground_truth: bool,
    /// A place of a run whose region is framed.
    #[serde(skip)]
    pub place: Option<(RunId, Place)>,
    /// Boxes around nodes: matched, moved, missing, extra.
    pub boxes: bool,
    /// The pixels around the pointer, large, of every picture.
    pub loupe: bool,
    /// How the run and what it is compared with are laid out.
    pub view: StageView,
    /// What the run is compared with where they lie over one another.
    #[serde(skip)]
    pub against: Against,
    /// Where the swipe parts them, as a fraction of the picture.
    pub swipe: f32,
    /// The swipe parts above from below, not left from right.
    pub swipe_down: bool,
    /// How much of the onion skin is what the run is compared with, 0 ..= 1.
    pub onion: f32,
    /// What the difference of the channels is multiplied with, 1 ..= [`MOST_GAIN`].
    pub gain: f32,
    /// What the difference lets pass.
    pub tolerance: PixelTolerance,
    /// A drag draws an area that the difference leaves out.
    #[serde(skip)]
    pub draws_ignored: bool,
    /// Pictures put beside the run, at most [`MOST_SLOTS`]; kept from one session to the next as [`SavedSlot`]s.
    #[serde(skip)]
    pub slots: Vec<Slot>,
    /// Which step other runs show.
    pub lock: SlotLock,
    /// Where runs are locked by what goes together: so many rows of their alignment have passed; `None`: those
    /// up to the selected run's step.
    #[serde(skip)]
    pub rows_passed: Option<u32>,
}

/// How the run and what it is compared with are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageView {
    /// Each in a pane of its own.
    #[default]
    SideBySide,
    /// The run on one side of an edge that is dragged, the other one on its other side.
    Swipe,
    /// The other one over the run, half clear.
    OnionSkin,
    /// How far their channels are apart.
    Difference,
    /// One after the other in the same place.
    Blink,
}

/// What a difference of two pictures lets pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct PixelTolerance {
    /// Pixels that only smooth an edge are the same.
    pub ignores_antialiasing: bool,
    /// A pixel is the same if one within so many pixels is, 0 ..= [`MOST_SHIFT`].
    pub shift: u8,
    /// Colours that differ by no more than this share of the largest difference are the same, in hundredths.
    pub threshold_percent: u8,
}

impl Default for PixelTolerance {
    fn default() -> Self {
        Self { ignores_antialiasing: false, shift: 0, threshold_percent: 10 }
    }
}

impl PixelTolerance {
    /// Whether it lets nothing pass: the channels are told apart as they are.
    pub fn is_exact(self) -> bool {
        !self.ignores_antialiasing && self.shift == 0
    }
}

/// What the run is compared with where they lie over one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// The ground truth.
    #[default]
    GroundTruth,
    /// The run with other calls, while there is one.
    Branch,
    /// The picture in this slot.
    Slot(u8),
}

/// A picture put beside the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A run of the library.
    Run {
        /// Which.
        run: RunId,
        /// The step it stays at; `None`: the one that [`Stage::lock`] says.
        pinned: Option<u32>,
    },
    /// What the selected task begins with.
    Start,
    /// A picture file.
    File(Arc<Path>),
}

/// A picture put beside the run, as it is found again later: in another session, or by a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedSlot {
    /// A run.
    Run {
        /// Its folder.
        dir: PathBuf,
        /// The step it stays at.
        pinned: Option<u32>,
    },
    /// What the selected task begins with.
    Start,
    /// A picture file.
    File(PathBuf),
}

impl SavedSlot {
    /// Whether its path, if it has one, is text, as in files of the session and in links.
    pub fn is_text(&self) -> bool {
        match self {
            Self::Run { dir: path, .. } | Self::File(path) => path.to_str().is_some(),
            Self::Start => true,
        }
    }
}

/// Which step other runs show as the selected one moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotLock {
    /// The same step; the last one of a shorter run.
    #[default]
    Step,
    /// The last step of the same turn.
    Turn,
    /// As far in their own steps as the selected run is in its.
    Progress,
    /// The step that goes with it, by what was called, what that changed and what the canvas looks like.
    Alignment,
}

impl StageView {
    /// All, in the order they are offered.
    pub const ALL: [Self; 5] =
        [Self::SideBySide, Self::Swipe, Self::OnionSkin, Self::Difference, Self::Blink];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::SideBySide => "Side by side",
            Self::Swipe => "Swipe",
            Self::OnionSkin => "Onion skin",
            Self::Difference => "Difference",
            Self::Blink => "Blink",
        }
    }
}

impl SlotLock {
    /// The one after this.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Step => Self::Turn,
            Self::Turn => Self::Progress,
            Self::Progress => Self::Alignment,
            Self::Alignment => Self::Step,
        }
    }

    /// All, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Step, Self::Turn, Self::Progress, Self::Alignment];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "Step",
            Self::Turn => "Turn",
            Self::Progress => "Progress",
            Self::Alignment => "Alignment",
        }
    }
}

/// A pane of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StagePane {
    /// The run at the selected step.
    Run,
    /// The run with other calls, while the inspector shows those.
    Branch,
    /// The ground truth.
    GroundTruth,
    /// Where they differ.
    Heat,
    /// The document of a program, by its place; in place of the run's where all stand side by side.
    Program(u8),
    /// The run and what it is compared with, over one another ([`Stage::view`]); in place of both.
    Overlaid,
    /// A picture put beside the run, by its place in [`Stage::slots`].
    Slot(u8),
}

/// What is the same of a kind of pane wherever it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneFacts {
    /// The picture in it, or under its map.
    pub picture: PanePicture,
    /// What a file of it is called at first.
    pub file: &'static str,
    /// Whether it is a map over that picture, which lies on black in both themes.
    pub is_map: bool,
    /// Whether people show and hide it by itself; all others follow from what is open.
    pub is_chosen: bool,
    /// Whether the ground truth takes its place while the key for that is held.
    pub gives_way: bool,
}

/// The pictures that panes show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanePicture {
    /// Of the run at the selected step.
    Run,
    /// Of the run with other calls.
    Branch,
    /// Of the ground truth.
    GroundTruth,
    /// Of a program's document, by the program's place.
    Program(u8),
    /// One beside the run, by its place in [`Stage::slots`].
    Slot(u8),
}

impl StagePane {
    /// What is the same of it everywhere. A new pane is written here, and drawn and titled in `ui/stage`.
    pub fn facts(self) -> PaneFacts {
        let run = PaneFacts {
            picture: PanePicture::Run,
            file: "run.png",
            is_map: false,
            is_chosen: false,
            gives_way: false,
        };
        match self {
            Self::Run => PaneFacts { is_chosen: true, gives_way: true, ..run },
            // Where they lie over one another, the key shows what the run is compared with.
            Self::Overlaid => run,
            Self::Slot(at) => PaneFacts { picture: PanePicture::Slot(at), ..run },
            Self::Branch => PaneFacts { picture: PanePicture::Branch, file: "what-if.png", ..run },
            Self::Program(at) => PaneFacts {
                picture: PanePicture::Program(at),
                file: "document.png",
                gives_way: true,
                ..run
            },
            Self::GroundTruth => PaneFacts {
                picture: PanePicture::GroundTruth,
                file: "ground-truth.png",
                is_chosen: true,
                ..run
            },
            Self::Heat => PaneFacts { file: "heat.png", is_map: true, is_chosen: true, ..run },
        }
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            panes: BTreeSet::from([StagePane::Run, StagePane::GroundTruth, StagePane::Heat]),
            zoom: None,
            center: [0.5, 0.5],
            heat_threshold: 0.35,
            heat_opacity: 0.0,
            hold_ground_truth: false,
            place: None,
            boxes: false,
            loupe: false,
            view: StageView::default(),
            against: Against::default(),
            swipe: 0.5,
            swipe_down: false,
            onion: 0.5,
            gain: 1.0,
            tolerance: PixelTolerance::default(),
            draws_ignored: false,
            slots: Vec::new(),
            lock: SlotLock::default(),
            rows_passed: None,
        }
    }
}

impl Stage {
    /// The same with what a file said of it brought into range.
    pub(super) fn within_bounds(mut self) -> Self {
        // Programs come with a run, and this one may be shown with another.
        self.panes.retain(|pane| pane.facts().is_chosen);
        if self.panes.is_empty() {
            self.panes = Self::default().panes;
        }
        self.zoom = self.zoom.filter(|zoom| zoom.is_finite() && (0.01..=64.0).contains(zoom));
        if !self.center.iter().all(|at| at.is_finite() && at.abs() < 100.0) {
            self.center = [0.5, 0.5];
        }
        let opacity = self.heat_opacity;
        self.heat_opacity = if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 0.0 };
        for share in [&mut self.swipe, &mut self.onion] {
            *share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        }
        self.gain = if self.gain.is_finite() { self.gain.clamp(1.0, MOST_GAIN) } else { 1.0 };
        self.tolerance.shift = self.tolerance.shift.min(MOST_SHIFT);
        self.tolerance.threshold_percent = self.tolerance.threshold_percent.min(100);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_pane_has_facts_of_its_own() {
        let panes = [
            (StagePane::Run, "run.png", PanePicture::Run),
            (StagePane::Branch, "what-if.png", PanePicture::Branch),
            (StagePane::GroundTruth, "ground-truth.png", PanePicture::GroundTruth),
            (StagePane::Heat, "heat.png", PanePicture::Run),
            (StagePane::Program(2), "document.png", PanePicture::Program(2)),
            (StagePane::Overlaid, "run.png", PanePicture::Run),
            (StagePane::Slot(1), "run.png", PanePicture::Slot(1)),
        ];
        for (pane, file, picture) in panes {
            let facts = pane.facts();
            assert_eq!((facts.file, facts.picture), (file, picture), "{pane:?}");
            assert_eq!(facts.is_map, pane == StagePane::Heat, "{pane:?}");
        }
        // What a file says of panes that follow from what is open is left out.
        let all = panes.map(|(pane, ..)| pane);
        let stage = Stage { panes: BTreeSet::from(all), ..Stage::default() }.within_bounds();
        assert_eq!(stage.panes, Stage::default().panes);
        let giving_way = all.into_iter().filter(|pane| pane.facts().gives_way);
        assert_eq!(giving_way.collect::<Vec<_>>(), [StagePane::Run, StagePane::Program(2)]);
    }
}
