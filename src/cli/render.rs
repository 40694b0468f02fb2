//! `pentimento render`: a design or a drawing as PNG or SVG.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::base::{Limits, parse_json, read_file_limited};
use crate::design::{Document, NodeId, NodeKind, figma};
use crate::environment::{FontSource, add_pictures, pictures_beside, svg_design};
use crate::render::svg::{SvgOptions, TextForm, export_node, export_page};
use crate::render::{Diagnostic, Fonts, RenderContext, RenderOptions, render_node, render_page};

use super::environments::fonts;
use super::output::{note, write_atomic};

/// Draw a design as PNG or SVG
///
/// DESIGN is Figma REST JSON: a file, the answer of the `nodes` endpoint, or a single node; or an SVG. OUT ends in
/// `.png` for pixels, or in `.svg` for shapes. Without --node, the main frame is drawn, or the page if there is none.
/// What cannot be drawn as the file says is listed on stderr.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct RenderArguments {
    /// Figma REST JSON or SVG.
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    /// Where the picture goes; its ending says what it is.
    #[arg(value_name = "OUT.png|OUT.svg")]
    out: PathBuf,
    /// Pixels a unit of a PNG, 0.01 to 16.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = scale)]
    scale: f64,
    /// Draw this node instead, such as `1:23`.
    #[arg(long, value_name = "ID")]
    node: Option<String>,
    /// What texts become in an SVG.
    #[arg(long, value_name = "FORM", default_value = "outlines")]
    text: TextFormArgument,
    /// Which fonts texts are set in: vendored, the same picture on every machine; or machine, also
    /// those of this one. Without it, what PENTIMENTO_FONTS says, or else vendored.
    #[arg(long, value_name = "vendored|machine", value_parser = super::arguments::fonts)]
    fonts: Option<FontSource>,
}

/// What texts become in an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TextFormArgument {
    /// Shapes: the same everywhere.
    Outlines,
    /// Text: to be read and edited, and the same where its fonts are.
    Text,
}

fn scale(text: &str) -> Result<f64, String> {
    let scale: f64 = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if (0.01..=16.0).contains(&scale) {
        Ok(scale)
    } else {
        Err("must be within 0.01 and 16".to_owned())
    }
}

const EXAMPLES: &str = "\
Examples:
  pentimento render design.json design.png
  pentimento render design.json card.png --node 1:23 --scale 2
  pentimento render logo.svg logo.png --scale 4
  pentimento render design.json design.svg --text text";

/// Does the command.
pub(super) fn draw(arguments: &RenderArguments) -> anyhow::Result<()> {
    // Before the design is read: a wrong ending should not cost the time of a large file.
    let format = RenderFormat::from_ending(&arguments.out)?;
    let shown = arguments.design.display();
    let document = open(&arguments.design).with_context(|| format!("cannot open {shown}"))?;
    match format {
        RenderFormat::Png => draw_png(&document, arguments),
        RenderFormat::Svg => write_svg(&document, arguments),
    }
}

/// What the picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RenderFormat {
    Png,
    Svg,
}

impl RenderFormat {
    /// By the ending of the file.
    fn from_ending(path: &Path) -> anyhow::Result<Self> {
        let ending = path.extension().unwrap_or_default();
        if ending.eq_ignore_ascii_case("png") {
            Ok(Self::Png)
        } else if ending.eq_ignore_ascii_case("svg") {
            Ok(Self::Svg)
        } else {
            anyhow::bail!("cannot save {}: its name must end in .png or .svg", path.display())
        }
    }
}

fn draw_png(document: &Document, arguments: &RenderArguments) -> anyhow::Result<()> {
    let options = RenderOptions { scale: arguments.scale, ..RenderOptions::default() };
    let context = context(arguments);
    let rendered = match chosen(document, arguments) {
        Some(id) => render_node(&context, document, &id, options),
        None => render_page(&context, document, options),
    };
    let rendered = rendered.with_context(|| cannot_draw(arguments))?;
    report(&rendered.diagnostics);
    let out = &arguments.out;
    let png = rendered.pixels.to_png();
    write_atomic(out, &png.with_context(|| format!("cannot save {}", out.display()))?)
}

fn write_svg(document: &Document, arguments: &RenderArguments) -> anyhow::Result<()> {
    // Refused rather than ignored: whoever says a scale means to get another file by it.
    if arguments.scale != 1.0 {
        anyhow::bail!("an SVG is the same at every scale: leave out --scale, or save a .png");
    }
    let text = match arguments.text {
        TextFormArgument::Outlines => TextForm::Outlines,
        TextFormArgument::Text => TextForm::Text,
    };
    let options = SvgOptions { text, ..SvgOptions::default() };
    let context = context(arguments);
    let exported = match chosen(document, arguments) {
        Some(id) => export_node(&context, document, &id, options),
        None => export_page(&context, document, options),
    };
    let exported = exported.with_context(|| cannot_draw(arguments))?;
    report(&exported.diagnostics);
    write_atomic(&arguments.out, exported.svg.as_bytes())
}

fn context(arguments: &RenderArguments) -> RenderContext {
    RenderContext::new(Fonts::new(fonts(arguments.fonts)))
}

fn cannot_draw(arguments: &RenderArguments) -> String {
    format!("cannot draw {}", arguments.design.display())
}

fn report(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        note(&format!("warning: node {}: {}", diagnostic.node, diagnostic.message));
    }
}

/// Reads a design with the pictures beside it, or an SVG.
pub(super) fn open(path: &Path) -> anyhow::Result<Document> {
    let bytes = read_file_limited(path, Limits::JSON_BYTES)?;
    // By what it begins with: the name decides nothing.
    if bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).trim_ascii_start().starts_with(b"<") {
        let (document, left_out) = svg_design(&bytes)?;
        for what in left_out {
            note(&format!("warning: left out: {what}"));
        }
        return Ok(document);
    }
    let json: Value = parse_json(&bytes)?;
    let mut loaded = figma::from_json(json)?;
    for warning in &loaded.warnings {
        note(&format!("warning: {warning}"));
    }
    // A design only names its pictures; they lie in a folder beside it.
    let pictures = pictures_beside(path);
    for error in pictures.iter().flat_map(|folder| add_pictures(&mut loaded.document, folder)) {
        note(&format!("warning: {error}"));
    }
    Ok(loaded.document)
}

/// What to draw; `None` for the whole page.
fn chosen(document: &Document, arguments: &RenderArguments) -> Option<NodeId> {
    arguments.node.as_deref().map(NodeId::from).or_else(|| whole_design(document))
}

/// What to draw when no node is named: an exported node itself; of a file, its main frame; `None`,
/// all of it, where there is no frame.
fn whole_design(document: &Document) -> Option<NodeId> {
    if let Some(root) = document.exported_root() {
        return Some(root.id.clone());
    }
    // Without any frame the main node is the first that has a box, which is hardly all of the design.
    let frame = document.main_frame().filter(|node| node.kind == NodeKind::Frame)?;
    let beside = document.page().map_or(0, |page| page.children.len().saturating_sub(1));
    if beside > 0 {
        note(&format!(
            "only the frame {} \"{}\" is drawn, not the {beside} nodes beside it; --node chooses another",
            frame.id, frame.name
        ));
    }
    Some(frame.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_out_of_range_are_refused() {
        for (text, good) in [
            ("1", true),
            ("0.01", true),
            ("16", true),
            ("0", false),
            ("NaN", false),
            ("17", false),
            ("x", false),
        ] {
            assert_eq!(scale(text).is_ok(), good, "{text}");
        }
    }
}
