//! Blend modes in the words of CSS.

use crate::design::BlendMode;

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
