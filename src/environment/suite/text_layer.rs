//! Texts: what they say, how they look, and where that puts them.
//!
//! # Where a text lies
//!
//! A text stands in a frame. `RepositionText` gives the frame's left top corner; to the right it
//! reaches as far from the page's edge as it begins from the left one, so that a centred text is
//! centred on the page whatever the margin, and a long one breaks within it; one that has room on the
//! page in one piece leaves the margin instead. A frame that would be
//! too narrow for that (its margin is beyond a quarter of the page) is as wide as its text, but ends
//! at the page's right edge. Before it is moved a text's frame is the page, and the text in its
//! middle. The released scripts make every frame 390 units wide instead, of which the texts of the
//! papers' own plans are as little centred as those of the models.
//!
//! [`TextLayer::place`] has the box of the letters in the end: what is turned, and what must be on
//! the page.

use serde::{Deserialize, Serialize};

use crate::base::{Point, Rgba, Size};
use crate::design::{
    AutoResize, LineHeight, Paint, Stroke, StrokeAlign, StrokeJoin, TextAlign, TextContent,
    TextStyle, VerticalAlign,
};
use crate::render::{RenderContext, measure_text};

use super::font::Font;
use super::geometry::Placement;

/// What fonts leave free above their tallest letters, in ems: Inter's share. A text begins where its
/// letters do, as in layout programs.
const ABOVE: f64 = 0.2;
/// The documented size of a new text, in points.
const NEW_SIZE: f64 = 30.0;

/// A text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TextLayer {
    /// What it says.
    pub(super) characters: String,
    /// In which font.
    pub(super) font: Font,
    /// In points, 0.1..=2000.
    pub(super) font_size: f64,
    /// Of the letters.
    pub(super) color: Rgba,
    /// Their outline.
    pub(super) stroke: Option<StrokeStyle>,
    /// To which side of its frame.
    pub(super) alignment: Alignment,
    /// The frame's left top corner, once it was moved there.
    pub(super) corner: Option<Point>,
    /// The box of the letters, turned about its middle. Follows from all of the above and the page:
    /// see [`TextLayer::settle`].
    pub(super) place: Placement,
    /// Where lines break, if they do not only where the text says.
    pub(super) breaks_at: Option<f64>,
}

/// An outline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StrokeStyle {
    /// In points.
    pub(super) width: f64,
    /// Its colour.
    pub(super) color: Rgba,
}

/// Which side the lines of a text keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Alignment {
    /// The left.
    Left,
    /// Neither: the middle.
    Center,
    /// The right.
    Right,
}

/// The frame that a text stands in.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TextFrame {
    left: f64,
    width: f64,
}

impl StrokeStyle {
    /// As the document has it, on this side of the edge.
    pub(super) fn stroke(self, align: StrokeAlign) -> Stroke {
        Stroke {
            paints: vec![Paint::solid(self.color)],
            weight: self.width,
            align,
            join: StrokeJoin::Miter,
            ..Stroke::default()
        }
    }
}

impl Alignment {
    /// The alignment of this word, whatever its case.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word.trim().to_lowercase().as_str() {
            "left" => Some(Self::Left),
            "center" | "centre" => Some(Self::Center),
            "right" => Some(Self::Right),
            _ => None,
        }
    }

    fn share(self) -> f64 {
        match self {
            Self::Left => 0.0,
            Self::Center => 0.5,
            Self::Right => 1.0,
        }
    }
}

impl TextLayer {
    /// A black text in the middle of a page of this size.
    pub(super) fn new(render: &RenderContext, characters: String, page: Size) -> Self {
        let mut text = Self {
            characters,
            font: Font::default(),
            font_size: NEW_SIZE,
            color: Rgba::BLACK,
            stroke: None,
            alignment: Alignment::Center,
            corner: None,
            // Found by `settle`.
            place: Placement::at(Point::ZERO, Size::default()),
            breaks_at: None,
        };
        // Its box follows from all the rest, here as after every change.
        text.settle(render, page);
        text
    }

