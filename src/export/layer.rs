//! A layer of a design as a file, as one of its export settings says.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::pdf::{PdfError, svg_to_pdf};
use crate::base::{Pixels, PixelsError, Rect};
use crate::design::edit::Transaction;
use crate::design::{
    Document, DocumentError, ExportFileFormat, ExportSetting, ExportSize, Node, NodeId,
};
use crate::render::svg::{SvgOptions, export_node};
use crate::render::{RenderContext, RenderError, RenderOptions, render_bounds, render_node};

/// The longest name of a file without its ending, in characters.
const LONGEST_NAME: usize = 120;
/// Names that Windows keeps for devices.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// Pixels a unit of a picture in a PDF, the first that can be drawn.
const PDF_SCALES: [f64; 3] = [4.0, 2.0, 1.0];

/// Why a layer is no file.
#[derive(Debug, thiserror::Error)]
pub enum LayerError {
    /// It cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Its picture cannot be encoded.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// It cannot become a PDF.
    #[error(transparent)]
    Pdf(#[from] PdfError),
}

/// The file of a node, hidden or not. What lies around the node has no part in it.
///
/// A PDF has the node's shapes, and its texts as outlines, where PDF shows them as they are drawn here; a node with
/// gradients, effects, blend modes or opacity of layers is a picture on its page, of four pixels a unit if that is
/// not too large.
///
/// # Errors
///
/// [`LayerError`].
pub fn layer_file(
    context: &RenderContext,
    document: &Document,
    node: &NodeId,
    setting: &ExportSetting,
) -> Result<Vec<u8>, LayerError> {
    let shown = shown(document, node)?;
    match setting.format {
        ExportFileFormat::Png => {
            Ok(picture(context, &shown, node, setting.size, [0; 4])?.to_png()?)
        }
        ExportFileFormat::Jpg => {
            // JPEG knows nothing clear: it lies on white, as Figma has it.
            Ok(picture(context, &shown, node, setting.size, [255; 4])?.to_jpeg()?)
        }
        ExportFileFormat::Svg => {
            Ok(export_node(context, &shown, node, SvgOptions::default())?.svg.into_bytes())
        }
        ExportFileFormat::Pdf => pdf(context, &shown, node),
    }
}

/// The design with the node shown.
fn shown<'d>(document: &'d Document, node: &NodeId) -> Result<Cow<'d, Document>, DocumentError> {
    if document.node(node)?.visible {
        return Ok(Cow::Borrowed(document));
    }
    let mut shown = document.clone();
    let mut change = Transaction::begin(&mut shown);
    change.update(node, |node| node.visible = true)?;
    change.commit();
    Ok(Cow::Owned(shown))
}

fn picture(
    context: &RenderContext,
    document: &Document,
    node: &NodeId,
    size: ExportSize,
    background: [u8; 4],
) -> Result<Pixels, LayerError> {
    let scale = match size {
        ExportSize::Scale(scale) => scale,
        ExportSize::Width(_) | ExportSize::Height(_) => {
            return picture_of_extent(context, document, node, size, background);
        }
    };
    Ok(render_node(context, document, node, RenderOptions { scale, background })?.pixels)
}

/// The picture of so many pixels across or down. The pixels of a node that is no frame begin where it does, so that
/// there is none too many.
fn picture_of_extent(
    context: &RenderContext,
    document: &Document,
    node: &NodeId,
    size: ExportSize,
    background: [u8; 4],
) -> Result<Pixels, LayerError> {
    let (alone, bounds) = if document.node(node)?.kind.is_some_frame() {
        (Cow::Borrowed(document), document.absolute_box(node)?)
    } else {
        let mut alone = alone(document, node)?;
        let bounds = render_bounds(context, &alone, node);
        let name = &document.node(node)?.name;
        let bounds =
            bounds.ok_or_else(|| RenderError::Empty(format!("{name} ({node}) paints nothing")))?;
        // Its picture begins where it paints, shadows and strokes with it, and not at its box.
        let mut change = Transaction::begin(&mut alone);
        change.update(node, |node| {
            node.transform.e -= bounds.x;
            node.transform.f -= bounds.y;
        })?;
        change.commit();
        (Cow::Owned(alone), bounds)
    };
    let scale = scale_for(size, bounds);
    Ok(render_node(context, &alone, node, RenderOptions { scale, background })?.pixels)
}

