//! Acts of the rooms with random arguments, such as hands give them: mostly about what is there.

use std::sync::Arc;

use pentimento::base::{Affine, Pixels, Point, Rgba};
use pentimento::design::gesture::NumberEntry;
use pentimento::design::{
    AnchorKind, AutoResize, BlendMode, ColorStop, Direction, Effect, EffectKind, ExportFileFormat,
    ExportSetting, ExportSize, Gradient, GradientKind, LineHeight, LineType, Node, NodeId,
    NodeKind, Paint, PaintKind, Shadow, Sizing, StrokeAlign, StrokeCap, StrokeJoin, TextAlign,
    TextCase, TextDecoration, VerticalAlign,
};
use pentimento::editor::{
    BoxCorner, BoxSide, ComponentAct, ComponentProperty, ComponentPropertyAct, Constraint, Editor,
    EffectNumber, ExportAct, LayerAct, NumberProperty, PageAct, PaintList, PictureAct,
    PlacedPicture, PointAct, PropertyAct, PropertyKind, PropertyValue, Setting, ShapeNumber,
    SizeLimit, StyleAct, StyleKind, TextStyleAct, Third, Tool, TypingAct, colors_inside,
    component_properties, overrides_of, shared_styles,
};

/// All tools.
pub(super) const TOOLS: [Tool; 16] = [
    Tool::Move,
    Tool::Scale,
    Tool::Hand,
    Tool::Frame,
    Tool::Section,
    Tool::Rectangle,
    Tool::Ellipse,
    Tool::Polygon,
    Tool::Star,
    Tool::Line,
    Tool::Arrow,
    Tool::Pen,
    Tool::Pencil,
    Tool::Text,
    Tool::Eyedropper,
    Tool::Comment,
];

/// Something random: to which it is done, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random {
    /// To which.
    pub(super) which: usize,
    /// How.
    pub(super) numbers: [i16; 2],
}

impl Random {
    /// Which kind of act it is.
    fn kind(self) -> usize {
        usize::from(self.numbers[0].unsigned_abs())
    }

    /// Which of the values an act may have.
    fn value(self) -> usize {
        usize::from(self.numbers[1].unsigned_abs())
    }

    fn is_on(self) -> bool {
        self.value().is_multiple_of(2)
    }

    fn one<T: Clone>(self, of: &[T]) -> T {
        of[self.value() % of.len()].clone()
    }

    fn at(self) -> Point {
        Point::new(f64::from(self.numbers[0]), f64::from(self.numbers[1]))
    }

    /// A layer.
    pub(super) fn layer(self, editor: &Editor) -> NodeId {
        self.layer_that(editor, |_| true)
    }

    /// A layer for which something holds, if there is one; of no layers one that is not there.
    pub(super) fn layer_that(self, editor: &Editor, holds: fn(&Node) -> bool) -> NodeId {
        let all = layers(editor);
        let document = editor.document();
        let meant = all.iter().filter(|id| document.get(id).is_some_and(|node| holds(node)));
        let meant: Vec<NodeId> = meant.cloned().collect();
        let from = if meant.is_empty() { all } else { meant };
        if from.is_empty() { "nothing".into() } else { from[self.which % from.len()].clone() }
    }
}

/// All layers, in paint order: what hands point at, which pages and files are not.
pub(super) fn layers(editor: &Editor) -> Vec<NodeId> {
    let nodes = editor.document().iter_depth_first();
    nodes.filter(|node| !node.kind.is_file_or_page()).map(|node| node.id.clone()).collect()
}

pub(super) fn typing(editor: &Editor, random: Random) -> TypingAct {
    let words = random.one(&["", "words", "Two lines\nof it", "ÄÖ 漢字"]).to_owned();
    let from = random.value() % 4;
    match random.kind() % 8 {
        0..2 => TypingAct::Begin(random.layer_that(editor, |node| node.text().is_some())),
        2..4 => TypingAct::Write(words),
        4 => TypingAct::Replace { from, to: from + random.which % 3, words },
        5 => TypingAct::Select(from..from + random.which % 3),
        6 => TypingAct::End,
        _ => TypingAct::Style(text_style(random)),
    }
}

fn text_style(random: Random) -> TextStyleAct {
    let by = f64::from(random.numbers[1] % 9);
    match random.which % 7 {
        0 => TextStyleAct::Bold,
        1 => TextStyleAct::Italic,
        2 => TextStyleAct::Decoration(TextDecoration::Underline),
        3 => TextStyleAct::Align(TextAlign::Center),
        4 => TextStyleAct::Size(by),
        5 => TextStyleAct::LetterSpacing(by),
        _ => TextStyleAct::LineHeight(by),
    }
}

