//! The stage: the run beside the ground truth beside where they differ, moving as one.
//!
//! [`shown`] is what the panes show this frame, [`geometry`] says where they lie, [`textures`] keeps the pictures on
//! the graphics card, of large ones the [`texels`] that are seen, [`pane`] draws one of them below its [`title`],
//! [`documents`] chooses among the documents of a run with several programs, [`boxes`] draws around nodes, [`hover`]
//! says what is under the pointer, [`overlaid`] and [`compositing`] lay two pictures over one another, [`ignored`] are
//! the areas that their difference leaves out, [`ghost`] outlines what the assistant would do next, [`hands`] moves and
//! resizes what the what-if's last call left, [`toolbar`] and [`view_bar`] have the buttons above and below,
//! [`picture_menu`] what pictures are saved as, [`legend`] says what the colours of the heat mean.

mod boxes;
mod compositing;
mod documents;
mod drawing;
pub(super) mod geometry;
mod ghost;
mod hands;
mod hover;
mod ignored;
mod legend;
mod loupe;
mod overlaid;
mod page_view;
mod pane;
mod picture;
mod picture_menu;
mod pixel_grid;
mod shown;
mod texels;
mod textures;
mod title;
mod toolbar;
mod view_bar;

pub(super) use compositing::{Room, Shades};
pub(super) use drawing::Drawing;
pub(super) use textures::{Textures, reduced};

use egui::{CursorIcon, Frame, Panel, PointerButton, Pos2, Rect, Sense, Ui, Vec2};

use super::commands::{CommandButton, CommandId};
use super::context::ViewContext;
use super::icons;
use super::panel_windows::head_menu;
use super::theme::{Type, size, tokens};
use super::widgets::{Button, EmptyState, Look};
use crate::gpu::Target;
use crate::workbench::views::{self, PaneStatus};
use crate::workbench::{
    Command, DockedPanel, InspectorTab, NodeRef, NodesCommand, PanelWindow, SecondStage,
    StageCommand, StagePane, WindowsCommand,
};
use geometry::{Arrangement, WantedPane};
use hands::Hands;
use hover::Hover;
use shown::ShownPanes;

/// The row below the pictures.
const LEGEND: f32 = 32.0;

/// How much of what is seen the view is moved by one key.
const PAN_STEP: f32 = 0.2;
/// The draws of the second stage have numbers of their own.
const SECOND_DRAW: u64 = 1 << 32;

/// What the stage itself remembers, and the second one in a window of its own.
#[derive(Debug, Default)]
pub(super) struct StagePanel {
    drawing: Drawing,
    first: Sight,
    second: Sight,
}

/// What one of the two remembers of how it is looked at.
#[derive(Debug)]
struct Sight {
    hover: Hover,
    hands: Hands,
    /// Zooms by keys, about the middle, not carried out yet.
    zoom_factors: Vec<f32>,
    /// How far the view is moved by keys, in steps, not carried out yet.
    pan_steps: Vec2,
    /// Where the pictures were drawn last.
    drawn: Rect,
}

impl Default for Sight {
    fn default() -> Self {
        Self {
            hover: Hover::default(),
            hands: Hands::default(),
            zoom_factors: Vec::new(),
            pan_steps: Vec2::ZERO,
            drawn: Rect::NOTHING,
        }
    }
}

impl StagePanel {
    /// Draws what lies over one another by the graphics card; `None`: by the processor.
    pub(super) fn set_target(&mut self, target: Option<Target>) {
        self.drawing.compositing.set_target(target);
    }

    /// Call once a frame, before anything is drawn.
    pub(super) fn begin_frame(&mut self) {
        self.drawing.textures.begin_frame();
        self.drawing.compositing.begin_frame();
    }

