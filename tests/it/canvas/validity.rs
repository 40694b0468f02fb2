//! What every document must be: the slow and obvious check.

use std::collections::BTreeSet;

use pentimento::base::Limits;
use pentimento::design::{Document, EffectKind, Node, NodeId, NodeKind};

/// The first thing that is wrong with a document, if anything.
pub(crate) fn validate(document: &Document) -> Result<(), String> {
    faults(document).into_iter().next().map_or(Ok(()), Err)
}

/// Everything that is wrong with a document.
pub(crate) fn faults(document: &Document) -> Vec<String> {
    let mut faults = Faults::default();
    let mut seen: BTreeSet<&NodeId> = BTreeSet::new();
    let mut stack: Vec<(&NodeId, Option<&NodeId>, usize)> =
        document.roots().iter().map(|id| (id, None, 1)).collect();
    while let Some((id, parent, depth)) = stack.pop() {
        let Some(node) = document.get(id) else {
            faults.check(false, id, "is named, but not there");
            continue;
        };
        faults.check(node.id == *id, id, "is kept under another id");
        faults.check(node.parent.as_ref() == parent, id, "names another parent");
        faults.check(depth <= Limits::NODE_DEPTH, id, "lies too deep");
        let may = node.kind.is_container() || matches!(node.kind, NodeKind::Other(_));
        faults.check(may || node.children.is_empty(), id, "cannot have children");
        let is_empty_group = node.kind == NodeKind::Group && node.children.is_empty();
        faults.check(!is_empty_group, id, "is an empty group");
        check_numbers(node, &mut faults);
        let is_new = seen.insert(id);
        faults.check(is_new, id, "has two places");
        if is_new {
            stack.extend(node.children.iter().map(|child| (child, Some(id), depth + 1)));
        }
    }
    if seen.len() != document.len() {
        faults.0.push("some nodes lie nowhere".to_owned());
    }
    faults.0
}

/// What was found wrong so far.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn check(&mut self, is_right: bool, id: &NodeId, what: &str) {
        if !is_right {
            self.0.push(format!("{id} {what}"));
        }
    }
}

fn check_numbers(node: &Node, faults: &mut Faults) {
    const LARGEST: f64 = Limits::COORDINATE;
    let t = node.transform;
    let mut any = vec![t.a, t.b, t.c, t.d, t.e, t.f];
    let mut positive = vec![node.size.width, node.size.height, node.stroke.weight];
    let radii = node.corner_radii;
    positive.extend([radii.top_left, radii.top_right, radii.bottom_left, radii.bottom_right]);
    let mut units = vec![node.opacity, node.corner_smoothing];
    units.extend(node.fills.iter().chain(&node.stroke.paints).map(|paint| paint.opacity));
    for effect in &node.effects {
        if let EffectKind::DropShadow { shadow, .. } | EffectKind::InnerShadow(shadow) =
            &effect.kind
        {
            any.extend([shadow.offset.x, shadow.offset.y, shadow.spread]);
            positive.push(shadow.radius);
            units.extend([shadow.color.r, shadow.color.g, shadow.color.b, shadow.color.a]);
        }
    }
    if let Some(layout) = &node.auto_layout {
        let padding = layout.padding;
        positive.extend([padding.top, padding.right, padding.bottom, padding.left]);
        any.push(layout.item_spacing);
    }
    match &node.kind {
        NodeKind::Star { tips, inner_ratio } => {
            faults.check(*tips >= 3, &node.id, "has too few tips");
            units.push(*inner_ratio);
        }
        NodeKind::RegularPolygon { corners } => {
            faults.check(*corners >= 3, &node.id, "has too few corners");
        }
        NodeKind::Text(text) => {
            positive.push(text.style.font_size);
            any.push(text.style.letter_spacing);
        }
        _ => {}
    }
    faults.check(any.iter().all(|v| v.abs() <= LARGEST), &node.id, "has a coordinate out of range");
    faults.check(
        positive.iter().all(|v| (0.0..=LARGEST).contains(v)),
        &node.id,
        "has an extent out of range",
    );
    faults.check(
        units.iter().all(|v| (0.0..=1.0).contains(v)),
        &node.id,
        "has a share out of range",
    );
    faults.check(t.inverse().is_some(), &node.id, "is flat");
}
