//! Pages of a file: which of them is looked at, and what is done with them.
//!
//! Which is looked at is no change of the design, and no step. Everything that looks at the design, and does not change
//! it, looks at [`Editor::on_page`].

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::pointer::named_frames;
use super::selection::Selection;
use crate::base::Point;
use crate::design::edit::Transaction;
use crate::design::gesture::can_be_hit;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};

/// What is done with pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageAct {
    /// Look at this one.
    Show(NodeId),
    /// Look at the one so many behind, or before; at the ends it stays.
    ShowBy(i32),
    /// Put an empty page behind the one that is looked at, and look at that. What lies on no page is put on one first.
    Add,
    /// Take a page out with all that is on it.
    Delete(NodeId),
}

impl Editor {
    /// The page that is looked at; `None` of a design without pages.
    pub fn page(&self) -> Option<NodeId> {
        let pages = self.document().pages();
        let chosen = self.chosen_page().filter(|page| pages.contains(page)).cloned();
        chosen.or_else(|| self.document().page().map(|page| page.id.clone()))
    }

    /// The page that is looked at, if it is not the one with the screen.
    pub fn other_page(&self) -> Option<NodeId> {
        // Asked often, and mostly of a design with one: which holds the screen is told by a walk over all layers.
        if self.document().pages().len() < 2 {
            return None;
        }
        let main = self.document().page()?;
        self.page().filter(|page| *page != main.id)
    }

    /// The design as it is looked at, without what is under way: of several pages the one.
    pub fn on_page(&self) -> Document {
        self.page_of(self.document())
    }

    /// The same with what is under way.
    pub fn shown_on_page(&self) -> Document {
        self.page_of(self.shown())
    }

    /// The topmost frame or section at a place of the page that is looked at, of those that lie on the page itself and
    /// are not locked.
    pub(super) fn frame_at(&self, at: Point) -> Option<NodeId> {
        let seen = self.on_page();
        named_frames(&seen).into_iter().rev().find(|id| {
            let takes = seen.get(id).is_some_and(|node| {
                can_be_hit(node) && matches!(node.kind, NodeKind::Frame | NodeKind::Section)
            });
            takes && seen.absolute_box(id).is_ok_and(|area| area.contains(at))
        })
    }

    /// What is meant where nothing is selected: the screen of the page that is looked at, else that page.
    pub(super) fn ground(&self) -> Option<NodeId> {
        let seen = self.on_page();
        let screen = seen.main_frame().filter(|node| node.kind.is_container());
        screen.or(seen.page()).map(|node| node.id.clone())
    }

    fn page_of(&self, document: &Document) -> Document {
        if document.pages().len() < 2 {
            return document.clone();
        }
        self.page().map_or_else(|| document.clone(), |page| document.with_page_alone(&page))
    }
}

/// Does it.
pub(super) fn page_act(
    editor: &mut Editor,
    act: PageAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        PageAct::Show(page) => show(editor, page),
        PageAct::ShowBy(by) => {
            let pages = editor.document().pages();
            let now = editor.page().and_then(|page| pages.iter().position(|id| *id == page));
            let next = now.and_then(|at| at.checked_add_signed(isize::try_from(by).ok()?));
            match next.and_then(|at| pages.get(at)) {
                Some(page) => show(editor, page.clone()),
                None => Ok(()),
            }
        }
        PageAct::Add => add(editor, context),
        PageAct::Delete(page) => delete(editor, &page, context),
    }
}

fn show(editor: &mut Editor, page: NodeId) -> Result<(), EditorError> {
    if editor.document().node(&page)?.kind != NodeKind::Canvas {
        return Err(EditorError::not_possible("that is no page"));
    }
    if editor.page().as_ref() != Some(&page) {
        editor.set_page(Some(page));
        editor.set_selection(Selection::default());
    }
    Ok(())
}

fn add(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let before = editor.page();
    let mut made = None;
    editor.edit("New page", &[], context, |change| {
        let before = match before {
            Some(page) => page,
            None => on_a_page(change)?,
        };
        let document = change.document();
        let parent = document.node(&before)?.parent.clone();
        let at = document.children_of(parent.as_ref()).position(&before).map(|at| at + 1);
        let (id, name) = (change.new_id(), next_name(change.document()));
        change.insert(Node::new(id.clone(), name, NodeKind::Canvas), parent.as_ref(), at)?;
        made = Some(id);
        Ok(())
    })?;
    made.map_or(Ok(()), |page| show(editor, page))
}

