//! The buttons of the timeline, where it stands, and how the run went.

use egui::{Align, Label, Layout, RichText, Ui};

use crate::ui::commands::{CommandButton, CommandId, SPEEDS, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::panel_windows::head_menu;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, change_words, chosen_look, rich_text, score_words, sentence, text_width,
};
use crate::workbench::views::{EndOfCurve, Timeline};
use crate::workbench::{Command, PanelWindow, Pause, PlaybackCommand, RunState};

use super::legend::{end_words, fall_words, short_end_words};

/// What a button takes beside its words: its icon, and the room around both.
const ICON: f32 = 40.0;

/// Draws the row.
pub(super) fn transport_ui(ui: &mut Ui, cx: &ViewContext<'_>, timeline: &Timeline<'_>) {
    let roomy = ui.available_width() > 700.0;
    let wanted = egui::vec2(ui.available_width(), size::TOOLBAR);
    let row = Layout::left_to_right(Align::Center);
    let head = ui.allocate_ui_with_layout(wanted, row, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.set_min_height(size::TOOLBAR);
        ui.add_space(8.0);
        let play = if cx.state.playback.playing { icons::PAUSE } else { icons::PLAY };
        for (id, icon) in [
            (CommandId::First, icons::FIRST),
            (CommandId::StepBack, icons::STEP_BACK),
            (CommandId::Play, play),
            (CommandId::StepForward, icons::STEP_FORWARD),
            (CommandId::Last, icons::LAST),
        ] {
            CommandButton::icon(id, icon).show(ui, cx);
        }
        speed_ui(ui, cx);
        position_ui(ui, timeline);
        targets_ui(ui, cx, timeline, roomy);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(size::GUTTER);
            if timeline.is_live {
                let words = "Follow live";
                // Where its words have no room its icon stands alone; over others it would hide them.
                let follow = if ui.available_width() < text_width(ui, words, Type::Body) + ICON {
                    CommandButton::icon(CommandId::Follow, icons::LIVE)
                } else {
                    let follow = CommandButton::text(CommandId::Follow).short(words);
                    follow.with_icon(icons::LIVE).look(Look::Tool)
                };
                let pause = timeline.run.pause;
                // In a narrow timeline there is room for one of the two; that it is paused explains
                // more.
                if roomy || !pause.is_on() {
                    follow.selected(cx.state.playback.follow).show(ui, cx);
                }
                paused_ui(ui, pause);
            } else {
                verdict_ui(ui, timeline, roomy);
            }
        });
    });
    head_menu(&head.response, cx, PanelWindow::Timeline);
}

/// How fast steps are played.
fn speed_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let now = cx.state.playback.steps_per_second;
    let key = command(CommandId::Faster).key(ui, cx.state);
    let words = speed_words(now);
    let button = Button::text(&words).named("Speed of playing").look(Look::Tool).compact();
    let button = button.tooltip("Steps played a second.").key(key).show(ui);
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(120.0);
        chosen_look(ui);
        for speed in SPEEDS {
            let is_now = (speed - now).abs() < 0.01;
            if ui.selectable_label(is_now, speed_words(speed)).clicked() {
                cx.send(Command::Playback(PlaybackCommand::SetSpeed(speed)));
            }
        }
    });
}

fn speed_words(speed: f32) -> String {
    format!("{speed}/s")
}

/// Says so where the run is followed, if it does not grow because it is paused.
fn paused_ui(ui: &mut Ui, pause: Pause) {
    let words = match pause {
        Pause::No => return,
        Pause::Asked => "Pausing",
        Pause::Waits => "Paused",
    };
    let ink = tokens(ui).warn;
    ui.add_space(6.0);
    ui.label(rich_text(words, Type::Strong, ink));
    ui.label(rich_text(icons::PAUSE, Type::Icon, ink));
}

