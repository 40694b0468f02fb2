//! A window without an application: what it sends is carried out by `workbench::handle`, and kept.

use egui::{Id, IdSalt, Rect, containers::panel::PanelState};
use egui_kittest::{Harness, SnapshotOptions, SnapshotResults, try_image_snapshot_options};

use pentimento::ui::{self, CommandQueue, ViewContext, Window};
use pentimento::workbench::{Command, State, ThemeChoice, handle};

/// The window, the state it draws, and all it ever sent.
#[derive(Default)]
pub(crate) struct Host {
    window: Window,
    /// The scope of the window's panels, by which egui keeps their places.
    scope: Option<Id>,
    pub(crate) state: State,
    pub(crate) sent: Vec<Command>,
}

impl Host {
    /// A window over this state, drawn by this renderer, with what lies over one another drawn by the
    /// graphics card.
    pub(crate) fn drawn_by<'a>(
        state: State,
        [width, height]: [f32; 2],
        renderer: egui_kittest::wgpu::WgpuTestRenderer,
        target: pentimento::gpu::Target,
    ) -> Harness<'a, Self> {
        let mut host = Self { state, ..Self::default() };
        host.window.draw_on(target);
        let mut harness = Harness::builder()
            .with_size(egui::vec2(width, height))
            .with_context_setup(ui::install)
            .renderer(renderer)
            .build_ui_state(whole_window, host);
        harness.step();
        harness
    }

    fn show(&mut self, ui: &mut egui::Ui) {
        self.scope = Some(ui.scope_id());
        let queue = CommandQueue::default();
        self.window.show(ui, &ViewContext { state: &self.state, commands: &queue });
        while let Some(command) = queue.next(&self.state) {
            self.sent.push(command.clone());
            // There is no worker to ask: pictures and scores come from the fixture.
            drop(handle(&mut self.state, command));
        }
    }
}

/// A window of this size over this state.
pub(crate) fn window<'a>(state: State, [width, height]: [f32; 2]) -> Harness<'a, Host> {
    let host = Host { state, ..Host::default() };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(width, height))
        .with_max_steps(24)
        .with_options(options())
        .with_context_setup(ui::install)
        .wgpu()
        .build_ui_state(whole_window, host);
    harness.run_ok();
    harness
}

/// The text that the last frame put on the clipboard.
pub(super) fn copied_text<H>(harness: &Harness<'_, H>) -> Option<String> {
    let mut commands = harness.output().platform_output.commands.iter();
    commands.find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

/// Like an application's window, without the margin the harness leaves.
fn whole_window(ui: &mut egui::Ui, host: &mut Host) {
    let all = egui::UiBuilder::new().max_rect(ui.ctx().content_rect());
    ui.scope_builder(all, |ui| host.show(ui));
}

/// The state in this theme.
pub(crate) fn themed(mut state: State, theme: ThemeChoice) -> State {
    state.settings.theme = theme;
    state
}

/// The one place that says how much two pictures of the window may differ: rounding of glyphs and
/// of blending between drivers, no more.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(1.5).max_failed_pixels(120).output_path("tests/snapshots")
}

/// A part of the window that a picture is taken of. Few pictures are of all of it: a change to one
/// panel changes the pictures of that panel.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Whole,
    /// The library's filter and its first rows.
    Rows,
    /// What stands between library and inspector, above the timeline.
    Stage,
    Timeline,
    /// The buttons above the timeline.
    Transport,
    /// The bar of the window and the toolbars below it.
    Top,
    Inspector,
    /// What lies over the window, by the name of its area.
    Overlay(&'static str),
}

impl Part {
    pub(super) fn rect_in(self, harness: &Harness<'_, Host>) -> Rect {
        self.rect(harness)
    }

    fn rect(self, harness: &Harness<'_, Host>) -> Rect {
        let window = harness.ctx.content_rect();
        let panel = |name: &str, classes: [&str; 2]| {
            let scope = harness.state().scope.expect("the window was drawn");
            let id = |class| scope.with_salt(IdSalt::new((name, class)));
            let load = |class| PanelState::load(&harness.ctx, id(class));
            classes.into_iter().find_map(load).map(|state| state.outer_rect)
        };
        let library = panel("library", ["wide", "narrow"]);
        let inspector = panel("inspector", ["wide", "narrow"]);
        let timeline = panel("timeline", ["high", "low"]);
        let found = match self {
            Self::Whole => Some(window),
            Self::Rows => library.map(|rect| rect.with_max_y(rect.top() + 380.0)),
            Self::Inspector => inspector,
            Self::Timeline => timeline,
            Self::Transport => timeline.map(|rect| rect.with_max_y(rect.top() + 40.0)),
            Self::Top => Some(window.with_max_y(window.top() + 78.0)),
            Self::Stage => library.map(|library| {
                let bottom = timeline.map_or(library.bottom(), |timeline| timeline.top());
                let right = inspector.map_or(window.right(), |inspector| inspector.left());
                Rect::from_x_y_ranges(library.right()..=right, library.top()..=bottom)
            }),
            Self::Overlay(name) => harness.ctx.memory(|memory| memory.area_rect(Id::unique(name))),
        };
        found.expect("the part is in the window").intersect(window)
    }
}

/// Draws a state in both themes and compares both pictures of a part.
pub(super) fn looks(name: &str, state: &State, size: [f32; 2], part: Part) {
    parts_look(&[(name, part)], state, size);
}

/// The same with several parts.
pub(super) fn parts_look(parts: &[(&str, Part)], state: &State, size: [f32; 2]) {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = window(themed(state.clone(), theme), size);
        harness.run_ok();
        for (name, part) in parts {
            add_look(&mut results, &mut harness, &format!("{name}_{suffix}"), *part);
        }
    }
}

/// Compares the picture of a part of a window as it is now.
pub(super) fn add_look(
    results: &mut SnapshotResults,
    harness: &mut Harness<'_, Host>,
    name: &str,
    part: Part,
) {
    let rect = part.rect(harness);
    add_look_at(results, harness, name, rect);
}

/// Compares the picture of an area of any window as it is now.
pub(super) fn add_look_at<H>(
    results: &mut SnapshotResults,
    harness: &mut Harness<'_, H>,
    name: &str,
    rect: Rect,
) {
    let mut picture = harness.render().expect("the window is drawn");
    let (left, top) = (rect.left().floor() as u32, rect.top().floor() as u32);
    let (right, bottom) = (rect.right().ceil() as u32, rect.bottom().ceil() as u32);
    let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
    let part = image::imageops::crop(&mut picture, left, top, width, height).to_image();
    results.add(try_image_snapshot_options(&part, name, &options()));
}
