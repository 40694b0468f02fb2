//! What is chosen, not typed.

use std::ops::Range;

use super::layout::{self, Third, has_size_limits, limit_of, set_limit};
use super::number_kind::SizeLimit;
use super::paints::PaintList;
use super::takers::takers;
use super::text::{change_letters, face_name, set_list, set_style};
use crate::design::edit::Transaction;
use crate::design::{
    AutoResize, BlendMode, Direction, Document, DocumentError, LineHeight, LineType, Node, NodeId,
    NodeKind, PrimaryAlign, Sizing, StrokeAlign, StrokeCap, StrokeJoin, TextAlign, TextCase,
    TextDecoration, VerticalAlign,
};
use crate::editor::error::EditorError;

/// A property that is chosen of few.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// Whether it is drawn.
    Visible(bool),
    /// How it mixes with what is below.
    Blend(BlendMode),
    /// Whether it cuts its children.
    ClipsContent(bool),
    /// How it follows its parent along an axis.
    Constrain(Direction, Constraint),
    /// On which side of the edge the outline lies.
    StrokeAlign(StrokeAlign),
    /// How open ends of the outline look.
    StrokeCap(StrokeCap),
    /// How corners of the outline look.
    StrokeJoin(StrokeJoin),
    /// Lengths of dashes and gaps in turn; none: solid.
    Dashes(Vec<f64>),
    /// The family of the font.
    FontFamily(String),
    /// The face of the family.
    FontFace {
        /// 100..=900.
        weight: f64,
        /// Slanted.
        italic: bool,
    },
    /// The distance of baselines, with its unit.
    LineHeight(LineHeight),
    /// Along the line.
    TextAlign(TextAlign),
    /// Down the box.
    VerticalAlign(VerticalAlign),
    /// How the box follows the letters.
    AutoResize(AutoResize),
    /// How letters are shown.
    TextCase(TextCase),
    /// A line along the text.
    TextDecoration(TextDecoration),
    /// What all lines are in a list.
    List(LineType),
    /// Whether what does not fit ends with an ellipsis.
    Truncates(bool),
    /// Along which axis auto layout places the children.
    Direction(Direction),
    /// Whether children go on in a new line.
    Wraps(bool),
    /// Whether children are spread, first and last at the ends.
    SpreadGap(bool),
    /// Where the content lies, across and down.
    AlignContent(Third, Third),
    /// How an extent is found.
    Sizing(Direction, Sizing),
    /// Whether an extent is limited: at first to what it is.
    Limited(SizeLimit, bool),
    /// Whether it stays where it is, whatever its parent does with the others.
    Absolute(bool),
}

/// How a node follows its parent's size along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// Left, or top.
    Start,
    /// Right, or bottom.
    End,
    /// Both edges.
    Both,
    /// The middle.
    Center,
    /// In proportion.
    Scale,
}

impl Constraint {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Start, Self::End, Self::Both, Self::Center, Self::Scale];

    /// Figma's name in files.
    fn word(self, axis: Direction) -> &'static str {
        match (self, axis) {
            (Self::Start, Direction::Horizontal) => "LEFT",
            (Self::Start, Direction::Vertical) => "TOP",
            (Self::End, Direction::Horizontal) => "RIGHT",
            (Self::End, Direction::Vertical) => "BOTTOM",
            (Self::Both, Direction::Horizontal) => "LEFT_RIGHT",
            (Self::Both, Direction::Vertical) => "TOP_BOTTOM",
            (Self::Center, _) => "CENTER",
            (Self::Scale, _) => "SCALE",
        }
    }

    /// That of a node; `None` for a word that nobody knows here.
    pub fn of(node: &Node, axis: Direction) -> Option<Self> {
        let word = match axis {
            Direction::Horizontal => &node.constraints.horizontal,
            Direction::Vertical => &node.constraints.vertical,
        };
        Self::ALL.into_iter().find(|known| known.word(axis) == word)
    }
}

