//! What nodes say about auto layout. The layout itself is [`layout`](super::layout).

use super::shape::Sides;
use crate::base::Axis;

/// How a frame places its children.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoLayout {
    /// Along which axis: the primary one.
    pub direction: Direction,
    /// Whether children go on in a new line where they do not fit. Figma's editor offers it for
    /// HORIZONTAL frames; a VERTICAL one that says so wraps too.
    pub wraps: bool,
    /// Space between the frame's edges and its children, in pixels, at least 0.
    pub padding: Sides,
    /// Space between children along the primary axis, in pixels, of either sign. Not used where
    /// they are spread ([`PrimaryAlign::SpaceBetween`]).
    pub item_spacing: f64,
    /// Space between lines of a frame that wraps, in pixels.
    pub line_spacing: f64,
    /// Whether the lines of a frame that wraps are spread over its height (`SPACE_BETWEEN`).
    pub spreads_lines: bool,
    /// Where children lie along the primary axis.
    pub primary_align: PrimaryAlign,
    /// Where children lie across it.
    pub counter_align: CounterAlign,
    /// Of files before 2023: whether the frame's extent along its primary axis follows its children.
    /// Counts where [`LayoutItem::horizontal`] (or `vertical`) is not given.
    pub primary_hugs: bool,
    /// Of files before 2023: the same across the primary axis.
    pub counter_hugs: bool,
    /// Whether the frame's stroke takes space, as a CSS border does.
    pub includes_strokes: bool,
    /// Whether the first child is painted on top.
    pub reverses_paint_order: bool,
}

/// The axis children follow each other along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Left to right.
    Horizontal,
    /// Top to bottom.
    Vertical,
}

impl From<Axis> for Direction {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::Horizontal => Self::Horizontal,
            Axis::Vertical => Self::Vertical,
        }
    }
}

impl From<Direction> for Axis {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Horizontal => Self::Horizontal,
            Direction::Vertical => Self::Vertical,
        }
    }
}

/// Where children lie along the primary axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrimaryAlign {
    /// At the start.
    #[default]
    Min,
    /// In the middle.
    Center,
    /// At the end.
    Max,
    /// First and last at the ends, with equal space between.
    SpaceBetween,
}

/// Where children lie across the primary axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CounterAlign {
    /// At the start.
    #[default]
    Min,
    /// In the middle.
    Center,
    /// At the end.
    Max,
    /// With the first baselines of texts on one line; HORIZONTAL frames only.
    Baseline,
}

/// How one extent of a node is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizing {
    /// As it is.
    Fixed,
    /// By its content.
    Hug,
    /// By the space its parent has.
    Fill,
}

/// What a node says of its size, and of its place in a parent with auto layout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayoutItem {
    /// How its width is found (`layoutSizingHorizontal`); files before 2023 do not say.
    pub horizontal: Option<Sizing>,
    /// How its height is found (`layoutSizingVertical`); files before 2023 do not say.
    pub vertical: Option<Sizing>,
    /// Of files before 2023 (`layoutGrow`): fills its parent along the parent's primary axis.
    pub grows: bool,
    /// Of files before 2023 (`layoutAlign: STRETCH`): fills its parent across it.
    pub stretches: bool,
    /// Whether it stays where it is, whatever its parent does with the others (`ABSOLUTE`).
    pub is_absolute: bool,
    /// Least width in pixels, if limited.
    pub min_width: Option<f64>,
    /// Greatest width in pixels, if limited.
    pub max_width: Option<f64>,
    /// Least height in pixels, if limited.
    pub min_height: Option<f64>,
    /// Greatest height in pixels, if limited.
    pub max_height: Option<f64>,
}

impl AutoLayout {
    /// Auto layout along `direction` with no space and Figma's defaults: both axes hug.
    pub fn new(direction: Direction) -> Self {
        Self {
            direction,
            wraps: false,
            padding: Sides::default(),
            item_spacing: 0.0,
            line_spacing: 0.0,
            spreads_lines: false,
            primary_align: PrimaryAlign::Min,
            counter_align: CounterAlign::Min,
            // Figma's AUTO, which the API leaves out.
            primary_hugs: true,
            counter_hugs: true,
            includes_strokes: false,
            reverses_paint_order: false,
        }
    }
}
