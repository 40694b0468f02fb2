//! Panels in windows of their own: windows of the system where there can be several, else windows inside the main
//! one.
//!
//! [`PanelFrames`] keeps the frames; what is in them is drawn by [`Window`](super::Window), from the same state as
//! ever. [`head_menu`] moves a panel out and back from its head.

use std::collections::BTreeMap;

use egui::{
    Context, Id, LayerId, Order, Rect, Response, Sense, Ui, UiBuilder, Vec2, ViewportBuilder,
    ViewportClass, ViewportCommand, ViewportId, ViewportInfo, pos2, vec2,
};

use super::commands::{CommandButton, CommandId, HeldKeys, KeyRoom, command};
use super::context::ViewContext;
use super::theme::{Type, tokens};
use super::widgets::rich_text;
use crate::base;
use crate::workbench::{Command, PanelWindow, State, WindowPlace, WindowsCommand, Workspace};

/// The smallest that a window can be made, in points.
const SMALLEST: Vec2 = vec2(320.0, 200.0);
/// How far a window inside the main one keeps from its edges at first.
const INSET: f32 = 36.0;

/// The frames around panels that are out, and what belongs to them alone.
#[derive(Debug, Default)]
pub(super) struct PanelFrames {
    native: BTreeMap<PanelWindow, Native>,
    /// The one of those that has the keyboard.
    with_keyboard: Option<PanelWindow>,
    /// The window inside the main one that was clicked last: keys mean what they mean there.
    clicked: Option<PanelWindow>,
    /// Which room the main window showed.
    room: Workspace,
    /// The screens there are, in points of the system; empty: not known.
    screens: Vec<base::Rect>,
}

/// A window of the system.
#[derive(Debug)]
struct Native {
    /// As it was opened: another place would move the window again.
    builder: ViewportBuilder,
    held: HeldKeys,
}

impl PanelFrames {
    /// Whether a window is about to be opened, which is to come onto a screen that there is.
    pub(super) fn wants_screens(&self, state: &State) -> bool {
        state.windows.open.iter().any(|panel| !self.native.contains_key(panel))
    }

    /// These screens there are, in points of the system, that of the main window first.
    pub(super) fn set_screens(&mut self, screens: Vec<base::Rect>) {
        self.screens = screens;
    }

    /// Call once a frame, before anything is drawn.
    pub(super) fn begin_frame(&mut self, state: &State) {
        self.native.retain(|panel, _| state.has_window(*panel));
        self.with_keyboard = self.with_keyboard.filter(|panel| state.has_window(*panel));
        // Whoever goes to another room means its keys.
        let is_same_room = std::mem::replace(&mut self.room, state.workspace) == state.workspace;
        let clicked = self.clicked.filter(|panel| is_same_room && state.has_window(*panel));
        self.clicked = clicked;
    }

    /// What keys mean in the main window, with the windows inside it.
    pub(super) fn main_room(&self, state: &State) -> KeyRoom {
        match self.clicked.map(room_of) {
            Some(room) if room != state.workspace && !state.hides_panel_windows() => {
                KeyRoom::Of(room)
            }
            _ => KeyRoom::Main,
        }
    }

    /// The window of the system that has the keyboard, if it is none of the main one.
    pub(super) fn with_keyboard(&self) -> Option<PanelWindow> {
        self.with_keyboard
    }