impl Setting {
    /// What setting it is called.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Visible(true) => "Show",
            Self::Visible(false) => "Hide",
            Self::Blend(_) => "Blend mode",
            Self::ClipsContent(_) => "Clip content",
            Self::Constrain(..) => "Constraints",
            Self::StrokeAlign(_) | Self::StrokeCap(_) | Self::StrokeJoin(_) | Self::Dashes(_) => {
                "Stroke"
            }
            Self::FontFamily(_) | Self::FontFace { .. } => "Font",
            Self::LineHeight(_) => "Line height",
            Self::TextAlign(_) | Self::VerticalAlign(_) => "Text align",
            Self::TextCase(_) => "Case",
            Self::TextDecoration(_) => "Decoration",
            Self::List(_) => "List",
            Self::Truncates(_) => "Truncate text",
            Self::Direction(_) => "Direction",
            Self::Wraps(_) => "Wrap",
            Self::SpreadGap(_) => "Gap",
            Self::AlignContent(..) => "Align content",
            Self::AutoResize(_) | Self::Sizing(..) => "Resizing",
            Self::Limited(limit, _) => limit.label(),
            Self::Absolute(_) => "Ignore auto layout",
        }
    }

    /// Those of the nodes that it means something for.
    ///
    /// # Errors
    ///
    /// That there is none, or what is wrong with the value itself.
    pub(super) fn takers(
        &self,
        document: &Document,
        nodes: &[NodeId],
    ) -> Result<Vec<NodeId>, EditorError> {
        if let Self::Dashes(dashes) = self
            && !dashes.iter().all(|dash| dash.is_finite() && *dash >= 0.0)
        {
            let why = "lengths of dashes are numbers of at least 0".to_owned();
            return Err(EditorError::NotPossible(why));
        }
        if let Self::FontFamily(name) = self
            && name.trim().is_empty()
        {
            return Err(EditorError::NotPossible("a font family has a name".to_owned()));
        }
        let takes = |node: &Node| self.takes(document, node);
        takers(document, nodes, takes, || {
            format!("nothing that is selected has this: {}", self.label())
        })
    }

    fn takes(&self, document: &Document, node: &Node) -> bool {
        match self {
            Self::Visible(_) | Self::Blend(_) => !node.kind.is_file_or_page(),
            Self::ClipsContent(_) => node.kind.is_some_frame(),
            Self::Constrain(..) => {
                node.has_box() && node.parent.is_some() && !document.is_placed(&node.id)
            }
            Self::StrokeAlign(_) | Self::StrokeCap(_) | Self::StrokeJoin(_) | Self::Dashes(_) => {
                PaintList::Strokes.takes(&node.kind)
            }
            Self::FontFamily(_)
            | Self::FontFace { .. }
            | Self::LineHeight(_)
            | Self::TextAlign(_)
            | Self::VerticalAlign(_)
            | Self::AutoResize(_)
            | Self::TextCase(_)
            | Self::TextDecoration(_)
            | Self::List(_)
            | Self::Truncates(_) => matches!(node.kind, NodeKind::Text(_)),
            Self::Direction(_) | Self::SpreadGap(_) | Self::AlignContent(..) => {
                node.auto_layout.is_some()
            }
            Self::Wraps(_) => node
                .auto_layout
                .as_ref()
                .is_some_and(|layout| layout.direction == Direction::Horizontal),
            Self::Sizing(_, sizing) => layout::can_size(document, node, *sizing),
            Self::Limited(..) => has_size_limits(document, node),
            Self::Absolute(_) => {
                let parent = node.parent.as_ref().and_then(|parent| document.get(parent));
                parent.is_some_and(|parent| parent.auto_layout.is_some())
            }
        }
    }

    /// Sets it; of a text for these of its letters, if any are named, as far as letters can have it alone.
    pub(super) fn set(
        &self,
        change: &mut Transaction<'_>,
        id: &NodeId,
        letters: Option<&Range<usize>>,
    ) -> Result<(), DocumentError> {
        match self {
            Self::Sizing(axis, sizing) => size(change, id, *axis, *sizing),
            // Lists are made of whole lines, and sizes are of the whole text.
            Self::List(_) | Self::Limited(..) => change.update(id, |node| self.write(node)),
            _ => change.update(id, |node| change_letters(node, letters, |node| self.write(node))),
        }
    }

    fn write(&self, node: &mut Node) {
        match self {
            Self::Visible(visible) => node.visible = *visible,
            Self::Blend(mode) => node.blend_mode = *mode,
            Self::ClipsContent(clips) => node.clips_content = *clips,
            Self::Constrain(axis, constraint) => {
                let word = match axis {
                    Direction::Horizontal => &mut node.constraints.horizontal,
                    Direction::Vertical => &mut node.constraints.vertical,
                };
                constraint.word(*axis).clone_into(word);
            }
            Self::StrokeAlign(align) => node.stroke.align = *align,
            Self::StrokeCap(cap) => node.stroke.cap = *cap,
            Self::StrokeJoin(join) => node.stroke.join = *join,
            Self::Dashes(dashes) => node.stroke.dashes.clone_from(dashes),
            Self::Absolute(is_absolute) => node.layout_item.is_absolute = *is_absolute,
            Self::Limited(limit, false) => set_limit(&mut node.layout_item, *limit, None),
            Self::Limited(limit, true) => {
                let now = match limit.axis() {
                    Direction::Horizontal => node.size.width,
                    Direction::Vertical => node.size.height,
                };
                // One that is there stays.
                let to = limit_of(&node.layout_item, *limit).unwrap_or(now);
                set_limit(&mut node.layout_item, *limit, Some(to));
            }
            Self::Direction(_) | Self::Wraps(_) | Self::SpreadGap(_) | Self::AlignContent(..) => {
                self.write_layout(node);
            }
            Self::Sizing(..) => {}
            _ => self.write_text(node),
        }
    }

    fn write_layout(&self, node: &mut Node) {
        let Some(layout) = &mut node.auto_layout else { return };
        match self {
            Self::Direction(direction) => **layout = layout::turned(layout, *direction),
            Self::Wraps(wraps) => layout.wraps = *wraps,
            Self::SpreadGap(true) => layout.primary_align = PrimaryAlign::SpaceBetween,
            Self::SpreadGap(false) if layout.primary_align == PrimaryAlign::SpaceBetween => {
                layout.primary_align = PrimaryAlign::Min;
            }
            Self::AlignContent(across, down) => layout::align(layout, *across, *down),
            _ => {}
        }
    }

    fn write_text(&self, node: &mut Node) {
        match self {
            Self::FontFamily(family) => set_style(
                node,
                |style| family.clone_into(&mut style.font_family),
                |own| own.font_family = None,
            ),
            Self::FontFace { weight, italic } => set_style(
                node,
                |style| {
                    (style.font_weight, style.italic) = (*weight, *italic);
                    style.font_style = Some(face_name(*weight, *italic));
                },
                |own| (own.font_weight, own.italic, own.font_style) = (None, None, None),
            ),
            Self::LineHeight(height) => {
                set_style(node, |style| style.line_height = *height, |own| own.line_height = None);
            }
            Self::TextAlign(align) => set_style(node, |style| style.align = *align, |_| {}),
            Self::VerticalAlign(align) => {
                set_style(node, |style| style.vertical_align = *align, |_| {});
            }
            Self::AutoResize(resize) => {
                set_style(node, |style| style.auto_resize = *resize, |_| {});
            }
            Self::TextCase(case) => {
                set_style(node, |style| style.case = *case, |own| own.case = None);
            }
            Self::TextDecoration(line) => {
                set_style(node, |style| style.decoration = *line, |own| own.decoration = None);
            }
            Self::List(kind) => {
                if let Some(text) = node.text_mut() {
                    set_list(text, *kind);
                }
            }
            Self::Truncates(truncates) => {
                set_style(node, |style| style.truncates = *truncates, |_| {});
            }
            _ => {}
        }
    }
}

/// A text whose width hugs has no lines to break: its height hugs too, and the other way round it is fixed.
fn size(
    change: &mut Transaction<'_>,
    id: &NodeId,
    axis: Direction,
    sizing: Sizing,
) -> Result<(), DocumentError> {
    let other = axis.across();
    let is_text = change.document().node(id)?.text().is_some();
    let of_other = change.document().sizing(id, other);
    change.set_sizing(id, axis, sizing)?;
    if !is_text {
        return Ok(());
    }
    // Both words are given, so that the way the text resizes itself follows from them.
    let of_other = match (axis, sizing, of_other) {
        (Direction::Horizontal, Sizing::Hug, _) => Sizing::Hug,
        (Direction::Vertical, Sizing::Fixed | Sizing::Fill, Sizing::Hug) => Sizing::Fixed,
        (_, _, of_other) => of_other,
    };
    change.set_sizing(id, other, of_other)
}