    /// Copies what it shows: the main window is asked for its picture, and this part of it is copied.
    pub(super) fn copy(&self, ctx: &egui::Context) {
        let (drawn, copying) = (self.first.drawn, ctx.clone());
        if !drawn.is_positive() {
            return;
        }
        let taken = egui::ScreenshotCallback::new(move |image| {
            let scale = copying.pixels_per_point();
            // The window may have become smaller since.
            let [width, height] = image.size.map(|side| side as f32 / scale);
            let part = drawn.intersect(Rect::from_min_size(Pos2::ZERO, Vec2::new(width, height)));
            if part.is_positive() {
                copying.copy_image(image.region(&part, Some(scale)));
            }
        });
        let screenshot = egui::ViewportCommand::Screenshot(taken);
        ctx.send_viewport_cmd_to(egui::ViewportId::ROOT, screenshot);
    }

    /// Zooms in or out about the middle, next frame.
    pub(super) fn zoom_step(&mut self, inward: bool) {
        self.first.zoom_factors.push(if inward { 1.25 } else { 0.8 });
    }

    /// The same about the middle of the second stage.
    pub(super) fn zoom_second(&mut self, inward: bool) {
        self.second.zoom_factors.push(if inward { 1.25 } else { 0.8 });
    }

    /// Moves the view by so many steps to the right and down, next frame.
    pub(super) fn pan_step(&mut self, [across, down]: [i8; 2]) {
        self.first.pan_steps += Vec2::new(f32::from(across), f32::from(down));
    }

    /// The same by the second stage.
    pub(super) fn pan_second(&mut self, [across, down]: [i8; 2]) {
        self.second.pan_steps += Vec2::new(f32::from(across), f32::from(down));
    }

    /// The first stage is not drawn: no pointer is over it, and no key moves it once it is drawn again.
    pub(super) fn skip_first(&mut self) {
        self.first.skip();
    }

    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.first.hover.readout().or(self.second.hover.readout())
    }

    /// The node under the pointer.
    pub(super) fn hovered_node(&self) -> Option<&NodeRef> {
        self.first.hover.node_ref().or(self.second.hover.node_ref())
    }

    /// What pictures are drawn with, elsewhere too.
    pub(super) fn drawing(&mut self) -> &mut Drawing {
        &mut self.drawing
    }

    /// Pictures on the graphics card, for the filmstrip.
    pub(super) fn textures(&mut self) -> &mut Textures {
        &mut self.drawing.textures
    }

    /// Draws the stage. `in_list`: the node under the pointer in the inspector.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, in_list: Option<&NodeRef>) {
        self.drawing.first_draw = 0;
        // The one that is not drawn has no pointer over it.
        if !cx.state.has_window(PanelWindow::Stage) {
            self.second.skip();
        }
        self.first.show(ui, cx, &mut self.drawing, views::panes(cx.state), in_list);
    }

    /// Draws the second stage, below a row that says what is on it.
    pub(super) fn show_second(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        in_list: Option<&NodeRef>,
    ) {
        let bar = Frame::new().fill(tokens(ui).panel);
        Panel::top("second_stage").exact_size(size::TOOLBAR).frame(bar).show(ui, |ui| {
            second_choice_ui(ui, cx);
        });
        let panes = views::second_stage_panes(cx.state);
        let is_pinned = cx.state.windows.second_stage == SecondStage::Pinned;
        if is_pinned && panes.is_empty() {
            self.second.skip();
            let words = "Put a picture beside the run, and pin a run there to its step: what is pinned stays \
                         while you step.";
            EmptyState::new(icons::PICTURE, "No picture is pinned", words).show(ui, |ui| {
                CommandButton::text(CommandId::AddNextRun).show(ui, cx);
            });
            return;
        }
        self.drawing.first_draw = SECOND_DRAW;
        self.second.show(ui, cx, &mut self.drawing, panes, in_list);
        self.drawing.first_draw = 0;
    }
}

impl Sight {
    /// Nothing is drawn here: no pointer is over it, and keys that were pressed move nothing once something is.
    fn skip(&mut self) {
        self.hover.clear();
        self.zoom_factors.clear();
        self.pan_steps = Vec2::ZERO;
    }

