//! Where people design by hand, with an assistant at the side.

mod assistant;
mod brief;
mod canvas;
mod canvas_desk;
mod clipboard;
mod comments;
mod files;
mod goal;

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{Point, Rect, Size};
use crate::design::{Document, NodeId};
use crate::editor::{Editor, UsedFamily, families_used};
use crate::render::RenderContext;
use crate::run::TaskRef;
use crate::task::DesignBrief;

mod study;
mod suggestions;

pub use files::{DesignFiles, DesignVersion};
pub use goal::DesignGoal;
pub use study::{
    AnswerDraft, NewStudy, OpenedTask, PracticeCheck, PracticeDesk, Sitting, StudyCount, StudyDesk,
    StudyFindings, StudyRoom, StudyStart, TrialDesk, TrialPhase, TrialPlace,
};
pub use suggestions::SuggestionLog;

use super::ids::RunId;
use super::values::{
    AssistGhostKey, DesignInput, DesignPictureKey, DesignSide, DrawnPart, PagePart,
};

pub use assistant::{
    AssistantDesk, AssistantSource, DoneLine, HelpLevel, Highlight, ModelCosts, Offer,
    PendingOffer, Speaker, Talk,
};
pub use brief::{BriefPlan, BriefPlanner, BriefStart, PlanPhase};

pub(in crate::workbench) use assistant::{PastOffer, Playing, WaitingModel, Wish};
pub use canvas::{CanvasSettings, GoalView, LookCommand, NudgeSizes};
pub use canvas_desk::CanvasDesk;
pub use clipboard::{AssistClipboard, CopiedForm, CopyForm};
pub use comments::{Comment, CommentCommand, CommentError, Comments, LONGEST_COMMENT};

/// Pixels a unit of the page in the small pictures of versions.
const VERSION_SCALE: u8 = 1;

/// What the room shows.
#[derive(Clone, Debug, Default)]
pub struct Assist {
    /// The design that is worked on.
    pub desk: Option<Box<AssistDesk>>,
    /// What is being opened.
    pub opening: Option<AssistStart>,
    /// The folder of the run that was worked on when the last session ended.
    pub again: Option<PathBuf>,
    /// Why the last one could not be opened.
    pub problem: Option<String>,
    /// What was copied.
    pub clipboard: AssistClipboard,
    /// How many were opened.
    pub(in crate::workbench) desks: u64,
    /// Studies, and practice.
    pub study: StudyRoom,
    /// The plan of a brief that is made, or was.
    pub plan: Option<BriefPlan>,
}

/// What somebody begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum AssistStart {
    /// A task.
    Task(TaskRef),
    /// An empty frame.
    Blank(Size),
    /// A run, behind this step.
    Run(RunId, u32),
    /// A design in a file.
    File(PathBuf),
    /// A run by hand that was broken off, in its own folder.
    Again(PathBuf),
    /// A brief.
    Brief(BriefStart),
}

/// A design that is worked on.
#[derive(Clone, Debug)]
pub struct AssistDesk {
    /// Its number in this session: the next one that is opened has another.
    pub number: u64,
    /// What it is called.
    pub title: String,
    /// What it began with.
    pub start: AssistStart,
    /// What is to be done, in words.
    pub instruction: Option<String>,
    /// What is to come of it, if that is known.
    pub goal: Option<DesignGoal>,
    /// The brief that was typed for it: its instruction, component by component.
    pub brief: Option<Arc<DesignBrief>>,
    /// The design, its history and what is selected.
    pub editor: Editor,
    /// What it is measured and drawn with.
    pub render: RenderContext,
    /// How many pixels of the picture a unit of the page has, 1..=4.
    pub scale: u8,
    /// The part of a large page that is drawn.
    pub part: Option<PagePart>,
    /// Whether it is kept on disk.
    pub recording: Recording,
    /// What belongs to the canvas.
    pub canvas: CanvasDesk,
    /// Whether the goal shows in place of the design, as its key is held.
    pub holds_goal: bool,
    /// What was said about its nodes.
    pub comments: Comments,
    /// The assistant at the side.
    pub assistant: AssistantDesk,
    /// Its versions, and which of them is looked at.
    pub files: DesignFiles,
}

