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
//! - [`QueryItems`]: queries with candidate pictures, which such a project ranks;
//! - [`propose`]: what programs say of an item, which is nobody's answer;
//! - [`StudyText`]: what is read before the first item, with its pictures; [`StudySources`]: where it comes from;
//! - [`open_item`]: what an item of a labelling project is about, held against what is in it; [`relocate`]: where
//!   its runs lie now; [`ItemEvidence`]: what a model that judges is shown of such an item;
//! - [`plan_verdicts`]: the classifiers of plan errors as judges of such items;
//! - [`alignment`]: several runs of a task beside each other, step by step;
//! - [`what_if`]: a run with other calls, and what each of its calls brought;
//! - [`pos_words`]: Pos@K of a run that edits, in words;
//! - [`RunDigest`]: what a table over many runs keeps of each: its calls and what failed;
//! - [`flaws`]: what is amiss in a design whatever it is to be, with what mends it; [`brief`]: the same of what a brief
//!   asks of it;
//! - [`figures`]: the figures of the papers, made of whatever there is;
//! - [`SLIPS`]: where the papers contradict themselves or their data, for below tables and figures;
//! - [`typed_table`]: a table with typed columns, for formats that keep types; [`text_table`]: one that people read, as
//!   Markdown and LaTeX;
//! - [`MadeBy`]: what exported files say of where they come from;
//! - [`studies`]: studies of people who design, with their tasks and forms;
//! - [`Condition`]: what a run was made with, and [`RowNames`] what tables and figures call its row by that;
//! - [`groups`]: two groups of runs matched by their tasks, and how they differ;
//! - [`Relation`]: how two columns of a table over runs go together;
//! - [`PrimaryMetric`]: which score stands for a run where there is room for one.
//!
//! Start reading at [`canvas`]. Uses `label`, `study`, `metric`, `run`, `task`, `environment`, `model`, `store` and
//! what stands above them.

pub mod alignment;
pub mod answer_rows;
pub mod brief;
pub mod canvas;
mod captions;
mod check;
mod compared;
mod condition;
pub mod data_table;
mod digest;
pub mod figures;
pub mod flaws;
mod given_inputs;
pub mod groups;
mod judge_evidence;
mod label_items;
mod label_making;
mod label_plan;
mod label_queries;
mod labelled;
mod made_by;
mod packing;
mod plan_verdicts;
mod pos_words;
mod primary;
mod proposals;
mod proposed_tools;
mod relation;
mod relocate;
mod scorer;
mod slips;
pub mod studies;
mod study_text;
pub mod text_table;
pub mod typed_table;
pub mod what_if;

pub use canvas::{CanvasError, RunCanvas};
pub use captions::RunCaptions;
pub use check::{CheckError, check_side, judge_step};
pub use compared::{ComparedSide, ComparedTask, ComparedTasks, PictureIdentity, compared_step};
pub use condition::{Condition, OtherSettings, RowNames, has_come_to_end, mixed};
pub use digest::{Failed, PlanDigest, RunDigest, StepDigest, ToolCount, ToolNames};
pub use given_inputs::GivenInputs;
pub use judge_evidence::{ItemEvidence, ShownEvidence};
pub use label_items::{ITEM_KINDS_OF_RUNS, ItemRun, label_items, text_items};
pub use label_making::{MakeLabelsError, PlannedItems, StudySources, TextSource};
pub use label_plan::{KnownTable, LabelPlan, LabelPlanError, StudyPlan, question_of_item};
pub use label_queries::{QueriesError, QueryItems};
pub use labelled::{LabelledRunError, OpenItem, open_item, run_content};
pub use made_by::{MadeBy, PROGRAM, made_by};
pub use packing::{ItemPictures, PackError};
pub use plan_verdicts::plan_verdicts;
pub use pos_words::{pos_variants, pos_words};
pub use primary::{PrimaryMetric, VariantId};
pub use proposals::propose;
pub use relation::{Coefficient, Relation, p_words};
pub use relocate::{Relocation, relocate};
pub use scorer::{AskedModel, PendingQuestion, Scorer, Wanted};
pub use slips::{SLIPS, Slip};
pub use study_text::{StudyText, StudyTextError};
