//! A page of pictures and words, to be written as PNG, SVG or PDF: contact sheets and grids are made of it.
//!
//! It is a document like any design, so that all three show what our own painter shows.

use std::path::Path;
use std::sync::Arc;

use crate::base::{Affine, Pixels, PixelsError, Rect, Rgba, Size};
use crate::design::{
    AutoResize, Document, DocumentError, ImagePaint, LineHeight, Node, NodeId, NodeKind, Paint,
    PaintKind, Stroke, TextContent, TextStyle, VerticalAlign,
};
use crate::environment::{SvgError, draw_svg};
use crate::render::svg::{SvgOptions, export_page};
use crate::render::{Fonts, RenderContext, RenderError, RenderOptions, render_page};

use super::metadata::{described_png, described_svg};
use super::pdf::{PdfError, svg_to_pdf};

/// Height of a line of words.
pub(super) const LINE_HEIGHT: f64 = 15.0;
/// The longest side of a page, in points.
const LONGEST: f64 = 14_000.0;

/// Why a page cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// More stands on it than a page has room for.
    #[error(
        "the page would be {width:.0} × {height:.0} points, and {LONGEST:.0} are the most: choose fewer pictures"
    )]
    TooLarge {
        /// Points across.
        width: f64,
        /// Points down.
        height: f64,
    },
    /// The page is no document.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// It cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// It cannot be encoded.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// The drawing cannot be drawn.
    #[error("it cannot be drawn: {0}")]
    Drawing(#[from] SvgError),
    /// It cannot become a PDF.
    #[error(transparent)]
    Pdf(#[from] PdfError),
    /// The name of the file says of no form that there is.
    #[error("a page is written as .png, .svg or .pdf, and not as {0}")]
    Ending(String),
}

/// In which form a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageForm {
    /// Pixels.
    Png,
    /// Shapes and pictures.
    Svg,
    /// The same for print.
    Pdf,
}

impl PageForm {
    /// By the ending of a file's name.
    ///
    /// # Errors
    ///
    /// [`PageError::Ending`].
    pub fn of(path: &Path) -> Result<Self, PageError> {
        let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some("pdf") => Ok(Self::Pdf),
            _ => Err(PageError::Ending(path.display().to_string())),
        }
    }
}

/// A drawing in SVG as a file of this form, which says of itself what `about` says; a PNG has `scale` pixels a unit.
/// Letters that Inter lacks are set in these fonts; in an SVG they stay text.
///
/// # Errors
///
/// [`PageError`].
pub fn drawing_file(
    svg: &str,
    form: PageForm,
    scale: f64,
    about: &str,
    fonts: &Fonts,
) -> Result<Vec<u8>, PageError> {
    Ok(match form {
        PageForm::Png => described_png(draw_svg(svg.as_bytes(), scale, fonts)?.to_png()?, about),
        PageForm::Svg => described_svg(svg, about).into_bytes(),
        PageForm::Pdf => svg_to_pdf(svg, about, fonts)?,
    })
}

/// What is to be said of letters that no font has; nothing of none.
pub fn missing_letters_words(letters: &[char]) -> Option<String> {
    let named = letters.iter().map(|letter| format!("{letter} (U+{:04X})", u32::from(*letter)));
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        return None;
    }
    Some(format!(
        "no font of this machine has {}: drawn as boxes; install a font that has them, such as Noto Sans or Noto Sans \
         CJK",
        named.join(", ")
    ))
}

/// How words look.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageTextStyle {
    pub(super) size: f64,
    pub(super) weight: f64,
    pub(super) color: Rgba,
}

/// Words of a page, from the most to the least weight.
pub(super) const TITLE: PageTextStyle = PageTextStyle { size: 15.0, weight: 600.0, color: INK };
pub(super) const NAME: PageTextStyle = PageTextStyle { size: 11.0, weight: 600.0, color: INK };
pub(super) const DETAIL: PageTextStyle = PageTextStyle { size: 10.0, weight: 400.0, color: DIM };

