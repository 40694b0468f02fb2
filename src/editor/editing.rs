//! The design with all that belongs to working on it.

use std::ops::Range;
use std::sync::Arc;

use super::arrange::LastDuplicate;
use super::components::{followed, link_layers};
use super::context::EditorContext;
use super::drafting::Drafting;
use super::edited::{InPlace, TypedText};
use super::error::EditorError;
use super::pointer::{Feedback, Held, shown_path};
use super::selection::Selection;
use super::step::{Author, BurstPart, EditStep};
use super::styles::detached;
use super::tool::Tool;
use super::trail::SelectionTrail;
use super::travelled::Travelled;
use crate::base::Pixels;
use crate::design::edit::{Edit, Transaction};
use crate::design::gesture::{BurstKey, Guide, History};
use crate::design::{Contour, Document, DocumentError, NodeId, NodeKind};

/// A design in somebody's hands.
#[derive(Clone, Debug)]
pub struct Editor {
    document: Document,
    selection: Selection,
    tool: Tool,
    held: Option<Held>,
    in_place: InPlace,
    history: History,
    /// Grows whenever [`Self::shown`] becomes another.
    revision: u64,
    /// How many steps there were.
    steps: u64,
    /// Steps that nobody has taken away to record them.
    news: Vec<EditStep>,
    /// Whether the last step was part of a burst that is over, and nobody was told.
    has_ended_burst: bool,
    /// What was selected around the steps of the history, and whose they are.
    trail: SelectionTrail,
    last_duplicate: LastDuplicate,
    /// What was cut last, if there is a component in it.
    last_cut: Option<Document>,
    /// Where the last undo or redo changed something.
    travelled: Option<Travelled>,
    /// The page that was chosen to be looked at, which may be gone.
    page: Option<NodeId>,
    /// Whether what is dragged is drawn to what lies near.
    snaps: bool,
}

impl Editor {
    /// A design as it is, with nothing done yet.
    pub fn new(document: Document) -> Self {
        Self {
            document,
            selection: Selection::default(),
            tool: Tool::default(),
            held: None,
            in_place: InPlace::default(),
            history: History::new(),
            revision: 1,
            steps: 0,
            news: Vec::new(),
            has_ended_burst: false,
            trail: SelectionTrail::default(),
            last_duplicate: LastDuplicate::default(),
            last_cut: None,
            travelled: None,
            page: None,
            snaps: true,
        }
    }

    /// The same with or without snapping.
    #[must_use]
    pub fn with_snapping(self, snaps: bool) -> Self {
        Self { snaps, ..self }
    }

    /// Whether what is dragged is drawn to what lies near.
    pub fn snaps(&self) -> bool {
        self.snaps
    }

    /// Snaps from now on, or not.
    pub fn set_snapping(&mut self, snaps: bool) {
        self.snaps = snaps;
    }

    /// Adds a picture that paints may name; one of the same name stays.
    pub(super) fn add_image(&mut self, image_ref: &str, pixels: Arc<Pixels>) {
        self.document.add_image(image_ref, pixels);
    }

    /// The design without what is under way.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The design as it is seen: with what is under way.
    pub fn shown(&self) -> &Document {
        self.held.as_ref().and_then(Held::document).unwrap_or(&self.document)
    }

    /// Another number whenever what is seen is another design.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What is selected.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// What is in hand.
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// Whether a gesture is under way.
    pub fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// The lines that what is dragged is drawn to.
    pub fn guides(&self) -> &[Guide] {
        self.feedback().map(|feedback| feedback.guides.as_slice()).unwrap_or_default()
    }

    /// What is drawn over the picture for the gesture under way.
    pub fn feedback(&self) -> Option<&Feedback> {
        self.held.as_ref().map(Held::feedback)
    }

    /// How many steps can be undone, and how many done again.
    pub fn undoable(&self) -> (usize, usize) {
        self.history.len()
    }

    /// Where the last undo or redo changed something, to be brought into view.
    pub fn travelled(&self) -> Option<&Travelled> {
        self.travelled.as_ref()
    }

    /// The page that was chosen to be looked at.
    pub(super) fn chosen_page(&self) -> Option<&NodeId> {
        self.page.as_ref()
    }

