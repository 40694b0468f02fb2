//! Which runs are averaged, and what a run was made with, as far as it changes what comes of it: nothing
//! is averaged over runs that differ in that.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::run::{
    COMPAT_SETTING, EXPERIMENT_SETTING, MODE_SETTING, MODEL_SETTING, Manifest, Outcome,
    PROMPTS_SETTING, START_DESIGN_SETTING, START_RUN_SETTING, TASKS_SETTING,
};
use crate::study::STUDY_SETTING;

/// Hexadecimal digits of a hash that are shown.
const HASH_DIGITS: usize = 8;

/// Settings at the top of a manifest that are part of a condition as they stand.
const PLAIN: [&str; 4] = ["temperature", "vision", "fonts", "command"];

/// Settings of a model that are part of a condition as they stand.
const OF_MODEL: [&str; 3] = ["temperature", "max_tokens", "parallel_calls"];

/// Settings that say where things lie, which file was played or which repeat it is: no two runs need
/// have them alike.
const OF_PLACE: [&str; 5] = [TASKS_SETTING, EXPERIMENT_SETTING, "source", "script", "calls"];

/// Whether a run came to its end, so that where it stands is a result and counts in means.
///
/// One that goes on, broke off or was stopped by somebody did not: its agent wanted to go on. One that failed did: what
/// stands there is all that its agent came to. In a study, people give a task up, which is an end.
pub fn has_come_to_end(manifest: &Manifest) -> bool {
    match manifest.outcome {
        Outcome::Completed | Outcome::LimitReached(_) | Outcome::Failed(_) => true,
        Outcome::Cancelled => manifest.settings.contains_key(STUDY_SETTING),
        Outcome::Running => false,
    }
}

/// What a run was made with, by the name of each part. Two runs belong into one row of a table, or one
/// bar or curve of a figure, only if theirs are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition(BTreeMap<String, String>);

/// What a run was made with beside its condition, such as the most turns, by the name of each: runs
/// that differ in it share a cell, which says so.
pub type OtherSettings = BTreeMap<String, String>;

impl Condition {
    /// How the agent worked.
    pub const MODE: &str = "mode";

    /// Reads the condition of a run, and what else it was made with.
    ///
    /// Of a model that is where it was asked for what, how freely it chose words, how long its
    /// answers could be and what else was sent; of prompts, their hash; of a run that did not begin
    /// where its task does, where it began; of a study, under which of its conditions. What a run does
    /// not say is not part of it, so that runs that say it are others.
    pub fn of(manifest: &Manifest) -> (Self, OtherSettings) {
        let mut known = BTreeMap::from([(Self::MODE.to_owned(), manifest.mode.clone())]);
        let mut others = OtherSettings::new();
        // Said or not said, documented behaviour is one: older runs do not name it.
        let compat = manifest.compat.as_deref().filter(|compat| *compat != "documented");
        known.extend(compat.map(|compat| ("compat".to_owned(), compat.to_owned())));
        others.extend(manifest.agent.version.clone().map(|is| ("agent version".to_owned(), is)));
        // As they stand in the file, so that it does not matter which of them the program knows.
        let settings = serde_json::to_value(&manifest.settings).unwrap_or_default();
        for (name, value) in settings.as_object().into_iter().flatten() {
            match name.as_str() {
                MODEL_SETTING => add_model(value, &mut known, &mut others),
                PROMPTS_SETTING => {
                    known.insert("prompts".to_owned(), hash(value));
                }
                START_RUN_SETTING => add_start_run(value, &mut known, &mut others),
                START_DESIGN_SETTING => {
                    known.insert("other start".to_owned(), hash(value));
                }
                STUDY_SETTING => add_study(value, &mut known, &mut others),
                // Said by the manifest itself.
                MODE_SETTING | COMPAT_SETTING => {}
                name if OF_PLACE.contains(&name) => {}
                name if PLAIN.contains(&name) => {
                    known.insert(name.to_owned(), words(value));
                }
                name => {
                    others.insert(name.to_owned(), words(value));
                }
            }
        }
        (Self(known), others)
    }

