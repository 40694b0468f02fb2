//! The checks and their parameters: what a measured number may be, and which part of a picture counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::Pixels;

/// One thing that must be true of a picture after an edit.
///
/// Where a `tolerance` is not described otherwise, the SSIM (uniform 7×7) of what was expected and
/// what was made must be at least 1 − tolerance; pictures below 7 pixels a side are compared by their
/// mean absolute difference instead. Where there is a `region`, only that part of both pictures is
/// looked at; without one, all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "check", rename_all = "snake_case", deny_unknown_fields)]
pub enum Check {
    /// The picture is mirrored.
    Flip {
        /// Which way.
        axis: Axis,
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// The picture is turned clockwise about its centre. Quarter turns change places of width and
    /// height; any other angle is compared where both pictures show something.
    Rotate {
        /// How far, clockwise.
        degrees: f64,
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// Only a region of the picture is left.
    Crop {
        /// What is left.
        region: Region,
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// The picture has another size and the same content, stretched.
    Resize {
        /// Pixels across it must have.
        width: u32,
        /// Pixels down it must have.
        height: u32,
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// The canvas is larger on some sides, around the same picture.
    Extend {
        /// Pixels more on the left.
        #[serde(default)]
        left: u32,
        /// Pixels more at the top.
        #[serde(default)]
        top: u32,
        /// Pixels more on the right.
        #[serde(default)]
        right: u32,
        /// Pixels more at the bottom.
        #[serde(default)]
        bottom: u32,
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// The content is elsewhere on a canvas of the same size; what came into view does not count.
    Shift {
        /// Pixels to the right; negative to the left.
        right: i32,
        /// Pixels down; negative up.
        down: i32,
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// Every colour became its complement.
    Invert {
        /// How far the likeness may be from 1.
        #[serde(default = "likeness_tolerance")]
        tolerance: f64,
    },
    /// The mean luma (BT.601, 0..=1) went up by this much; down if negative.
    Brightness {
        /// How much.
        rise: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// The standard deviation of the luma was multiplied by this much.
    Contrast {
        /// By how much.
        factor: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// The mean chroma (largest less smallest channel) was multiplied by this much.
    Saturation {
        /// By how much.
        factor: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// The hues (HSV) are turned; each pixel counts as much as it is coloured.
    Hue {
        /// How far, from red towards yellow.
        degrees: f64,
        /// How many degrees it may be off.
        #[serde(default = "hue_tolerance")]
        tolerance: f64,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// The picture is tinted: the channel's mean (0..=1) rose by this much more than the mean of the
    /// two others; of cyan, magenta and yellow, that much less.
    Tint {
        /// Towards which colour.
        color: Tint,
        /// How much.
        rise: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// No colour is left, but the picture is: at most this share of the pixels has channels more than
    /// 8 levels apart, and the luma is still like that of before (SSIM at least 0.5).
    Greyscale {
        /// The share of coloured pixels there may be, 0..=1.
        #[serde(default = "greyscale_tolerance")]
        tolerance: f64,
    },
    /// Details are fainter: the mean absolute Laplacian of the luma was multiplied by this much.
    Blur {
        /// By how much.
        #[serde(default = "blur_factor")]
        factor: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// Details are stronger: as `blur`, the other way.
    Sharpen {
        /// By how much.
        #[serde(default = "sharpen_factor")]
        factor: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// The standard deviation of the noise (Immerkær's estimate on the luma, 0..=1) rose by this much.
    Noise {
        /// How much; negative where noise was taken out.
        rise: Bounds,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// The mean alpha was multiplied by this much.
    Opacity {
        /// By how much, 0..=1.
        factor: f64,
        /// How much it may be off.
        #[serde(default = "opacity_tolerance")]
        tolerance: f64,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// Something changed here: the mean colour difference (CIEDE2000) is at least this.
    Changed {
        /// The least mean difference.
        #[serde(default = "visible_difference")]
        difference: f64,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
    },
    /// Nothing changed here: the mean colour difference (CIEDE2000) is at most this.
    Unchanged {
        /// The largest mean difference.
        #[serde(default = "invisible_difference")]
        difference: f64,
        /// Where.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<Region>,
        /// A part that may change.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        except: Option<Region>,
    },
}

/// Which way a picture is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Left and right change places.
    Horizontal,
    /// Top and bottom change places.
    Vertical,
}

/// What a picture is tinted towards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tint {
    /// More red.
    Red,
    /// More green.
    Green,
    /// More blue.
    Blue,
    /// Less red.
    Cyan,
    /// Less green.
    Magenta,
    /// Less blue.
    Yellow,
}

impl Check {
    /// The names of all checks, in the order of their documentation.
    pub const NAMES: [&'static str; 19] = [
        "flip",
        "rotate",
        "crop",
        "resize",
        "extend",
        "shift",
        "invert",
        "brightness",
        "contrast",
        "saturation",
        "hue",
        "tint",
        "greyscale",
        "blur",
        "sharpen",
        "noise",
        "opacity",
        "changed",
        "unchanged",
    ];

    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Flip { .. } => "flip",
            Self::Rotate { .. } => "rotate",
            Self::Crop { .. } => "crop",
            Self::Resize { .. } => "resize",
            Self::Extend { .. } => "extend",
            Self::Shift { .. } => "shift",
            Self::Invert { .. } => "invert",
            Self::Brightness { .. } => "brightness",
            Self::Contrast { .. } => "contrast",
            Self::Saturation { .. } => "saturation",
            Self::Hue { .. } => "hue",
            Self::Tint { .. } => "tint",
            Self::Greyscale { .. } => "greyscale",
            Self::Blur { .. } => "blur",
            Self::Sharpen { .. } => "sharpen",
            Self::Noise { .. } => "noise",
            Self::Opacity { .. } => "opacity",
            Self::Changed { .. } => "changed",
            Self::Unchanged { .. } => "unchanged",
        }
    }

    /// What is wrong with its parameters, if anything is.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Brightness { rise, .. } | Self::Tint { rise, .. } | Self::Noise { rise, .. } => {
                rise.fault()
            }
            Self::Contrast { factor, .. }
            | Self::Saturation { factor, .. }
            | Self::Blur { factor, .. }
            | Self::Sharpen { factor, .. } => factor.fault(),
            // No picture has such a size, so that the check could never pass.
            Self::Resize { width: 0, .. } | Self::Resize { height: 0, .. } => {
                Some("wants a picture without area")
            }
            Self::Changed { difference, .. } | Self::Unchanged { difference, .. } => {
                (*difference < 0.0).then_some("has a difference below 0")
            }
            _ => self.tolerance().filter(|v| *v < 0.0).map(|_| "has a tolerance below 0"),
        }
    }

    fn tolerance(&self) -> Option<f64> {
        match self {
            Self::Flip { tolerance, .. }
            | Self::Rotate { tolerance, .. }
            | Self::Crop { tolerance, .. }
            | Self::Resize { tolerance, .. }
            | Self::Extend { tolerance, .. }
            | Self::Shift { tolerance, .. }
            | Self::Invert { tolerance }
            | Self::Hue { tolerance, .. }
            | Self::Greyscale { tolerance }
            | Self::Opacity { tolerance, .. } => Some(*tolerance),
            _ => None,
        }
    }
}

// What may be left out of a checks file; a file that says nothing is judged by these.

/// The tolerance of PSBench's flip check.
fn likeness_tolerance() -> f64 {
    0.2
}

fn hue_tolerance() -> f64 {
    15.0
}

fn greyscale_tolerance() -> f64 {
    0.01
}

// About five of 255 levels, so that rounding on the way does not fail a task.
fn opacity_tolerance() -> f64 {
    0.02
}

fn blur_factor() -> Bounds {
    Bounds::at_most(0.8)
}

fn sharpen_factor() -> Bounds {
    Bounds::at_least(1.2)
}

/// About twice what people can just see.
fn visible_difference() -> f64 {
    2.0
}

/// About what people can just see.
fn invisible_difference() -> f64 {
    1.0
}

/// What a measured number may be: from `min` to `max`, both included; at least one is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The least it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The most it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl Bounds {
    /// `least` or more.
    pub fn at_least(least: f64) -> Self {
        Self { min: Some(least), max: None }
    }

    /// `most` or less.
    pub fn at_most(most: f64) -> Self {
        Self { min: None, max: Some(most) }
    }

    /// Whether a number is within.
    pub fn contain(self, value: f64) -> bool {
        self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
    }

    /// What is wrong with them, if anything is.
    pub(super) fn fault(self) -> Option<&'static str> {
        match (self.min, self.max) {
            (None, None) => Some("needs a min or a max"),
            (Some(min), Some(max)) if min > max => Some("has a min above its max"),
            _ => None,
        }
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "{min} to {max}"),
            (Some(min), None) => write!(f, "at least {min}"),
            (None, Some(max)) => write!(f, "at most {max}"),
            (None, None) => write!(f, "anything"),
        }
    }
}

/// A part of a picture, in pixels from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Pixels across, at least 1.
    pub width: u32,
    /// Pixels down, at least 1.
    pub height: u32,
}

impl Region {
    /// All of a picture.
    pub fn whole(picture: &Pixels) -> Self {
        Self { x: 0, y: 0, width: picture.width(), height: picture.height() }
    }

    /// Whether it has area and lies inside a picture.
    pub fn is_inside(self, picture: &Pixels) -> bool {
        let right = self.x.checked_add(self.width);
        let bottom = self.y.checked_add(self.height);
        self.width > 0
            && self.height > 0
            && right.is_some_and(|right| right <= picture.width())
            && bottom.is_some_and(|bottom| bottom <= picture.height())
    }

    /// Whether a pixel is in it.
    pub fn contains(self, x: u32, y: u32) -> bool {
        x.checked_sub(self.x).is_some_and(|across| across < self.width)
            && y.checked_sub(self.y).is_some_and(|down| down < self.height)
    }

    /// Its pixels, by rows from the top; those outside the picture are left out.
    pub(super) fn pixels(self, picture: &Pixels) -> impl Iterator<Item = [u8; 4]> {
        let ends = (self.x.saturating_add(self.width), self.y.saturating_add(self.height));
        (self.y..ends.1.min(picture.height()))
            .flat_map(move |y| (self.x..ends.0).filter_map(move |x| picture.get(x, y)))
    }
}

impl std::fmt::Display for Region {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} × {} at ({}, {})", self.width, self.height, self.x, self.y)
    }
}