    /// Draws the window of a panel. What draws it gets what is held back of the keys where the window is one of
    /// the system.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        panel: PanelWindow,
        mut draw: impl FnMut(&mut Ui, Option<&mut HeldKeys>),
    ) {
        if ui.ctx().embed_viewports() {
            self.show_inside(ui, cx, panel, |ui| draw(ui, None));
        } else {
            self.show_native(ui.ctx(), cx, panel, draw);
        }
    }

    fn show_native(
        &mut self,
        ctx: &Context,
        cx: &ViewContext<'_>,
        panel: PanelWindow,
        mut draw: impl FnMut(&mut Ui, Option<&mut HeldKeys>),
    ) {
        let (id, scale) = (ViewportId::from_hash_of(area_name(panel)), ctx.zoom_factor());
        let before = cx.state.windows.place(panel);
        let screens = &self.screens;
        let native = self.native.entry(panel).or_insert_with(|| Native {
            builder: builder(panel, before.on_screens(screens), scale),
            held: HeldKeys::default(),
        });
        let held = &mut native.held;
        let has_keyboard = ctx.show_viewport_immediate(id, native.builder.clone(), |ui, class| {
            draw(ui, Some(&mut *held));
            // Where a window of the system could not be had, all this would be that of the main window.
            if class != ViewportClass::Immediate {
                return false;
            }
            let content = ui.ctx().content_rect().size();
            let info = ui.ctx().input(|input| input.viewport().clone());
            if info.close_requested() {
                cx.send(Command::Windows(WindowsCommand::Dock(panel)));
            }
            tell_place(cx, panel, place_of(&info, content, scale, before));
            info.focused == Some(true)
        });
        if has_keyboard {
            self.with_keyboard = Some(panel);
        } else if self.with_keyboard == Some(panel) {
            self.with_keyboard = None;
        }
        if cx.state.windows.to_front == Some(panel) {
            ctx.send_viewport_cmd_to(id, ViewportCommand::Minimized(false));
            ctx.send_viewport_cmd_to(id, ViewportCommand::Focus);
            cx.send(Command::Windows(WindowsCommand::ToFront(None)));
        }
    }

    fn show_inside(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        panel: PanelWindow,
        draw: impl FnOnce(&mut Ui),
    ) {
        let (ctx, tokens) = (ui.ctx(), tokens(ui));
        let (room, scale) = (ctx.content_rect(), ctx.zoom_factor());
        let before = cx.state.windows.place(panel);
        let [width, height] = before.size.map(|side| side as f32 / scale);
        let size = vec2(width, height).min(room.size() - Vec2::splat(2.0 * INSET));
        // At first near to where the panel was.
        let usual = match panel {
            PanelWindow::Stage => room.min + Vec2::splat(2.0 * INSET),
            PanelWindow::Explore => room.min + Vec2::splat(3.0 * INSET),
            PanelWindow::Inspector => room.right_top() + vec2(-size.x - INSET, 2.0 * INSET),
            PanelWindow::Timeline => room.max - size - vec2(2.0 * INSET, INSET),
        };
        let at = before.corner.map_or(usual, |[x, y]| pos2(x as f32 / scale, y as f32 / scale));
        let frame = tokens.overlay_frame();
        let mut is_open = true;
        let shown = egui::Window::new(rich_text(panel.name(), Type::Strong, tokens.text))
            .id(Id::unique(area_name(panel)))
            .open(&mut is_open)
            .collapsible(false)
            .frame(frame.inner_margin(0))
            .title_frame(egui::Frame::new().inner_margin(6))
            .min_size(SMALLEST)
            .default_size(size.max(SMALLEST))
            .default_pos(at)
            .show(ctx, |ui| {
                // All the room there is and no more, or the window would grow with what is in it.
                let rect = ui.available_rect_before_wrap();
                let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
                inside.set_clip_rect(rect.intersect(ui.clip_rect()));
                draw(&mut inside);
                ui.allocate_rect(rect, Sense::hover());
            });
        if !is_open {
            cx.send(Command::Windows(WindowsCommand::Dock(panel)));
        }
        let Some(shown) = shown.filter(|_| is_open) else { return };
        let (rect, layer) = (shown.response.rect, shown.response.layer_id);
        self.follow_click(ctx, panel, layer);
        if cx.state.windows.to_front == Some(panel) {
            ctx.move_to_top(layer);
            self.clicked = Some(panel);
            cx.send(Command::Windows(WindowsCommand::ToFront(None)));
        }
        let corner = Some([in_system(rect.left(), scale), in_system(rect.top(), scale)]);
        let size = [in_system(rect.width(), scale), in_system(rect.height(), scale)];
        tell_place(cx, panel, WindowPlace { corner, size, is_maximized: false });
    }

    /// Keys mean what they mean in the window that was clicked, or again in the main one.
    fn follow_click(&mut self, ctx: &Context, panel: PanelWindow, layer: LayerId) {
        let pressed = ctx.input(|input| {
            let pointer = &input.pointer;
            pointer.interact_pos().filter(|_| pointer.any_pressed())
        });
        let Some(pos) = pressed else { return };
        let clicked = ctx.layer_id_at(pos);
        if clicked == Some(layer) {
            self.clicked = Some(panel);
        } else if self.clicked == Some(panel)
            // Not by a menu, which may hang at something in the window. The panels of the main one are no layer.
            && clicked.is_none_or(|it| matches!(it.order, Order::Background | Order::Middle))
        {
            self.clicked = None;
        }
    }
}

/// The menu of a panel's head, by the other button of the mouse: out to a window of its own, and back.
pub(super) fn head_menu(head: &Response, cx: &ViewContext<'_>, panel: PanelWindow) {
    head.container_context_menu(|ui| {
        ui.set_min_width(220.0);
        let (id, out, back) = match panel {
            PanelWindow::Stage => (
                CommandId::WindowStage,
                "Open a second stage window",
                "Close the second stage window",
            ),
            PanelWindow::Inspector => (CommandId::WindowInspector, MOVE_OUT, DOCK),
            PanelWindow::Timeline => (CommandId::WindowTimeline, MOVE_OUT, DOCK),
            PanelWindow::Explore => (CommandId::WindowExplore, MOVE_OUT, DOCK),
        };
        let words = if cx.state.has_window(panel) { back } else { out };
        let hide = match panel {
            PanelWindow::Inspector => Some(CommandId::HideInspector),
            PanelWindow::Timeline => Some(CommandId::HideTimeline),
            PanelWindow::Stage | PanelWindow::Explore => None,
        };
        // What has a window of its own is closed there, and is not in the main one to be hidden.
        let hide = hide.filter(|_| !cx.state.has_window(panel)).map(|id| (id, "Hide"));
        let all_back = (CommandId::DockPanels, command(CommandId::DockPanels).text);
        for (id, words) in [(id, words)].into_iter().chain(hide).chain([all_back]) {
            CommandButton::text(id).short(words).menu_item_ui(ui, cx);
        }
    });
}

