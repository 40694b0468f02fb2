//! Shadows and blurs.

use crate::base::{Point, Rgba};

use super::paint::BlendMode;

/// One effect of a node; a node's effects are listed bottom first.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What it is.
    pub kind: EffectKind,
    /// Drawn or not.
    pub visible: bool,
}

/// The kinds of effect.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    /// Below the node, of the form of all it paints.
    DropShadow {
        /// Its look.
        shadow: Shadow,
        /// Whether it also shows through where the node itself is translucent.
        show_behind_node: bool,
    },
    /// On top of the node's fills, from its edge inwards.
    InnerShadow(Shadow),
    /// Blurs the node with all it holds.
    LayerBlur {
        /// Pixels, at least 0. The Gaussian's standard deviation is half of it.
        radius: f64,
    },
    /// Blurs what lies below the node, where the node covers it.
    BackgroundBlur {
        /// Pixels, at least 0. The Gaussian's standard deviation is half of it.
        radius: f64,
    },
    /// A kind this program does not draw (NOISE, TEXTURE, GLASS …), by its Figma name. Kept and
    /// written back; the renderer says that it left it out.
    Other(String),
}

/// The look of a shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Colour, with its alpha.
    pub color: Rgba,
    /// How far it lies from the node, in pixels.
    pub offset: Point,
    /// Pixels, at least 0. The Gaussian's standard deviation is half of it.
    pub radius: f64,
    /// By how many pixels it is larger than the node, of either sign.
    pub spread: f64,
    /// How it mixes with what is below.
    pub blend_mode: BlendMode,
}
