//! Designs that nobody drew: every kind of node and paint, from a seed.

use std::sync::Arc;

use pentimento::base::{Affine, Pixels, Point, Rgba, Size};
use pentimento::design::{
    BlendMode, BooleanOp, ColorStop, CornerRadii, Document, Effect, EffectKind, EllipseArc,
    FigmaPath, Gradient, GradientKind, ImagePaint, LineHeight, MaskType, Node, NodeId, NodeKind,
    Paint, PaintKind, PathGeometry, Shadow, Sides, Stroke, StrokeAlign, StrokeCap, StrokeJoin,
    StyleOverride, TextAlign, TextContent, TextDecoration, TextStyle, VerticalAlign, WindingRule,
};

use crate::dice::Dice;

/// The id of the frame that every random design is.
pub(crate) const ROOT: &str = "0:1";

/// Width and height of a random design.
pub(crate) const SIDE: f64 = 240.0;

/// A frame with a tree of up to some dozen nodes; the same seed gives the same design.
pub(crate) fn random_design(seed: u64) -> Document {
    let mut maker = Maker { dice: Dice(seed), nodes: Vec::new() };
    let mut root = Node::new(ROOT.into(), "Main Screen", NodeKind::Frame);
    root.size = Size::new(SIDE, SIDE);
    root.clips_content = true;
    root.fills = vec![Paint::solid(maker.opaque())];
    maker.nodes.push(root);
    let count = 3 + maker.dice.below(6);
    for _ in 0..count {
        maker.node(ROOT, Size::new(SIDE, SIDE), 0);
    }
    let mut document = Document::from_nodes(maker.nodes).expect("a random tree is a document");
    document.add_image(PICTURE, Arc::new(picture()));
    document
}

/// The name of the picture that image paints show.
const PICTURE: &str = "sunset";

/// A smooth picture of 64 × 48.
fn picture() -> Pixels {
    let pixel = |x: u32, y: u32| [(x * 4) as u8, (y * 5) as u8, 255 - (x + y) as u8, 255];
    let rgba = (0..48).flat_map(|y| (0..64).flat_map(move |x| pixel(x, y))).collect();
    Pixels::from_rgba(64, 48, rgba).expect("64 × 48 pixels")
}

struct Maker {
    dice: Dice,
    /// Parents before children.
    nodes: Vec<Node>,
}

const DEEPEST: usize = 3;

/// Not HUE, SATURATION, COLOR and LUMINOSITY: the rasteriser of the judge clips their colours by the
/// largest channel where W3C Compositing (`ClipColor`) says the smallest.
const MODES: [BlendMode; 13] = [
    BlendMode::Normal,
    BlendMode::Darken,
    BlendMode::Multiply,
    BlendMode::ColorBurn,
    BlendMode::Lighten,
    BlendMode::Screen,
    BlendMode::LinearDodge,
    BlendMode::ColorDodge,
    BlendMode::Overlay,
    BlendMode::SoftLight,
    BlendMode::HardLight,
    BlendMode::Difference,
    BlendMode::Exclusion,
];

impl Maker {
    fn node(&mut self, parent: &str, within: Size, depth: usize) {
        let id = format!("1:{}", self.nodes.len());
        let is_container = depth < DEEPEST && self.dice.one_in(3);
        let size = if is_container { self.size(60.0, 160.0) } else { self.size(8.0, 110.0) };
        let kind = if is_container { self.container() } else { self.leaf(size) };
        let mut node = Node::new(id.as_str().into(), format!("{} {id}", kind.type_name()), kind);
        node.parent = Some(NodeId::new(parent.to_owned()));
        node.size = size;
        node.transform = self.place(within, size);
        self.look(&mut node);
        let (size, is_mask) = (node.size, node.is_mask);
        self.nodes.push(node);
        if is_container && !is_mask {
            for _ in 0..=self.dice.below(4) {
                self.node(&id, size, depth + 1);
            }
        }
    }

    fn size(&mut self, least: f64, most: f64) -> Size {
        let size = Size::new(self.dice.between(least, most), self.dice.between(least, most));
        if self.dice.one_in(3) { size } else { Size::new(size.width.round(), size.height.round()) }
    }

    fn container(&mut self) -> NodeKind {
        match self.dice.below(7) {
            6 => NodeKind::BooleanOperation(self.dice.pick(&[
                BooleanOp::Union,
                BooleanOp::Subtract,
                BooleanOp::Intersect,
                BooleanOp::Exclude,
            ])),
            0 | 1 => NodeKind::Group,
            2 => NodeKind::Section,
            3 => NodeKind::Instance,
            _ => NodeKind::Frame,
        }
    }

    fn leaf(&mut self, size: Size) -> NodeKind {
        match self.dice.below(9) {
            0 | 1 => NodeKind::Rectangle,
            2 => NodeKind::Ellipse(self.arc()),
            3 => NodeKind::Line,
            4 => NodeKind::RegularPolygon { corners: 3 + self.dice.below(5) as u32 },
            5 => NodeKind::Star {
                tips: 3 + self.dice.below(6) as u32,
                inner_ratio: self.dice.between(0.2, 0.9),
            },
            6 => self.vector(size),
            _ => NodeKind::Text(Box::new(self.text())),
        }
    }

