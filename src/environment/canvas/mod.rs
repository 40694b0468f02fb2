//! The `canvas` environment: one vector design and the tools of CANVAS.
//!
//! Start with [`CanvasEnvironment`]. The tools are a table ([`registry`]) of name, description,
//! category, schema and handler; one file a group of tools:
//!
//! | file | tools |
//! |---|---|
//! | [`connection`] | the link to the design tool: one channel, always open |
//! | [`creation`], [`graphic`] | make nodes; SVG to nodes |
//! | [`masking`], [`boolean`], [`grouping`] | put nodes together |
//! | [`inspection`], [`scan`], [`shared_styles`], [`transfer`] | look; JSON in and out |
//! | [`layout`] | auto layout |
//! | [`operation`], [`rotation`], [`resize`] | move, clone, delete, order; turn; resize |
//! | [`style`], [`effects`], [`copying`] | fills, strokes, corners, opacity; shadows; copy them |
//! | [`text`] | words and letters |
//! | [`hands`] | what people do by hand; no model is told of it |
//!
//! # What the tools promise
//!
//! - Names, schemas, defaults and the shape of replies are those of the published CANVAS tools
//!   (kixlab/canvas). Where the published plugin does something else than its documentation says, we
//!   do what the documentation says: re-parenting works, alpha 0 stays 0, a line runs from its start
//!   to its end, x and y are always those of the page. [`Compat`] switches the published behaviour
//!   on, [`Quirk`] lists it.
//! - x and y are the left top corner of a node's box **on the page**, in every argument and every
//!   reply, whatever the node lies in.
//! - A call that fails changes nothing (two quirks apart, and only with them); the same calls on the
//!   same start give the same document. What a call changed can be undone exactly
//!   ([`CanvasEnvironment::last_edit`]).
//! - Every change ends with what follows from it: auto layout, the boxes of groups and combined
//!   shapes.
//!
//! Uses `design`, `render` and `base`.

mod arguments;
mod auto_layout;
mod boolean;
pub mod call_arguments;
mod compat;
mod connection;
mod copying;
mod creation;
mod effects;
mod environment;
mod error;
mod graphic;
mod grouping;
mod hands;
mod inspection;
mod layout;
mod masking;
mod operation;
mod page;
mod registry;
mod reply;
mod resize;
mod rotation;
mod scan;
mod schemas;
mod shared_styles;
mod start;
mod style;
mod text;
pub mod transcript;
mod transfer;

pub use compat::{Compat, Quirk};
pub use environment::{CanvasEdit, CanvasEnvironment};
pub use hands::{APPLY_EDIT, apply_edit_call};
pub use registry::category_of;
pub use start::{CanvasSettings, DefaultParent, HandTools, MAIN_FRAME_NAME, Start, StartError};
