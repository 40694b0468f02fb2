//! What hands do to a design: dragging, snapping, hitting, arranging, typing numbers, undoing.
//!
//! Everything here is a pure function of documents and numbers, without a window: a gesture is worked out
//! from the state it began with, each frame anew, so that nothing drifts, and is one
//! [`Edit`](super::edit::Edit) in the end. Lengths are those of the document; what is meant in points of
//! the screen is divided by the zoom.
//!
//! - [`Drag`]: moving, resizing and turning a selection;
//! - [`snap_move`]: edges, middles and gaps that a moving box is drawn to, and the lines that show them;
//! - [`hit`], [`marquee`], [`handle_at`]: what lies under the pointer;
//! - [`outline`]: the contour of a node;
//! - [`align`], [`distribute`], [`tidy_up`]: several nodes in order;
//! - [`place_in_frame`], [`turned_to`]: place and angle as the panel at the side has them;
//! - [`NumberEntry`]: what is typed into the field of a number;
//! - [`History`]: undo and redo, with bursts as one step.
//!
//! Start with [`Drag`]. Uses the rest of `design`.

mod arrange;
mod drag;
mod frame_place;
mod handle;
mod history;
mod hit;
mod number_entry;
mod outline;
mod place;
mod snap;

pub use arrange::{AlignTo, align, distribute, tidy_up};
pub use drag::{Drag, Dragged, ResizeKeys, Turning};
pub use frame_place::{frame_around, place_in_frame, turned_to};
pub use handle::{Grip, Handle, handle_at};
pub use history::{BurstKey, BurstKind, History, Pushed};
pub use hit::{Depth, HitSettings, can_be_hit, child_at_level, enter, hit, hits, marquee};
pub use number_entry::{NumberEntry, NumberEntryError};
pub use outline::outline;
pub use snap::{GapGuide, Guide, Snapped, snap_candidates, snap_move};
