//! The launch dialog: which tasks, which agent, with what.

use std::path::Path;

use egui::{
    Align, DragValue, Id, Layout, Modal, Rect, Response, RichText, Role, ScrollArea, Sense, Stroke,
    StrokeKind, TextEdit, Ui, WidgetInfo, vec2,
};

use super::context::ViewContext;
use super::icons;
use super::status_bar::count;
use super::theme::{Type, size, tokens};
use super::widgets::{
    Button, Look, caption_row, elided_label, hairline, paint_text, path_label, section_header,
    text_width,
};
use crate::agent::EXEC;
use crate::agent::model_agent::{Mode, ModelAgent};
use crate::environment::canvas::Compat;
use crate::run::TaskRef;
use crate::workbench::{Browse, Command, LaunchEdit, LibrarySet};

/// The agents there are: kind, name, what it does.
const AGENTS: [(&str, &str, &str); 4] = [
    ("tracer", "Tracer", "Draws what it sees in the picture, without a model."),
    (ModelAgent::KIND, "Model", "Asks a model behind an API, with your key."),
    ("scripted", "Scripted", "Plays the tool calls of a file, turn by turn."),
    (EXEC, "Your own", "Asks a program of yours, by lines of JSON."),
];

/// Draws the dialog.
pub(super) fn launch_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("launch"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(0));
    let room = ui.ctx().content_rect().size();
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room.x - 120.0).clamp(360.0, 680.0));
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        padded(ui, 12, |ui| header_ui(ui, cx));
        hairline(ui);
        padded(ui, 4, |ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            ui.columns_const(|[left, right]| {
                left.spacing_mut().item_spacing.x = 8.0;
                right.spacing_mut().item_spacing.x = 8.0;
                tasks_ui(left, cx, (room.y - 260.0).clamp(160.0, 340.0));
                settings_ui(right, cx);
            });
        });
        hairline(ui);
        padded(ui, 12, |ui| footer_ui(ui, cx));
    });
    if response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

fn padded(ui: &mut Ui, above: i8, add: impl FnOnce(&mut Ui)) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(16, above)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

fn header_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal(|ui| {
        let title = RichText::new("Run an agent").font(Type::Display.font());
        ui.label(title.color(tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = Button::icon(icons::CLOSE, "Close").look(Look::Tool);
            if close.key(Some("Esc".to_owned())).show(ui).clicked() {
                cx.send(Command::CloseOverlay);
            }
        });
    });
}

fn tasks_ui(ui: &mut Ui, cx: &ViewContext<'_>, height: f32) {
    let chosen = cx.state.launch.tasks.len();
    section_header(ui, "Tasks", &format!("{chosen} chosen"));
    ScrollArea::vertical()
        .id_salt("launch_tasks")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for entry in &cx.state.library.sets {
                set_ui(ui, cx, entry);
            }
        });
}

