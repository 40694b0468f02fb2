//! Questions that lie over the room. They are no overlays of the state, and have all keys all the same.

use egui::{Context, Id, Memory};

/// A question of the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// How far arrow keys move what is selected.
    Nudge,
    /// What a version is called.
    VersionName,
    /// Whether somebody gives up a task of a study.
    GiveUp,
    /// Whether all that somebody did in a study is removed.
    Withdrawal,
}

impl Question {
    /// All of them.
    const ALL: [Self; 4] = [Self::Nudge, Self::VersionName, Self::GiveUp, Self::Withdrawal];

    /// What egui calls it.
    pub(super) fn id(self) -> Id {
        Id::unique(match self {
            Self::Nudge => "nudge_amount",
            Self::VersionName => "version_name",
            Self::GiveUp => "study_give_up",
            Self::Withdrawal => "study_withdrawal",
        })
    }
}

/// Whether one of them was on the screen in the last frame. Escape is then for it, and not for the selection behind it.
pub(in crate::ui) fn is_asking(ctx: &Context) -> bool {
    let asked = ctx.memory(Memory::top_modal_layer);
    asked.is_some_and(|layer| Question::ALL.iter().any(|question| layer.id == question.id()))
}
