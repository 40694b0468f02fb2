//! What makes a node look as it does, field by field.

use super::near::{
    is_near, same_corners, same_effects, same_line_height, same_overrides, same_paints, same_shape,
    same_sides,
};
use crate::design::node::Node;
use crate::design::paint::Stroke;
use crate::design::text::TextContent;

/// A field of a node's look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StyleField {
    /// Shown or hidden.
    Visible,
    /// Opacity.
    Opacity,
    /// Blend mode.
    BlendMode,
    /// Whether and how it masks.
    Mask,
    /// Fills.
    Fills,
    /// Paints of the outline.
    Strokes,
    /// Width of the outline.
    StrokeWeight,
    /// Side, ends, corners and dashes of the outline.
    StrokeForm,
    /// Shadows and blurs.
    Effects,
    /// Rounding of the corners.
    Corners,
    /// Whether it cuts its children.
    Clip,
    /// How it follows its parent.
    Constraints,
    /// Auto layout.
    AutoLayout,
    /// Sizing and place in auto layout.
    LayoutItem,
    /// The outline of a free form, the corners of a star …
    Shape,
    /// Family, style, weight or size of the font.
    Font,
    /// Alignment, line height and spacing of text.
    Paragraph,
    /// Case, decoration, list marks and styles of single characters.
    Letters,
}

impl StyleField {
    /// Every field, in the order in which differences list them.
    pub const ALL: [Self; 18] = [
        Self::Visible,
        Self::Opacity,
        Self::BlendMode,
        Self::Mask,
        Self::Fills,
        Self::Strokes,
        Self::StrokeWeight,
        Self::StrokeForm,
        Self::Effects,
        Self::Corners,
        Self::Clip,
        Self::Constraints,
        Self::AutoLayout,
        Self::LayoutItem,
        Self::Shape,
        Self::Font,
        Self::Paragraph,
        Self::Letters,
    ];

    /// Whether it means the same in two nodes. Fields of an outline that neither has paints for do,
    /// and so do fields of text where one of the two is none.
    pub fn is_same(self, a: &Node, b: &Node) -> bool {
        FIELDS.iter().find(|(field, _)| *field == self).is_none_or(|(_, same)| same(a, b))
    }

    /// Gives a node what the other has in this field, so that it means the same in both. Fields of
    /// text do nothing where one of the two is none, and the shape nothing where they are of two
    /// types.
    pub fn copy(self, from: &Node, to: &mut Node) {
        match self {
            Self::Visible => to.visible = from.visible,
            Self::Opacity => to.opacity = from.opacity,
            Self::BlendMode => to.blend_mode = from.blend_mode,
            Self::Mask => (to.is_mask, to.mask_type) = (from.is_mask, from.mask_type),
            Self::Fills => to.fills.clone_from(&from.fills),
            Self::Strokes => to.stroke.paints.clone_from(&from.stroke.paints),
            Self::StrokeWeight => {
                (to.stroke.weight, to.stroke.sides) = (from.stroke.weight, from.stroke.sides);
            }
            Self::StrokeForm => {
                // All of an outline but its paints and its width.
                let (paints, weight) = (std::mem::take(&mut to.stroke.paints), to.stroke.weight);
                let sides = to.stroke.sides;
                to.stroke = Stroke { paints, weight, sides, ..from.stroke.clone() };
            }
            Self::Effects => to.effects.clone_from(&from.effects),
            Self::Corners => {
                to.corner_radii = from.corner_radii;
                to.corner_smoothing = from.corner_smoothing;
            }
            Self::Clip => to.clips_content = from.clips_content,
            Self::Constraints => to.constraints.clone_from(&from.constraints),
            Self::AutoLayout => to.auto_layout.clone_from(&from.auto_layout),
            Self::LayoutItem => to.layout_item = from.layout_item,
            Self::Shape => {
                if from.text().is_none() && from.kind.type_name() == to.kind.type_name() {
                    to.kind.clone_from(&from.kind);
                }
            }
            Self::Font | Self::Paragraph | Self::Letters => {
                if let (Some(from), Some(to)) = (from.text(), to.text_mut()) {
                    self.copy_text(from, to);
                }
            }
        }
    }

    fn copy_text(self, from: &TextContent, to: &mut TextContent) {
        let (was, style) = (&from.style, &mut to.style);
        match self {
            Self::Font => {
                style.font_family.clone_from(&was.font_family);
                style.font_style.clone_from(&was.font_style);
                (style.font_weight, style.italic) = (was.font_weight, was.italic);
                style.font_size = was.font_size;
            }
            Self::Paragraph => {
                (style.align, style.vertical_align) = (was.align, was.vertical_align);
                (style.auto_resize, style.line_height) = (was.auto_resize, was.line_height);
                style.letter_spacing = was.letter_spacing;
                style.paragraph_spacing = was.paragraph_spacing;
                style.paragraph_indent = was.paragraph_indent;
                style.list_spacing = was.list_spacing;
                (style.truncates, style.max_lines) = (was.truncates, was.max_lines);
            }
            Self::Letters => {
                (style.case, style.decoration) = (was.case, was.decoration);
                style.opentype.clone_from(&was.opentype);
                to.line_types.clone_from(&from.line_types);
                to.line_indents.clone_from(&from.line_indents);
                to.overrides.clone_from(&from.overrides);
                // They point at letters, which are others in other words.
                if from.characters == to.characters {
                    to.override_ids.clone_from(&from.override_ids);
                }
            }
            _ => {}
        }
    }

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Visible => "visibility",
            Self::Opacity => "opacity",
            Self::BlendMode => "blend mode",
            Self::Mask => "mask",
            Self::Fills => "fill",
            Self::Strokes => "stroke",
            Self::StrokeWeight => "stroke weight",
            Self::StrokeForm => "stroke form",
            Self::Effects => "effects",
            Self::Corners => "corners",
            Self::Clip => "clipping",
            Self::Constraints => "constraints",
            Self::AutoLayout => "auto layout",
            Self::LayoutItem => "layout sizing",
            Self::Shape => "shape",
            Self::Font => "font",
            Self::Paragraph => "paragraph",
            Self::Letters => "letters",
        }
    }
}

