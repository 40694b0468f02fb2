//! Which numbers there are.

use super::paints::PaintList;
use crate::base::Limits;
use crate::design::Direction;
use crate::design::diff::StyleField;
use crate::design::hunk::Field;

/// A property that is a number, in the unit the panel shows it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberProperty {
    /// Where the box begins in its frame, across.
    X,
    /// Where the box begins in its frame, down.
    Y,
    /// Width in its own space.
    Width,
    /// Height in its own space.
    Height,
    /// Degrees, counter-clockwise.
    Rotation,
    /// Per cent.
    Opacity,
    /// Of all corners.
    CornerRadius,
    /// Of one corner.
    Corner(BoxCorner),
    /// Per cent.
    CornerSmoothing,
    /// Per cent, of the paint at this place from the bottom.
    PaintOpacity(PaintList, usize),
    /// Of all sides.
    StrokeWeight,
    /// Of one side.
    StrokeSide(BoxSide),
    /// Degrees below which pointed corners are cut.
    MiterAngle,
    /// Pixels per em.
    FontSize,
    /// Pixels or per cent, as it is; pixels where it is automatic.
    LineHeight,
    /// Pixels.
    LetterSpacing,
    /// Pixels.
    ParagraphSpacing,
    /// The most lines that are shown.
    MaxLines,
    /// Between children along the layout; fixes a gap that is automatic.
    Gap,
    /// Between lines of a layout that wraps.
    LineGap,
    /// Left and right.
    PaddingAcross,
    /// Top and bottom.
    PaddingDown,
    /// Of one side.
    Padding(BoxSide),
    /// The least or the greatest an extent becomes in auto layout.
    Limit(SizeLimit),
    /// Of the effect at this place from the bottom.
    Effect(usize, EffectNumber),
    /// Of a shape.
    Shape(ShapeNumber),
}

/// A corner of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxCorner {
    /// Top left.
    TopLeft,
    /// Top right.
    TopRight,
    /// Bottom right.
    BottomRight,
    /// Bottom left.
    BottomLeft,
}

/// A side of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxSide {
    /// Top.
    Top,
    /// Right.
    Right,
    /// Bottom.
    Bottom,
    /// Left.
    Left,
}

/// A limit of an extent, of a frame with auto layout and of what lies in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeLimit {
    /// The least width.
    MinWidth,
    /// The greatest width.
    MaxWidth,
    /// The least height.
    MinHeight,
    /// The greatest height.
    MaxHeight,
}

/// A number of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectNumber {
    /// How far a shadow lies to the right.
    OffsetX,
    /// How far a shadow lies below.
    OffsetY,
    /// Of a shadow or a blur.
    Blur,
    /// By how much a shadow is larger.
    Spread,
}

/// A number of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeNumber {
    /// Where the arc of an ellipse begins: degrees, clockwise from the right.
    ArcStart,
    /// How far it goes: per cent of the whole.
    ArcSweep,
    /// How large the hole of an ellipse is: per cent.
    ArcRatio,
    /// How many corners a polygon has, or tips a star.
    Count,
    /// How far the notches of a star lie from its middle: per cent of the tips.
    StarRatio,
}

impl BoxCorner {
    /// Clockwise from the top left.
    pub const ALL: [Self; 4] = [Self::TopLeft, Self::TopRight, Self::BottomRight, Self::BottomLeft];
}

impl BoxSide {
    /// Clockwise from the top.
    pub const ALL: [Self; 4] = [Self::Top, Self::Right, Self::Bottom, Self::Left];
}

impl SizeLimit {
    /// Those of the width first.
    pub const ALL: [Self; 4] = [Self::MinWidth, Self::MaxWidth, Self::MinHeight, Self::MaxHeight];

    /// Its name in full words.
    pub fn label(self) -> &'static str {
        match self {
            Self::MinWidth => "Min width",
            Self::MaxWidth => "Max width",
            Self::MinHeight => "Min height",
            Self::MaxHeight => "Max height",
        }
    }

    /// Of which extent it is.
    pub fn axis(self) -> Direction {
        match self {
            Self::MinWidth | Self::MaxWidth => Direction::Horizontal,
            Self::MinHeight | Self::MaxHeight => Direction::Vertical,
        }
    }
}

