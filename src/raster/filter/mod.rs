//! Adjustments and filters of photographs, as real pixel operations.
//!
//! [`Filter`] has the eleven that GraphicTown's photo editor offers, with their published parameters
//! and ranges (dayeonki/graphicweaver, `planning/skillsets.py`); each has a file of its own that says
//! what it does and which filter of desktop photo editors it imitates. The likeness is one of kind:
//! no two editors agree on the numbers.
//!
//! All of them are deterministic: whole numbers, or single operations of IEEE arithmetic, and noise
//! that follows from the position alone, so that a picture has the same bytes on every machine. They
//! work on pixels and not on parts of the picture: the same size of cell, blur or ripple in a larger
//! picture looks finer.

mod black_and_white;
mod blur;
mod brightness_contrast;
mod glass;
mod glow;
mod hue_saturation_lightness;
mod noise;
mod ocean_ripple;
mod patchwork;
mod photo;
mod rows;
mod sampling;
mod stained_glass;
mod tint;
mod watercolor;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::Pixels;

pub use tint::Tint;

/// An adjustment or filter of a photograph.
///
/// A value outside its range counts as the nearest one inside: see [`Filter::clamped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "filter", rename_all = "snake_case", deny_unknown_fields)]
pub enum Filter {
    /// Lighter or darker, with more or less between light and dark. Neutral: 0, 0.
    BrightnessContrast {
        /// −150 darker ..= 150 lighter.
        brightness: i32,
        /// −100 flat ..= 100 hard.
        contrast: i32,
    },
    /// Shades of grey, by the usual mix of six ranges of colour. It has no settings.
    BlackAndWhite,
    /// Another hue, saturation and lightness. Neutral: 0, 0, 0.
    HueSaturationLightness {
        /// Degrees by which hues turn, −180 ..= 180.
        hue: i32,
        /// −100 grey ..= 100 full.
        saturation: i32,
        /// −100 black ..= 100 white.
        light: i32,
    },
    /// Gaussian blur, the one that also changes alpha. Neutral: 0.
    Blur {
        /// The standard deviation in pixels, 0 ..= 100.
        amount: i32,
    },
    /// A coloured glass before the lens, the brightness kept. Neutral: density 0.
    Photo {
        /// The colour of the glass.
        tint: Tint,
        /// How much of it, 0 ..= 100 percent.
        density: i32,
    },
    /// Seen through patterned glass. Neutral: distortion 0.
    Glass {
        /// The largest displacement in pixels, 0 ..= 20.
        distortion: i32,
        /// How soft the pattern is, 1 ..= 15.
        smoothness: i32,
        /// How large the pattern is, 50 ..= 200 percent.
        scaling: i32,
    },
    /// Light that spreads from bright parts, with grain. Neutral: graininess 0 and glow 0.
    Glow {
        /// 0 ..= 10.
        graininess: i32,
        /// How much light, 0 ..= 20.
        glow: i32,
        /// How much of the picture is kept clear of it, 0 ..= 20.
        clear: i32,
    },
    /// Seen through moving water. Neutral: magnitude 0.
    OceanRipple {
        /// How long the waves are, 1 ..= 15.
        size: i32,
        /// How far they move what is below, 0 ..= 20.
        magnitude: i32,
    },
    /// Pieces of one colour, held by lead, with a light behind the middle.
    StainedGlass {
        /// The radius of the pieces in pixels, 2 ..= 50.
        cell: i32,
        /// The width of the lead in pixels, 1 ..= 20.
        border: i32,
        /// The strength of the light behind, 0 ..= 10.
        light: i32,
    },
    /// Squares of one colour, raised and sunk.
    Patchwork {
        /// The size of the squares, 0 ..= 10: 4 pixels a side and 2 more for each.
        square: i32,
        /// How high they are, 0 ..= 25.
        relief: i32,
    },
    /// Flat washes with dark edges on grainy paper.
    Watercolor {
        /// How fine the brush is, 1 ..= 14.
        detail: i32,
        /// How dark edges and shadows are, 0 ..= 15.
        shadow: i32,
        /// How grainy the paper is, 1 ..= 3.
        texture: i32,
    },
}