/// Makes a file of a design without pages: all that there is lies on its first page, where it lay. Gives that page.
fn on_a_page(change: &mut Transaction<'_>) -> Result<NodeId, DocumentError> {
    let document = change.document();
    let is_file = |id: &&NodeId| document.get(id).is_some_and(|it| it.kind.is_file_or_page());
    // A file may be without pages, too.
    let there = document.roots().iter().find(is_file).cloned();
    let inside = there.as_ref().map(|file| document.children_of(Some(file)).to_vec());
    let tops: Vec<NodeId> = document
        .roots()
        .iter()
        .filter(|id| !is_file(id))
        .cloned()
        .chain(inside.unwrap_or_default())
        .collect();
    let file = if let Some(file) = there {
        file
    } else {
        let file = change.new_id();
        let kind = NodeKind::Other("DOCUMENT".to_owned());
        change.insert(Node::new(file.clone(), "Document", kind), None, Some(0))?;
        file
    };
    let page = change.new_id();
    change.insert(Node::new(page.clone(), "Page 1", NodeKind::Canvas), Some(&file), None)?;
    for top in &tops {
        change.reparent(top, Some(&page), None)?;
    }
    Ok(page)
}

/// `Page` with the next number that no page has.
fn next_name(document: &Document) -> String {
    let pages = document.pages();
    let numbers = pages.iter().filter_map(|id| {
        let number = document.get(id)?.name.strip_prefix("Page ")?;
        number.parse::<u32>().ok()
    });
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    format!("Page {}", numbers.chain([count]).max().unwrap_or(0).saturating_add(1))
}