    /// The condition of which nothing is known but the mode.
    pub fn of_mode(mode: &str) -> Self {
        Self(BTreeMap::from([(Self::MODE.to_owned(), mode.to_owned())]))
    }

    /// How the agent worked, if that is known.
    pub fn mode(&self) -> Option<&str> {
        self.0.get(Self::MODE).map(String::as_str)
    }

    /// Whether nothing is known of it, as of published plans.
    pub fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// The parts in words, the mode first.
    fn words(&self, is_shown: impl Fn(&str) -> bool) -> Vec<String> {
        let mode = self.mode().filter(|_| is_shown(Self::MODE)).map(str::to_owned);
        let others = self.0.iter().filter(|(name, _)| *name != Self::MODE && is_shown(name));
        mode.into_iter().chain(others.map(|(name, value)| format!("{name} {value}"))).collect()
    }
}

/// Takes apart how a model was asked. What cannot change an answer, such as waits and prices, is left
/// out; the address can, but need not.
fn add_model(model: &Value, known: &mut BTreeMap<String, String>, others: &mut OtherSettings) {
    let provider = &model["provider"];
    if let (Some(kind), Some(name)) = (provider["kind"].as_str(), provider["model"].as_str()) {
        known.insert("model".to_owned(), format!("{kind}:{name}"));
    }
    for name in OF_MODEL {
        if let Some(value) = model.get(name) {
            // Null is a setting too: the provider's own default, which differs from any that is sent.
            let said = if value.is_null() { "not sent".to_owned() } else { words(value) };
            known.insert(name.replace('_', " "), said);
        }
    }
    // Whatever else was sent is compared but not shown: it may be long, and only differs or not.
    if model["extra"].as_object().is_some_and(|extra| !extra.is_empty()) {
        known.insert("extra".to_owned(), hash(&model["extra"]));
    }
    if let Some(address) = provider["base_url"].as_str() {
        others.insert("address".to_owned(), address.to_owned());
    }
}

/// Of a run that goes on with another, behind which step. Which run that is differs from task to task
/// as starts do: it is told beside.
fn add_start_run(start: &Value, known: &mut BTreeMap<String, String>, others: &mut OtherSettings) {
    let step = start["step"].as_u64().map_or_else(|| hash(start), |step| format!("at step {step}"));
    known.insert("goes on from a run".to_owned(), step);
    if let Some(run) = start["run"].as_str() {
        others.insert("the run it goes on from".to_owned(), run.to_owned());
    }
}

