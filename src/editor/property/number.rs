//! Reading and setting numbers.

use std::ops::Range;

use super::common::Common;
use super::effects;
use super::geometry;
use super::layout::{has_size_limits, limit_of, set_limit};
use super::number_kind::{BoxCorner, BoxSide, NumberProperty};
use super::paints;
use super::shape;
use super::text::{change_letters, runs_mut, set_style, style_of};
use crate::base::Axis;
use crate::design::edit::Transaction;
use crate::design::gesture::NumberEntry;
use crate::design::{
    AutoLayout, CornerRadii, Document, DocumentError, LineHeight, Node, NodeId, NodeKind,
    PrimaryAlign, Sides, Stroke,
};
use crate::editor::error::EditorError;

/// What a node has of a number.
struct NumberReading {
    /// What is worked with where the node has one; no number where there is none, as of an automatic line height.
    old: f64,
    /// What is shown.
    shown: Common<f64>,
}

impl NumberReading {
    fn same(value: f64) -> Self {
        Self { old: value, shown: Common::Same(value) }
    }

    /// There may be a number, and is none.
    fn automatic() -> Self {
        Self { old: f64::NAN, shown: Common::Nothing }
    }

    /// Several numbers of one node.
    fn of<const N: usize>(values: [f64; N]) -> Self {
        let old = values.first().copied().unwrap_or(f64::NAN);
        Self { old, shown: Common::of(values.map(Common::Same)) }
    }
}

/// What a node gets of a number.
#[derive(Clone, Debug, PartialEq)]
pub enum NewNumber {
    /// This, for all of it.
    One(f64),
    /// Where its corners, sides or letters differ, for each of them what follows from its own.
    Each(Vec<f64>),
}

/// What these nodes have of a number.
pub fn number_of(document: &Document, nodes: &[NodeId], property: NumberProperty) -> Common<f64> {
    let nodes = nodes.iter().filter_map(|id| document.get(id));
    Common::of(nodes.filter_map(|node| Some(read(document, node, property)?.shown)))
}

/// What each of these nodes gets from what was typed: those that have the number and get another one. What works on the
/// number before, as `+10` does, works on each corner, side and run of letters by itself where they differ.
///
/// # Errors
///
/// That none of them has it, that it is no number, or that it is out of range.
pub fn number_values(
    document: &Document,
    nodes: &[NodeId],
    property: NumberProperty,
    entry: &NumberEntry,
) -> Result<Vec<(NodeId, NewNumber)>, EditorError> {
    let (mut values, mut takers) = (Vec::new(), 0);
    for node in nodes.iter().filter_map(|id| document.get(id)) {
        let Some(reading) = read(document, node, property) else { continue };
        takers += 1;
        if reading.shown == Common::Mixed && entry.refers_to_old() {
            let mut like = Node::clone(node);
            let olds: Vec<f64> =
                parts_mut(&mut like, property).into_iter().map(|old| *old).collect();
            let news = olds.iter().map(|old| number_from(property, entry, *old));
            let news = news.collect::<Result<Vec<f64>, EditorError>>()?;
            if news != olds {
                let news = news.into_iter().map(without_dust).collect();
                values.push((node.id.clone(), NewNumber::Each(news)));
            }
            continue;
        }
        let value = number_from(property, entry, reading.old)?;
        if reading.shown != Common::Same(value) {
            values.push((node.id.clone(), NewNumber::One(without_dust(value))));
        }
    }
    if takers == 0 {
        let why = match property {
            NumberProperty::X | NumberProperty::Y => "auto layout says where this lies".to_owned(),
            _ => format!("nothing that is selected has this: {}", property.label()),
        };
        return Err(EditorError::NotPossible(why));
    }
    Ok(values)
}

/// What becomes of one number; what it is already may be out of range.
fn number_from(
    property: NumberProperty,
    entry: &NumberEntry,
    old: f64,
) -> Result<f64, EditorError> {
    let what = property.label();
    let value = entry.value(old);
    let value = value.map_err(|why| EditorError::NotPossible(format!("{what}: {why}")))?;
    let (min, max) = property.range();
    if value != old && !(min..=max).contains(&value) {
        return Err(EditorError::Document(DocumentError::OutOfRange { what, value, min, max }));
    }
    Ok(value)
}

/// To a millionth, finer than anything that is shown: sums of tenths are tenths.
fn without_dust(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if (rounded - value).abs() < 1e-9 { rounded } else { value }
}