    fn show(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        drawing: &mut Drawing,
        panes: Vec<StagePane>,
        in_list: Option<&NodeRef>,
    ) {
        if cx.state.selection.task.is_none() && cx.state.selection.run.is_none() {
            self.skip();
            nothing_ui(ui, cx);
            return;
        }
        let shown = ShownPanes::of(cx.state, panes);
        let bar = Frame::new().fill(tokens(ui).panel);
        // Laid out twice in a frame: for the scale that the toolbar says, and in the room that the
        // panels really left.
        let arrangement = arrangement_below_toolbar(ui, cx, &shown);
        let head =
            Panel::top("stage_toolbar").exact_size(size::TOOLBAR).frame(bar).show(ui, |ui| {
                toolbar::toolbar_ui(ui, cx, arrangement.scale);
            });
        head_menu(&head.response, cx, PanelWindow::Stage);
        if cx.state.has_documents() {
            Panel::top("stage_documents").exact_size(documents::ROW).frame(bar).show(ui, |ui| {
                documents::documents_ui(ui, cx);
            });
        }
        if has_heat_legend(cx, &shown) {
            let clear = Frame::new().fill(tokens(ui).stage);
            Panel::bottom("stage_legend")
                .exact_size(LEGEND)
                .show_separator_line(false)
                .frame(clear)
                .show(ui, |ui| legend::legend_ui(ui, cx));
        }
        if view_bar::has_row(cx) {
            let clear = Frame::new().fill(tokens(ui).stage);
            Panel::bottom("stage_view")
                .exact_size(LEGEND)
                .show_separator_line(false)
                .frame(clear)
                .show(ui, |ui| view_bar::overlaid_ui(ui, cx));
        }
        if cx.state.stage.boxes {
            let clear = Frame::new().fill(tokens(ui).stage);
            Panel::bottom("stage_boxes_legend")
                .exact_size(LEGEND)
                .show_separator_line(false)
                .frame(clear)
                .show(ui, |ui| boxes::legend_ui(ui, cx));
        }
        self.panes_ui(ui, cx, drawing, &shown, in_list);
    }

    fn panes_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        drawing: &mut Drawing,
        shown: &ShownPanes<'_>,
        in_list: Option<&NodeRef>,
    ) {
        let area = ui.available_rect_before_wrap();
        let arrangement = arrange(area, cx, shown);
        let places = arrangement.panes.iter().map(|pane| pane.title.union(pane.visible));
        self.drawn = places.fold(Rect::NOTHING, Rect::union).intersect(area);
        let id = ui.make_persistent_id("stage_area");
        let response = ui.interact(area, id, Sense::click_and_drag());
        // Before boxes and outlines, which go by what is under the pointer in this frame.
        self.hover.update(ui, cx, &arrangement, shown, &response);
        self.navigate(ui, cx, &arrangement, &response);
        response.context_menu(|ui| picture_menu::picture_menu_ui(ui, cx));
        for pane in &arrangement.panes {
            overlaid::lead(ui, cx, pane, &response);
            pane::pane_ui(ui, cx, drawing, pane, shown, arrangement.scale);
        }
        for pane in &arrangement.panes {
            ignored::areas_ui(ui, cx, pane);
        }
        boxes::boxes_ui(ui, cx, &arrangement, shown);
        self.hover.marks_ui(ui, &arrangement, shown);
        // Only one of the two can have the pointer.
        let pointed = in_list.or(self.hover.node_ref());
        boxes::outlines_ui(ui, cx, &arrangement, shown, pointed);
        boxes::place_ui(ui, cx, &arrangement);
        ghost::ghost_ui(ui, cx, &arrangement);
        self.hands.show(ui, cx, &arrangement);
        if shown.panes.is_empty() {
            let words = "Turn a picture on above, or press Q, W or H.";
            EmptyState::new(icons::PICTURE, "No picture is shown", words).show(ui, |_| {});
        }
        self.hover.card_ui(ui, &arrangement);
    }

    /// Wheel zooms at the pointer, drag moves, double click fits.
    fn navigate(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        arrangement: &Arrangement<StagePane>,
        response: &egui::Response,
    ) {
        let factors = std::mem::take(&mut self.zoom_factors);
        if let Some(pane) = arrangement.panes.first().filter(|_| !factors.is_empty()) {
            zoom_at(cx, arrangement, geometry::middle_of_view(pane), &factors);
        }
        if let Some(pos) = response.hover_pos()
            && let Some(pane) = arrangement.panes.iter().find(|pane| pane.visible.contains(pos))
        {
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            // Exponential, so that as much scrolling back undoes it; 240 points are about a factor
            // of e.
            let factor = pinch * (scroll / 240.0).exp();
            if (factor - 1.0).abs() > 1e-4 {
                zoom_at(cx, arrangement, pane.fraction_at(pos), &[factor]);
            }
        }
        let steps = std::mem::take(&mut self.pan_steps);
        if let Some(pane) = arrangement.panes.first() {
            // As if the pictures were dragged the other way.
            pan(cx, arrangement, -PAN_STEP * steps * pane.visible.size());
        }
        let mut panes = arrangement.panes.iter();
        if panes.any(|pane| ignored::drag_ui(ui, cx, pane, response)) {
            return;
        }
        if self.hands.update(ui, cx, arrangement, response) {
            return;
        }
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle)
        {
            let delta = response.drag_delta();
            if delta != Vec2::ZERO {
                ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            }
            pan(cx, arrangement, delta);
        }
        if response.double_clicked() {
            cx.send(Command::Stage(StageCommand::Fit));
        // A double click is two clicks: the first has selected, which does no harm to a fit.
        } else if response.clicked() {
            self.select(cx);
        }
    }

    /// Selects the node under the pointer; beside all nodes, none.
    fn select(&self, cx: &ViewContext<'_>) {
        let node = self.hover.node_ref().cloned();
        // The list shows the nodes of the document that was clicked, before one of them is
        // selected.
        if let Some(StagePane::Program(program)) = self.hover.pane() {
            cx.send(Command::Nodes(NodesCommand::ListProgram(Some(program))));
        }
        // Who hid the inspector does not want it back for a click on the stage.
        if node.is_some() && !cx.state.is_panel_hidden(DockedPanel::Inspector) {
            cx.send(Command::ShowInspector(InspectorTab::Nodes));
        }
        if node.is_some() || cx.state.nodes.selected.is_some() {
            cx.send(Command::Nodes(NodesCommand::Select(node)));
        }
    }
}

