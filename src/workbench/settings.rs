//! What is remembered from one session to the next.

use crate::agent::AgentKind;
use crate::evaluate::PrimaryMetric;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::models::ModelChoice;
use crate::environment::{Compat, FontSource};

use super::documents::DocumentChoice;
use super::nodes::InspectorTab;
use super::outline::Comparison;

/// What is remembered from one session to the next (panel sizes are egui's own memory).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark or light.
    pub theme: ThemeChoice,
    /// Paths opened before, newest first, at most ten.
    pub recent: Vec<PathBuf>,
    /// The agent last launched.
    pub agent: AgentKind,
    /// The command of the `exec` agent.
    pub command: String,
    /// The model of the `model` agent; never its key.
    pub model: ModelChoice,
    /// Its turn limit.
    pub max_turns: u32,
    /// Runs at once.
    pub jobs: u32,
    /// Where runs go; `None`: the default place.
    pub out_dir: Option<PathBuf>,
    /// Whose behaviour the tools follow, by its name in manifests; the default for a name nobody
    /// knows.
    #[serde(with = "compat_by_name")]
    pub compat: Compat,
    /// Which fonts texts of new runs are set in.
    pub fonts: FontSource,
    /// Where the pictures of design queries are looked for, if anywhere.
    pub pictures: Option<PathBuf>,
    /// The script of the `scripted` agent.
    pub script: Option<PathBuf>,
    /// What all runs of a launch may cost together, in US dollars.
    pub budget_usd: Option<f64>,
    /// What a run may cost, in US dollars.
    pub max_cost_usd: Option<f64>,
    /// How many tokens a run may take.
    pub max_tokens: Option<u64>,
    /// How many seconds a run may take.
    pub max_seconds: Option<f64>,
    /// Heat threshold, 0..=1.
    pub heat_threshold: f32,
    /// The view of the inspector.
    pub inspector_tab: InspectorTab,
    /// What nodes are compared with.
    pub comparison: Comparison,
    /// Which documents the stage shows of a run with several programs.
    pub documents: DocumentChoice,
    /// The file that says which models learned metrics go by; `None`: metrics that need none.
    pub models: Option<PathBuf>,
    /// The file with captions that were made before; `None`: the one that the models name, or what a
    /// captioner says.
    pub captions: Option<PathBuf>,
    /// Id of the variant whose curve the timeline shows.
    pub curve_variant: String,
    /// Id of the variant whose map the heat shows.
    pub heat_variant: String,
}

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// As the system says.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::default(),
            recent: Vec::new(),
            agent: AgentKind::Tracer,
            command: String::new(),
            model: ModelChoice::default(),
            max_turns: 50,
            jobs: 2,
            out_dir: None,
            compat: Compat::default(),
            fonts: FontSource::default(),
            pictures: None,
            script: None,
            budget_usd: None,
            max_cost_usd: None,
            max_tokens: None,
            max_seconds: None,
            heat_threshold: 0.35,
            inspector_tab: InspectorTab::default(),
            comparison: Comparison::default(),
            documents: DocumentChoice::default(),
            models: None,
            captions: None,
            curve_variant: PrimaryMetric::Similarity.variant().to_owned(),
            heat_variant: PrimaryMetric::Similarity.variant().to_owned(),
        }
    }
}

impl Settings {
    /// Settings as [`Self::to_json`] wrote them, by this version or another: a field or a choice that
    /// is not known here costs only itself. `None` if they were not written by that.
    pub fn from_json(text: &str) -> Option<Self> {
        let stored: Map<String, Value> = serde_json::from_str(text).ok()?;
        let mut known = Map::new();
        for (field, value) in stored {
            known.insert(field.clone(), value);
            if Self::deserialize(Value::Object(known.clone())).is_err() {
                known.remove(&field);
            }
        }
        Self::deserialize(Value::Object(known)).ok()
    }

    /// The settings as a JSON object.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// Settings outlive versions: a choice that is not known (any more) costs nobody the other settings.
mod compat_by_name {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::environment::Compat;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    pub(super) fn serialize<S: Serializer>(compat: &Compat, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(compat.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Compat, D::Error> {
        let name = String::deserialize(from)?;
        Ok(Compat::from_name(&name).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_behaviour_of_the_tools_is_remembered_by_name() {
        let settings = Settings { compat: Compat::Canvas202601, ..Settings::default() };
        let json = serde_json::to_string(&settings).unwrap();
        assert!(json.contains(r#""compat":"canvas-2026-01""#), "{json}");
        assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
    }

    #[test]
    fn settings_with_a_behaviour_nobody_knows_keep_the_rest() {
        let json = r#"{"max_turns": 7, "compat": "canvas-2031-12"}"#;
        let settings: Settings = serde_json::from_str(json).unwrap();
        assert_eq!((settings.max_turns, settings.compat), (7, Compat::Documented));
    }

    #[test]
    fn a_choice_that_is_not_known_any_more_costs_only_itself() {
        let kept = Settings {
            theme: ThemeChoice::Dark,
            max_turns: 7,
            recent: vec![PathBuf::from("/sets/screens")],
            ..Settings::default()
        };
        let mut stored: Value = serde_json::from_str(&kept.to_json().unwrap()).unwrap();
        stored["agent"] = "oracle".into();
        stored["inspector_tab"] = "aura".into();
        stored["jobs"] = "many".into();
        stored["of_another_version"] = 3.into();
        assert_eq!(Settings::from_json(&stored.to_string()), Some(kept));
    }

    #[test]
    fn settings_that_are_no_json_object_are_none() {
        let stored = ["", "(theme:dark)", "[1, 2]", "{\"theme\":"].map(Settings::from_json);
        assert_eq!(stored, [None, None, None, None]);
        assert_eq!(Settings::from_json("{}"), Some(Settings::default()));
    }

    #[test]
    fn settings_of_before_there_was_a_choice_are_as_documented() {
        let settings: Settings = serde_json::from_str(r#"{"jobs": 3}"#).unwrap();
        assert_eq!((settings.jobs, settings.compat), (3, Compat::Documented));
    }
}
