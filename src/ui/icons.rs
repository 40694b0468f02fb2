//! The icons we use, by what they mean here. Phosphor, regular weight.

/// Search and the palette.
pub(crate) const SEARCH: &str = "\u{e30c}";
/// Folded.
pub(crate) const FOLDED: &str = "\u{e13a}";
/// Unfolded.
pub(crate) const UNFOLDED: &str = "\u{e136}";
/// One step back.
pub(crate) const STEP_BACK: &str = "\u{e138}";
/// One step forward.
pub(crate) const STEP_FORWARD: &str = "\u{e13a}";
/// To the start.
pub(crate) const FIRST: &str = "\u{e5a4}";
/// To the end.
pub(crate) const LAST: &str = "\u{e5a6}";
/// Play; launch.
pub(crate) const PLAY: &str = "\u{e3d0}";
/// Pause.
pub(crate) const PAUSE: &str = "\u{e39e}";
/// To the dark theme.
pub(crate) const MOON: &str = "\u{e330}";
/// To the light theme.
pub(crate) const SUN: &str = "\u{e472}";
/// Close, cancel, clear.
pub(crate) const CLOSE: &str = "\u{e4f6}";
/// Open from disk.
pub(crate) const OPEN: &str = "\u{e256}";
/// Fit the pictures.
pub(crate) const FIT: &str = "\u{e0a2}";
/// Filter.
pub(crate) const FILTER: &str = "\u{e268}";
/// Where the score falls.
pub(crate) const LOSS: &str = "\u{e4ac}";
/// Where the score rises.
pub(crate) const GAIN: &str = "\u{e4ae}";
/// The best step.
pub(crate) const BEST: &str = "\u{e67e}";
/// The heat pane.
pub(crate) const HEAT: &str = "\u{e5cc}";
/// The run's pane.
pub(crate) const RUN: &str = "\u{e762}";
/// The ground truth.
pub(crate) const GROUND_TRUTH: &str = "\u{e47c}";
/// A picture.
pub(crate) const PICTURE: &str = "\u{e2ca}";
/// A picture that cannot be had.
pub(crate) const PICTURE_BROKEN: &str = "\u{e7a8}";
/// Something odd.
pub(crate) const WARNING: &str = "\u{e4e0}";
/// Something failed.
pub(crate) const ERROR: &str = "\u{e4e2}";
/// Something went as it should.
pub(crate) const DONE: &str = "\u{e184}";
/// Good to know.
pub(crate) const INFO: &str = "\u{e2ce}";
/// Stopped by somebody.
pub(crate) const STOPPED: &str = "\u{e3de}";
/// Copy to the clipboard.
pub(crate) const COPY: &str = "\u{e1ca}";
/// Live.
pub(crate) const LIVE: &str = "\u{e0f2}";
/// A check mark.
pub(crate) const CHECK: &str = "\u{e182}";
/// Some, not all.
pub(crate) const SOME: &str = "\u{e32a}";
/// A script.
pub(crate) const SCRIPT: &str = "\u{e914}";
/// An agent that draws what it sees.
pub(crate) const TRACER: &str = "\u{e220}";
/// A list of tasks.
pub(crate) const TASKS: &str = "\u{eadc}";
/// A folder.
pub(crate) const FOLDER: &str = "\u{e24a}";
/// A command.
pub(crate) const COMMAND: &str = "\u{e1c4}";
/// A box on the canvas.
pub(crate) const NODE: &str = "\u{e6ce}";
/// Text on the canvas.
pub(crate) const NODE_TEXT: &str = "\u{e48a}";
/// Background work.
pub(crate) const JOBS: &str = "\u{e000}";
