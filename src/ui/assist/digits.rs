//! Digits set the opacity: one times ten percent, `0` all of it, two in quick succession exactly.

use egui::{Event, Ui};

use super::acting::act;
use crate::editor::{Act, ArrangeAct};
use crate::ui::commands::digit_key;
use crate::ui::context::ViewContext;
use crate::ui::widgets::events_of_no_field;
use crate::workbench::AssistDesk;

/// How long after a digit another one still belongs to it, in seconds.
const TOGETHER: f64 = 0.6;

/// The digit that was typed last, and when.
#[derive(Debug, Default)]
pub(super) struct OpacityDigits {
    last: Option<(u8, f64)>,
}

impl OpacityDigits {
    /// Takes the digits that were typed while no field was typed into.
    pub(super) fn show(&mut self, ui: &Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let is_elsewhere = cx.state.overlay.is_some() || ui.ctx().text_edit_focused();
        if is_elsewhere || desk.editor.selection().nodes.is_empty() {
            self.last = None;
            return;
        }
        let now = ui.input(|input| input.time);
        for digit in events_of_no_field(ui.ctx()).iter().filter_map(digit_of) {
            let (percent, goes_on) = self.typed(digit, now);
            act(cx, Act::Arrange(ArrangeAct::Opacity { percent, goes_on }));
        }
    }

    /// What a digit means then, and whether it goes on with the one before.
    fn typed(&mut self, digit: u8, now: f64) -> (u8, bool) {
        match self.last.take() {
            Some((first, at)) if now - at <= TOGETHER => (first * 10 + digit, true),
            _ => {
                self.last = Some((digit, now));
                (if digit == 0 { 100 } else { digit * 10 }, false)
            }
        }
    }
}

fn digit_of(event: &Event) -> Option<u8> {
    // One that is held down is no two of them.
    if matches!(event, Event::Key { repeat: true, .. }) {
        return None;
    }
    digit_key(event)?.name().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_digit_is_tens_and_two_in_quick_succession_are_exact() {
        let mut digits = OpacityDigits::default();
        assert_eq!(digits.typed(5, 1.0), (50, false));
        assert_eq!(digits.typed(5, 1.3), (55, true));
        assert_eq!(digits.typed(0, 1.4), (100, false), "a third begins anew");
        assert_eq!(digits.typed(7, 1.5), (7, true));
        assert_eq!(digits.typed(0, 3.0), (100, false));
        assert_eq!(digits.typed(0, 3.1), (0, true));
        assert_eq!(digits.typed(2, 4.0), (20, false));
        assert_eq!(digits.typed(3, 5.0), (30, false), "too late");
    }
}
