//! What the panes show this frame, and how large it is.

use egui::{Vec2, vec2};

use super::geometry;
use crate::ui::context::ViewContext;
use crate::workbench::views::{self, Heat, Pane};
use crate::workbench::{PanePicture, Slot, StagePane, State};

/// What the panes show this frame.
pub(super) struct ShownPanes<'a> {
    /// In order.
    pub(super) panes: Vec<StagePane>,
    pub(super) run: Pane<'a>,
    pub(super) branch: Pane<'a>,
    pub(super) ground_truth: Pane<'a>,
    pub(super) heat: Heat<'a>,
    /// Of programs side by side, by their places.
    pub(super) programs: Vec<(u8, Pane<'a>)>,
    /// Beside the run, by their places.
    pub(super) slots: Vec<Pane<'a>>,
    /// What the run is compared with where they lie over one another.
    pub(super) against: StagePane,
}

impl<'a> ShownPanes<'a> {
    /// What these panes show.
    pub(super) fn of(state: &'a State, panes: Vec<StagePane>) -> Self {
        let programs = state.programs_side_by_side().into_iter();
        Self {
            panes,
            run: views::pane(state, StagePane::Run),
            branch: views::pane(state, StagePane::Branch),
            ground_truth: views::pane(state, StagePane::GroundTruth),
            heat: views::heat(state),
            programs: programs.map(|at| (at, views::pane(state, StagePane::Program(at)))).collect(),
            slots: (0..state.stage.slots.len() as u8)
                .map(|at| views::pane(state, StagePane::Slot(at)))
                .collect(),
            against: views::against_pane(state),
        }
    }

    /// Whether the run with other calls is seen: in a pane of its own, or over the run.
    pub(super) fn shows_branch(&self) -> bool {
        let is_over =
            self.panes.contains(&StagePane::Overlaid) && self.against == StagePane::Branch;
        is_over || self.panes.contains(&StagePane::Branch)
    }

    /// The picture of a pane; the heat lies over the run's.
    pub(super) fn pane(&self, pane: StagePane) -> &Pane<'a> {
        match pane.facts().picture {
            PanePicture::GroundTruth => &self.ground_truth,
            PanePicture::Run => &self.run,
            PanePicture::Slot(at) => self.slots.get(usize::from(at)).unwrap_or(&self.run),
            PanePicture::Branch => &self.branch,
            PanePicture::Program(at) => {
                let found = self.programs.iter().find(|(of, _)| *of == at);
                // A program whose pane has just gone: for this frame the run's stands in.
                found.map_or(&self.run, |(_, pane)| pane)
            }
        }
    }

    /// The size the zoom counts in: the ground truth's; else that of a page which all documents side
    /// by side would fit on; else the run's.
    pub(super) fn reference(&self) -> Vec2 {
        let mut size = pixels_of(&self.ground_truth);
        if size.is_none() {
            let documents = self.programs.iter().filter_map(|(_, pane)| pixels_of(pane));
            size = documents.reduce(|[w, h], [width, height]| [w.max(width), h.max(height)]);
        }
        // A phone's screen until anything is there: what most tasks show.
        let [width, height] = size.or_else(|| pixels_of(&self.run)).unwrap_or([390, 844]);
        vec2(width as f32, height as f32)
    }

    /// How large a pane's picture is in pixels of the reference.
    pub(super) fn extent(&self, pane: StagePane, reference: Vec2) -> Option<Vec2> {
        let [width, height] = self.pixels(pane)?;
        let pixels = vec2(width as f32, height as f32);
        Some(match pane {
            // Documents are of any page, a card beside a poster; versions of one screen are laid
            // over each other instead.
            StagePane::Program(_) => geometry::within(reference, pixels),
            // Both are seen whole.
            StagePane::Overlaid => {
                let run = geometry::as_wide_as(reference, pixels);
                let against = self.pixels(self.against).map_or(run, |[width, height]| {
                    geometry::as_wide_as(reference, vec2(width as f32, height as f32))
                });
                run.max(against)
            }
            _ => geometry::as_wide_as(reference, pixels),
        })
    }

    /// The pixels of what a pane shows.
    pub(super) fn pixels(&self, pane: StagePane) -> Option<[u32; 2]> {
        // A map may be of the smaller size of the two; it covers the place of what the run is compared with.
        let against = self.heat.slot.map_or(StagePane::GroundTruth, StagePane::Slot);
        let covered = pixels_of(self.pane(against)).filter(|_| pane.facts().is_map);
        covered.or_else(|| pixels_of(self.pane(pane)))
    }
}

fn pixels_of(pane: &Pane<'_>) -> Option<[u32; 2]> {
    pane.picture.map(|picture| [picture.pixels.width(), picture.pixels.height()])
}

/// Whether a pane shows what is scored: the run, and of several documents the one worked in last.
pub(super) fn is_compared(cx: &ViewContext<'_>, pane: StagePane) -> bool {
    views::is_compared(cx.state, pane)
}

/// Whether a pane shows the ground truth for now, as the key for it is held.
pub(super) fn is_held(cx: &ViewContext<'_>, pane: StagePane) -> bool {
    let facts = pane.facts();
    // Of several documents, only the one that it is the ground truth of.
    let is_meant = facts.picture == PanePicture::Run || is_compared(cx, pane);
    facts.gives_way && is_meant && cx.state.stage.hold_ground_truth
}

/// What a picture beside the run is of.
pub(super) fn slot_name<'a>(cx: &ViewContext<'a>, at: u8) -> &'a str {
    match cx.state.stage.slots.get(usize::from(at)) {
        Some(Slot::Run { run, .. }) => {
            let entry = cx.state.library.runs.get(run);
            entry.map_or("a run that was closed", |entry| &entry.manifest.agent.name)
        }
        Some(Slot::Start) => "Start state",
        Some(Slot::File(path)) => {
            path.file_name().and_then(|name| name.to_str()).unwrap_or("Picture")
        }
        None => "",
    }
}

/// What the run is compared with, in a few words.
pub(super) fn name_of(cx: &ViewContext<'_>, against: StagePane) -> String {
    let StagePane::Slot(at) = against else {
        let name = if against == StagePane::Branch { "What-if" } else { "Ground truth" };
        return name.to_owned();
    };
    let name = slot_name(cx, at);
    match cx.state.stage.slots.get(usize::from(at)) {
        // Of one run at two steps, the name alone would tell nothing apart.
        Some(Slot::Run { pinned: Some(step), .. }) => format!("{name} · step {step}"),
        _ => name.to_owned(),
    }
}
