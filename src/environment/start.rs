//! What an environment begins with, and how one is made of it by name.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::base::{CancelToken, Size};
use crate::design::figma::{self, FigmaError};
use crate::render::{FontSource, Fonts, RenderContext};

use super::Environment;
use super::begun::{BegunCall, BegunStart, BegunStartError, has_calls};
use super::canvas::{self, CanvasEnvironment, CanvasSettings, HandTools};
use super::compat::Compat;
use super::design_pictures::add_pictures;
use super::kind::EnvironmentKind;
use super::page::{BrowserSearch, Chromium, PageEnvironment, PageError};
use super::suite::{self, GivenPicture, SuiteEnvironment, SuiteJsonError, SuiteStart};

/// Size of the main frame where neither the task nor a picture says one: the published fallback
/// (kixlab/canvas, `intializeMainScreenFrame`).
pub const FALLBACK_CANVAS: Size = Size::new(393.0, 852.0);

/// The state of an environment before the first call.
#[derive(Clone, Debug, PartialEq)]
pub struct StartState {
    /// Which environment.
    pub environment: EnvironmentKind,
    /// The size of the main frame, in canvas units.
    pub canvas_size: Size,
    /// What the canvas holds, as Figma JSON; `None`: an empty frame. Where calls were made before the run's
    /// first, it holds those too ([`BegunStart`]).
    pub document: Option<Value>,
    /// The folder with the pictures that the document's image paints name, if there is one; what it
    /// has not is drawn as a placeholder.
    pub pictures: Option<PathBuf>,
    /// The pictures that the task hands out, for an environment that imports pictures.
    pub given: Vec<GivenPicture>,
    /// Whose behaviour the tools follow, by its name ([`Compat::name`]); `None`: as documented.
    pub compat: Option<String>,
    /// Which fonts texts are set in.
    pub fonts: FontSource,
    /// Whether the canvas has the tool for what people do by hand.
    pub hands: HandTools,
}

/// The setting of a run that says which fonts texts were set in, by [`FontSource::name`].
pub const FONTS_SETTING: &str = "fonts";

/// The setting of a run that was made by hand: its canvas has the tool for that
/// ([`HandTools::setting`]).
pub const HANDS_SETTING: &str = "hands";