/// `None` of a node that has no such number.
fn read(document: &Document, node: &Node, property: NumberProperty) -> Option<NumberReading> {
    match property {
        NumberProperty::X => {
            Some(NumberReading::same(geometry::place(document, node, Axis::Horizontal)?))
        }
        NumberProperty::Y => {
            Some(NumberReading::same(geometry::place(document, node, Axis::Vertical)?))
        }
        NumberProperty::Width => {
            Some(NumberReading::same(geometry::extent(node, Axis::Horizontal)?))
        }
        NumberProperty::Height => {
            Some(NumberReading::same(geometry::extent(node, Axis::Vertical)?))
        }
        NumberProperty::Rotation => Some(NumberReading::same(geometry::angle(document, node)?)),
        NumberProperty::Opacity => {
            (!node.kind.is_file_or_page()).then(|| NumberReading::same(percent(node.opacity)))
        }
        NumberProperty::CornerRadius => {
            let CornerRadii { top_left, top_right, bottom_right, bottom_left } = node.corner_radii;
            has_corners(&node.kind)
                .then(|| NumberReading::of([top_left, top_right, bottom_right, bottom_left]))
        }
        NumberProperty::Corner(corner) => {
            let mut radii = node.corner_radii;
            has_four_corners(&node.kind).then(|| NumberReading::same(*radius(&mut radii, corner)))
        }
        NumberProperty::CornerSmoothing => {
            has_corners(&node.kind).then(|| NumberReading::same(percent(node.corner_smoothing)))
        }
        NumberProperty::PaintOpacity(list, at) => {
            Some(NumberReading::same(percent(paints::opacity(list.of(node).get(at)?))))
        }
        NumberProperty::StrokeWeight => takes_stroke(node).then(|| match node.stroke.sides {
            Some(Sides { top, right, bottom, left }) => {
                NumberReading::of([top, right, bottom, left])
            }
            None => NumberReading::same(node.stroke.weight),
        }),
        NumberProperty::StrokeSide(at) => {
            let mut sides = sides_of(&node.stroke);
            has_four_corners(&node.kind).then(|| NumberReading::same(*side(&mut sides, at)))
        }
        NumberProperty::MiterAngle => {
            takes_stroke(node).then(|| NumberReading::same(node.stroke.miter_angle))
        }
        NumberProperty::FontSize
        | NumberProperty::LineHeight
        | NumberProperty::LetterSpacing
        | NumberProperty::ParagraphSpacing
        | NumberProperty::MaxLines => read_text(node, property),
        NumberProperty::Gap
        | NumberProperty::LineGap
        | NumberProperty::PaddingAcross
        | NumberProperty::PaddingDown
        | NumberProperty::Padding(_) => read_layout(node.auto_layout.as_deref()?, property),
        NumberProperty::Limit(limit) => has_size_limits(document, node).then(|| {
            limit_of(&node.layout_item, limit)
                .map_or_else(NumberReading::automatic, NumberReading::same)
        }),
        NumberProperty::Effect(at, number) => {
            Some(NumberReading::same(effects::number(node.effects.get(at)?, number)?))
        }
        NumberProperty::Shape(number) => {
            Some(NumberReading::same(without_dust(shape::number(&node.kind, number)?)))
        }
    }
}

fn read_text(node: &Node, property: NumberProperty) -> Option<NumberReading> {
    let text = node.text()?;
    let style = &text.style;
    match property {
        NumberProperty::FontSize => {
            let shown = style_of(text, &style.font_size, |own| own.font_size);
            Some(NumberReading { old: shown.same().unwrap_or(style.font_size), shown })
        }
        NumberProperty::LineHeight => {
            let number = |height: LineHeight| match height {
                LineHeight::Pixels(number) | LineHeight::Percent(number) => Some(number),
                LineHeight::Auto => None,
            };
            match style_of(text, &style.line_height, |own| own.line_height) {
                Common::Same(height) => {
                    Some(number(height).map_or_else(NumberReading::automatic, NumberReading::same))
                }
                Common::Mixed => {
                    let old = number(style.line_height).unwrap_or(f64::NAN);
                    Some(NumberReading { old, shown: Common::Mixed })
                }
                Common::Nothing => None,
            }
        }
        NumberProperty::LetterSpacing => {
            let shown = style_of(text, &style.letter_spacing, |own| own.letter_spacing);
            Some(NumberReading { old: shown.same().unwrap_or(style.letter_spacing), shown })
        }
        NumberProperty::ParagraphSpacing => Some(NumberReading::same(style.paragraph_spacing)),
        NumberProperty::MaxLines => Some(
            style
                .max_lines
                .map_or_else(NumberReading::automatic, |n| NumberReading::same(n.into())),
        ),
        _ => None,
    }
}

