//! What a run is told beside its agent, and how its manifest remembers that.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::environment::{Compat, FONTS_SETTING, FontSource, StartError};
use crate::run::Manifest;

pub use crate::run::{COMPAT_SETTING, START_DESIGN_SETTING, START_RUN_SETTING};

/// What a run is told beside its agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSettings {
    /// When it is stopped.
    pub limits: RunLimits,
    /// Whose behaviour the tools follow; `None`: nobody said, which is as documented.
    pub compat: Option<Compat>,
    /// Which fonts texts are set in.
    pub fonts: FontSource,
    /// The design that it begins with instead of the task's own start.
    pub start_design: Option<StartDesign>,
    /// The run that it goes on with; then that says where it begins, in which fonts and by whose behaviour.
    pub start_run: Option<StartRun>,
}

/// A run that another goes on with: that one begins behind one of its steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRun {
    /// Its folder.
    pub path: PathBuf,
    /// Its id, as another may lie there by now.
    pub run: String,
    /// Behind which of its steps; 0: at its start. A run that itself went on with another is made again so.
    pub step: u32,
}

impl StartRun {
    /// Where a recorded run began, by what its own folder holds.
    pub fn start_of(dir: &Path, manifest: &Manifest) -> Self {
        Self { path: dir.to_path_buf(), run: manifest.id.clone(), step: 0 }
    }
}

/// A design that a run begins with instead of the task's own start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartDesign {
    /// The file: Figma JSON.
    pub path: PathBuf,
    /// The id of the run it is from; absent: of none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Behind which of its steps.
    #[serde(default)]
    pub step: u32,
}

impl RunSettings {
    /// What a run's manifest remembers of it, beside what the agent adds.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut settings = self.limits.settings();
        if let Some(compat) = self.compat {
            settings.insert(COMPAT_SETTING.to_owned(), json!(compat.name()));
        }
        // Always, as runs from before there was a choice do not say.
        settings.insert(FONTS_SETTING.to_owned(), json!(self.fonts.name()));
        if let Some(design) = &self.start_design {
            settings.insert(START_DESIGN_SETTING.to_owned(), json!(design));
        }
        if let Some(start_run) = &self.start_run {
            settings.insert(START_RUN_SETTING.to_owned(), json!(start_run));
        }
        settings
    }

    /// As a manifest remembers it. A limit that nobody can read is as usual; other tools or fonts than
    /// those of the run would make another run of it, so that what is not known of them is an error.
    pub fn from_json(settings: &Map<String, Value>) -> Result<Self, StartError> {
        let compat = match settings.get(COMPAT_SETTING) {
            None | Some(Value::Null) => None,
            Some(said) => {
                let name = said.as_str().map_or_else(|| said.to_string(), str::to_owned);
                let known = Compat::from_name(&name);
                Some(known.ok_or_else(|| StartError::UnknownCompat(cut(&name)))?)
            }
        };
        let fonts = match settings.get(FONTS_SETTING) {
            None => FontSource::default(),
            Some(said) => {
                let known = said.as_str().and_then(FontSource::from_name);
                known.ok_or_else(|| StartError::UnknownFonts(cut(&said.to_string())))?
            }
        };
        let start_design = start_design_of(settings);
        let start_run = match settings.get(START_RUN_SETTING) {
            None => None,
            Some(said) => {
                let known = serde_json::from_value(said.clone());
                let unknown = |_| StartError::UnknownStartRun(cut(&said.to_string()));
                Some(known.map_err(unknown)?)
            }
        };
        let limits = RunLimits::of_settings(settings);
        Ok(Self { limits, compat, fonts, start_design, start_run })
    }

    /// The same for whom it only helps: what is not known is as documented, and in the vendored fonts.
    pub fn from_json_lossy(settings: &Map<String, Value>) -> Self {
        let [compat, fonts] =
            [COMPAT_SETTING, FONTS_SETTING].map(|name| settings.get(name).and_then(Value::as_str));
        Self {
            limits: RunLimits::of_settings(settings),
            compat: compat.and_then(Compat::from_name),
            fonts: fonts.and_then(FontSource::from_name).unwrap_or_default(),
            start_design: start_design_of(settings),
            start_run: settings
                .get(START_RUN_SETTING)
                .and_then(|said| serde_json::from_value(said.clone()).ok()),
        }
    }
}

