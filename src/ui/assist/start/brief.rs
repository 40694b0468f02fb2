//! A design described in words: begun with an empty page, or planned first.

use egui::{Id, Key, Label, Margin, TextEdit, Ui};

use super::begin::open;
use super::sizes::{PRESETS, side_ui};
use crate::agent::AgentKind;
use crate::base::Size;
use crate::graphictown::DesignType;
use crate::metric::constraint::{LONGEST_BRIEF, Query, WantedSize, read_brief};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, Several, choice_ui, progress_bar_ui, rich_text, section_header_ui, sentence,
    with_escape,
};
use crate::workbench::{
    AnnotateCommand, AssistCommand, AssistStart, BriefCommand, BriefPlanner, BriefStart, Command,
    LaunchEdit, PlanPhase, Workspace, views,
};

/// An example of what can be typed.
const HINT: &str = "A poster with the title \"Blue Notes\" in huge white letters at the top center, \
                    and the date \"7 May\" below the title, on a navy blue background";
/// Most lines of what was read.
const MOST_LINES: usize = 12;

/// What is typed, and what is to come of it.
#[derive(Debug, Default)]
pub(super) struct BriefField {
    words: String,
    /// The size that was chosen; `None`: as the brief says.
    size: Option<Size>,
    /// Who is to plan; `None`: the model of the launch settings, if there is one.
    by: Option<BriefPlanner>,
    /// What was read of the words that were typed last.
    read: (String, Query, Vec<String>),
}

