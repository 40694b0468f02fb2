//! The window: panels and widgets over an immutable state.
//!
//! [`Window::show`] draws one frame from a [`ViewContext`]; whatever a person does becomes a
//! [`Command`]. No eframe here, so that a test can host the window.
//!
//! - [`theme`]: every colour, size and font; [`icons`]: every icon;
//! - [`commands`]: everything a person can do, with its key;
//! - [`library`], [`stage`], [`timeline`], [`inspector`]: the panels; [`panel_windows`]: those in windows of their
//!   own;
//! - [`explore`], [`annotate`], [`assist`]: the rooms of the table over all runs, of labelling, of designing by hand;
//! - [`launch`], [`export_dialog`], [`palette`], [`key_sheet`], [`jobs`], [`leaving`], [`notices`]: what lies
//!   over them;
//! - [`widgets`]: the small parts they are made of.
//!
//! Uses `workbench` and the types it is made of, read-only: of `agent` the kinds, modes and names of
//! settings that are shown and chosen. Never `worker` or `store`, and it runs nothing.

mod annotate;
mod ask_dialog;
mod assist;
mod bookmarks;
mod commands;
mod context;
mod exchanges;
mod explore;
mod export_dialog;
mod filter_text;
mod ghost;
mod icons;
mod inspector;
mod jobs;
mod key_sheet;
mod labels;
mod launch;
mod leaving;
mod library;
mod notices;
mod palette;
mod panel_windows;
mod path_field;
mod stage;
mod status_bar;
mod theme;
mod timeline;
mod top_bar;
mod tour;
mod typed_path;
mod usage;
mod widgets;

pub use context::{CommandQueue, ViewContext};

use std::path::PathBuf;
use std::sync::Arc;

use egui::{
    Align2, CentralPanel, Frame, Id, LayerId, Order, Panel, Rect, Stroke, StrokeKind, Tooltip, Ui,
    ViewportCommand, ViewportId,
};

use crate::base;
use crate::gpu;
use crate::workbench::{
    Command, DockedPanel, Overlay, PanelWindow, State, ThemeChoice, WindowsCommand, Workspace,
};
use commands::{HeldKeys, KeyRoom, Local};
use theme::{Type, size, tokens};
use widgets::{EmptyState, paint_text};

/// The window with what belongs to it alone: textures, what the pointer is over, what is typed into
/// the palette. Everything that matters is in the [`State`].
#[derive(Debug)]
pub struct Window {
    library: library::Library,
    stage: stage::StagePanel,
    annotate: annotate::AnnotateRoom,
    assist: assist::AssistRoom,
    explore: explore::ExploreRoom,
    inspector: inspector::InspectorPanel,
    palette: palette::Palette,
    /// What was chosen in the palette, which lay over this window.
    chosen: Option<(Local, Option<PanelWindow>)>,
    key_sheet: key_sheet::KeySheet,
    bookmarks: bookmarks::Bookmarks,
    theme: Option<ThemeChoice>,
    held_keys: HeldKeys,
    /// The frames of panels in windows of their own.
    frames: panel_windows::PanelFrames,
    /// Whether the menu of curves is to be shown or hidden where the timeline is drawn.
    toggles_curves: bool,
    /// What lay over the window in the frame before.
    overlay: Option<Overlay>,
    /// The window of a panel that it lies over, as the key for it was pressed there; `None`: the main one.
    overlay_in: Option<PanelWindow>,
    /// Where the stage was drawn last.
    stage_rect: Rect,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            library: library::Library::default(),
            stage: stage::StagePanel::default(),
            annotate: annotate::AnnotateRoom::default(),
            assist: assist::AssistRoom::default(),
            explore: explore::ExploreRoom::default(),
            inspector: inspector::InspectorPanel::default(),
            palette: palette::Palette::default(),
            chosen: None,
            key_sheet: key_sheet::KeySheet::default(),
            bookmarks: bookmarks::Bookmarks::default(),
            theme: None,
            held_keys: HeldKeys::default(),
            frames: panel_windows::PanelFrames::default(),
            toggles_curves: false,
            overlay: None,
            overlay_in: None,
            stage_rect: Rect::ZERO,
        }
    }
}

