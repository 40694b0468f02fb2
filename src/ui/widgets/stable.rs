//! Identities of widgets that stay while something comes in above them.
//!
//! egui counts the widgets of a panel, so what comes in (a banner, a line with a score) makes others of all that
//! follow. A click is a press in one frame and a release in a later one: on a widget that is another one by then it is
//! lost, as is the keyboard, a drag and an open menu. Here a widget is known by where in the code it is shown, or by
//! what it is of, within the scope that it stands in.

use std::collections::HashMap;
use std::panic::Location;

use egui::{AsIdSalt, Id, Rect, Response, Sense, Ui, UiBuilder, Vec2, Widget};

/// How often each identity was given in a pass: a second widget that would have the same one is told from the first.
#[derive(Clone, Debug, Default)]
struct GivenIds {
    pass: u64,
    times: HashMap<Id, u32>,
}

/// The identity of what is known by this salt within the scope of `ui`; of several, they are told apart by their
/// order.
pub(crate) fn stable_id(ui: &Ui, salt: impl AsIdSalt) -> Id {
    let id = ui.scope_id().with(salt);
    let pass = ui.ctx().cumulative_pass_nr();
    let key = Id::unique(("given_ids", ui.ctx().viewport_id()));
    let before = ui.data_mut(|data| {
        let given: &mut GivenIds = data.get_temp_mut_or_default(key);
        if given.pass != pass {
            given.pass = pass;
            given.times.clear();
        }
        let times = given.times.entry(id).or_default();
        *times += 1;
        *times - 1
    });
    if before == 0 { id } else { id.with(before) }
}

/// The identity of what is shown at this place of the code.
#[track_caller]
fn id_of_place(ui: &Ui) -> Id {
    let place = Location::caller();
    stable_id(ui, (place.file(), place.line(), place.column()))
}

/// Takes this room for a widget that is known by the place in the code that shows it, which is its caller.
#[track_caller]
pub(crate) fn allocate_stable(ui: &mut Ui, wanted: Vec2, sense: Sense) -> (Rect, Response) {
    let id = id_of_place(ui);
    allocate(ui, id, wanted, sense)
}

/// The same for one of a list, that is known by what it is of.
pub(crate) fn allocate_stable_of(
    ui: &mut Ui,
    salt: impl AsIdSalt,
    wanted: Vec2,
    sense: Sense,
) -> (Rect, Response) {
    let id = stable_id(ui, salt);
    allocate(ui, id, wanted, sense)
}

fn allocate(ui: &mut Ui, id: Id, wanted: Vec2, sense: Sense) -> (Rect, Response) {
    let (_, room) = ui.allocate_space(wanted);
    let response = ui.interact(room, id, sense);
    (ui.layout().align_size_within_rect(wanted, room), response)
}

/// Adds a widget of egui's own that is known by the place in the code that shows it.
#[track_caller]
pub(crate) fn add_stable(ui: &mut Ui, widget: impl Widget) -> Response {
    let id = id_of_place(ui);
    ui.scope_builder(UiBuilder::new().scope_id(id), |ui| ui.add(widget)).inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::{Button, TickState, check_row_ui};

    /// The identities of what is shown, with so many labels and with a button above.
    fn ids(labels: usize, has_more: bool) -> Vec<Id> {
        let ctx = egui::Context::default();
        crate::ui::install(&ctx);
        let mut ids = Vec::new();
        // egui draws a first frame twice.
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            ids.clear();
            for _ in 0..labels {
                ui.label("It comes in.");
            }
            if has_more {
                ids.extend(["one", "two"].map(|words| Button::text(words).show(ui).id));
                ids.drain(..);
            }
            ids.push(Button::text("Stop the run").show(ui).id);
            ui.horizontal(|ui| {
                ids.push(Button::text("Stop the run").show(ui).id);
                let mut number = 1.0;
                ids.push(add_stable(ui, egui::DragValue::new(&mut number)).id);
            });
            for name in ["a", "b", "a"] {
                ids.push(check_row_ui(ui, name, "", TickState::Yes, 0.0).id);
            }
            for _ in 0..3 {
                ids.push(Button::text("Again").show(ui).id);
            }
        });
        output.textures_delta.clear();
        ids
    }

    #[test]
    fn what_comes_in_above_makes_no_other_widgets_of_those_below() {
        let alone = ids(0, false);
        assert_eq!(alone.len(), 9);
        let distinct: std::collections::HashSet<_> = alone.iter().collect();
        assert_eq!(distinct.len(), alone.len(), "{alone:?}");
        for (labels, has_more) in [(1, false), (0, true), (7, true)] {
            assert_eq!(ids(labels, has_more), alone, "{labels} {has_more}");
        }
    }
}