fn position_ui(ui: &mut Ui, timeline: &Timeline<'_>) {
    let tokens = tokens(ui);
    divider_ui(ui);
    let last = timeline.steps.len().saturating_sub(1);
    let strong = RichText::new(timeline.current.to_string()).font(Type::Strong.font());
    ui.label(RichText::new("Step ").color(tokens.dim));
    ui.label(strong.color(tokens.text));
    let turn = match timeline.current_turn {
        0 => String::new(),
        turn => format!(" · turn {turn}"),
    };
    // Until the run is read its number of steps is a guess of the library.
    let words = if timeline.is_loading {
        " · reading the run…".to_owned()
    } else {
        format!(" / {last}{turn}")
    };
    ui.label(RichText::new(words).color(tokens.dim));
    divider_ui(ui);
}

fn targets_ui(ui: &mut Ui, cx: &ViewContext<'_>, timeline: &Timeline<'_>, roomy: bool) {
    // Most runs have no error, and the row is short of room.
    let has_errors = timeline.steps.iter().any(|step| step.failed);
    for (id, icon, words) in [
        (CommandId::NextLoss, icons::LOSS, "Next loss"),
        (CommandId::NextGain, icons::GAIN, "Next gain"),
        (CommandId::Best, icons::BEST, "Best"),
        (CommandId::NextError, icons::ERROR, "Next error"),
    ] {
        if id == CommandId::NextError && !has_errors {
            continue;
        }
        let button = CommandButton::icon(id, icon).compact();
        if roomy { button.short(words).with_key() } else { button }.show(ui, cx);
    }
}

fn divider_ui(ui: &mut Ui) {
    ui.add_space(8.0);
    let (rect, _) = ui.allocate_exact_size(egui::vec2(1.0, 16.0), egui::Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), tokens(ui).line());
    ui.add_space(8.0);
}

/// Whether a line has room in what is left of the row.
fn fits(ui: &Ui, words: &str) -> bool {
    // Some of its letters may be bold.
    text_width(ui, words, Type::Strong) <= ui.available_width()
}

/// How the run went, in a line; where room is short, only the end of it.
fn verdict_ui(ui: &mut Ui, timeline: &Timeline<'_>, roomy: bool) {
    let broken_off = match timeline.run.state {
        RunState::Failed(_) => Some(("Failed", tokens(ui).loss)),
        RunState::Unreadable(_) => Some(("Cannot be read", tokens(ui).loss)),
        RunState::Cancelled => Some(("Stopped", tokens(ui).dim)),
        RunState::Interrupted => Some(("Interrupted", tokens(ui).warn)),
        RunState::Live | RunState::Finished => None,
    };
    // What it left behind is no result to boast of.
    if let Some((words, ink)) = broken_off {
        ui.label(rich_text(words, Type::Strong, ink));
        return;
    }
    let Some(end) = timeline.end() else { return };
    let tokens = tokens(ui);
    let whole = sentence(&end_words(&end));
    let EndOfCurve::Fallen { value, by } = end.end else {
        let short = match end.end {
            EndOfCurve::AtBest { value } => format!("best {}", score_words(value)),
            EndOfCurve::Fallen { .. } | EndOfCurve::NotScored => short_end_words(&end),
        };
        let shown = if roomy && fits(ui, &whole) { &whole } else { &short };
        // A letter and an ellipsis say nothing; the curve below has the score too.
        if fits(ui, shown) {
            let shown = RichText::new(shown).color(tokens.dim);
            ui.add(Label::new(shown).truncate()).on_hover_text(whole);
        }
        return;
    };
    let fall = fall_words(&end).unwrap_or_default();
    // The longest that fits; cut off, it would be no verdict.
    let (start, fall) = if roomy && fits(ui, &whole) {
        (whole.strip_suffix(&fall).unwrap_or_default().to_owned(), fall)
    } else if fits(ui, &format!("ended {fall}")) {
        ("ended ".to_owned(), fall)
    } else {
        let change = value - end.peak.1;
        (String::new(), if by.is_finite() { change_words(change) } else { score_words(value) })
    };
    let mut job = egui::text::LayoutJob::default();
    let plain = egui::TextFormat::simple(Type::Body.font(), tokens.dim);
    job.append(&start, 0.0, plain);
    job.append(&fall, 0.0, egui::TextFormat::simple(Type::Strong.font(), tokens.loss));
    ui.add(Label::new(job).truncate()).on_hover_text(whole);
}
