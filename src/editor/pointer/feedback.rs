//! What is drawn over the picture while a gesture is under way.

use crate::base::{Point, Rect};
use crate::design::NodeId;
use crate::design::gesture::{GapGuide, Guide};

/// What is drawn over the picture while a gesture is under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feedback {
    /// Lines along which what is dragged is in line with others.
    pub guides: Vec<Guide>,
    /// Gaps that are equal.
    pub gaps: Vec<GapGuide>,
    /// The rectangle that selects what it meets.
    pub area: Option<Rect>,
    /// What it would lie in when it is let go.
    pub drop: Option<DropTarget>,
    /// Boxes on the page that follow the pointer, while the nodes themselves lie where auto layout has them.
    pub floating: Vec<[Point; 4]>,
    /// The number that the gesture changes.
    pub reading: Option<Reading>,
}

/// What something would lie in when it is let go.
#[derive(Clone, Debug, PartialEq)]
pub struct DropTarget {
    /// The frame.
    pub frame: NodeId,
    /// Where between its children, in a frame with auto layout: a line on the page.
    pub line: Option<[Point; 2]>,
}

/// A number that a gesture changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// In degrees, counter-clockwise.
    Angle(f64),
    /// Radius of the corners.
    Radius(f64),
    /// Space between the edge of a frame and what auto layout places in it.
    Padding(f64),
    /// Space between what auto layout places.
    Gap(f64),
    /// How many times as large as before.
    Scale(f64),
    /// Length of a line.
    Length(f64),
    /// Place of a colour along a gradient, 0..=1.
    Stop(f64),
}