pub(super) fn points(random: Random) -> PointAct {
    match random.value() % 6 {
        0 => PointAct::Close,
        1 => PointAct::Split,
        2 => PointAct::Join,
        3 => PointAct::Kind(AnchorKind::Corner),
        4 => PointAct::Kind(AnchorKind::Smooth),
        _ => PointAct::Kind(AnchorKind::Symmetric),
    }
}

pub(super) fn layer(editor: &Editor, random: Random) -> LayerAct {
    let node = random.layer(editor);
    let nodes = vec![node.clone()];
    match random.kind() % 6 {
        0 => LayerAct::SetVisible { nodes, visible: random.is_on() },
        1 => LayerAct::SetLocked { nodes, locked: random.is_on() },
        2 => LayerAct::Rename { node, name: random.one(&[" ", "Name", "Another name"]).to_owned() },
        _ => {
            let other = Random { which: random.which + random.value(), ..random };
            let parent = other.layer_that(editor, |node| node.kind.is_container());
            let parent = Some(parent).filter(|_| !random.value().is_multiple_of(7));
            LayerAct::MoveTo { nodes, parent, index: random.value() % 4 }
        }
    }
}

pub(super) fn page(editor: &Editor, random: Random) -> PageAct {
    let pages = editor.document().pages();
    let page = pages.get(random.which % pages.len().max(1)).cloned();
    let page = page.unwrap_or_else(|| random.layer(editor));
    match random.kind() % 4 {
        0 => PageAct::Show(page),
        1 => PageAct::ShowBy(if random.is_on() { 1 } else { -1 }),
        2 => PageAct::Add,
        _ => PageAct::Delete(page),
    }
}

pub(super) fn picture(editor: &Editor, random: Random) -> PictureAct {
    if random.kind().is_multiple_of(2) {
        // One name is always of one picture.
        let (image_ref, shade) = random.one(&[("first", 40), ("second", 200)]);
        let pixels = Pixels::filled(4, 3, [shade, shade, 90, 255]).unwrap();
        let (name, image_ref) = ("picture".to_owned(), image_ref.to_owned());
        let picture = PlacedPicture { name, image_ref, pixels: Arc::new(pixels) };
        return PictureAct::Place { picture, at: random.at() };
    }
    let node = random.layer_that(editor, |node| {
        node.fills.iter().any(|paint| matches!(paint.kind, PaintKind::Image(_)))
    });
    let by = f64::from(random.numbers[1]) / 400.0;
    let picture_from_box = Affine::translate(by, -by).after(Affine::scale(0.5, 0.75));
    PictureAct::Crop { node, fill: random.which % 2, picture_from_box }
}

pub(super) fn component(editor: &Editor, random: Random) -> ComponentAct {
    let component = random.layer_that(editor, |node| node.kind == NodeKind::Component);
    let instance = random.layer_that(editor, |node| node.kind == NodeKind::Instance);
    match random.kind() % 14 {
        0..3 => ComponentAct::Create,
        3..6 => ComponentAct::Insert { component, at: random.at() },
        6 => ComponentAct::Detach,
        7 => ComponentAct::Swap(component),
        8 => ComponentAct::SetVariant {
            property: "Property 1".to_owned(),
            value: random.one(&["Default", "Variant2"]).to_owned(),
        },
        9 => ComponentAct::Reset,
        10 => ComponentAct::ResetOverrides(overrides_of(editor.document(), &instance)),
        11 => ComponentAct::ResetSwap(instance),
        _ => ComponentAct::Property(component_property(editor, random, component, instance)),
    }
}

fn component_property(
    editor: &Editor,
    random: Random,
    component: NodeId,
    instance: NodeId,
) -> ComponentPropertyAct {
    let known = component_properties(editor.document(), &component);
    let key = known.get(random.value() % known.len().max(1));
    let key = key.map_or_else(|| "Label#0:1".to_owned(), |property| property.key.clone());
    let kind = random.one(&PropertyKind::ALL);
    let layers = vec![random.layer(editor)];
    match random.which % 5 {
        0 => {
            let value = match kind {
                PropertyKind::Text => PropertyValue::Text("Said otherwise".to_owned()),
                PropertyKind::Boolean => PropertyValue::Boolean(random.is_on()),
                PropertyKind::InstanceSwap => PropertyValue::Component(component),
            };
            let property = ComponentProperty { key, value };
            ComponentPropertyAct::Set { nodes: vec![instance], property }
        }
        1 => ComponentPropertyAct::Create { layers, kind },
        2 => {
            ComponentPropertyAct::Refer { layers, kind, key: Some(key).filter(|_| random.is_on()) }
        }
        3 => ComponentPropertyAct::Rename { holder: component, key, name: "Caption".to_owned() },
        _ => ComponentPropertyAct::Delete { holder: component, key },
    }
}

