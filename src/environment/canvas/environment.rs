//! The environment itself: finding the tool, checking the arguments, answering.

use std::cell::RefCell;

use serde_json::{Value, json};

use crate::base::{Affine, CancelToken, Limits, Rgba, Size};
use crate::design::edit::{Edit, Transaction};
use crate::design::{Document, Node, NodeId, NodeKind, Paint, figma};
use crate::environment::{
    Environment, FailureClass, Picture, PictureRequest, PictureView, Snapshot, ToolCall,
    ToolOutcome, ToolSpec, check_arguments,
};
use crate::render::{RenderError, RenderOptions, Repainter, all_render_bounds};

use super::hands;
use super::page::Page;
use super::registry::{Handler, Registry};
use super::start::{CanvasSettings, HandTools, MAIN_FRAME_NAME, Start, StartError};
use super::transfer;

/// One vector design and the tools of CANVAS over it.
///
/// # Examples
///
/// ```
/// use pentimento_document::base::{CancelToken, Size};
/// use pentimento_document::environment::canvas::{CanvasEnvironment, CanvasSettings, Start};
/// use pentimento_document::environment::{Environment as _, ToolCall};
/// use serde_json::json;
///
/// let start = Start::Blank(Size::new(393.0, 852.0));
/// let mut canvas = CanvasEnvironment::new(start, CanvasSettings::default())?;
/// let outcome = canvas.call(&ToolCall {
///     id: "1".into(),
///     name: "create_rectangle".into(),
///     arguments: json!({"x": 16, "y": 60, "width": 361, "height": 48, "name": "Search"}),
/// }, &CancelToken::default());
/// assert!(!outcome.is_error(), "{}", outcome.text);
/// # Ok::<(), pentimento_document::environment::canvas::StartError>(())
/// ```
#[derive(Debug)]
pub struct CanvasEnvironment {
    page: Page,
    /// What the last call changed; `None` if it changed nothing.
    last_edit: Option<CanvasEdit>,
    /// Makes pictures from the ones before: a call changes little of them.
    repainter: RefCell<Repainter>,
}

/// What one call changed: the design, and which frame is the screen.
///
/// A call that imports a design makes another frame the screen; undoing only what it did to the
/// design would leave the canvas without the screen it had.
#[derive(Clone, Debug, PartialEq)]
pub struct CanvasEdit {
    design: Edit,
    main_frame_before: NodeId,
    main_frame_after: NodeId,
}

impl CanvasEdit {
    /// What takes this change back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            design: self.design.inverse(),
            main_frame_before: self.main_frame_after.clone(),
            main_frame_after: self.main_frame_before.clone(),
        }
    }

    /// What changed of the design.
    pub fn design(&self) -> &Edit {
        &self.design
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.design.is_empty() && self.main_frame_before == self.main_frame_after
    }
}

/// What a snapshot holds: two shared pointers and an id.
#[derive(Clone, Debug)]
struct CanvasState {
    document: Document,
    main_frame: NodeId,
}

impl CanvasEnvironment {
    /// An environment with `start` on its page.
    pub fn new(start: Start, settings: CanvasSettings) -> Result<Self, StartError> {
        let (document, main_frame) = match start {
            Start::Blank(size) => blank(size)?,
            Start::Design(document) if settings.hands.opens_whole(document.pages().len()) => {
                transfer::as_it_is(document)?
            }
            Start::Design(document) => transfer::onto_page(document, settings.compat)?,
        };
        let page = Page { document, main_frame, settings, last_edit: None };
        Ok(Self { page, last_edit: None, repainter: RefCell::default() })
    }

    /// The design as it is.
    pub fn document(&self) -> &Document {
        &self.page.document
    }

    /// What the last call changed, to be undone with [`Self::apply`] of its inverse; `None` if it
    /// changed nothing, as a failed call does (but see [`Quirk`](super::Quirk)).
    pub fn last_edit(&self) -> Option<&CanvasEdit> {
        self.last_edit.as_ref()
    }

    /// Applies an edit that a call made, or its inverse, to the canvas it was made from or led to.
    pub fn apply(&mut self, edit: &CanvasEdit) {
        edit.design.apply(&mut self.page.document);
        self.page.main_frame.clone_from(&edit.main_frame_after);
        self.last_edit = None;
    }

    /// The frame that the start, or the last import, made the screen; it may have been deleted since.
    /// What is the screen now says [`Environment::main_frame`].
    pub fn start_frame(&self) -> &NodeId {
        &self.page.main_frame
    }

    /// Does the work of a tool, and takes in what it changed.
    fn handled(&mut self, name: &'static str, handler: Handler, call: &ToolCall) -> ToolOutcome {
        // An import makes another frame the screen, which has to be undone with the rest.
        let main_frame_before = self.page.main_frame.clone();
        let replied = handler(&mut self.page, call.arguments.clone());
        // Also after a failure: two quirks report an error for work that is done.
        self.last_edit = self.page.last_edit.take().map(|design| CanvasEdit {
            design,
            main_frame_before,
            main_frame_after: self.page.main_frame.clone(),
        });
        match replied {
            Ok(reply) => ToolOutcome {
                image: reply.image,
                ..ToolOutcome::success(reply.text, reply.structured)
            },
            Err(error) => ToolOutcome::failure(name, error.class(), error.to_string()),
        }
    }

