//! The selected call: its arguments to be changed, its place, what came of it; or a call to be put in.

use egui::{Id, Key, Label, Modifiers, ScrollArea, TextEdit, Ui};
use serde_json::{Map, Value};

use super::form::ArgumentsForm;
use crate::environment::ToolSpec;
use crate::run::CallSource;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::inspector::parts::{quiet_ui, section_ui};
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text, with_escape};
use crate::workbench::views::WhatIfView;
use crate::workbench::{Command, WhatIfCommand, WhatIfSubject};

/// Most tools that a search lists.
const MOST_LISTED: usize = 80;

/// What is asked for below the list.
#[derive(Debug, Default)]
enum DetailsPrompt {
    /// The arguments of the selected call.
    #[default]
    Arguments,
    /// Which tool is called next.
    Tool,
    /// The arguments of a call of this tool, before it is put in.
    NewCall(String),
}

/// What the part below the list remembers.
#[derive(Debug, Default)]
pub(super) struct CallDetails {
    asked: DetailsPrompt,
    search: String,
    form: ArgumentsForm,
    /// Which call the form is about: its subject, the state of the calls, its place.
    about: Option<(WhatIfSubject, u64, usize)>,
    /// The latest beginning by hand, after which the next call was asked for.
    continued: u64,
    /// Whether the list of tools is to have the keyboard.
    takes_keyboard: bool,
}