pub(super) fn style(editor: &Editor, random: Random) -> StyleAct {
    let known = shared_styles(editor.document());
    let id = known.get(random.value() % known.len().max(1));
    let id = id.map_or_else(|| "S:none".to_owned(), |style| style.id.clone());
    let kind = random.one(&StyleKind::ALL);
    match random.kind() % 6 {
        0..2 => StyleAct::Create { kind, name: random.one(&["Ink", "Body"]).to_owned() },
        2 => StyleAct::Apply(id),
        3 => StyleAct::Rename { id, name: "Accent".to_owned() },
        4 => StyleAct::Redefine(id),
        _ => StyleAct::Detach(kind),
    }
}

pub(super) fn property(editor: &Editor, random: Random) -> PropertyAct {
    let list = random.one(&[PaintList::Fills, PaintList::Strokes]);
    let (at, burst) = (random.which % 3, random.value().is_multiple_of(3));
    match random.kind() % 24 {
        0..8 => PropertyAct::SetNumber { property: number(random), entry: entry(random), burst },
        8..13 => PropertyAct::Set(setting(random)),
        13 => PropertyAct::AddPaint(list),
        14 => PropertyAct::RemovePaint { list, at },
        15 => PropertyAct::SetPaint { list, at, paint: Box::new(paint(random)), burst },
        16 => PropertyAct::MovePaint { list, from: at, to: (at + 1) % 3 },
        17 => PropertyAct::AddEffect,
        18 => PropertyAct::RemoveEffect(at),
        19 => PropertyAct::SetEffect { at, effect: Box::new(effect(random)), burst },
        20 => PropertyAct::Export(export(random)),
        21 => {
            let inside = colors_inside(editor.document(), &[random.layer(editor)]);
            let places = inside.into_iter().flat_map(|color| color.places).collect();
            PropertyAct::Recolor { places, color: Rgba::new(0.1, 0.4, 0.8, 0.5), burst }
        }
        22 => match random.which % 3 {
            0 => PropertyAct::EndBurst,
            1 => PropertyAct::PickColor(Rgba::new(0.9, 0.1, 0.2, 1.0)),
            _ => PropertyAct::ReplaceFamily { from: "Inter".to_owned(), to: "Caveat".to_owned() },
        },
        _ => {
            let act = Box::new(PropertyAct::Set(setting(random)));
            PropertyAct::On { nodes: vec![random.layer(editor)], act }
        }
    }
}

/// A number as it is typed: itself, added to what is there, or a share of that.
fn entry(random: Random) -> NumberEntry {
    let number = random.numbers[1];
    let text = match random.kind() / 24 % 3 {
        0 => format!("{number}"),
        1 => format!("Mixed+{}", random.value()),
        _ => format!("{}%", random.value() % 300 + 1),
    };
    NumberEntry::parse(&text, "Mixed").unwrap()
}

fn number(random: Random) -> NumberProperty {
    let at = random.value() % 2;
    let effects =
        [EffectNumber::OffsetX, EffectNumber::OffsetY, EffectNumber::Blur, EffectNumber::Spread];
    let shapes = [
        ShapeNumber::ArcStart,
        ShapeNumber::ArcSweep,
        ShapeNumber::ArcRatio,
        ShapeNumber::Count,
        ShapeNumber::StarRatio,
    ];
    let all = [
        NumberProperty::X,
        NumberProperty::Y,
        NumberProperty::Width,
        NumberProperty::Height,
        NumberProperty::Rotation,
        NumberProperty::Opacity,
        NumberProperty::CornerRadius,
        NumberProperty::Corner(random.one(&BoxCorner::ALL)),
        NumberProperty::CornerSmoothing,
        NumberProperty::PaintOpacity(PaintList::Fills, at),
        NumberProperty::StrokeWeight,
        NumberProperty::StrokeSide(random.one(&BoxSide::ALL)),
        NumberProperty::MiterAngle,
        NumberProperty::FontSize,
        NumberProperty::LineHeight,
        NumberProperty::LetterSpacing,
        NumberProperty::ParagraphSpacing,
        NumberProperty::MaxLines,
        NumberProperty::Gap,
        NumberProperty::LineGap,
        NumberProperty::PaddingAcross,
        NumberProperty::PaddingDown,
        NumberProperty::Padding(random.one(&BoxSide::ALL)),
        NumberProperty::Limit(random.one(&SizeLimit::ALL)),
        NumberProperty::Effect(at, random.one(&effects)),
        NumberProperty::Shape(random.one(&shapes)),
    ];
    all[random.which % all.len()]
}

