//! Auto layout, and what else follows from a change.
//!
//! [`Transaction::commit_with`](super::edit::Transaction::commit_with) settles a change: texts take
//! the size of their letters, groups and combined shapes that of what they hold, and auto layout
//! places children again — where the change can have an effect and nowhere else. A real file is
//! laid out already, and what was not touched in it stays as it stands, bit by bit.
//!
//! - `sizing`: who takes part, and how each extent is found ([`Document::sizing`](super::Document::sizing));
//! - `settle`: what a change touched, and so which frames are stale;
//! - `solver`: one tree of frames, with `line`, `share` (of those that fill), `baseline`, `strokes`,
//!   `item`; `axis` lets all of it be written once for both axes;
//! - `text`: texts that resize themselves.
//!
//! Start with [`lay_out_all`], which lays out a whole tree. Uses `base` only.
//!
//! # The rules
//!
//! They are Figma's (help centre, "Guide to auto layout"; plugin API, `AutoLayoutMixin`). Where those
//! are silent or a file contradicts itself:
//!
//! - What is hidden is laid out as if it were not; Figma leaves it as it was when it was hidden.
//! - Children that are hidden, ABSOLUTE or have no box take no room; absolute ones follow their
//!   constraints. Turned children take the room of their box, and cannot fill; nor can groups.
//! - A frame that hugs and has no child in the flow keeps the size it has, as in the files we have.
//! - In a frame that hugs along an axis, a child that fills counts with what it would hug, or with
//!   the extent it has. Across the frame it is then stretched to the largest; along it, it gets what
//!   it counted with, or more where a least size leaves more.
//! - The least size wins over the greatest. Padding larger than a frame leaves its size alone, and
//!   nothing to fill.
//! - SPACE_BETWEEN: one child is put at the start; a line that is too long starts there, without
//!   gaps; `itemSpacing` counts only where the axis hugs, as then there is nothing to spread.
//! - What fills along a line that wraps counts, where lines break, as narrow as it may be.
//! - VERTICAL frames wrap too where a file says so. A frame that hugs along its lines has one
//!   line, unless a greatest size holds it.
//! - Lines share the room that is left if all children fill across: the thinnest get it first.
//! - BASELINE: frames have the baseline of their first child (see `baseline`); what has no text, its
//!   lower edge.
//! - Children keep to their frame's order and axes whatever their ids are; nothing is rounded.
//!
//! # Why not a layout crate
//!
//! Taffy lays out as CSS does, and CSS fits Figma on plain lines only (`tests/chromium/README.md` lists
//! where they differ): it adds padding to the share of what fills, lets a frame grow to its padding and
//! hug to it when empty, knows no negative gap, and keeps the gap where it spreads. It would also lay
//! out all of a tree where here only what a change reaches may move, and in `f32`. What remained
//! after working around that is `line` and `share`, held against Chromium's flexbox on 300 trees and
//! against css-flexbox's own rounds by the tests.

mod axis;
mod baseline;
mod item;
mod line;
mod settle;
mod share;
mod sizing;
mod solver;
mod strokes;
mod text;

pub use settle::lay_out_all;

/// What differs by less than this many pixels is left alone: numbers in files are `f32`, and nothing
/// must drift because it was looked at.
const TOLERANCE: f64 = 1e-3;
