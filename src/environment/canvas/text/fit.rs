//! The box of a text that resizes itself.

use crate::base::{Affine, Size};
use crate::design::{AutoResize, Node, TextAlign};
use crate::render::text::measure;

/// Gives a text the size its letters take, so far as its box follows them. The edge it is aligned to
/// stays: the left one, the middle, or the right one.
pub(super) fn fit(node: &mut Node) {
    let Some(text) = node.text() else { return };
    let width = match text.style.auto_resize {
        AutoResize::None | AutoResize::Truncate => return,
        AutoResize::Height => Some(node.size.width),
        AutoResize::WidthAndHeight => None,
    };
    let taken = measure(text, width).size;
    let size = Size::new(width.unwrap_or(taken.width), taken.height);
    let spare = node.size.width - size.width;
    let shift = match text.style.align {
        TextAlign::Left | TextAlign::Justified => 0.0,
        TextAlign::Center => spare / 2.0,
        TextAlign::Right => spare,
    };
    node.transform = node.transform.after(Affine::translate(shift, 0.0));
    node.size = size;
}
