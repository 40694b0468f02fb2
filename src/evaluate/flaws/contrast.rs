//! Texts that cannot be told from what is under them: the contrast ratio of WCAG 2.2 (1.4.3).

use std::sync::Arc;

use super::flaw::{Flaw, FlawKind, name};
use super::seen::{Ground, Screen, Seen, shows};

use crate::base::Rgba;
use crate::design::diff::StyleField;
use crate::design::hunk::{Field, Hunk};
use crate::design::{Node, Paint};
use crate::metric::constraint::{LARGE_POINTS, LEAST_CONTRAST, contrast_ratio};

/// In so many steps a colour is led to black or white.
const STEPS: u32 = 64;

pub(super) fn find(screen: &Screen<'_>) -> Vec<Flaw> {
    let items = screen.items.iter().enumerate();
    items.filter_map(|(at, item)| unreadable(screen, at, item)).collect()
}

fn unreadable(screen: &Screen<'_>, at: usize, item: &Seen<'_>) -> Option<Flaw> {
    let (node, text) = (item.node, item.node.text()?);
    // Of letters in several colours no one ratio tells.
    if text.characters.trim().is_empty() || text.overrides.values().any(|it| it.fills.is_some()) {
        return None;
    }
    let mut seen = node.fills.iter().filter(|paint| shows(paint));
    let (paint, None) = (seen.next()?, seen.next()) else { return None };
    let color = paint.solid_color()?;
    let Ground::Color(ground) = screen.under(item.uncut()?, at) else { return None };
    let alpha = color.a * node.opacity * item.opacity_around;
    let [least, least_of_large] = LEAST_CONTRAST;
    let least = if text.style.font_size >= LARGE_POINTS { least_of_large } else { least };
    let ratio = contrast_ratio(over(color, alpha, ground), ground);
    if ratio >= least {
        return None;
    }
    let mended = readable(color, alpha, ground, least)?;
    let like = Arc::new(Node { fills: vec![Paint::solid(mended)], ..Node::clone(node) });
    let fills = Field::Style(StyleField::Fills);
    let hunk = Hunk::set(screen.document, &node.id, fills, &like)?;
    let [r, g, b] = ground;
    let found = format!(
        "{} has a contrast of {ratio:.1} on #{r:02X}{g:02X}{b:02X}; {least:.1} is needed to read it.",
        name(node)
    );
    Some(Flaw { kind: FlawKind::Contrast, node: node.id.clone(), found, hunks: vec![hunk] })
}

/// The nearest colour on the way to black or white that can be read; `None` if none can.
fn readable(color: Rgba, alpha: f64, ground: [u8; 3], least: f64) -> Option<Rgba> {
    (1..=STEPS).find_map(|step| {
        let share = f64::from(step) / f64::from(STEPS);
        [Rgba::BLACK, Rgba::WHITE].into_iter().find_map(|end| {
            let [r, g, b] = [(color.r, end.r), (color.g, end.g), (color.b, end.b)]
                .map(|(from, to)| from + (to - from) * share);
            // As it will be in 8 bits, which is what people type and see.
            let mixed = Rgba::from_u8(Rgba::new(r, g, b, 1.0).to_u8()).with_alpha(color.a);
            (contrast_ratio(over(mixed, alpha, ground), ground) >= least).then_some(mixed)
        })
    })
}

/// A colour of this opacity over an opaque one.
fn over(color: Rgba, alpha: f64, ground: [u8; 3]) -> [u8; 3] {
    let [r, g, b, _] = color.to_u8();
    let mut mixed = [r, g, b];
    for (own, below) in mixed.iter_mut().zip(ground) {
        let value = f64::from(*own) * alpha + f64::from(below) * (1.0 - alpha);
        *own = value.round().clamp(0.0, 255.0) as u8;
    }
    mixed
}
