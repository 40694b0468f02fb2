//! Putting nodes in.

use std::collections::{BTreeMap, BTreeSet};

use super::fragment::Fragment;
use crate::base::{Affine, Rect, Vector};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};
use crate::editor::arrange::members::{chosen, select_made};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Where something is put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PastePlace {
    /// Beside what is selected, at the place it was copied from, or in the middle of what is seen.
    #[default]
    Beside,
    /// Its corner over that of what is selected.
    OverSelection,
}

/// Which ids the nodes have that are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Identity {
    /// New ones.
    New,
    /// Components and sets, and what lies in them, the same as before, unless something has it by now: they were cut
    /// here, and their instances name them by it. Everything else new ones.
    SameComponents,
}

/// Puts a fragment in, all of it or nothing, and selects it.
pub(super) fn paste(
    editor: &mut Editor,
    fragment: &Fragment,
    place: PastePlace,
    visible: Option<Rect>,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let (parent, index) = target(editor, fragment, visible);
    let by = match place {
        PastePlace::Beside => beside(editor.document(), parent.as_ref(), fragment, visible),
        PastePlace::OverSelection => over_selection(editor, fragment)?,
    };
    let mut document = editor.document().clone();
    let mut change = Transaction::begin(&mut document);
    let is_cut_here = editor.last_cut() == Some(fragment.document());
    let identity = if is_cut_here { Identity::SameComponents } else { Identity::New };
    let made = insert(&mut change, fragment, identity, (parent.as_ref(), index), by)?;
    let edit = change.commit_with(context.measure);
    // Before the step, so that what is recorded of it has its pictures.
    editor.add_images_of(fragment.document());
    editor.take_in("Paste", &made, edit, None);
    select_made(editor, made);
    Ok(())
}

/// Where it goes: on top of a frame of the page that is selected, unless it is locked, right above anything else that is;
/// else on top of what was entered, else of the frame or the screen that is seen, or the page.
fn target(
    editor: &Editor,
    fragment: &Fragment,
    visible: Option<Rect>,
) -> (Option<NodeId>, Option<usize>) {
    let document = editor.document();
    let topmost = chosen(editor).ok().and_then(|nodes| nodes.last().cloned());
    let Some(topmost) = topmost else {
        let entered = editor.selection().entered.clone();
        return (entered.or_else(|| ground_in_sight(editor, visible)), None);
    };
    let parent = document.get(&topmost).and_then(|node| node.parent.clone());
    // A copy of a frame goes beside it and not into it, but where there is only a screen.
    let is_copied = fragment.nodes().any(|(node, place)| place.is_some() && node.id == topmost);
    let takes = match document.get(&topmost).map(|node| &node.kind) {
        Some(NodeKind::Frame | NodeKind::Section) => {
            let page = document.page_of(&topmost).map(|page| &page.id);
            let is_on_page = page.is_some() && parent.as_ref() == page;
            is_on_page && !is_copied && !document.is_locked(&topmost)
        }
        _ => false,
    };
    let is_screen = parent.is_none() && document.main_frame().is_some_and(|it| it.id == topmost);
    if takes || is_screen {
        return (Some(topmost), None);
    }
    let at = document.children_of(parent.as_ref()).position(&topmost);
    (parent, at.map(|at| at + 1))
}

/// What is meant where nothing is selected: of a page the frame in the middle of what is seen, else its screen if that
/// is seen, else the page. What is locked takes nothing.
fn ground_in_sight(editor: &Editor, visible: Option<Rect>) -> Option<NodeId> {
    let document = editor.document();
    let ground = editor.ground().filter(|id| !document.is_locked(id));
    let page = editor.page();
    let (Some(visible), Some(_)) = (visible, &page) else { return ground.or(page) };
    let is_seen = |id: &NodeId| document.absolute_box(id).is_ok_and(|area| touches(area, visible));
    editor.frame_at(visible.center()).or(ground.filter(is_seen)).or(page)
}

/// How far it is moved: not at all if any of it is seen where it was, else into the middle of what is seen; of a parent
/// that cuts what lies in it, into the middle of that part of it.
fn beside(
    document: &Document,
    parent: Option<&NodeId>,
    fragment: &Fragment,
    visible: Option<Rect>,
) -> Vector {
    let (Some(own), Some(visible)) = (fragment.bounds(), visible) else {
        return Vector::default();
    };
    if fragment.has_place() && touches(own, visible) {
        return Vector::default();
    }
    let cutting = parent.and_then(|id| document.get(id)).filter(|parent| parent.clips_content);
    let cutting = cutting.and_then(|parent| document.absolute_box(&parent.id).ok());
    let room = cutting.map_or(visible, |within| within.intersection(visible).unwrap_or(within));
    let by = room.center().since(own.center());
    // To whole numbers, as people write them.
    Vector { x: (own.x + by.x).round() - own.x, y: (own.y + by.y).round() - own.y }
}

fn touches(a: Rect, b: Rect) -> bool {
    a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom()
}

fn over_selection(editor: &Editor, fragment: &Fragment) -> Result<Vector, EditorError> {
    let document = editor.document();
    let chosen = chosen(editor)?;
    let boxes = chosen.iter().filter_map(|id| document.absolute_box(id).ok());
    let (Some(over), Some(own)) = (Rect::union_all(boxes), fragment.bounds()) else {
        return Ok(Vector::default());
    };
    Ok(over.origin().since(own.origin()))
}

fn insert(
    change: &mut Transaction<'_>,
    fragment: &Fragment,
    identity: Identity,
    (parent, index): (Option<&NodeId>, Option<usize>),
    by: Vector,
) -> Result<Vec<NodeId>, DocumentError> {
    let mut ids: BTreeMap<&NodeId, NodeId> = BTreeMap::new();
    let mut made = Vec::new();
    let mut same: BTreeSet<&NodeId> = BTreeSet::new();
    for (node, place) in fragment.nodes() {
        let is_of_component = matches!(node.kind, NodeKind::Component | NodeKind::ComponentSet)
            || node.parent.as_ref().is_some_and(|parent| same.contains(parent));
        let is_free = change.document().get(&node.id).is_none();
        let id = if identity == Identity::SameComponents && is_of_component && is_free {
            same.insert(&node.id);
            node.id.clone()
        } else {
            change.new_id()
        };
        let copy = Node { id: id.clone(), ..Node::clone(node) };
        let Some(place) = place else {
            let around = node.parent.as_ref().and_then(|parent| ids.get(parent));
            change.insert(copy, around, None)?;
            ids.insert(&node.id, id);
            continue;
        };
        change.insert(copy, parent, index.map(|index| index + made.len()))?;
        let place = Affine { e: place.e + by.x, f: place.f + by.y, ..place };
        change.set_absolute_transform(&id, place)?;
        made.push(id.clone());
        ids.insert(&node.id, id);
    }
    Ok(made)
}
