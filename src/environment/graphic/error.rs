//! Why SVG text is no graphic.

use crate::base::Limits;
use crate::design::DocumentError;

use super::source::{ATTRIBUTES, ELEMENTS, MARKER_ELEMENTS, NESTING, SIDE};
use super::standalone::MOST_COVERAGE;

/// Why SVG text is no graphic; the message says what to do where something can be done.
#[derive(Debug, thiserror::Error)]
pub(in crate::environment) enum GraphicError {
    /// Longer than is read.
    #[error("{0} bytes are over the limit of {most}", most = Limits::SVG_BYTES)]
    TooLong(usize),
    /// Bytes that are no text in UTF-8.
    #[error("it is neither text in UTF-8 nor says that it is in ISO-8859-1: {0}")]
    Encoding(#[from] std::str::Utf8Error),
    /// Not well-formed.
    #[error("it is not valid XML: {0}")]
    Xml(#[from] usvg::roxmltree::Error),
    /// XML of something else.
    #[error("the root element must be <svg>, not <{0}>")]
    Root(String),
    /// No size can be had.
    #[error("{0}; it needs a viewBox or a width and height")]
    Unreadable(#[from] usvg::Error),
    /// More elements than are drawn, repetitions counted.
    #[error("it has more than {ELEMENTS} elements")]
    TooManyElements,
    /// More attributes on an element than are compared with each other.
    #[error("an element has more than {ATTRIBUTES} attributes")]
    TooManyAttributes,
    /// Elements in elements in elements …
    #[error("its elements nest deeper than {NESTING} levels")]
    TooDeep,
    /// Arcs that would be read as endlessly many curves.
    #[error("it has an arc or a rounded rectangle with a number beyond ±{}", Limits::ARC)]
    Arcs,
    /// Markers at too many points.
    #[error("its markers would be drawn with more than {MARKER_ELEMENTS} elements")]
    Markers,
    /// Too many rules of style for its elements.
    #[error("its rules of style would be tried too many times")]
    Styles,
    /// Larger than anything is drawn.
    #[error("{width} × {height} is over the limit of {SIDE} a side")]
    TooLarge {
        /// Across.
        width: f32,
        /// Down.
        height: f32,
    },
    /// Nothing in it can be drawn.
    #[error(
        "it has no shape that can be drawn (left out: {0}); give it a <path>, <rect>, <circle> … \
         with a fill or a stroke"
    )]
    Nothing(String),
    /// Shapes over shapes, more than can be painted in reasonable time.
    #[error("its shapes lie over each other more than {MOST_COVERAGE} deep on average")]
    TooMuchPaint,
    /// A number that no document holds.
    #[error(transparent)]
    Document(#[from] DocumentError),
}

impl GraphicError {
    /// Nothing can be drawn, and this was left out.
    pub(in crate::environment) fn nothing(left_out: &[String]) -> Self {
        let left_out = if left_out.is_empty() { "nothing".to_owned() } else { left_out.join(", ") };
        Self::Nothing(left_out)
    }
}