fn read_layout(layout: &AutoLayout, property: NumberProperty) -> Option<NumberReading> {
    let mut padding = layout.padding;
    match property {
        NumberProperty::Gap if layout.primary_align == PrimaryAlign::SpaceBetween => {
            Some(NumberReading::automatic())
        }
        NumberProperty::Gap => Some(NumberReading::same(layout.item_spacing)),
        NumberProperty::LineGap => layout.wraps.then(|| NumberReading::same(layout.line_spacing)),
        NumberProperty::PaddingAcross => Some(NumberReading::of([padding.left, padding.right])),
        NumberProperty::PaddingDown => Some(NumberReading::of([padding.top, padding.bottom])),
        NumberProperty::Padding(at) => Some(NumberReading::same(*side(&mut padding, at))),
        _ => None,
    }
}

/// Gives a node a number, which is in range; of a text only these of its letters, if any are named.
pub(super) fn set(
    change: &mut Transaction<'_>,
    id: &NodeId,
    letters: Option<&Range<usize>>,
    property: NumberProperty,
    number: &NewNumber,
) -> Result<(), DocumentError> {
    let value = match number {
        NewNumber::One(value) => *value,
        NewNumber::Each(values) => {
            return change.update(id, |node| {
                change_letters(node, letters, |node| {
                    for (part, value) in parts_mut(node, property).into_iter().zip(values) {
                        *part = *value;
                    }
                });
            });
        }
    };
    match property {
        NumberProperty::X => geometry::set_place(change, id, Axis::Horizontal, value),
        NumberProperty::Y => geometry::set_place(change, id, Axis::Vertical, value),
        NumberProperty::Width => geometry::set_extent(change, id, Axis::Horizontal, value),
        NumberProperty::Height => geometry::set_extent(change, id, Axis::Vertical, value),
        NumberProperty::Rotation => geometry::set_angle(change, id, value),
        _ => change.update(id, |node| {
            change_letters(node, letters, |node| write(node, property, value));
        }),
    }
}

fn write(node: &mut Node, property: NumberProperty, value: f64) {
    match property {
        NumberProperty::Opacity => node.opacity = value / 100.0,
        NumberProperty::CornerRadius => node.corner_radii = CornerRadii::uniform(value),
        NumberProperty::Corner(corner) => *radius(&mut node.corner_radii, corner) = value,
        NumberProperty::CornerSmoothing => node.corner_smoothing = value / 100.0,
        NumberProperty::PaintOpacity(list, at) => {
            if let Some(paint) = list.of_mut(node).get_mut(at) {
                paints::set_opacity(paint, value / 100.0);
            }
        }
        NumberProperty::StrokeWeight => {
            (node.stroke.weight, node.stroke.sides) = (value, None);
        }
        NumberProperty::StrokeSide(at) => {
            let mut sides = sides_of(&node.stroke);
            *side(&mut sides, at) = value;
            // Once one is set by itself, each side has a weight of its own.
            node.stroke.sides = Some(sides);
        }
        NumberProperty::MiterAngle => node.stroke.miter_angle = value,
        NumberProperty::Limit(limit) => set_limit(&mut node.layout_item, limit, Some(value)),
        NumberProperty::Effect(at, number) => {
            if let Some(effect) = node.effects.get_mut(at) {
                effects::set_number(effect, number, value);
            }
        }
        NumberProperty::Shape(number) => shape::set(&mut node.kind, number, value),
        _ => {
            write_text(node, property, value);
            if let Some(layout) = &mut node.auto_layout {
                write_layout(layout, property, value);
            }
        }
    }
}

/// The numbers of a node that are one in the panel: those of its corners, of its sides, of its letters. What is automatic
/// is none of them.
fn parts_mut(node: &mut Node, property: NumberProperty) -> Vec<&mut f64> {
    match property {
        NumberProperty::CornerRadius => {
            let CornerRadii { top_left, top_right, bottom_right, bottom_left } =
                &mut node.corner_radii;
            vec![top_left, top_right, bottom_right, bottom_left]
        }
        NumberProperty::StrokeWeight => match &mut node.stroke.sides {
            Some(Sides { top, right, bottom, left }) => vec![top, right, bottom, left],
            None => vec![&mut node.stroke.weight],
        },
        NumberProperty::PaddingAcross | NumberProperty::PaddingDown => {
            let Some(layout) = &mut node.auto_layout else { return Vec::new() };
            let Sides { top, right, bottom, left } = &mut layout.padding;
            if property == NumberProperty::PaddingAcross {
                vec![left, right]
            } else {
                vec![top, bottom]
            }
        }
        NumberProperty::FontSize => {
            runs_mut(node, |style| &mut style.font_size, |own| own.font_size.as_mut())
        }
        NumberProperty::LetterSpacing => {
            runs_mut(node, |style| &mut style.letter_spacing, |own| own.letter_spacing.as_mut())
        }
        NumberProperty::LineHeight => {
            let heights =
                runs_mut(node, |style| &mut style.line_height, |own| own.line_height.as_mut());
            let numbers = heights.into_iter().filter_map(|height| match height {
                // Each in the unit that it is in.
                LineHeight::Pixels(number) | LineHeight::Percent(number) => Some(number),
                LineHeight::Auto => None,
            });
            numbers.collect()
        }
        _ => Vec::new(),
    }
}