/// Of a study, under which of its conditions somebody worked; who that was is the run's agent.
fn add_study(study: &Value, known: &mut BTreeMap<String, String>, others: &mut OtherSettings) {
    if let Some(condition) = study["condition"].as_str() {
        known.insert("study condition".to_owned(), condition.to_owned());
    }
    if let Some(id) = study["id"].as_str() {
        others.insert("study".to_owned(), id.to_owned());
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The first digits of a hash of a value, whatever the order of its keys.
fn hash(value: &Value) -> String {
    let text = sorted(value).to_string();
    blake3::hash(text.as_bytes()).to_hex().chars().take(HASH_DIGITS).collect()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            // Objects keep the order they were written in, which says nothing: a tree puts them in one.
            let fields: BTreeMap<&String, Value> =
                fields.iter().map(|(name, value)| (name, sorted(value))).collect();
            fields.into_iter().map(|(name, it)| (name.clone(), it)).collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// What the rows of a table are called: by the model, and where there are several of one, by what
/// tells them apart.
#[derive(Debug, Default)]
pub struct RowNames<'a>(BTreeMap<&'a str, BTreeSet<&'a Condition>>);

impl<'a> RowNames<'a> {
    /// The names of these rows.
    pub fn of(rows: impl IntoIterator<Item = (&'a str, &'a Condition)>) -> Self {
        let mut conditions: BTreeMap<&str, BTreeSet<&Condition>> = BTreeMap::new();
        for (model, condition) in rows {
            conditions.entry(model).or_default().insert(condition);
        }
        Self(conditions)
    }

    /// The name of a row.
    pub fn name(&self, model: &str, condition: &Condition) -> String {
        let Some(known) = self.0.get(model).filter(|known| known.len() > 1) else {
            return model.to_owned();
        };
        if condition.is_unknown() {
            return format!("{model} · not said how");
        }
        // Of several, those parts in which not all are alike.
        let said = condition.words(|part| {
            let values: BTreeSet<_> = known.iter().map(|it| it.0.get(part)).collect();
            values.len() > 1
        });
        [&[model.to_owned()][..], &said].concat().join(" · ")
    }

    /// How the rows were made, for below a table; `None` where nothing is known.
    pub fn remark(&self) -> Option<String> {
        let rows = self.0.iter().flat_map(|(model, conditions)| {
            let known = conditions.iter().filter(|it| !it.is_unknown());
            known.map(|it| (self.name(model, it), it.words(|_| true).join(", ")))
        });
        let rows: Vec<(String, String)> = rows.collect();
        let (_, first) = rows.first()?;
        let words = if rows.iter().all(|(_, said)| said == first) {
            first.clone()
        } else {
            rows.iter().map(|(row, said)| format!("{row}: {said}")).collect::<Vec<_>>().join("; ")
        };
        Some(format!("Made with {words}."))
    }
}

/// Most values of a setting that a note names.
const MOST_VALUES: usize = 4;

/// That runs in one cell differ in what is no part of their condition, and in what.
pub fn mixed<'a>(runs: impl IntoIterator<Item = &'a OtherSettings>) -> Option<String> {
    let all: Vec<&OtherSettings> = runs.into_iter().collect();
    let names: BTreeSet<&String> = all.iter().flat_map(|it| it.keys()).collect();
    let differing = names.into_iter().filter_map(|name| {
        // That only some runs say it is a difference too.
        let values: BTreeSet<&str> =
            all.iter().map(|it| it.get(name).map_or("not said", String::as_str)).collect();
        // Of what differs from run to run nobody reads a list.
        let mut shown: Vec<String> =
            values.iter().take(MOST_VALUES).map(|it| (*it).to_owned()).collect();
        if let more @ 1.. = values.len() - shown.len() {
            shown.push(format!("{more} more"));
        }
        (values.len() > 1).then(|| format!("{} {}", name.replace('_', " "), shown.join(" and ")))
    });
    let differing: Vec<String> = differing.collect();
    (!differing.is_empty())
        .then(|| format!("a mean over runs that were made differently: {}", differing.join("; ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::run::{AgentRef, TaskRef};

    fn manifest(mode: &str, settings: &Value) -> Manifest {
        let task = TaskRef { set: "s".to_owned(), id: "t".to_owned() };
        let agent = AgentRef { kind: "model".to_owned(), name: "m".to_owned(), version: None };
        let mut manifest = Manifest::new(task, agent, "");
        mode.clone_into(&mut manifest.mode);
        manifest.settings = settings.as_object().cloned().unwrap_or_default();
        manifest
    }

    fn condition(mode: &str, settings: &Value) -> Condition {
        Condition::of(&manifest(mode, settings)).0
    }

    fn model(temperature: f64, tokens: u32, address: &str) -> Value {
        json!({"model": {"provider": {"kind": "gemini", "model": "x", "base_url": address},
                         "temperature": temperature, "max_tokens": tokens, "extra": {}}})
    }

    #[test]
    fn a_run_that_somebody_stopped_is_no_result_but_what_people_give_up_in_a_study_is() {
        let mut run = manifest("multi_turn", &json!({}));
        for (outcome, is_result) in [
            (Outcome::Completed, true),
            (Outcome::LimitReached("50 turns".to_owned()), true),
            (Outcome::Failed("the endpoint is gone".to_owned()), true),
            (Outcome::Cancelled, false),
            (Outcome::Running, false),
        ] {
            run.outcome = outcome;
            assert_eq!(has_come_to_end(&run), is_result, "{:?}", run.outcome);
        }
        let mut given_up = manifest("study", &json!({"study": {"id": "s", "condition": "alone"}}));
        given_up.outcome = Outcome::Cancelled;
        assert!(has_come_to_end(&given_up));
    }

    #[test]
    fn each_setting_that_changes_results_makes_another_condition() {
        let plain = condition("multi_turn", &model(0.0, 2048, "http://a"));
        assert_eq!(plain, condition("multi_turn", &model(0.0, 2048, "http://b")));
        for other in [
            condition("single_turn", &model(0.0, 2048, "http://a")),
            condition("multi_turn", &model(0.5, 2048, "http://a")),
            condition("multi_turn", &model(0.0, 512, "http://a")),
        ] {
            assert_ne!(plain, other);
        }
        let [one, two] = ["one", "two"]
            .map(|text| condition("code", &json!({"prompts": {"b": text, "a": "x"}})));
        assert_ne!(one, two);
        assert_eq!(one, condition("code", &json!({"prompts": {"a": "x", "b": "one"}})));
        for setting in ["fonts", "vision", "command", "temperature"] {
            let with = condition("code", &json!({setting: "vendored"}));
            assert_ne!(with, condition("code", &json!({})), "{setting}");
        }
        // Where a run began that did not begin as its task does, and what a study told a person.
        let [fresh, early, late] = [
            json!({}),
            json!({"start_run": {"path": "runs/a", "run": "a-1", "step": 3}}),
            json!({"start_run": {"path": "runs/a", "run": "a-1", "step": 40}}),
        ]
        .map(|settings| condition("multi_turn", &settings));
        let elsewhere = json!({"start_run": {"path": "runs/b", "run": "b-1", "step": 40}});
        assert!(fresh != early && fresh != late && early != late);
        assert_eq!(late, condition("multi_turn", &elsewhere), "a task has runs of its own");
        let [one, two] = ["a.json", "b.json"].map(|path| {
            condition("multi_turn", &json!({"start_design": {"path": path, "step": 0}}))
        });
        assert!(fresh != one && one != two);
        let [alone, helped] = ["alone", "assisted"].map(|name| {
            let study = json!({"id": "s", "participant": "P01", "condition": name});
            condition("study", &json!({"study": study}))
        });
        assert_ne!(alone, helped);
        let mut compat = manifest("code", &json!({}));
        compat.compat = Some("canvas-2026-01".to_owned());
        assert_ne!(Condition::of(&compat).0, condition("code", &json!({})));
        compat.compat = Some("documented".to_owned());
        assert_eq!(Condition::of(&compat).0, condition("code", &json!({})));
    }

    #[test]
    fn rows_are_named_by_what_tells_them_apart_and_by_nothing_else() {
        let slow = condition("multi_turn", &json!({"temperature": 0, "fonts": "vendored"}));
        let wild = condition("multi_turn", &json!({"temperature": 1, "fonts": "vendored"}));
        let names = RowNames::of([("a", &slow), ("a", &wild), ("b", &slow)]);
        assert_eq!(names.name("a", &slow), "a · temperature 0");
        assert_eq!(names.name("b", &slow), "b");
        let remark = names.remark().unwrap();
        assert!(remark.contains("a · temperature 1: multi_turn, fonts vendored"), "{remark}");
        let start = json!({"path": "runs/a", "run": "a-1", "step": 40});
        let later = condition("multi_turn", &json!({"temperature": 0, "start_run": start}));
        let fresh = condition("multi_turn", &json!({"temperature": 0}));
        let names = RowNames::of([("a", &fresh), ("a", &later)]);
        assert_eq!(names.name("a", &later), "a · goes on from a run at step 40");
        assert_eq!(names.name("a", &fresh), "a");
        let one = RowNames::of([("b", &slow)]);
        let made = "Made with multi_turn, fonts vendored, temperature 0.";
        assert_eq!(one.remark().as_deref(), Some(made));
        assert_eq!(RowNames::default().remark(), None);
    }

    #[test]
    fn what_differs_beside_the_condition_is_said_of_the_cell() {
        let [long, short, a, b] = [
            json!({"max_turns": 50}),
            json!({"max_turns": 20}),
            json!({"tasks": "a"}),
            json!({"tasks": "b"}),
        ]
        .map(|settings| Condition::of(&manifest("code", &settings)).1);
        assert_eq!(mixed([&long, &long]), None);
        let note = mixed([&long, &short]).unwrap();
        assert!(note.ends_with("max turns 20 and 50"), "{note}");
        assert_eq!(mixed([&a, &b]), None, "where tasks lie changes nothing");
    }
}
