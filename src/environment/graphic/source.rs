//! Reading SVG text that anybody may have written.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use svgtypes::{Length, NumberListParser};
use usvg::roxmltree::{Document, Node, ParsingOptions};
use usvg::{ImageHrefResolver, ImageKind, Options, Tree, fontdb};

use crate::base::{INTER_FILE, Limits, Pixels};
use crate::design::has_boundless_arc;
use crate::render::Fonts;

use super::error::GraphicError;
use super::omitted::Omitted;

/// Most elements of an SVG, each counted as often as `use`, patterns, markers … repeat it.
pub(super) const ELEMENTS: usize = 50_000;
/// Deepest nesting of elements, references followed. What comes after recurses.
pub(super) const NESTING: usize = 60;
/// Most attributes of one element: the reader of XML compares each with all others.
pub(super) const ATTRIBUTES: usize = 1_000;
/// Most elements that markers are drawn with, those of every point counted: each is a group with
/// a clip of its own, of some 30 kB while the SVG is read.
pub(super) const MARKER_ELEMENTS: usize = 20_000;
/// Most times that a rule of style is tried on an element.
const STYLE_TRIES: usize = 20_000_000;
/// Longest side of a graphic.
pub(super) const SIDE: f32 = 100_000.0;

/// Inter, and nothing of the machine: the same SVG gives the same outlines everywhere.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(INTER_FILE.as_slice())));
    fonts.set_serif_family(FAMILY);
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_cursive_family(FAMILY);
    fonts.set_fantasy_family(FAMILY);
    fonts.set_monospace_family(FAMILY);
    Arc::new(fonts)
});

/// The family name in the vendored file.
const FAMILY: &str = "Inter Variable";

/// Inter, and those of these fonts that have letters of an SVG which Inter lacks.
pub(super) fn with_fonts_of(svg: &str, fonts: &Fonts) -> Arc<fontdb::Database> {
    let more = fonts.outlines_for(svg);
    if more.is_empty() {
        return Arc::clone(&FONTS);
    }
    let mut all = fontdb::Database::clone(&FONTS);
    for file in more {
        all.load_font_source(fontdb::Source::Binary(file));
    }
    Arc::new(all)
}

/// Reads an SVG; what it holds and cannot be used is noted.
pub(in crate::environment) fn parse(
    svg: &str,
    omitted: &mut Omitted,
) -> Result<Tree, GraphicError> {
    parse_in(svg, omitted, Arc::clone(&FONTS))
}

/// The same, its texts set in these fonts.
pub(super) fn parse_in(
    svg: &str,
    omitted: &mut Omitted,
    fonts: Arc<fontdb::Database>,
) -> Result<Tree, GraphicError> {
    if svg.len() > Limits::SVG_BYTES {
        return Err(GraphicError::TooLong(svg.len()));
    }
    // Before the reader of XML sees it, which takes the square of their number.
    if most_attributes(svg) > ATTRIBUTES {
        return Err(GraphicError::TooManyAttributes);
    }
    let parsing = ParsingOptions {
        allow_dtd: true,
        nodes_limit: 4 * ELEMENTS as u32,
        ..ParsingOptions::default()
    };
    // Entities are expanded within the limit of nodes: a bomb of them ends there.
    let document = Document::parse_with_options(svg, parsing)?;
    if document.root_element().tag_name().name() != "svg" {
        let name = document.root_element().tag_name().name().chars().take(40).collect();
        return Err(GraphicError::Root(name));
    }
    // Before usvg, which follows references by recursion and copies what they name.
    check_extent(&document)?;
    // Counted here, as usvg passes them over without a word.
    omitted.add("foreign object", count(&document, "foreignObject"));
    omitted.add("animation", count(&document, "animate") + count(&document, "animateTransform"));
    let embedded = Arc::new(Embedded::default());
    let tree = Tree::from_xmltree(&document, &options(&embedded, fonts))?;
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
        // By the bytes, not by what the data URL calls them.
        let kind = match image::guess_format(&data) {
            Ok(image::ImageFormat::Png) if self.is_taken(&data) => Some(ImageKind::PNG(data)),
            Ok(image::ImageFormat::Jpeg) if self.is_taken(&data) => Some(ImageKind::JPEG(data)),
            _ => None,
        };
        kind.or_else(|| self.refuse())
    }

    fn is_taken(&self, data: &[u8]) -> bool {
        let Ok((width, height)) = Pixels::size_of(data) else { return false };
        let pixels = u64::from(width) * u64::from(height);
        // No more than the limit is added at a time, so that the sum cannot wrap.
        let before = self.pixels.fetch_add(pixels.min(PICTURE_PIXELS), Ordering::Relaxed);
        before + pixels <= PICTURE_PIXELS && Pixels::decode(data).is_ok()
    }

    fn refuse(&self) -> Option<ImageKind> {
        self.refused.fetch_add(1, Ordering::Relaxed);
        None
    }
}

