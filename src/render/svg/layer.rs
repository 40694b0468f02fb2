//! What a node does to all it paints: opacity, and blend modes in the words of CSS.

use crate::design::BlendMode;
use crate::render::paint_facts::{mixes, unit};
use crate::render::scene::SceneNode;

use super::markup::Attributes;
use super::number::share;

/// Opacity, blend mode and isolation of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SvgLayer {
    opacity: f64,
    blend_mode: BlendMode,
    isolates: bool,
}

impl SvgLayer {
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
        let mode = css_name(self.blend_mode).map(|name| format!("mix-blend-mode:{name}"));
        // Opacity and modes isolate by themselves.
        let is_only_isolated = self.isolates && opacity.is_none();
        let style = mode.or_else(|| is_only_isolated.then(|| "isolation:isolate".to_owned()));
        Attributes::default().with_some("opacity", opacity).with_some("style", style)
    }
}

/// The value of `mix-blend-mode`; `None` for source over.
pub(super) fn css_name(mode: BlendMode) -> Option<&'static str> {
    Some(match mode {
        BlendMode::PassThrough | BlendMode::Normal => return None,
        BlendMode::Darken => "darken",
        // CSS has no linear burn; of what it has, the product comes nearest.
        BlendMode::Multiply | BlendMode::LinearBurn => "multiply",
        BlendMode::ColorBurn => "color-burn",
        BlendMode::Lighten => "lighten",
        BlendMode::Screen => "screen",
        BlendMode::LinearDodge => "plus-lighter",
        BlendMode::ColorDodge => "color-dodge",
        BlendMode::Overlay => "overlay",
        BlendMode::SoftLight => "soft-light",
        BlendMode::HardLight => "hard-light",
        BlendMode::Difference => "difference",
        BlendMode::Exclusion => "exclusion",
        BlendMode::Hue => "hue",
        BlendMode::Saturation => "saturation",
        BlendMode::Color => "color",
        BlendMode::Luminosity => "luminosity",
    })
}

/// What is to be said of a mode that CSS does not have.
pub(super) fn limitation(mode: BlendMode) -> Option<&'static str> {
    (mode == BlendMode::LinearBurn)
        .then_some("SVG has no blend mode LINEAR_BURN: exported as MULTIPLY")
}
