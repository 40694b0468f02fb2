//! Judging: what a model answers when it is asked about a picture or a plan.
//!
//! A [`Judge`] answers a [`JudgeQuestion`] in words; reading the answer is done here ([`parse_yes_no`],
//! [`parse_scale`]), so that a judge of any make gives the same numbers for the same words. Backends are
//! in `model`.
//!
//! [`Creativity`] is two metrics of the registry, [`VqaMetric`] and [`DesignPassMetric`] are one each, of what the task
//! asks and of the plan that was carried out. Of questions in a file and of plans without a run there are functions:
//! [`vqa_pass_rate`], [`design_pass`] and [`step_verdicts`].

mod creativity;
mod design_pass;
#[cfg(test)]
mod fixture;
mod judge;
mod scale;
mod step_consistency;
mod vqa;

pub use creativity::Creativity;
pub use design_pass::{DesignPass, DesignPassMetric, DesignPassRequest, JudgedPlan, design_pass};
pub use judge::{Judge, JudgeForm, JudgeQuestion};
pub use scale::{ScaleError, parse_scale};
pub use step_consistency::{StepVerdict, parse_step_verdict, step_verdicts, without_fences};
pub use vqa::{VqaMetric, VqaPassRate, counts_as_published, parse_yes_no, vqa_pass_rate};
