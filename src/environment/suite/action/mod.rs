//! The actions, one file a kind: each changes the [`State`] or says why it cannot.

mod adjust;
mod document;
mod draw;
mod file;
mod layer;
mod place;
mod text;

use crate::render::RenderContext;

use super::compat::Compat;
use super::deed::Deed;
use super::done::Done;
use super::failure::Failure;
use super::given::GivenPictures;
use super::parameters::Given;
use super::state::State;

/// What an action works with.
pub(super) struct Scene<'a> {
    /// What there is.
    pub(super) state: &'a mut State,
    /// What the query hands out.
    pub(super) pictures: &'a GivenPictures,
    /// How values are taken.
    pub(super) compat: Compat,
    /// What texts are measured with.
    pub(super) render: &'a RenderContext,
}

/// Does what the call asks. After a failure the state may be half changed: the caller drops it.
pub(super) fn act(scene: &mut Scene<'_>, given: &Given) -> Result<Done, Failure> {
    match given.action.deed {
        Deed::OpenTyped => document::open_typed(scene, given),
        Deed::OpenSized => document::open_sized(scene, given),
        Deed::Background => document::background(scene, given),
        Deed::Save => file::save(scene, given),
        Deed::Import => file::import(scene, given),
        Deed::MakeText => text::make(scene, given),
        Deed::ChangeText(change) => text::change(scene, given, change),
        Deed::TellFont => text::tell_font(scene, given),
        Deed::Draw => draw::draw(scene, given),
        Deed::Qr => draw::qr(scene, given),
        Deed::Outline(kind) => layer::outline(scene, given, kind),
        Deed::Opacity(kind) => layer::opacity(scene, given, kind),
        Deed::Remove(kind) => layer::remove(scene, given, kind),
        Deed::Reposition(kind) => place::reposition(scene, given, kind),
        Deed::Resize(kind) => place::resize(scene, given, kind),
        Deed::Rotate(kind) => place::rotate(scene, given, kind),
        Deed::Filter => adjust::filter(scene, given),
    }
}