    /// Finds where lines break and where the letters come to lie, after anything has changed.
    pub(super) fn settle(&mut self, render: &RenderContext, page: Size) {
        let content = self.content();
        let natural = measure_text(render, &content, None).size.width;
        let frame = self.frame(page, natural);
        // What has room on the page in one piece is not broken, though it leaves a margin.
        let room = match self.alignment {
            Alignment::Center => page.width,
            Alignment::Left | Alignment::Right => page.width - frame.left.max(0.0),
        };
        let is_broken = natural > frame.width.max(room);
        let measured = measure_text(render, &content, is_broken.then_some(frame.width));
        let widest = measured.lines.iter().fold(0.0, |most: f64, line| most.max(line.width));
        // Lines that were broken at the frame break the same way at the widest of them.
        let width = widest.ceil().max(1.0);
        self.breaks_at = is_broken.then_some(width);
        // From where the letters begin: plans place what is seen, not the line's box.
        let height = measured.size.height - ABOVE * self.font_size;
        let size = Size::new(width, height.max(1.0));
        // A word wider than the frame leaves it on both sides of where it is aligned.
        let left = frame.left + (frame.width - width) * self.alignment.share();
        let top = self.corner.map_or((page.height - size.height) / 2.0, |corner| corner.y);
        let center = Point::new(left + width / 2.0, top + size.height / 2.0);
        self.place = Placement { center, size, ..self.place };
    }

    fn frame(&self, page: Size, natural: f64) -> TextFrame {
        let left = self.corner.map_or(0.0, |corner| corner.x);
        let between_margins = page.width - 2.0 * left;
        let enough = natural.min(page.width / 2.0);
        // Room for the text, or for half the page where it is longer.
        if between_margins >= enough {
            return TextFrame { left, width: between_margins };
        }
        let to_the_edge = page.width - left;
        let width = if to_the_edge > page.width / 8.0 { natural.min(to_the_edge) } else { natural };
        TextFrame { left, width }
    }

    /// As the document has it.
    pub(super) fn content(&self) -> TextContent {
        let align = match self.alignment {
            Alignment::Left => TextAlign::Left,
            Alignment::Center => TextAlign::Center,
            Alignment::Right => TextAlign::Right,
        };
        let style = TextStyle {
            font_family: self.font.family.clone(),
            font_style: Some(self.font.style()),
            font_weight: self.font.weight,
            italic: self.font.italic,
            font_size: self.font_size,
            line_height: LineHeight::Auto,
            align,
            // The box leaves out what the font has above its letters.
            vertical_align: VerticalAlign::Bottom,
            auto_resize: AutoResize::None,
            ..TextStyle::default()
        };
        TextContent { characters: self.characters.clone(), style, ..TextContent::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Size = Size::new(1296.0, 1728.0);

    fn moved(words: &str, x: f64, alignment: Alignment) -> TextLayer {
        let mut text = TextLayer::new(&RenderContext::default(), words.to_owned(), PAGE);
        text.corner = Some(Point::new(x, 50.0));
        text.alignment = alignment;
        text.settle(&RenderContext::default(), PAGE);
        text
    }

    #[test]
    fn a_new_text_is_in_the_middle_of_the_page() {
        let text = TextLayer::new(&RenderContext::default(), "Hello".to_owned(), PAGE);
        assert_eq!(text.place.center, Point::new(648.0, 864.0));
        assert_eq!(text.breaks_at, None);
    }

    #[test]
    fn a_centred_text_is_centred_whatever_its_margin() {
        for x in [-250.0, 0.0, 80.0, 400.0] {
            let text = moved("LOVE\nSTORY", x, Alignment::Center);
            assert_eq!((text.place.center.x, text.place.bounds().y), (648.0, 50.0), "{x}");
        }
    }

    #[test]
    fn left_and_right_keep_to_the_margins() {
        assert_eq!(moved("Thank you!", 80.0, Alignment::Left).place.bounds().x, 80.0);
        assert_eq!(moved("Thank you!", 80.0, Alignment::Right).place.bounds().right(), 1216.0);
    }

    #[test]
    fn a_long_text_breaks_within_its_margins() {
        let text = moved(&"many words ".repeat(40), 80.0, Alignment::Left);
        let bounds = text.place.bounds();
        assert!(bounds.x == 80.0 && bounds.right() <= 1216.0, "{bounds:?}");
        assert!(bounds.height > 100.0, "{bounds:?}");
    }

    #[test]
    fn a_text_in_the_right_half_begins_where_it_was_put() {
        let bounds = moved("Right", 900.0, Alignment::Center).place.bounds();
        assert_eq!(bounds.x, 900.0);
    }
}
