//! Reading SVG text that anybody may have written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use usvg::roxmltree::{Document, Node, ParsingOptions};
use usvg::{ImageHrefResolver, ImageKind, Options, Tree, fontdb};

use crate::base::{Limits, Pixels};

use super::error::GraphicError;
use super::omitted::Omitted;

/// Most elements of an SVG, each counted as often as `use`, patterns, markers … repeat it.
pub(super) const ELEMENTS: usize = 50_000;
/// Deepest nesting of elements, references followed. What comes after recurses.
pub(super) const NESTING: usize = 60;
/// Most times that a rule of style is tried on an element.
const STYLE_TRIES: usize = 20_000_000;
/// Longest side of a graphic.
pub(super) const SIDE: f32 = 100_000.0;

static INTER: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/InterVariable.ttf"));

/// Inter, and nothing of the machine: the same SVG gives the same outlines everywhere.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(INTER)));
    fonts.set_serif_family(FAMILY);
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_cursive_family(FAMILY);
    fonts.set_fantasy_family(FAMILY);
    fonts.set_monospace_family(FAMILY);
    Arc::new(fonts)
});

/// The family name in the vendored file.
const FAMILY: &str = "Inter Variable";

/// Reads an SVG; what it holds and cannot be used is noted.
pub(in crate::environment) fn parse(
    svg: &str,
    omitted: &mut Omitted,
) -> Result<Tree, GraphicError> {
    if svg.len() > Limits::SVG_BYTES {
        return Err(GraphicError::TooLong(svg.len()));
    }
    let parsing = ParsingOptions {
        allow_dtd: true,
        nodes_limit: 4 * ELEMENTS as u32,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(svg, parsing)?;
    if document.root_element().tag_name().name() != "svg" {
        let name = document.root_element().tag_name().name().chars().take(40).collect();
        return Err(GraphicError::Root(name));
    }
    check_extent(&document)?;
    omitted.add("foreign object", count(&document, "foreignObject"));
    omitted.add("animation", count(&document, "animate") + count(&document, "animateTransform"));
    let embedded = Arc::new(Embedded::default());
    let tree = Tree::from_xmltree(&document, &options(&embedded))?;
    omitted.add("picture", embedded.refused.load(Ordering::Relaxed));
    let (width, height) = (tree.size().width(), tree.size().height());
    if width > SIDE || height > SIDE {
        return Err(GraphicError::TooLarge { width, height });
    }
    Ok(tree)
}

/// Most pixels of all embedded pictures, each counted as often as it is used.
const PICTURE_PIXELS: u64 = 16_000_000;

/// The pictures met while an SVG is read.
#[derive(Debug, Default)]
struct Embedded {
    refused: AtomicUsize,
    pixels: AtomicU64,
}

impl Embedded {
    /// A PNG or JPEG that can be decoded, while there are not too many pixels.
    fn take(&self, data: Arc<Vec<u8>>) -> Option<ImageKind> {
        let kind = match image::guess_format(&data) {
            Ok(image::ImageFormat::Png) if self.is_taken(&data) => Some(ImageKind::PNG(data)),
            Ok(image::ImageFormat::Jpeg) if self.is_taken(&data) => Some(ImageKind::JPEG(data)),
            _ => None,
        };
        kind.or_else(|| self.refuse())
    }

    fn is_taken(&self, data: &[u8]) -> bool {
        let reader = image::ImageReader::new(std::io::Cursor::new(data)).with_guessed_format();
        let size = reader.ok().and_then(|reader| reader.into_dimensions().ok());
        let Some((width, height)) = size else { return false };
        let pixels = u64::from(width) * u64::from(height);
        let before = self.pixels.fetch_add(pixels.min(PICTURE_PIXELS), Ordering::Relaxed);
        before + pixels <= PICTURE_PIXELS && Pixels::decode(data).is_ok()
    }

    fn refuse(&self) -> Option<ImageKind> {
        self.refused.fetch_add(1, Ordering::Relaxed);
        None
    }
}

fn options(embedded: &Arc<Embedded>) -> Options<'static> {
    let (data, string) = (Arc::clone(embedded), Arc::clone(embedded));
    Options {
        font_family: FAMILY.to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(move |_, bytes, _| data.take(bytes)),
            resolve_string: Box::new(move |_, _| string.refuse()),
        },
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    }
}

fn count(document: &Document<'_>, name: &str) -> usize {
    document.descendants().filter(|node| node.tag_name().name() == name).count()
}

/// How much an element is once every reference in it is followed.
#[derive(Clone, Copy, Debug)]
struct Extent {
    elements: usize,
    nesting: usize,
}

/// Refuses a document that is too large, too deep, or becomes so by `use` of `use` of `use` …
fn check_extent(document: &Document<'_>) -> Result<(), GraphicError> {
    let mut survey = Survey { ids: BTreeMap::new(), known: BTreeMap::new() };
    for node in document.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            survey.ids.entry(id).or_insert(node);
        }
    }
    let extent = survey.measure(document.root_element());
    if extent.elements > ELEMENTS {
        return Err(GraphicError::TooManyElements);
    }
    if extent.nesting > NESTING {
        return Err(GraphicError::TooDeep);
    }
    check_markers(document)?;
    check_styles(document)
}

