//! Judging: what a model answers when it is asked about a picture or a plan.
//!
//! A [`Judge`] answers a [`JudgeQuestion`] in words; reading the answer is done here ([`parse_yes_no`],
//! [`parse_scale`]), so that a judge of any make gives the same numbers for the same words. Backends are
//! in `model`.
//!
//! [`Creativity`] is two metrics of the registry. [`vqa_pass_rate`] wants the task's questions and
//! [`design_pass`] and [`step_verdicts`] a plan, which a comparison of designs does not have: they are functions.

mod creativity;
mod design_pass;
#[cfg(test)]
mod fixture;
mod judge;
mod scale;
mod step_consistency;
mod vqa;

pub use creativity::Creativity;
pub use design_pass::{DesignPass, DesignPassRequest, design_pass};
pub use judge::{Judge, JudgeForm, JudgeQuestion};
pub use scale::{ScaleError, parse_scale};
pub use step_consistency::{StepVerdict, parse_step_verdict, step_verdicts, without_fences};
pub use vqa::{VqaPassRate, counts_as_published, parse_yes_no, vqa_pass_rate};