/// What is on the second stage: all pictures, or those that stay.
fn second_choice_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(8.0);
        for (shown, words, tooltip) in [
            (SecondStage::All, "All pictures", "The same pictures as in the main window."),
            (
                SecondStage::Pinned,
                "Pinned pictures",
                "Start states, picture files and runs that are kept at a step.",
            ),
        ] {
            let is_on = cx.state.windows.second_stage == shown;
            let button = Button::text(words).look(Look::Tool).selected(is_on).tooltip(tooltip);
            if button.show(ui).clicked() {
                cx.send(Command::Windows(WindowsCommand::SecondStage(shown)));
            }
        }
    });
}

/// The toolbar shows the scale of the pictures, which are laid out in the room it leaves.
fn arrangement_below_toolbar(
    ui: &Ui,
    cx: &ViewContext<'_>,
    shown: &ShownPanes<'_>,
) -> Arrangement<StagePane> {
    let mut area = ui.available_rect_before_wrap();
    area.min.y += size::TOOLBAR;
    if cx.state.has_documents() {
        area.min.y += documents::ROW;
    }
    if has_heat_legend(cx, shown) {
        area.max.y -= LEGEND;
    }
    if view_bar::has_row(cx) {
        area.max.y -= LEGEND;
    }
    if cx.state.stage.boxes {
        area.max.y -= LEGEND;
    }
    arrange(area, cx, shown)
}

/// Also while the first map is made, so that the pictures do not move when it comes.
fn has_heat_legend(cx: &ViewContext<'_>, shown: &ShownPanes<'_>) -> bool {
    let is_there_or_comes = matches!(shown.heat.status, PaneStatus::Current | PaneStatus::Loading);
    // A model of saliency that cannot be used leaves the menu to choose another.
    let is_explained = shown.heat.is_saliency() && shown.panes.contains(&StagePane::Heat);
    cx.state.stage.panes.contains(&StagePane::Heat) && (is_there_or_comes || is_explained)
}

