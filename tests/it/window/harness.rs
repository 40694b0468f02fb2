//! A window without an application: what it sends is carried out by `workbench::handle`, and kept.

use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};

use pentimento::ui::{self, CommandQueue, ViewContext, Window};
use pentimento::workbench::{Command, State, ThemeChoice, handle};

/// The window, the state it draws, and all it ever sent.
#[derive(Default)]
pub(crate) struct Host {
    window: Window,
    pub(crate) state: State,
    pub(crate) sent: Vec<Command>,
}

impl Host {
    fn show(&mut self, ui: &mut egui::Ui) {
        let queue = CommandQueue::default();
        self.window.show(ui, &ViewContext { state: &self.state, commands: &queue });
        for command in queue.take() {
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

/// Draws a state in both themes and compares both pictures.
pub(super) fn looks(name: &str, state: &State, size: [f32; 2]) {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = window(themed(state.clone(), theme), size);
        harness.snapshot(format!("{name}_{suffix}"));
        results.extend_harness(&mut harness);
    }
}
