//! What is in hand.

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tool {
    /// Selects and moves.
    #[default]
    Move,
    /// Resizes with strokes, letters and effects.
    Scale,
    /// Moves the view.
    Hand,
    /// Draws frames.
    Frame,
    /// Draws sections.
    Section,
    /// Draws rectangles.
    Rectangle,
    /// Draws ellipses.
    Ellipse,
    /// Draws polygons.
    Polygon,
    /// Draws stars.
    Star,
    /// Draws lines.
    Line,
    /// Draws arrows.
    Arrow,
    /// Draws paths with handles.
    Pen,
    /// Draws free lines.
    Pencil,
    /// Writes.
    Text,
    /// Picks colours from the picture.
    Eyedropper,
    /// Pins comments.
    Comment,
}

impl Tool {
    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Scale => "Scale",
            Self::Hand => "Hand",
            Self::Frame => "Frame",
            Self::Section => "Section",
            Self::Rectangle => "Rectangle",
            Self::Ellipse => "Ellipse",
            Self::Polygon => "Polygon",
            Self::Star => "Star",
            Self::Line => "Line",
            Self::Arrow => "Arrow",
            Self::Pen => "Pen",
            Self::Pencil => "Pencil",
            Self::Text => "Text",
            Self::Eyedropper => "Eyedropper",
            Self::Comment => "Comment",
        }
    }
}
