//! The plain SVG that this program writes (pages of pictures, figures) as PDF.
//!
//! What such files hold is paths, pictures, words, groups, clips and opacity; words become the outlines of
//! their letters, so that a file looks the same wherever it is printed. Gradients, masks, filters and
//! patterns are refused and not left out: none of our files has them.

use std::io::Write as _;
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, TextStr};
use usvg::{
    FillRule, Group, Image, ImageKind, LineCap, LineJoin, Node, Options, Paint, Path, Tree, fontdb,
};

use crate::base::{INTER_FILE, Pixels, PixelsError};
use crate::evaluate::PROGRAM;
use crate::render::Fonts;

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// It is no SVG.
    #[error("the drawing cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    /// A picture in it cannot be read.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// It cannot be compressed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It holds what none of our drawings does.
    #[error("the drawing holds {0}, which is not written as PDF")]
    NotPlain(&'static str),
}

/// Inter alone: a drawing in its letters gives the same file everywhere.
static FONTS: LazyLock<fontdb::Database> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(INTER_FILE.as_slice())));
    fonts.set_sans_serif_family("Inter Variable");
    fonts
});

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const FIRST_FREE: i32 = 5;

/// A PDF of one page of the size of the drawing, a point a unit, whose subject is what `about` says of it (empty:
/// nothing). Letters that Inter lacks are set in these fonts; the same drawing and fonts give the same bytes.
///
/// # Errors
///
/// [`PdfError`].
pub fn svg_to_pdf(svg: &str, about: &str, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
    let mut all = fontdb::Database::clone(&FONTS);
    for file in fonts.outlines_for(svg) {
        all.load_font_source(fontdb::Source::Binary(file));
    }
    let options = Options {
        fontdb: Arc::new(all),
        font_family: "Inter Variable".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let mut writer = Writer::new();
    let height = tree.size().height();
    // PDF counts from the lower left corner.
    writer.content.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
    writer.group(tree.root(), 1.0)?;
    writer.finish(tree.size().width(), height, about)
}

struct Writer {
    pdf: Pdf,
    content: Content,
    next: i32,
    pictures: Vec<Ref>,
    /// Opacities in thousandths, each a state of its own.
    opacities: Vec<u32>,
}

impl Writer {
    fn new() -> Self {
        Self {
            pdf: Pdf::new(),
            content: Content::new(),
            next: FIRST_FREE,
            pictures: Vec::new(),
            opacities: Vec::new(),
        }
    }

    fn free(&mut self) -> Ref {
        self.next += 1;
        Ref::new(self.next - 1)
    }

    /// Draws a group; `opacity` is what it lies in has.
    fn group(&mut self, group: &Group, opacity: f32) -> Result<(), PdfError> {
        if group.mask().is_some() {
            return Err(PdfError::NotPlain("a mask"));
        }
        if !group.filters().is_empty() {
            return Err(PdfError::NotPlain("a filter"));
        }
        self.content.save_state();
        let t = group.transform();
        self.content.transform([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]);
        if let Some(clip) = group.clip_path() {
            if clip.clip_path().is_some() {
                return Err(PdfError::NotPlain("a clip in a clip"));
            }
            let t = clip.transform();
            for node in clip.root().children() {
                let Node::Path(path) = node else {
                    return Err(PdfError::NotPlain("a clip that is no path"));
                };
                self.outline(path, [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty]);
            }
            self.content.clip_nonzero();
            self.content.end_path();
        }
        // By each part alone: where parts of a group lie over one another more shows than should, which no
        // group of ours has. Multiplied, as PDF takes the last that is set and not their product.
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, opacity)?,
                Node::Path(path) => self.path(path, opacity)?,
                Node::Image(image) => self.image(image, opacity)?,
                Node::Text(text) => self.group(text.flattened(), opacity)?,
            }
        }
        self.content.restore_state();
        Ok(())
    }

    /// Sets the opacity of what follows until the state is restored.
    fn opacity(&mut self, opacity: f32) {
        if opacity >= 1.0 {
            return;
        }
        let thousandths = (opacity * 1000.0).round() as u32;
        let known = self.opacities.iter().position(|known| *known == thousandths);
        let at = known.unwrap_or_else(|| {
            self.opacities.push(thousandths);
            self.opacities.len() - 1
        });
        self.content.set_parameters(Name(format!("o{at}").as_bytes()));
    }

    fn path(&mut self, path: &Path, opacity: f32) -> Result<(), PdfError> {
        if !path.is_visible() {
            return Ok(());
        }
        // Fill before stroke, as SVG paints by default. Either part is saved and restored by itself, because
        // an opacity set in PDF holds until it is taken back.
        if let Some(fill) = path.fill() {
            let [r, g, b] = plain_color(fill.paint())?;
            self.content.save_state();
            self.opacity(opacity * fill.opacity().get());
            self.content.set_fill_rgb(r, g, b);
            self.outline(path, IDENTITY);
            match fill.rule() {
                FillRule::NonZero => self.content.fill_nonzero(),
                FillRule::EvenOdd => self.content.fill_even_odd(),
            };
            self.content.restore_state();
        }
        if let Some(stroke) = path.stroke() {
            let [r, g, b] = plain_color(stroke.paint())?;
            self.content.save_state();
            self.opacity(opacity * stroke.opacity().get());
            self.content.set_stroke_rgb(r, g, b);
            self.content.set_line_width(stroke.width().get());
            self.content.set_line_cap(match stroke.linecap() {
                LineCap::Butt => LineCapStyle::ButtCap,
                LineCap::Round => LineCapStyle::RoundCap,
                LineCap::Square => LineCapStyle::ProjectingSquareCap,
            });
            self.content.set_line_join(match stroke.linejoin() {
                // PDF knows no clipped mitre: the plain one is nearest.
                LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
                LineJoin::Round => LineJoinStyle::RoundJoin,
                LineJoin::Bevel => LineJoinStyle::BevelJoin,
            });
            if let Some(dashes) = stroke.dasharray() {
                self.content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
            }
            // The path once more: to paint it ends it.
            self.outline(path, IDENTITY);
            self.content.stroke();
            self.content.restore_state();
        }
        Ok(())
    }

    /// The outline of a path, its points moved by this matrix.
    fn outline(&mut self, path: &Path, [a, b, c, d, e, f]: [f32; 6]) {
        use tiny_skia::PathSegment;
        // In the same order as `tiny_skia::Transform` and PDF's `cm`.
        let moved = |x: f32, y: f32| (a * x + c * y + e, b * x + d * y + f);
        let mut last = (0.0, 0.0);
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(point) => {
                    last = moved(point.x, point.y);
                    self.content.move_to(last.0, last.1);
                }
                PathSegment::LineTo(point) => {
                    last = moved(point.x, point.y);
                    self.content.line_to(last.0, last.1);
                }
                PathSegment::QuadTo(control, point) => {
                    // PDF knows cubic curves only: both controls lie two thirds of the way to the one.
                    let (control, point) = (moved(control.x, control.y), moved(point.x, point.y));
                    let [first, second] = [last, point].map(|(x, y): (f32, f32)| {
                        (x + (control.0 - x) * 2.0 / 3.0, y + (control.1 - y) * 2.0 / 3.0)
                    });
                    self.content.cubic_to(first.0, first.1, second.0, second.1, point.0, point.1);
                    last = point;
                }
                PathSegment::CubicTo(first, second, point) => {
                    let [first, second, point] = [first, second, point].map(|p| moved(p.x, p.y));
                    self.content.cubic_to(first.0, first.1, second.0, second.1, point.0, point.1);
                    last = point;
                }
                // `last` may stay: every subpath begins with a move.
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    fn image(&mut self, image: &Image, opacity: f32) -> Result<(), PdfError> {
        let pixels = match image.kind() {
            ImageKind::PNG(bytes) | ImageKind::JPEG(bytes) => Pixels::decode(bytes)?,
            ImageKind::SVG(tree) => return self.group(tree.root(), opacity),
            ImageKind::GIF(_) | ImageKind::WEBP(_) => {
                return Err(PdfError::NotPlain("a picture that is neither PNG nor JPEG"));
            }
        };
        let name = format!("p{}", self.pictures.len());
        let reference = self.embed(&pixels)?;
        self.pictures.push(reference);
        let size = image.size();
        self.content.save_state();
        self.opacity(opacity);
        // A picture is one unit wide and high, and stands on its head here.
        self.content.transform([size.width(), 0.0, 0.0, -size.height(), 0.0, size.height()]);
        self.content.x_object(Name(name.as_bytes()));
        self.content.restore_state();
        Ok(())
    }

    fn embed(&mut self, pixels: &Pixels) -> Result<Ref, PdfError> {
        let (width, height) = (pixels.width() as i32, pixels.height() as i32);
        let rgba = pixels.rgba().chunks_exact(4);
        // PDF keeps colours and alpha apart: an image of RGB with a soft mask (ISO 32000-1, 11.6.5.3).
        let colors: Vec<u8> =
            rgba.clone().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        let alphas: Vec<u8> = rgba.map(|pixel| pixel[3]).collect();
        // A mask of an opaque picture would be as long as a channel and say nothing.
        let mask = if alphas.iter().all(|alpha| *alpha == 255) {
            None
        } else {
            let (reference, bytes) = (self.free(), packed(&alphas)?);
            let mut mask = self.pdf.image_xobject(reference, &bytes);
            mask.filter(Filter::FlateDecode);
            mask.width(width).height(height).bits_per_component(8);
            mask.color_space().device_gray();
            mask.finish();
            Some(reference)
        };
        let (reference, bytes) = (self.free(), packed(&colors)?);
        let mut image = self.pdf.image_xobject(reference, &bytes);
        image.filter(Filter::FlateDecode);
        image.width(width).height(height).bits_per_component(8);
        image.color_space().device_rgb();
        if let Some(mask) = mask {
            image.s_mask(mask);
        }
        image.finish();
        Ok(reference)
    }

    fn finish(mut self, width: f32, height: f32, about: &str) -> Result<Vec<u8>, PdfError> {
        // Objects may be written in any order: only their references must agree.
        self.pdf.catalog(CATALOG).pages(PAGES);
        self.pdf.pages(PAGES).kids([PAGE]).count(1);
        // References first, as the page's resources name the states that are written after it.
        let states: Vec<(Ref, f32)> = (0..self.opacities.len())
            .map(|at| (self.free(), self.opacities[at] as f32 / 1000.0))
            .collect();
        let mut page = self.pdf.page(PAGE);
        page.media_box(Rect::new(0.0, 0.0, width, height)).parent(PAGES).contents(CONTENT);
        let mut resources = page.resources();
        let mut pictures = resources.x_objects();
        for (at, reference) in self.pictures.iter().enumerate() {
            pictures.pair(Name(format!("p{at}").as_bytes()), *reference);
        }
        pictures.finish();
        let mut parameters = resources.ext_g_states();
        for (at, (reference, _)) in states.iter().enumerate() {
            parameters.pair(Name(format!("o{at}").as_bytes()), *reference);
        }
        parameters.finish();
        resources.finish();
        page.finish();
        for (reference, opacity) in states {
            let mut state = self.pdf.ext_graphics(reference);
            state.non_stroking_alpha(opacity).stroking_alpha(opacity);
        }
        let info = self.free();
        // The stream uses the names given above, `p0` for a picture and `o0` for an opacity.
        let bytes = packed(&self.content.finish())?;
        self.pdf.stream(CONTENT, &bytes).filter(Filter::FlateDecode);
        let mut info = self.pdf.document_info(info);
        info.producer(TextStr(PROGRAM));
        if !about.is_empty() {
            info.subject(TextStr(about));
        }
        info.finish();
        Ok(self.pdf.finish())
    }
}

