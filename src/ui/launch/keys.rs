//! The keys of the chosen models: where they come from, and a field for one that is missing.

use std::collections::BTreeMap;

use egui::{Id, RichText, TextEdit, Ui};

use super::parts::{label_ui, wrapped_ui};
use crate::agent::models::ModelSetup;
use crate::agent::providers::{EnteredKey, KeyPlace, ProviderKind};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, caption_row_ui, rich_text};
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
                Ok(place) => (format!("{name}: {}", place_words(place)), tokens.dim),
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