/// Gives a context our fonts and the styles of both themes; egui shows them from its next frame on.
pub fn install(ctx: &egui::Context) {
    theme::install(ctx);
}

/// Gives a context what finds a font, by its name and file, for a letter that ours have no form of: names may be in any
/// script. Not for pictures that are compared, as every machine has other fonts.
pub fn add_fonts(
    ctx: &egui::Context,
    find: impl Fn(char) -> Option<(String, Arc<dyn AsRef<[u8]> + Send + Sync>)> + Send + Sync + 'static,
) {
    theme::add_fonts(ctx, find);
}

impl Window {
    /// A window in this context, which gets our fonts and styles.
    pub fn new(ctx: &egui::Context) -> Self {
        install(ctx);
        Self::default()
    }

    /// Draws what lies over one another by the graphics card from now on; a window does it by the processor
    /// until it is told of one.
    pub fn draw_on(&mut self, target: gpu::Target) {
        self.stage.set_target(Some(target));
    }

    /// Whether a panel is about to get a window of its own, which is to come onto a screen that there is.
    pub fn wants_screens(&self, state: &State) -> bool {
        self.frames.wants_screens(state)
    }

    /// These screens there are, in points of the system (not scaled by the size of texts), that of the main
    /// window first; until it is told, windows open where they stood.
    pub fn set_screens(&mut self, screens: Vec<base::Rect>) {
        self.frames.set_screens(screens);
    }