/// Whether a field means the same in two nodes.
type Same = fn(&Node, &Node) -> bool;

const FIELDS: &[(StyleField, Same)] = &[
    (StyleField::Visible, |a, b| a.visible == b.visible),
    (StyleField::Opacity, |a, b| is_near(a.opacity, b.opacity)),
    (StyleField::BlendMode, |a, b| a.blend_mode == b.blend_mode),
    (StyleField::Mask, |a, b| a.is_mask == b.is_mask && (!a.is_mask || a.mask_type == b.mask_type)),
    (StyleField::Fills, |a, b| same_paints(&a.fills, &b.fills)),
    (StyleField::Strokes, |a, b| same_paints(&a.stroke.paints, &b.stroke.paints)),
    (StyleField::StrokeWeight, |a, b| {
        is_unstroked(a, b) || {
            is_near(a.stroke.weight, b.stroke.weight) && same_sides(a.stroke.sides, b.stroke.sides)
        }
    }),
    (StyleField::StrokeForm, |a, b| {
        is_unstroked(a, b) || {
            let (a, b) = (&a.stroke, &b.stroke);
            (a.align, a.cap, a.join, a.miter_angle) == (b.align, b.cap, b.join, b.miter_angle)
                && a.dashes == b.dashes
        }
    }),
    (StyleField::Effects, |a, b| same_effects(&a.effects, &b.effects)),
    (StyleField::Corners, |a, b| {
        same_corners(a.corner_radii, b.corner_radii)
            && is_near(a.corner_smoothing, b.corner_smoothing)
    }),
    (StyleField::Clip, |a, b| a.clips_content == b.clips_content),
    (StyleField::Constraints, |a, b| a.constraints == b.constraints),
    (StyleField::AutoLayout, |a, b| a.auto_layout == b.auto_layout),
    (StyleField::LayoutItem, |a, b| a.layout_item == b.layout_item),
    (StyleField::Shape, |a, b| {
        a.text().is_some()
            || a.kind.type_name() != b.kind.type_name()
            || same_shape(&a.kind, &b.kind)
    }),
    (StyleField::Font, |a, b| same_text(a, b, same_font)),
    (StyleField::Paragraph, |a, b| same_text(a, b, same_paragraph)),
    (StyleField::Letters, |a, b| same_text(a, b, same_letters)),
];

/// The fields in which two nodes differ, in a fixed order. Fields of an outline that neither has
/// paints for do not count.
pub(super) fn differing(a: &Node, b: &Node) -> Vec<StyleField> {
    FIELDS.iter().filter(|(_, same)| !same(a, b)).map(|(field, _)| *field).collect()
}

fn is_unstroked(a: &Node, b: &Node) -> bool {
    a.stroke.paints.is_empty() && b.stroke.paints.is_empty()
}

/// Texts are compared with texts alone.
fn same_text(a: &Node, b: &Node, same: fn(&TextContent, &TextContent) -> bool) -> bool {
    match (a.text(), b.text()) {
        (Some(a), Some(b)) => same(a, b),
        _ => true,
    }
}

fn same_font(a: &TextContent, b: &TextContent) -> bool {
    let (a, b) = (&a.style, &b.style);
    a.font_family == b.font_family
        && a.font_weight == b.font_weight
        && a.italic == b.italic
        && is_near(a.font_size, b.font_size)
}

fn same_paragraph(a: &TextContent, b: &TextContent) -> bool {
    let (a, b) = (&a.style, &b.style);
    (a.align, a.vertical_align, a.auto_resize) == (b.align, b.vertical_align, b.auto_resize)
        && same_line_height(a.line_height, b.line_height)
        && is_near(a.letter_spacing, b.letter_spacing)
        && is_near(a.paragraph_spacing, b.paragraph_spacing)
        && is_near(a.paragraph_indent, b.paragraph_indent)
        && is_near(a.list_spacing, b.list_spacing)
        && (a.truncates, a.max_lines) == (b.truncates, b.max_lines)
}

fn same_letters(a: &TextContent, b: &TextContent) -> bool {
    a.style.case == b.style.case
        && a.style.decoration == b.style.decoration
        && a.style.opentype == b.style.opentype
        && a.line_types == b.line_types
        && a.line_indents == b.line_indents
        // With other words the styles of single letters are at other places, which says nothing.
        && (a.characters != b.characters || a.override_ids == b.override_ids)
        && same_overrides(&a.overrides, &b.overrides)
}
