//! Names of nodes and values of their fields, as people read them.

use serde_json::Value;

use crate::base::{Point, Rgba};
use crate::design::diff::StyleField;
use crate::design::hunk::Field;
use crate::design::{
    AutoLayout, AutoResize, BlendMode, CornerRadii, Direction, Effect, EffectKind, Gradient,
    GradientKind, LayoutItem, Node, NodeKind, Paint, PaintKind, Shadow, Sizing, StrokeAlign,
    TextCase, TextContent, TextDecoration,
};

/// The most letters of a name or a text that are shown.
const MOST_LETTERS: usize = 28;
/// The most words of a name or a text that are shown.
const MOST_WORDS: usize = 4;
/// The most names in a row; more are counted.
const MOST_NAMES: usize = 2;

/// What a node is called, in quotes: by its name, or what it says, or its type.
pub(super) fn label(node: &Node) -> String {
    let words = node.text().map(|text| text.characters.as_str()).unwrap_or_default();
    let name = [node.name.as_str(), words].into_iter().find(|name| !name.trim().is_empty());
    quoted(name.unwrap_or(&kind(&node.kind)))
}

/// A type of node, as people call it.
pub(super) fn kind(kind: &NodeKind) -> String {
    kind.type_name().to_lowercase().replace('_', " ")
}

/// Names in a row: the first, and how many more there are if they are many.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [one, other] => format!("{one} and {other}"),
        [one, rest @ ..] if names.len() <= MOST_NAMES + 1 => {
            format!("{one}, {}", rest.join(" and "))
        }
        _ => format!("{} layers", names.len()),
    }
}

/// The beginning of a text, in quotes.
pub(super) fn quoted(text: &str) -> String {
    quoted_within(text, MOST_WORDS, MOST_LETTERS)
}

/// So much of a text, in quotes.
pub(super) fn quoted_within(text: &str, most_words: usize, most_letters: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let start = words.get(..most_words.min(words.len())).unwrap_or_default().join(" ");
    let cut: String = start.chars().take(most_letters).collect();
    let is_whole = words.len() <= most_words && cut.len() == start.len();
    format!("\"{cut}{}\"", if is_whole { "" } else { "…" })
}

/// A number with at most two decimals.
pub(super) fn number(value: f64) -> String {
    // Plus zero, as there is no minus zero for people.
    format!("{}", (value * 100.0).round() / 100.0 + 0.0)
}

/// The left top corner of a node's box in its parent.
pub(super) fn corner(node: &Node) -> Point {
    node.transform.bounds_of(node.size).origin()
}

/// The value of a field, as people read it. Two values that read alike are not always the same.
pub(super) fn value(field: Field, node: &Node) -> String {
    match field {
        Field::Existence => label(node),
        Field::Parent => node.parent.as_ref().map_or("page".to_owned(), ToString::to_string),
        // Its place is not the node's own; hunks say it.
        Field::Order => String::new(),
        Field::Place => {
            let at = corner(node);
            format!("{}, {}", number(at.x), number(at.y))
        }
        Field::Rotation => format!("{}°", number(node.transform.rotation_degrees())),
        Field::Size => format!("{} × {}", number(node.size.width), number(node.size.height)),
        Field::Words => {
            quoted(node.text().map(|text| text.characters.as_str()).unwrap_or_default())
        }
        Field::Name => quoted(&node.name),
        Field::Kind => kind(&node.kind),
        Field::Style(field) => style(field, node),
    }
}

/// By what the value of a field is told from others that read alike; `None` where its words say all.
pub(super) fn mark(field: Field, node: &Node) -> Option<String> {
    let all = match field {
        Field::Words => node.text().map(|text| text.characters.clone()).unwrap_or_default(),
        Field::Name => node.name.clone(),
        Field::Style(StyleField::Fills) => format!("{:?}", node.fills),
        Field::Style(StyleField::Strokes) => format!("{:?}", node.stroke.paints),
        Field::Style(StyleField::StrokeForm) => {
            let mut stroke = node.stroke.clone();
            // These are fields of their own.
            stroke.paints.clear();
            (stroke.weight, stroke.sides) = (0.0, None);
            format!("{stroke:?}")
        }
        Field::Style(StyleField::Effects) => format!("{:?}", node.effects),
        Field::Style(StyleField::AutoLayout) => format!("{:?}", node.auto_layout),
        Field::Style(StyleField::LayoutItem) => format!("{:?}", node.layout_item),
        Field::Style(StyleField::Shape) => format!("{:?}", node.kind),
        Field::Style(StyleField::Letters) => {
            let text = node.text()?;
            let lists = (&text.line_types, &text.line_indents);
            let (case, line) = (text.style.case, text.style.decoration);
            format!("{case:?} {line:?} {:?} {:?} {lists:?}", text.override_ids, text.overrides)
        }
        Field::Existence
        | Field::Parent
        | Field::Order
        | Field::Place
        | Field::Rotation
        | Field::Size
        | Field::Kind
        | Field::Style(
            StyleField::Visible
            | StyleField::Opacity
            | StyleField::BlendMode
            | StyleField::Mask
            | StyleField::StrokeWeight
            | StyleField::Corners
            | StyleField::Clip
            | StyleField::Constraints
            | StyleField::Font
            | StyleField::Paragraph,
        ) => return None,
    };
    // Sixty-four bits: enough to tell the values of one field of one node, and short in a log.
    Some(blake3::hash(all.as_bytes()).to_hex().as_str().chars().take(16).collect())
}