    /// Draws one frame, and sends what the person did.
    pub fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        self.apply_theme(ui, cx.state.settings.theme);
        apply_text_scale(ui.ctx(), cx.state.settings.text_scale);
        let is_dark = ui.visuals().dark_mode;
        if cx.state.settings.theme == ThemeChoice::System && cx.state.system_is_dark != is_dark {
            cx.send(Command::SystemTheme { is_dark });
        }
        self.frames.begin_frame(cx.state);
        let is_new = std::mem::replace(&mut self.overlay, cx.state.overlay) != cx.state.overlay;
        if is_new {
            self.place_overlay(ui.ctx(), cx.state);
        }
        self.leave_closed_windows(cx.state);
        let room = self.frames.main_room(cx.state);
        let mut held = std::mem::take(&mut self.held_keys);
        self.run_keys(ui.ctx(), cx, room, None, &mut held);
        self.held_keys = held;
        travel_by_mouse(ui.ctx(), cx);
        // Before any panel draws: the filmstrip and the stage share the textures.
        self.stage.begin_frame();
        self.explore.copy_outgoing(ui, cx);
        if is_new {
            without_tooltips(ui, |ui| self.panels_ui(ui, cx));
        } else {
            self.panels_ui(ui, cx);
        }
        self.panel_windows_ui(ui, cx);
        if self.overlay_in.is_none() {
            self.overlay_ui(ui, cx);
        }
        self.reset_overlays(cx.state);
        // Last, over whatever is open: the launch dialog tells its mistakes so.
        notices::notices_ui(ui, cx, self.stage_rect);
        drop_hint_ui(ui, cx.state);
    }

    /// Leaves what lies over a window that was closed or hidden to the main one, and forgets what was chosen there: by
    /// the time it is opened again nobody waits for that.
    fn leave_closed_windows(&mut self, state: &State) {
        let hides = state.hides_panel_windows();
        self.overlay_in = self.overlay_in.filter(|panel| state.has_window(*panel) && !hides);
        self.chosen = self
            .chosen
            .filter(|(_, there)| there.is_none_or(|panel| state.has_window(panel) && !hides));
    }

    /// What the keys pressed in the main window, or in that of a panel, do; before that, what was chosen in the palette
    /// over it, now that it is closed: a picture of the stage is not to show it, and a menu that opens is not to close
    /// with it.
    fn run_keys(
        &mut self,
        ctx: &egui::Context,
        cx: &ViewContext<'_>,
        room: KeyRoom,
        here: Option<PanelWindow>,
        held: &mut HeldKeys,
    ) {
        if let Some((local, _)) = self.chosen.take_if(|(_, there)| *there == here) {
            if local.leads_to_field() {
                held.hold();
            }
            if self.do_local(ctx, cx, local, here) == Went::Elsewhere {
                held.lose();
            }
        }
        if self.overlay_in == here {
            // Before all others: the key may be that of another command so far.
            self.key_sheet.take_key(ctx, cx);
        }
        let dwell = self.annotate.dwell();
        for local in commands::run_shortcuts(ctx, cx, room, held, dwell) {
            if self.do_local(ctx, cx, local, here) == Went::Elsewhere {
                held.lose();
            }
        }
    }

    /// Does what concerns only the window, as a key in the main window or in that of a panel asked for it.
    fn do_local(
        &mut self,
        ctx: &egui::Context,
        cx: &ViewContext<'_>,
        local: Local,
        here: Option<PanelWindow>,
    ) -> Went {
        match local {
            Local::FocusFilter => self.library.focus_filter(),
            Local::FocusTableFilter => self.explore.focus_filter(),
            Local::ChooseColumns => self.explore.choose_columns(),
            Local::CopyLink => copy_link(ctx, cx.state),
            Local::ChooseCurves => self.toggles_curves = true,
            Local::CopyTable => explore::copy_table(ctx, cx),
            Local::FindInRun => self.inspector.find(cx),
            Local::WriteNote => self.inspector.write_note(cx),
            Local::NameRange => self.inspector.name_range(cx),
            Local::ConfirmAnswer => self.annotate.confirm(cx),
            Local::WriteLabelNote => self.annotate.write_note(),
            Local::ZoomEvidence { inward } => self.annotate.zoom_step(inward),
            Local::AskAssistant => self.assist.ask_assistant(cx),
            Local::CopyStage => self.stage.copy(ctx),
            Local::FullScreen => toggle_full_screen(ctx),
            Local::Pan(steps) if here == Some(PanelWindow::Stage) => self.stage.pan_second(steps),
            Local::Pan(steps) => self.stage.pan_step(steps),
            Local::CopyFolder => copy_folder(ctx, cx.state),
            Local::ZoomIn | Local::ZoomOut if here == Some(PanelWindow::Stage) => {
                self.stage.zoom_second(local == Local::ZoomIn);
            }
            Local::ZoomIn | Local::ZoomOut => self.stage.zoom_step(local == Local::ZoomIn),
            Local::Assist(local) => self.assist.do_local(cx, local),
        }
        if let Some(hidden) = local.panel().filter(|panel| cx.state.is_panel_hidden(*panel)) {
            cx.send(Command::Windows(WindowsCommand::Unhide(hidden)));
        }
        let there = local.window(cx.state, here);
        if there == here {
            return Went::Nowhere;
        }
        if let Some(panel) = there {
            cx.send(Command::Windows(WindowsCommand::ToFront(Some(panel))));
        } else {
            ctx.send_viewport_cmd_to(ViewportId::ROOT, ViewportCommand::Focus);
        }
        // Inside the main window the keyboard is there already.
        if ctx.embed_viewports() { Went::Nowhere } else { Went::Elsewhere }
    }

    /// Puts what was opened by a key over the window where it was pressed.
    fn place_overlay(&mut self, ctx: &egui::Context, state: &State) {
        let keyboard = self.frames.with_keyboard();
        self.overlay_in = keyboard.filter(|_| state.overlay.is_some_and(follows_keyboard));
        if state.overlay.is_some() && keyboard.is_some() && self.overlay_in.is_none() {
            ctx.send_viewport_cmd(ViewportCommand::Focus);
        }
    }

    fn apply_theme(&mut self, ui: &mut Ui, choice: ThemeChoice) {
        // Only when it changes: a new style lays all texts out anew.
        if self.theme != Some(choice) {
            self.theme = Some(choice);
            ui.ctx().set_theme(theme::preference(choice));
            // The first frame is drawn in the right theme too.
            let theme = ui.ctx().theme();
            ui.set_style(ui.ctx().style_of(theme));
        }
    }

    fn panels_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let tokens = tokens(ui);
        let width = ui.available_width();
        let bar = Frame::new().fill(tokens.window);
        let panel = Frame::new().fill(tokens.panel);
        Panel::top("top_bar").exact_size(size::TOP_BAR).frame(bar).show(ui, |ui| {
            top_bar::top_bar_ui(ui, cx);
        });
        Panel::bottom("status_bar").exact_size(size::STATUS_BAR).frame(bar).show(ui, |ui| {
            let readout = match cx.state.workspace {
                Workspace::Inspect => self.stage.readout(),
                Workspace::Explore => self.explore.readout(),
                Workspace::Annotate => self.annotate.readout(),
                Workspace::Assist => self.assist.readout(),
            };
            status_bar::status_bar_ui(ui, cx, readout);
        });
        if cx.state.workspace != Workspace::Inspect {
            self.stage.skip_first();
        }
        if cx.state.workspace == Workspace::Annotate {
            let room = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
                self.annotate.show(ui, cx, self.stage.drawing());
            });
            self.stage_rect = room.response.rect;
            return;
        }
        if cx.state.workspace == Workspace::Assist {
            let room = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
                self.assist.show(ui, cx, self.stage.textures());
            });
            self.stage_rect = room.response.rect;
            return;
        }
        if cx.state.workspace == Workspace::Explore {
            let room = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
                self.explore.show(ui, cx, self.stage.textures());
            });
            self.stage_rect = room.response.rect;
            return;
        }
        // In a small window the sides give way before the stage does. Each class of window keeps sizes
        // of its own, so that a first frame in a small window does not narrow the panels for good.
        let class = if width < 1200.0 { "narrow" } else { "wide" };
        if !cx.state.is_panel_hidden(DockedPanel::Library) {
            Panel::left(("library", class))
                .default_size(size::LIBRARY.min(width * 0.21))
                .size_range(180.0..=(width * 0.3).max(180.0))
                .frame(panel)
                .show(ui, |ui| {
                    ui.set_min_width(ui.available_width());
                    self.library.show(ui, cx);
                });
        }
        // An empty program has nothing to inspect; the stage says what to do.
        let is_empty = cx.state.library.sets.is_empty() && cx.state.library.runs.is_empty();
        if !is_empty && is_docked(cx.state, PanelWindow::Inspector) {
            Panel::right(("inspector", class))
                .default_size(size::INSPECTOR.min(width * 0.26))
                .size_range(220.0..=(width * 0.36).max(220.0))
                .frame(panel)
                .show(ui, |ui| {
                    // An empty panel keeps its width too.
                    ui.set_min_width(ui.available_width());
                    self.inspector.show(ui, cx, self.stage.hovered_node());
                });
        }
        let height = ui.available_height();
        // A task alone has no steps.
        if cx.state.selection.run.is_some() && is_docked(cx.state, PanelWindow::Timeline) {
            let class = if height < 700.0 { "low" } else { "high" };
            Panel::bottom(("timeline", class))
                .resizable(true)
                .default_size(size::TIMELINE.min(height * 0.31))
                .size_range(150.0..=(height * 0.5).max(150.0))
                .frame(panel)
                .show(ui, |ui| self.timeline_ui(ui, cx));
        }
        let stage = CentralPanel::default().frame(Frame::new().fill(tokens.stage)).show(ui, |ui| {
            self.stage.show(ui, cx, self.inspector.hovered());
        });
        self.stage_rect = stage.response.rect;
    }

    fn timeline_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        if std::mem::take(&mut self.toggles_curves) {
            timeline::toggle_curves(ui.ctx());
        }
        timeline::timeline_ui(ui, cx, self.stage.textures());
    }

    fn panel_windows_ui(&mut self, ui: &Ui, cx: &ViewContext<'_>) {
        let mut frames = std::mem::take(&mut self.frames);
        for panel in &cx.state.windows.open {
            frames.show(ui, cx, *panel, |ui, held| match held {
                Some(held) => self.native_window_ui(ui, cx, *panel, held),
                None => self.panel_ui(ui, cx, *panel),
            });
        }
        self.frames = frames;
    }

    /// A window of the system with a panel: its keys, the panel, and what lies over it.
    fn native_window_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        panel: PanelWindow,
        held: &mut HeldKeys,
    ) {
        let ctx = ui.ctx().clone();
        if !cx.state.hides_panel_windows() {
            // A key means what it means in the room that the window shows, whatever the main one is at.
            let room = KeyRoom::Of(panel_windows::room_of(panel));
            self.run_keys(&ctx, cx, room, Some(panel), held);
            travel_by_mouse(&ctx, cx);
        }
        if let Some(open) = dropped_files(&ctx) {
            cx.send(open);
        }
        self.panel_ui(ui, cx, panel);
        if self.overlay_in == Some(panel) {
            self.overlay_ui(ui, cx);
        }
        drop_hint_ui(ui, cx.state);
    }

    /// A panel in a window of its own.
    fn panel_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, panel: PanelWindow) {
        let tokens = tokens(ui);
        let is_hidden = cx.state.hides_panel_windows();
        let is_dark = panel == PanelWindow::Stage || is_hidden;
        let ground = if is_dark { tokens.stage } else { tokens.panel };
        CentralPanel::default().frame(Frame::new().fill(ground)).show(ui, |ui| match panel {
            _ if is_hidden => {
                let words = "It names who made what. It is back when nobody labels blind.";
                EmptyState::new(icons::INFO, "Hidden while somebody labels blind", words)
                    .show(ui, |_| {});
            }
            PanelWindow::Stage => self.stage.show_second(ui, cx, self.inspector.hovered()),
            PanelWindow::Inspector => self.inspector.show(ui, cx, self.stage.hovered_node()),
            PanelWindow::Timeline if cx.state.selection.run.is_none() => {
                let words = "Choose a run in the library to see its steps.";
                EmptyState::new(icons::RUN, "No run selected", words).show(ui, |_| {});
            }
            PanelWindow::Timeline => self.timeline_ui(ui, cx),
            PanelWindow::Explore => self.explore.show(ui, cx, self.stage.textures()),
        });
    }

    fn overlay_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        match cx.state.overlay {
            Some(Overlay::Palette) => {
                if let Some(local) = self.palette.show(ui, cx) {
                    self.chosen = Some((local, self.overlay_in));
                    ui.ctx().request_repaint();
                }
            }
            Some(Overlay::Keys) => self.key_sheet.show(ui, cx),
            Some(Overlay::Launch) => launch::launch_ui(ui, cx),
            Some(Overlay::Exchanges) => exchanges::exchanges_ui(ui, cx),
            Some(Overlay::Jobs) => jobs::jobs_ui(ui, cx),
            Some(Overlay::Quit) => leaving::quit_ui(ui, cx),
            Some(Overlay::Unfinished) => leaving::unfinished_ui(ui, cx),
            Some(Overlay::Bookmarks) => self.bookmarks.show(ui, cx),
            Some(Overlay::Tour(at)) => tour::tour_ui(ui, cx, at),
            Some(Overlay::Export) => export_dialog::export_ui(ui, cx),
            Some(Overlay::Ask) => ask_dialog::ask_ui(ui, cx),
            Some(Overlay::Path) => typed_path::typed_path_ui(ui, cx),
            None => {}
        }
    }

    /// Whatever closed it, it opens empty the next time.
    fn reset_overlays(&mut self, state: &State) {
        if state.overlay != Some(Overlay::Palette) {
            self.palette.reset();
        }
        if state.overlay != Some(Overlay::Bookmarks) {
            self.bookmarks.reset();
        }
        if state.overlay != Some(Overlay::Keys) {
            self.key_sheet.reset();
        }
    }
}

