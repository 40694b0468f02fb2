//! What a node does to all it paints.

use crate::design::BlendMode;

use super::blend;
use super::markup::Attributes;
use super::number::share;
use crate::render::scene::{SceneNode, mixes};
use crate::render::shader::unit;

/// Opacity, blend mode and isolation of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layer {
    opacity: f64,
    blend_mode: BlendMode,
    isolates: bool,
}

impl Layer {
    pub(super) fn of(node: &SceneNode<'_>) -> Self {
        let blend_mode = node.node.blend_mode;
        let isolates = blend_mode == BlendMode::Normal && node.blends_within;
        Self { opacity: unit(node.node.opacity), blend_mode, isolates }
    }

    /// Whether what is inside is painted apart first.
    pub(super) fn is_apart(self) -> bool {
        self.opacity < 1.0 || mixes(self.blend_mode) || self.isolates
    }

    pub(super) fn attributes(self) -> Attributes {
        let opacity = (self.opacity < 1.0).then(|| share(self.opacity));
        let mode = blend::css_name(self.blend_mode).map(|name| format!("mix-blend-mode:{name}"));
        // Opacity and modes isolate by themselves.
        let is_only_isolated = self.isolates && opacity.is_none();
        let style = mode.or_else(|| is_only_isolated.then(|| "isolation:isolate".to_owned()));
        Attributes::default().with_some("opacity", opacity).with_some("style", style)
    }
}
