//! Scoring, comparing and checking runs, without threads: the one place that says how it is done.
//!
//! The window's worker and the command line both use it, so they say the same.
//!
//! - [`RunCanvas`]: the canvas of a run at any step, replayed from its calls or from its pictures;
//! - [`compared_step`] and [`ComparedTask`]: the two sides of a comparison, as far as each is known;
//! - [`Scorer`]: measures the two, and remembers what was measured;
//! - [`RunCaptions`]: what a file of captions says of a run, in place of a captioner;
//! - [`check_side`]: holds a design against the query it was made from; [`judge_step`]: an edit against
//!   the checks of its task;
//! - [`label_items`]: what of runs and tasks a labelling project asks about, [`LabelPlan`]: of whom, and how;
//! - [`open_item`]: what an item of a labelling project is about, found by what is in it;
//! - [`RunDigest`]: what a table over many runs keeps of each: its calls and what failed;
//! - [`figures`]: the figures of the papers, made of whatever there is;
//! - [`PrimaryMetric`]: which score stands for a run where there is room for one.
//!
//! Start reading at [`canvas`]. Uses `label`, `metric`, `run`, `task`, `environment`, `model`, `store` and what
//! stands above them.

pub mod canvas;
mod captions;
mod check;
mod compared;
mod digest;
pub mod figures;
mod given_inputs;
mod label_items;
mod label_plan;
mod labelled;
mod packing;
mod primary;
mod scorer;

pub use canvas::{CanvasError, RunCanvas};
pub use captions::RunCaptions;
pub use check::{CheckError, check_side, judge_step};
pub use compared::{ComparedSide, ComparedTask, ComparedTasks, compared_step};
pub use digest::{Failed, PlanDigest, RunDigest, StepDigest, ToolCount};
pub use given_inputs::GivenInputs;
pub use label_items::{ITEM_KINDS_OF_RUNS, ItemRun, label_items};
pub use label_plan::{LabelPlan, LabelPlanError};
pub use labelled::{LabelledRunError, OpenItem, open_item, run_content};
pub use packing::{ItemPictures, PackError};
pub use primary::{PrimaryMetric, VariantId};
pub use scorer::{Scorer, Wanted};