fn style(field: StyleField, node: &Node) -> String {
    match field {
        StyleField::Visible => if node.visible { "shown" } else { "hidden" }.to_owned(),
        StyleField::Opacity => format!("{} %", number(node.opacity * 100.0)),
        StyleField::BlendMode => blend_mode(node.blend_mode),
        StyleField::Mask => on_or_off(node.is_mask),
        StyleField::Fills => paints(&node.fills),
        StyleField::Strokes => paints(&node.stroke.paints),
        StyleField::StrokeWeight => match node.stroke.sides {
            None => number(node.stroke.weight),
            Some(sides) => numbers([sides.top, sides.right, sides.bottom, sides.left]),
        },
        StyleField::StrokeForm => stroke_form(node),
        StyleField::Effects => effects(&node.effects),
        StyleField::Corners => corners(node.corner_radii, node.corner_smoothing),
        StyleField::Clip => on_or_off(node.clips_content),
        StyleField::Constraints => {
            let constraints = &node.constraints;
            let [across, down] = [&constraints.horizontal, &constraints.vertical]
                .map(|word| word.to_lowercase().replace('_', " and "));
            format!("{across}, {down}")
        }
        StyleField::AutoLayout => node.auto_layout.as_deref().map_or("off".to_owned(), auto_layout),
        StyleField::LayoutItem => layout_item(&node.layout_item),
        StyleField::Shape => match &node.kind {
            NodeKind::RegularPolygon { corners } => format!("{corners} corners"),
            NodeKind::Star { tips, inner_ratio } => {
                format!("{tips} tips, {} % in", number(inner_ratio * 100.0))
            }
            NodeKind::Ellipse(arc) => format!(
                "arc {}° to {}°, hole {} %",
                number(arc.start.to_degrees()),
                number(arc.end.to_degrees()),
                number(arc.inner_ratio * 100.0)
            ),
            NodeKind::BooleanOperation(op) => format!("{op:?}").to_lowercase(),
            other => format!("outline of the {}", kind(other)),
        },
        StyleField::Font => node.text().map(font).unwrap_or_default(),
        StyleField::Paragraph => node.text().map(paragraph).unwrap_or_default(),
        StyleField::Letters => node.text().map(letters).unwrap_or_default(),
    }
}

fn on_or_off(is_on: bool) -> String {
    if is_on { "on" } else { "off" }.to_owned()
}

fn numbers(values: [f64; 4]) -> String {
    values.map(number).join(" ")
}

fn paints(paints: &[Paint]) -> String {
    let seen: Vec<String> = paints.iter().filter(|paint| paint.visible).map(paint).collect();
    match seen.as_slice() {
        [] => "none".to_owned(),
        [first] => first.clone(),
        [first, rest @ ..] => format!("{first} and {} below", rest.len()),
    }
}

fn paint(paint: &Paint) -> String {
    match &paint.kind {
        PaintKind::Solid(_) => paint.solid_color().map(Rgba::to_hex).unwrap_or_default(),
        PaintKind::Gradient(gradient) => gradient_words(gradient),
        PaintKind::Image(_) => "picture".to_owned(),
        PaintKind::Other(name) => name.to_lowercase(),
    }
}

fn gradient_words(gradient: &Gradient) -> String {
    let form = match gradient.kind {
        GradientKind::Linear => "linear",
        GradientKind::Radial => "radial",
        GradientKind::Angular => "angular",
        GradientKind::Diamond => "diamond",
    };
    let ends = [gradient.stops.first(), gradient.stops.last()];
    let ends = ends.map(|stop| stop.map(|stop| stop.color.to_hex()).unwrap_or_default());
    format!("{form} {}–{}", ends[0], ends[1])
}

fn blend_mode(mode: BlendMode) -> String {
    let word = serde_json::to_value(mode).ok();
    let word = word.as_ref().and_then(Value::as_str).unwrap_or_default();
    word.to_lowercase().replace('_', " ")
}

fn stroke_form(node: &Node) -> String {
    let stroke = &node.stroke;
    let side = match stroke.align {
        StrokeAlign::Inside => "inside",
        StrokeAlign::Center => "center",
        StrokeAlign::Outside => "outside",
    };
    if stroke.dashes.is_empty() {
        return side.to_owned();
    }
    let dashes: Vec<String> = stroke.dashes.iter().copied().map(number).collect();
    format!("{side}, dashes {}", dashes.join(" "))
}

