//! What Figma's files call the fields that an instance overrides.

use crate::design::diff::StyleField;
use crate::design::hunk::Field;
use crate::design::{AutoLayout, LayoutItem, Node, Sides, TextStyle};

/// A name in `overriddenFields`, the field it is a part of here, and whether two nodes differ in what it names.
type Name = (&'static str, Field, fn(&Node, &Node) -> bool);

/// Lengths that differ by no more are the same, as for [`Field::Size`].
const TOLERANCE: f64 = 1e-3;

/// Names that are read; those that differ are written, or the first of the field where none of them does. Source: the
/// names of node changes in Figma's plugin interface, which its files use.
const NAMES: &[Name] = &[
    ("name", Field::Name, |a, b| a.name != b.name),
    ("characters", Field::Words, |a, b| !Field::Words.is_same(a, b)),
    ("width", Field::Size, |a, b| (a.size.width - b.size.width).abs() > TOLERANCE),
    ("height", Field::Size, |a, b| (a.size.height - b.size.height).abs() > TOLERANCE),
    ("size", Field::Size, never),
    ("x", Field::Place, never),
    ("y", Field::Place, never),
    ("rotation", Field::Rotation, never),
    ("visible", Field::Style(StyleField::Visible), |a, b| a.visible != b.visible),
    ("opacity", Field::Style(StyleField::Opacity), |a, b| a.opacity != b.opacity),
    ("blendMode", Field::Style(StyleField::BlendMode), |a, b| a.blend_mode != b.blend_mode),
    ("isMask", Field::Style(StyleField::Mask), |a, b| a.is_mask != b.is_mask),
    ("maskType", Field::Style(StyleField::Mask), |a, b| a.mask_type != b.mask_type),
    ("fills", Field::Style(StyleField::Fills), |a, b| a.fills != b.fills),
    ("inheritFillStyleId", Field::Style(StyleField::Fills), never),
    ("strokes", Field::Style(StyleField::Strokes), |a, b| a.stroke.paints != b.stroke.paints),
    ("inheritStrokeStyleId", Field::Style(StyleField::Strokes), never),
    ("strokeWeight", STROKE_WEIGHT, |a, b| a.stroke.weight != b.stroke.weight),
    ("strokeTopWeight", STROKE_WEIGHT, |a, b| side(a, b, |it| it.top)),
    ("strokeRightWeight", STROKE_WEIGHT, |a, b| side(a, b, |it| it.right)),
    ("strokeBottomWeight", STROKE_WEIGHT, |a, b| side(a, b, |it| it.bottom)),
    ("strokeLeftWeight", STROKE_WEIGHT, |a, b| side(a, b, |it| it.left)),
    ("strokeAlign", STROKE_FORM, |a, b| a.stroke.align != b.stroke.align),
    ("strokeCap", STROKE_FORM, |a, b| a.stroke.cap != b.stroke.cap),
    ("strokeJoin", STROKE_FORM, |a, b| a.stroke.join != b.stroke.join),
    ("strokeMiterLimit", STROKE_FORM, |a, b| a.stroke.miter_angle != b.stroke.miter_angle),
    ("dashPattern", STROKE_FORM, |a, b| a.stroke.dashes != b.stroke.dashes),
    ("effects", Field::Style(StyleField::Effects), |a, b| a.effects != b.effects),
    ("inheritEffectStyleId", Field::Style(StyleField::Effects), never),
    ("cornerRadius", CORNERS, never),
    ("topLeftRadius", CORNERS, |a, b| a.corner_radii.top_left != b.corner_radii.top_left),
    ("topRightRadius", CORNERS, |a, b| a.corner_radii.top_right != b.corner_radii.top_right),
    ("bottomRightRadius", CORNERS, |a, b| {
        a.corner_radii.bottom_right != b.corner_radii.bottom_right
    }),
    ("bottomLeftRadius", CORNERS, |a, b| a.corner_radii.bottom_left != b.corner_radii.bottom_left),
    ("cornerSmoothing", CORNERS, |a, b| a.corner_smoothing != b.corner_smoothing),
    ("clipsContent", Field::Style(StyleField::Clip), |a, b| a.clips_content != b.clips_content),
    ("constraints", Field::Style(StyleField::Constraints), |a, b| a.constraints != b.constraints),
    ("layoutMode", AUTO_LAYOUT, |a, b| {
        layout(a, b, |it| it.direction) || a.auto_layout.is_some() != b.auto_layout.is_some()
    }),
    ("itemSpacing", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.item_spacing)),
    ("counterAxisSpacing", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.line_spacing)),
    ("paddingTop", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.padding.top)),
    ("paddingRight", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.padding.right)),
    ("paddingBottom", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.padding.bottom)),
    ("paddingLeft", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.padding.left)),
    ("primaryAxisAlignItems", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.primary_align)),
    ("counterAxisAlignItems", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.counter_align)),
    ("primaryAxisSizingMode", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.primary_hugs)),
    ("counterAxisSizingMode", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.counter_hugs)),
    ("counterAxisAlignContent", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.spreads_lines)),
    ("layoutWrap", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.wraps)),
    ("strokesIncludedInLayout", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.includes_strokes)),
    ("itemReverseZIndex", AUTO_LAYOUT, |a, b| layout(a, b, |it| it.reverses_paint_order)),
    ("layoutAlign", LAYOUT_ITEM, never),
    ("layoutGrow", LAYOUT_ITEM, never),
    ("layoutSizingHorizontal", LAYOUT_ITEM, |a, b| item(a, b, |it| it.horizontal)),
    ("layoutSizingVertical", LAYOUT_ITEM, |a, b| item(a, b, |it| it.vertical)),
    ("layoutPositioning", LAYOUT_ITEM, |a, b| item(a, b, |it| it.is_absolute)),
    ("minWidth", LAYOUT_ITEM, |a, b| item(a, b, |it| it.min_width)),
    ("maxWidth", LAYOUT_ITEM, |a, b| item(a, b, |it| it.max_width)),
    ("minHeight", LAYOUT_ITEM, |a, b| item(a, b, |it| it.min_height)),
    ("maxHeight", LAYOUT_ITEM, |a, b| item(a, b, |it| it.max_height)),
    ("vectorNetwork", SHAPE, never),
    ("arcData", SHAPE, never),
    ("pointCount", SHAPE, never),
    ("innerRadius", SHAPE, never),
    ("booleanOperation", SHAPE, never),
    ("fontName", FONT, |a, b| {
        style(a, b, |it| (it.font_family.clone(), it.font_weight, it.italic))
    }),
    ("fontSize", FONT, |a, b| style(a, b, |it| it.font_size)),
    ("inheritTextStyleId", FONT, never),
    ("textAlignHorizontal", PARAGRAPH, |a, b| style(a, b, |it| it.align)),
    ("textAlignVertical", PARAGRAPH, |a, b| style(a, b, |it| it.vertical_align)),
    ("textAutoResize", PARAGRAPH, |a, b| style(a, b, |it| it.auto_resize)),
    ("lineHeight", PARAGRAPH, |a, b| style(a, b, |it| it.line_height)),
    ("letterSpacing", PARAGRAPH, |a, b| style(a, b, |it| it.letter_spacing)),
    ("paragraphSpacing", PARAGRAPH, |a, b| style(a, b, |it| it.paragraph_spacing)),
    ("paragraphIndent", PARAGRAPH, |a, b| style(a, b, |it| it.paragraph_indent)),
    ("listSpacing", PARAGRAPH, |a, b| style(a, b, |it| it.list_spacing)),
    ("textTruncation", PARAGRAPH, |a, b| style(a, b, |it| it.truncates)),
    ("maxLines", PARAGRAPH, |a, b| style(a, b, |it| it.max_lines)),
    ("styledTextSegments", LETTERS, never),
    ("textCase", LETTERS, |a, b| style(a, b, |it| it.case)),
    ("textDecoration", LETTERS, |a, b| style(a, b, |it| it.decoration)),
];

