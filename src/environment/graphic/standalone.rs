//! An SVG as a document of its own, drawn at any size.

use crate::base::{Affine, Limits, Pixels, Size};
use crate::design::edit::Transaction;
use crate::design::{Document, Node, NodeId, NodeKind};
use crate::render::{Fonts, RenderContext, RenderError, RenderOptions, render_node};

use super::error::GraphicError;
use super::omitted::Omitted;
use super::paint::tidy;
use super::{shapes, source};

/// How often the whole picture may be painted over: what is more would take long to draw. Of the
/// 8,121 drawings of Debian's `openclipart-svg` 0.18 none is.
pub(super) const MOST_COVERAGE: u32 = 2_000;
/// Most pixels of a picture of it.
const MOST_PIXELS: f64 = 4_000_000.0;
/// Longest side of a picture of it, in pixels.
const LONGEST: f64 = 8192.0;
/// The names under which older files say that a byte is a letter.
const LATIN: [&str; 3] = ["iso-8859-1", "latin1", "windows-1252"];
/// How far into a file its encoding is looked for, in bytes.
const DECLARATION: usize = 200;

/// An SVG as a document: a frame of the picture's size, and in it one of the SVG's own. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::environment) struct Graphic {
    document: Document,
    size: Size,
    left_out: Vec<String>,
}

impl Graphic {
    /// Whether bytes are to be read as SVG: they begin as XML does.
    pub(in crate::environment) fn is_meant(bytes: &[u8]) -> bool {
        without_mark(bytes).trim_ascii_start().starts_with(b"<")
    }

    /// Reads an SVG of a file, in UTF-8 or ISO-8859-1.
    pub(in crate::environment) fn read(bytes: &[u8]) -> Result<Self, GraphicError> {
        Self::read_in(bytes, &Fonts::default())
    }

    /// The same, letters that Inter lacks set in these fonts.
    fn read_in(bytes: &[u8], fonts: &Fonts) -> Result<Self, GraphicError> {
        if bytes.len() > Limits::SVG_BYTES {
            return Err(GraphicError::TooLong(bytes.len()));
        }
        let mut omitted = Omitted::default();
        let text = text(bytes)?;
        let fonts = source::with_fonts_of(&text, fonts);
        let tree = source::parse_in(&text, &mut omitted, fonts)?;
        let size = Size::new(tidy(tree.size().width()), tidy(tree.size().height()));
        let mut document = Document::default();
        let mut change = Transaction::begin(&mut document);
        change.insert(frame(root(), size), None, None)?;
        // A frame within a frame: the outer one is stretched to a size, the inner one by a transform.
        change.insert(frame(own(), size), Some(&root()), None)?;
        let drawn = shapes::draw(&mut change, &tree, &own(), &mut omitted)?;
        change.commit();
        let left_out = omitted.lines();
        if drawn.shapes == 0 {
            return Err(GraphicError::nothing(&left_out));
        }
        for (name, picture) in drawn.pictures {
            document.add_image(name, picture);
        }
        // Bounded here and not when drawn: then it is a wrong file, not a slow picture.
        if coverage(&document, size) > f64::from(MOST_COVERAGE) {
            return Err(GraphicError::TooMuchPaint);
        }
        Ok(Self { document, size, left_out })
    }

    /// Its own size: that which it says, or its view box; in pixels, above 0.
    pub(in crate::environment) fn size(&self) -> Size {
        self.size
    }

    /// What could not be taken over, such as `mask (2×)`.
    pub(in crate::environment) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// How many pixels it is drawn with in a place of this many: as many, or as there may be.
    pub(in crate::environment) fn pixels_for(place: Size) -> (u32, u32) {
        let (width, height) = (place.width.max(1.0), place.height.max(1.0));
        // The same factor for both sides, so that the picture keeps its form.
        let fits = (MOST_PIXELS / (width * height)).sqrt().min(LONGEST / width.max(height));
        let fits = fits.min(1.0);
        let [width, height] =
            [width, height].map(|length| (length * fits).round().clamp(1.0, LONGEST) as u32);
        (width, height)
    }

    /// Stretched over this many pixels; see-through where nothing is drawn.
    pub(in crate::environment) fn draw(
        &self,
        (width, height): (u32, u32),
    ) -> Result<Pixels, RenderError> {
        let size = Size::new(f64::from(width), f64::from(height));
        let mut document = self.document.clone();
        let mut change = Transaction::begin(&mut document);
        change.update(&root(), |node| node.size = size)?;
        // Outlines stay sharp, as it is the shapes that are scaled and not their pixels.
        let stretch = Affine::scale(size.width / self.size.width, size.height / self.size.height);
        change.update(&own(), |node| node.transform = stretch)?;
        change.commit();
        // There are only outlines in it: fonts have no part.
        let render = RenderContext::default();
        Ok(render_node(&render, &document, &root(), RenderOptions::default())?.pixels)
    }
}

fn root() -> NodeId {
    "0:0".into()
}

fn own() -> NodeId {
    "0:1".into()
}

fn frame(id: NodeId, size: Size) -> Node {
    let mut node = Node::new(id, "graphic", NodeKind::Frame);
    node.size = size;
    node.clips_content = true;
    node
}

/// Why an SVG cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SvgError(String);