/// Whether the keyboard went to another window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Went {
    Nowhere,
    Elsewhere,
}

/// Whether the main window has a panel in its place.
fn is_docked(state: &State, panel: PanelWindow) -> bool {
    let is_hidden = panel.docked().is_some_and(|docked| state.is_panel_hidden(docked));
    !is_hidden && !state.has_window(panel)
}

/// Whether an overlay is shown over the window in which its key was pressed; questions about the whole program are
/// asked over the main one.
fn follows_keyboard(overlay: Overlay) -> bool {
    !matches!(overlay, Overlay::Jobs | Overlay::Quit | Overlay::Unfinished | Overlay::Tour(_))
}

/// Opens what was dropped onto a window.
pub(crate) fn dropped_files(ctx: &egui::Context) -> Option<Command> {
    let files = ctx.input(|input| input.raw.dropped_files.clone());
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path().to_path_buf()).collect();
    (!paths.is_empty()).then_some(Command::Open(paths))
}

/// Draws without tooltips. One that is open stays open while the pointer rests on its widget, whatever
/// opens above that; not drawn for a frame, it is closed. egui shows one tooltip a layer: here that is one
/// of nobody, with nothing in it.
fn without_tooltips(ui: &mut Ui, draw: impl FnOnce(&mut Ui)) {
    let nobody = Id::unique("no_tooltip");
    let corner = ui.ctx().content_rect().left_top();
    let mut empty = Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), nobody, corner);
    empty.popup = empty.popup.frame(Frame::NONE);
    empty.show(|_nothing| {});
    draw(ui);
}