/// The design that a manifest names; one that cannot be read is none.
fn start_design_of(settings: &Map<String, Value>) -> Option<StartDesign> {
    let said = settings.get(START_DESIGN_SETTING)?;
    serde_json::from_value(said.clone()).ok()
}

/// Of a text that anybody may have written, as much as an error repeats.
fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

/// When a run is stopped though the agent would go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunLimits {
    /// At most this many turns; 50 as published.
    pub max_turns: u32,
    /// At most this many calls; nobody is asked for it.
    #[serde(skip)]
    pub max_calls: u32,
    /// At most this many seconds, those in which it was paused aside; looked at between calls.
    pub max_seconds: Option<f64>,
    /// At most this many tokens, read and written, looked at between turns.
    pub max_tokens: Option<u64>,
    /// At most this many US dollars, looked at between turns; nothing where costs are unknown.
    pub max_cost_usd: Option<f64>,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            max_turns: 50,
            max_calls: 10_000,
            max_seconds: None,
            max_tokens: None,
            max_cost_usd: None,
        }
    }
}

impl RunLimits {
    /// What a run's manifest remembers of them.
    pub fn settings(&self) -> Map<String, Value> {
        let settings = [
            ("max_turns", Some(json!(self.max_turns))),
            ("max_seconds", self.max_seconds.map(Value::from)),
            ("max_tokens", self.max_tokens.map(Value::from)),
            ("max_cost_usd", self.max_cost_usd.map(Value::from)),
        ];
        let settings = settings.into_iter();
        settings.filter_map(|(name, limit)| Some((name.to_owned(), limit?))).collect()
    }

    /// As a manifest remembers them; what it does not say, or nobody can read, is as usual.
    pub fn of_settings(settings: &Map<String, Value>) -> Self {
        let usual = Self::default();
        let turns = settings.get("max_turns").and_then(Value::as_u64);
        let turns = turns.and_then(|turns| u32::try_from(turns).ok()).filter(|turns| *turns > 0);
        let [max_seconds, max_cost_usd] = ["max_seconds", "max_cost_usd"].map(|name| {
            let amount = settings.get(name).and_then(Value::as_f64);
            amount.filter(|amount| *amount > 0.0)
        });
        Self {
            max_turns: turns.unwrap_or(usual.max_turns),
            max_seconds,
            max_tokens: settings.get("max_tokens").and_then(Value::as_u64),
            max_cost_usd,
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_were_written() {
        let limits = RunLimits { max_turns: 7, max_cost_usd: Some(2.5), ..RunLimits::default() };
        for compat in Compat::ALL.map(Some).into_iter().chain([None]) {
            let limits = limits.clone();
            let start_design = compat.map(|_| StartDesign {
                path: "runs/a/handed-over-3.json".into(),
                run: Some("by-hand-a-1".to_owned()),
                step: 3,
            });
            let start_run = compat.map(|_| StartRun {
                path: "runs/a/scripted-01".into(),
                run: "scripted-a-1".to_owned(),
                step: 2,
            });
            let fonts = FontSource::Machine;
            let settings = RunSettings { limits, compat, fonts, start_design, start_run };
            let json = settings.to_json();
            assert_eq!(json.contains_key(COMPAT_SETTING), compat.is_some());
            assert_eq!(RunSettings::from_json(&json).unwrap(), settings);
            assert_eq!(RunSettings::from_json_lossy(&json), settings);
        }
    }

    #[test]
    fn what_nobody_knows_is_an_error_or_as_usual() {
        for (name, value) in [
            (COMPAT_SETTING, json!("canvas-2031-12")),
            (FONTS_SETTING, json!(7)),
            (START_RUN_SETTING, json!({ "path": "runs/a", "step": -1 })),
        ] {
            let settings = Map::from_iter([
                (name.to_owned(), value),
                ("max_turns".to_owned(), json!(3)),
                ("max_seconds".to_owned(), json!(-1)),
            ]);
            assert!(RunSettings::from_json(&settings).is_err());
            let lossy = RunSettings::from_json_lossy(&settings);
            assert_eq!((lossy.compat, lossy.fonts), (None, FontSource::Vendored));
            assert_eq!((lossy.limits.max_turns, lossy.limits.max_seconds), (3, None));
        }
    }
}
