//! What a node is exported as.

use std::fmt;
use std::str::FromStr;

use crate::base::Limits;

/// One file that a node is exported as: Figma's `ExportSetting`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportSetting {
    /// What follows the node's name in that of the file, such as `@2x`.
    pub suffix: String,
    /// As what.
    pub format: ExportFileFormat,
    /// How large.
    pub size: ExportSize,
}

/// What an exported node is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFileFormat {
    /// Pixels, clear where nothing is painted.
    Png,
    /// Pixels on white, smaller and not exact.
    Jpg,
    /// Shapes.
    Svg,
    /// A page for print.
    Pdf,
}

/// How large the picture of an exported node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExportSize {
    /// So many pixels a unit, [`Self::LEAST_SCALE`] ..= [`Self::MOST_SCALE`].
    Scale(f64),
    /// So many pixels across, 1 ..= [`Limits::IMAGE_SIDE`].
    Width(f64),
    /// So many pixels down, the same.
    Height(f64),
}

impl ExportFileFormat {
    /// All of them, in Figma's order.
    pub const ALL: [Self; 4] = [Self::Png, Self::Jpg, Self::Svg, Self::Pdf];

    /// Figma's name, which is what people call it, too.
    pub fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpg => "JPG",
            Self::Svg => "SVG",
            Self::Pdf => "PDF",
        }
    }

    /// The end of its files' names.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpg => "jpg",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
        }
    }

    /// Whether it is made of pixels: only then it has a size of its own.
    pub fn is_pixels(self) -> bool {
        matches!(self, Self::Png | Self::Jpg)
    }
}

impl ExportSize {
    /// The least pixels a unit.
    pub const LEAST_SCALE: f64 = 0.01;
    /// The most, as many as are drawn.
    pub const MOST_SCALE: f64 = 16.0;

    /// The number, in its range; `None` of one outside.
    pub fn checked(self) -> Option<Self> {
        let range = match self {
            Self::Scale(_) => Self::LEAST_SCALE..=Self::MOST_SCALE,
            Self::Width(_) | Self::Height(_) => 1.0..=f64::from(Limits::IMAGE_SIDE),
        };
        range.contains(&self.value()).then_some(self)
    }

    /// Pixels a unit, across or down.
    pub fn value(self) -> f64 {
        match self {
            Self::Scale(value) | Self::Width(value) | Self::Height(value) => value,
        }
    }
}

/// As it is typed: `2x`, `512w`, `512h`.
impl fmt::Display for ExportSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scale(value) => write!(f, "{value}x"),
            Self::Width(value) => write!(f, "{value}w"),
            Self::Height(value) => write!(f, "{value}h"),
        }
    }
}

/// Why something is no [`ExportSize`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "type a scale from 0.01x to 16x, or a width or height such as 512w or 512h, up to {most} pixels",
    most = Limits::IMAGE_SIDE
)]
pub struct ExportSizeError;

/// A number alone is a scale.
impl FromStr for ExportSize {
    type Err = ExportSizeError;

    fn from_str(text: &str) -> Result<Self, ExportSizeError> {
        let text = text.trim().to_lowercase();
        let number = text.trim_end_matches(['x', 'w', 'h']);
        let unit = text.get(number.len()..).unwrap_or_default();
        let value: f64 = number.trim_end().parse().map_err(|_error| ExportSizeError)?;
        let size = match unit {
            "" | "x" => Self::Scale(value),
            "w" => Self::Width(value),
            "h" => Self::Height(value),
            _ => return Err(ExportSizeError),
        };
        size.checked().ok_or(ExportSizeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_shown() {
        for (text, size) in [
            ("2x", ExportSize::Scale(2.0)),
            ("0.5x", ExportSize::Scale(0.5)),
            ("512w", ExportSize::Width(512.0)),
            ("300h", ExportSize::Height(300.0)),
        ] {
            assert_eq!(text.parse(), Ok(size));
            assert_eq!(size.to_string(), text);
        }
        assert_eq!(" 3 ".parse(), Ok(ExportSize::Scale(3.0)));
        assert_eq!("512 W".parse(), Ok(ExportSize::Width(512.0)));
    }

    #[test]
    fn what_cannot_be_drawn_is_no_size() {
        for text in ["", "x", "w", "2xx", "17x", "0x", "-1x", "nanx", "infw", "0w", "1e9h", "2é"] {
            assert_eq!(text.parse::<ExportSize>(), Err(ExportSizeError), "{text}");
        }
    }
}
