//! What the room shows in which people label.

mod feedback;
mod keys;
mod new_labels;
mod panes;
mod proposal;
mod queue;
mod ranking;
mod review;

pub(in crate::workbench) use feedback::teaches;
pub use feedback::{Feedback, feedback};
pub use keys::{AnswerKey, answer_keys};
pub use new_labels::{NewLabelsPreview, new_labels_preview};
pub use panes::{
    EvidenceShown, GOLD, can_show_difference, can_show_layers, difference_scale, evidence,
    evidence_failure, evidence_key, evidence_layers, evidence_layers_key, evidence_panes,
    evidence_step, evidence_steps, evidence_thumbnail, gold_alignment_key, gold_follows,
    has_evidence_steps, has_gold, next_evidence_key, shows_difference, shows_evidence_layers,
};
pub use proposal::proposal;
pub(in crate::workbench) use proposal::proposed;
pub use queue::{LastAnswer, QueueFilter, last_answers, queue_rows};
pub use ranking::{RankedThing, candidate_rank, moved, order_of, ranked_things, tied, toggled};
pub use review::{
    GivenAnswer, findings, given_answers, review, review_row, review_rows, review_topic,
    review_unit, settle_choices, settlement, value_words,
};