fn effects(effects: &[Effect]) -> String {
    let seen = effects.iter().filter(|effect| effect.visible);
    let seen: Vec<String> = seen.map(|effect| effect_words(&effect.kind)).collect();
    match seen.as_slice() {
        [] => "none".to_owned(),
        [only] => only.clone(),
        many => format!("{} effects", many.len()),
    }
}

fn effect_words(kind: &EffectKind) -> String {
    match kind {
        EffectKind::DropShadow { shadow, .. } => format!("drop shadow {}", shadow_words(shadow)),
        EffectKind::InnerShadow(shadow) => format!("inner shadow {}", shadow_words(shadow)),
        EffectKind::LayerBlur { radius } => format!("layer blur {}", number(*radius)),
        EffectKind::BackgroundBlur { radius } => format!("background blur {}", number(*radius)),
        EffectKind::Other(name) => name.to_lowercase(),
    }
}

fn shadow_words(shadow: &Shadow) -> String {
    let Shadow { color, offset, radius, .. } = shadow;
    format!("{} {} {} {}", number(offset.x), number(offset.y), number(*radius), color.to_hex())
}

fn corners(radii: CornerRadii, smoothing: f64) -> String {
    let all = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
    let radius = radii.as_uniform().map_or_else(|| numbers(all), number);
    if smoothing > 0.0 {
        format!("{radius}, {} % smooth", number(smoothing * 100.0))
    } else {
        radius
    }
}

fn auto_layout(layout: &AutoLayout) -> String {
    let direction = match layout.direction {
        Direction::Horizontal => "horizontal",
        Direction::Vertical => "vertical",
    };
    let padding = layout.padding;
    let sides = [padding.top, padding.right, padding.bottom, padding.left];
    let is_even = sides.iter().all(|side| *side == padding.top);
    let padding = if is_even { number(padding.top) } else { numbers(sides) };
    format!("{direction}, gap {}, padding {padding}", number(layout.item_spacing))
}

fn layout_item(item: &LayoutItem) -> String {
    let [across, down] = [item.horizontal, item.vertical].map(|sizing| match sizing {
        None => "as before",
        Some(Sizing::Fixed) => "fixed",
        Some(Sizing::Hug) => "hug",
        Some(Sizing::Fill) => "fill",
    });
    let place = if item.is_absolute { ", absolute" } else { "" };
    format!("{across} × {down}{place}")
}

fn font(text: &TextContent) -> String {
    let style = &text.style;
    let slant = if style.italic { " italic" } else { "" };
    let (family, weight, size) = (&style.font_family, style.font_weight, style.font_size);
    format!("{family} {}{slant} {}", number(weight), number(size))
}

fn paragraph(text: &TextContent) -> String {
    let style = &text.style;
    let (align, down) = (style.align.label(), style.vertical_align.label());
    let line = style.line_height.label(number);
    let resize = match style.auto_resize {
        AutoResize::None => "fixed size",
        AutoResize::Height => "auto height",
        AutoResize::WidthAndHeight => "auto width",
        AutoResize::Truncate => "truncated",
    };
    let spacing = number(style.letter_spacing);
    format!("{align} {down}, line {line}, spacing {spacing}, {resize}")
}

fn letters(text: &TextContent) -> String {
    let case = match text.style.case {
        TextCase::Original => "as typed",
        TextCase::Upper => "upper case",
        TextCase::Lower => "lower case",
        TextCase::Title => "title case",
        TextCase::SmallCaps | TextCase::SmallCapsForced => "small caps",
    };
    let line = match text.style.decoration {
        TextDecoration::None => "",
        TextDecoration::Underline => ", underlined",
        TextDecoration::Strikethrough => ", struck through",
    };
    let styles = text.overrides.len();
    let own = if styles > 0 { format!(", {styles} styles of letters") } else { String::new() };
    format!("{case}{line}{own}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;

    #[test]
    fn values_read_as_in_the_panel() {
        let mut node = Node::new("1:2".into(), "Buy  button", NodeKind::Rectangle);
        node.fills = vec![Paint::solid(Rgba::from_u8([27, 77, 255, 255]))];
        node.size = Size::new(100.126, 40.0);
        node.corner_radii = CornerRadii::uniform(16.0);
        assert_eq!(label(&node), "\"Buy button\"");
        let fields = [
            (Field::Style(StyleField::Fills), "#1B4DFF"),
            (Field::Style(StyleField::Corners), "16"),
            (Field::Style(StyleField::Effects), "none"),
            (Field::Style(StyleField::Opacity), "100 %"),
            (Field::Size, "100.13 × 40"),
            (Field::Place, "0, 0"),
        ];
        for (field, words) in fields {
            assert_eq!(value(field, &node), words);
        }
    }

    #[test]
    fn long_names_are_cut_at_words_and_letters() {
        assert_eq!(quoted("one two three four five"), "\"one two three four…\"");
        assert_eq!(quoted(&"a".repeat(40)), format!("\"{}…\"", "a".repeat(28)));
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        assert_eq!(listed(&names[..3]), "a, b and c");
        assert_eq!(listed(&names), "4 layers");
    }
}
