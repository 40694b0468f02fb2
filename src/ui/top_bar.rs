//! The bar at the top: who we are, where to go, what is at work, which theme.

use egui::{Align, Align2, Id, Layout, Rect, Role, Sense, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::commands::{CommandButton, CommandId, Local, command};
use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{
    Button, Look, allocate_stable, allocate_stable_of, kbd_ui, paint_text, progress_bar_ui,
    text_width, tooltip_ui,
};
use crate::workbench::{Command, ThemeChoice, Workspace, views};

/// Draws the bar.
pub(super) fn top_bar_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal_centered(|ui| {
        ui.add_space(4.0);
        brand_ui(ui);
        rooms_ui(ui, cx);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            theme_button_ui(ui, cx);
            // Jobs name agents and tasks.
            if !cx.state.shows_blind_project() {
                jobs_ui(ui, cx);
            }
            ui.add_space(4.0);
            search_ui(ui, cx);
        });
    });
}

/// The rooms of the window.
fn rooms_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    ui.add_space(16.0);
    for (room, id) in [
        (Workspace::Inspect, CommandId::ShowInspect),
        (Workspace::Explore, CommandId::ShowExplore),
        (Workspace::Annotate, CommandId::ShowAnnotate),
        (Workspace::Assist, CommandId::ShowAssist),
    ] {
        let is_on = cx.state.workspace == room;
        CommandButton::text(id).look(Look::Tool).selected(is_on).show(ui, cx);
    }
}

/// A painting under a painting: one square shows through the other.
fn brand_ui(ui: &mut Ui) {
    let tokens = tokens(ui);
    let name = "Pentimento";
    let width = 30.0 + text_width(ui, name, Type::Title);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, name));
    let mark =
        Rect::from_min_size(pos2(rect.left() + 4.0, rect.center().y - 8.0), vec2(16.0, 16.0));
    let [under, middle, over] = tokens.brand;
    let mut mesh = egui::Mesh::default();
    for (corner, color) in [
        (mark.left_top(), under),
        (mark.right_top(), middle),
        (mark.right_bottom(), over),
        (mark.left_bottom(), middle),
    ] {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(0, 2, 3);
    ui.painter().add(mesh);
    // The corners of the mesh are rounded by what is around them, which has to reach beyond them.
    let rounded = egui::Stroke::new(2.5, tokens.window);
    ui.painter().rect_stroke(mark.expand(1.5), 5, rounded, StrokeKind::Inside);
    let at = pos2(mark.right() + 8.0, rect.center().y);
    let style = (Type::Title, tokens.text);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, name, style, width);
}

fn theme_button_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let dark = ui.visuals().dark_mode;
    let (icon, choice) =
        if dark { (icons::SUN, ThemeChoice::Light) } else { (icons::MOON, ThemeChoice::Dark) };
    let name = if dark { "Light theme" } else { "Dark theme" };
    let key = command(CommandId::SwitchTheme).key(ui, cx.state);
    let button = Button::icon(icon, name).look(Look::Tool).key(key);
    if button.show(ui).clicked() {
        cx.send(Command::SetTheme(choice));
    }
}

fn jobs_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let summary = views::jobs_summary(cx.state);
    // Of several, the button would stop one nobody chose: the list has a button for each.
    if let Some(only) = summary.only {
        let stop = Button::icon(icons::CLOSE, "Stop the job").look(Look::Tool);
        if stop.tooltip("Stop what is at work; what was recorded stays.").show(ui).clicked() {
            cx.send(Command::CancelJob(only));
        }
    }
    // Scores and pictures are jobs too, and cannot be paused.
    if cx.state.jobs.active_runs().next().is_some() {
        let is_paused = cx.state.jobs.active_runs().all(|(_, job)| job.pause.is_on());
        let icon = if is_paused { icons::PLAY } else { icons::PAUSE };
        CommandButton::icon(CommandId::PauseAll, icon).show(ui, cx);
    }
    if summary.active == 0 {
        CommandButton::icon(CommandId::Jobs, icons::JOBS).show(ui, cx);
        return;
    }
    progress_bar_ui(ui, &summary.label, summary.fraction, 72.0);
    // Not a button of the command, whose words would stand in place of what is at work. As wide as its
    // own, up to a point: the bar must not push the search field away.
    let width = text_width(ui, &summary.label, Type::Body).min(200.0) + 16.0;
    let (rect, response) = allocate_stable_of(
        ui,
        Id::unique(CommandId::Jobs),
        vec2(width, size::BUTTON),
        Sense::click(),
    );
    if response.hovered() {
        ui.painter().rect_filled(rect, size::RADIUS, tokens.raised);
    }
    let (at, style) = (rect.left_center() + vec2(8.0, 0.0), (Type::Body, tokens.text));
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &summary.label, style, width - 12.0);
    if response.clicked() {
        CommandButton::text(CommandId::Jobs).press(cx);
    }
    let command = command(CommandId::Jobs);
    let key = command.key(ui, cx.state);
    let response = response.on_hover_ui(|ui| tooltip_ui(ui, command.tooltip, key.as_deref()));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Show jobs"));
}

fn search_words(cx: &ViewContext<'_>) -> &'static str {
    match cx.state.workspace {
        Workspace::Inspect | Workspace::Explore => "Go to task, run, command…",
        Workspace::Annotate => "Go to item, command…",
        Workspace::Assist => "Go to task, command…",
    }
}

/// Looks like a field and opens the palette, where there is room for what is found.
fn search_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let command = command(CommandId::Palette);
    // Last in the bar, and so as wide as the others leave it.
    let width = (ui.available_width() - 16.0).clamp(120.0, 260.0);
    let (rect, response) = allocate_stable(ui, vec2(width, size::BUTTON), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, command.text));
    let fill = if response.hovered() { tokens.raised_hover } else { tokens.raised };
    ui.painter().rect(rect, size::RADIUS, fill, tokens.line(), StrokeKind::Inside);
    let icon = rect.left_center() + vec2(8.0, 0.0);
    let left = Align2::LEFT_CENTER;
    paint_text(ui.painter(), icon, left, icons::SEARCH, (Type::Icon, tokens.dim), 20.0);
    let words = rect.left_center() + vec2(30.0, 0.0);
    let style = (Type::Body, tokens.dim);
    paint_text(ui.painter(), words, left, search_words(cx), style, width - 84.0);
    let key = command.key(ui, cx.state).unwrap_or_default();
    let cap = Rect::from_min_max(rect.right_top() - vec2(60.0, 0.0), rect.right_bottom());
    let builder = egui::UiBuilder::new()
        .max_rect(cap.shrink2(vec2(5.0, 0.0)))
        .layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder, |ui| kbd_ui(ui, &key));
    if response.clicked() {
        // The palette is of the workbench, nothing is left for the window itself.
        let _local: Option<Local> = command.run(cx);
    }
    response.on_hover_ui(|ui| tooltip_ui(ui, command.tooltip, Some(&key)));
}