fn scale_for(size: ExportSize, bounds: Rect) -> f64 {
    match size {
        ExportSize::Scale(scale) => scale,
        // An extent of nothing has a scale that is out of range, which drawing says.
        ExportSize::Width(width) => width / bounds.width,
        ExportSize::Height(height) => height / bounds.height,
    }
}

/// A document of nothing but the node, where it lies on the page.
fn alone(document: &Document, id: &NodeId) -> Result<Document, DocumentError> {
    let page_from_node = document.absolute_transform(id)?;
    let nodes = document.subtree(id).map(|node| {
        let node = Node::clone(node);
        if node.id == *id { Node { parent: None, transform: page_from_node, ..node } } else { node }
    });
    let mut alone = Document::from_nodes(nodes)?;
    alone.add_images_of(document);
    Ok(alone)
}

fn pdf(context: &RenderContext, document: &Document, node: &NodeId) -> Result<Vec<u8>, LayerError> {
    let svg = export_node(context, document, node, SvgOptions::default())?.svg;
    if is_plain(&svg) {
        match svg_to_pdf(&svg, "", context.fonts()) {
            Err(PdfError::NotPlain(_)) => {}
            other => return Ok(other?),
        }
    }
    let mut drawn = Err(RenderError::Empty("no picture".to_owned()));
    // The sharpest that can be drawn at all.
    for scale in PDF_SCALES {
        let options = RenderOptions { scale, ..RenderOptions::default() };
        drawn = render_node(context, document, node, options);
        if !matches!(drawn, Err(RenderError::Pixels(PixelsError::TooLarge { .. }))) {
            break;
        }
    }
    let drawn = drawn?;
    let (width, height) = (drawn.page_box.width, drawn.page_box.height);
    let png = STANDARD.encode(drawn.pixels.to_png()?);
    let page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\
         <image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{png}\"/></svg>"
    );
    Ok(svg_to_pdf(&page, "", context.fonts())?)
}

/// Whether it holds nothing that the PDF would show otherwise without saying so: layers that mix with what is below, or
/// are half clear as a whole.
fn is_plain(svg: &str) -> bool {
    let odd = [" opacity=\"", "mix-blend-mode", "isolation:", "clip-rule=\"evenodd\""];
    !odd.iter().any(|words| svg.contains(words))
}

/// The name of a layer's file: the layer's with the suffix, of signs that file systems take, with a number where
/// `is_taken` says that there is such a file.
pub fn layer_file_name(
    layer: &str,
    setting: &ExportSetting,
    is_taken: impl Fn(&str) -> bool,
) -> String {
    let stem = safe_stem(&format!("{layer}{}", setting.suffix));
    let extension = setting.format.extension();
    let mut name = format!("{stem}.{extension}");
    let mut number = 2_u32;
    while is_taken(&name) {
        name = format!("{stem} ({number}).{extension}");
        number += 1;
    }
    name
}

