//! The environment itself: finding the action, checking the values, answering; and what it looks
//! like.

use std::sync::Arc;

use serde_json::Value;

use crate::base::{CancelToken, Limits, Pixels, Size};
use crate::design::{Document, NodeId, ShownPicture};
use crate::environment::{
    DocumentInfo, DocumentPlace, Environment, FailureClass, HandOuts, HandedOut, MultiDocument,
    Picture, PictureRequest, PictureView, Snapshot, ToolCall, ToolOutcome, ToolSpec,
};
use crate::graphictown::Expert;
use crate::render::{
    Diagnostic, RenderContext, RenderError, RenderOptions, render_node, render_page,
};

use super::action::{Scene, act};
use super::action_result::ActionResult;
use super::catalogue::Catalogue;
use super::compat::Compat;
use super::document::SuiteDocument;
use super::failure::{Failure, shorten};
use super::given::{GivenPicture, GivenPictures};
use super::json::state_json;
use super::page::{PageBuilder, PageDesign, Paper};
use super::parameters::CheckedCall;
use super::raster_cache::RasterCache;
use super::read_json::{self, SuiteJsonError};
use super::state::SuiteState;

/// How far from the page's corner a layer may reach, in points.
const MOST_EXTENT: f64 = 1_000_000.0;
/// One program for each expert.
static PROGRAMS: [&str; 3] = [Expert::ALL[0].name(), Expert::ALL[1].name(), Expert::ALL[2].name()];
/// Before the name of a file, in the ids of documents.
const FILE: &str = "file:";

/// Three programs, a shared folder, and the 48 actions over them.
///
/// # Examples
///
/// ```
/// use pentimento_document::base::CancelToken;
/// use pentimento_document::environment::suite::{SuiteEnvironment, SuiteStart};
/// use pentimento_document::environment::{Environment as _, ToolCall};
/// use serde_json::json;
///
/// let mut suite = SuiteEnvironment::new(SuiteStart::default())?;
/// let outcome = suite.call(&ToolCall {
///     id: "1".into(),
///     name: "CreateDocument".into(),
///     arguments: json!({"expert": "Layout Designer", "docType": "postcard"}),
/// }, &CancelToken::default());
/// assert!(!outcome.is_error(), "{}", outcome.text);
/// # Ok::<(), pentimento_document::environment::suite::SuiteJsonError>(())
/// ```
#[derive(Debug)]
pub struct SuiteEnvironment {
    state: SuiteState,
    given: GivenPictures,
    compat: Compat,
    /// The size of the blank page that is shown before there is a document.
    blank: Size,
    raster_cache: Arc<RasterCache>,
}

/// What a suite begins with.
#[derive(Clone, Debug)]
pub struct SuiteStart {
    /// The size of the blank page that is shown before there is a document, in points.
    pub blank: Size,
    /// The pictures that the query hands out.
    pub given: Vec<GivenPicture>,
    /// A state that was written before, as `final.json` has it; `None`: no document is open and the
    /// folder is empty. If it names given pictures, they count instead of `given`.
    pub state: Option<Value>,
    /// How values are taken.
    pub compat: Compat,
    /// What texts are measured and pictures drawn with.
    pub render: RenderContext,
}

impl Default for SuiteStart {
    fn default() -> Self {
        let blank = Size::new(612.0, 792.0);
        Self {
            blank,
            given: Vec::new(),
            state: None,
            compat: Compat::default(),
            render: RenderContext::default(),
        }
    }
}

impl SuiteEnvironment {
    /// A suite with this start.
    pub fn new(start: SuiteStart) -> Result<Self, SuiteJsonError> {
        let given = GivenPictures::new(start.given);
        let (state, given) = match &start.state {
            None => (SuiteState::default(), given),
            Some(json) => {
                let (state, own) = read_json::read(json)?;
                (state, if own.is_empty() { given } else { own })
            }
        };
        // Small enough that it can be drawn at four pixels a point.
        let [width, height] = [start.blank.width, start.blank.height]
            .map(|side| if side.is_finite() { side } else { 1.0 })
            .map(|side| side.clamp(1.0, f64::from(Limits::IMAGE_SIDE) / 4.0));
        let blank = Size::new(width, height);
        let raster_cache = Arc::new(RasterCache::new(start.render));
        Ok(Self { state, given, compat: start.compat, blank, raster_cache })
    }

    /// The state as it stands, with the query's pictures in it: all that a run needs to begin with.
    pub fn to_json(&self) -> Value {
        state_json(&self.state, &self.given)
    }

