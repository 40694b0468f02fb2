//! People's judgement: forms, what is asked about, what was answered, and what that comes to.
//!
//! - [`Form`]: the questions, as data ([`form`]);
//! - [`Item`]: what they are about; [`ItemId`] is the same in every copy of a project;
//! - [`Answer`]: a value a question, with the places that show it;
//! - [`Event`]: somebody did something; answers are never changed, only followed by others;
//! - [`Ledger`]: all events of a project, which join without conflict, and what they come to;
//! - [`Project`]: what is asked of whom, and how; [`pack`]: what one person labels of it, blinded, for elsewhere;
//! - [`study`]: what comes before the first item, and what is decided of the study: consent, questions about the
//!   person, qualification, withdrawal, revealing who made what;
//! - [`participants`]: who takes part, for every report;
//! - [`assigned`]: which items are whose; [`Queue`]: which item comes next for whom, and what stands on which side;
//! - [`agreement`]: how far people agree on a question, with the interval, or why that is undefined;
//! - [`final_answers`]: what their answers come to, and how;
//! - [`judged_runs`]: what they say of attempts with yes or no;
//! - [`preferences`], [`shares`] and [`rankings`]: what that says of models;
//! - [`versus`]: each automatic metric against people;
//! - [`Judged`]: what a model answered, which no figure about people counts; [`judging`]: how it is asked, and
//!   how far it says what people say;
//! - [`sample`]: which tasks a project is of, where it is not of all;
//! - [`people`]: who answers how: fast, from one side, like the others;
//! - [`Findings`]: all of that of a form, for reports and the window.
//!
//! Nothing here reads a clock, draws random numbers or touches a file but [`Form::open`]: times and seeds
//! come in. Uses `metric`'s statistics, `run`'s ids and `base`. Start with `event`, then `ledger`.

pub mod agreement;
mod answer;
mod assignment;
mod attempts;
mod event;
mod findings;
pub mod form;
mod item;
mod judged;
pub mod judging;
mod ledger;
mod markdown;
mod outcome;
mod packet;
pub mod participants;
mod patterns;
pub mod people;
pub mod preferences;
mod project;
mod queue;
pub mod rankings;
pub mod sample;
pub mod shares;
pub mod study;
pub mod versus;

pub use answer::{
    Answer, AnswerError, AnswerValue, MOST_NOTE_CHARACTERS, Mark, Place, Preferred, TIE,
};
pub use assignment::{assigned, assigned_to_each};
pub use attempts::{JudgedRun, judged_runs};
pub use event::{Act, Answered, Event, EventId, ProposalTime, Shown, ShownProposal, WriterId};
pub use findings::{Findings, counting_answers};
pub use form::{Form, FormHash, ItemKind};
pub use item::{Item, ItemId, ItemRole, LabelledRun, Proposal};
pub use judged::{JudgeIdentity, Judged, Judgement};
pub use ledger::{
    CellKey, Ledger, LedgerCell, LedgerError, Settlement, Settlements, StandingJudgement,
};
pub use markdown::{MarkdownPart, markdown_parts};
pub use outcome::{
    FinalAnswer, Provenance, SettledBy, check_settlement, final_answers, final_answers_about,
};
pub use packet::{PackedCandidate, PackedItem, pack};
pub use project::{NoPassMark, Packet, PassMark, Project, Proposals, QueueSettings, StudySettings};
pub use queue::{Queue, Sides, Turn};
pub use study::{Qualification, qualification, text_hash};
