//! What is remembered from one session to the next.

use std::collections::BTreeMap;
use std::iter::once;
use std::path::PathBuf;

use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::ColorMap;
use crate::evaluate::PrimaryMetric;
use crate::label::form::FALLBACK_LANGUAGE;
use crate::metric::MapKind;

use super::assist::CanvasSettings;
use super::documents::DocumentChoice;
use super::export::ExportChoices;
use super::launch::LaunchDialog;
use super::layers::Comparison;
use super::nodes::InspectorTab;
use super::saved_session::SavedSession;

/// What is remembered from one session to the next (panel sizes are egui's own memory).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Dark or light.
    pub theme: ThemeChoice,
    /// Whether the hint of what to try first was closed.
    pub hint_is_closed: bool,
    /// Whether somebody was shown around already: it comes by itself once.
    pub tour_is_seen: bool,
    /// Scale of everything in the window, 1 as it is designed.
    pub text_scale: f32,
    /// Who labelled last at this machine.
    pub annotator: String,
    /// Who settled what others differ on last.
    pub adjudicator: String,
    /// Labelling projects opened before, newest first, at most ten.
    pub recent_labels: Vec<PathBuf>,
    /// Studies opened before, newest first, at most ten.
    pub recent_studies: Vec<PathBuf>,
    /// The language forms are read in (BCP 47).
    pub form_language: String,
    /// Keys of commands that were chosen in place of their own, by the command's name.
    pub keys: BTreeMap<String, Vec<String>>,
    /// Paths opened before, newest first, at most ten.
    pub recent: Vec<PathBuf>,
    /// Folders that runs were launched into, but for the default place, newest first, at most ten: always
    /// open.
    pub run_folders: Vec<PathBuf>,
    /// What was last launched, without its tasks; no folder: the default place.
    #[serde(flatten)]
    pub launch: LaunchDialog,
    /// How runs were exported last.
    pub export: ExportChoices,
    /// Heat threshold, 0..=1.
    pub heat_threshold: f32,
    /// The colours of heat.
    pub heat_colors: ColorMap,
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
    /// Ids of the variants whose curves the timeline shows beside that one, in the order they were chosen.
    pub curves_beside: Vec<String>,
    /// Whether the timeline has a bar for what each step changed.
    pub shows_changes: bool,
    /// Id of the variant whose map the heat shows.
    pub heat_variant: String,
    /// Which of its maps, where it has several.
    pub heat_map: MapKind,
    /// How the canvas is looked at where people design by hand.
    pub canvas: CanvasSettings,
    /// What was open and looked at.
    pub session: SavedSession,
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
            hint_is_closed: false,
            tour_is_seen: false,
            text_scale: 1.0,
            annotator: String::new(),
            adjudicator: String::new(),
            recent_labels: Vec::new(),
            recent_studies: Vec::new(),
            form_language: FALLBACK_LANGUAGE.to_owned(),
            keys: BTreeMap::new(),
            recent: Vec::new(),
            run_folders: Vec::new(),
            launch: LaunchDialog::default(),
            export: ExportChoices::default(),
            heat_threshold: 0.35,
            heat_colors: ColorMap::default(),
            inspector_tab: InspectorTab::default(),
            comparison: Comparison::default(),
            documents: DocumentChoice::default(),
            models: None,
            captions: None,
            curve_variant: PrimaryMetric::Similarity.variant().to_owned(),
            curves_beside: Vec::new(),
            shows_changes: false,
            heat_variant: PrimaryMetric::Similarity.variant().to_owned(),
            heat_map: MapKind::default(),
            canvas: CanvasSettings::default(),
            session: SavedSession::default(),
        }
    }
}

impl Settings {
    /// Settings as [`Self::to_json`] wrote them, by this version or another: a field or a choice that
    /// is not known here costs only itself. `None` if they were not written by that.
    pub fn from_json(text: &str) -> Option<Self> {
        let mut stored: Map<String, Value> = serde_json::from_str(text).ok()?;
        // Each field alone: all of them have defaults, and none is understood by another.
        stored.retain(|field, value| {
            let alone = once((field.as_str(), &*value));
            Self::deserialize(MapDeserializer::<_, serde_json::Error>::new(alone)).is_ok()
        });
        Self::deserialize(Value::Object(stored)).ok()
    }

    /// Has these be before all that were opened before, in their order.
    pub fn remember_recent(&mut self, paths: Vec<PathBuf>) {
        // The last first, so that the first ends up in front.
        for path in paths.into_iter().rev() {
            remember_opened(&mut self.recent, path);
        }
    }

