//! How two pictures lie over one another, and what stands beside the run: buttons and menus.

use egui::{Align, Layout, Ui};

use super::shown::name_of;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, add_stable, chosen_look, count, grouped, rich_text, tick_look, tick_ui,
};
use crate::workbench::{
    Against, AreaCommand, Browse, Command, Fetched, LibraryRun, MOST_SHIFT, MOST_SLOTS,
    PixelTolerance, RunId, SLOT_NAMES, Slot, SlotLock, StageCommand, StagePane, StageView, views,
};

/// Names longer than this are cut in menus.
const NAME: usize = 36;

/// The ways to lay the run and what it is compared with out, as one group of buttons.
pub(super) fn views_ui(ui: &mut Ui, cx: &ViewContext<'_>, with_words: bool) {
    for view in StageView::ALL {
        let (id, icon, words) = match view {
            StageView::SideBySide => {
                (CommandId::ViewSideBySide, icons::SIDE_BY_SIDE, "Side by side")
            }
            StageView::Swipe => (CommandId::ViewSwipe, icons::SWIPE, "Swipe"),
            StageView::OnionSkin => (CommandId::ViewOnionSkin, icons::ONION_SKIN, "Onion"),
            StageView::Difference => (CommandId::ViewDifference, icons::DIFFERENCE, "Difference"),
            StageView::Blink => (CommandId::ViewBlink, icons::BLINK, "Blink"),
        };
        let button = CommandButton::icon(id, icon).compact().selected(cx.state.stage.view == view);
        if with_words { button.short(words) } else { button }.show(ui, cx);
    }
}

/// The menu of what can stand beside the run.
pub(super) fn slots_menu_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let menu = Button::icon(icons::ADD, "Compare with…")
        .look(Look::Tool)
        .tooltip("Put other runs, the start state or a picture file beside the run.")
        .show(ui);
    egui::Popup::menu(&menu).show(|ui| {
        ui.set_min_width(240.0);
        let stage = &cx.state.stage;
        egui::ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
            for (run, entry) in other_runs(cx) {
                run_item_ui(ui, cx, run, entry);
            }
        });
        if let Some(step) = cx.state.slot_of_step() {
            switch_ui(ui, cx, CommandId::KeepStep, stage.slots.contains(&step));
        }
        let has_start = stage.slots.contains(&Slot::Start);
        let tip = "What the agent began with.";
        if tick_ui(ui, "Start state", tip, has_start).is_some() {
            cx.send(Command::Stage(StageCommand::ToggleStart));
        }
        if ui.button("Picture file…").clicked() {
            cx.send(Command::Browse(Browse::AddPicture));
        }
        ui.separator();
        ui.label(rich_text("Other runs follow by", Type::Caption, tokens(ui).dim));
        ui.horizontal(|ui| {
            for lock in SlotLock::ALL {
                let look = Button::text(lock.name()).look(Look::Tool).compact();
                let button = look.selected(stage.lock == lock).tooltip(lock_words(lock));
                if button.show(ui).clicked() {
                    cx.send(Command::Stage(StageCommand::Lock(lock)));
                }
            }
        });
        if !stage.slots.is_empty() {
            let key = command(CommandId::CloseSlots).key(ui, cx.state).unwrap_or_default();
            if ui.add(egui::Button::new("Take all away").shortcut_text(key)).clicked() {
                CommandButton::text(CommandId::CloseSlots).press(cx);
            }
        }
    });
}

fn lock_words(lock: SlotLock) -> &'static str {
    match lock {
        SlotLock::Step => "They show the same step.",
        SlotLock::Turn => "They show the last step of the same turn.",
        SlotLock::Progress => "They show the step as far from their start to their end.",
        SlotLock::Alignment => {
            "They show the step that goes with it: the same call, change or picture."
        }
    }
}

/// The other runs of the task.
fn other_runs<'a>(cx: &ViewContext<'a>) -> impl Iterator<Item = (RunId, &'a LibraryRun)> {
    let state = cx.state;
    let task = state.selection.task.as_ref();
    let runs = task.into_iter().flat_map(|task| state.library.runs_of(task));
    runs.filter(|(run, _)| state.selection.run != Some(*run))
}

fn run_item_ui(ui: &mut Ui, cx: &ViewContext<'_>, run: RunId, entry: &LibraryRun) {
    let slots = &cx.state.stage.slots;
    let mut is_on = slots.iter().any(|it| matches!(it, Slot::Run { run: it, .. } if *it == run));
    let has_room = is_on || slots.len() < MOST_SLOTS;
    let name: String = entry.manifest.agent.name.chars().take(NAME).collect();
    let words = format!("{name} · {} steps", entry.steps);
    // Scoped, because the look would stay for every row that follows.
    let tick = ui.scope(|ui| {
        tick_look(ui);
        ui.add_enabled(has_room, egui::Checkbox::new(&mut is_on, words))
    });
    if tick.inner.clicked() {
        cx.send(Command::Stage(StageCommand::ToggleSlot(run)));
    }
}