impl BriefField {
    /// Draws the field, and once something is typed what was read of it, the sizes, and the two ways to begin; above it
    /// the plan, if there is one.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        section_header_ui(ui, "Describe a design", "");
        let is_planning = plan_ui(ui, cx);
        self.field_ui(ui);
        if self.read.0 != self.words {
            let (query, unread) = read_brief(&self.words);
            self.read = (self.words.clone(), query, unread);
        }
        if self.words.trim().is_empty() {
            let words = "Begun with an empty page, or planned first.";
            ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
            return;
        }
        self.read_ui(ui);
        ui.add_space(4.0);
        self.sizes_ui(ui);
        ui.add_space(4.0);
        self.begin_ui(ui, cx, is_planning);
    }

    /// The size of the page: as it was chosen, or as the brief says.
    fn size(&self) -> Size {
        let (_, query, _) = &self.read;
        self.size.or(query.page_size()).unwrap_or(DesignType::Poster.page_size())
    }

    /// Usual sizes, and the sides of any other.
    fn sizes_ui(&mut self, ui: &mut Ui) {
        let chosen = self.size();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
            for (name, size) in sizes() {
                let Size { width, height } = size;
                let long = format!("{name}, {width} × {height}, for the described design");
                if choice_ui(ui, name, &long, chosen == size, Several::No).clicked() {
                    self.size = Some(size);
                }
            }
        });
        ui.horizontal(|ui| {
            let mut size = chosen;
            let across = side_ui(ui, "Width of the described design", &mut size.width);
            ui.label(rich_text("×", Type::Body, tokens(ui).dim));
            let down = side_ui(ui, "Height of the described design", &mut size.height);
            if across.changed() || down.changed() {
                self.size = Some(Size::new(size.width.round(), size.height.round()));
            }
        });
    }

    fn field_ui(&mut self, ui: &mut Ui) {
        let field = TextEdit::multiline(&mut self.words)
            .id(Id::unique("assist_brief"))
            .hint_text(rich_text(HINT, Type::Body, tokens(ui).dim))
            .desired_rows(3)
            .char_limit(LONGEST_BRIEF)
            .margin(Margin::symmetric(8, 5))
            .event_filter(with_escape())
            .desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name("Describe a design in words");
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            response.surrender_focus();
        }
    }

    /// What the brief asks as it was read, a line each, and what of it says nothing.
    fn read_ui(&self, ui: &mut Ui) {
        let (_, query, unread) = &self.read;
        let tokens = tokens(ui);
        let page = query.page.map(|Size { width, height }| format!("Page: {width} × {height}"));
        let mut lines: Vec<String> = page.into_iter().chain(asked_lines(query)).collect();
        if lines.is_empty() {
            lines.push(
                "Nothing was read of it: put texts in quotes, say where they go, or name a background."
                    .to_owned(),
            );
        }
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        if more > 0 {
            lines.push(format!("… and {more} more"));
        }
        for line in lines {
            ui.add(Label::new(rich_text(line, Type::Caption, tokens.text)).wrap());
        }
        for words in unread.iter().take(MOST_LINES) {
            let line = format!("Not checked: {words}");
            ui.add(Label::new(rich_text(line, Type::Caption, tokens.dim)).wrap());
        }
    }

    /// The two ways to begin.
    fn begin_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, is_planning: bool) {
        let start = BriefStart { words: self.words.clone(), size: self.size(), plan: None };
        let names = cx.state.launch.model_names();
        let first = names.first().map(|name| BriefPlanner::Model((*name).to_owned()));
        let by = self.by.clone().or(first).unwrap_or_default();
        ui.horizontal_wrapped(|ui| {
            let empty = Button::text("Begin with an empty page").with_icon(icons::NODE_FRAME);
            let tooltip = "The brief stays with the design: the assistant checks against it.";
            if empty.tooltip(tooltip).show(ui).clicked() {
                open(cx, AssistStart::Brief(start.clone()));
            }
            if let Some(name) = missing_model(cx, &by) {
                let words = format!("{name} is missing: choose a model…");
                let tooltip = "Opens the launch settings, where models are named.";
                if Button::text(&words).tooltip(tooltip).show(ui).clicked() {
                    choose_model(cx);
                }
                return;
            }
            let why = self.why_no_plan(&start, is_planning);
            // A plan that is there already is what comes next.
            let has_plan = cx.state.brief_plan().is_some();
            let look = if has_plan { Look::Raised } else { Look::Primary };
            let planned = Button::text("Have it planned").with_icon(icons::PLAY).look(look);
            let tooltip = "A run in the background plans the design and makes it.";
            let tooltip = why.as_deref().unwrap_or(tooltip);
            if planned.tooltip(tooltip).enabled(why.is_none()).show(ui).clicked() {
                send(cx, BriefCommand::Plan(start.clone(), by.clone()));
            }
        });
        if let Some(why) = self.why_no_plan(&start, is_planning) {
            ui.add(Label::new(rich_text(why, Type::Caption, tokens(ui).dim)).wrap());
        }
        self.planner_ui(ui, cx, &names, &by);
    }

    /// Why there can be no plan.
    fn why_no_plan(&self, start: &BriefStart, is_planning: bool) -> Option<String> {
        let (_, query, _) = &self.read;
        if is_planning {
            return Some("A plan is being made: stop it first.".to_owned());
        }
        if asked_lines(query).is_empty() {
            let why = "Nothing was read of the brief: there is nothing to plan.";
            return Some(why.to_owned());
        }
        start.why_no_page()
    }

    /// Who plans.
    fn planner_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, names: &[&str], by: &BriefPlanner) {
        let dim = tokens(ui).dim;
        if names.is_empty() {
            ui.horizontal_wrapped(|ui| {
                let words =
                    "Planned by rules, without a model: none is named in the launch settings.";
                ui.label(rich_text(words, Type::Caption, dim));
                let button = Button::text("Choose a model…").compact();
                let tooltip = "Opens the launch settings, where models are named.";
                if button.tooltip(tooltip).show(ui).clicked() {
                    choose_model(cx);
                }
            });
            return;
        }
        ui.horizontal_wrapped(|ui| {
            ui.label(rich_text("Planned by", Type::Caption, dim));
            let models = names.iter().map(|name| BriefPlanner::Model((*name).to_owned()));
            for planner in std::iter::once(BriefPlanner::Rules).chain(models) {
                let words = planner.words();
                let name = format!("Planned by {words}");
                if choice_ui(ui, &words, &name, planner == *by, Several::No).clicked() {
                    self.by = Some(planner);
                }
            }
        });
    }
}

/// Pages that planners make, and sizes of screens.
fn sizes() -> impl Iterator<Item = (&'static str, Size)> {
    // A book cover is as large as a poster, and a business card as a postcard.
    let pages = [DesignType::Poster, DesignType::Postcard];
    let pages = pages.into_iter().map(|design| (design.title(), design.page_size()));
    pages.chain(PRESETS.into_iter().map(|(name, width, height)| (name, Size::new(width, height))))
}

