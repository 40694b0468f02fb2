//! What fills and strokes are made of, and how layers mix.

use serde::{Deserialize, Serialize};

use crate::base::{Affine, Point, Rgba};

use super::shape::Sides;

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

/// How a layer mixes with what is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BlendMode {
    /// A group that does not isolate its children.
    #[default]
    PassThrough,
    /// Source over.
    Normal,
    /// Separable and non-separable modes, as in W3C compositing.
    Darken,
    /// Product.
    Multiply,
    /// Sum minus one.
    LinearBurn,
    /// Burn.
    ColorBurn,
    /// Maximum.
    Lighten,
    /// Inverse product.
    Screen,
    /// Sum.
    LinearDodge,
    /// Dodge.
    ColorDodge,
    /// Multiply or screen by the backdrop.
    Overlay,
    /// Soft light.
    SoftLight,
    /// Multiply or screen by the source.
    HardLight,
    /// Absolute difference.
    Difference,
    /// Exclusion.
    Exclusion,
    /// Hue of the source.
    Hue,
    /// Saturation of the source.
    Saturation,
    /// Hue and saturation of the source.
    Color,
    /// Luminosity of the source.
    Luminosity,
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

    /// A visible paint of a picture that fills the box, by the name that the document knows it by.
    pub fn picture(image_ref: &str) -> Self {
        let image = ImagePaint { image_ref: Some(image_ref.to_owned()), ..ImagePaint::default() };
        Self {
            kind: PaintKind::Image(image),
            visible: true,
            opacity: 1.0,
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

impl Gradient {
    /// A gradient from the plugin API's `gradientTransform`: the map from the unit square of the
    /// node to the gradient's space, where a linear one runs from (0, 0.5) to (1, 0.5) and the
    /// others lie around (0.5, 0.5), reaching their last colour at (1, 0.5) and (0.5, 1).
    /// `None` if the map cannot be undone.
    ///
    /// Source: Figma plugin API, `GradientPaint.gradientTransform`.
    pub fn from_transform(
        kind: GradientKind,
        gradient_from_node: Affine,
        stops: Vec<ColorStop>,
    ) -> Option<Self> {
        let node_from_gradient = gradient_from_node.inverse()?;
        let handles = kind.handles_in_gradient_space().map(|place| node_from_gradient.apply(place));
        // A map that is nearly flat has an inverse beyond all numbers.
        let is_finite = handles.iter().all(|handle| handle.is_finite());
        is_finite.then_some(Self { kind, handles, stops })
    }

    /// The plugin API's `gradientTransform`, the inverse of [`Self::from_transform`]. `None` if the
    /// handles lie on one line or are not finite.
    pub fn to_transform(&self) -> Option<Affine> {
        let node_from_handles = spanned_by(self.handles);
        let gradient_from_handles = spanned_by(self.kind.handles_in_gradient_space());
        let map = gradient_from_handles.after(node_from_handles.inverse()?);
        map.is_finite().then_some(map)
    }
}

impl GradientKind {
    /// Where the three handles lie in the space of `gradientTransform`.
    fn handles_in_gradient_space(self) -> [Point; 3] {
        match self {
            Self::Linear => [Point::new(0.0, 0.5), Point::new(1.0, 0.5), Point::new(0.0, 1.0)],
            Self::Radial | Self::Angular | Self::Diamond => {
                [Point::new(0.5, 0.5), Point::new(1.0, 0.5), Point::new(0.5, 1.0)]
            }
        }
    }
}

/// The map that takes (0, 0), (1, 0) and (0, 1) to these points.
fn spanned_by([origin, along, across]: [Point; 3]) -> Affine {
    let (along, across) = (along.since(origin), across.since(origin));
    Affine { a: along.x, b: along.y, c: across.x, d: across.y, e: origin.x, f: origin.y }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [GradientKind; 4] =
        [GradientKind::Linear, GradientKind::Radial, GradientKind::Angular, GradientKind::Diamond];

    #[test]
    fn the_identity_runs_from_left_to_right() {
        let gradient =
            Gradient::from_transform(GradientKind::Linear, Affine::IDENTITY, Vec::new()).unwrap();
        let expected = [Point::new(0.0, 0.5), Point::new(1.0, 0.5), Point::new(0.0, 1.0)];
        assert_eq!(gradient.handles, expected);
    }

    #[test]
    fn figmas_own_downward_gradient_has_figmas_own_handles() {
        let down = Affine::from_rows([[0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]);
        let gradient = Gradient::from_transform(GradientKind::Linear, down, Vec::new()).unwrap();
        let expected = [Point::new(0.5, 0.0), Point::new(0.5, 1.0), Point::new(0.0, 0.0)];
        assert_eq!(gradient.handles, expected);
    }

    #[test]
    fn a_flat_transform_makes_no_gradient() {
        let flat = Affine::from_rows([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!(Gradient::from_transform(GradientKind::Radial, flat, Vec::new()), None);
        let handles = [Point::ZERO, Point::new(1.0, 1.0), Point::new(2.0, 2.0)];
        let gradient = Gradient { kind: GradientKind::Radial, handles, stops: Vec::new() };
        assert_eq!(gradient.to_transform(), None);
    }

    proptest! {
        #[test]
        fn transforms_go_there_and_back(
            numbers in prop::array::uniform6(-4.0..4.0f64),
            kind in 0usize..4,
        ) {
            let [a, b, c, d, e, f] = numbers;
            let map = Affine { a, b, c, d, e, f };
            prop_assume!(map.determinant().abs() > 1e-2);
            let gradient = Gradient::from_transform(KINDS[kind], map, Vec::new()).unwrap();
            let back = gradient.to_transform().unwrap();
            let pairs = map.to_rows().into_iter().flatten().zip(back.to_rows().into_iter().flatten());
            for (there, back) in pairs {
                prop_assert!((there - back).abs() < 1e-6, "{map:?} {back:?}");
            }
        }
    }
}