    fn arc(&mut self) -> EllipseArc {
        if self.dice.one_in(2) {
            return EllipseArc::WHOLE;
        }
        EllipseArc {
            start: self.dice.between(-3.0, 3.0),
            end: self.dice.between(-3.0, 3.0),
            inner_ratio: if self.dice.one_in(2) { self.dice.between(0.0, 0.9) } else { 0.0 },
        }
    }

    fn place(&mut self, within: Size, size: Size) -> Affine {
        let x = self.dice.between(-0.3 * size.width, within.width - 0.5 * size.width);
        let y = self.dice.between(-0.3 * size.height, within.height - 0.5 * size.height);
        let place = if self.dice.one_in(3) {
            Affine::translate(x, y)
        } else {
            Affine::translate(x.round(), y.round())
        };
        match self.dice.below(10) {
            0 | 1 => place.after(Affine::rotate(self.dice.between(-3.1, 3.1))),
            2 => place.after(Affine::scale(-1.0, 1.0)).after(Affine::translate(-size.width, 0.0)),
            _ => place,
        }
    }

    fn look(&mut self, node: &mut Node) {
        let is_group = node.kind == NodeKind::Group;
        if !is_group {
            self.paints(node);
        }
        node.clips_content = !is_group && self.dice.one_in(2);
        if self.dice.one_in(5) {
            node.opacity = self.dice.between(0.2, 1.0);
        }
        if self.dice.one_in(6) {
            node.blend_mode = self.dice.pick(&MODES);
        }
        node.is_mask = self.dice.one_in(12);
        node.mask_type = self.dice.pick(&[MaskType::Alpha, MaskType::Luminance, MaskType::Vector]);
        if self.dice.one_in(5) {
            node.effects = (0..=self.dice.below(2)).map(|_| self.effect()).collect();
        }
        if node.kind == NodeKind::Line {
            node.size.height = 0.0;
        }
    }

    fn paints(&mut self, node: &mut Node) {
        node.corner_radii = self.radii();
        node.corner_smoothing = if self.dice.one_in(4) { 0.6 } else { 0.0 };
        let count = 1 + usize::from(self.dice.one_in(5));
        node.fills = (0..count).map(|_| self.paint()).collect();
        let is_line = node.kind == NodeKind::Line;
        if is_line || self.dice.one_in(3) {
            node.stroke = self.stroke();
        }
    }

    fn radii(&mut self) -> CornerRadii {
        match self.dice.below(5) {
            0 | 1 => CornerRadii::uniform(self.dice.between(2.0, 30.0).round()),
            2 => CornerRadii {
                top_left: self.dice.between(0.0, 20.0),
                top_right: self.dice.between(0.0, 40.0),
                bottom_right: 0.0,
                bottom_left: self.dice.between(0.0, 9.0),
            },
            _ => CornerRadii::default(),
        }
    }

    fn paint(&mut self) -> Paint {
        let kind = match self.dice.below(9) {
            8 => PaintKind::Image(self.image()),
            0 => PaintKind::Gradient(self.gradient(GradientKind::Linear)),
            1 => PaintKind::Gradient(self.gradient(GradientKind::Radial)),
            2 => {
                let kind = self.dice.pick(&[GradientKind::Angular, GradientKind::Diamond]);
                PaintKind::Gradient(self.gradient(kind))
            }
            _ => PaintKind::Solid(self.opaque()),
        };
        let opacity = if self.dice.one_in(4) { self.dice.between(0.1, 1.0) } else { 1.0 };
        let blend_mode =
            if self.dice.one_in(12) { self.dice.pick(&MODES) } else { BlendMode::Normal };
        Paint { kind, visible: !self.dice.one_in(20), opacity, blend_mode }
    }

    fn image(&mut self) -> ImagePaint {
        ImagePaint {
            image_ref: Some(PICTURE.to_owned()),
            scale_mode: self.dice.pick(&["FILL", "FIT", "STRETCH"]).to_owned(),
            ..ImagePaint::default()
        }
    }

    fn effect(&mut self) -> Effect {
        let radius = self.dice.between(0.0, 16.0);
        let shadow = Shadow {
            color: self.opaque().with_alpha(self.dice.between(0.2, 1.0)),
            offset: Point::new(self.dice.between(-8.0, 8.0), self.dice.between(-8.0, 8.0)),
            radius,
            spread: if self.dice.one_in(3) { self.dice.between(-3.0, 5.0) } else { 0.0 },
            blend_mode: if self.dice.one_in(6) {
                self.dice.pick(&MODES)
            } else {
                BlendMode::Normal
            },
        };
        let kind = match self.dice.below(5) {
            0 | 1 => EffectKind::DropShadow { shadow, show_behind_node: self.dice.one_in(2) },
            2 | 3 => EffectKind::InnerShadow(shadow),
            _ => EffectKind::LayerBlur { radius: radius / 2.0 },
        };
        Effect { kind, visible: true }
    }

