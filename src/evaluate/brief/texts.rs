//! Texts: put in, reworded, in another size.

use std::sync::Arc;

use super::colors::{give_outline, page_color, readable_on, shades, solid};
use super::sheet::{MARGIN, PlacedComponent, Sheet, free_id};
use crate::base::{Affine, Point, Rect, Size};
use crate::design::diff::StyleField;
use crate::design::hunk::{Field, Hunk};
use crate::design::{AutoResize, LineHeight, Node, NodeKind, TextAlign, TextContent};
use crate::evaluate::flaws::{inside, moved};
use crate::graphictown::{WantedSize, WantedText};
use crate::metric::constraint::{TextClass, clauses};

/// Points of a small, a medium, a large and a huge text on a page of [`USUAL_WIDTH`].
const POINTS: [f64; 4] = [26.0, 46.0, 84.0, 124.0];
/// How wide such a page is: the poster of GraphicTown.
const USUAL_WIDTH: f64 = 1296.0;
/// How much smaller and larger the sizes of a page are at most.
const LEAST_SCALE: f64 = 0.4;
const MOST_SCALE: f64 = 1.2;
/// Sizes that people take.
const SIZES: [f64; 30] = [
    8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 28.0, 32.0, 36.0, 40.0,
    44.0, 48.0, 56.0, 64.0, 72.0, 80.0, 96.0, 112.0, 128.0, 144.0, 160.0, 192.0, 224.0, 256.0,
];
/// Of so many sizes a new text is tried in.
const MOST_SIZES: usize = 6;

/// A text that is missing, as a new one: in its wording, size and colour, where it is asked or there is room.
pub(super) fn put_in(sheet: &Sheet<'_>, wanted: &WantedText) -> Vec<Vec<Hunk>> {
    let Some(content) = wanted.content.as_deref().map(unescaped) else { return Vec::new() };
    if content.trim().is_empty() {
        return Vec::new();
    }
    let asked: Vec<_> = wanted.position.as_deref().map(clauses).unwrap_or_default();
    let asked: Vec<_> = asked.iter().filter_map(|clause| clause.as_ref().ok()).collect();
    let id = free_id(sheet.document);
    let family = sheet.parts.iter().find_map(|part| part.node.text());
    let ground = page_color(sheet);
    let asked_color = shades(wanted.color.as_deref()).into_iter().next();
    let color = asked_color.unwrap_or(readable_on(ground));
    let mut candidates = Vec::new();
    for points in sizes_by_nearness(usual_points(sheet, wanted)).into_iter().take(MOST_SIZES) {
        let mut text = TextContent { characters: content.clone(), ..TextContent::default() };
        if let Some(other) = family {
            text.style.font_family.clone_from(&other.style.font_family);
        }
        (text.style.font_size, text.style.align) = (points, TextAlign::Center);
        let size = fitted(sheet, &mut text);
        let mut node = Node::new(id.clone(), wanted.role.as_str(), NodeKind::Text(Box::new(text)));
        (node.size, node.fills) = (size, solid(color));
        // A page that places what is on it keeps to the rest.
        node.layout_item.is_absolute = sheet.page.auto_layout.is_some();
        let mut outlined = node.clone();
        give_outline(&mut outlined, readable_on(color));
        for look in [&node, &outlined] {
            // The best places in this look before the others in another.
            for spot in sheet.spots(size, None, &asked).into_iter().take(12) {
                candidates.extend(inserted(sheet, look, spot).map(|hunk| vec![hunk]));
            }
        }
    }
    candidates
}

fn inserted(sheet: &Sheet<'_>, node: &Node, spot: Point) -> Option<Hunk> {
    let on_page = sheet.document.absolute_transform(&sheet.page.id).ok()?.inverse()?;
    let at = on_page.apply(spot);
    let node = Node { transform: Affine::translate(at.x, at.y), ..node.clone() };
    let parent = sheet.page.kind.is_container().then(|| sheet.page.id.clone())?;
    let index = sheet.page.children.len();
    Hunk::insert(vec![Arc::new(node)], Some(parent), index)
}

/// The size of a new text: as its letters need it, in lines where one is too wide for the page.
fn fitted(sheet: &Sheet<'_>, text: &mut TextContent) -> Size {
    text.style.auto_resize = AutoResize::WidthAndHeight;
    let most = (sheet.frame.width * (1.0 - 2.0 * MARGIN)).max(1.0);
    let natural = sheet.measure.text(text, None).size;
    if natural.width <= most {
        return natural;
    }
    text.style.auto_resize = AutoResize::Height;
    let height = sheet.measure.text(text, Some(most)).size.height;
    Size::new(most, height)
}