/// What there is to set where they lie over one another, in a row below the pictures.
pub(super) fn overlaid_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    in_the_middle(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        against_ui(ui, cx);
        ui.add_space(6.0);
        let stage = &cx.state.stage;
        match stage.view {
            StageView::SideBySide | StageView::Blink => {}
            StageView::Swipe => {
                for (down, icon, words) in [
                    (false, icons::SWIPE, "Left and right"),
                    (true, icons::SWIPE_DOWN, "Above and below"),
                ] {
                    let button = Button::icon(icon, words).look(Look::Tool).tooltip(words);
                    if button.selected(stage.swipe_down == down).show(ui).clicked() {
                        cx.send(Command::Stage(StageCommand::SwipeDown(down)));
                    }
                }
            }
            StageView::OnionSkin => onion_ui(ui, cx),
            StageView::Difference => {
                if cx.state.pixel_difference_key().is_some() {
                    differing_ui(ui, cx);
                } else {
                    gain_ui(ui, cx);
                }
                ui.add_space(6.0);
                tolerance_ui(ui, cx);
            }
        }
    });
}

/// A row in the middle of the room there is: how wide it is, it was in the frame before.
fn in_the_middle(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let id = ui.scope_id().with("row");
    let known: Option<f32> = ui.data(|data| data.get_temp(id));
    ui.horizontal_centered(|ui| {
        let room = ui.available_width();
        ui.add_space(((room - known.unwrap_or(room)) * 0.5).max(12.0));
        let row = ui.scope(add).response.rect.width();
        if known.is_none_or(|known| (known - row).abs() > 0.5) {
            ui.data_mut(|data| data.insert_temp(id, row));
            ui.ctx().request_repaint();
        }
    });
}

/// What the run is compared with: a menu where there is a choice.
fn against_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let state = cx.state;
    let shown = name_of(cx, views::against_pane(state));
    let words: String = shown.chars().take(NAME).collect();
    ui.label(rich_text("Compared with", Type::Caption, tokens(ui).dim));
    let has_branch = views::is_branch_edited(state);
    if state.stage.slots.is_empty() && !has_branch {
        ui.label(rich_text(words, Type::Caption, tokens(ui).text));
        return;
    }
    let name = format!("Compared with {words}");
    let button = Button::text(&words).named(&name).look(Look::Tool).compact().show(ui);
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(200.0);
        chosen_look(ui);
        against_choices_ui(ui, cx);
    });
}

/// In a menu, what the run can be compared with.
pub(super) fn against_choices_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let state = cx.state;
    let mut choices = vec![(Against::GroundTruth, "Ground truth".to_owned())];
    if views::is_branch_edited(state) {
        choices.push((Against::Branch, "What-if".to_owned()));
    }
    for at in 0..state.stage.slots.len() as u8 {
        let name = name_of(cx, StagePane::Slot(at));
        let letter = SLOT_NAMES.get(usize::from(at)).copied().unwrap_or_default();
        choices.push((Against::Slot(at), format!("{letter} · {name}")));
    }
    for (against, words) in choices {
        if ui.selectable_label(state.stage.against == against, words).clicked() {
            cx.send(Command::Stage(StageCommand::Against(against)));
        }
    }
}

fn onion_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let mut share = cx.state.stage.onion;
    ui.spacing_mut().slider_width = 140.0;
    ui.spacing_mut().interact_size.y = 16.0;
    let label = ui.label(rich_text("Run", Type::Caption, tokens(ui).dim));
    let slider = egui::Slider::new(&mut share, 0.0..=1.0).show_value(false);
    let response = add_stable(ui, slider).labelled_by(label.id);
    let other = name_of(cx, views::against_pane(cx.state));
    ui.label(rich_text(other, Type::Caption, tokens(ui).dim));
    if response.changed() {
        cx.send(Command::Stage(StageCommand::Onion(share)));
    }
}

/// What can be done with a picture beside the run: buttons at the end of its title.
pub(super) fn slot_buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, at: u8, room: egui::Rect) {
    let Some(slot) = cx.state.stage.slots.get(usize::from(at)) else { return };
    let builder = egui::UiBuilder::new()
        .max_rect(room)
        .id_salt(("slot_buttons", at))
        .layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let letter = SLOT_NAMES.get(usize::from(at)).copied().unwrap_or_default();
        let names = ["Close", "Pin", "Select"].map(|verb| format!("{verb} {letter}"));
        let close = Button::icon(icons::CLOSE, &names[0]).tooltip("Take this picture away.");
        if close.look(Look::Tool).height(20.0).compact().show(ui).clicked() {
            cx.send(Command::Stage(StageCommand::CloseSlot(at)));
        }
        if let Slot::Run { run, pinned } = slot {
            let words = if pinned.is_some() {
                "Let it follow the selected run again."
            } else {
                "Keep it at this step."
            };
            let pin = Button::icon(icons::PIN, &names[1]).tooltip(words).look(Look::Tool);
            if pin.height(20.0).compact().selected(pinned.is_some()).show(ui).clicked() {
                cx.send(Command::Stage(StageCommand::PinSlot(at)));
            }
            let swap = Button::icon(icons::SWAP, &names[2]).look(Look::Tool);
            let words = if cx.state.selection.run == Some(*run) {
                "Go to this step; the selected one takes its place."
            } else {
                "Select this run; the selected one takes its place."
            };
            let swap = swap.tooltip(words);
            if swap.height(20.0).compact().show(ui).clicked() {
                cx.send(Command::Stage(StageCommand::SwapSlot(at)));
            }
        }
    });
}