fn set_ui(ui: &mut Ui, cx: &ViewContext<'_>, entry: &LibrarySet) {
    let set = &entry.set;
    let task_ref = |id: &str| TaskRef { set: set.id.clone(), id: id.to_owned() };
    let chosen =
        set.tasks.iter().filter(|task| cx.state.launch.tasks.contains(&task_ref(&task.id))).count();
    let mark = match chosen {
        0 => Mark::No,
        all if all == set.tasks.len() => Mark::Yes,
        _ => Mark::Some,
    };
    if check_ui(ui, &set.name, "", mark, 0.0) {
        cx.send(Command::EditLaunch(LaunchEdit::ToggleSet(set.id.clone())));
    }
    for task in &set.tasks {
        let task_ref = task_ref(&task.id);
        let on = cx.state.launch.tasks.contains(&task_ref);
        let mark = if on { Mark::Yes } else { Mark::No };
        let aside = task.category.as_deref().unwrap_or_default();
        if check_ui(ui, &task.id, aside, mark, 18.0) {
            cx.send(Command::EditLaunch(LaunchEdit::ToggleTask(task_ref)));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    No,
    Some,
    Yes,
}

/// A row with a box to tick; gives whether it was pressed.
fn check_ui(ui: &mut Ui, name: &str, aside: &str, mark: Mark, indent: f32) -> bool {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    let on = mark == Mark::Yes;
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    if !ui.is_rect_visible(rect) {
        return false;
    }
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.raised);
    }
    let center = rect.left_center() + vec2(indent + 12.0, 0.0);
    let tick = Rect::from_center_size(center, vec2(14.0, 14.0));
    let (fill, outline) = if mark == Mark::No {
        (tokens.raised, Stroke::new(1.0, tokens.faint))
    } else {
        (tokens.accent, Stroke::NONE)
    };
    ui.painter().rect(tick, 3, fill, outline, StrokeKind::Inside);
    let icon = match mark {
        Mark::No => "",
        Mark::Some => icons::SOME,
        Mark::Yes => icons::CHECK,
    };
    let middle = egui::Align2::CENTER_CENTER;
    paint_text(ui.painter(), center, middle, icon, (Type::IconSmall, tokens.on_accent), 20.0);
    let left = egui::Align2::LEFT_CENTER;
    let at = center + vec2(15.0, 0.0);
    let style = if indent == 0.0 { (Type::Strong, tokens.text) } else { (Type::Body, tokens.text) };
    let room = rect.right() - at.x - 8.0;
    let named = paint_text(ui.painter(), at, left, name, style, room);
    let right = rect.right_center() - vec2(8.0, 0.0);
    let style = (Type::Caption, tokens.faint);
    let room = right.x - named.right() - 10.0;
    if room > 30.0 {
        paint_text(ui.painter(), right, egui::Align2::RIGHT_CENTER, aside, style, room);
    }
    response.clicked()
}

fn settings_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header(ui, "Agent", "");
    for (kind, name, words) in AGENTS {
        agent_ui(ui, cx, kind, name, words);
        ui.add_space(6.0);
    }
    let launch = &cx.state.launch;
    if launch.agent == "scripted" {
        let script = launch.script.as_deref();
        let choose = (Need::Needed, "Choose a script of tool calls…");
        path_ui(ui, cx, "Script", script, choose, Browse::Script);
    }
    if launch.agent == EXEC {
        command_ui(ui, cx);
    }
    if launch.agent == ModelAgent::KIND {
        model_ui(ui, cx);
    }
    ui.add_space(4.0);
    section_header(ui, "Settings", "");
    number_ui(ui, "At most", "turns", launch.max_turns, 1..=1000, |turns| {
        cx.send(Command::EditLaunch(LaunchEdit::MaxTurns(turns)));
    });
    number_ui(ui, "At once", "runs", launch.jobs, 1..=16, |jobs| {
        cx.send(Command::EditLaunch(LaunchEdit::Jobs(jobs)));
    });
    let out = Some(launch.out_dir.as_path()).filter(|path| !path.as_os_str().is_empty());
    let choose = (Need::Needed, "Choose a folder for the runs…");
    path_ui(ui, cx, "Into", out, choose, Browse::OutDir);
    ui.add_space(4.0);
    compat_ui(ui, cx);
}

fn model_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let model = &cx.state.launch.model;
    caption_row(ui, |ui| {
        label_ui(ui, "Model");
        let mut name = model.name.clone();
        let hint = RichText::new("anthropic:NAME, or of the file").color(tokens.faint);
        let edit = TextEdit::singleline(&mut name)
            .id(Id::unique("launch_model"))
            .desired_width(f32::INFINITY)
            .hint_text(hint);
        let response = ui.add(edit).accessible_name("Name of the model");
        if response.changed() {
            cx.send(Command::EditLaunch(LaunchEdit::ModelName(name)));
        }
        response.on_hover_text(
            "A name of the file of models, or KIND:MODEL or KIND:MODEL@ADDRESS with KIND one of \
             responses, chat_completions, anthropic, gemini. The key comes from the environment or \
             the keyring.",
        );
    });
    ui.add_space(4.0);
    let file = model.file.as_deref();
    let choose = (Need::Optional, "Choose a file of models…");
    path_ui(ui, cx, "File", file, choose, Browse::ModelFile);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (mode, words, name) in MODES {
            if choice_ui(ui, words, name, model.mode == mode).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::ModelMode(mode)));
            }
        }
    });
    ui.add_space(8.0);
}

