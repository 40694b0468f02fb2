//! The keys of the chosen models: where they come from, and a field for one that is missing.

use std::collections::BTreeMap;

use egui::{Align, Id, Layout, RichText, TextEdit, Ui};

use super::parts::{label_ui, wrapped_ui};
use crate::agent::models::{Ability, EndpointReport, ModelSetup};
use crate::agent::providers::{EnteredKey, KeyPlace, ProviderKind};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, caption_row_ui, count, elided_label_ui, rich_text};
use crate::workbench::{Command, Fetched, LaunchEdit, views};

/// Keys as they are typed, by the names they are to have: in memory of the window alone until they are
/// used, in no state and in no file.
type Typed = BTreeMap<String, String>;

fn typed_id() -> Id {
    Id::unique("launch_typed_keys")
}

/// What is known of each model's key; below it a field for each that is missing.
pub(super) fn keys_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    // One key serves all models of a provider: it is asked for once.
    let mut missing: Vec<(String, ProviderKind)> = Vec::new();
    let mut is_known = true;
    for name in cx.state.launch.model_names() {
        if !views::is_model(cx.state, name) {
            let words = format!("{name} is not a model");
            wrapped_ui(ui, rich_text(words, Type::Caption, tokens.loss));
            continue;
        }
        let (words, ink) = match cx.state.launch_setup(name) {
            None => {
                is_known = false;
                continue;
            }
            Some(Fetched::Pending) => {
                is_known = false;
                (format!("{name}: checking…"), tokens.dim)
            }
            Some(Fetched::Failed(why)) => (format!("{name}: {why}"), tokens.loss),
            Some(Fetched::Ready(setup)) => match &setup.key {
                Ok(place) => {
                    ready_ui(ui, cx, name, place);
                    continue;
                }
                Err(why) => {
                    missing.extend(entry_of(setup).filter(|it| !missing.contains(it)));
                    (format!("{name}: {why}"), tokens.loss)
                }
            },
        };
        wrapped_ui(ui, rich_text(words, Type::Caption, ink));
        ui.add_space(2.0);
    }
    // What is not missing any more is forgotten: a field that is not shown keeps nothing.
    let mut typed = ui.data_mut(|data| data.remove_temp::<Typed>(typed_id())).unwrap_or_default();
    if is_known {
        typed.retain(|entry, _| missing.iter().any(|(missing, _)| missing == entry));
    }
    for (entry, kind) in missing {
        ui.add_space(4.0);
        key_ui(ui, cx, (&entry, kind), typed.entry(entry.clone()).or_default());
    }
    ui.data_mut(|data| data.insert_temp(typed_id(), typed));
    ui.add_space(4.0);
}

/// A model that can be asked: where its key comes from, a button that tests it, and what was found.
fn ready_ui(ui: &mut Ui, cx: &ViewContext<'_>, name: &str, place: &KeyPlace) {
    let tokens = tokens(ui);
    let test = cx.state.endpoint_test(name);
    caption_row_ui(ui, |ui| {
        // The button first, from the right: the name gets the room that it leaves.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let is_testing = matches!(test, Some(Fetched::Pending));
            let (words, tooltip, edit) = if is_testing {
                ("Stop", "Stop the test.", LaunchEdit::StopTest(name.to_owned()))
            } else {
                let tooltip = "Asks for one word, one picture and one tool call, and says what the \
                               endpoint can do. Three requests are paid for.";
                ("Test", tooltip, LaunchEdit::Test(name.to_owned()))
            };
            let button = Button::text(words).height(22.0).compact().tooltip(tooltip);
            if button.named(&format!("{words} {name}")).show(ui).clicked() {
                cx.send(Command::EditLaunch(edit));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = format!("{name}: {}", place_words(place));
                elided_label_ui(ui, &words, Type::Caption, tokens.dim);
            });
        });
    });
    match test {
        None => {}
        Some(Fetched::Pending) => {
            wrapped_ui(ui, rich_text("Testing…", Type::Caption, tokens.dim));
        }
        Some(Fetched::Failed(why)) => {
            wrapped_ui(ui, rich_text(why, Type::Caption, tokens.loss));
        }
        Some(Fetched::Ready(report)) => report_ui(ui, report),
    }
}