fn setting(random: Random) -> Setting {
    let is_on = random.is_on();
    let axis = random.one(&[Direction::Horizontal, Direction::Vertical]);
    let thirds = [Third::Start, Third::Middle, Third::End];
    let all = [
        Setting::Visible(is_on),
        Setting::Blend(random.one(&[BlendMode::Normal, BlendMode::Multiply])),
        Setting::ClipsContent(is_on),
        Setting::Constrain(axis, random.one(&Constraint::ALL)),
        Setting::StrokeAlign(random.one(&[StrokeAlign::Inside, StrokeAlign::Outside])),
        Setting::StrokeCap(random.one(&[StrokeCap::Round, StrokeCap::LineArrow])),
        Setting::StrokeJoin(random.one(&[StrokeJoin::Bevel, StrokeJoin::Miter])),
        Setting::Dashes(if is_on { vec![4.0, 2.0] } else { Vec::new() }),
        Setting::FontFamily(random.one(&["Inter", "Caveat"]).to_owned()),
        Setting::FontFace { weight: 700.0, italic: is_on },
        Setting::LineHeight(random.one(&[LineHeight::Pixels(18.0), LineHeight::Percent(120.0)])),
        Setting::TextAlign(random.one(&[TextAlign::Right, TextAlign::Justified])),
        Setting::VerticalAlign(random.one(&[VerticalAlign::Center, VerticalAlign::Bottom])),
        Setting::AutoResize(random.one(&[AutoResize::None, AutoResize::Height])),
        Setting::TextCase(random.one(&[TextCase::Upper, TextCase::Original])),
        Setting::TextDecoration(random.one(&[TextDecoration::Underline, TextDecoration::None])),
        Setting::List(random.one(&[LineType::Ordered, LineType::None])),
        Setting::Truncates(is_on),
        Setting::Direction(axis),
        Setting::Wraps(is_on),
        Setting::SpreadGap(is_on),
        Setting::AlignContent(random.one(&thirds), thirds[random.which % 3]),
        Setting::Sizing(axis, [Sizing::Fixed, Sizing::Hug, Sizing::Fill][random.which % 3]),
        Setting::Limited(random.one(&[SizeLimit::MinWidth, SizeLimit::MaxHeight]), is_on),
        Setting::Absolute(is_on),
    ];
    all[random.which % all.len()].clone()
}

fn paint(random: Random) -> Paint {
    let stops = [(0.0, Rgba::WHITE), (1.0, Rgba::BLACK)];
    let stops = stops.map(|(position, color)| ColorStop { position, color }).to_vec();
    let handles = [Point::new(0.0, 0.5), Point::new(1.0, 0.5), Point::new(0.0, 1.0)];
    let gradient = Gradient { kind: GradientKind::Linear, handles, stops };
    match random.value() % 3 {
        0 => Paint::solid(Rgba::new(0.3, 0.2, 0.6, 0.8)),
        1 => Paint::picture("first"),
        _ => Paint { kind: PaintKind::Gradient(gradient), ..Paint::solid(Rgba::BLACK) },
    }
}

fn effect(random: Random) -> Effect {
    let radius = f64::from(random.numbers[1].unsigned_abs() % 40);
    let (color, blend_mode) = (Rgba::new(0.0, 0.0, 0.0, 0.25), BlendMode::Normal);
    let shadow = Shadow { color, offset: Point::new(0.0, 4.0), radius, spread: 0.0, blend_mode };
    let kind = match random.value() % 4 {
        0 => EffectKind::DropShadow { shadow, show_behind_node: false },
        1 => EffectKind::InnerShadow(shadow),
        2 => EffectKind::LayerBlur { radius },
        _ => EffectKind::BackgroundBlur { radius },
    };
    Effect { kind, visible: !random.value().is_multiple_of(5) }
}

fn export(random: Random) -> ExportAct {
    let at = random.which % 2;
    let (suffix, format) = ("@2x".to_owned(), random.one(&ExportFileFormat::ALL));
    let setting = ExportSetting { suffix, format, size: ExportSize::Scale(2.0) };
    match random.value() % 3 {
        0 => ExportAct::Add,
        1 => ExportAct::Remove(at),
        _ => ExportAct::Set { at, setting },
    }
}