const INK: Rgba = gray(0x1A);
const DIM: Rgba = gray(0x5F);
const LINE: Rgba = gray(0xE0);

const fn gray(level: u8) -> Rgba {
    let level = level as f64 / 255.0;
    Rgba { r: level, g: level, b: level, a: 1.0 }
}

/// A page while things are put on it, the lowest first.
#[derive(Debug)]
pub struct Page {
    size: Size,
    nodes: Vec<Node>,
    pictures: Vec<(String, Arc<Pixels>)>,
    /// What the file says of itself.
    about: String,
}

impl Page {
    /// A white page of so many points.
    ///
    /// # Errors
    ///
    /// [`PageError::TooLarge`].
    pub(super) fn new(width: f64, height: f64) -> Result<Self, PageError> {
        if width.max(height) > LONGEST {
            return Err(PageError::TooLarge { width, height });
        }
        let mut root = Node::new(NodeId::from(ROOT), "Page", NodeKind::Frame);
        root.size = Size::new(width, height);
        root.fills = vec![Paint::solid(Rgba::WHITE)];
        root.clips_content = true;
        let (pictures, about) = (Vec::new(), String::new());
        Ok(Self { size: root.size, nodes: vec![root], pictures, about })
    }

    /// A page that is a picture and nothing beside it, so many points wide.
    ///
    /// # Errors
    ///
    /// [`PageError::TooLarge`].
    pub fn of_picture(picture: Pixels, width: f64) -> Result<Self, PageError> {
        let height = width * f64::from(picture.height()) / f64::from(picture.width());
        let mut page = Self::new(width, height)?;
        page.fill(Rect::new(0.0, 0.0, width, height), picture);
        Ok(page)
    }

    /// One line of words, cut with an ellipsis where the room ends.
    pub(super) fn text(&mut self, room: Rect, text: &str, words: PageTextStyle) {
        let style = TextStyle {
            font_size: words.size,
            font_weight: words.weight,
            line_height: LineHeight::Auto,
            vertical_align: VerticalAlign::Center,
            auto_resize: AutoResize::None,
            truncates: true,
            max_lines: Some(1),
            ..TextStyle::default()
        };
        // Control characters have no form on a page.
        let characters = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let content = TextContent { characters, style, ..TextContent::default() };
        let fill = Paint::solid(words.color);
        self.add("Text", NodeKind::Text(Box::new(content)), room, vec![fill]);
    }

    /// Lines of words below one another from `top` on, each cut nowhere: [`lines`].
    pub(super) fn remarks(&mut self, left: f64, mut top: f64, lines: &[String]) {
        for line in lines {
            self.text(
                Rect::new(left, top, self.size.width - 2.0 * left, LINE_HEIGHT),
                line,
                DETAIL,
            );
            top += LINE_HEIGHT;
        }
    }

    /// Has the file say of itself what stands on the page as words: they are not to be read off the picture alone.
    pub fn describe(&mut self, title: &str, remarks: &[String]) {
        let lines = std::iter::once(title).chain(remarks.iter().map(String::as_str));
        self.about = lines.collect::<Vec<_>>().join("\n");
    }

    /// A picture that fills its room, with a fine line around it.
    pub(super) fn picture(&mut self, room: Rect, picture: Pixels) {
        self.fill(room, picture);
        self.outline(room, LINE, 1.0);
    }

    fn fill(&mut self, room: Rect, picture: Pixels) {
        let name = format!("picture-{}", self.pictures.len());
        let image = ImagePaint {
            image_ref: Some(name.clone()),
            scale_mode: "STRETCH".to_owned(),
            transform: Some(Affine::IDENTITY),
            ..ImagePaint::default()
        };
        self.pictures.push((name, Arc::new(picture)));
        let fill = Paint { kind: PaintKind::Image(image), ..Paint::solid(Rgba::WHITE) };
        self.add("Picture", NodeKind::Rectangle, room, vec![fill]);
    }

