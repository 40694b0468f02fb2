//! The design with all that belongs to working on it.

use std::sync::Arc;

use super::act::Act;
use super::arrange::arrange;
use super::clipboard::clipboard_act;
use super::components::{component_act, followed};
use super::context::EditorContext;
use super::error::EditorError;
use super::layers::layers_act;
use super::picture::picture_act;
use super::pointer::{Held, pointer_act};
use super::property::property_act;
use super::selection::{Selection, select};
use super::step::{Author, EditStep};
use super::styles::style_act;
use super::tool::Tool;
use super::typing::typing_act;
use crate::base::Pixels;
use crate::design::edit::{Edit, Transaction};
use crate::design::gesture::{BurstKey, Guide, History};
use crate::design::{Document, DocumentError, NodeId};

/// A design in somebody's hands.
#[derive(Clone, Debug)]
pub struct Editor {
    document: Document,
    selection: Selection,
    tool: Tool,
    held: Option<Held>,
    history: History,
    /// Grows whenever [`Self::shown`] becomes another.
    revision: u64,
    /// How many steps there were.
    steps: u64,
    /// Steps that nobody has taken away to record them.
    news: Vec<EditStep>,
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
            history: History::new(),
            revision: 1,
            steps: 0,
            news: Vec::new(),
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
        self.held.as_ref().map(Held::guides).unwrap_or_default()
    }

    /// How many steps can be undone, and how many done again.
    pub fn undoable(&self) -> (usize, usize) {
        self.history.len()
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes away the steps that were made since the last time, to record them.
    pub fn take_steps(&mut self) -> Vec<EditStep> {
        std::mem::take(&mut self.news)
    }

    /// Does something.
    ///
    /// # Errors
    ///
    /// Why it was not done; the design is as it was.
    pub fn act(&mut self, act: Act, context: &EditorContext<'_>) -> Result<(), EditorError> {
        match act {
            Act::Take(tool) => {
                self.let_go();
                self.tool = tool;
                Ok(())
            }
            Act::Pointer(act) => pointer_act(self, act, context),
            Act::Select(act) => {
                select(self, act);
                Ok(())
            }
            Act::Arrange(act) => arrange(self, act, context),
            Act::Clipboard(act) => clipboard_act(self, act, context),
            Act::Property(act) => property_act(self, act, context),
            Act::Layer(act) => layers_act(self, act, context),
            Act::Typing(act) => typing_act(self, act, context),
            Act::Picture(act) => picture_act(self, act, context),
            Act::Component(act) => component_act(self, act, context),
            Act::Style(act) => style_act(self, act, context),
            Act::Undo => {
                self.travel("Undo", History::undo);
                Ok(())
            }
            Act::Redo => {
                self.travel("Redo", History::redo);
                Ok(())
            }
        }
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
        let edit = transaction.commit_with(context.measure);
        Ok(self.take_in(label, nodes, edit, burst))
    }

    /// Takes in an edit of the design, as a step of the person; whether anything is different.
    pub(super) fn take_in(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        edit: Edit,
        burst: Option<BurstKey>,
    ) -> bool {
        self.take_in_by(Author::Person, label, nodes, edit, burst)
    }

    /// The same by whoever it was.
    pub fn take_in_by(
        &mut self,
        author: Author,
        label: &str,
        nodes: &[NodeId],
        edit: Edit,
        burst: Option<BurstKey>,
    ) -> bool {
        if edit.is_empty() {
            return false;
        }
        let edit = followed(&self.document, edit);
        let before = self.document.clone();
        edit.apply(&mut self.document);
        self.history.push(edit, burst);
        self.made(author, label, nodes.to_vec(), before);
        true
    }

    fn travel(
        &mut self,
        label: &str,
        go: for<'a> fn(&'a mut History, &mut Document) -> Option<&'a Edit>,
    ) {
        self.let_go();
        let before = self.document.clone();
        let touched = go(&mut self.history, &mut self.document);
        let Some(nodes) = touched.map(|edit| edit.touched().cloned().collect()) else { return };
        self.made(Author::Person, label, nodes, before);
    }

    fn made(&mut self, author: Author, label: &str, nodes: Vec<NodeId>, before: Document) {
        self.selection.keep_existing(&self.document);
        self.revision += 1;
        self.steps += 1;
        let after = self.document.clone();
        let label = label.to_owned();
        self.news.push(EditStep { number: self.steps, label, author, nodes, before, after });
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

    /// Takes hold of something.
    pub(super) fn hold(&mut self, held: Option<Held>) {
        self.history.end_burst();
        self.held = held;
    }

    /// Works with what is held, if anything is.
    pub(super) fn with_held(
        &mut self,
        work: impl FnOnce(&mut Held, &Document) -> Result<(), EditorError>,
    ) -> Result<(), EditorError> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let result = work(&mut held, &self.document);
        self.held = Some(held);
        self.revision += 1;
        result
    }

    /// Lets go of what is held.
    pub(super) fn let_go(&mut self) -> Option<Held> {
        let held = self.held.take();
        self.revision += u64::from(held.is_some());
        held
    }
}