/// What a query asks of what is on the page, a line each.
fn asked_lines(query: &Query) -> Vec<String> {
    let background = query.background.iter().map(|color| format!("Background: {color}"));
    let texts = query.texts.iter().map(|text| {
        let content = text.content.as_deref().map(|content| format!("“{content}”"));
        let size = text.size.as_ref().map(size_words);
        let parts = [content, size, text.color.clone(), text.position.clone()];
        line(&text.role, parts)
    });
    let visuals = query.visuals.iter().map(|visual| {
        let size = visual.size.as_ref().map(size_words);
        line(&visual.name, [Some("picture".to_owned()), size, visual.position.clone(), None])
    });
    background.chain(texts).chain(visuals).collect()
}

fn line(name: &str, parts: [Option<String>; 4]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}: {}", sentence(name), parts.join(" · "))
}

fn size_words(size: &WantedSize) -> String {
    match size {
        WantedSize::Points(points) => format!("{points} pt"),
        WantedSize::Words(words) => words.clone(),
    }
}

/// The model that is to plan and that nobody knows.
fn missing_model(cx: &ViewContext<'_>, by: &BriefPlanner) -> Option<String> {
    match by {
        BriefPlanner::Model(name) if !views::is_model(cx.state, name) => Some(name.clone()),
        BriefPlanner::Model(_) | BriefPlanner::Rules => None,
    }
}

fn choose_model(cx: &ViewContext<'_>) {
    cx.send(Command::OpenLaunch(Vec::new()));
    cx.send(Command::EditLaunch(LaunchEdit::Agent(AgentKind::Model)));
}

fn send(cx: &ViewContext<'_>, command: BriefCommand) {
    cx.send(Command::Assist(AssistCommand::Brief(command)));
}

/// The plan that is made or was; whether it still is made.
fn plan_ui(ui: &mut Ui, cx: &ViewContext<'_>) -> bool {
    let Some((plan, phase)) = cx.state.brief_plan() else { return false };
    let tokens = tokens(ui);
    let is_planning = matches!(phase, PlanPhase::Planning(..));
    tokens.card_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        let words = match phase {
            PlanPhase::Planning(message, share) => {
                progress_bar_ui(ui, "Progress of the plan", share, ui.available_width());
                let message = if message.is_empty() { "queued" } else { message };
                format!("Planned by {}: {message}.", plan.by.words())
            }
            PlanPhase::Ready(_, limit) => {
                let limit = limit.map(|limit| format!(" It ended at its limit of {limit}."));
                format!(
                    "The plan's design is ready.{} Its texts and shapes become layers; what was \
                     filtered becomes pictures.",
                    limit.unwrap_or_default()
                )
            }
            PlanPhase::Stopped => "The plan was stopped.".to_owned(),
            PlanPhase::Failed(why) => format!("The plan failed: {why}."),
        };
        let color = if matches!(phase, PlanPhase::Failed(_)) { tokens.loss } else { tokens.text };
        ui.add(Label::new(rich_text(words, Type::Body, color)).wrap());
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            if let PlanPhase::Ready(..) = phase {
                let take = Button::text("Take over the plan's design").look(Look::Primary);
                let tooltip = "Begins a design with its layers; it is one step that can be undone.";
                if take.tooltip(tooltip).show(ui).clicked() {
                    send(cx, BriefCommand::TakeOver);
                }
            }
            if is_planning {
                let stop = Button::text("Stop planning").with_icon(icons::STOP);
                if stop.tooltip("What was made so far stays in the library.").show(ui).clicked() {
                    cx.send(Command::CancelJob(plan.job));
                }
            }
            if cx.state.library.runs.contains_key(&plan.run) {
                let run = Button::text("Show its run").tooltip("Goes to Inspect, step by step.");
                if run.show(ui).clicked() {
                    cx.send(Command::SelectRun(plan.run));
                    cx.send(Command::Annotate(AnnotateCommand::Show(Workspace::Inspect)));
                }
            }
            if !is_planning {
                let dismiss = Button::text("Dismiss");
                if dismiss.tooltip("Its run stays in the library.").show(ui).clicked() {
                    send(cx, BriefCommand::Discard);
                }
            }
        });
    });
    ui.add_space(8.0);
    is_planning
}