fn options(embedded: &Arc<Embedded>, fonts: Arc<fontdb::Database>) -> Options<'static> {
    // Both resolvers count into the same: what is left out is said once for all of them.
    let (data, string) = (Arc::clone(embedded), Arc::clone(embedded));
    Options {
        font_family: FAMILY.to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(move |_, bytes, _| data.take(bytes)),
            resolve_string: Box::new(move |_, _| string.refuse()),
        },
        fontdb: fonts,
        ..Options::default()
    }
}

fn count(document: &Document<'_>, name: &str) -> usize {
    document.descendants().filter(|node| node.tag_name().name() == name).count()
}

/// How much an element is once every reference in it is followed.
#[derive(Clone, Copy, Debug)]
struct ExpandedSize {
    elements: usize,
    nesting: usize,
}

/// Refuses a document that is too large, too deep, or becomes so by `use` of `use` of `use` …
fn check_extent(document: &Document<'_>) -> Result<(), GraphicError> {
    let mut survey = Survey { ids: BTreeMap::new(), known: BTreeMap::new() };
    for node in document.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            // The first of an id counts, as in usvg.
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
    check_arcs(document)?;
    check_markers(document)?;
    check_styles(document)
}

/// Refuses arcs, and rectangles that arcs make round, too large to be read as curves.
fn check_arcs(document: &Document<'_>) -> Result<(), GraphicError> {
    let has_round = document.descendants().any(|node| is_round(&node));
    for node in document.descendants().filter(Node::is_element) {
        let mut sides = ["x", "y", "width", "height", "rx", "ry"]
            .into_iter()
            .filter_map(|side| Length::from_str(node.attribute(side)?).ok());
        // Percentages are of the view box, of whichever element around it has one.
        let mut view_box = NumberListParser::from(node.attribute("viewBox").unwrap_or_default())
            .map_while(Result::ok);
        if node.attribute("d").is_some_and(has_boundless_arc)
            || (is_round(&node) && sides.any(|side| side.number.abs() > Limits::ARC))
            || (has_round && view_box.any(|number| number.abs() > Limits::ARC))
        {
            return Err(GraphicError::Arcs);
        }
    }
    Ok(())
}

