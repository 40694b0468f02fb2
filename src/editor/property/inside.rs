//! The colours of what lies in a container, and of a whole design.

use std::collections::BTreeMap;

use super::paints::{PaintList, set_solid};
use crate::base::Rgba;
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, Node, NodeId, Paint};

/// The most colours that are listed of a design.
const MOST: usize = 24;

/// Where a paint is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaintPlace {
    /// Of which node.
    pub node: NodeId,
    /// In which list.
    pub list: PaintList,
    /// Of which run of a text; `None`: of the node itself.
    pub run: Option<u32>,
    /// Its place, from the bottom.
    pub at: usize,
}

impl PaintPlace {
    /// The colour of the solid paint there, with its opacity.
    pub fn color(&self, document: &Document) -> Option<Rgba> {
        let node = document.get(&self.node)?;
        let paints = match self.run {
            None => self.list.of(node),
            Some(run) => node.text()?.overrides.get(&run)?.fills.as_ref()?,
        };
        paints.get(self.at)?.solid_color()
    }
}

/// A colour of what lies in a container.
#[derive(Clone, Debug, PartialEq)]
pub struct InsideColor {
    /// The colour, with its opacity.
    pub color: Rgba,
    /// The paints that have it, in paint order.
    pub places: Vec<PaintPlace>,
}

/// The distinct colours of the solid paints of what lies in these nodes, in paint order; what looks the same in eight
/// bits a channel is one.
pub fn colors_inside(document: &Document, nodes: &[NodeId]) -> Vec<InsideColor> {
    let mut colors: Vec<InsideColor> = Vec::new();
    let mut known: BTreeMap<[u8; 4], usize> = BTreeMap::new();
    for container in nodes {
        // What lies in another selected one was walked with that.
        if document.ancestors(container).any(|around| nodes.contains(&around.id)) {
            continue;
        }
        for node in document.subtree(container).skip(1) {
            for (place, color) in solid_paints(node) {
                let at = *known.entry(color.to_u8()).or_insert(colors.len());
                match colors.get_mut(at) {
                    Some(there) => there.places.push(place),
                    None => colors.push(InsideColor { color, places: vec![place] }),
                }
            }
        }
    }
    colors
}

/// The colours of all solid paints of a design, the most frequent first, at most 24.
pub fn colors_of_document(document: &Document) -> Vec<Rgba> {
    let mut uses: BTreeMap<[u8; 4], usize> = BTreeMap::new();
    for (_, color) in document.iter_depth_first().flat_map(|node| solid_paints(node)) {
        *uses.entry(color.to_u8()).or_default() += 1;
    }
    let mut colors: Vec<([u8; 4], usize)> = uses.into_iter().collect();
    // Stable: of those that are used as often, by their channels.
    colors.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
    colors.into_iter().take(MOST).map(|(color, _)| Rgba::from_u8(color)).collect()
}

fn solid_paints(node: &Node) -> Vec<(PaintPlace, Rgba)> {
    let mut found = Vec::new();
    for list in [PaintList::Fills, PaintList::Strokes] {
        add_solid(&mut found, node, (list, None), list.of(node));
    }
    let runs = node.text().into_iter().flat_map(|text| &text.overrides);
    for (key, own) in runs {
        let fills = own.fills.as_deref().unwrap_or_default();
        add_solid(&mut found, node, (PaintList::Fills, Some(*key)), fills);
    }
    found
}

fn add_solid(
    found: &mut Vec<(PaintPlace, Rgba)>,
    node: &Node,
    (list, run): (PaintList, Option<u32>),
    paints: &[Paint],
) {
    for (at, paint) in paints.iter().enumerate() {
        if let Some(color) = paint.solid_color() {
            found.push((PaintPlace { node: node.id.clone(), list, run, at }, color));
        }
    }
}

/// The nodes of these paints, each once.
pub(super) fn nodes_of(places: &[PaintPlace]) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = places.iter().map(|place| place.node.clone()).collect();
    nodes.sort();
    nodes.dedup();
    nodes
}

/// Gives the paint at a place another colour; one that is not solid any more, or not there, stays.
pub(super) fn recolor(
    change: &mut Transaction<'_>,
    place: &PaintPlace,
    color: Rgba,
) -> Result<(), DocumentError> {
    change.update(&place.node, |node| {
        let paints = match place.run {
            None => Some(place.list.of_mut(node)),
            Some(run) => node
                .text_mut()
                .and_then(|text| text.overrides.get_mut(&run))
                .and_then(|own| own.fills.as_mut()),
        };
        let paint = paints.and_then(|paints| paints.get_mut(place.at));
        if let Some(paint) = paint.filter(|paint| paint.solid_color().is_some()) {
            set_solid(paint, color);
        }
    })
}
