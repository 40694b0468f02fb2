//! Lists of paints: of fills and of strokes.

use super::common::Common;
use super::takers::takers;
use crate::base::Rgba;
use crate::design::diff::StyleField;
use crate::design::edit::Transaction;
use crate::design::hunk::Field;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind, Paint, PaintKind};
use crate::editor::error::EditorError;

/// A list of paints of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PaintList {
    /// What fills it.
    Fills,
    /// What its outline is painted with.
    Strokes,
}

impl PaintList {
    /// What one of them is called.
    pub fn label(self) -> &'static str {
        match self {
            Self::Fills => "Fill",
            Self::Strokes => "Stroke",
        }
    }

    /// The paints of a node, bottom first.
    pub fn of(self, node: &Node) -> &Vec<Paint> {
        match self {
            Self::Fills => &node.fills,
            Self::Strokes => &node.stroke.paints,
        }
    }

    /// Whether nodes of this kind are painted themselves. Figma's GROUP, SLICE and page are not, and a SECTION has no
    /// outline.
    pub fn takes(self, kind: &NodeKind) -> bool {
        let is_painted = !matches!(
            kind,
            NodeKind::Canvas | NodeKind::Group | NodeKind::Slice | NodeKind::Other(_)
        );
        is_painted && (self == Self::Fills || *kind != NodeKind::Section)
    }

    pub(super) fn of_mut(self, node: &mut Node) -> &mut Vec<Paint> {
        match self {
            Self::Fills => &mut node.fills,
            Self::Strokes => &mut node.stroke.paints,
        }
    }

    pub(super) fn field(self) -> Field {
        Field::Style(match self {
            Self::Fills => StyleField::Fills,
            Self::Strokes => StyleField::Strokes,
        })
    }

    /// Those of the nodes that can have paints.
    pub(super) fn takers(
        self,
        document: &Document,
        nodes: &[NodeId],
    ) -> Result<Vec<NodeId>, EditorError> {
        let takes = |node: &Node| self.takes(&node.kind);
        takers(document, nodes, takes, || {
            format!("nothing that is selected can have a {}", self.label().to_lowercase())
        })
    }
}

/// The paints that these nodes have in common; the fills of a text count with those of its runs.
pub fn paints_of(document: &Document, nodes: &[NodeId], list: PaintList) -> Common<Vec<Paint>> {
    let nodes = nodes.iter().filter_map(|id| document.get(id));
    Common::of(nodes.filter(|node| list.takes(&node.kind)).map(|node| {
        match node.text().filter(|_| list == PaintList::Fills) {
            Some(text) => super::text::style_of(text, &node.fills, |own| own.fills.clone()),
            None => Common::Same(list.of(node).clone()),
        }
    }))
}

/// How opaque a paint is: of a solid one with its colour's own alpha, as people know one number.
pub(super) fn opacity(paint: &Paint) -> f64 {
    paint.solid_color().map_or(paint.opacity, |color| color.a)
}

/// Makes a paint as opaque as that.
pub(super) fn set_opacity(paint: &mut Paint, share: f64) {
    if let PaintKind::Solid(color) = &mut paint.kind {
        *color = color.with_alpha(1.0);
    }
    paint.opacity = share;
}

/// Makes a paint one of this colour; its alpha becomes the paint's opacity.
pub(super) fn set_solid(paint: &mut Paint, color: Rgba) {
    paint.kind = PaintKind::Solid(color.with_alpha(1.0));
    paint.opacity = color.a;
}

/// Changes the paints of a node; those of the runs of a text go.
pub(super) fn edit(
    change: &mut Transaction<'_>,
    id: &NodeId,
    list: PaintList,
    with: impl FnOnce(&mut Vec<Paint>),
) -> Result<(), DocumentError> {
    change.update(id, |node| {
        // What all of its letters have is where the change begins.
        if let Some(text) = node.text().filter(|_| list == PaintList::Fills)
            && let Common::Same(fills) =
                super::text::style_of(text, &node.fills, |own| own.fills.clone())
        {
            node.fills = fills;
        }
        with(list.of_mut(node));
        if list == PaintList::Fills
            && let Some(text) = node.text_mut()
        {
            text.overrides.values_mut().for_each(|own| own.fills = None);
        }
    })
}

/// Puts a paint on top, or in place of all.
pub(super) fn add(
    change: &mut Transaction<'_>,
    id: &NodeId,
    list: PaintList,
    replaces: bool,
) -> Result<(), DocumentError> {
    let kind = change.document().node(id)?.kind.clone();
    edit(change, id, list, |paints| {
        if replaces {
            paints.clear();
        }
        let color = match (list, &kind) {
            // A further one lets what is below show.
            _ if !paints.is_empty() => Rgba::BLACK.with_alpha(0.2),
            (PaintList::Strokes, _) | (PaintList::Fills, NodeKind::Text(_)) => Rgba::BLACK,
            (PaintList::Fills, kind) if kind.is_some_frame() => Rgba::WHITE,
            (PaintList::Fills, _) => Rgba::DEFAULT_SHAPE,
        };
        paints.push(Paint::solid(color));
    })
}

/// Gives the topmost solid fill this colour; a node without one gets it.
pub(super) fn pick(
    change: &mut Transaction<'_>,
    id: &NodeId,
    color: Rgba,
) -> Result<(), DocumentError> {
    edit(change, id, PaintList::Fills, |paints| {
        let mut solid = paints.iter_mut().rev();
        match solid.find(|paint| matches!(paint.kind, PaintKind::Solid(_))) {
            Some(paint) => set_solid(paint, color),
            None => paints.push(Paint::solid(color)),
        }
    })
}