/// Draws an SVG with so many pixels a unit, on nothing; its texts are set in the vendored Inter, letters that it lacks in
/// these fonts. A picture of more pixels than there may be is drawn smaller.
pub fn draw_svg(svg: &[u8], scale: f64, fonts: &Fonts) -> Result<Pixels, SvgError> {
    let graphic = Graphic::read_in(svg, fonts).map_err(|error| SvgError(error.to_string()))?;
    let size = graphic.size();
    let place = Size::new(size.width * scale, size.height * scale);
    graphic.draw(Graphic::pixels_for(place)).map_err(|error| SvgError(error.to_string()))
}

/// Reads an SVG as a design of one frame of its size, and says what could not be taken over, such as `mask (2×)`.
///
/// # Errors
///
/// Why it is no SVG that can be drawn.
pub fn svg_design(svg: &[u8]) -> Result<(Document, Vec<String>), SvgError> {
    let graphic = Graphic::read(svg).map_err(|error| SvgError(error.to_string()))?;
    let (mut document, left_out) = (graphic.document, graphic.left_out);
    let mut change = Transaction::begin(&mut document);
    // The frame that pictures are stretched by is not the SVG's.
    let taken = change.reparent(&own(), None, None).and_then(|()| change.remove(&root()));
    taken.map_err(|error| SvgError(error.to_string()))?;
    change.commit();
    Ok((document, left_out))
}

/// How often the picture is painted over, on average.
fn coverage(document: &Document, size: Size) -> f64 {
    let of_nodes = document.iter_depth_first().map(|node| {
        // A container may be drawn as a layer of its own, and then painted once more.
        let is_layer = node.kind.is_container();
        let paints = node.fills.len() + node.stroke.paints.len() + usize::from(is_layer);
        let Ok(bounds) = document.absolute_box(&node.id) else { return 0.0 };
        // What lies beyond the picture is cut before it is painted.
        let reach = node.stroke.weight;
        let (left, top) = ((bounds.x - reach).max(0.0), (bounds.y - reach).max(0.0));
        let right = (bounds.right() + reach).min(size.width);
        let bottom = (bounds.bottom() + reach).min(size.height);
        let share = (right - left).max(0.0) * (bottom - top).max(0.0) / (size.width * size.height);
        paints as f64 * share
    });
    of_nodes.sum()
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn text(bytes: &[u8]) -> Result<String, GraphicError> {
    let bytes = without_mark(bytes);
    let declared: String = bytes.iter().take(DECLARATION).map(|byte| char::from(*byte)).collect();
    let declared = declared.split("?>").next().unwrap_or_default().to_ascii_lowercase();
    // Each byte of ISO-8859-1 is the code point of its letter.
    if declared.contains("encoding") && LATIN.iter().any(|name| declared.contains(name)) {
        return Ok(bytes.iter().map(|byte| char::from(*byte)).collect());
    }
    Ok(std::str::from_utf8(bytes)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> Vec<u8> {
        let open = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'>";
        format!("{open}{inside}</svg>").into_bytes()
    }

    #[test]
    fn a_graphic_is_stretched_over_the_pixels_of_its_place() {
        let half = svg("<path fill='#f00' d='M0 0h20v20h-20z'/>");
        let graphic = Graphic::read(&half).unwrap();
        assert_eq!(graphic.size(), Size::new(40.0, 20.0));
        for (width, height) in [(40, 20), (400, 20), (7, 3), (1, 1), (1200, 600)] {
            let drawn = graphic.draw((width, height)).unwrap();
            assert_eq!((drawn.width(), drawn.height()), (width, height));
            if width > 4 {
                let middle = height / 2;
                assert_eq!(drawn.get(width / 4, middle), Some([255, 0, 0, 255]));
                assert_eq!(drawn.get(width - 1, middle).unwrap()[3], 0);
            }
        }
    }

    #[test]
    fn a_picture_of_a_graphic_has_bounds() {
        assert_eq!(Graphic::pixels_for(Size::new(400.4, 0.2)), (400, 1));
        let (width, height) = Graphic::pixels_for(Size::new(100_000.0, 100_000.0));
        assert!(width == height && (1900..=2000).contains(&width), "{width}");
        assert_eq!(Graphic::pixels_for(Size::new(100_000.0, 1.0)), (8192, 1));
    }

    #[test]
    fn letters_of_older_files_are_read_as_they_say() {
        let mut old = b"<?xml version='1.0' encoding='ISO-8859-1'?>".to_vec();
        old.extend(svg("<title>caf\u{e9}</title><path d='M0 0h9v9z'/>"));
        let latin: Vec<u8> = String::from_utf8(old)
            .unwrap()
            .chars()
            .map(|letter| u8::try_from(u32::from(letter)).unwrap())
            .collect();
        assert!(Graphic::is_meant(&latin) && Graphic::read(&latin).is_ok());
        let mut lies = svg("<path d='M0 0h9v9z'/>");
        lies.splice(5..5, [0xff]);
        assert!(matches!(Graphic::read(&lies), Err(GraphicError::Encoding(_))));
        assert!(!Graphic::is_meant(b"\x89PNG") && !Graphic::is_meant(b""));
    }

    #[test]
    fn paint_on_paint_on_paint_is_refused_before_it_is_drawn() {
        let much = "<path opacity='.5' d='M0 0h40v20h-40z'/>".repeat(5000);
        assert!(matches!(Graphic::read(&svg(&much)), Err(GraphicError::TooMuchPaint)));
        let beside = "<path d='M0 0h4v2z'/>".repeat(5000);
        assert!(Graphic::read(&svg(&beside)).is_ok());
    }
}