/// The ids of markers that something is drawn with; `None`: any of them may be, by a style sheet.
fn used_markers<'a>(document: &'a Document<'_>) -> Option<BTreeSet<&'a str>> {
    let mut used = BTreeSet::new();
    for node in document.descendants().filter(Node::is_element) {
        if node.tag_name().name() == "style" {
            let mut texts = node.children().filter_map(|child| child.text());
            if texts.any(|text| text.contains("marker")) {
                return None;
            }
        }
        for attribute in node.attributes() {
            let is_said = attribute.name().starts_with("marker")
                || (attribute.name() == "style" && attribute.value().contains("marker"));
            if is_said {
                used.extend(urls(attribute.value()));
            }
        }
    }
    Some(used)
}

/// Refuses style sheets whose every rule would be tried on every element for too long.
fn check_styles(document: &Document<'_>) -> Result<(), GraphicError> {
    let sheets = document.descendants().filter(|node| node.tag_name().name() == "style");
    let texts = sheets.flat_map(|sheet| sheet.children()).filter_map(|child| child.text());
    // A selector ends with a comma or its rule's brace.
    let rules: usize = texts.map(|text| text.matches(['{', ',']).count()).sum();
    let elements = document.descendants().filter(Node::is_element).count();
    if rules.saturating_mul(elements) > STYLE_TRIES {
        return Err(GraphicError::Styles);
    }
    Ok(())
}

/// Refuses markers that would be drawn at too many points: usvg copies them to every point of a
/// path. A point takes at least three bytes of path data.
fn check_markers(document: &Document<'_>) -> Result<(), GraphicError> {
    let used = used_markers(document);
    let markers = document.descendants().filter(|node| node.tag_name().name() == "marker");
    let drawn = markers.filter(|marker| {
        used.as_ref().is_none_or(|used| marker.attribute("id").is_some_and(|id| used.contains(id)))
    });
    let in_markers: usize = drawn.map(|marker| marker.descendants().count()).sum();
    let data = document
        .descendants()
        .filter_map(|node| node.attribute("d").or_else(|| node.attribute("points")).map(str::len));
    let points = data.sum::<usize>() / 3;
    if in_markers.saturating_mul(points) > 4 * ELEMENTS {
        return Err(GraphicError::Markers);
    }
    Ok(())
}

struct Survey<'a, 'input> {
    ids: BTreeMap<&'a str, Node<'a, 'input>>,
    known: BTreeMap<usize, Extent>,
}

impl<'a, 'input> Survey<'a, 'input> {
    /// Measures without recursion: the nesting is what is to be bounded.
    fn measure(&mut self, root: Node<'a, 'input>) -> Extent {
        let mut stack = vec![(root, Visit::Enter)];
        let mut open = BTreeSet::new();
        while let Some((node, visit)) = stack.pop() {
            match visit {
                Visit::Enter if self.known.contains_key(&key(node)) => {}
                // A reference that leads back to itself; usvg cuts it.
                Visit::Enter if !open.insert(key(node)) => {}
                Visit::Enter => {
                    stack.push((node, Visit::Leave));
                    stack.extend(self.inside(node).into_iter().map(|node| (node, Visit::Enter)));
                }
                Visit::Leave => {
                    open.remove(&key(node));
                    let extent = self.sum(node);
                    self.known.insert(key(node), extent);
                }
            }
        }
        self.known.get(&key(root)).copied().unwrap_or(Extent { elements: 1, nesting: 1 })
    }

    fn sum(&self, node: Node<'a, 'input>) -> Extent {
        let mut extent = Extent { elements: 1, nesting: 1 };
        for part in self.inside(node).iter().filter_map(|node| self.known.get(&key(*node))) {
            extent.elements = extent.elements.saturating_add(part.elements);
            extent.nesting = extent.nesting.max(part.nesting.saturating_add(1));
        }
        extent
    }

    /// The elements in a node, and those it repeats.
    fn inside(&self, node: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
        let mut inside: Vec<_> = node.children().filter(Node::is_element).collect();
        for attribute in node.attributes() {
            if attribute.name() == "href" {
                let target = attribute.value().trim().strip_prefix('#');
                inside.extend(target.and_then(|id| self.ids.get(id)));
            }
            inside.extend(urls(attribute.value()).filter_map(|id| self.ids.get(id)));
        }
        inside
    }
}

/// The ids in `url(#id)`: patterns, markers, masks … that an element is drawn with.
fn urls(value: &str) -> impl Iterator<Item = &str> {
    let after = value.split("url(").skip(1);
    after.filter_map(|rest| {
        let (target, _) = rest.split_once(')')?;
        target.trim_matches(['"', '\'', ' ']).strip_prefix('#')
    })
}

/// Which element it is.
fn key(node: Node<'_, '_>) -> usize {
    node.id().get_usize()
}

enum Visit {
    Enter,
    Leave,
}