/// Whether what is done is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Recording {
    /// Nothing was to be kept so far.
    #[default]
    Empty,
    /// All steps up to this one are in this folder.
    Kept {
        /// The last step that is.
        step: u64,
        /// The run's folder.
        dir: PathBuf,
    },
    /// It is not, for this reason.
    Failing(String),
}

impl AssistDesk {
    /// A design that was just opened, of which nothing else is known.
    pub fn new(
        number: u64,
        title: String,
        start: AssistStart,
        editor: Editor,
        render: RenderContext,
    ) -> Self {
        let assistant = AssistantDesk::new(editor.document(), false);
        Self {
            number,
            title,
            start,
            instruction: None,
            goal: None,
            brief: None,
            editor,
            render,
            scale: 1,
            part: None,
            recording: Recording::Empty,
            canvas: CanvasDesk::default(),
            holds_goal: false,
            comments: Comments::default(),
            assistant,
            files: DesignFiles::default(),
        }
    }

    /// The design as it is seen: a version that is looked at, else with what is under way.
    pub fn shown(&self) -> &Document {
        self.files.viewed().map_or(self.editor.shown(), |version| &version.document)
    }

    /// The families of fonts that are missing here: texts in them are drawn in Inter.
    pub fn missing_families(&self) -> Vec<UsedFamily> {
        let mut used = families_used(self.editor.document());
        used.retain(|family| !self.render.fonts().has(&family.name));
        used
    }

    /// The layers that an export is of: those that are selected, or what is looked at where none is.
    pub fn exportable(&self) -> Vec<NodeId> {
        let selected = &self.editor.selection().nodes;
        if !selected.is_empty() {
            return selected.clone();
        }
        self.looked_at().into_iter().collect()
    }

    /// What is meant where nothing is selected: the screen of the page that is looked at, or a page on which there is
    /// none. `None` of a page on which nothing lies.
    pub fn looked_at(&self) -> Option<NodeId> {
        let page = self.editor.on_page();
        let screen = page.main_frame().filter(|screen| !screen.kind.is_file_or_page())?;
        match self.editor.other_page() {
            Some(page) if !screen.kind.is_some_frame() => Some(page),
            _ => Some(screen.id.clone()),
        }
    }

    /// The same as it is looked at: of several pages the one, of a version that with the screen.
    pub fn on_page(&self) -> Document {
        let viewed = self.files.viewed().map(|version| page_with_screen(&version.document));
        viewed.unwrap_or_else(|| self.editor.shown_on_page())
    }

    /// The page that is looked at, if it is not the one with the screen.
    pub fn other_page(&self) -> Option<NodeId> {
        self.editor.other_page().filter(|_| self.files.viewed.is_none())
    }

    /// The box of the screen on its page; of another page that of all that lies on it.
    pub fn screen(&self) -> Rect {
        let document = self.on_page();
        match self.other_page() {
            Some(_) => document.box_of_layers().unwrap_or_default(),
            None => box_of_screen(&document),
        }
    }

    /// The box of what its picture shows: the screen, or of a page on which more lies all of that.
    pub fn area(&self) -> Rect {
        let document = self.on_page();
        if has_screen_alone(&document) {
            box_of_screen(&document)
        } else {
            document.box_of_layers().unwrap_or_default()
        }
    }

    /// Where what is put in goes while this part of the page is seen: the middle of what is seen of the design, else of
    /// the screen.
    pub fn place_to_insert(&self, visible: Option<Rect>) -> Point {
        let seen = visible.and_then(|visible| visible.intersection(self.area()));
        seen.unwrap_or_else(|| self.screen()).center()
    }

    /// Whether more lies on its page than the screen, and all of it is drawn.
    pub fn draws_page(&self) -> bool {
        !has_screen_alone(&self.on_page())
    }

    /// The layers that are to come of it, if they are known: of a goal that is a picture they are not.
    pub fn goal_design(&self) -> Option<&Arc<Document>> {
        self.goal.as_ref()?.design()
    }