impl NumberProperty {
    /// Its name in full words.
    pub fn label(self) -> &'static str {
        match self {
            Self::X => "X",
            Self::Y => "Y",
            Self::Width => "Width",
            Self::Height => "Height",
            Self::Rotation => "Rotation",
            Self::Opacity => "Opacity",
            Self::CornerRadius => "Corner radius",
            Self::Corner(BoxCorner::TopLeft) => "Top left corner radius",
            Self::Corner(BoxCorner::TopRight) => "Top right corner radius",
            Self::Corner(BoxCorner::BottomRight) => "Bottom right corner radius",
            Self::Corner(BoxCorner::BottomLeft) => "Bottom left corner radius",
            Self::CornerSmoothing => "Corner smoothing",
            Self::PaintOpacity(PaintList::Fills, _) => "Fill opacity",
            Self::PaintOpacity(PaintList::Strokes, _) => "Stroke opacity",
            Self::StrokeWeight => "Stroke weight",
            Self::StrokeSide(BoxSide::Top) => "Top stroke weight",
            Self::StrokeSide(BoxSide::Right) => "Right stroke weight",
            Self::StrokeSide(BoxSide::Bottom) => "Bottom stroke weight",
            Self::StrokeSide(BoxSide::Left) => "Left stroke weight",
            Self::MiterAngle => "Miter angle",
            Self::FontSize => "Font size",
            Self::LineHeight => "Line height",
            Self::LetterSpacing => "Letter spacing",
            Self::ParagraphSpacing => "Paragraph spacing",
            Self::MaxLines => "Max lines",
            Self::Gap => "Gap",
            Self::LineGap => "Gap between lines",
            Self::PaddingAcross => "Horizontal padding",
            Self::PaddingDown => "Vertical padding",
            Self::Padding(BoxSide::Top) => "Top padding",
            Self::Padding(BoxSide::Right) => "Right padding",
            Self::Padding(BoxSide::Bottom) => "Bottom padding",
            Self::Padding(BoxSide::Left) => "Left padding",
            Self::Limit(limit) => limit.label(),
            Self::Effect(_, EffectNumber::OffsetX) => "Shadow X",
            Self::Effect(_, EffectNumber::OffsetY) => "Shadow Y",
            Self::Effect(_, EffectNumber::Blur) => "Blur",
            Self::Effect(_, EffectNumber::Spread) => "Spread",
            Self::Shape(ShapeNumber::ArcStart) => "Arc start",
            Self::Shape(ShapeNumber::ArcSweep) => "Arc sweep",
            Self::Shape(ShapeNumber::ArcRatio) => "Arc ratio",
            Self::Shape(ShapeNumber::Count) => "Count",
            Self::Shape(ShapeNumber::StarRatio) => "Star ratio",
        }
    }

    /// The least and the greatest it may be.
    pub fn range(self) -> (f64, f64) {
        const MOST: f64 = Limits::COORDINATE;
        match self {
            Self::X
            | Self::Y
            | Self::Rotation
            | Self::LetterSpacing
            | Self::Gap
            | Self::LineGap
            | Self::Effect(
                _,
                EffectNumber::OffsetX | EffectNumber::OffsetY | EffectNumber::Spread,
            ) => (-MOST, MOST),
            // What has no extent could not be stretched again.
            Self::Width | Self::Height => (0.01, MOST),
            Self::Opacity
            | Self::PaintOpacity(..)
            | Self::CornerSmoothing
            | Self::Shape(ShapeNumber::ArcRatio | ShapeNumber::StarRatio) => (0.0, 100.0),
            Self::MiterAngle => (0.0, 180.0),
            Self::Shape(ShapeNumber::ArcStart) => (-360.0, 360.0),
            Self::Shape(ShapeNumber::ArcSweep) => (-100.0, 100.0),
            Self::Shape(ShapeNumber::Count) => (3.0, 360.0),
            Self::FontSize => (1.0, MOST),
            Self::MaxLines => (1.0, 10_000.0),
            Self::CornerRadius
            | Self::Corner(_)
            | Self::StrokeWeight
            | Self::StrokeSide(_)
            | Self::LineHeight
            | Self::ParagraphSpacing
            | Self::PaddingAcross
            | Self::PaddingDown
            | Self::Padding(_)
            | Self::Limit(_)
            | Self::Effect(_, EffectNumber::Blur) => (0.0, MOST),
        }
    }

    /// The field that it is part of.
    pub fn field(self) -> Field {
        match self {
            Self::X | Self::Y => Field::Place,
            Self::Width | Self::Height => Field::Size,
            Self::Rotation => Field::Rotation,
            Self::Opacity => Field::Style(StyleField::Opacity),
            Self::CornerRadius | Self::Corner(_) | Self::CornerSmoothing => {
                Field::Style(StyleField::Corners)
            }
            Self::PaintOpacity(list, _) => list.field(),
            Self::StrokeWeight | Self::StrokeSide(_) => Field::Style(StyleField::StrokeWeight),
            Self::MiterAngle => Field::Style(StyleField::StrokeForm),
            Self::FontSize => Field::Style(StyleField::Font),
            Self::LineHeight | Self::LetterSpacing | Self::ParagraphSpacing | Self::MaxLines => {
                Field::Style(StyleField::Paragraph)
            }
            Self::Gap
            | Self::LineGap
            | Self::PaddingAcross
            | Self::PaddingDown
            | Self::Padding(_) => Field::Style(StyleField::AutoLayout),
            Self::Limit(_) => Field::Style(StyleField::LayoutItem),
            Self::Effect(..) => Field::Style(StyleField::Effects),
            Self::Shape(_) => Field::Style(StyleField::Shape),
        }
    }
}
