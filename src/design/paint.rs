//! What fills and strokes are made of.

use crate::base::{Affine, Point, Rgba};

use super::node::{BlendMode, Sides};

/// One layer of a fill or stroke.
#[derive(Clone, Debug, PartialEq)]
pub struct Paint {
    /// What it is.
    pub kind: PaintKind,
    /// Drawn or not.
    pub visible: bool,
    /// 0..=1, multiplied with the colour's alpha.
    pub opacity: f64,
    /// How it mixes with the paints below it.
    pub blend_mode: BlendMode,
}

/// The kinds of paint.
#[derive(Clone, Debug, PartialEq)]
pub enum PaintKind {
    /// One colour.
    Solid(Rgba),
    /// A gradient.
    Gradient(Gradient),
    /// A picture.
    Image(ImagePaint),
    /// A kind this program does not draw (PATTERN, VIDEO, EMOJI …), by its Figma name. Kept and
    /// written back; the renderer says that it left it out.
    Other(String),
}

/// A gradient over the node's box.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// Its form.
    pub kind: GradientKind,
    /// Three handles in unit space of the node's box, as in `gradientHandlePositions`: start (0),
    /// end (1), and the end of the width axis.
    pub handles: [Point; 3],
    /// Colours with positions in 0..=1, in document order.
    pub stops: Vec<ColorStop>,
}

/// The forms of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradientKind {
    /// Along a line.
    Linear,
    /// From a centre outwards.
    Radial,
    /// Around a centre.
    Angular,
    /// From a centre outwards in the taxicab metric.
    Diamond,
}

/// One colour of a gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorStop {
    /// Where, 0..=1.
    pub position: f64,
    /// The colour there.
    pub color: Rgba,
}

/// A picture as paint.
#[derive(Clone, Debug, PartialEq)]
pub struct ImagePaint {
    /// Figma's content hash, if given.
    pub image_ref: Option<String>,
    /// FILL, FIT, TILE, STRETCH or CROP, by its Figma name.
    pub scale_mode: String,
    /// Figma's `imageTransform`, of CROP (`STRETCH` in REST): from the unit square of the node to
    /// that of the picture, if given.
    pub transform: Option<Affine>,
    /// Size of a tile over that of the picture, for TILE.
    pub scaling_factor: f64,
    /// Clockwise turn in degrees, a multiple of 90.
    pub rotation: f64,
    /// Corrections of the picture's colours.
    pub filters: ImageFilters,
}

impl Default for ImagePaint {
    /// No picture, to fill the node.
    fn default() -> Self {
        Self {
            image_ref: None,
            scale_mode: "FILL".to_owned(),
            transform: None,
            scaling_factor: 1.0,
            rotation: 0.0,
            filters: ImageFilters::default(),
        }
    }
}

/// Corrections of a picture's colours, each in −1..=1, 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImageFilters {
    /// Exposure.
    pub exposure: f64,
    /// Contrast.
    pub contrast: f64,
    /// Saturation.
    pub saturation: f64,
    /// Temperature.
    pub temperature: f64,
    /// Tint.
    pub tint: f64,
    /// Highlights.
    pub highlights: f64,
    /// Shadows.
    pub shadows: f64,
}

/// The outline of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its paints, bottom first. Empty: no outline.
    pub paints: Vec<Paint>,
    /// Width in pixels, at least 0.
    pub weight: f64,
    /// Widths of the four sides of a box, where they differ; they then count instead of `weight`.
    pub sides: Option<Sides>,
    /// On which side of the edge it lies.
    pub align: StrokeAlign,
    /// How open ends look.
    pub cap: StrokeCap,
    /// How corners look.
    pub join: StrokeJoin,
    /// The smallest angle, in degrees, at which a pointed corner stays pointed.
    pub miter_angle: f64,
    /// Lengths of dashes and gaps in turn. Empty: solid.
    pub dashes: Vec<f64>,
}

/// On which side of the edge a stroke lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokeAlign {
    /// Within the shape.
    Inside,
    /// Half and half.
    Center,
    /// Around the shape.
    Outside,
}

/// How open ends of a stroke look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokeCap {
    /// Cut at the end.
    None,
    /// A half disc.
    Round,
    /// A half square.
    Square,
    /// An arrow of two lines.
    LineArrow,
    /// A filled arrow.
    TriangleArrow,
    /// A filled diamond.
    DiamondFilled,
    /// A filled circle.
    CircleFilled,
    /// A filled triangle that points inwards.
    TriangleFilled,
}

/// How corners of a stroke look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokeJoin {
    /// Pointed.
    Miter,
    /// Cut.
    Bevel,
    /// Rounded.
    Round,
}

impl Paint {
    /// A visible paint of one opaque or translucent colour: the alpha goes to the paint's opacity,
    /// as Figma has it.
    pub fn solid(color: Rgba) -> Self {
        Self {
            kind: PaintKind::Solid(color.with_alpha(1.0)),
            visible: true,
            opacity: color.a,
            blend_mode: BlendMode::Normal,
        }
    }

    /// The colour with the paint's opacity as alpha, for a solid paint.
    pub fn solid_color(&self) -> Option<Rgba> {
        match self.kind {
            PaintKind::Solid(color) => Some(color.with_alpha(color.a * self.opacity)),
            PaintKind::Gradient(_) | PaintKind::Image(_) | PaintKind::Other(_) => None,
        }
    }
}

impl Stroke {
    /// Figma's [`Self::miter_angle`] where nothing else is said: a miter limit of 4.
    pub const MITER_ANGLE: f64 = 28.96;
}

impl Default for Stroke {
    /// No paints, 1 px, inside, as Figma gives a new shape.
    fn default() -> Self {
        Self {
            paints: Vec::new(),
            weight: 1.0,
            sides: None,
            align: StrokeAlign::Inside,
            cap: StrokeCap::None,
            join: StrokeJoin::Miter,
            miter_angle: Self::MITER_ANGLE,
            dashes: Vec::new(),
        }
    }
}