const STROKE_WEIGHT: Field = Field::Style(StyleField::StrokeWeight);
const STROKE_FORM: Field = Field::Style(StyleField::StrokeForm);
const CORNERS: Field = Field::Style(StyleField::Corners);
const AUTO_LAYOUT: Field = Field::Style(StyleField::AutoLayout);
const LAYOUT_ITEM: Field = Field::Style(StyleField::LayoutItem);
const SHAPE: Field = Field::Style(StyleField::Shape);
const FONT: Field = Field::Style(StyleField::Font);
const PARAGRAPH: Field = Field::Style(StyleField::Paragraph);
const LETTERS: Field = Field::Style(StyleField::Letters);

/// The field that a name of the file is of; `None` of a name that is none of ours.
pub(super) fn field_named(name: &str) -> Option<Field> {
    NAMES.iter().find(|(known, _, _)| *known == name).map(|(_, field, _)| *field)
}

/// The names of what of a field differs between a layer and that of the component, the field's first where that is not
/// known; none of a field that no file names.
pub(super) fn names_of(field: Field, main: Option<&Node>, own: &Node) -> Vec<&'static str> {
    let of_field = NAMES.iter().filter(|(_, of, _)| *of == field);
    let differing =
        of_field.clone().filter(|(_, _, differ)| main.is_some_and(|it| differ(it, own)));
    let names: Vec<&str> = differing.map(|(name, _, _)| *name).collect();
    if names.is_empty() { of_field.take(1).map(|(name, _, _)| *name).collect() } else { names }
}