    /// The names of the files in the shared folder.
    pub fn files(&self) -> Vec<String> {
        self.state.files.iter().map(|file| file.name.clone()).collect()
    }

    /// The open document of this expert as a vector design; `None` if he has none.
    pub fn document(&self, expert: Expert) -> Option<Document> {
        let document = self.state.document(expert)?;
        self.page(document, &id_of(expert), 1.0).ok().map(|page| page.document)
    }

    /// What is shown before there is a document.
    fn blank(&self) -> SuiteDocument {
        SuiteDocument::new("blank", self.blank, None)
    }

    /// The page to be shown at so many pixels a point.
    fn page(
        &self,
        document: &SuiteDocument,
        id: &str,
        scale: f64,
    ) -> Result<PageDesign, RenderError> {
        PageBuilder::new(&self.raster_cache, scale).page(document, id, Paper::White)
    }

    fn do_call(&mut self, call: &ToolCall) -> Result<ActionResult, Failure> {
        let given = CheckedCall::read(&call.name, &call.arguments, self.compat)?;
        let Some(given) = given else {
            return Err(Failure::BadArguments(String::new()));
        };
        // On a copy, which costs a few pointers: a call that fails leaves the state as it was.
        let mut state = self.state.clone();
        let mut scene = Scene {
            state: &mut state,
            pictures: &self.given,
            compat: self.compat,
            render: &self.raster_cache.render,
        };
        let done = act(&mut scene, &given)?;
        // After the action: only then is it known where the layer lies.
        check_extent(&state, &given)?;
        self.state = state;
        Ok(done)
    }

    /// The document of this id: an expert's name, or `file:` and a file's name.
    fn document_of(&self, id: &str) -> Option<(String, &SuiteDocument)> {
        if let Some(name) = id.strip_prefix(FILE) {
            let found = self.state.files.iter().find(|file| file.name == name)?;
            return Some(("0".to_owned(), &found.document));
        }
        let expert = Expert::from_name(id)?;
        self.state.document(expert).map(|document| (id_of(expert), document.as_ref()))
    }

    /// The name of the file that holds all of an open document.
    fn file_of(&self, expert: Expert, document: &SuiteDocument) -> Option<String> {
        // A file from before the last change holds another document.
        let holding = self.state.files.holding(expert, document).filter(|_| document.is_saved);
        holding.map(|file| file.name.clone())
    }

    fn drawn(
        &self,
        document: &SuiteDocument,
        id: &str,
        request: &PictureRequest,
    ) -> Result<Picture, RenderError> {
        // Built for this scale: given drawings are as sharp as they are seen.
        let page = self.page(document, id, request.scale)?;
        let options = RenderOptions { scale: request.scale, ..RenderOptions::default() };
        let rendered = match request.view {
            PictureView::MainFrame => {
                let root = root_of(id);
                render_node(&self.raster_cache.render, &page.document, &root, options)?
            }
            PictureView::Page => render_page(&self.raster_cache.render, &page.document, options)?,
        };
        // What stands in for something first, then what could not be drawn.
        let mut diagnostics = page.diagnostics;
        diagnostics.extend(rendered.diagnostics);
        Ok(Picture { pixels: rendered.pixels, diagnostics })
    }
}

/// The layer that a call was about lies where geometry still has its pixels.
fn check_extent(state: &SuiteState, given: &CheckedCall) -> Result<(), Failure> {
    let Ok(name) = given.layer() else { return Ok(()) };
    let Ok((_, layer)) = state.layer(given.expert, name) else { return Ok(()) };
    // Turned and with its outline's box: a far corner is enough.
    let bounds = layer.bounds();
    let edges = [bounds.x, bounds.y, bounds.right(), bounds.bottom()];
    if edges.iter().all(|edge| edge.abs() <= MOST_EXTENT) {
        return Ok(());
    }
    let name = shorten(name);
    Err(Failure::TooLarge(format!("{name:?} would reach beyond ±{MOST_EXTENT} points")))
}

/// The page among the nodes of these ids.
fn root_of(id: &str) -> NodeId {
    NodeId::new(format!("{id}:0"))
}

/// What the ids of an expert's nodes begin with.
fn id_of(expert: Expert) -> String {
    (expert.index() + 1).to_string()
}

impl Environment for SuiteEnvironment {
    fn tools(&self) -> &[ToolSpec] {
        Catalogue::get().specs()
    }