/// How a model works: the choice, and its name for screen readers.
const MODES: [(Mode, &str, &str); 3] = [
    (Mode::MultiTurn, "turn by turn", "The model works turn by turn"),
    (Mode::SingleTurn, "all at once", "The model makes all calls at once"),
    (Mode::Code, "as HTML", "The model writes a page in HTML instead of calls; needs Chromium"),
];

fn command_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    caption_row(ui, |ui| {
        label_ui(ui, "Command");
        let mut command = cx.state.launch.command.clone();
        let hint = RichText::new("python3 agent.py").color(tokens.faint);
        let edit = TextEdit::singleline(&mut command)
            .id(Id::unique("launch_command"))
            .desired_width(f32::INFINITY)
            .hint_text(hint);
        let response = ui.add(edit).accessible_name("Command of your own agent");
        if response.changed() {
            cx.send(Command::EditLaunch(LaunchEdit::Command(command)));
        }
        response
            .on_hover_text("The program and its arguments. No shell: quotes keep words together.");
    });
    ui.add_space(4.0);
}

/// Whose behaviour the tools follow: the choice, its name for screen readers, what it means.
const BEHAVIOURS: [(Compat, &str, &str, &str); 2] = [
    (
        Compat::Documented,
        "as documented",
        "Tools behave as documented",
        "Every tool does what its description says.",
    ),
    (
        Compat::Canvas202601,
        "as published 2026-01",
        "Tools behave as published 2026-01",
        "Faults of the published tools of January 2026 included: for runs to set beside published \
         ones. The run remembers it as canvas-2026-01.",
    ),
];

fn compat_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header(ui, "Tools behave", "");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (compat, words, name, tooltip) in BEHAVIOURS {
            let selected = cx.state.launch.compat == compat;
            if choice_ui(ui, words, name, selected).on_hover_text(tooltip).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::Compat(compat)));
            }
        }
    });
    ui.add_space(4.0);
}

/// One of two or more things to choose from, beside each other.
fn choice_ui(ui: &mut Ui, words: &str, name: &str, selected: bool) -> Response {
    let wanted = vec2(text_width(ui, words, Type::Body).ceil() + 20.0, 26.0);
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, name));
    card(ui, rect, &response, selected);
    let tokens = tokens(ui);
    let style = (Type::Body, if selected { tokens.text } else { tokens.dim });
    let middle = egui::Align2::CENTER_CENTER;
    paint_text(ui.painter(), rect.center(), middle, words, style, rect.width());
    response
}

/// The ground of something to choose.
fn card(ui: &Ui, rect: Rect, response: &Response, selected: bool) {
    let tokens = tokens(ui);
    let fill = if selected {
        tokens.accent_wash
    } else if response.hovered() || response.has_focus() {
        tokens.raised_hover
    } else {
        tokens.raised
    };
    let outline = if selected { Stroke::new(1.0, tokens.accent) } else { tokens.line() };
    ui.painter().rect(rect, size::RADIUS, fill, outline, StrokeKind::Inside);
}

