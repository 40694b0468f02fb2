//! With what: pictures, limits, budget, folder, behaviour of the tools, fonts.

use crate::agent::AgentKind;
use egui::{Ui, vec2};

use super::parts::{
    Need, OptionalField, PathField, number_ui, optional_ui, path_ui, typed, wrapped_ui,
};
use crate::environment::{Compat, FontSource};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Several, choice_ui, count, rich_text, section_header_ui, tick_ui};
use crate::workbench::{Browse, Command, Fetched, LaunchEdit, views};

/// What all runs together may cost.
const BUDGET: OptionalField<'_> = OptionalField {
    name: "Limit total cost",
    unit: "USD",
    tooltip: "When the answers of all runs together have cost this much, no run begins any more and \
              the others end after their turns. The models need prices in their file.",
    first: 10.0,
    speed: 0.1,
    decimals: 2,
};
/// What one may cost.
const COST: OptionalField<'_> = OptionalField {
    name: "Limit cost per run",
    unit: "USD",
    tooltip: "A run ends when its answers have cost this much; nothing where the price is unknown.",
    first: 1.0,
    speed: 0.02,
    decimals: 2,
};
/// How many tokens one may take.
const TOKENS: OptionalField<'_> = OptionalField {
    name: "Limit tokens per run",
    unit: "tokens",
    tooltip: "A run ends when it has read and written this many tokens.",
    first: 500_000.0,
    speed: 1000.0,
    decimals: 0,
};
/// How long one may take.
const SECONDS: OptionalField<'_> = OptionalField {
    name: "Limit time per run",
    unit: "seconds",
    tooltip: "A run ends after this many seconds at work; those in which it is paused do not count.",
    first: 1800.0,
    speed: 10.0,
    decimals: 0,
};

/// The settings.
pub(super) fn limits_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let options = &cx.state.launch.options;
    section_header_ui(ui, "Settings", "");
    number_ui(
        ui,
        cx,
        ("At most", "turns"),
        options.limits.max_turns,
        1..=1000,
        LaunchEdit::MaxTurns,
    );
    number_ui(ui, cx, ("Parallel runs", ""), options.at_once, 1..=256, LaunchEdit::Jobs);
    optional_ui(ui, cx, &SECONDS, options.limits.max_seconds, LaunchEdit::MaxSeconds);
    // Only models cost tokens and money; the others would show limits that never act.
    if cx.state.launch.agent == AgentKind::Model {
        let tokens = options.limits.max_tokens.map(|tokens| tokens as f64);
        optional_ui(ui, cx, &TOKENS, tokens, |tokens| {
            // What a field of at most a billion gives.
            LaunchEdit::MaxTokens(tokens.map(|tokens| tokens.round().max(1.0) as u64))
        });
        optional_ui(ui, cx, &COST, options.limits.max_cost_usd, LaunchEdit::MaxCost);
        optional_ui(ui, cx, &BUDGET, options.budget_usd, LaunchEdit::Budget);
    }
    // An empty path is none: nothing was chosen yet.
    let out = Some(options.out_dir.as_path()).filter(|path| !path.as_os_str().is_empty());
    let field = PathField {
        label: "Save runs to",
        choose: "Choose a folder for the runs…",
        need: Need::Needed,
        browse: Browse::OutDir,
        clear: None,
        edit: |path| LaunchEdit::OutDir(path.into()),
    };
    path_ui(ui, cx, out, field);
    resume_ui(ui, cx);
    ui.add_space(4.0);
    compat_ui(ui, cx);
    fonts_ui(ui, cx);
}

fn resume_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    // An experiment is always gone on with.
    if cx.state.launch.is_experiment() {
        return;
    }
    let tooltip = "Tasks with a finished run of the same agent and settings are not run again; broken-off runs \
         begin with the answers they had, so that nothing is paid for twice.";
    let resume = cx.state.launch.options.resume;
    if let Some(resume) = tick_ui(ui, "Resume: skip finished runs", tooltip, resume) {
        cx.send(Command::EditLaunch(LaunchEdit::Resume(resume)));
    }
}

/// Whose behaviour the tools follow: the choice, its name for screen readers, what it means.
const BEHAVIOURS: [(Compat, &str, &str, &str); 3] = [
    (Compat::Documented, "documented", "Documented", "Every tool does what its description says."),
    (
        Compat::Canvas202601,
        "CANVAS 2026-01",
        "CANVAS 2026-01",
        "Faults of the published tools of January 2026 included: for runs to set beside published \
         ones. The run remembers it as canvas-2026-01.",
    ),
    (
        Compat::GraphicBench,
        "GraphicBench",
        "GraphicBench",
        "Values are taken as the released executor of GraphicBench takes them, its faults included: \
         for runs to set beside published ones. The run remembers it as graphicbench.",
    ),
];

fn compat_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header_ui(ui, "Tool behaviour", "");
    // Only what fits the chosen tasks, and what is chosen: else it could not be changed.
    let shown = views::launched_behaviours(cx.state);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (compat, words, name, tooltip) in
            BEHAVIOURS.into_iter().filter(|(compat, ..)| shown.contains(compat))
        {
            let selected = cx.state.launch.options.compat == compat;
            if choice_ui(ui, words, name, selected, Several::No).on_hover_text(tooltip).clicked() {
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
    section_header_ui(ui, "Fonts", "");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (fonts, words, name, tooltip) in FONTS {
            let selected = cx.state.launch.options.fonts == fonts;
            if choice_ui(ui, words, name, selected, Several::No).on_hover_text(tooltip).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::Fonts(fonts)));
            }
        }
    });
    ui.add_space(4.0);
}

/// Where the pictures of the chosen queries are; nothing where none is chosen.
pub(super) fn pictures_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if !views::launches_queries(cx.state) {
        return;
    }
    let tokens = tokens(ui);
    section_header_ui(ui, "Pictures of the queries", "");
    let field = PathField {
        label: "Folder",
        choose: "Choose a folder of pictures…",
        need: Need::Optional,
        browse: Browse::PictureFolder,
        clear: Some(("Launch without pictures", LaunchEdit::Pictures(None))),
        edit: |path| LaunchEdit::Pictures(typed(path)),
    };
    path_ui(ui, cx, cx.state.launch.options.pictures.as_deref(), field);
    // What the folder holds is counted before the launch, as a wrong one would only be seen in the
    // runs.
    let (words, ink) = match cx.state.launch_pictures() {
        None => ("Without one, labelled placeholders stand for them.".to_owned(), tokens.dim),
        Some(Fetched::Pending) => ("The folder is being read…".to_owned(), tokens.dim),
        Some(Fetched::Failed(why)) => (why.clone(), tokens.loss),
        Some(Fetched::Ready(listed)) if listed.pictures == 0 => {
            ("No PNG, JPEG or SVG is in it or below it.".to_owned(), tokens.warn)
        }
        Some(Fetched::Ready(listed)) => {
            (format!("{}, found by their names.", count(listed.pictures, "picture")), tokens.dim)
        }
    };
    let words = rich_text(words, Type::Caption, ink);
    wrapped_ui(ui, words);
    ui.add_space(6.0);
}