/// The points that a text is to have: as asked, or of its class on a page of this width.
fn usual_points(sheet: &Sheet<'_>, wanted: &WantedText) -> f64 {
    let class = match &wanted.size {
        Some(WantedSize::Points(points)) => return points.clamp(1.0, 2_000.0),
        Some(WantedSize::Words(words)) => TextClass::named(words),
        None => None,
    };
    let class = class.unwrap_or(TextClass::Medium);
    let scale = (sheet.frame.width / USUAL_WIDTH).clamp(LEAST_SCALE, MOST_SCALE);
    let usual = POINTS.get(class as usize).copied().unwrap_or(POINTS[1]);
    let [least, most] = class.points();
    (usual * scale).round().clamp(least, most)
}

/// A size, and then those that people take, from the nearest on.
fn sizes_by_nearness(points: f64) -> Vec<f64> {
    let mut sizes = SIZES.to_vec();
    let far = |size: &f64| (size / points.max(1.0)).ln().abs();
    sizes.sort_by(|a, b| far(a).total_cmp(&far(b)));
    std::iter::once(points).chain(sizes).collect()
}

/// A text that says what it should.
pub(super) fn reworded(
    sheet: &Sheet<'_>,
    part: PlacedComponent<'_>,
    wanted: &WantedText,
) -> Vec<Vec<Hunk>> {
    let (Some(content), Some(text)) = (wanted.content.as_deref(), part.node.text()) else {
        return Vec::new();
    };
    let mut after = text.clone();
    after.rewrite(&unescaped(content));
    changed(sheet, part, after, &[Field::Words])
}

/// A text in the points or the class that are asked, from the nearest size on.
pub(super) fn resized(sheet: &Sheet<'_>, wanted: &WantedText) -> Vec<Vec<Hunk>> {
    let part = sheet.part(&wanted.role);
    let Some((part, text)) = part.and_then(|part| Some((part, part.node.text()?))) else {
        return Vec::new();
    };
    let sizes = match &wanted.size {
        Some(WantedSize::Points(points)) => vec![*points],
        _ => sizes_by_nearness(text.style.font_size),
    };
    let sizes = sizes.into_iter().filter(|size| (1.0..=2_000.0).contains(size));
    let candidates = sizes.flat_map(|size| {
        let mut after = text.clone();
        let ratio = size / text.style.font_size.max(0.01);
        after.style.font_size = size;
        let mut fields = vec![Field::Style(StyleField::Font)];
        // Lines of so many pixels would else lie over each other.
        if let LineHeight::Pixels(pixels) = text.style.line_height {
            after.style.line_height = LineHeight::Pixels(pixels * ratio);
            fields.push(Field::Style(StyleField::Paragraph));
        }
        changed(sheet, part, after, &fields)
    });
    candidates.collect()
}

/// A text that becomes another in these fields: where it is, or about the same middle, or moved onto the page.
fn changed(
    sheet: &Sheet<'_>,
    part: PlacedComponent<'_>,
    text: TextContent,
    fields: &[Field],
) -> Vec<Vec<Hunk>> {
    let (document, node) = (sheet.document, part.node);
    let (auto_resize, old) = (text.style.auto_resize, node.size);
    let width = (auto_resize != AutoResize::WidthAndHeight).then_some(old.width);
    let needed = sheet.measure.text(&text, width).size;
    let size = match auto_resize {
        AutoResize::WidthAndHeight => needed,
        AutoResize::Height => Size::new(old.width, needed.height),
        // A fixed box grows with what is in it, and does not shrink.
        AutoResize::None | AutoResize::Truncate => {
            Size::new(old.width.max(needed.width), old.height.max(needed.height))
        }
    };
    let like = Arc::new(Node { kind: NodeKind::Text(Box::new(text)), size, ..Node::clone(node) });
    let hunks = fields.iter().filter_map(|field| Hunk::set(document, &node.id, *field, &like));
    let mut base: Vec<Hunk> = hunks.collect();
    let is_fixed = matches!(auto_resize, AutoResize::None | AutoResize::Truncate);
    if is_fixed && size != old {
        base.extend(Hunk::set(document, &node.id, Field::Size, &like));
    }
    let (dx, dy) = ((old.width - size.width) / 2.0, (old.height - size.height) / 2.0);
    let corner = part.place.origin();
    let corners = [
        Point::new(corner.x + dx, corner.y),
        Point::new(corner.x + dx, corner.y + dy),
        Point::new(corner.x, corner.y + 2.0 * dy),
        Point::new(corner.x + dx, corner.y + 2.0 * dy),
    ];
    let on_page = |corner: Point| {
        let by = inside(Rect::new(corner.x, corner.y, size.width, size.height), sheet.frame)?;
        Some(Point::new(corner.x + by.x, corner.y + by.y))
    };
    let mut candidates = vec![base.clone()];
    for corner in
        corners.into_iter().chain(on_page(corner)).chain(corners.into_iter().filter_map(on_page))
    {
        let by = corner.since(part.place.origin());
        if let Some(hunk) = moved(document, node, by) {
            candidates.push(base.iter().cloned().chain([hunk]).collect());
        }
    }
    candidates
}

/// The words as they are set: some published briefs escape apostrophes and quotes.
fn unescaped(content: &str) -> String {
    content.replace("\\'", "'").replace("\\\"", "\"")
}
