//! What is remembered from one session to the next.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::nodes::InspectorTab;
use super::outline::Comparison;
use super::protocol::LIBRARY_VARIANT;

/// What is remembered from one session to the next (panel sizes are egui's own memory).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark or light.
    pub theme: ThemeChoice,
    /// Paths opened before, newest first, at most ten.
    pub recent: Vec<PathBuf>,
    /// The agent last launched.
    pub agent: String,
    /// Its turn limit.
    pub max_turns: u32,
    /// Runs at once.
    pub jobs: u32,
    /// Where runs go; `None`: the default place.
    pub out_dir: Option<PathBuf>,
    /// Heat threshold, 0..=1.
    pub heat_threshold: f32,
    /// The view of the inspector.
    pub inspector_tab: InspectorTab,
    /// What nodes are compared with.
    pub comparison: Comparison,
    /// Id of the variant whose curve the timeline shows.
    pub curve_variant: String,
    /// Id of the variant whose map the heat shows.
    pub heat_variant: String,
}

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// As the system says.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            recent: Vec::new(),
            agent: "tracer".to_owned(),
            max_turns: 50,
            jobs: 2,
            out_dir: None,
            heat_threshold: 0.35,
            inspector_tab: InspectorTab::default(),
            comparison: Comparison::default(),
            curve_variant: LIBRARY_VARIANT.to_owned(),
            heat_variant: LIBRARY_VARIANT.to_owned(),
        }
    }
}
