//! Colours: of the background, of texts, and so that texts can be read.

use std::sync::Arc;

use super::sheet::{PlacedComponent, Sheet};
use crate::base::Rgba;
use crate::design::diff::StyleField;
use crate::design::hunk::{Field, Hunk};
use crate::design::{Node, Paint, StrokeAlign};
use crate::metric::Lab;
use crate::metric::constraint::{ColorName, contrast_ratio};

/// By how much a colour is made lighter and darker within its name, in L*.
const STEPS: [f64; 4] = [6.0, 12.0, 18.0, 24.0];
/// What covers nearly all of the page is its background.
const WHOLE: f64 = 0.95;
/// The width of an outline that lets letters be read, in font sizes: the check counts those of 0.02 and more.
const OUTLINE: f64 = 0.025;

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];

/// The colour that a brief names, in all its shades; none where it names none.
pub(super) fn shades(name: Option<&str>) -> Vec<[u8; 3]> {
    let Some(Ok(color)) = name.map(ColorName::parse) else { return Vec::new() };
    let lighter = STEPS.iter().flat_map(|step| [*step, -step]).map(|by| {
        let l = (color.middle.l + by).clamp(0.0, 100.0);
        Lab { l, ..color.middle }.to_srgb8()
    });
    let all = std::iter::once(color.rgb()).chain(lighter);
    all.filter(|rgb| color.distance(*rgb) <= color.reach).collect()
}

/// Black or white, whichever can be read on a colour.
pub(super) fn readable_on(ground: [u8; 3]) -> [u8; 3] {
    if contrast_ratio(BLACK, ground) > contrast_ratio(WHITE, ground) { BLACK } else { WHITE }
}

pub(super) fn solid([r, g, b]: [u8; 3]) -> Vec<Paint> {
    vec![Paint::solid(Rgba::from_u8([r, g, b, 255]))]
}

/// The colour that the page is filled with; white where it is not with one.
pub(super) fn page_color(sheet: &Sheet<'_>) -> [u8; 3] {
    let top = sheet.page.fills.iter().rev().find(|paint| paint.visible && paint.opacity > 0.0);
    let color = top.and_then(Paint::solid_color).filter(|color| color.a >= 0.99);
    color.map_or(WHITE, |color| {
        let [r, g, b, _] = color.to_u8();
        [r, g, b]
    })
}

/// The background in its colour: of the page, or of what covers it; alone, or with the texts in theirs.
pub(super) fn background(sheet: &Sheet<'_>) -> Vec<Vec<Hunk>> {
    let mut candidates = Vec::new();
    let grounds = grounds(sheet);
    for rgb in shades(sheet.query.background.as_deref()) {
        let alone: Vec<Hunk> = grounds.iter().filter_map(|node| filled(sheet, node, rgb)).collect();
        for hunk in &alone {
            candidates.push(vec![hunk.clone()]);
            candidates.push(with_texts(sheet, hunk, rgb));
        }
    }
    candidates
}

/// The page, and what covers all of it.
fn grounds<'a>(sheet: &Sheet<'a>) -> Vec<&'a Arc<Node>> {
    let below = sheet.document.subtree(&sheet.page.id);
    let covers = |node: &&Arc<Node>| {
        let place = sheet.document.absolute_box(&node.id).ok();
        let both = place.and_then(|place| place.intersection(sheet.frame));
        node.text().is_none() && both.is_some_and(|both| both.area() >= WHOLE * sheet.frame.area())
    };
    below.filter(covers).collect()
}

/// A background with all texts in the colours that are asked of them, or in one that can be read on it.
fn with_texts(sheet: &Sheet<'_>, ground: &Hunk, rgb: [u8; 3]) -> Vec<Hunk> {
    let texts = sheet.parts.iter().filter_map(|part| {
        let wanted = sheet.wanted_text(part.component)?;
        let color = shades(wanted.color.as_deref()).into_iter().next();
        let color = color.unwrap_or(readable_on(rgb));
        filled(sheet, part.node, color)
    });
    std::iter::once(ground.clone()).chain(texts).collect()
}

/// A text in the colour that is asked: alone, or on the background that is asked.
pub(super) fn of_text(sheet: &Sheet<'_>, component: &str) -> Vec<Vec<Hunk>> {
    let part = sheet.part(component);
    let Some((part, wanted)) = part.zip(sheet.wanted_text(component)) else { return Vec::new() };
    let shades = shades(wanted.color.as_deref());
    let alone = shades.iter().filter_map(|rgb| filled(sheet, part.node, *rgb));
    let mut candidates: Vec<Vec<Hunk>> = alone.map(|hunk| vec![hunk]).collect();
    let outlined = shades.iter().map(|rgb| {
        let fill = filled(sheet, part.node, *rgb);
        fill.into_iter().chain(outlined(sheet, part, readable_on(*rgb))).collect()
    });
    let outlined: Vec<Vec<Hunk>> = outlined.collect();
    candidates.extend(background(sheet));
    candidates.extend(outlined);
    candidates
}

/// A text that can be read: in a shade of what is asked, in black or white where nothing is, with an outline.
pub(super) fn readable(sheet: &Sheet<'_>, component: &str) -> Vec<Vec<Hunk>> {
    let Some(part) = sheet.part(component) else { return Vec::new() };
    let asked = sheet.wanted_text(component).and_then(|text| text.color.as_deref());
    let shades = shades(asked).into_iter().chain([BLACK, WHITE]);
    let filled = shades.filter_map(|rgb| filled(sheet, part.node, rgb)).map(|hunk| vec![hunk]);
    let outlined = [BLACK, WHITE].map(|rgb| outlined(sheet, part, rgb));
    filled.chain(outlined).collect()
}

/// The hunk that fills a node with a colour.
fn filled(sheet: &Sheet<'_>, node: &Node, rgb: [u8; 3]) -> Option<Hunk> {
    let like = Arc::new(Node { fills: solid(rgb), ..node.clone() });
    let fills = Field::Style(StyleField::Fills);
    (like.fills != node.fills).then(|| Hunk::set(sheet.document, &node.id, fills, &like)).flatten()
}

/// The hunks that give letters an outline.
fn outlined(sheet: &Sheet<'_>, part: PlacedComponent<'_>, rgb: [u8; 3]) -> Vec<Hunk> {
    let mut like = Node::clone(part.node);
    give_outline(&mut like, rgb);
    let like = Arc::new(like);
    let fields = [StyleField::Strokes, StyleField::StrokeWeight, StyleField::StrokeForm];
    let hunks =
        fields.map(|field| Hunk::set(sheet.document, &part.node.id, Field::Style(field), &like));
    hunks.into_iter().flatten().collect()
}

/// Gives a text's letters an outline that is as thin as counts.
pub(super) fn give_outline(node: &mut Node, rgb: [u8; 3]) {
    let size = node.text().map_or(0.0, |text| text.style.font_size);
    node.stroke.paints = solid(rgb);
    (node.stroke.weight, node.stroke.sides) = ((size * OUTLINE).max(0.5), None);
    node.stroke.align = StrokeAlign::Outside;
}