fn write_text(node: &mut Node, property: NumberProperty, value: f64) {
    match property {
        NumberProperty::FontSize => {
            set_style(node, |style| style.font_size = value, |own| own.font_size = None);
        }
        NumberProperty::LineHeight => {
            let Some(text) = node.text() else { return };
            let now = style_of(text, &text.style.line_height, |own| own.line_height);
            // In the unit that it is in; an automatic one becomes pixels.
            let height = match now.same().unwrap_or(text.style.line_height) {
                LineHeight::Percent(_) => LineHeight::Percent(value),
                LineHeight::Auto | LineHeight::Pixels(_) => LineHeight::Pixels(value),
            };
            set_style(node, |style| style.line_height = height, |own| own.line_height = None);
        }
        NumberProperty::LetterSpacing => {
            set_style(node, |style| style.letter_spacing = value, |own| own.letter_spacing = None);
        }
        NumberProperty::ParagraphSpacing => {
            set_style(node, |style| style.paragraph_spacing = value, |_| {});
        }
        NumberProperty::MaxLines => set_style(
            node,
            |style| {
                style.truncates = true;
                // In range, so that nothing is lost but a fraction of a line.
                style.max_lines = Some(value.round() as u32);
            },
            |_| {},
        ),
        _ => {}
    }
}

fn write_layout(layout: &mut AutoLayout, property: NumberProperty, value: f64) {
    match property {
        NumberProperty::Gap => {
            layout.item_spacing = value;
            // A gap that has a number is not spread any more.
            if layout.primary_align == PrimaryAlign::SpaceBetween {
                layout.primary_align = PrimaryAlign::Min;
            }
        }
        NumberProperty::LineGap => layout.line_spacing = value,
        NumberProperty::PaddingAcross => {
            (layout.padding.left, layout.padding.right) = (value, value);
        }
        NumberProperty::PaddingDown => {
            (layout.padding.top, layout.padding.bottom) = (value, value);
        }
        NumberProperty::Padding(at) => *side(&mut layout.padding, at) = value,
        _ => {}
    }
}

/// A share as it is shown, without the dust of the multiplication.
fn percent(share: f64) -> f64 {
    without_dust(share * 100.0)
}

fn radius(radii: &mut CornerRadii, corner: BoxCorner) -> &mut f64 {
    match corner {
        BoxCorner::TopLeft => &mut radii.top_left,
        BoxCorner::TopRight => &mut radii.top_right,
        BoxCorner::BottomRight => &mut radii.bottom_right,
        BoxCorner::BottomLeft => &mut radii.bottom_left,
    }
}

fn side(sides: &mut Sides, at: BoxSide) -> &mut f64 {
    match at {
        BoxSide::Top => &mut sides.top,
        BoxSide::Right => &mut sides.right,
        BoxSide::Bottom => &mut sides.bottom,
        BoxSide::Left => &mut sides.left,
    }
}

fn sides_of(stroke: &Stroke) -> Sides {
    stroke.sides.unwrap_or(Sides::uniform(stroke.weight))
}

fn takes_stroke(node: &Node) -> bool {
    paints::PaintList::Strokes.takes(&node.kind)
}

/// Whether nodes of this kind have four corners, and so four sides.
fn has_four_corners(kind: &NodeKind) -> bool {
    *kind == NodeKind::Rectangle || kind.is_some_frame()
}

/// Whether Figma rounds the corners of nodes of this kind.
fn has_corners(kind: &NodeKind) -> bool {
    has_four_corners(kind)
        || matches!(
            kind,
            NodeKind::Vector(_)
                | NodeKind::RegularPolygon { .. }
                | NodeKind::Star { .. }
                | NodeKind::BooleanOperation(_)
        )
}