    /// The box of the goal's screen on its own page, if there is a goal.
    pub fn goal_screen(&self) -> Option<Rect> {
        let goal = self.goal.as_ref()?.shown();
        goal.absolute_box(&goal.main_frame()?.id).ok()
    }

    /// Which picture shows it as it is.
    pub fn picture_key(&self) -> DesignPictureKey {
        let revision = self.files.revision(self.editor.revision());
        let (desk, side) = (self.number, DesignSide::Work);
        DesignPictureKey { desk, side, revision, scale: self.scale, part: self.part }
    }

    /// Which picture shows what is to come of it, if that is known.
    pub fn goal_picture_key(&self) -> Option<DesignPictureKey> {
        self.goal.as_ref()?;
        let (desk, scale) = (self.number, self.scale);
        Some(DesignPictureKey { desk, side: DesignSide::Goal, revision: 0, scale, part: None })
    }

    /// Which picture shows what would come of the assistant's offer, while that is to be seen.
    pub fn ghost_key(&self) -> Option<AssistGhostKey> {
        let offer = self.assistant.offer.as_ref();
        let offer = offer.filter(|_| !self.assistant.ghost().is_empty())?;
        Some(AssistGhostKey {
            desk: self.number,
            offer: offer.number,
            version: offer.version,
            scale: self.scale,
            part: self.part,
        })
    }

    /// Which pictures show the versions that can be gone to, while one is looked at.
    pub fn version_keys(&self) -> Vec<DesignPictureKey> {
        let shown = self.files.viewed.map_or(0, |_| self.files.versions.len());
        let revisions = (0..shown).map(DesignFiles::revision_of);
        let keys = revisions.map(|revision| DesignPictureKey {
            desk: self.number,
            side: DesignSide::Work,
            revision,
            scale: VERSION_SCALE,
            part: None,
        });
        keys.collect()
    }

    /// What the picture of a key is made of; `None` of what is not seen any more.
    pub(in crate::workbench) fn input_of(&self, key: &DesignPictureKey) -> Option<DesignInput> {
        if *key == self.picture_key() {
            return Some(self.picture_input());
        }
        if Some(*key) == self.goal_picture_key() {
            return self.goal_picture_input();
        }
        let at = self.version_keys().iter().position(|of| of == key)?;
        Some(self.drawing_of(page_with_screen(&self.files.versions.get(at)?.document), None))
    }

    /// What that is made of.
    pub(in crate::workbench) fn picture_input(&self) -> DesignInput {
        let viewed = self.files.viewed().map(|version| page_with_screen(&version.document));
        self.drawing_of(viewed.unwrap_or_else(|| self.editor.pictured()), self.part)
    }

    /// What the picture is made of that shows what would come of the assistant's offer.
    pub(in crate::workbench) fn ghost_input(&self) -> Option<DesignInput> {
        let after = &self.assistant.offer.as_ref()?.after;
        Some(self.drawing_of(page_with_screen(after), self.part))
    }

    fn drawing_of(&self, document: Document, part: Option<PagePart>) -> DesignInput {
        let part = if has_screen_alone(&document) {
            DrawnPart::Screen
        } else {
            part.map_or(DrawnPart::Page, DrawnPart::Part)
        };
        self.design_input(document, part)
    }

    fn design_input(&self, document: Document, part: DrawnPart) -> DesignInput {
        DesignInput { document, part, render: self.render.clone() }
    }

    /// What that of the goal is made of.
    pub(in crate::workbench) fn goal_picture_input(&self) -> Option<DesignInput> {
        Some(self.design_input(Document::clone(self.goal.as_ref()?.shown()), DrawnPart::Screen))
    }
}

/// A design without its pages but the one with the screen.
fn page_with_screen(document: &Document) -> Document {
    let page = document.page().filter(|_| document.pages().len() > 1);
    page.map_or_else(|| document.clone(), |page| document.with_page_alone(&page.id))
}

/// Whether nothing that is shown lies on a page beside the screen.
fn has_screen_alone(document: &Document) -> bool {
    let screen = document.main_frame().filter(|screen| screen.kind.is_some_frame());
    let mut layers = document.top_layers();
    if layers.len() > 1 {
        layers.retain(|id| document.get(id).is_some_and(|node| node.visible));
    }
    screen.is_some_and(|screen| layers == std::slice::from_ref(&screen.id))
}

