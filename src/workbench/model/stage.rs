//! What the stage shows and how.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

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
    /// Boxes around nodes: matched, moved, missing, extra.
    pub boxes: bool,
}

/// A pane of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StagePane {
    /// The run at the selected step.
    Run,
    /// The ground truth.
    GroundTruth,
    /// Where they differ.
    Heat,
    /// The document of a program, by its place; in place of the run's where all stand side by side.
    Program(u8),
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
            boxes: false,
        }
    }
}

impl Stage {
    /// The same with what a file said of it brought into range.
    pub(super) fn within_bounds(mut self) -> Self {
        // Programs come with a run, and this one may be shown with another.
        self.panes.retain(|pane| !matches!(pane, StagePane::Program(_)));
        if self.panes.is_empty() {
            self.panes = Self::default().panes;
        }
        self.zoom = self.zoom.filter(|zoom| zoom.is_finite() && (0.01..=64.0).contains(zoom));
        if !self.center.iter().all(|at| at.is_finite() && at.abs() < 100.0) {
            self.center = [0.5, 0.5];
        }
        let opacity = self.heat_opacity;
        self.heat_opacity = if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 0.0 };
        self
    }
}