/// What the difference of the channels is multiplied with.
fn gain_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.label(rich_text("Magnified", Type::Caption, tokens(ui).dim));
    for gain in [1.0, 2.0, 4.0, 8.0, 16.0] {
        let words = format!("×{gain:.0}");
        let name = format!("Difference times {gain:.0}");
        let button = Button::text(&words).named(&name).look(Look::Tool).compact();
        let is_on = (cx.state.stage.gain - gain).abs() < 0.01;
        if button.selected(is_on).show(ui).clicked() {
            cx.send(Command::Stage(StageCommand::Gain(gain)));
        }
    }
}

/// How many pixels differ with what is let pass.
fn differing_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(key) = cx.state.pixel_difference_key() else { return };
    let words = match cx.state.derived.pixel_differences.get(&key) {
        Some(Fetched::Ready(found)) => match found.share() {
            Some(share) => format!("{:.2} % of pixels differ", share * 100.0),
            None => "All of it is ignored".to_owned(),
        },
        Some(Fetched::Failed(why)) => why.clone(),
        Some(Fetched::Pending) | None => "Comparing…".to_owned(),
    };
    let label = ui.label(rich_text(words, Type::Strong, tokens(ui).text));
    if let Some(Fetched::Ready(found)) = cx.state.derived.pixel_differences.get(&key) {
        label.on_hover_text(format!(
            "{} of {} pixels; {} more only smooth an edge. What is let pass or left out here changes \
             no score: those stay as published.",
            grouped(found.differing),
            grouped(found.counted),
            grouped(found.antialiased)
        ));
    }
}

/// What the difference lets pass and leaves out, in a menu: the row is short of room.
fn tolerance_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let now = cx.state.stage.tolerance;
    let areas = cx.state.ignored_areas().len();
    let is_on = !now.is_exact() || areas > 0 || cx.state.stage.draws_ignored;
    let button = Button::text("Tolerance").look(Look::Tool).compact().selected(is_on);
    let tip = "Let anti-aliasing and small shifts pass, and leave areas out.";
    let button = button.tooltip(tip).show(ui);
    let menu =
        egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| {
        ui.set_min_width(250.0);
        switch_ui(ui, cx, CommandId::IgnoreAntialiasing, now.ignores_antialiasing);
        ui.horizontal(|ui| {
            ui.label("Shift up to");
            for shift in 0..=MOST_SHIFT {
                let name = format!("Tolerate a shift of {shift} px");
                let words = shift.to_string();
                let button = Button::text(&words).named(&name).look(Look::Tool).compact();
                if button.selected(now.shift == shift).show(ui).clicked() {
                    tolerate(cx, PixelTolerance { shift, ..now });
                }
            }
            ui.label("px");
        });
        ui.horizontal(|ui| {
            ui.label("The same up to");
            let mut percent = now.threshold_percent;
            let drag = egui::DragValue::new(&mut percent).range(0..=100).suffix(" %").speed(0.2);
            if ui.add(drag).accessible_name("Threshold of the difference").changed() {
                tolerate(cx, PixelTolerance { threshold_percent: percent, ..now });
            }
        });
        ui.separator();
        switch_ui(ui, cx, CommandId::DrawIgnored, cx.state.stage.draws_ignored);
        if areas > 0 && ui.button(format!("Take {} in again", count(areas, "area"))).clicked() {
            cx.send(Command::Areas(AreaCommand::RestoreAll));
        }
        let words = "Areas are kept with the task. Scores are of all of the picture, as published.";
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    });
}

/// A command that switches something, as a box to tick with its key.
fn switch_ui(ui: &mut Ui, cx: &ViewContext<'_>, id: CommandId, is_on: bool) {
    let entry = command(id);
    ui.horizontal(|ui| {
        if tick_ui(ui, entry.text, entry.tooltip, is_on).is_some() {
            CommandButton::text(id).press(cx);
        }
        if let Some(key) = entry.key(ui, cx.state) {
            ui.label(rich_text(key, Type::Caption, tokens(ui).dim));
        }
    });
}

fn tolerate(cx: &ViewContext<'_>, tolerance: PixelTolerance) {
    cx.send(Command::Stage(StageCommand::Tolerate(tolerance)));
}

/// Whether there is anything to set below the pictures.
pub(super) fn has_row(cx: &ViewContext<'_>) -> bool {
    views::panes(cx.state).contains(&StagePane::Overlaid)
}
