//! With what: limits, budget, folder, behaviour of the tools.

use crate::agent::AgentKind;
use egui::{RichText, Ui, vec2};

use super::parts::{
    Need, OptionalField, PathField, choice_ui, number_ui, optional_ui, path_ui, tick_look,
};
use crate::environment::{Compat, FontSource};
use crate::ui::context::ViewContext;
use crate::ui::theme::tokens;
use crate::ui::widgets::section_header;
use crate::workbench::{Browse, Command, LaunchEdit, views};

/// What all runs together may cost.
const BUDGET: OptionalField<'_> = OptionalField {
    name: "Budget of all runs",
    unit: "USD",
    tooltip: "When the answers of all runs together have cost this much, no run begins any more and \
              the others end after their turns. The models need prices in their file.",
    first: 10.0,
    speed: 0.1,
    decimals: 2,
};
/// What one may cost.
const COST: OptionalField<'_> = OptionalField {
    name: "Cost of a run",
    unit: "USD",
    tooltip: "A run ends when its answers have cost this much; nothing where the price is unknown.",
    first: 1.0,
    speed: 0.02,
    decimals: 2,
};
/// How many tokens one may take.
const TOKENS: OptionalField<'_> = OptionalField {
    name: "Tokens of a run",
    unit: "tokens",
    tooltip: "A run ends when it has read and written this many tokens.",
    first: 500_000.0,
    speed: 1000.0,
    decimals: 0,
};
/// How long one may take.
const SECONDS: OptionalField<'_> = OptionalField {
    name: "Time of a run",
    unit: "seconds",
    tooltip: "A run ends after this many seconds at work; those in which it is paused do not count.",
    first: 1800.0,
    speed: 10.0,
    decimals: 0,
};

/// The settings.
pub(super) fn limits_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let options = &cx.state.launch.options;
    let edit = |edit: LaunchEdit| cx.send(Command::EditLaunch(edit));
    section_header(ui, "Settings", "");
    number_ui(ui, "At most", "turns", options.limits.max_turns, 1..=1000, |turns| {
        edit(LaunchEdit::MaxTurns(turns));
    });
    number_ui(ui, "At once", "runs", options.at_once, 1..=256, |jobs| edit(LaunchEdit::Jobs(jobs)));
    optional_ui(ui, &SECONDS, options.limits.max_seconds, |secs| {
        edit(LaunchEdit::MaxSeconds(secs))
    });
    if cx.state.launch.agent == AgentKind::Model {
        let tokens = options.limits.max_tokens.map(|tokens| tokens as f64);
        optional_ui(ui, &TOKENS, tokens, |tokens| {
            // What a field of at most a billion gives.
            edit(LaunchEdit::MaxTokens(tokens.map(|tokens| tokens.round().max(1.0) as u64)));
        });
        optional_ui(ui, &COST, options.limits.max_cost_usd, |usd| edit(LaunchEdit::MaxCost(usd)));
        optional_ui(ui, &BUDGET, options.budget_usd, |usd| edit(LaunchEdit::Budget(usd)));
    }
    let out = Some(options.out_dir.as_path()).filter(|path| !path.as_os_str().is_empty());
    let field = PathField {
        label: "Into",
        choose: "Choose a folder for the runs…",
        need: Need::Needed,
        browse: Browse::OutDir,
        clear: None,
    };
    path_ui(ui, cx, out, field);
    resume_ui(ui, cx);
    ui.add_space(4.0);
    compat_ui(ui, cx);
    fonts_ui(ui, cx);
}

fn resume_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let mut resume = cx.state.launch.options.resume;
    let words = RichText::new("Go on with what is in the folder").color(tokens(ui).dim);
    let tick = |ui: &mut Ui| {
        tick_look(ui);
        ui.checkbox(&mut resume, words)
    };
    let response = ui.scope(tick).inner;
    if response.changed() {
        cx.send(Command::EditLaunch(LaunchEdit::Resume(resume)));
    }
    response.on_hover_text(
        "Tasks with a finished run of the same agent and settings are not run again; broken-off runs \
         begin with the answers they had, so that nothing is paid for twice.",
    );
}

/// Whose behaviour the tools follow: the choice, its name for screen readers, what it means.
const BEHAVIOURS: [(Compat, &str, &str, &str); 3] = [
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
    (
        Compat::GraphicBench,
        "as in GraphicBench",
        "Tools behave as in GraphicBench",
        "Values are taken as the released executor of GraphicBench takes them, its faults included: \
         for runs to set beside published ones. The run remembers it as graphicbench.",
    ),
];

fn compat_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header(ui, "Tools behave", "");
    let shown = views::launched_behaviours(cx.state);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let is_shown = |compat: &Compat| shown.contains(compat);
        for (compat, words, name, tooltip) in BEHAVIOURS.into_iter().filter(|it| is_shown(&it.0)) {
            let selected = cx.state.launch.options.compat == compat;
            if choice_ui(ui, words, name, selected).on_hover_text(tooltip).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::Compat(compat)));
            }
        }
    });
    ui.add_space(4.0);
}

/// Which fonts texts are set in: the choice, its name for screen readers, what it means.
const FONTS: [(FontSource, &str, &str, &str); 2] = [
    (
        FontSource::Vendored,
        "vendored",
        "Texts in the vendored fonts",
        "The same picture and the same scores on every machine.",
    ),
    (
        FontSource::Machine,
        "also this machine's",
        "Texts also in this machine's fonts",
        "Families that a design names and this machine has: another machine may show another picture. \
         The run remembers it as machine.",
    ),
];

fn fonts_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header(ui, "Fonts", "");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (fonts, words, name, tooltip) in FONTS {
            let selected = cx.state.launch.options.fonts == fonts;
            if choice_ui(ui, words, name, selected).on_hover_text(tooltip).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::Fonts(fonts)));
            }
        }
    });
    ui.add_space(4.0);
}