fn agent_ui(ui: &mut Ui, cx: &ViewContext<'_>, kind: &str, name: &str, words: &str) {
    let tokens = tokens(ui);
    let selected = cx.state.launch.agent == kind;
    let wanted = vec2(ui.available_width(), 48.0);
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, name));
    card(ui, rect, &response, selected);
    let icon = match kind {
        "tracer" => icons::TRACER,
        EXEC => icons::COMMAND,
        ModelAgent::KIND => icons::RUN,
        _ => icons::SCRIPT,
    };
    let left = egui::Align2::LEFT_CENTER;
    let at = rect.left_top() + vec2(12.0, 17.0);
    paint_text(ui.painter(), at, left, icon, (Type::Icon, tokens.text), 20.0);
    let title = at + vec2(24.0, 0.0);
    paint_text(ui.painter(), title, left, name, (Type::Strong, tokens.text), rect.width() - 40.0);
    let room = rect.width() - 48.0;
    let font = Type::Caption.font();
    let galley = ui.painter().layout(words.to_owned(), font, tokens.dim, room);
    ui.painter().galley(rect.left_top() + vec2(36.0, 29.0), galley, tokens.dim);
    if response.clicked() {
        cx.send(Command::EditLaunch(LaunchEdit::Agent(kind.to_owned())));
    }
}

fn number_ui(
    ui: &mut Ui,
    before: &str,
    after: &str,
    value: u32,
    range: std::ops::RangeInclusive<u32>,
    changed: impl FnOnce(u32),
) {
    caption_row(ui, |ui| {
        label_ui(ui, before);
        let mut value = value;
        let name = format!("{before} so many {after}");
        let field = DragValue::new(&mut value).range(range).speed(0.2);
        let response = ui.add(field).accessible_name(name);
        ui.label(RichText::new(after).color(tokens(ui).dim));
        if response.changed() {
            changed(value);
        }
    });
    ui.add_space(4.0);
}

fn label_ui(ui: &mut Ui, words: &str) {
    let before = ui.cursor().left();
    ui.label(RichText::new(words).color(tokens(ui).dim));
    ui.add_space((before + 56.0 - ui.cursor().left()).max(0.0));
}

/// Whether a launch needs what is to be chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Needed,
    Optional,
}

fn path_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    label: &str,
    path: Option<&Path>,
    (need, missing): (Need, &str),
    browse: Browse,
) {
    let tokens = tokens(ui);
    let ink = if need == Need::Needed { tokens.warn } else { tokens.faint };
    caption_row(ui, |ui| {
        label_ui(ui, label);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = Button::text("Choose…").height(24.0).tooltip(missing);
            if button.named(missing).show(ui).clicked() {
                cx.send(Command::Browse(browse));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| match path {
                Some(path) => path_label(ui, &path.display().to_string()),
                None => {
                    elided_label(ui, "none chosen", Type::Body, ink);
                }
            });
        });
    });
    ui.add_space(4.0);
}

fn footer_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let launch = &cx.state.launch;
    let tasks = launch.tasks.len();
    let why_not = match launch.agent.as_str() {
        _ if tasks == 0 => Some("Choose at least one task."),
        "scripted" if launch.script.is_none() => Some("Choose the script to play."),
        EXEC if launch.command.trim().is_empty() => Some("Give the command of your agent."),
        ModelAgent::KIND if launch.model.name.trim().is_empty() => Some("Name a model."),
        _ => None,
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_height(size::BUTTON);
        let words = format!("Launch {}", count(tasks, "run"));
        let button = Button::text(&words).with_icon(icons::PLAY).look(Look::Primary);
        let tooltip =
            why_not.unwrap_or("They run in the background; the first comes on the stage.");
        if button.enabled(why_not.is_none()).tooltip(tooltip).show(ui).clicked() {
            cx.send(Command::Launch);
        }
        let cancel = Button::text("Cancel").tooltip("Close without launching.");
        if cancel.key(Some("Esc".to_owned())).show(ui).clicked() {
            cx.send(Command::CloseOverlay);
        }
        if let Some(why) = why_not {
            ui.label(RichText::new(why).color(tokens(ui).dim));
        }
    });
}
