//! Figma REST JSON in and out, lossless.
//!
//! Each node keeps the object it was read from ([`Node::source`](super::Node::source)). The writer
//! goes over a table of fields: a field whose typed value is what reading that object gives is
//! left as it stands there, present or absent; any other is written anew. So a document that was
//! not changed is written back as equal JSON, with its numbers and order of keys, and a changed one
//! differs only where it was changed.
//!
//! # What follows a change
//!
//! - When a node moves or its size changes, `absoluteBoundingBox`, `size`, `relativeTransform` and
//!   `rotation` are right for it and all its descendants. `absoluteRenderBounds` is what the caller of
//!   [`to_json_with`] says for every node that changed or holds one that did; without that it moves
//!   along with a node that only moved, is taken out where size or rotation changed, and left in
//!   ancestors.
//!   `fillGeometry` and `strokeGeometry` of nodes that are no VECTOR are taken out when the size
//!   changes.
//! - When fills change, the deprecated `background` and `backgroundColor` follow where present. A
//!   paint written anew loses its `boundVariables`. References to shared styles (`styles`) stay.
//! - Where the handles of an anchor of a VECTOR are bound together looser than they look,
//!   `handleMirroring` beside a path says it of each anchor in the order of the path, by the words of
//!   Figma's plugins. Figma's own files have no such field.
//! - When the font changes, `fontPostScriptName` goes; when the characters change, `lineTypes` and
//!   `lineIndentations` get as many entries as there are lines.
//!
//! # What is odd in a file
//!
//! Unknown types, values and fields are kept and written back. A field of the wrong type or out of
//! range is read as its default. A node without an id, or with one that is taken, gets a fresh id
//! in the document, and is written back without or with its own. All of it is noted in
//! [`Loaded::warnings`]. Only an element of `children` that is no object, and a tree with too many
//! nodes or levels, are errors.
//!
//! Start with [`from_json`]; the table is in `field`, geometry in `geometry`.

mod effect;
mod export_settings;
mod field;
mod geometry;
mod kind;
mod layout;
mod paint;
mod read;
mod text;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub use read::{FigmaError, Loaded, from_json, node_of_fields};
pub use write::{node_to_json, node_to_json_with, to_json, to_json_with, typed_fields};
