//! Pictures of the design that somebody works on: while it is on the screen, the newest alone.
//!
//! One at a time: what is being drawn is drawn to its end, and then what is newest by then. Were each given up for the
//! next, no picture would come while something is dragged.

use std::sync::Arc;

use crate::workbench::model::{AssistDesk, DesignPictureKey, Inputs, State, Urgency, Workspace};

use super::kind::DerivedKind;

impl DerivedKind for DesignPictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        let key = desk.map(|desk| being_drawn(state, desk).unwrap_or_else(|| desk.picture_key()));
        key.map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref().filter(|desk| desk.picture_key() == *self)?;
        Some(Inputs { design: Some(Arc::new(desk.picture_input())), ..Inputs::default() })
    }
}

/// The picture of the desk that is asked for and not there yet.
fn being_drawn(state: &State, desk: &AssistDesk) -> Option<DesignPictureKey> {
    let pictures = &state.derived.design_pictures;
    pictures
        .iter()
        .map(|(key, _)| *key)
        .find(|key| key.desk == desk.number && pictures.is_pending(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::Document;
    use crate::editor::Editor;
    use crate::render::RenderContext;
    use crate::workbench::model::{AssistStart, CanvasDesk, Fetched, Recording};

    fn state() -> State {
        let mut state = State { workspace: Workspace::Assist, ..State::default() };
        state.assist.desk = Some(Box::new(AssistDesk {
            number: 1,
            title: String::new(),
            start: AssistStart::Blank(Size::new(10.0, 10.0)),
            instruction: None,
            goal: None,
            editor: Editor::new(Document::default()),
            render: RenderContext::default(),
            scale: 1,
            recording: Recording::Empty,
            canvas: CanvasDesk::default(),
        }));
        state
    }

    #[test]
    fn what_is_being_drawn_is_drawn_to_its_end_and_then_the_newest() {
        let mut state = state();
        let newest = DesignPictureKey { desk: 1, revision: 1, scale: 1 };
        assert_eq!(DesignPictureKey::wanted(&state), [(newest, Urgency::Stage)]);
        let older = DesignPictureKey { desk: 1, revision: 0, scale: 1 };
        state.derived.design_pictures.insert(older, Fetched::Pending);
        assert_eq!(DesignPictureKey::wanted(&state), [(older, Urgency::Stage)]);
        state.derived.design_pictures.cancel(&older);
        // Of another desk nothing is waited for.
        let other = DesignPictureKey { desk: 2, ..older };
        state.derived.design_pictures.insert(other, Fetched::Pending);
        assert_eq!(DesignPictureKey::wanted(&state), [(newest, Urgency::Stage)]);
    }
}