fn arrange(area: Rect, cx: &ViewContext<'_>, shown: &ShownPanes<'_>) -> Arrangement<StagePane> {
    let reference = shown.reference();
    let panes = shown.panes.iter();
    let wanted: Vec<WantedPane<StagePane>> =
        panes.map(|pane| (*pane, shown.extent(*pane, reference))).collect();
    let stage = &cx.state.stage;
    let mut arranged = geometry::arrange(area, &wanted, reference, stage.zoom, stage.center);
    for pane in &mut arranged.panes {
        if pane.pane == StagePane::Overlaid
            && let Some([width, height]) = shown.pixels(StagePane::Run)
        {
            // There is room for the taller of the two; nodes and places are those of the run.
            let pixels = Vec2::new(width as f32, height as f32);
            let size = geometry::as_wide_as(reference, pixels) * arranged.scale;
            pane.picture = Rect::from_min_size(pane.picture.min, size);
        }
    }
    arranged
}

fn zoom_at(
    cx: &ViewContext<'_>,
    arrangement: &Arrangement<StagePane>,
    fixed: [f32; 2],
    factors: &[f32],
) {
    let next = geometry::zoomed(arrangement.scale, factors);
    let center = cx.state.stage.center;
    // While fitted the middle of the picture is the middle of the view.
    let center = if cx.state.stage.zoom.is_none() { [0.5, 0.5] } else { center };
    let after = geometry::center_after_zoom(center, fixed, arrangement.scale, next);
    cx.send(Command::Stage(StageCommand::Zoom(next)));
    move_center(cx, [after[0] - center[0], after[1] - center[1]]);
}

fn pan(cx: &ViewContext<'_>, arrangement: &Arrangement<StagePane>, delta: Vec2) {
    let Some(pane) = arrangement.panes.first().filter(|_| delta != Vec2::ZERO) else { return };
    if cx.state.stage.zoom.is_none() {
        cx.send(Command::Stage(StageCommand::Zoom(arrangement.scale)));
    }
    // By the first pane: all are drawn at one scale, and their views move together.
    let size = pane.picture.size();
    move_center(cx, [-delta.x / size.x.max(1.0), -delta.y / size.y.max(1.0)]);
}

fn move_center(cx: &ViewContext<'_>, by: [f32; 2]) {
    if by != [0.0, 0.0] {
        cx.send(Command::Stage(StageCommand::PanBy(by)));
    }
}

fn nothing_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if cx.state.library.sets.is_empty() && cx.state.library.runs.is_empty() {
        let words = "Open a folder that holds task sets, runs, or pictures of runs. \
                     You can drop it anywhere on this window.";
        EmptyState::new(icons::OPEN, "Open something to look at", words).show(ui, |ui| {
            CommandButton::text(CommandId::OpenFolder)
                .with_icon(icons::OPEN)
                .look(Look::Primary)
                .show(ui, cx);
            ui.add_space(6.0);
            let samples = Button::text("Open the samples");
            let tip = "Open the task set and the runs that come with the program.";
            if samples.tooltip(tip).show(ui).clicked() {
                cx.send(Command::OpenSamples);
            }
            recent_ui(ui, cx);
        });
    } else {
        let words = "Choose a run in the library to see it beside its ground truth, or a task to \
                     see what is asked.";
        EmptyState::new(icons::PICTURE, "Nothing selected", words).show(ui, |ui| {
            CommandButton::text(CommandId::NextRun).short("Show the first run").show(ui, cx);
        });
    }
}

fn recent_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let recent = &cx.state.settings.recent;
    if recent.is_empty() {
        return;
    }
    ui.add_space(14.0);
    let heading = egui::RichText::new("Opened before").font(Type::Section.font());
    ui.label(heading.color(tokens(ui).dim));
    for path in recent.iter().take(6) {
        let words = path.display().to_string();
        let name = path.file_name().map_or(words.clone(), |name| name.to_string_lossy().into());
        let button = Button::text(&name).look(Look::Tool).tooltip(&words);
        if button.with_icon(icons::FOLDER).show(ui).clicked() {
            cx.send(Command::Open(vec![path.clone()]));
        }
    }
}