    fn call(&mut self, call: &ToolCall, _cancel: &CancelToken) -> ToolOutcome {
        // Before the arguments are looked at: a name that nobody knows has no parameters to be wrong.
        if Catalogue::get().find(call.name.trim()).is_none() {
            let name = shorten(&call.name);
            let message = unknown_action(&name);
            return ToolOutcome::failure(&name, FailureClass::UnknownTool, message);
        }
        match self.do_call(call) {
            Ok(done) => done.into_outcome(),
            Err(failure) => {
                ToolOutcome::failure(call.name.trim(), failure.class(), failure.to_string())
            }
        }
    }

    /// The document worked on last; before there is one, a blank page.
    fn picture(&self, request: &PictureRequest) -> Result<Picture, RenderError> {
        if let Some((expert, document)) = self.state.current_document() {
            return self.drawn(document, &id_of(expert), request);
        }
        let mut picture = self.drawn(&self.blank(), "0", request)?;
        // A picture all the same, as a run keeps one of every turn.
        let message = "no document is open yet".to_owned();
        picture.diagnostics.push(Diagnostic { node: "0:0".into(), message });
        Ok(picture)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.state.clone())
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        if let Some(state) = snapshot.get::<SuiteState>() {
            self.state = state.clone();
        }
    }

    fn document_json(&self) -> Value {
        self.to_json()
    }

    /// What [`Self::picture`] shows.
    fn design(&self) -> Option<Document> {
        match self.state.current_document() {
            Some((expert, _)) => self.document(expert),
            None => self.page(&self.blank(), "0", 1.0).ok().map(|page| page.document),
        }
    }

    fn main_frame(&self) -> Option<NodeId> {
        let id = self.state.current_document().map_or("0".to_owned(), |(expert, _)| id_of(expert));
        Some(root_of(&id))
    }

    fn documents(&self) -> Option<&dyn MultiDocument> {
        Some(self)
    }

    fn hand_outs(&self) -> Option<&dyn HandOuts> {
        Some(self)
    }
}

impl MultiDocument for SuiteEnvironment {
    fn programs(&self) -> &'static [&'static str] {
        &PROGRAMS
    }

    fn list(&self) -> Vec<DocumentInfo> {
        let current = self.state.current_document().map(|(expert, _)| expert);
        // In the order of the programs, files after them by name.
        let open = Expert::ALL.into_iter().filter_map(|expert| {
            let document = self.state.document(expert)?;
            Some(DocumentInfo {
                id: expert.name().to_owned(),
                program: expert.name(),
                name: document.title.clone(),
                size: document.size,
                is_current: current == Some(expert),
                place: DocumentPlace::Open {
                    is_saved: document.is_saved,
                    file: self.file_of(expert, document),
                },
            })
        });
        let files = self.state.files.iter().map(|file| DocumentInfo {
            id: format!("{FILE}{}", file.name),
            program: file.expert.name(),
            name: file.name.clone(),
            size: file.document.size,
            is_current: false,
            place: DocumentPlace::File,
        });
        open.chain(files).collect()
    }

    fn picture_of(&self, document: &str, request: &PictureRequest) -> Result<Picture, RenderError> {
        let unknown =
            || RenderError::Empty(format!("there is no document {:?}", shorten(document)));
        let (id, document) = self.document_of(document).ok_or_else(unknown)?;
        self.drawn(document, &id, request)
    }

    fn design_of(&self, document: &str) -> Option<Document> {
        let (id, document) = self.document_of(document)?;
        self.page(document, &id, 1.0).ok().map(|page| page.document)
    }
}

impl HandOuts for SuiteEnvironment {
    fn given(&self) -> Vec<HandedOut> {
        let handed_out = self.given.contents().map(|(content, _)| HandedOut {
            name: content.name.clone(),
            pixels: content.pixels().map(|pixels| Pixels::clone(&pixels)),
        });
        handed_out.collect()
    }

    fn shown_pictures(&self) -> Option<Vec<ShownPicture>> {
        let Some((expert, document)) = self.state.current_document() else {
            return Some(Vec::new());
        };
        self.page(document, &id_of(expert), 1.0).ok().map(|page| page.shown)
    }
}

/// Says that there is no such action, and which it might be.
fn unknown_action(name: &str) -> String {
    // Models write the whole call into the name: `CreateText(title, …)`.
    let known = Catalogue::get().names().find(|known| {
        let begins = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        known.eq_ignore_ascii_case(begins)
    });
    if let Some(known) = known {
        return format!(
            "there is no action {name:?}; the action is named {known:?}, and its values come apart from it"
        );
    }
    let names: Vec<&str> = Catalogue::get().names().collect();
    format!("there is no action {name:?}; the programs have {}", names.join(", "))
}