fn never(_: &Node, _: &Node) -> bool {
    false
}

fn side(a: &Node, b: &Node, of: fn(&Sides) -> f64) -> bool {
    a.stroke.sides.as_ref().map(of) != b.stroke.sides.as_ref().map(of)
}

fn layout<T: PartialEq>(a: &Node, b: &Node, of: fn(&AutoLayout) -> T) -> bool {
    match (&a.auto_layout, &b.auto_layout) {
        (Some(a), Some(b)) => of(a) != of(b),
        _ => false,
    }
}

fn item<T: PartialEq>(a: &Node, b: &Node, of: fn(&LayoutItem) -> T) -> bool {
    of(&a.layout_item) != of(&b.layout_item)
}

fn style<T: PartialEq>(a: &Node, b: &Node, of: fn(&TextStyle) -> T) -> bool {
    a.text().map(|text| of(&text.style)) != b.text().map(|text| of(&text.style))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_that_instances_follow_has_a_name_and_reads_back() {
        for field in Field::ALL.into_iter().filter(|it| it.is_value() && *it != Field::Kind) {
            let node = Node::new("1:1".into(), "a", crate::design::NodeKind::Rectangle);
            let names = names_of(field, None, &node);
            assert_eq!(names.len(), 1, "{field:?}");
            assert_eq!(field_named(names[0]), Some(field));
        }
        assert_eq!(field_named("boundVariables"), None);
    }

    #[test]
    fn only_what_differs_is_named() {
        let mut main = Node::new("1:1".into(), "a", crate::design::NodeKind::Rectangle);
        main.size = crate::base::Size::new(10.0, 10.0);
        let mut own = main.clone();
        own.size.width = 30.0;
        assert_eq!(names_of(Field::Size, Some(&main), &own), ["width"]);
        own.corner_radii.top_left = 4.0;
        own.corner_radii.bottom_left = 4.0;
        let names = names_of(CORNERS, Some(&main), &own);
        assert_eq!(names, ["topLeftRadius", "bottomLeftRadius"]);
    }
}
