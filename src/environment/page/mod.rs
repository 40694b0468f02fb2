//! A page in HTML and CSS: what a model answers when it is asked for code instead of calls.
//!
//! - [`PageEnvironment`]: one tool, [`RENDER_PAGE`], which takes a whole page and shows it;
//! - [`PageRenderer`]: who draws it; [`Chromium`] is the one on this machine.
//!
//! Browsers draw the same page differently from version to version, so the picture that was drawn is
//! part of the run, and a run of this environment is shown by its recorded pictures: it is not
//! replayed, and whoever looks at it needs no browser.
//!
//! Source: CANVAS, "Ablation Study" and appendix D (code-based generation, after Design2Code).

mod chromium;
mod environment;
mod renderer;

pub use chromium::{BrowserSearch, Chromium};
pub use environment::{PageEnvironment, RENDER_PAGE};
pub use renderer::{PageError, PageRenderer};
