//! Where somebody sees how far people agree, and settles what they differ on.
//!
//! [`topics`] is at the left: every question with its α, and the items of one of them, the least agreed on first.
//! [`settle`] is at the right: everyone's answers, the final one, and who answers how; [`participants`] below: who
//! agreed, qualified and withdrew. The pictures in the middle are those of who labels.

mod interval;
mod participants;
mod rankings;
mod settle;
mod topics;

pub(super) use settle::SettlePanel;
pub(super) use topics::TopicsPanel;
