//! The window: panels and widgets over an immutable state.
//!
//! [`Window::show`] draws one frame from a [`ViewContext`]; whatever a person does becomes a
//! [`Command`]. No eframe here, so that a test can host the window.
//!
//! - [`theme`]: every colour, size and font; [`icons`]: every icon;
//! - [`commands`]: everything a person can do, with its key;
//! - [`library`], [`stage`], [`timeline`], [`inspector`]: the panels;
//! - [`explore`]: the room with the table over all runs; [`annotate`]: that in which people label;
//! - [`launch`], [`export_dialog`], [`palette`], [`key_sheet`], [`jobs`], [`leaving`], [`notices`]: what lies
//!   over them;
//! - [`widgets`]: the small parts they are made of.
//!
//! Uses `workbench` and the types it is made of, read-only: of `agent` the kinds, modes and names of
//! settings that are shown and chosen. Never `worker` or `store`, and it runs nothing.

mod annotate;
mod bookmarks;
mod commands;
mod context;
mod exchanges;
mod explore;
mod export_dialog;
mod filter_text;
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

use egui::{
    Align2, CentralPanel, Frame, Id, LayerId, Order, Panel, Rect, Stroke, StrokeKind, Tooltip, Ui,
};

use crate::gpu;
use crate::workbench::{Command, Overlay, State, ThemeChoice, Workspace};
use commands::Local;
use theme::{Type, size, tokens};
use widgets::paint_text;

/// The window with what belongs to it alone: textures, what the pointer is over, what is typed into
/// the palette. Everything that matters is in the [`State`].
#[derive(Debug)]
pub struct Window {
    library: library::Library,
    stage: stage::Stage,
    annotate: annotate::AnnotateRoom,
    explore: explore::ExploreRoom,
    inspector: inspector::InspectorPanel,
    palette: palette::Palette,
    key_sheet: key_sheet::KeySheet,
    bookmarks: bookmarks::Bookmarks,
    theme: Option<ThemeChoice>,
    held_keys: commands::HeldKeys,
    /// What lay over the window in the frame before.
    overlay: Option<Overlay>,
    /// Where the stage was drawn last.
    stage_rect: Rect,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            library: library::Library::default(),
            stage: stage::Stage::default(),
            annotate: annotate::AnnotateRoom::default(),
            explore: explore::ExploreRoom::default(),
            inspector: inspector::InspectorPanel::default(),
            palette: palette::Palette::default(),
            key_sheet: key_sheet::KeySheet::default(),
            bookmarks: bookmarks::Bookmarks::default(),
            theme: None,
            held_keys: commands::HeldKeys::default(),
            overlay: None,
            stage_rect: Rect::ZERO,
        }
    }
}