fn box_of_screen(document: &Document) -> Rect {
    let screen = document.main_frame().and_then(|screen| document.absolute_box(&screen.id).ok());
    screen.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Affine;
    use crate::design::{Node, NodeKind};

    fn layer(id: &str, kind: NodeKind, parent: Option<&str>, x: f64) -> Node {
        let mut node = Node::new(id.into(), id, kind);
        node.parent = parent.map(Into::into);
        (node.transform, node.size) = (Affine::translate(x, 0.0), Size::new(100.0, 50.0));
        node
    }

    const SCREEN: (&str, NodeKind, f64) = ("screen", NodeKind::Frame, 10.0);

    fn desk<const N: usize>(layers: [(&str, NodeKind, f64); N]) -> AssistDesk {
        let page = layer("page", NodeKind::Canvas, None, 0.0);
        let layers = layers.map(|(id, kind, x)| layer(id, kind, Some("page"), x));
        let document = Document::from_nodes(std::iter::once(page).chain(layers)).unwrap();
        let start = AssistStart::Blank(Size::new(100.0, 50.0));
        let editor = Editor::new(document);
        AssistDesk::new(1, "A".to_owned(), start, editor, RenderContext::default())
    }

    #[test]
    fn what_is_hidden_beside_the_screen_is_not_drawn() {
        for (is_noted, part, area) in
            [(false, DrawnPart::Screen, [10.0, 100.0]), (true, DrawnPart::Page, [10.0, 290.0])]
        {
            let screen = layer("screen", NodeKind::Frame, None, 10.0);
            let note = layer("note", NodeKind::Frame, None, 200.0);
            let hidden = Node { visible: false, ..layer("far", NodeKind::Frame, None, 9_000.0) };
            let layers = [Some(screen), is_noted.then_some(note), Some(hidden)];
            let document = Document::from_nodes(layers.into_iter().flatten()).unwrap();
            let editor = Editor::new(document);
            let start = AssistStart::Blank(Size::new(100.0, 50.0));
            let desk = AssistDesk::new(1, "A".to_owned(), start, editor, RenderContext::default());
            assert_eq!(desk.picture_input().part, part);
            assert_eq!([desk.area().x, desk.area().width], area);
        }
    }

    #[test]
    fn a_screen_is_drawn_alone_and_with_all_that_lies_beside_it() {
        let alone = desk([SCREEN]);
        assert_eq!(alone.picture_input().part, DrawnPart::Screen);
        assert_eq!(alone.area(), alone.screen());
        for (kind, x, area) in [
            (NodeKind::Frame, 200.0, Rect::new(10.0, 0.0, 290.0, 50.0)),
            (NodeKind::Rectangle, -50.0, Rect::new(-50.0, 0.0, 160.0, 50.0)),
        ] {
            let desk = desk([SCREEN, ("beside", kind, x)]);
            assert_eq!(desk.picture_input().part, DrawnPart::Page);
            assert_eq!(desk.area(), area);
            assert_eq!(desk.screen(), Rect::new(10.0, 0.0, 100.0, 50.0));
        }
        // Of a page that is too large the part that is seen, of a screen alone never less than all of it.
        let part = PagePart::around(Rect::new(-0.5, 0.0, 40.2, 30.0));
        assert_eq!(part.area(), Rect::new(-1.0, 0.0, 41.0, 30.0));
        let beside = ("beside", NodeKind::Frame, 200.0);
        let mut both = desk([SCREEN, beside]);
        let mut alone = desk([SCREEN]);
        (both.part, alone.part) = (Some(part), Some(part));
        assert_eq!(both.picture_input().part, DrawnPart::Part(part));
        assert_eq!(alone.picture_input().part, DrawnPart::Screen);
        // Shapes without a frame, and nothing.
        let loose = desk([("dot", NodeKind::Rectangle, 0.0)]);
        assert_eq!(loose.picture_input().part, DrawnPart::Page);
        assert_eq!(desk([]).area(), Rect::default());
    }
}