fn delete(
    editor: &mut Editor,
    page: &NodeId,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let pages = editor.document().pages();
    let Some(at) = pages.iter().position(|id| id == page) else {
        return Err(EditorError::not_possible("that page is not there"));
    };
    let beside = at.checked_sub(1).or(Some(1)).and_then(|at| pages.get(at)).cloned();
    let Some(beside) = beside else {
        return Err(EditorError::not_possible("a file has at least one page"));
    };
    let is_shown = editor.page().as_ref() == Some(page);
    editor
        .edit("Delete page", std::slice::from_ref(page), context, |change| change.remove(page))?;
    if is_shown { show(editor, beside) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Rect, Size};
    use crate::design::patch::DocumentPatch;
    use crate::design::{NoTexts, Paint, figma};
    use crate::editor::{Act, ArrangeAct, Pointer, PointerAct, PointerKeys, SelectAct, Tool};

    const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

    fn node(id: &str, kind: NodeKind, parent: Option<&str>, x: f64) -> Node {
        let mut node = Node::new(id.into(), id, kind);
        node.parent = parent.map(NodeId::from);
        (node.transform, node.size) = (Affine::translate(x, 0.0), Size::new(100.0, 100.0));
        node.fills = vec![Paint::solid(crate::base::Rgba::BLACK)];
        node
    }

    /// Two pages, with a dot on each at the same place.
    fn file() -> Editor {
        let document = Document::from_nodes([
            node("Page 1", NodeKind::Canvas, None, 0.0),
            node("screen", NodeKind::Frame, Some("Page 1"), 0.0),
            node("dot", NodeKind::Rectangle, Some("screen"), 0.0),
            node("Page 2", NodeKind::Canvas, None, 0.0),
            node("other", NodeKind::Rectangle, Some("Page 2"), 0.0),
        ]);
        Editor::new(document.unwrap())
    }

    fn act(editor: &mut Editor, act: PageAct) -> Result<(), EditorError> {
        editor.act(Act::Page(act), &CONTEXT)
    }

    fn pointer(x: f64, y: f64) -> Pointer {
        let visible = Rect::new(-500.0, -500.0, 1_000.0, 1_000.0);
        Pointer { at: Point::new(x, y), zoom: 1.0, visible, keys: PointerKeys::default() }
    }

    fn page(editor: &Editor) -> String {
        editor.page().unwrap().to_string()
    }

    #[test]
    fn keys_go_through_the_pages_and_stay_at_the_ends() {
        let mut editor = file();
        assert_eq!((page(&editor).as_str(), editor.other_page()), ("Page 1", None));
        for (by, shown) in [(-1, "Page 1"), (1, "Page 2"), (1, "Page 2"), (-1, "Page 1")] {
            act(&mut editor, PageAct::ShowBy(by)).unwrap();
            assert_eq!(page(&editor), shown);
        }
        assert_eq!(editor.steps(), 0, "looking changes nothing");
        assert!(act(&mut editor, PageAct::Show("dot".into())).is_err());
        assert!(act(&mut editor, PageAct::Show("nowhere".into())).is_err());
    }

    #[test]
    fn what_is_on_other_pages_is_neither_hit_nor_selected_nor_drawn_into() {
        let mut editor = file();
        assert_eq!(editor.hovered(pointer(50.0, 50.0)), Some("dot".into()));
        act(&mut editor, PageAct::Show("Page 2".into())).unwrap();
        assert_eq!(editor.hovered(pointer(50.0, 50.0)), Some("other".into()));
        editor.act(Act::Select(SelectAct::Siblings), &CONTEXT).unwrap();
        assert_eq!(editor.selection().nodes, [NodeId::from("other")]);
        editor.act(Act::Take(Tool::Rectangle), &CONTEXT).unwrap();
        editor.act(Act::Pointer(PointerAct::Press(pointer(20.0, 20.0))), &CONTEXT).unwrap();
        editor.act(Act::Pointer(PointerAct::Release(pointer(20.0, 20.0))), &CONTEXT).unwrap();
        let drawn = editor.selection().only().unwrap().clone();
        assert_eq!(editor.document().get(&drawn).unwrap().parent, Some("Page 2".into()));
        // Dragged over where the screen is on the other page, it stays on its own.
        for act in [
            PointerAct::Press(pointer(30.0, 30.0)),
            PointerAct::Move(pointer(40.0, 60.0)),
            PointerAct::Release(pointer(40.0, 60.0)),
        ] {
            editor.act(Act::Pointer(act), &CONTEXT).unwrap();
        }
        assert_eq!(editor.document().get(&drawn).unwrap().parent, Some("Page 2".into()));
    }

    #[test]
    fn pages_are_added_and_deleted_and_undo_leads_to_where_it_changes_something() {
        let mut editor = file();
        let start = editor.document().clone();
        act(&mut editor, PageAct::Add).unwrap();
        let new = editor.page().unwrap();
        assert_eq!(editor.document().pages(), ["Page 1".into(), new.clone(), "Page 2".into()]);
        assert_eq!(editor.document().get(&new).unwrap().name, "Page 3");
        act(&mut editor, PageAct::Delete("Page 2".into())).unwrap();
        assert_eq!(editor.page(), Some(new.clone()));
        act(&mut editor, PageAct::Delete(new)).unwrap();
        assert_eq!(page(&editor), "Page 1");
        let last = act(&mut editor, PageAct::Delete("Page 1".into())).unwrap_err();
        assert_eq!(last.to_string(), "a file has at least one page");
        for _ in 0..3 {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        assert_eq!(*editor.document(), start);
        assert_eq!(page(&editor), "Page 2", "where a page came back with what is on it");
        // What is changed elsewhere is gone to.
        act(&mut editor, PageAct::Show("Page 1".into())).unwrap();
        editor.act(Act::Select(SelectAct::Only(vec!["dot".into()])), &CONTEXT).unwrap();
        editor.act(Act::Arrange(ArrangeAct::Delete), &CONTEXT).unwrap();
        act(&mut editor, PageAct::Show("Page 2".into())).unwrap();
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!(
            (page(&editor).as_str(), editor.selection().only()),
            ("Page 1", Some(&"dot".into()))
        );
    }

    #[test]
    fn a_design_without_pages_shows_all_and_lies_on_the_first_once_there_is_a_second() {
        let tops = [("screen", 7.0), ("note", 300.0)];
        let tops = tops.map(|(id, x)| node(id, NodeKind::Frame, None, x));
        let mut editor = Editor::new(Document::from_nodes(tops).unwrap());
        let start = editor.document().clone();
        assert_eq!((editor.page(), editor.other_page()), (None, None));
        assert_eq!(editor.on_page(), *editor.document());
        act(&mut editor, PageAct::ShowBy(1)).unwrap();
        assert_eq!(editor.steps(), 0);
        act(&mut editor, PageAct::Add).unwrap();
        let document = editor.document();
        let pages = document.pages();
        let names: Vec<&str> =
            pages.iter().map(|id| document.get(id).unwrap().name.as_str()).collect();
        assert_eq!(names, ["Page 1", "Page 2"]);
        assert_eq!(
            (editor.page().as_ref(), editor.other_page().as_ref()),
            (Some(&pages[1]), Some(&pages[1]))
        );
        assert_eq!(document.children_of(Some(&pages[0])), ["screen".into(), "note".into()]);
        assert_eq!(document.main_frame().unwrap().id, "screen".into());
        assert_eq!(document.absolute_box(&"note".into()), start.absolute_box(&"note".into()));
        // One step, written down and made again as any other.
        let patch = DocumentPatch::between(&start, document);
        let mut again = start.clone();
        patch.apply(&start).unwrap().edit.apply(&mut again);
        assert_eq!(again, *document);
        let json = figma::to_json(document);
        assert_eq!(json["document"]["type"], "DOCUMENT");
        let read = figma::from_json(json).unwrap().document;
        assert_eq!(read.pages(), pages);
        assert_eq!(editor.steps(), 1);
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!((editor.document(), editor.page()), (&start, None));
        editor.act(Act::Redo, &CONTEXT).unwrap();
        assert_eq!(editor.document().pages(), pages);
    }
}
