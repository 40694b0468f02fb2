//! Who acts.

use egui::{Id, Rect, RichText, Role, Sense, TextEdit, Ui, WidgetInfo, vec2};

use super::keys::keys_ui;
use super::parts::{Need, PathField, label_ui, path_ui, typed, wrapped_ui};
use crate::agent::AgentKind;
use crate::agent::model_agent::Mode;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Several, TickState, caption_row_ui, card_ui, check_ui, choice_ui, give_up_on_escape,
    paint_text, section_header_ui,
};
use crate::workbench::protocol::ListedModel;
use crate::workbench::views;
use crate::workbench::{Browse, Command, ExperimentEdit, Fetched, LaunchEdit};

/// The agents there are: kind, name, what it does.
const AGENTS: [(AgentKind, &str, &str); 5] = [
    (AgentKind::Tracer, "Tracer", "Draws what it sees in the picture, without a model."),
    (AgentKind::Model, "Model", "Asks models behind an API, with your key."),
    (AgentKind::Scripted, "Scripted", "Plays the tool calls of a file, turn by turn."),
    (AgentKind::Exec, "Your own", "Asks a program of yours, by lines of JSON."),
    (AgentKind::Rules, "Rules", "Plans a design query by rules, without a model."),
];

/// The agents, two beside each other, and what the chosen one needs.
pub(super) fn agents_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    section_header_ui(ui, "Agent", "");
    // Rules are for design queries; chosen before, they stay to be seen and changed.
    let shows_rules = views::launches_suite(cx.state) || cx.state.launch.agent == AgentKind::Rules;
    let agents: Vec<_> =
        AGENTS.into_iter().filter(|(kind, ..)| shows_rules || *kind != AgentKind::Rules).collect();
    for pair in agents.chunks(2) {
        // Cards of one height in two columns: a layout of its own would make each as high as its
        // words.
        let (_, row) = ui.allocate_space(vec2(ui.available_width(), 62.0));
        let width = (row.width() - 6.0) / 2.0;
        for (at, (kind, name, words)) in pair.iter().enumerate() {
            let left = row.left() + at as f32 * (width + 6.0);
            let rect = Rect::from_min_size(egui::pos2(left, row.top()), vec2(width, row.height()));
            agent_ui(ui, cx, rect, (*kind, name, words));
        }
        ui.add_space(6.0);
    }
    match cx.state.launch.agent {
        AgentKind::Scripted => {
            let script = cx.state.launch.script.as_deref();
            let field = PathField {
                label: "Script",
                choose: "Choose a script of tool calls…",
                need: Need::Needed,
                browse: Browse::Script,
                clear: None,
                edit: |path| LaunchEdit::Script(typed(path)),
            };
            path_ui(ui, cx, script, field);
        }
        AgentKind::Exec => command_ui(ui, cx),
        AgentKind::Model => model_ui(ui, cx),
        _ => {}
    }
    ui.add_space(4.0);
}

fn agent_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    rect: Rect,
    (kind, name, words): (AgentKind, &str, &str),
) {
    let tokens = tokens(ui);
    let selected = cx.state.launch.agent == kind;
    let response = ui.interact(rect, Id::unique(("launch_agent", kind.name())), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, name));
    card_ui(ui, rect, &response, selected);
    let icon = match kind {
        AgentKind::Tracer => icons::TRACER,
        AgentKind::Exec => icons::COMMAND,
        AgentKind::Model => icons::RUN,
        _ => icons::SCRIPT,
    };
    let left = egui::Align2::LEFT_CENTER;
    let at = rect.left_top() + vec2(10.0, 15.0);
    paint_text(ui.painter(), at, left, icon, (Type::Icon, tokens.text), 20.0);
    let title = at + vec2(22.0, 0.0);
    paint_text(ui.painter(), title, left, name, (Type::Strong, tokens.text), rect.width() - 40.0);
    let room = rect.width() - 20.0;
    // Wrapped within the card, which is high enough for two lines.
    let galley = ui.painter().layout(words.to_owned(), Type::Caption.font(), tokens.dim, room);
    ui.painter().galley(rect.left_top() + vec2(10.0, 28.0), galley, tokens.dim);
    if response.clicked() {
        cx.send(Command::EditLaunch(LaunchEdit::Agent(kind)));
    }
}