    /// Looks at another page.
    pub(super) fn set_page(&mut self, page: Option<NodeId>) {
        self.let_go();
        self.revision += 1;
        self.page = page;
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes away the steps that were made since the last time, to record them.
    pub fn take_steps(&mut self) -> Vec<EditStep> {
        std::mem::take(&mut self.news)
    }

    /// Whether the burst that the last step is part of was ended since the last time, so that it can be recorded.
    pub fn take_ended_burst(&mut self) -> bool {
        std::mem::take(&mut self.has_ended_burst)
    }

    /// Changes the design, as one step; whether anything is different.
    ///
    /// # Errors
    ///
    /// What the document refuses; it is as it was.
    pub(super) fn edit(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        context: &EditorContext<'_>,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<(), DocumentError>,
    ) -> Result<bool, EditorError> {
        self.edit_in_burst(label, nodes, None, context, change)
    }

    /// The same as part of a burst, which is undone at once.
    pub(super) fn edit_in_burst(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        burst: Option<BurstKey>,
        context: &EditorContext<'_>,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<(), DocumentError>,
    ) -> Result<bool, EditorError> {
        self.let_go();
        let mut document = self.document.clone();
        let mut transaction = Transaction::begin(&mut document);
        change(&mut transaction)?;
        link_layers(&self.document, &mut transaction)?;
        let edit = transaction.commit_with(context.measure);
        Ok(self.take_in(label, nodes, edit, burst))
    }

    /// Takes in an edit of the design that was made by hand, as a step of the person; whether anything is different.
    /// What it makes look otherwise uses its shared style no longer.
    pub(super) fn take_in(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        edit: Edit,
        burst: Option<BurstKey>,
    ) -> bool {
        let edit = detached(&self.document, edit);
        self.take_in_by(Author::Person, label, nodes, edit, burst)
    }

    /// The same by whoever it was. What is held is let go: it was worked out from the design before.
    pub fn take_in_by(
        &mut self,
        author: Author,
        label: &str,
        nodes: &[NodeId],
        edit: Edit,
        burst: Option<BurstKey>,
    ) -> bool {
        self.let_go();
        if edit.is_empty() {
            return false;
        }
        let edit = followed(&self.document, edit);
        let before = self.document.clone();
        edit.apply(&mut self.document);
        let has_key = burst.is_some();
        let pushed = self.history.push(edit, burst);
        self.trail.pushed(pushed, author, &self.selection);
        let burst = BurstPart::of(pushed, has_key);
        self.made(author, label, burst, nodes.to_vec(), before);
        true
    }

    /// What is done now is a step of its own for the selection.
    pub(super) fn begin_act(&mut self) {
        self.trail.close();
    }

    /// What an act selects behind its change is there again when that is done again.
    pub(super) fn end_act(&mut self) {
        self.trail.selected(&self.selection);
    }

    /// Takes the last step back.
    pub(super) fn undo(&mut self) {
        self.travel("Undo", History::undo, SelectionTrail::undo);
    }

    /// Does again what was taken back last.
    pub(super) fn redo(&mut self) {
        self.travel("Redo", History::redo, SelectionTrail::redo);
    }

    fn travel(
        &mut self,
        label: &str,
        go: for<'a> fn(&'a mut History, &mut Document) -> Option<&'a Edit>,
        follow: fn(&mut SelectionTrail) -> Option<(Author, Selection)>,
    ) {
        self.let_go();
        let before = self.document.clone();
        let touched = go(&mut self.history, &mut self.document);
        let nodes = touched.map(|edit| edit.touched().cloned().collect::<Vec<NodeId>>());
        let Some(nodes) = nodes else { return };
        let mut author = Author::Person;
        if let Some(followed) = follow(&mut self.trail) {
            (author, self.selection) = followed;
        }
        let travelled = Travelled::of(self.steps + 1, &nodes, [&before, &self.document]);
        self.made(author, label, BurstPart::Alone, nodes, before);
        if travelled.page.is_some() {
            self.page.clone_from(&travelled.page);
        }
        self.travelled = Some(travelled);
    }

    fn made(
        &mut self,
        author: Author,
        label: &str,
        burst: BurstPart,
        nodes: Vec<NodeId>,
        before: Document,
    ) {
        self.selection.keep_existing(&self.document);
        self.revision += 1;
        self.steps += 1;
        // A step of its own says itself that nothing more comes of those before.
        self.has_ended_burst = false;
        let after = self.document.clone();
        let (number, label) = (self.steps, label.to_owned());
        self.news.push(EditStep { number, label, burst, author, nodes, before, after });
    }

    /// Selects.
    pub(super) fn set_selection(&mut self, selection: Selection) {
        self.selection = selection;
    }

    /// The selected nodes that lie in no other selected one.
    pub(super) fn topmost_selected(&self) -> Vec<NodeId> {
        let nodes = &self.selection.nodes;
        let inside =
            |id: &&NodeId| !self.document.ancestors(id).any(|around| nodes.contains(&around.id));
        nodes.iter().filter(inside).cloned().collect()
    }

    /// What comes next is a step of its own.
    pub(super) fn end_burst(&mut self) {
        self.has_ended_burst |= self.history.is_in_burst();
        self.history.end_burst();
    }

    /// What was duplicated last.
    pub(super) fn last_duplicate(&self) -> &LastDuplicate {
        &self.last_duplicate
    }

    /// Remembers what was duplicated.
    pub(super) fn set_last_duplicate(&mut self, last: LastDuplicate) {
        self.last_duplicate = last;
    }