fn is_round(node: &Node<'_, '_>) -> bool {
    node.has_attribute("rx") || node.has_attribute("ry")
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
            // As attributes or in `style`; a style sheet may name any of them.
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

/// The most attributes of an element, found without reading the XML: text that is none gives some
/// number. Entities hold elements too.
fn most_attributes(xml: &str) -> usize {
    let mut most = 0;
    let mut rest = xml;
    while let Some((_, tag)) = rest.split_once('<') {
        // What these hold is no tag, whatever it looks like.
        let skipped = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
        if let Some((_, end)) = skipped.into_iter().find(|(start, _)| tag.starts_with(*start)) {
            rest = tag.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        let is_declaration = tag.starts_with('!');
        let (mut attributes, mut end, mut quote) = (0, tag.len(), None);
        for (at, byte) in tag.bytes().enumerate() {
            match (quote, byte) {
                (Some((open, start)), close) if open == close => {
                    if is_declaration {
                        most = most.max(most_attributes(tag.get(start..at).unwrap_or_default()));
                    }
                    quote = None;
                }
                (None, b'"' | b'\'') => quote = Some((byte, at + 1)),
                (None, b'=') => attributes += 1,
                (None, b'>' | b'[') if byte == b'>' || is_declaration => {
                    // The declarations of a document type are looked at one by one.
                    end = at + 1;
                    break;
                }
                (Some(_) | None, _) => {}
            }
        }
        most = most.max(attributes);
        rest = tag.get(end..).unwrap_or_default();
    }
    most
}

/// Refuses markers that would be drawn at too many points: usvg copies them to every point of a
/// path.
fn check_markers(document: &Document<'_>) -> Result<(), GraphicError> {
    let used = used_markers(document);
    let markers = document.descendants().filter(|node| node.tag_name().name() == "marker");
    let drawn = markers.filter(|marker| {
        used.as_ref().is_none_or(|used| marker.attribute("id").is_some_and(|id| used.contains(id)))
    });
    let in_markers: usize = drawn.map(|marker| marker.descendants().count()).sum();
    let points = document.descendants().map(|node| {
        let path = node.attribute("d").map_or(0, numbers);
        // A command may take one number alone; of a polygon's, two are a point.
        path + node.attribute("points").map_or(0, numbers).div_ceil(2)
    });
    if in_markers.saturating_mul(points.sum()) > MARKER_ELEMENTS {
        return Err(GraphicError::Markers);
    }
    Ok(())
}

/// How many numbers path data has, which may stand without a space between them: `1-2.5.5` is three.
fn numbers(data: &str) -> usize {
    let (mut count, mut is_inside, mut has_point, mut is_after_e) = (0, false, false, false);
    for byte in data.bytes() {
        let begins = match byte {
            b'0'..=b'9' => !is_inside,
            b'.' => !is_inside || has_point,
            b'e' | b'E' if is_inside => false,
            b'-' | b'+' if is_after_e => false,
            _ => {
                (is_inside, has_point, is_after_e) = (false, false, false);
                continue;
            }
        };
        count += usize::from(begins);
        is_after_e = matches!(byte, b'e' | b'E');
        // A power of ten has no point: the next one begins another number.
        has_point = byte == b'.' || is_after_e || (has_point && !begins);
        is_inside = true;
    }
    count
}

struct Survey<'a, 'input> {
    ids: BTreeMap<&'a str, Node<'a, 'input>>,
    known: BTreeMap<usize, ExpandedSize>,
}

impl<'a, 'input> Survey<'a, 'input> {
    /// Measures without recursion: the nesting is what is to be bounded.
    fn measure(&mut self, root: Node<'a, 'input>) -> ExpandedSize {
        // An element is summed up when all inside it are: entered once, left once.
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
        self.known.get(&key(root)).copied().unwrap_or(ExpandedSize { elements: 1, nesting: 1 })
    }

    fn sum(&self, node: Node<'a, 'input>) -> ExpandedSize {
        let mut extent = ExpandedSize { elements: 1, nesting: 1 };
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
                // `use`, `textPath`, gradients that inherit: what is named is drawn again.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_and_round_rectangles_without_bounds_are_refused() {
        for (inside, is_refused) in [
            ("<path d='M0 0A5 5 0 0 1 10 10Z'/>", false),
            ("<path d='M0 0L10 0A5 5 0 0 1 0 1e50Z'/>", true),
            ("<rect width='8' height='8' rx='2'/>", false),
            ("<rect width='1e38' height='1e38' rx='9e9mm'/>", true),
            ("<rect width='1e38' height='8'/>", false),
            ("<svg viewBox='0 0 1e38 1e38'><rect width='9' height='9' rx='50%'/></svg>", true),
        ] {
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>{inside}</svg>"
            );
            let parsed = parse(&svg, &mut Omitted::default());
            assert_eq!(matches!(parsed, Err(GraphicError::Arcs)), is_refused, "{inside}");
        }
    }

    #[test]
    fn numbers_are_counted_however_they_are_packed() {
        for (data, expected) in [
            ("", 0),
            ("M1 2L3,4z", 4),
            ("h1h1h1", 3),
            ("1-2.5.5", 3),
            ("1e-3.5-7e2", 3),
            ("..5", 2),
        ] {
            assert_eq!(numbers(data), expected, "{data}");
        }
    }

    #[test]
    fn attributes_are_counted_in_elements_and_entities_only() {
        for (xml, expected) in [
            ("<a/>", 0),
            ("<a b='1' c=\"x='y'>\"><d e='1'/></a>", 2),
            ("<!-- <a b='1' c='2'> --><a b=''/>", 1),
            ("<![CDATA[<a b='1' c='2'>]]><?x y='1' z='2'?><a b=''/>", 1),
            ("<!DOCTYPE svg [<!ENTITY e \"<a b='1' c='2' d='3'/>\">]><svg>&e;</svg>", 3),
            ("<a b='unfinished", 1),
        ] {
            assert_eq!(most_attributes(xml), expected, "{xml}");
        }
    }

    #[test]
    fn what_is_slow_to_read_is_refused_with_the_limit() {
        let attributes: Vec<String> = (0..100_000).map(|n| format!(" a{n}=''")).collect();
        let attributes = attributes.concat();
        let wide = format!("<svg xmlns='http://www.w3.org/2000/svg'{attributes}/>");
        let points = "1,1 ".repeat(49_000);
        let marked = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><marker id='m'><path \
             d='M0 0h1v1'/></marker><polyline points='{points}' marker-mid='url(#m)'/></svg>"
        );
        for (svg, limit) in [(wide, ATTRIBUTES), (marked, MARKER_ELEMENTS)] {
            let error = parse(&svg, &mut Omitted::default()).unwrap_err().to_string();
            assert!(error.contains(&limit.to_string()), "{error}");
        }
    }
}
