//! The menu that sorts and groups the library.

use egui::{Popup, PopupCloseBehavior, Ui};

use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text, tick_ui};
use crate::workbench::{Arrangement, Command, Grouping, SortBy};

/// The button and its menu.
pub(super) fn arrange_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let now = cx.state.library.arrangement;
    let button = Button::icon(icons::SORT, "Sort and group")
        .look(Look::Tool)
        .tooltip("Sort and group the runs of the library.")
        // On as long as the list is not as it was opened: who wonders at its order finds why.
        .selected(now != Arrangement::default())
        .key(command(CommandId::SortRuns).key(ui, cx.state))
        .show(ui);
    // Several choices are made in one go.
    let menu = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| {
        ui.set_min_width(190.0);
        heading_ui(ui, cx, "Group by", CommandId::GroupRuns);
        for grouping in Grouping::ALL {
            let chosen = Arrangement { grouping, ..now };
            item_ui(ui, cx, grouping.label(), chosen);
        }
        ui.separator();
        heading_ui(ui, cx, "Sort by", CommandId::SortRuns);
        for sort in SortBy::ALL {
            item_ui(ui, cx, sort.label(), Arrangement { sort, ..now });
        }
        ui.separator();
        let tip = "Sort the other way round.";
        if let Some(is_reversed) = tick_ui(ui, "Reversed", tip, now.is_reversed) {
            cx.send(Command::ArrangeLibrary(Arrangement { is_reversed, ..now }));
        }
    });
}

fn heading_ui(ui: &mut Ui, cx: &ViewContext<'_>, words: &str, id: CommandId) {
    let key = command(id).key(ui, cx.state).unwrap_or_default();
    let words = format!("{words}    {key}");
    ui.label(rich_text(&words, Type::Caption, tokens(ui).dim));
}

fn item_ui(ui: &mut Ui, cx: &ViewContext<'_>, words: &str, chosen: Arrangement) {
    if ui.radio(chosen == cx.state.library.arrangement, words).clicked() {
        cx.send(Command::ArrangeLibrary(chosen));
    }
}