    /// The tool that is in no table ([`hands`]).
    fn call_by_hand(&mut self, call: &ToolCall) -> ToolOutcome {
        match self.page.settings.hands {
            HandTools::Allowed | HandTools::WholeFile => {
                self.handled(hands::APPLY_EDIT, hands::apply_edit, call)
            }
            HandTools::Refused => {
                let class = FailureClass::UnknownTool;
                ToolOutcome::failure(hands::APPLY_EDIT, class, hands::REFUSED.to_owned())
            }
        }
    }
}

/// A page with an empty white screen.
fn blank(size: Size) -> Result<(Document, NodeId), StartError> {
    // What cannot be drawn at scale 1 could never be compared.
    let side = 1.0..=f64::from(Limits::IMAGE_SIDE);
    if !side.contains(&size.width) || !side.contains(&size.height) {
        return Err(StartError::Size { width: size.width, height: size.height });
    }
    let mut document = Document::default();
    let mut change = Transaction::begin(&mut document);
    let id = change.new_id();
    let mut frame = Node::new(id.clone(), MAIN_FRAME_NAME, NodeKind::Frame);
    frame.size = size;
    // At the origin, so that places on the page and on the screen are the same numbers.
    frame.transform = Affine::IDENTITY;
    frame.fills = vec![Paint::solid(Rgba::WHITE)];
    frame.clips_content = true;
    change.insert(frame, None, None)?;
    change.commit();
    Ok((document, id))
}

impl Environment for CanvasEnvironment {
    fn tools(&self) -> &[ToolSpec] {
        Registry::get().specs()
    }

    fn call(&mut self, call: &ToolCall, _cancel: &CancelToken) -> ToolOutcome {
        self.last_edit = None;
        if call.name == hands::APPLY_EDIT {
            return self.call_by_hand(call);
        }
        let Some((spec, handler)) = Registry::get().find(&call.name) else {
            let name: String = call.name.chars().take(80).collect();
            let message = format!("there is no tool \"{name}\"");
            return ToolOutcome::failure(&name, FailureClass::UnknownTool, message);
        };
        // Before the handler: it reads what fits the schema, and fails on nothing else of its form.
        let errors = check_arguments(&spec.schema, &call.arguments);
        if !errors.is_empty() {
            // Several at once, so that a model can mend them in one turn.
            let errors: Vec<String> = errors.iter().take(10).map(ToString::to_string).collect();
            return ToolOutcome::failure(spec.name, FailureClass::BadArguments, errors.join("; "));
        }
        self.handled(spec.name, handler, call)
    }

    fn picture(&self, request: &PictureRequest) -> Result<Picture, RenderError> {
        let (document, render) = (&self.page.document, &self.page.settings.render);
        let options = RenderOptions { scale: request.scale, ..RenderOptions::default() };
        // Taken out while it works: should drawing panic, it is gone and the next picture is whole.
        let mut repainter = self.repainter.take();
        let rendered = match request.view {
            PictureView::Page => repainter.render_page(render, document, options)?,
            PictureView::MainFrame => {
                let screen = self.page.screen();
                let screen =
                    screen.ok_or_else(|| RenderError::Empty("the page has no node".to_owned()))?;
                repainter.render_node(render, document, &screen, options)?
            }
        };
        self.repainter.replace(repainter);
        Ok(Picture { pixels: rendered.pixels, diagnostics: rendered.diagnostics })
    }

    fn main_frame(&self) -> Option<NodeId> {
        self.page.screen()
    }

    fn drop_caches(&mut self) {
        self.repainter.take();
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::new(CanvasState {
            document: self.page.document.clone(),
            main_frame: self.page.main_frame.clone(),
        })
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        if let Some(state) = snapshot.get::<CanvasState>() {
            self.page.document.clone_from(&state.document);
            self.page.main_frame.clone_from(&state.main_frame);
            self.last_edit = None;
        }
    }

    /// `{"document": <main frame>}`, as CANVAS's runner writes its results. If the main frame was
    /// deleted, the first frame on the page; with no frame at all, the page as an empty CANVAS.
    fn document_json(&self) -> Value {
        let frame = self.page.screen();
        let document = &self.page.document;
        // What everything paints, in one walk: the JSON has it for each node.
        let drawn = all_render_bounds(&self.page.settings.render, document);
        let frame = frame.and_then(|id| figma::node_to_json_with(document, &id, &drawn).ok());
        json!({"document": frame.unwrap_or_else(|| transfer::page_json(&self.page))})
    }

    fn design(&self) -> Option<Document> {
        Some(self.page.document.clone())
    }
}