impl Filter {
    /// The filtered picture, of the same size. Alpha is kept, but for [`Filter::Blur`].
    ///
    /// Deterministic, and never fails: values out of range count as the nearest inside.
    #[must_use]
    pub fn apply(&self, pixels: &Pixels) -> Pixels {
        match self.clamped() {
            Self::BrightnessContrast { brightness, contrast } => {
                brightness_contrast::apply(pixels, brightness, contrast)
            }
            Self::BlackAndWhite => black_and_white::apply(pixels),
            Self::HueSaturationLightness { hue, saturation, light } => {
                hue_saturation_lightness::apply(pixels, hue, saturation, light)
            }
            Self::Blur { amount } => blur::apply(pixels, amount),
            Self::Photo { tint, density } => photo::apply(pixels, tint, density),
            Self::Glass { distortion, smoothness, scaling } => {
                glass::apply(pixels, distortion, smoothness, scaling)
            }
            Self::Glow { graininess, glow, clear } => glow::apply(pixels, graininess, glow, clear),
            Self::OceanRipple { size, magnitude } => ocean_ripple::apply(pixels, size, magnitude),
            Self::StainedGlass { cell, border, light } => {
                stained_glass::apply(pixels, cell, border, light)
            }
            Self::Patchwork { square, relief } => patchwork::apply(pixels, square, relief),
            Self::Watercolor { detail, shadow, texture } => {
                watercolor::apply(pixels, detail, shadow, texture)
            }
        }
    }

    /// The same filter with every value inside its range.
    #[must_use]
    pub fn clamped(self) -> Self {
        match self {
            Self::BrightnessContrast { brightness, contrast } => Self::BrightnessContrast {
                brightness: brightness.clamp(-150, 150),
                contrast: contrast.clamp(-100, 100),
            },
            Self::BlackAndWhite => self,
            Self::HueSaturationLightness { hue, saturation, light } => {
                Self::HueSaturationLightness {
                    hue: hue.clamp(-180, 180),
                    saturation: saturation.clamp(-100, 100),
                    light: light.clamp(-100, 100),
                }
            }
            Self::Blur { amount } => Self::Blur { amount: amount.clamp(0, 100) },
            Self::Photo { tint, density } => Self::Photo { tint, density: density.clamp(0, 100) },
            Self::Glass { distortion, smoothness, scaling } => Self::Glass {
                distortion: distortion.clamp(0, 20),
                smoothness: smoothness.clamp(1, 15),
                scaling: scaling.clamp(50, 200),
            },
            Self::Glow { graininess, glow, clear } => Self::Glow {
                graininess: graininess.clamp(0, 10),
                glow: glow.clamp(0, 20),
                clear: clear.clamp(0, 20),
            },
            Self::OceanRipple { size, magnitude } => {
                Self::OceanRipple { size: size.clamp(1, 15), magnitude: magnitude.clamp(0, 20) }
            }
            Self::StainedGlass { cell, border, light } => Self::StainedGlass {
                cell: cell.clamp(2, 50),
                border: border.clamp(1, 20),
                light: light.clamp(0, 10),
            },
            Self::Patchwork { square, relief } => {
                Self::Patchwork { square: square.clamp(0, 10), relief: relief.clamp(0, 25) }
            }
            Self::Watercolor { detail, shadow, texture } => Self::Watercolor {
                detail: detail.clamp(1, 14),
                shadow: shadow.clamp(0, 15),
                texture: texture.clamp(1, 3),
            },
        }
    }

    /// Its name for people, such as `stained glass`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::BrightnessContrast { .. } => "brightness and contrast",
            Self::BlackAndWhite => "black and white",
            Self::HueSaturationLightness { .. } => "hue, saturation and lightness",
            Self::Blur { .. } => "blur",
            Self::Photo { .. } => "photo filter",
            Self::Glass { .. } => "glass",
            Self::Glow { .. } => "diffuse glow",
            Self::OceanRipple { .. } => "ocean ripple",
            Self::StainedGlass { .. } => "stained glass",
            Self::Patchwork { .. } => "patchwork",
            Self::Watercolor { .. } => "watercolour",
        }
    }
}

#[cfg(test)]
mod tests;