    /// What was cut last, if there is a component in it.
    pub(super) fn last_cut(&self) -> Option<&Document> {
        self.last_cut.as_ref()
    }

    /// Remembers what was cut.
    pub(super) fn set_last_cut(&mut self, cut: Option<Document>) {
        self.last_cut = cut;
    }

    /// Takes in the pictures of another design, but those whose names are taken.
    pub(super) fn add_images_of(&mut self, other: &Document) {
        self.document.add_images_of(other);
    }

    /// Takes hold of something.
    pub(super) fn hold(&mut self, held: Option<Held>) {
        self.end_burst();
        self.let_go();
        self.held = held;
    }

    /// Works with what is held, if anything is.
    pub(super) fn with_held(
        &mut self,
        work: impl FnOnce(&mut Held, &Document) -> Result<(), EditorError>,
    ) -> Result<(), EditorError> {
        let before = self.shown().clone();
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let result = work(&mut held, &self.document);
        self.held = Some(held);
        self.revision += u64::from(!self.shown().shares_nodes_with(&before));
        result
    }

    /// What is held, if anything is.
    pub(super) fn held(&self) -> Option<&Held> {
        self.held.as_ref()
    }

    /// Lets go of what is held.
    pub(super) fn let_go(&mut self) -> Option<Held> {
        let held = self.held.take();
        let is_other = held.as_ref().and_then(Held::document).is_some();
        self.revision += u64::from(is_other);
        held
    }
}

/// What is edited in place, and tools that are put away by themselves.
impl Editor {
    /// What is edited in place.
    pub fn in_place(&self) -> &InPlace {
        &self.in_place
    }

    /// The path that pen or pencil draws, on the page; `None` while they draw none.
    pub fn drawn_path(&self) -> Option<Contour> {
        shown_path(&self.in_place, self.held.as_ref().and_then(Held::drawing))
    }

    /// The design as its picture shows it: without the text that is typed into, which is drawn by the field over it.
    pub fn pictured(&self) -> Document {
        let mut document = self.shown_on_page();
        if let Some(id) = self.in_place.typed() {
            let mut change = Transaction::begin(&mut document);
            // What is not there any more is not drawn either way.
            if change.update(id, |node| node.visible = false).is_ok() {
                change.commit();
            }
        }
        document
    }

    /// The letters that are selected in the text that is typed into, with that text; `None` where that is none of them,
    /// or all.
    pub fn selected_letters(&self) -> Option<(NodeId, Range<usize>)> {
        let InPlace::Text(TypedText { node, selected, .. }) = &self.in_place else { return None };
        let count = self.document.get(node)?.text()?.characters.chars().count();
        let is_part = selected.start < selected.end && selected.end <= count;
        (is_part && selected.len() < count).then(|| (node.clone(), selected.clone()))
    }

    /// The design as its properties are shown: of the text that is typed into only the letters that are selected.
    pub fn inspected(&self) -> Document {
        let mut document = self.shown().clone();
        if let Some((id, range)) = self.selected_letters() {
            let mut change = Transaction::begin(&mut document);
            let done = change.update(&id, |node| {
                if let Some(part) = node.text().and_then(|text| text.excerpt(range)) {
                    node.kind = NodeKind::Text(Box::new(part));
                }
            });
            if done.is_ok() {
                change.commit();
            }
        }
        document
    }

    /// Edits something else in place.
    pub(super) fn set_in_place(&mut self, in_place: InPlace) {
        // The text that is typed into is not in the picture.
        self.revision += u64::from(self.in_place.typed() != in_place.typed());
        self.in_place = in_place;
    }

    /// Takes another tool in hand, without letting go of anything.
    pub(super) fn set_tool(&mut self, tool: Tool) {
        self.tool = tool;
    }
}

impl Drafting for Editor {
    fn document(&self) -> &Document {
        Self::document(self)
    }

    fn tool(&self) -> Tool {
        Self::tool(self)
    }

    fn set_tool(&mut self, tool: Tool) {
        Self::set_tool(self, tool);
    }

    fn in_place(&self) -> &InPlace {
        Self::in_place(self)
    }

    fn set_in_place(&mut self, in_place: InPlace) {
        Self::set_in_place(self, in_place);
    }

    fn set_selection(&mut self, selection: Selection) {
        Self::set_selection(self, selection);
    }

    fn on_page(&self) -> Document {
        Self::on_page(self)
    }

    fn drop_held(&mut self) {
        self.let_go();
    }

    fn set_last_duplicate(&mut self, last: LastDuplicate) {
        Self::set_last_duplicate(self, last);
    }

    fn take_in(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        edit: Edit,
        burst: Option<BurstKey>,
    ) -> bool {
        Self::take_in(self, label, nodes, edit, burst)
    }

    fn edit(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        context: &EditorContext<'_>,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<(), DocumentError>,
    ) -> Result<bool, EditorError> {
        Self::edit(self, label, nodes, context, change)
    }
}