/// Gives a context our fonts and the styles of both themes; egui shows them from its next frame on.
pub fn install(ctx: &egui::Context) {
    theme::install(ctx);
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

    /// Draws one frame, and sends what the person did.
    pub fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        self.apply_theme(ui, cx.state.settings.theme);
        apply_text_scale(ui.ctx(), cx.state.settings.text_scale);
        let is_dark = ui.visuals().dark_mode;
        if cx.state.settings.theme == ThemeChoice::System && cx.state.system_is_dark != is_dark {
            cx.send(Command::SystemTheme { is_dark });
        }
        // Before all others: the key may be that of another command so far.
        self.key_sheet.take_key(ui.ctx(), cx);
        for local in
            commands::run_shortcuts(ui.ctx(), cx, &mut self.held_keys, self.annotate.dwell())
        {
            match local {
                Local::FocusFilter => self.library.focus_filter(),
                Local::FocusTableFilter => self.explore.focus_filter(),
                Local::ChooseColumns => self.explore.choose_columns(),
                Local::CopyLink => copy_link(ui.ctx(), cx.state),
                Local::ChooseCurves => timeline::toggle_curves(ui.ctx()),
                Local::CopyTable => explore::copy_table(ui.ctx(), cx),
                Local::FindInRun => self.inspector.find(cx),
                Local::WriteNote => self.inspector.write_note(cx),
                Local::ConfirmAnswer => self.annotate.confirm(cx),
                Local::WriteLabelNote => self.annotate.write_note(),
                Local::ZoomEvidence { inward } => self.annotate.zoom_step(inward),
                Local::CopyStage => self.stage.copy(ui.ctx()),
                Local::FullScreen => toggle_full_screen(ui.ctx()),
                Local::ZoomIn | Local::ZoomOut => self.stage.zoom_step(local == Local::ZoomIn),
            }
        }
        travel_by_mouse(ui.ctx(), cx);
        // Before any panel draws: the filmstrip and the stage share the textures.
        self.stage.begin_frame();
        if std::mem::replace(&mut self.overlay, cx.state.overlay) == cx.state.overlay {
            self.panels_ui(ui, cx);
        } else {
            without_tooltips(ui, |ui| self.panels_ui(ui, cx));
        }
        self.overlays_ui(ui, cx);
        drop_hint_ui(ui, cx.state);
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
            };
            status_bar::status_bar_ui(ui, cx, readout);
        });
        if cx.state.workspace == Workspace::Annotate {
            let room = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
                self.annotate.show(ui, cx, self.stage.drawing());
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
        Panel::left(("library", class))
            .default_size(size::LIBRARY.min(width * 0.21))
            .size_range(180.0..=(width * 0.3).max(180.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.library.show(ui, cx);
            });
        // An empty program has nothing to inspect; the stage says what to do.
        let is_empty = cx.state.library.sets.is_empty() && cx.state.library.runs.is_empty();
        if !is_empty {
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
        if cx.state.selection.run.is_some() {
            let class = if height < 700.0 { "low" } else { "high" };
            Panel::bottom(("timeline", class))
                .resizable(true)
                .default_size(size::TIMELINE.min(height * 0.31))
                .size_range(150.0..=(height * 0.5).max(150.0))
                .frame(panel)
                .show(ui, |ui| timeline::timeline_ui(ui, cx, self.stage.textures()));
        }
        let stage = CentralPanel::default().frame(Frame::new().fill(tokens.stage)).show(ui, |ui| {
            self.stage.show(ui, cx, self.inspector.hovered());
        });
        self.stage_rect = stage.response.rect;
    }

    fn overlays_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        match cx.state.overlay {
            Some(Overlay::Palette) => self.palette.show(ui, cx),
            Some(Overlay::Keys) => self.key_sheet.show(ui, cx),
            Some(Overlay::Launch) => launch::launch_ui(ui, cx),
            Some(Overlay::Exchanges) => exchanges::exchanges_ui(ui, cx),
            Some(Overlay::Jobs) => jobs::jobs_ui(ui, cx),
            Some(Overlay::Quit) => leaving::quit_ui(ui, cx),
            Some(Overlay::Unfinished) => leaving::unfinished_ui(ui, cx),
            Some(Overlay::Bookmarks) => self.bookmarks.show(ui, cx),
            Some(Overlay::Tour(at)) => tour::tour_ui(ui, cx, at),
            Some(Overlay::Export) => export_dialog::export_ui(ui, cx),
            Some(Overlay::Path) => typed_path::typed_path_ui(ui, cx),
            None => {}
        }
        // Whatever closed it, it opens empty the next time.
        if cx.state.overlay != Some(Overlay::Palette) {
            self.palette.reset();
        }
        if cx.state.overlay != Some(Overlay::Bookmarks) {
            self.bookmarks.reset();
        }
        if cx.state.overlay != Some(Overlay::Keys) {
            self.key_sheet.reset();
        }
        // Last, over whatever is open: the launch dialog tells its mistakes so.
        notices::notices_ui(ui, cx, self.stage_rect);
    }
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
