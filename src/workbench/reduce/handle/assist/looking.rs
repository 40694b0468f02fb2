//! How the canvas is looked at.

use crate::workbench::model::{LookCommand, State};

/// Looks at it so; all but what is held is remembered.
pub(super) fn look(state: &mut State, command: LookCommand) {
    let settings = &mut state.settings.canvas;
    match command {
        LookCommand::Rulers(are_shown) => settings.rulers = are_shown,
        LookCommand::PixelGrid(is_shown) => settings.pixel_grid = is_shown,
        LookCommand::Outlines(are_shown) => settings.outlines = are_shown,
        LookCommand::HidePanels(are_hidden) => settings.hides_panels = are_hidden,
        LookCommand::Goal(view) => settings.goal = view,
        LookCommand::Nudge(sizes) => settings.nudge = sizes,
        LookCommand::Snap(snaps) => {
            settings.snaps = snaps;
            if let Some(desk) = &mut state.assist.desk {
                desk.editor.set_snapping(snaps);
            }
        }
        LookCommand::HoldGoal(is_held) => {
            if let Some(desk) = &mut state.assist.desk {
                // Without a goal there is nothing to show.
                desk.holds_goal = is_held && desk.goal.is_some();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::Size;
    use crate::design::Document;
    use crate::editor::Editor;
    use crate::render::RenderContext;
    use crate::workbench::model::{
        AssistDesk, AssistStart, CanvasSettings, DesignGoal, GoalView, NudgeSizes,
    };

    fn state() -> State {
        let start = AssistStart::Blank(Size::new(10.0, 10.0));
        let editor = Editor::new(Document::default());
        let desk = AssistDesk::new(1, "A".to_owned(), start, editor, RenderContext::default());
        let mut state = State::default();
        state.assist.desk = Some(Box::new(desk));
        state
    }

    #[test]
    fn what_is_chosen_is_remembered_and_what_is_held_is_not() {
        let mut state = state();
        for command in [
            LookCommand::Rulers(true),
            LookCommand::PixelGrid(false),
            LookCommand::Outlines(true),
            LookCommand::HidePanels(true),
            LookCommand::Snap(false),
            LookCommand::Goal(GoalView::Over),
            LookCommand::Nudge(NudgeSizes::new(2, 25).unwrap()),
        ] {
            look(&mut state, command);
        }
        let canvas = state.settings.canvas;
        assert!(canvas.rulers && canvas.outlines && canvas.hides_panels);
        assert!(!canvas.pixel_grid && !canvas.snaps && canvas.goal == GoalView::Over);
        assert_eq!((canvas.nudge.small(), canvas.nudge.big()), (2, 25));
        assert!(!state.assist.desk.as_ref().unwrap().editor.snaps());
        let json = state.settings.to_json().unwrap();
        let read = crate::workbench::model::Settings::from_json(&json).unwrap();
        assert_eq!(read.canvas, canvas);
    }

    #[test]
    fn sizes_that_somebody_wrote_by_hand_are_kept_in_range() {
        let written = r#"{"nudge": {"small": 0, "big": 65535}}"#;
        let read: CanvasSettings = serde_json::from_str(written).unwrap();
        assert_eq!((read.nudge.small(), read.nudge.big()), (1, 1_000));
        assert_eq!(NudgeSizes::new(0, 10), None);
        assert_eq!(NudgeSizes::new(1, 1_001), None);
    }

    #[test]
    fn only_a_goal_that_is_there_is_held() {
        let mut state = state();
        look(&mut state, LookCommand::HoldGoal(true));
        assert!(!state.assist.desk.as_ref().unwrap().holds_goal);
        let goal = DesignGoal::of_design(Arc::new(Document::default()));
        state.assist.desk.as_mut().unwrap().goal = Some(goal);
        look(&mut state, LookCommand::HoldGoal(true));
        assert!(state.assist.desk.as_ref().unwrap().holds_goal);
        look(&mut state, LookCommand::HoldGoal(false));
        assert!(!state.assist.desk.as_ref().unwrap().holds_goal);
    }
}