fn model_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let model = &cx.state.launch.model;
    let file = model.file.as_deref();
    let field = PathField {
        label: "File",
        choose: "Choose a file of models…",
        need: Need::Optional,
        browse: Browse::ModelFile,
        clear: Some(("Name models without a file", LaunchEdit::ModelFile(None))),
        edit: |path| LaunchEdit::ModelFile(typed(path)),
    };
    path_ui(ui, cx, file, field);
    if let Some(models) = cx.state.launch_models() {
        listed_ui(ui, cx, models);
    }
    names_ui(ui, cx);
    keys_ui(ui, cx);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let suite = views::launches_suite(cx.state);
        let chosen = cx.state.launch.modes();
        for (mode, words, name) in MODES {
            // Plans are for the design suite, pages for screens; the chosen one is always seen.
            let is_shown = match mode {
                Mode::MultiTurn | Mode::SingleTurn => true,
                Mode::Code => !suite,
                _ => suite,
            };
            let is_on = chosen.contains(&mode);
            if !is_shown && !is_on {
                continue;
            }
            // Several of them in an experiment, one of them else.
            let (several, edit) = if cx.state.launch.is_experiment() {
                (Several::Yes, LaunchEdit::Experiment(ExperimentEdit::ToggleMode(mode)))
            } else {
                (Several::No, LaunchEdit::ModelMode(mode))
            };
            if choice_ui(ui, words, name, is_on, several).clicked() {
                cx.send(Command::EditLaunch(edit));
            }
        }
    });
    ui.add_space(8.0);
}

fn names_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    caption_row_ui(ui, |ui| {
        label_ui(ui, "Models");
        // egui types into a string of its own; what was typed goes to the state by command.
        let mut names = cx.state.launch.model.name.clone();
        let hint = RichText::new("anthropic:MODEL or a name from the file").color(tokens.dim);
        let edit = TextEdit::singleline(&mut names)
            .id(Id::unique("launch_model"))
            .desired_width(f32::INFINITY)
            .hint_text(hint);
        let mut response = ui.add(edit).accessible_name("Name of the model");
        give_up_on_escape(ui, &mut response, &mut names, &cx.state.launch.model.name);
        if response.changed() {
            cx.send(Command::EditLaunch(LaunchEdit::ModelName(names)));
        }
        response.on_hover_text(
            "One or more, divided by commas; each works on every task. A name of the file of \
             models, or KIND:MODEL or KIND:MODEL@ADDRESS with KIND one of responses, \
             chat_completions, anthropic, gemini, bedrock. The key comes from the environment or the \
             keyring.",
        );
    });
    ui.add_space(4.0);
}

/// The models of the file, to tick.
fn listed_ui(ui: &mut Ui, cx: &ViewContext<'_>, models: &Fetched<Vec<ListedModel>>) {
    let tokens = tokens(ui);
    match models {
        Fetched::Pending => {
            ui.label(RichText::new("The file is being read…").color(tokens.dim));
        }
        Fetched::Failed(why) => {
            wrapped_ui(ui, RichText::new(why).color(tokens.loss));
        }
        Fetched::Ready(listed) if listed.is_empty() => {
            let words = "No model is in the file. Add {\"models\": {\"NAME\": {…}}}.";
            wrapped_ui(ui, RichText::new(words).color(tokens.dim));
        }
        Fetched::Ready(listed) => listed.iter().for_each(|model| listed_model_ui(ui, cx, model)),
    }
    ui.add_space(4.0);
}

fn listed_model_ui(ui: &mut Ui, cx: &ViewContext<'_>, model: &ListedModel) {
    // The ticks and the typed names are one list: either changes the other.
    let is_on = cx.state.launch.model_names().contains(&model.name.as_str());
    let kind = model.kind.name().replace('_', " ");
    let aside = if model.has_prices { kind } else { format!("{kind} · price unknown") };
    if check_ui(ui, &model.name, &aside, TickState::of(is_on), 0.0) {
        cx.send(Command::EditLaunch(LaunchEdit::ToggleModel(model.name.clone())));
    }
}

/// How a model works: the choice, and its name for screen readers.
const MODES: [(Mode, &str, &str); 7] = [
    (Mode::MultiTurn, "turn by turn", "The model works turn by turn"),
    (Mode::SingleTurn, "all at once", "The model makes all calls at once"),
    (Mode::Code, "as HTML", "The model writes a page in HTML instead of calls; needs Chromium"),
    (Mode::Agentic, "plan in stages", "The model plans for a team of experts, stage by stage"),
    (
        Mode::AgenticVision,
        "in stages, seeing pictures",
        "The model plans in stages and sees the query's pictures",
    ),
    (Mode::DirectPlan, "plan at once", "The model plans for a team of experts, all at once"),
    (
        Mode::DirectPlanVision,
        "at once, seeing pictures",
        "The model plans at once and sees the query's pictures",
    ),
];

fn command_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    caption_row_ui(ui, |ui| {
        label_ui(ui, "Command");
        // A copy for egui to type into, and a command for the state, as of the models.
        let mut command = cx.state.launch.command.clone();
        let hint = RichText::new("python3 agent.py").color(tokens.dim);
        let edit = TextEdit::singleline(&mut command)
            .id(Id::unique("launch_command"))
            .desired_width(f32::INFINITY)
            .hint_text(hint);
        let mut response = ui.add(edit).accessible_name("Command of your own agent");
        give_up_on_escape(ui, &mut response, &mut command, &cx.state.launch.command);
        if response.changed() {
            cx.send(Command::EditLaunch(LaunchEdit::Command(command)));
        }
        response
            .on_hover_text("The program and its arguments. No shell: quotes keep words together.");
    });
    ui.add_space(4.0);
}
