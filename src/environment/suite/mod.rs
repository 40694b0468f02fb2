//! The `suite` environment: three programs, a shared folder, and the 48 actions of GraphicTown.
//!
//! A photo editor, a vector graphic editor and a layout designer ([`Expert`](crate::graphictown::Expert)) each have a
//! program with one open document, and hand documents to one another through a folder of files in memory. Start with
//! [`SuiteEnvironment`]; [`action`] has the work, one file a kind:
//!
//! | file | what |
//! |---|---|
//! | [`catalogue`], [`action_kind`] | the actions: whose, with what, and what they do |
//! | [`parameters`], [`compat`] | the values of a call, and how strictly they are taken |
//! | [`state`], [`document`] | documents and their layers: [`text_layer`], [`drawing`], [`qr_code`] |
//! | [`geometry`], [`anchor`] | where layers lie, and what a position is that of |
//! | [`files`], [`given`], [`file_name`] | the folder, and the pictures that a query hands out |
//! | [`page`], [`baked`], [`raster_cache`], [`shown`] | a document as our vector document; pictures that filters make; which given pictures are in them |
//! | [`json`], [`read_json`] | all of it as `final.json` |
//!
//! # What the actions promise
//!
//! - A call is `{"expert": …, …}` with the parameters by their names, or with `parameters`, an object of
//!   them or a list in their order. Numbers may be written as texts, as the released executor
//!   (dayeonki/designbench, `execution`) takes them.
//! - **Units** are points, y down from the page's left top corner; a pixel of a picture is a point. The
//!   positions of texts are in millimetres, as the tables of actions have it, unless that cannot be
//!   meant: from the first text of a document on of which millimetres would leave no line on the
//!   page and points would, points are meant, and the outcome says so. Most plans of the released
//!   models, and one of the papers' own four, give points.
//! - **A position** is that of the left top corner; in the vector graphic editor that of the middle,
//!   as the released script for drawings has it, unless that leads over the page's edge and another
//!   reading does not: see [`anchor`]. Texts: see [`text_layer`].
//! - **Angles** are in degrees clockwise, and absolute. Sizes keep the middle where it is.
//! - **A second document** of a program closes the first; the outcome says what was lost. A second
//!   layer of a name does not replace the first, but the name means the newer one.
//! - **Filters** are done when a layer is drawn, on pictures, drawings, texts and imported documents
//!   alike; the layer stays what it is, wherever it is imported.
//! - **Files**: psd, ai, svg and indd stay editable where they are imported; png, jpg and pdf are one
//!   picture. What a file's name means is in [`file_name`]. A given picture without a file is a
//!   labelled placeholder, in the outcome and as a diagnostic.
//! - **Off the page**: a layer that hangs over the edge is said in the outcome; one of which nothing
//!   would be on the page is a failure ([`FailureClass::OffPage`]) and stays where it was.
//! - A call that fails changes nothing, and says which object, who could have made it, and which files
//!   there are. The same calls on the same start give the same bytes.
//! - A document has limits (layers, nodes with those of imported documents, documents inside each
//!   other, characters); beyond them a call fails with [`FailureClass::TooLarge`].
//!
//! Left out on purpose: the released script of `AdjustHSL` changes a layer named `BackgroundLayer` by
//! fixed values whatever it is told, that of `RotateDrawing` always fails; ours do what their tables
//! say in either [`Compat`].
//!
//! Uses `graphictown`, `design`, `render`, `raster` and `base`.
//!
//! [`FailureClass::OffPage`]: super::FailureClass::OffPage
//! [`FailureClass::TooLarge`]: super::FailureClass::TooLarge

mod action;
mod action_kind;
mod action_result;
mod anchor;
mod baked;
mod catalogue;
mod compat;
mod document;
mod drawing;
mod environment;
mod failure;
mod file_name;
mod files;
mod font;
mod geometry;
mod given;
mod json;
mod page;
mod parameters;
mod preset;
mod qr_code;
mod raster_cache;
mod read_json;
mod shown;
mod state;
mod text_layer;

pub use compat::Compat;
pub use environment::{SuiteEnvironment, SuiteStart};
pub use given::{GivenPicture, recorded_pictures};
pub use preset::why_no_page;
pub use read_json::SuiteJsonError;