impl CallDetails {
    /// Draws what stands below the list.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
        // Whoever goes on with a run by hand is asked for the next call at once.
        let by_hand = view.edited.and_then(|edited| edited.now.by_hand);
        if let Some(by_hand) = by_hand.filter(|by_hand| by_hand.began > self.continued) {
            self.continued = by_hand.began;
            self.asked = DetailsPrompt::Tool;
            self.search.clear();
            self.takes_keyboard = true;
        }
        let is_empty = view.rows.is_empty();
        // Where there is nothing to select, a call is what is wanted.
        if is_empty && matches!(self.asked, DetailsPrompt::Arguments) {
            self.asked = DetailsPrompt::Tool;
        }
        ScrollArea::vertical().id_salt("what_if_details").auto_shrink(false).show(ui, |ui| {
            section_ui(ui, true, |ui| {
                ui.add_space(4.0);
                match &self.asked {
                    DetailsPrompt::Arguments => self.selected_ui(ui, cx, view),
                    DetailsPrompt::Tool => self.tools_ui(ui, view),
                    DetailsPrompt::NewCall(name) => {
                        let name = name.clone();
                        self.new_call_ui(ui, cx, view, &name);
                    }
                }
                ui.add_space(10.0);
            });
        });
    }

    fn selected_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, view: &WhatIfView<'_>) {
        let selected = cx.state.what_if.selected;
        let row = view.rows.iter().find(|row| Some(row.at) == selected);
        let Some((row, edited)) = row.zip(view.edited) else {
            quiet_ui(ui, "Select a call to change it, or put one in.");
            ui.add_space(6.0);
            self.put_in_ui(ui);
            return;
        };
        let (at, planned) = (row.at, &row.item.planned);
        // What is typed is of one call in one state of the list: another one begins with its own arguments.
        let about = (view.subject.clone(), edited.now.number, at);
        if self.about.as_ref() != Some(&about) {
            self.form.begin(&planned.call.arguments);
            self.about = Some(about);
        }
        let send = |command| cx.send(Command::WhatIf(command));
        ui.label(rich_text(&planned.call.name, Type::Strong, tokens(ui).text));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let words = match (planned.source, row.item.is_dropped) {
                (CallSource::Inserted(_), _) => "Take it away",
                (CallSource::Recorded(_), true) => "Make it again",
                (CallSource::Recorded(_), false) => "Leave it out",
            };
            if Button::text(words).look(Look::Tool).show(ui).clicked() {
                send(WhatIfCommand::ToggleDropped(at));
            }
            let last = edited.now.items.len() - 1;
            let up = Button::icon(icons::CARET_UP, "Make it earlier").look(Look::Tool);
            if up.enabled(at > 0).show(ui).clicked() {
                send(WhatIfCommand::Move { from: at, to: at - 1 });
            }
            let down = Button::icon(icons::UNFOLDED, "Make it later").look(Look::Tool);
            if down.enabled(at < last).show(ui).clicked() {
                send(WhatIfCommand::Move { from: at, to: at + 1 });
            }
            self.put_in_ui(ui);
        });
        if let Some(outcome) = row.outcome {
            let color = if outcome.failed { tokens(ui).loss } else { tokens(ui).dim };
            // An outcome may be a whole document; its beginning says whether the call worked.
            let text: String = outcome.text.chars().take(400).collect();
            ui.add(Label::new(rich_text(text, Type::Caption, color)).wrap().selectable(true));
            ui.add_space(4.0);
        }
        let tool = tool_named(view, &planned.call.name);
        let schema = tool.map(|tool| &tool.schema);
        if let Some(arguments) = self.form.show(ui, schema, "Change the call") {
            send(WhatIfCommand::Replace { at, arguments });
        }
    }

    fn put_in_ui(&mut self, ui: &mut Ui) {
        let tooltip = "Choose a tool and call it behind the selected call.";
        let button = Button::text("Put a call in…").look(Look::Tool).tooltip(tooltip);
        if button.show(ui).clicked() {
            self.asked = DetailsPrompt::Tool;
            self.search.clear();
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, view: &WhatIfView<'_>) {
        let mut takes_first = false;
        ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.search)
                .id(Id::unique("what_if_tool"))
                .hint_text("Tool")
                .event_filter(with_escape())
                .desired_width(ui.available_width() - 70.0);
            let field = ui.add(field).accessible_name("Find a tool");
            if std::mem::take(&mut self.takes_keyboard) {
                field.request_focus();
            }
            let is_left = field.has_focus()
                && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            if is_left {
                field.surrender_focus();
            }
            takes_first = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            self.back_ui(ui);
        });
        let Some(tools) = view.tools else {
            quiet_ui(ui, "The tools come with the first picture.");
            return;
        };
        let wanted = self.search.trim().to_lowercase();
        let found = tools.iter().filter(|tool| {
            wanted.is_empty()
                || tool.name.contains(&wanted)
                || tool.description.to_lowercase().contains(&wanted)
        });
        let mut chosen = None;
        for tool in found.take(MOST_LISTED) {
            let button = Button::text(tool.name).of(tool.name).look(Look::Tool).height(22.0);
            // Enter in the field takes what stands first.
            let is_chosen = button.tooltip(tool.description).show(ui).clicked();
            if is_chosen || std::mem::take(&mut takes_first) {
                chosen = Some(tool);
            }
        }
        if let Some(tool) = chosen {
            self.form.begin(&Value::Object(Map::new()));
            self.form.fill_required(&tool.schema);
            self.about = None;
            self.asked = DetailsPrompt::NewCall(tool.name.to_owned());
        }
    }

    fn back_ui(&mut self, ui: &mut Ui) {
        if Button::text("Back").look(Look::Tool).show(ui).clicked() {
            self.asked = DetailsPrompt::Arguments;
            self.about = None;
        }
    }

    fn new_call_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        view: &WhatIfView<'_>,
        name: &str,
    ) {
        ui.horizontal(|ui| {
            ui.label(rich_text(name, Type::Strong, tokens(ui).text));
            self.back_ui(ui);
        });
        let tool = tool_named(view, name);
        if let Some(tool) = tool {
            quiet_ui(ui, tool.description);
        }
        let schema = tool.map(|tool| &tool.schema);
        if let Some(arguments) = self.form.show(ui, schema, "Put it in") {
            // Behind the selected call, or else behind the last that is made.
            let end = view.edited.map_or(0, |edited| edited.now.end());
            let at = cx.state.what_if.selected.map_or(end, |at| at + 1);
            let name = name.to_owned();
            cx.send(Command::WhatIf(WhatIfCommand::Insert { at, name, arguments }));
            self.asked = DetailsPrompt::Arguments;
            self.about = None;
        }
    }
}

fn tool_named<'a>(view: &WhatIfView<'a>, name: &str) -> Option<&'a ToolSpec> {
    view.tools?.iter().find(|tool| tool.name == name)
}