    /// The outline of a rectangle.
    pub(super) fn outline(&mut self, room: Rect, color: Rgba, weight: f64) {
        self.add("Outline", NodeKind::Rectangle, room, Vec::new());
        if let Some(node) = self.nodes.last_mut() {
            node.stroke = Stroke { paints: vec![Paint::solid(color)], weight, ..Stroke::default() };
        }
    }

    fn add(&mut self, name: &str, kind: NodeKind, room: Rect, fills: Vec<Paint>) {
        let id = format!("1:{}", self.nodes.len());
        let mut node = Node::new(NodeId::from(id.as_str()), name, kind);
        node.parent = Some(NodeId::from(ROOT));
        node.size = room.size();
        node.transform = Affine::translate(room.x, room.y);
        node.fills = fills;
        self.nodes.push(node);
    }

    /// The letters on it that none of these fonts has, each once: they are drawn as boxes.
    pub fn missing_letters(&self, fonts: &Fonts) -> Vec<char> {
        let texts = self.nodes.iter().filter_map(Node::text);
        // Each by itself: what Chinese letters are shaped like is up to those beside them.
        let mut missing: Vec<char> = Vec::new();
        for letter in texts.flat_map(|text| fonts.missing(&text.characters)) {
            if !missing.contains(&letter) {
                missing.push(letter);
            }
        }
        missing
    }

    /// The bytes of a file in this form; a PNG has `scale` pixels a point.
    ///
    /// # Errors
    ///
    /// [`PageError`].
    pub fn write(
        self,
        form: PageForm,
        scale: f64,
        context: &RenderContext,
    ) -> Result<Vec<u8>, PageError> {
        let mut document = Document::from_nodes(self.nodes)?;
        for (name, picture) in self.pictures {
            document.add_image(name, picture);
        }
        if form == PageForm::Png {
            let options = RenderOptions { scale, ..RenderOptions::default() };
            let png = render_page(context, &document, options)?.pixels.to_png()?;
            return Ok(described_png(png, &self.about));
        }
        // PDF is made of the SVG: what one cannot hold the other does not either, and both look alike.
        let exported = export_page(context, &document, SvgOptions::default())?;
        if form == PageForm::Svg {
            return Ok(described_svg(&exported.svg, &self.about).into_bytes());
        }
        Ok(svg_to_pdf(&exported.svg, &self.about, context.fonts())?)
    }

    /// Points across and down.
    pub fn size(&self) -> Size {
        self.size
    }
}

const ROOT: &str = "0:1";

/// Remarks in lines that are no wider than `width`, broken between words, and within those that are longer: a
/// command that is cut cannot be given again.
pub(super) fn lines(remarks: &[String], width: f64) -> Vec<String> {
    // No letter of a text is much wider than this on average, capitals included.
    let most = ((width / (DETAIL.size * 0.62)) as usize).max(20);
    let mut lines = Vec::new();
    for remark in remarks {
        let mut line = String::new();
        for word in remark.split(' ') {
            let mut word: Vec<char> = word.chars().collect();
            if !line.is_empty() && line.chars().count() + 1 + word.len() > most {
                lines.push(std::mem::take(&mut line));
            }
            while word.len() > most {
                lines.push(word.drain(..most).collect());
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_broken_and_never_cut() {
        let command = format!("pentimento export contact-sheet {} --out a.pdf", "x".repeat(300));
        let lines = lines(&[command.clone(), "two words".to_owned()], 400.0);
        assert!(lines.len() > 4, "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 64), "{lines:?}");
        let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(&(command + "two words")));
    }

    #[test]
    fn a_page_that_is_too_large_says_so() {
        assert!(matches!(Page::new(20_000.0, 10.0), Err(PageError::TooLarge { .. })));
    }
}
