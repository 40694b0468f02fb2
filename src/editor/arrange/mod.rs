//! Order, groups, frames, alignment, deletion, copies in place.
//!
//! | file | does |
//! |---|---|
//! | [`members`] | what an act is about, and taking nodes out |
//! | [`group`] | groups, frames, masks |
//! | [`combine`] | shapes combined, and made one vector |
//! | [`order`] | in front and behind |
//! | [`align`] | in line, evenly spaced, mirrored |
//! | [`nudge`] | arrows: moving, resizing, another place in auto layout |
//! | [`layout`] | auto layout on and off |
//! | [`look`] | opacity, eyes and locks |
//! | [`duplicate`] | copies in place, with the last offset again ([`last_duplicate`]) |
//!
//! Start with [`arrange`].

mod align;
mod combine;
mod duplicate;
pub(super) mod group;
mod last_duplicate;
mod layout;
mod look;
pub(super) mod members;
mod nudge;
mod order;

#[cfg(test)]
mod tests;

pub(super) use last_duplicate::LastDuplicate;
pub use nudge::Arrow;
pub use order::OrderTo;

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::base::Axis;
use crate::design::BooleanOp;
use crate::design::gesture::AlignTo;

/// What is put in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArrangeAct {
    /// Takes what is selected out; a group that holds nothing any more goes with it.
    Delete,
    /// Copies it in place; a copy that was moved since goes on by as much.
    Duplicate,
    /// Makes a group of it.
    Group,
    /// Takes groups and frames away from around what they hold.
    Ungroup,
    /// Puts a frame of its size around it.
    Frame,
    /// Makes the lowest the mask of the others; a single node becomes a mask, or no mask any more.
    Mask,
    /// Combines shapes to one; of a single combined shape another combination.
    Combine(BooleanOp),
    /// Makes one vector of its outline.
    Flatten,
    /// In front or behind.
    Order(OrderTo),
    /// In line with each other; a single node within its parent.
    Align(AlignTo),
    /// Evenly spaced.
    Distribute(Axis),
    /// In rows with one gap.
    TidyUp,
    /// Mirrored along an axis, about the middle of all.
    Flip(Axis),
    /// Moved by so many units, at least 1; among what auto layout places, one place on.
    Nudge(Arrow, u16),
    /// The right or lower side moved by so many units.
    Resize(Arrow, u16),
    /// Auto layout, with direction and spacing told from the places: of a frame that has none, else of a new one
    /// around what is selected.
    AddAutoLayout,
    /// No auto layout any more; everything stays where it is seen.
    RemoveAutoLayout,
    /// Opacity in percent, 0..=100.
    Opacity {
        /// How much.
        percent: u8,
        /// Whether it replaces what was typed right before: both are undone at once.
        goes_on: bool,
    },
    /// Hidden, or shown if all are hidden.
    ToggleVisible,
    /// Locked, or unlocked if all are locked.
    ToggleLocked,
}

/// Does it.
pub(super) fn arrange(
    editor: &mut Editor,
    act: ArrangeAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        ArrangeAct::Delete => members::delete(editor, "Delete", context),
        ArrangeAct::Duplicate => duplicate::duplicate(editor, context),
        ArrangeAct::Group => group::group(editor, context),
        ArrangeAct::Ungroup => group::ungroup(editor, context),
        ArrangeAct::Frame => group::frame(editor, context),
        ArrangeAct::Mask => group::mask(editor, context),
        ArrangeAct::Combine(operation) => combine::combine(editor, operation, context),
        ArrangeAct::Flatten => combine::flatten(editor, context),
        ArrangeAct::Order(to) => order::order(editor, to, context),
        ArrangeAct::Align(to) => align::align_to(editor, to, context),
        ArrangeAct::Distribute(axis) => align::distribute_along(editor, axis, context),
        ArrangeAct::TidyUp => align::tidy(editor, context),
        ArrangeAct::Flip(axis) => align::flip(editor, axis, context),
        ArrangeAct::Nudge(arrow, by) => nudge::nudge(editor, arrow, by, context),
        ArrangeAct::Resize(arrow, by) => nudge::resize(editor, arrow, by, context),
        ArrangeAct::AddAutoLayout => layout::add(editor, context),
        ArrangeAct::RemoveAutoLayout => layout::remove(editor, context),
        ArrangeAct::Opacity { percent, goes_on } => {
            look::opacity(editor, percent, goes_on, context)
        }
        ArrangeAct::ToggleVisible => look::toggle_visible(editor, context),
        ArrangeAct::ToggleLocked => look::toggle_locked(editor, context),
    }
}
