//! The `canvas` environment: one vector design and the tools of CANVAS.
//!
//! Start with [`CanvasEnvironment`]. The tools are a table ([`registry`]) of name, description,
//! category, schema and handler; one file a group of tools:
//!
//! | file | tools |
//! |---|---|
//! | [`connection`] | the link to the design tool: one channel, always open |
//! | [`creation`], [`graphic`] | make nodes; SVG to nodes |
//! | [`inspection`], [`transfer`] | look; JSON in and out |
//! | [`operation`], [`grouping`], [`resize`] | move, clone, delete, order; group; resize |
//! | [`style`] | fills, strokes, corners, opacity |
//! | [`text`] | words and letters |
//!
//! # What the tools promise
//!
//! - Names, schemas, defaults and the shape of replies are those of the published CANVAS tools
//!   (kixlab/canvas). Where the published plugin does something else than its documentation says, we
//!   do what the documentation says: re-parenting works, alpha 0 stays 0, a line runs from its start
//!   to its end, x and y are always those of the page. [`Compat`] is where the published behaviour
//!   will be switched on.
//! - x and y are the left top corner of a node's box **on the page**, in every argument and every
//!   reply, whatever the node lies in.
//! - A call that fails changes nothing; the same calls on the same start give the same document.
//! - Auto layout given to `create_frame` is kept in the node's JSON fields (`layoutMode`,
//!   `paddingLeft` …), so that it is exported and not lost; it does not move children yet.
//!
//! Uses `design`, `render` and `base`.

mod arguments;
mod auto_layout;
mod connection;
mod creation;
mod environment;
mod error;
mod graphic;
mod grouping;
mod inspection;
mod operation;
mod page;
mod registry;
mod reply;
mod resize;
mod schemas;
mod start;
mod style;
mod text;
mod transfer;

pub use environment::CanvasEnvironment;
pub use start::{CanvasSettings, Compat, DefaultParent, MAIN_FRAME_NAME, Start, StartError};