/// Why an environment cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// This program has no such environment.
    #[error(
        "there is no environment named {0:?}; this version has \"canvas\", \"suite\" and \"page\""
    )]
    UnknownEnvironment(String),
    /// This program does not know this behaviour.
    #[error(
        "the run asks for compat {0:?}, which this version does not know; it knows \"documented\", \
         for the canvas \"canvas-2026-01\" and for the suite \"graphicbench\""
    )]
    UnknownCompat(String),
    /// This program does not know these fonts.
    #[error("the run asks for fonts {0}; this version knows \"vendored\" and \"machine\"")]
    UnknownFonts(String),
    /// The run that another goes on with is not said as it should be.
    #[error("the run asks to go on with {0}, which names no run and step")]
    UnknownStartRun(String),
    /// The calls that come before the first cannot be read.
    #[error(transparent)]
    Begun(#[from] BegunStartError),
    /// This behaviour is about other tools.
    #[error(
        "the run asks for compat {compat:?}, which is about the tools of the environment {of}; the \
         environment {environment} knows {}",
        known(environment)
    )]
    CompatOfAnother {
        /// Its name.
        compat: String,
        /// Whose tools it is about.
        of: EnvironmentKind,
        /// Where it was asked for.
        environment: EnvironmentKind,
    },
    /// The start document is not a design.
    #[error("the start document cannot be used: {0}")]
    Document(#[from] FigmaError),
    /// The canvas refuses the design or the size.
    #[error("the canvas cannot be set up: {0}")]
    Canvas(#[from] canvas::StartError),
    /// Pages cannot be drawn here.
    #[error("pages cannot be drawn: {0}")]
    Page(#[from] PageError),
    /// The start document is no state of the suite.
    #[error("the suite cannot be set up: {0}")]
    Suite(#[from] SuiteJsonError),
}

impl StartError {
    /// An environment does not know a behaviour of this name.
    fn refused_compat(name: &str, environment: EnvironmentKind) -> Self {
        let compat = name.chars().take(80).collect();
        match Compat::from_name(name).and_then(Compat::environment) {
            Some(of) => Self::CompatOfAnother { compat, of, environment },
            None => Self::UnknownCompat(compat),
        }
    }
}

/// Makes an environment of a start state. Tests give their own; the program gives
/// [`Environments::open`].
pub type OpenEnvironment =
    dyn Fn(&StartState) -> Result<Box<dyn Environment>, StartError> + Send + Sync;

/// Makes environments, with what they share: what they draw with, and where their browser is found.
#[derive(Clone, Debug, Default)]
pub struct Environments {
    vendored: RenderContext,
    /// Made when something first asks for the fonts of this machine.
    machine: Arc<OnceLock<RenderContext>>,
    browser: BrowserSearch,
}

impl Environments {
    /// Environments with nothing drawn yet, and the vendored fonts unless a start asks for others.
    pub fn new(browser: BrowserSearch) -> Self {
        Self { browser, ..Self::default() }
    }

    /// Makes the environment that `start` names, with the calls made that it begins with.
    pub fn open(&self, start: &StartState) -> Result<Box<dyn Environment>, StartError> {
        open_begun(start, |start| self.open_own(start))
    }

    /// The same of a start of the environment's own.
    fn open_own(&self, start: &StartState) -> Result<Box<dyn Environment>, StartError> {
        match &start.environment {
            EnvironmentKind::Canvas => Ok(Box::new(self.open_canvas(start)?)),
            EnvironmentKind::Page => {
                // Looked for only when a page is opened: most runs need none.
                let browser = Arc::new(Chromium::find(&self.browser)?);
                Ok(Box::new(PageEnvironment::new(browser, start.canvas_size)?))
            }
            EnvironmentKind::Suite => Ok(Box::new(open_suite(start, self.render(start.fonts))?)),
            EnvironmentKind::Unknown(name) => {
                Err(StartError::UnknownEnvironment(name.chars().take(80).collect()))
            }
        }
    }

    /// [`Self::open`] on its own, to be handed on.
    pub fn opener(
        &self,
    ) -> impl Fn(&StartState) -> Result<Box<dyn Environment>, StartError> + Send + Sync + use<>
    {
        let environments = self.clone();
        move |start| environments.open(start)
    }

    /// What is drawn with, in these fonts.
    pub fn render(&self, fonts: FontSource) -> &RenderContext {
        match fonts {
            FontSource::Vendored => &self.vendored,
            FontSource::Machine => {
                // The fonts of a machine are hundreds of files, which few runs ask for.
                self.machine.get_or_init(|| RenderContext::new(Fonts::new(FontSource::Machine)))
            }
        }
    }

    fn open_canvas(&self, start: &StartState) -> Result<CanvasEnvironment, StartError> {
        let state = match &start.document {
            None => canvas::Start::Blank(start.canvas_size),
            Some(json) => {
                let mut document = figma::from_json(json.clone())?.document;
                // A picture that cannot be used is missing; the renderer says so of each.
                start.pictures.iter().for_each(|folder| drop(add_pictures(&mut document, folder)));
                canvas::Start::Design(document)
            }
        };
        let settings = CanvasSettings {
            compat: compat(start)?,
            hands: start.hands,
            render: self.render(start.fonts).clone(),
            ..CanvasSettings::default()
        };
        Ok(CanvasEnvironment::new(state, settings)?)
    }
}

/// Makes the environment that `start` names, by itself: with a context of its own, and without a
/// browser. What opens many keeps [`Environments`].
pub fn open_environment(start: &StartState) -> Result<Box<dyn Environment>, StartError> {
    Environments::default().open(start)
}

/// Makes the environment of a start, and the calls on it that come before a run's first; `open` makes one of a
/// start without such calls.
pub fn open_begun(
    start: &StartState,
    open: impl Fn(&StartState) -> Result<Box<dyn Environment>, StartError>,
) -> Result<Box<dyn Environment>, StartError> {
    if !start.has_calls() {
        return open(start);
    }
    let (own, calls) = start.without_calls()?;
    let mut environment = open(&own)?;
    for begun in &calls {
        // Never stopped in the middle: a call that was given up would leave no state of the run.
        environment.call(&begun.call, &CancelToken::default());
    }
    Ok(environment)
}

/// The names of the behaviours that an environment knows.
fn known(environment: &EnvironmentKind) -> String {
    let known = Compat::ALL.into_iter().filter(|compat| compat.fits(environment));
    let names: Vec<String> = known.map(|compat| format!("{:?}", compat.name())).collect();
    names.join(" and ")
}

/// Whose behaviour the tools follow; runs that do not say were made as documented.
fn compat(start: &StartState) -> Result<canvas::Compat, StartError> {
    // Each environment knows its own names; one of another is refused, not passed over.
    let Some(name) = &start.compat else { return Ok(canvas::Compat::default()) };
    canvas::Compat::from_name(name)
        .ok_or_else(|| StartError::refused_compat(name, EnvironmentKind::Canvas))
}

fn open_suite(start: &StartState, render: &RenderContext) -> Result<SuiteEnvironment, StartError> {
    let compat = match &start.compat {
        None => suite::Compat::default(),
        Some(name) => suite::Compat::from_name(name)
            .ok_or_else(|| StartError::refused_compat(name, EnvironmentKind::Suite))?,
    };
    // The state may name its own pictures, which then count instead of those of the task.
    let (blank, state) = (start.canvas_size, start.document.clone());
    let given = start.given.clone();
    let render = render.clone();
    Ok(SuiteEnvironment::new(SuiteStart { blank, given, state, compat, render })?)
}

impl StartState {
    /// The same without the calls that come before a run's first.
    ///
    /// # Errors
    ///
    /// [`StartError::Begun`] of calls that cannot be read.
    pub fn without_calls(&self) -> Result<(Self, Vec<BegunCall>), StartError> {
        let BegunStart { document, calls } = BegunStart::from_document(self.document.clone())?;
        Ok((Self { document, ..self.clone() }, calls))
    }

    /// Whether calls come before a run's first.
    pub fn has_calls(&self) -> bool {
        self.document.as_ref().is_some_and(has_calls)
    }

    /// The same with everything in its document that a run needs to begin with: the bytes of given
    /// pictures, which else lie in files that may be gone when the run is replayed.
    pub fn self_contained(self) -> Result<Self, StartError> {
        if self.environment != EnvironmentKind::Suite || self.given.is_empty() {
            return Ok(self);
        }
        // Nothing is drawn here, so that any fonts do.
        let document = Some(open_suite(&self, &RenderContext::default())?.to_json());
        Ok(Self { document, given: Vec::new(), ..self })
    }
}
