use super::*;

#[test]
fn what_was_chosen_over_a_window_that_was_closed_is_forgotten() {
    let mut state = State::default();
    let mut window = Window::default();
    for (there, is_kept) in [(None, true), (Some(PanelWindow::Stage), false)] {
        state.windows.open.insert(PanelWindow::Stage);
        window.chosen = Some((Local::ZoomIn, there));
        window.leave_closed_windows(&state);
        assert!(window.chosen.is_some(), "it is there");
        state.windows.open.clear();
        window.leave_closed_windows(&state);
        assert_eq!(window.chosen.is_some(), is_kept);
    }
}
