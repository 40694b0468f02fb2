//! Texts that need more room than they have, and what is cut at an edge.

use std::sync::Arc;

use super::flaw::{Flaw, FlawKind, moved, name, px};
use super::seen::{Screen, Seen};

use crate::base::{Affine, Rect, Size, Vector};
use crate::design::hunk::{Field, Hunk};
use crate::design::{AutoResize, Measure, Node, TextAlign, TextStyle, VerticalAlign};

/// By how much of its font size letters may be beyond a box: fonts of files are not always there, and
/// boxes are drawn tightly around letters.
const SLACK: f64 = 0.25;
/// What is cut off by less is not seen to be cut, in pixels.
const CUT: f64 = 1.0;

pub(super) fn find(screen: &Screen<'_>, measure: &dyn Measure) -> Vec<Flaw> {
    let texts = screen.items.iter().filter(|item| item.node.text().is_some());
    texts
        .filter_map(|item| beyond_box(screen, item, measure).or_else(|| cut(screen, item)))
        .collect()
}

/// A text of a fixed size whose letters do not fit into it.
fn beyond_box(screen: &Screen<'_>, item: &Seen<'_>, measure: &dyn Measure) -> Option<Flaw> {
    let (node, text) = (item.node, item.node.text()?);
    if text.style.auto_resize != AutoResize::None || text.style.truncates {
        return None;
    }
    let needed = measure.text(text, Some(node.size.width)).size;
    // By the size of its letters: a pixel over is nothing at 60 points and half a line at 8.
    let slack = SLACK * text.style.font_size;
    let is_high = needed.height > node.size.height + slack;
    let is_wide = needed.width > node.size.width + slack;
    if !is_high && !is_wide {
        return None;
    }
    let size = Size {
        width: if is_wide { needed.width } else { node.size.width },
        height: if is_high { needed.height } else { node.size.height },
    };
    let mut transform = node.transform;
    let lies_freely = !screen.document.is_placed(&node.id);
    if lies_freely {
        let by = before_letters(&text.style, node.size, size);
        transform = transform.after(Affine::translate(-by.x, -by.y));
    }
    let like = Arc::new(Node { size, transform, ..Node::clone(node) });
    let mut hunks = vec![Hunk::set(screen.document, &node.id, Field::Size, &like)?];
    // The place last: a size that is set keeps the corner of the box.
    if lies_freely && !Field::Place.is_same(node, &like) {
        hunks.push(Hunk::set(screen.document, &node.id, Field::Place, &like)?);
    }
    let found = if is_high {
        let (needs, has) = (px(needed.height), px(node.size.height));
        format!("{} needs a height of {needs} and has {has}.", name(node))
    } else {
        let (needs, has) = (px(needed.width), px(node.size.width));
        format!("A word of {} needs a width of {needs}, and the box has {has}.", name(node))
    };
    Some(Flaw { kind: FlawKind::Overflow, node: node.id.clone(), found, hunks })
}

/// How much of what a box grows by lies left of its letters and above them, so that they stay where they are.
fn before_letters(style: &TextStyle, old: Size, new: Size) -> Vector {
    let across = match style.align {
        TextAlign::Left | TextAlign::Justified => 0.0,
        TextAlign::Center => 0.5,
        TextAlign::Right => 1.0,
    };
    let down = match style.vertical_align {
        VerticalAlign::Top => 0.0,
        VerticalAlign::Center => 0.5,
        VerticalAlign::Bottom => 1.0,
    };
    Vector { x: across * (new.width - old.width), y: down * (new.height - old.height) }
}

/// A text that is cut at the edge of a frame and would fit into it.
fn cut(screen: &Screen<'_>, item: &Seen<'_>) -> Option<Flaw> {
    // What a mask cuts is meant to be cut.
    let clip = item.clip.filter(|_| !item.is_masked)?;
    // What is wholly outside is hidden, which another rule finds.
    item.uncut()?;
    let by = inside(item.on_page, clip)?;
    if by.x.abs().max(by.y.abs()) <= CUT {
        return None;
    }
    let hunk = moved(screen.document, item.node, by)?;
    let most = px(by.x.abs().max(by.y.abs()));
    let found = format!("{} is cut by {most} at the edge of its frame.", name(item.node));
    Some(Flaw { kind: FlawKind::Overflow, node: item.node.id.clone(), found, hunks: vec![hunk] })
}

/// By how much a box has to move to lie in another; `None` if it is larger.
pub(in crate::evaluate) fn inside(own: Rect, around: Rect) -> Option<Vector> {
    if own.width > around.width || own.height > around.height {
        return None;
    }
    // Of two that are as large the two bounds may have changed places by rounding.
    let x = own.x.min(around.right() - own.width).max(around.x) - own.x;
    let y = own.y.min(around.bottom() - own.height).max(around.y) - own.y;
    Some(Vector { x, y })
}