fn safe_stem(name: &str) -> String {
    let stem: String = name
        .chars()
        .take(LONGEST_NAME)
        .map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '-' } else { c })
        .collect();
    // Neither hidden nor `..`, and without an end that Windows drops.
    let stem = stem.trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    if stem.is_empty() {
        return "unnamed".to_owned();
    }
    if DEVICES.contains(&stem.to_lowercase().as_str()) {
        return format!("{stem}-");
    }
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Rgba, Size};
    use crate::design::{BlendMode, NodeKind, Paint};

    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };

    fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, w, h]: [f64; 4]) -> Node {
        let (transform, size) = (Affine::translate(x, y), Size::new(w, h));
        let (parent, fills) = (parent.map(NodeId::from), vec![Paint::solid(RED)]);
        Node { parent, transform, size, fills, ..Node::new(id.into(), id, kind) }
    }

    /// A card with a dot off the lattice, that is hidden.
    fn design() -> Document {
        let dot = node("dot", NodeKind::Rectangle, Some("card"), [10.3, 10.7, 20.5, 10.25]);
        let card = node("card", NodeKind::Frame, None, [5.0, 5.0, 93.0, 60.0]);
        Document::from_nodes([card, Node { visible: false, ..dot }]).unwrap()
    }

    fn setting(format: ExportFileFormat, size: ExportSize) -> ExportSetting {
        ExportSetting { suffix: String::new(), format, size }
    }

    fn file(id: &str, format: ExportFileFormat, size: ExportSize) -> Result<Vec<u8>, LayerError> {
        let context = RenderContext::default();
        layer_file(&context, &design(), &id.into(), &setting(format, size))
    }

    #[test]
    fn a_picture_has_the_size_that_its_setting_says_to_the_pixel() {
        for format in [ExportFileFormat::Png, ExportFileFormat::Jpg] {
            for (id, size, width, height) in [
                ("card", ExportSize::Scale(2.0), 186, 120),
                ("card", ExportSize::Width(512.0), 512, 331),
                ("card", ExportSize::Height(30.0), 47, 30),
                ("dot", ExportSize::Width(64.0), 64, 32),
                ("dot", ExportSize::Height(100.0), 200, 100),
            ] {
                let bytes = file(id, format, size).unwrap();
                let drawn = Pixels::decode(&bytes).unwrap();
                assert_eq!((drawn.width(), drawn.height()), (width, height), "{id} {size}");
            }
        }
        let too_large = file("dot", ExportFileFormat::Png, ExportSize::Width(16_000.0));
        assert!(matches!(too_large, Err(LayerError::Render(RenderError::Scale(_)))));
        assert!(file("absent", ExportFileFormat::Png, ExportSize::Scale(1.0)).is_err());
    }

    #[test]
    fn shapes_are_written_as_svg_and_pdf_and_what_pdf_cannot_show_as_a_picture() {
        let one = ExportSize::Scale(1.0);
        let svg = String::from_utf8(file("card", ExportFileFormat::Svg, one).unwrap()).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("width=\"93\""), "{svg}");
        let pdf = file("card", ExportFileFormat::Pdf, one).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/MediaBox [0 0 93 60]") && !text.contains("/Image"), "{text}");
        let mut design = design();
        let mut change = Transaction::begin(&mut design);
        let mix = |node: &mut Node| {
            (node.visible, node.blend_mode) = (true, BlendMode::Multiply);
        };
        change.update(&"dot".into(), mix).unwrap();
        change.commit();
        let (context, setting) = (RenderContext::default(), setting(ExportFileFormat::Pdf, one));
        let pdf = layer_file(&context, &design, &"card".into(), &setting).unwrap();
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains("/MediaBox [0 0 93 60]") && text.contains("/Image"), "{text}");
    }

    #[test]
    fn names_are_safe_and_none_is_taken_twice() {
        let one = ExportSize::Scale(1.0);
        let plain = setting(ExportFileFormat::Png, one);
        for (layer, name) in [
            ("Buy button", "Buy button.png"),
            ("icons/24/home", "icons-24-home.png"),
            ("../../etc", "-..-etc.png"),
            ("..", "unnamed.png"),
            ("a\u{0}b:c", "a-b-c.png"),
            ("Nul", "Nul-.png"),
            ("größer", "größer.png"),
        ] {
            let got = layer_file_name(layer, &plain, |_| false);
            assert_eq!(got, name);
        }
        let long = layer_file_name(&"ä".repeat(500), &plain, |_| false);
        assert_eq!(long.chars().count(), LONGEST_NAME + 4);
        let twice = ExportSetting { suffix: "@2x".to_owned(), ..plain };
        let taken = ["Card@2x.png", "Card@2x (2).png"];
        let name = layer_file_name("Card", &twice, |name| taken.contains(&name));
        assert_eq!(name, "Card@2x (3).png");
    }
}
