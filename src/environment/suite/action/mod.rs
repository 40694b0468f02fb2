//! The actions, one file a kind: each changes the [`SuiteState`](super::state::SuiteState) or says why it cannot.

mod adjust;
mod document;
mod draw;
mod file;
mod layer;
mod place;
mod scene;
mod text;

pub(super) use scene::Scene;

use super::action_kind::ActionKind;
use super::action_result::ActionResult;
use super::failure::Failure;
use super::parameters::CheckedCall;

/// Does what the call asks. After a failure the state may be half changed: the caller drops it.
pub(super) fn act(scene: &mut Scene<'_>, given: &CheckedCall) -> Result<ActionResult, Failure> {
    match given.action.kind {
        ActionKind::OpenTyped => document::open_typed(scene, given),
        ActionKind::OpenSized => document::open_sized(scene, given),
        ActionKind::Background => document::background(scene, given),
        ActionKind::Save => file::save(scene, given),
        ActionKind::Import => file::import(scene, given),
        ActionKind::MakeText => text::make(scene, given),
        ActionKind::ChangeText(change) => text::change(scene, given, change),
        ActionKind::TellFont => text::tell_font(scene, given),
        ActionKind::Draw => draw::draw(scene, given),
        ActionKind::Qr => draw::qr(scene, given),
        ActionKind::Outline(kind) => layer::outline(scene, given, kind),
        ActionKind::Opacity(kind) => layer::opacity(scene, given, kind),
        ActionKind::Remove(kind) => layer::remove(scene, given, kind),
        ActionKind::Reposition(kind) => place::reposition(scene, given, kind),
        ActionKind::Resize(kind) => place::resize(scene, given, kind),
        ActionKind::Rotate(kind) => place::rotate(scene, given, kind),
        ActionKind::Filter => adjust::filter(scene, given),
    }
}