/// Scales everything; egui's own keys for that would not be remembered, and are off.
fn apply_text_scale(ctx: &egui::Context, scale: f32) {
    if ctx.zoom_factor() != scale {
        ctx.set_zoom_factor(scale);
    }
}

/// The two buttons at the side of many mice go back and forward, as everywhere.
fn travel_by_mouse(ctx: &egui::Context, cx: &ViewContext<'_>) {
    if cx.state.overlay.is_some() {
        return;
    }
    let pressed = |button| ctx.input(|input| input.pointer.button_pressed(button));
    if pressed(egui::PointerButton::Extra1) {
        cx.send(Command::GoBack);
    } else if pressed(egui::PointerButton::Extra2) {
        cx.send(Command::GoForward);
    }
}

fn copy_link(ctx: &egui::Context, state: &State) {
    if let Some(link) = state.link() {
        ctx.copy_text(link.to_string());
    }
}

fn copy_folder(ctx: &egui::Context, state: &State) {
    if let Some(run) = state.selected_run() {
        ctx.copy_text(run.dir.display().to_string());
    }
}

fn toggle_full_screen(ctx: &egui::Context) {
    let is_full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
    ctx.send_viewport_cmd(egui::ViewportCommand::Fullscreen(!is_full));
}

/// Says what a drop would do while files are dragged over the window; the application around the
/// window opens what was dropped.
fn drop_hint_ui(ui: &Ui, state: &State) {
    if ui.ctx().input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let tokens = tokens(ui);
    let layer = LayerId::new(Order::Tooltip, Id::unique("drop_hint"));
    let painter = ui.ctx().layer_painter(layer);
    let rect = ui.ctx().content_rect();
    painter.rect_filled(rect, 0, tokens.backdrop);
    let stroke = Stroke::new(2.0, tokens.accent);
    painter.rect_stroke(rect.shrink(10.0), size::RADIUS_LARGE, stroke, StrokeKind::Inside);
    let makes_labels = state.workspace == Workspace::Annotate && state.annotate.is_making();
    let words = if makes_labels {
        "Drop a form of your own (JSON), or task sets and runs"
    } else {
        "Drop to open task sets, runs, pictures, or other programs' logs"
    };
    let card = egui::Rect::from_center_size(rect.center(), egui::vec2(400.0, 56.0));
    painter.add(tokens.overlay_shadow().as_shape(card, size::RADIUS_LARGE));
    painter.rect_filled(card, size::RADIUS_LARGE, tokens.overlay);
    let style = (Type::Title, tokens.text);
    paint_text(&painter, rect.center(), Align2::CENTER_CENTER, words, style, 380.0);
}

#[cfg(test)]
mod tests;
