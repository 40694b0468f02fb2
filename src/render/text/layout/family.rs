//! What the family that a style names is set in.

use std::sync::Arc;

use parley::FontData;
use skrifa::instance::{LocationRef, Size as FontSize};
use skrifa::metrics::Decoration;
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, MetadataProvider as _, Tag};

use crate::render::text::font::library::{Fonts, LibraryFace};
use crate::render::text::font::vendored::{ITALIC, UPRIGHT};

use super::style::Style;

/// What a style is set in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Typeface {
    /// The vendored Inter, at this optical size.
    Inter { optical_size: f32 },
    /// A font beside Inter.
    Library(Arc<LibraryFace>),
    /// Inter in place of a family that is not there.
    Replaced,
}

/// Text is drawn in the text cut at every size, as Figma does unless told otherwise.
const TEXT_CUT: f32 = 14.0;
/// The other end of the axis: the family Inter Display.
const DISPLAY_CUT: f32 = 32.0;

/// Measures of a font, in ems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measures {
    /// From the baseline up to the top of the font's own line.
    pub(crate) ascent: f64,
    /// From the baseline down to its bottom.
    pub(crate) descent: f64,
    /// Space between its lines.
    pub(crate) leading: f64,
    /// A line below the letters.
    pub(crate) underline: Stroke,
    /// A line through the small letters.
    pub(crate) strikethrough: Stroke,
}

/// A horizontal line, in ems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// From the baseline down to its top.
    pub(crate) top: f64,
    pub(crate) thickness: f64,
}

impl Typeface {
    pub(crate) fn of(fonts: &Fonts, style: &Style) -> Self {
        let name = style.family.to_lowercase();
        match name.as_str() {
            // Whatever Inter the machine may have: the vendored one has the same measures
            // everywhere.
            "inter" | "inter variable" => Self::Inter { optical_size: TEXT_CUT },
            "inter display" => Self::Inter { optical_size: DISPLAY_CUT },
            _ => fonts
                .face(&name, style.weight, style.is_italic)
                .map_or(Self::Replaced, Self::Library),
        }
    }

    /// The optical size that Inter is asked for beside it.
    pub(crate) fn optical_size(&self) -> f32 {
        match self {
            Self::Inter { optical_size } => *optical_size,
            Self::Library(_) | Self::Replaced => TEXT_CUT,
        }
    }

    /// The font that `style` is set in, where it has the characters.
    pub(crate) fn font(&self, style: &Style) -> FontData {
        match self {
            Self::Library(face) => face.font.clone(),
            Self::Inter { .. } | Self::Replaced if style.is_italic => ITALIC.clone(),
            Self::Inter { .. } | Self::Replaced => UPRIGHT.clone(),
        }
    }

    /// Measures of the font that `style` is set in, where it has the characters.
    pub(crate) fn measures(&self, style: &Style) -> Measures {
        let data = self.font(style);
        let font = FontRef::from_index(data.data.data(), data.index);
        font.ok().and_then(|font| measures(&font, style.weight)).unwrap_or(Measures::UNKNOWN)
    }

    /// Whether the font has drawn small capitals.
    pub(crate) fn has_small_capitals(&self) -> bool {
        // Inter has none.
        let Self::Library(face) = self else { return false };
        let font = FontRef::from_index(face.font.data.data(), face.font.index);
        let small_capitals = |font: FontRef<'_>| {
            let list = font.gsub().ok()?.feature_list().ok()?;
            Some(
                list.feature_records()
                    .iter()
                    .any(|record| record.feature_tag() == Tag::new(b"smcp")),
            )
        };
        font.ok().and_then(small_capitals).unwrap_or(false)
    }
}

fn measures(font: &FontRef<'_>, weight: f32) -> Option<Measures> {
    let location = font.axes().location([("wght", weight)]);
    let metrics = font.metrics(FontSize::unscaled(), LocationRef::from(&location));
    if metrics.units_per_em == 0 {
        return None;
    }
    // Fonts count upwards from the baseline, lines of text downwards.
    let em = f64::from(metrics.units_per_em);
    let underline = metrics.underline.and_then(|line| Stroke::of(line, em));
    let strikethrough = metrics.strikeout.and_then(|line| Stroke::of(line, em));
    Some(Measures {
        ascent: f64::from(metrics.ascent) / em,
        descent: -(f64::from(metrics.descent) / em),
        leading: (f64::from(metrics.leading) / em).max(0.0),
        underline: underline.unwrap_or(Measures::UNKNOWN.underline),
        strikethrough: strikethrough.unwrap_or(Measures::UNKNOWN.strikethrough),
    })
}

impl Stroke {
    /// The line that a font says, whose em has so many units; `None` if it has no thickness.
    fn of(line: Decoration, em: f64) -> Option<Self> {
        let (top, thickness) = (-(f64::from(line.offset) / em), f64::from(line.thickness) / em);
        (line.thickness > 0.0).then_some(Self { top, thickness })
    }
}

impl Measures {
    /// For a font that says nothing of itself.
    const UNKNOWN: Self = Self {
        ascent: 0.8,
        descent: 0.2,
        leading: 0.0,
        underline: Stroke { top: 0.1, thickness: 0.06 },
        strikethrough: Stroke { top: -0.3, thickness: 0.06 },
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{TextContent, TextStyle};

    fn style(family: &str) -> Style {
        let style = TextStyle { font_family: family.to_owned(), ..TextStyle::default() };
        Style::of(&TextContent { style, ..TextContent::default() }, 0)
    }

    #[test]
    fn inter_is_the_vendored_one_under_all_its_names() {
        for name in ["Inter", " inter ", "Inter Variable"] {
            assert_eq!(
                Typeface::of(&Fonts::default(), &style(name)),
                Typeface::Inter { optical_size: 14.0 },
                "{name}"
            );
        }
        assert_eq!(
            Typeface::of(&Fonts::default(), &style("Inter Display")),
            Typeface::Inter { optical_size: 32.0 }
        );
        assert_eq!(Typeface::of(&Fonts::default(), &style("No Such Family 7")), Typeface::Replaced);
    }

    #[test]
    fn inter_measures_itself() {
        let style = style("Inter");
        let inter = Typeface::of(&Fonts::default(), &style).measures(&style);
        assert_eq!(inter.ascent + inter.descent, 2478.0 / 2048.0);
        assert_eq!((inter.leading, inter.underline.thickness), (0.0, 140.0 / 2048.0));
        assert!(inter.underline.top > 0.0 && inter.strikethrough.top < 0.0);
    }
}