const MOVE_OUT: &str = "Move to its own window";
const DOCK: &str = "Dock in the main window";

/// What keys mean in the window of a panel.
pub(super) fn room_of(panel: PanelWindow) -> Workspace {
    match panel {
        PanelWindow::Stage | PanelWindow::Inspector | PanelWindow::Timeline => Workspace::Inspect,
        PanelWindow::Explore => Workspace::Explore,
    }
}

/// By which its frame is known to egui.
fn area_name(panel: PanelWindow) -> &'static str {
    match panel {
        PanelWindow::Stage => "stage_window",
        PanelWindow::Inspector => "inspector_window",
        PanelWindow::Timeline => "timeline_window",
        PanelWindow::Explore => "explore_window",
    }
}

/// The window as it is opened. Its title names the panel and no run, as somebody may label blind.
fn builder(panel: PanelWindow, place: WindowPlace, scale: f32) -> ViewportBuilder {
    let [width, height] = place.size.map(|side| side as f32 / scale);
    let mut builder = ViewportBuilder::default()
        .with_title(format!("{} – Pentimento", panel.name()))
        .with_app_id("pentimento")
        .with_inner_size([width, height])
        .with_min_inner_size(SMALLEST)
        .with_maximized(place.is_maximized)
        .with_drag_and_drop(true);
    if let Some([x, y]) = place.corner {
        builder = builder.with_position([x as f32 / scale, y as f32 / scale]);
    }
    builder
}

/// Where a window stands. Of one that fills its screen or is folded away, where it comes back to is kept.
fn place_of(info: &ViewportInfo, content: Vec2, scale: f32, before: WindowPlace) -> WindowPlace {
    if info.minimized == Some(true) || info.fullscreen == Some(true) {
        return before;
    }
    if info.maximized == Some(true) {
        return WindowPlace { is_maximized: true, ..before };
    }
    let corner = info.outer_rect.map(|rect| rect.min);
    let size = info.inner_rect.map_or(content, |rect: Rect| rect.size());
    WindowPlace {
        corner: corner.map(|at| [in_system(at.x, scale), in_system(at.y, scale)]),
        size: [in_system(size.x, scale), in_system(size.y, scale)],
        is_maximized: false,
    }
}

/// Points of the system, whole ones, so that one place is told once.
fn in_system(points: f32, scale: f32) -> f64 {
    f64::from((points * scale).round())
}

fn tell_place(cx: &ViewContext<'_>, panel: PanelWindow, place: WindowPlace) {
    if cx.state.windows.places.get(&panel) != Some(&place) {
        cx.send(Command::Windows(WindowsCommand::Place(panel, place)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(outer: [f32; 4], inner: [f32; 4]) -> ViewportInfo {
        let rect =
            |[x, y, width, height]: [f32; 4]| Rect::from_min_size(pos2(x, y), vec2(width, height));
        ViewportInfo {
            outer_rect: Some(rect(outer)),
            inner_rect: Some(rect(inner)),
            ..ViewportInfo::default()
        }
    }

    #[test]
    fn a_window_opens_where_it_stood_whatever_the_size_of_texts_is_by_then() {
        let before = WindowPlace { corner: None, size: [1.0, 1.0], is_maximized: false };
        // In points of twice the size, as the text was scaled.
        let info = info([1050.0, 20.0, 210.0, 400.0], [1051.0, 40.0, 208.0, 379.0]);
        let place = place_of(&info, Vec2::ZERO, 2.0, before);
        assert_eq!(place.corner, Some([2100.0, 40.0]));
        assert_eq!(place.size, [416.0, 758.0]);
        let again = builder(PanelWindow::Inspector, place, 0.5);
        assert_eq!(again.position, Some(pos2(4200.0, 80.0)));
        assert_eq!(again.inner_size, Some(vec2(832.0, 1516.0)));
        assert_eq!(again.title.as_deref(), Some("Inspector – Pentimento"));
    }

    #[test]
    fn a_window_that_fills_its_screen_or_is_folded_away_keeps_where_it_comes_back_to() {
        let before =
            WindowPlace { corner: Some([10.0, 20.0]), size: [800.0, 600.0], is_maximized: false };
        let mut full = info([0.0, 0.0, 1920.0, 1080.0], [0.0, 0.0, 1920.0, 1080.0]);
        full.maximized = Some(true);
        let place = place_of(&full, Vec2::ZERO, 1.0, before);
        assert_eq!(place, WindowPlace { is_maximized: true, ..before });
        let folded = ViewportInfo { minimized: Some(true), ..ViewportInfo::default() };
        assert_eq!(place_of(&folded, Vec2::ZERO, 1.0, before), before);
        // Where the system does not say where windows are, their size is known all the same.
        let place = place_of(&ViewportInfo::default(), vec2(640.0, 480.0), 1.0, before);
        assert_eq!((place.corner, place.size), (None, [640.0, 480.0]));
    }
}
