//! Texts that resize themselves.

use crate::base::{Affine, Limits, Size};
use crate::design::auto_layout::{Direction, Sizing};
use crate::design::edit::Transaction;
use crate::design::measure::Measure;
use crate::design::node::Node;
use crate::design::node_id::NodeId;
use crate::design::text::{AutoResize, TextAlign, TextContent, TextStyle};

/// Gives a text the size its letters take, so far as its box follows them, within its limits. The
/// edge it is aligned to stays: the left one, the middle, or the right one. What is wider than
/// it may be has its lines broken there.
pub(super) fn fit(change: &mut Transaction<'_>, id: &NodeId, measure: &dyn Measure) {
    let Some(node) = change.document().get(id) else { return };
    let Some(size) = node.text().and_then(|text| fitting_size(node, text, measure)) else { return };
    // Found by the old size, and in the text's own space: a turned text grows along its lines.
    let shift = shift(node, size);
    change.settle_node(id, |node| {
        let moved = node.transform.after(Affine::translate(shift, 0.0));
        // At the edge of what there is, the text grows to its other side.
        if moved.e.abs().max(moved.f.abs()) <= Limits::COORDINATE {
            node.transform = moved;
        }
        node.size = size;
    });
}

/// The size that follows from the letters; `None` if none does.
fn fitting_size(node: &Node, text: &TextContent, measure: &dyn Measure) -> Option<Size> {
    // Limits hold for texts too, in a frame with auto layout and outside.
    let across = Direction::Horizontal.bounds(&node.layout_item);
    let down = Direction::Vertical.bounds(&node.layout_item);
    let taken = match text.style.auto_resize {
        AutoResize::None | AutoResize::Truncate => return None,
        AutoResize::Height => {
            Size { width: node.size.width, ..broken(text, node.size.width, measure) }
        }
        AutoResize::WidthAndHeight => {
            // First as wide as it wants to be; a limit that is narrower breaks its lines, and so its height.
            let natural = measure.text(text, None).size;
            let width = across.clamp(natural.width);
            if width < natural.width {
                Size { width, ..broken(text, width, measure) }
            } else {
                Size { width, ..natural }
            }
        }
    };
    Some(Size { width: bounded(taken.width), height: bounded(down.clamp(taken.height)) })
}

/// An extent that a node may have: letters of the largest sizes or distances take more, or less than nothing.
fn bounded(extent: f64) -> f64 {
    extent.clamp(0.0, Limits::COORDINATE)
}

fn broken(text: &TextContent, width: f64, measure: &dyn Measure) -> Size {
    measure.text(text, Some(width)).size
}

/// How far the left edge goes so that the edge the text is aligned to stays.
fn shift(node: &Node, size: Size) -> f64 {
    let spare = node.size.width - size.width;
    match node.text().map_or(TextAlign::Left, |text| text.style.align) {
        TextAlign::Left | TextAlign::Justified => 0.0,
        TextAlign::Center => spare / 2.0,
        TextAlign::Right => spare,
    }
}

/// Whether a text of these two contents takes another size: words, fonts and distances count,
/// paints, lines along the text and alignment do not.
pub(super) fn differs(was: &TextContent, now: &TextContent) -> bool {
    was != now && taking_room(was) != taking_room(now)
}

/// The text with what takes no room at its default. Told by what is left out, so that a field that
/// comes later counts until somebody says otherwise.
fn taking_room(text: &TextContent) -> TextContent {
    let mut text = text.clone();
    let TextStyle { align, vertical_align, decoration, .. } = TextStyle::default();
    (text.style.align, text.style.vertical_align, text.style.decoration) =
        (align, vertical_align, decoration);
    for own in text.overrides.values_mut() {
        (own.fills, own.decoration) = (None, None);
    }
    text
}

/// Lets how a text resizes itself and how its extents are found say the same, by what was changed
/// last: HUG across is WIDTH_AND_HEIGHT, HUG down alone is HEIGHT.
pub(super) fn reconcile(change: &mut Transaction<'_>, id: &NodeId, was: Option<&Node>) {
    let Some(node) = change.document().get(id) else { return };
    let Some(now) = node.text().map(|text| text.style.auto_resize) else { return };
    // A text from a file stands as its file has it, though the two may contradict.
    if was.is_none() && node.origin.is_some() {
        return;
    }
    let (item, before) = (node.layout_item, was.map(|was| was.layout_item).unwrap_or_default());
    let sizings = (item.horizontal, item.vertical);
    let resized = was.and_then(Node::text).is_some_and(|text| text.style.auto_resize != now);
    // Where both changed the sizings win: tools for auto layout set them, and say more.
    if sizings != (before.horizontal, before.vertical) {
        let resize = resize_of(sizings, now);
        change.settle_node(id, |node| {
            if let Some(text) = node.text_mut() {
                text.style.auto_resize = resize;
            }
        });
    } else if resized {
        change.settle_node(id, |node| set_sizings(node, now));
    }
}

/// How a text resizes itself by how its extents are found.
fn resize_of(sizings: (Option<Sizing>, Option<Sizing>), now: AutoResize) -> AutoResize {
    match sizings {
        (Some(Sizing::Hug), _) => AutoResize::WidthAndHeight,
        (_, Some(Sizing::Hug)) => AutoResize::Height,
        (Some(_), None) if now == AutoResize::WidthAndHeight => AutoResize::Height,
        // A text that is cut with an ellipsis has a fixed size already, and stays cut.
        (_, Some(_)) if now != AutoResize::Truncate => AutoResize::None,
        _ => now,
    }
}

/// States in the sizings that are given what follows from how the text resizes itself.
fn set_sizings(node: &mut Node, resize: AutoResize) {
    let item = &mut node.layout_item;
    let hugs = [
        (&mut item.horizontal, resize == AutoResize::WidthAndHeight),
        (&mut item.vertical, matches!(resize, AutoResize::WidthAndHeight | AutoResize::Height)),
    ];
    // What is not given stays so: older files say it by other fields.
    for (sizing, hugs) in hugs {
        match sizing {
            Some(given @ (Sizing::Fixed | Sizing::Fill)) if hugs => *given = Sizing::Hug,
            Some(given @ Sizing::Hug) if !hugs => *given = Sizing::Fixed,
            _ => {}
        }
    }
}

/// Gives a text another width; where its height follows its lines, it does. A text that made its own
/// width follows this one from now on if it fills its parent; else its limits decide.
pub(super) fn set_width(
    change: &mut Transaction<'_>,
    id: &NodeId,
    width: f64,
    measure: &dyn Measure,
) {
    // Asked before it changes, as the answer depends on how the text resizes itself.
    let fills = change.document().sizing(id, Direction::Horizontal) == Sizing::Fill;
    change.settle_node(id, |node| {
        node.size.width = width;
        if let Some(text) = node.text_mut()
            && text.style.auto_resize == AutoResize::WidthAndHeight
            && fills
        {
            text.style.auto_resize = AutoResize::Height;
        }
    });
    fit(change, id, measure);
}