    fn gradient(&mut self, kind: GradientKind) -> Gradient {
        let mut handle = || Point::new(self.dice.between(-0.2, 1.2), self.dice.between(-0.2, 1.2));
        let (start, end, any) = (handle(), handle(), handle());
        let along = end.since(start);
        let square = Point::new(start.x - along.y, start.y + along.x);
        let width = if self.dice.one_in(2) { square } else { any };
        let count = 2 + self.dice.below(3);
        let stops = (0..count).map(|_| self.stop()).collect();
        Gradient { kind, handles: [start, end, width], stops }
    }

    fn stop(&mut self) -> ColorStop {
        let alpha = if self.dice.one_in(3) { self.dice.share() } else { 1.0 };
        ColorStop { position: self.dice.share(), color: self.opaque().with_alpha(alpha) }
    }

    fn opaque(&mut self) -> Rgba {
        Rgba::new(self.dice.share(), self.dice.share(), self.dice.share(), 1.0)
    }

    fn stroke(&mut self) -> Stroke {
        let weight = self.dice.between(0.5, 9.0);
        let dashes = match self.dice.below(5) {
            0 => vec![self.dice.between(2.0, 12.0), self.dice.between(1.0, 8.0)],
            1 => vec![self.dice.between(2.0, 12.0)],
            _ => Vec::new(),
        };
        Stroke {
            paints: vec![self.paint()],
            weight: if self.dice.one_in(2) { weight.round().max(1.0) } else { weight },
            align: self.dice.pick(&[
                StrokeAlign::Inside,
                StrokeAlign::Center,
                StrokeAlign::Outside,
            ]),
            cap: self.dice.pick(&[StrokeCap::None, StrokeCap::Round, StrokeCap::Square]),
            join: self.dice.pick(&[StrokeJoin::Miter, StrokeJoin::Bevel, StrokeJoin::Round]),
            dashes,
            sides: self.dice.one_in(6).then(|| Sides {
                top: self.dice.between(0.0, 6.0),
                right: 0.0,
                bottom: self.dice.between(0.0, 6.0),
                left: 2.0,
            }),
            ..Stroke::default()
        }
    }

    fn vector(&mut self, size: Size) -> NodeKind {
        let mut at = || {
            let (x, y) = (self.dice.share() * size.width, self.dice.share() * size.height);
            format!("{x:.2} {y:.2}")
        };
        let data = format!("M{}C{} {} {}L{}Q{} {}Z", at(), at(), at(), at(), at(), at(), at());
        let winding = self.dice.pick(&[WindingRule::NonZero, WindingRule::EvenOdd]);
        NodeKind::Vector(PathGeometry {
            fill: vec![FigmaPath::new(data, winding)],
            stroke: Vec::new(),
        })
    }

    fn text(&mut self) -> TextContent {
        const WORDS: [&str; 5] = [
            "Hamburgefonstiv",
            "Zwölf Boxkämpfer jagen <Viktor> & \"Eva\"",
            "Quick brown fox\njumps over it",
            "Съешь ещё этих мягких булок",
            "12:45 – 98%",
        ];
        let characters = self.dice.pick(&WORDS).to_owned();
        let units = characters.encode_utf16().count();
        let style = TextStyle {
            font_size: self.dice.between(8.0, 36.0).round(),
            font_weight: self.dice.pick(&[100.0, 400.0, 500.0, 700.0, 900.0]),
            italic: self.dice.one_in(5),
            letter_spacing: if self.dice.one_in(4) { self.dice.between(-0.5, 2.0) } else { 0.0 },
            line_height: self.dice.pick(&[LineHeight::Auto, LineHeight::Percent(140.0)]),
            align: self.dice.pick(&[
                TextAlign::Left,
                TextAlign::Center,
                TextAlign::Right,
                TextAlign::Justified,
            ]),
            vertical_align: self.dice.pick(&[VerticalAlign::Top, VerticalAlign::Center]),
            decoration: self.dice.pick(&[
                TextDecoration::None,
                TextDecoration::None,
                TextDecoration::Underline,
                TextDecoration::Strikethrough,
            ]),
            ..TextStyle::default()
        };
        let mut content = TextContent { characters, style, ..TextContent::default() };
        if self.dice.one_in(2) {
            let own = self.style_override();
            content.overrides.insert(3, own);
            let start = self.dice.below(units);
            content.override_ids =
                (0..units).map(|unit| if unit >= start { 3 } else { 0 }).collect();
        }
        content
    }

    fn style_override(&mut self) -> StyleOverride {
        StyleOverride {
            font_weight: Some(self.dice.pick(&[300.0, 800.0])),
            font_size: self.dice.one_in(2).then(|| self.dice.between(10.0, 30.0).round()),
            fills: self.dice.one_in(2).then(|| vec![self.paint()]),
            ..StyleOverride::default()
        }
    }
}