/// What an endpoint can do: a line for each question, and one for the rest.
fn report_ui(ui: &mut Ui, report: &EndpointReport) {
    let tokens = tokens(ui);
    for (can, ability) in [
        ("Answers", &report.answers),
        ("Sees pictures", &report.sees_pictures),
        ("Calls tools", &report.calls_tools),
    ] {
        let (words, ink) = match ability {
            Ability::Yes => (format!("{can}: yes"), tokens.text),
            Ability::No(why) => (format!("{can}: no, {why}"), tokens.loss),
            Ability::Failed(why) => (format!("{can}: failed, {why}"), tokens.loss),
            Ability::NotAsked => (format!("{can}: not asked"), tokens.dim),
        };
        wrapped_ui(ui, rich_text(words, Type::Caption, ink));
    }
    // Known only of an endpoint that answered; of another there is nothing more to say.
    let streams = match report.streams {
        Some(true) => "streams",
        Some(false) => "does not stream",
        None => return,
    };
    let first = report.first_token_secs.map_or_else(
        || "time to first token unknown".to_owned(),
        |secs| format!("{secs:.2} s to first token"),
    );
    let usage = report.usage.map_or_else(
        || "usage not reported".to_owned(),
        |usage| count((usage.input + usage.output) as usize, "token"),
    );
    let cost =
        report.cost_usd.map_or_else(|| "cost unknown".to_owned(), |cost| format!("${cost:.4}"));
    let total = report.total_secs;
    let words = format!("{streams} · {first} · {total:.2} s in all · {usage} · {cost}");
    wrapped_ui(ui, rich_text(words, Type::Caption, tokens.dim));
}

fn entry_of(setup: &ModelSetup) -> Option<(String, ProviderKind)> {
    Some((setup.key_entry.clone()?, setup.kind))
}

fn place_words(place: &KeyPlace) -> String {
    match place {
        KeyPlace::Environment(variable) => format!("key from {variable}"),
        KeyPlace::Keyring(entry) => format!("key from the keyring ({entry})"),
        KeyPlace::Session => "key for this session".to_owned(),
        KeyPlace::Aws(None) => {
            "AWS credentials of the environment or the default profile".to_owned()
        }
        KeyPlace::Aws(Some(profile)) => format!("AWS profile {profile}"),
        KeyPlace::None => "no key is sent".to_owned(),
    }
}

/// A field for a key, which shows none of it, and what may be done with it.
fn key_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (entry, kind): (&str, ProviderKind),
    typed: &mut String,
) {
    let tokens = tokens(ui);
    let mut edit: Option<LaunchEdit> = None;
    caption_row_ui(ui, |ui| {
        label_ui(ui, "Key");
        let hint = match kind {
            ProviderKind::Bedrock => "ID:SECRET, ID:SECRET:TOKEN or an API key",
            _ => "API key",
        };
        let field = TextEdit::singleline(typed)
            .id(Id::unique(("launch_key", entry)))
            .password(true)
            .desired_width(f32::INFINITY)
            .hint_text(RichText::new(hint).color(tokens.dim));
        ui.add(field).accessible_name(format!("Key for {entry}"));
    });
    ui.add_space(4.0);
    let number = cx.state.launch.keys_entered + 1;
    let entered = EnteredKey::new(number, entry, typed);
    let usable = entered.as_ref().ok().and_then(Option::as_ref);
    caption_row_ui(ui, |ui| {
        label_ui(ui, "");
        let keep = Button::text("Save to keyring").height(24.0).enabled(usable.is_some());
        let tooltip = "Stored where `pentimento key store` stores it, for this and later sessions.";
        if keep.tooltip(tooltip).show(ui).clicked() {
            edit = usable.cloned().map(LaunchEdit::KeepKey);
        }
        let session = Button::text("Use this session").height(24.0).enabled(usable.is_some());
        let tooltip = "Kept in memory until Pentimento closes; written nowhere.";
        if session.tooltip(tooltip).show(ui).clicked() {
            edit = usable.cloned().map(LaunchEdit::SessionKey);
        }
    });
    ui.add_space(4.0);
    // Said where it was typed: without a keyring the other button still does.
    let problem = match (&entered, cx.state.kept_key()) {
        (Err(error), _) => Some(error.to_string()),
        (_, Some(Fetched::Failed(why))) => {
            Some(format!("It was not saved: {why}. Use it for this session only?"))
        }
        _ => None,
    };
    if let Some(words) = problem {
        wrapped_ui(ui, rich_text(words, Type::Caption, tokens.loss));
    }
    // Left in the field while it is being saved, so that it need not be typed again if that fails.
    if matches!(edit, Some(LaunchEdit::SessionKey(_))) {
        typed.clear();
    }
    if let Some(edit) = edit {
        cx.send(Command::EditLaunch(edit));
    }
}

/// Forgets what was typed, when the dialog closes.
pub(super) fn forget_typed(ui: &Ui) {
    ui.data_mut(|data| data.remove_temp::<Typed>(typed_id()));
}