const IDENTITY: [f32; 6] = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

fn plain_color(paint: &Paint) -> Result<[f32; 3], PdfError> {
    match paint {
        Paint::Color(color) => {
            Ok([color.red, color.green, color.blue].map(|it| f32::from(it) / 255.0))
        }
        Paint::LinearGradient(_) | Paint::RadialGradient(_) => {
            Err(PdfError::NotPlain("a gradient"))
        }
        Paint::Pattern(_) => Err(PdfError::NotPlain("a pattern")),
    }
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>, PdfError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(body: &str) -> Result<Vec<u8>, PdfError> {
        svg_to_pdf(&svg(body), "", &Fonts::default())
    }

    fn svg(body: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\">{body}</svg>")
    }

    #[test]
    fn a_page_says_which_program_made_it_and_what_is_said_of_it() {
        let pdf = svg_to_pdf(&svg("<g/>"), "pentimento report x", &Fonts::default()).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/Subject (pentimento report x)"), "{text}");
        assert!(text.contains("/Producer (Pentimento "), "{text}");
        assert!(!String::from_utf8_lossy(&plain("<g/>").unwrap()).contains("/Subject"));
    }

    /// What a state of the file says of the opacity.
    fn opacities(pdf: &[u8]) -> Vec<String> {
        let text = String::from_utf8_lossy(pdf);
        let found = text.split("/ca ").skip(1);
        found.map(|rest| rest.split_whitespace().next().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_page_has_the_size_of_its_drawing_and_is_the_same_each_time() {
        let body =
            "<rect width=\"5\" height=\"5\" fill=\"red\"/><text x=\"1\" y=\"9\">words</text>";
        let pdf = plain(body).unwrap();
        assert!(pdf.starts_with(b"%PDF-"));
        assert!(String::from_utf8_lossy(&pdf).contains("/MediaBox [0 0 20 10]"));
        assert_eq!(pdf, plain(body).unwrap());
        assert!(opacities(&pdf).is_empty());
    }

    #[test]
    fn what_is_half_clear_in_what_is_half_clear_is_a_quarter() {
        let body = "<g opacity=\"0.5\"><rect width=\"5\" height=\"5\" fill-opacity=\"0.5\"/></g>";
        assert_eq!(opacities(&plain(body).unwrap()), ["0.25"]);
    }

    #[test]
    fn what_has_no_form_is_refused_and_not_left_out() {
        let body = "<linearGradient id=\"g\"><stop stop-color=\"red\"/><stop offset=\"1\"/>\
                    </linearGradient><rect width=\"5\" height=\"5\" fill=\"url(#g)\"/>";
        assert!(matches!(plain(body), Err(PdfError::NotPlain("a gradient"))));
        assert!(matches!(svg_to_pdf("no drawing", "", &Fonts::default()), Err(PdfError::Svg(_))));
    }
}