    /// The settings as a JSON object, without paths that are no text.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.clone().without_odd_paths())
    }

    /// The same without paths that are no text, as [`SavedSession::without_odd_paths`] is of the session.
    fn without_odd_paths(mut self) -> Self {
        let LaunchDialog { model, experiment, script, options, .. } = &mut self.launch;
        for path in
            [&mut self.models, &mut self.captions, &mut model.file, script, &mut options.pictures]
        {
            *path = path.take().filter(|path| path.to_str().is_some());
        }
        experiment.prompts.folders.retain(|folder| folder.path.to_str().is_some());
        if options.out_dir.to_str().is_none() {
            options.out_dir = PathBuf::new();
        }
        for paths in [&mut self.recent, &mut self.run_folders] {
            paths.retain(|path| path.to_str().is_some());
        }
        self
    }
}

/// How many paths of a kind are remembered.
const RECENT: usize = 10;

/// Puts a path before all that were opened before.
pub(in crate::workbench) fn remember_opened(recent: &mut Vec<PathBuf>, path: PathBuf) {
    // One that is no text would keep all settings from being written.
    if path.to_str().is_none() {
        return;
    }
    recent.retain(|known| *known != path);
    recent.insert(0, path);
    recent.truncate(RECENT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::batch::LaunchOptions;
    use crate::agent::runner::RunLimits;
    use crate::environment::Compat;

    fn launch(options: LaunchOptions) -> LaunchDialog {
        LaunchDialog { options, ..LaunchDialog::default() }
    }

    #[test]
    fn the_behaviour_of_the_tools_is_remembered_by_name() {
        let options = LaunchOptions { compat: Compat::Canvas202601, ..LaunchOptions::default() };
        let settings = Settings { launch: launch(options), ..Settings::default() };
        let json = serde_json::to_string(&settings).unwrap();
        assert!(json.contains(r#""compat":"canvas-2026-01""#), "{json}");
        assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
    }

    #[test]
    fn settings_with_a_behaviour_nobody_knows_keep_the_rest() {
        let json = r#"{"max_turns": 7, "compat": "canvas-2031-12"}"#;
        let settings: Settings = serde_json::from_str(json).unwrap();
        let options = &settings.launch.options;
        assert_eq!((options.limits.max_turns, options.compat), (7, Compat::Documented));
    }

    #[test]
    fn a_choice_that_is_not_known_any_more_costs_only_itself() {
        let limits = RunLimits { max_turns: 7, ..RunLimits::default() };
        let kept = Settings {
            theme: ThemeChoice::Dark,
            launch: launch(LaunchOptions { limits, ..LaunchOptions::default() }),
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
    fn the_map_of_the_heat_is_remembered_and_one_nobody_knows_is_the_difference() {
        let kept = Settings { heat_map: MapKind::Generated, ..Settings::default() };
        let json = kept.to_json().unwrap();
        assert_eq!(Settings::from_json(&json), Some(kept));
        let other = json.replace(r#""heat_map":"generated""#, r#""heat_map":"both""#);
        assert_ne!(other, json);
        assert_eq!(Settings::from_json(&other), Some(Settings::default()));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_text_is_left_out_and_the_rest_is_written() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let odd = PathBuf::from(OsStr::from_bytes(b"/home/ada/r\xe9sult"));
        let mut kept = Settings { theme: ThemeChoice::Dark, ..Settings::default() };
        let mut settings = kept.clone();
        for path in [&mut settings.models, &mut settings.captions, &mut settings.launch.script] {
            *path = Some(odd.clone());
        }
        settings.launch.model.file = Some(odd.clone());
        settings.launch.experiment.prompts.add(odd.clone());
        settings.launch.options.pictures = Some(odd.clone());
        settings.launch.options.out_dir = odd;
        assert!(serde_json::to_string(&settings).is_err());
        let text = Some(PathBuf::from("/home/ada/captions.json"));
        (kept.captions, settings.captions) = (text.clone(), text);
        assert_eq!(Settings::from_json(&settings.to_json().unwrap()), Some(kept));
    }

    #[test]
    fn settings_that_are_no_json_object_are_none() {
        let stored = ["", "(theme:dark)", "[1, 2]", "{\"theme\":"].map(Settings::from_json);
        assert_eq!(stored, [None, None, None, None]);
        assert_eq!(Settings::from_json("{}"), Some(Settings::default()));
        assert_eq!(Settings::from_json(r#"{"out_dir": null}"#), Some(Settings::default()));
    }

    #[test]
    fn settings_of_before_there_was_a_choice_are_as_documented() {
        let settings: Settings = serde_json::from_str(r#"{"jobs": 3}"#).unwrap();
        let options = &settings.launch.options;
        assert_eq!((options.at_once, options.compat), (3, Compat::Documented));
    }
}
