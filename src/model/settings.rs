//! Which models there are, and the metrics that go by them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::{JsonLimitError, Limits, Variables, parse_json, read_file_limited};
use crate::metric::caption::{CaptionSimilarity, ClipScore};
use crate::metric::judging::{Creativity, DesignPassMetric, Judge, VqaMetric};
use crate::metric::lpips::Lpips;
use crate::metric::program::{PairProgram, ProgramMetric, variant_id};
use crate::metric::saliency::Saliency;
use crate::metric::{MissingScore, Registry};

use super::captions::{CaptionFileError, EndpointCaptioner, PrecomputedCaptions};
use super::clip::{Clip, ClipFiles};
use super::endpoint::{
    AnswerCache, Asker, CacheError, ChatEndpoint, EndpointError, EndpointSettings,
};
use super::judge::EndpointJudge;
use super::lpips_network::{LpipsFile, LpipsNetwork};
use super::minilm::MiniLm;
use super::program::{MetricProgram, ProgramSettings};
use super::prompts::PromptSet;
use super::saliency_network::{SaliencyFile, SaliencyNetwork};
use super::template::PromptError;

/// Which models and metrics of one's own the user has. Everything may be left out: what goes by it then says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// The network of all-MiniLM-L6-v2, where it is not found beside the program.
    pub minilm: Option<PathBuf>,
    /// CLIP, for CLIPScore.
    pub clip: Option<ClipFiles>,
    /// An LPIPS network.
    pub lpips: Option<LpipsFile>,
    /// A saliency network.
    pub saliency: Option<SaliencyFile>,
    /// The endpoint that says what pictures show.
    pub captioner: Option<EndpointSettings>,
    /// A file of captions that were made before, in the published shape: with it, nobody is asked what
    /// the pictures of runs show.
    pub captions: Option<PathBuf>,
    /// The endpoint that judges.
    pub judge: Option<EndpointSettings>,
    /// A folder with one's own wording of prompts.
    pub prompts_folder: Option<PathBuf>,
    /// The folder in which answers of endpoints are kept; without one every question is asked anew.
    pub answers_folder: Option<PathBuf>,
    /// Metrics of one's own.
    pub programs: Vec<ProgramSettings>,
}

/// Why a file does not say which models there are.
#[derive(Debug, thiserror::Error)]
pub enum ModelsFileError {
    /// It cannot be read.
    #[error("the file of models {0}")]
    Read(JsonLimitError),
    /// It is not of models.
    #[error("not a file of models: {source}: {}", path.display())]
    NotModels {
        /// What is wrong with it.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
}

/// Why a model that is named in the settings cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The wording of a prompt is not usable.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The endpoint is not usable.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The folder for answers is not usable.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

impl ModelSettings {
    /// Reads a file of models: JSON with any of the fields. Paths in it are as seen from its folder.
    ///
    /// # Errors
    ///
    /// [`ModelsFileError`]; a field that is not known is one too. Whether the models can be used is
    /// seen when they are needed.
    pub fn open(path: &Path) -> Result<Self, ModelsFileError> {
        let bytes = read_file_limited(path, Limits::JSON_BYTES).map_err(ModelsFileError::Read)?;
        // A list would do for serde, each field by its place.
        let settings = parse_json::<Map<String, Value>>(&bytes)
            .and_then(|fields| Ok(Self::deserialize(Value::Object(fields))?))
            .map_err(|source| ModelsFileError::NotModels { source, path: path.to_owned() })?;
        Ok(settings.seen_from(path.parent().unwrap_or(Path::new(""))))
    }

    /// The same with paths that do not depend on where the program was started.
    fn seen_from(mut self, folder: &Path) -> Self {
        let of_clip = self.clip.iter_mut();
        let of_clip = of_clip.flat_map(|it| [&mut it.picture, &mut it.text, &mut it.tokenizer]);
        let networks = [
            self.minilm.as_mut(),
            self.lpips.as_mut().map(|file| &mut file.network),
            self.saliency.as_mut().map(|file| &mut file.network),
            self.captions.as_mut(),
            self.prompts_folder.as_mut(),
            self.answers_folder.as_mut(),
        ];
        for path in of_clip.chain(networks.into_iter().flatten()) {
            // An absolute path stays what it is.
            *path = folder.join(&*path);
        }
        for program in &mut self.programs {
            let own = program.folder.take();
            program.folder = Some(own.map_or_else(|| folder.to_owned(), |own| folder.join(own)));
        }
        self
    }

    /// These metrics and those that go by a model or a program. A model that is not named, or cannot be set up,
    /// is the reason that its metric gives. The keys of endpoints are in the variables that they name.
    pub fn registry(&self, metrics: Registry, variables: &Variables) -> Registry {
        // Without a network there is the built-in predictor alone; the metrics below stand in the list
        // in any case, with what they lack as their reason.
        let metrics = match self.saliency.clone().map(SaliencyNetwork::new) {
            Some(network) => metrics.with(Arc::new(Saliency::new(Arc::new(network)))),
            None => metrics,
        };
        let sentences = self.minilm.clone().map_or_else(MiniLm::new, MiniLm::from_file);
        let captions = CaptionSimilarity::new(Arc::new(sentences));
        // With captions that were made before nobody is asked for any.
        let is_asked = self.captioner.is_some() && self.captions.is_none();
        let metrics = metrics
            .with(Arc::new(if is_asked { captions.asking() } else { captions }))
            .with(Arc::new(self.clip_score()))
            .with(Arc::new(self.lpips()));
        let metrics = self.with_judged(metrics, variables);
        self.programs
            .iter()
            .fold(metrics, |metrics, program| with_program(metrics, program, variables))
    }

    /// The captioner, if one is named.
    pub fn captioner(
        &self,
        variables: &Variables,
    ) -> Result<Option<EndpointCaptioner>, SetupError> {
        let Some(endpoint) = &self.captioner else { return Ok(None) };
        Ok(Some(EndpointCaptioner::new(self.asker(endpoint, variables)?, &self.prompts()?)))
    }

    /// The captions that were made before, if a file of them is named.
    pub fn precomputed_captions(&self) -> Result<Option<PrecomputedCaptions>, CaptionFileError> {
        self.captions.as_deref().map(PrecomputedCaptions::open).transpose()
    }

    /// The judge, if one is named.
    pub fn judge(&self, variables: &Variables) -> Result<Option<EndpointJudge>, SetupError> {
        let Some(endpoint) = &self.judge else { return Ok(None) };
        Ok(Some(EndpointJudge::new(self.asker(endpoint, variables)?, self.prompts()?)))
    }

    fn clip_score(&self) -> ClipScore {
        match &self.clip {
            Some(files) => ClipScore::new(Arc::new(Clip::new(files.clone()))),
            None => ClipScore::without_model("no CLIP model is named in the settings"),
        }
    }

    fn lpips(&self) -> Lpips {
        match &self.lpips {
            Some(file) => Lpips::new(Arc::new(LpipsNetwork::new(file.clone()))),
            None => Lpips::without_model("no LPIPS network is named in the settings"),
        }
    }

    /// These metrics and those that a judge is asked for.
    fn with_judged(&self, metrics: Registry, variables: &Variables) -> Registry {
        let judge = match self.judge(variables) {
            Ok(Some(judge)) => Ok(Arc::new(judge) as Arc<dyn Judge>),
            Ok(None) => Err("no judge is named in the settings".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let creativity = match &judge {
            Ok(judge) => Creativity::both(judge),
            Err(why) => Creativity::without_judge(why),
        };
        let judge = judge.map_err(MissingScore::NoModel);
        creativity
            .into_iter()
            .fold(metrics, |all, metric| all.with(Arc::new(metric)))
            .with(Arc::new(VqaMetric::new(judge.clone())))
            .with(Arc::new(DesignPassMetric::new(judge)))
    }

    fn prompts(&self) -> Result<PromptSet, PromptError> {
        self.prompts_folder
            .as_deref()
            .map_or_else(|| Ok(PromptSet::built_in()), PromptSet::from_folder)
    }

    fn asker(
        &self,
        endpoint: &EndpointSettings,
        variables: &Variables,
    ) -> Result<Arc<Asker>, SetupError> {
        // One folder for captioner and judge: answers are kept under all that was asked.
        let cache = self.answers_folder.as_deref().map(AnswerCache::open).transpose()?;
        let endpoint = ChatEndpoint::new(endpoint.clone(), variables)?;
        Ok(Arc::new(Asker::new(endpoint, cache)))
    }
}

/// These metrics and one of one's own, or one that says why it cannot be measured.
fn with_program(metrics: Registry, settings: &ProgramSettings, variables: &Variables) -> Registry {
    let program = MetricProgram::new(settings, variables);
    let program = program
        .map(|program| Arc::new(program) as Arc<dyn PairProgram>)
        .map_err(|error| MissingScore::NoModel(error.to_string()));
    let name = settings.metric_name();
    // Scores, columns and filters know a metric by its id alone: the second of a name has a number.
    let mut number = 1_usize;
    let mut free = name.clone();
    while metrics.variant(&variant_id(&free)).is_some() {
        number += 1;
        free = format!("{name}-{number}");
    }
    let name = free;
    let metric = ProgramMetric::new(&name, settings.better, settings.bounds(), program);
    metrics.with(Arc::new(metric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CancelToken;
    use crate::metric::{Comparison, Direction, Score};

    #[test]
    fn without_settings_every_metric_is_listed_and_says_what_is_missing() {
        let registry =
            ModelSettings::default().registry(Registry::built_in(), &Variables::default());
        for (id, reason) in [
            ("caption_similarity/minilm", "no_caption"),
            ("caption_similarity/canvas", "no_caption"),
            ("clip_score/clip", "no_model"),
            ("lpips/alex", "no_model"),
            ("originality/judge", "no_model"),
            ("elaboration/judge", "no_model"),
            ("vqa/judge", "no_model"),
            ("vqa_parsed/judge", "no_model"),
            ("design_pass/judge", "no_model"),
            ("design_image/judge", "no_model"),
        ] {
            let measured =
                registry.measure_one(id, &Comparison::default(), &CancelToken::new()).unwrap();
            let Some(Score::Missing(why)) = measured.map(|m| m.score) else { panic!("{id}") };
            assert_eq!(why.reason(), reason, "{id}");
        }
    }

    #[test]
    fn a_judge_that_cannot_be_set_up_is_the_reason() {
        let judge =
            EndpointSettings { base_url: "nowhere".to_owned(), ..EndpointSettings::default() };
        let settings = ModelSettings { judge: Some(judge), ..ModelSettings::default() };
        let registry = settings.registry(Registry::built_in(), &Variables::default());
        let comparison = Comparison { instruction: Some("a poster"), ..Comparison::default() };
        let measured =
            registry.measure_one("originality/judge", &comparison, &CancelToken::new()).unwrap();
        let Score::Missing(MissingScore::NoModel(why)) = measured.unwrap().score else {
            panic!("a score")
        };
        assert!(why.contains("address"), "{why}");
    }

    #[test]
    fn a_file_of_models_names_files_beside_itself() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("models.json");
        let json = r#"{"lpips": {"name": "alex", "network": "alex.onnx"}, "answers_folder": "/a"}"#;
        std::fs::write(&path, json).unwrap();
        let settings = ModelSettings::open(&path).unwrap();
        assert_eq!(settings.lpips.unwrap().network, dir.path().join("alex.onnx"));
        assert_eq!(settings.answers_folder.unwrap(), Path::new("/a"));
        for text in ["", "[]", r#"{"lpis": null}"#] {
            std::fs::write(&path, text).unwrap();
            let error = ModelSettings::open(&path).unwrap_err().to_string();
            assert!(
                error.contains("models.json") && error.contains("not a file of models"),
                "{error}"
            );
        }
        let error = ModelSettings::open(&dir.path().join("none.json")).unwrap_err().to_string();
        assert!(error.contains("none.json"), "{error}");
    }

    #[test]
    fn programs_are_metrics_with_names_of_their_own_seen_from_the_files_folder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("models.json");
        let json = r#"{"programs": [{"command": "python3 own.py", "better": "lower"},
            {"command": "python3 other.py", "name": "own", "range": [0, 1]},
            {"command": "a 'b", "folder": "/c"}]}"#;
        std::fs::write(&path, json).unwrap();
        std::fs::write(dir.path().join("own.py"), "").unwrap();
        let settings = ModelSettings::open(&path).unwrap();
        let folders: Vec<_> = settings.programs.iter().filter_map(|it| it.folder.clone()).collect();
        assert_eq!(folders, [dir.path(), dir.path(), Path::new("/c")]);
        let registry = settings.registry(Registry::built_in(), &Variables::default());
        let own: Vec<_> = registry.variants().filter(|it| it.metric() == "exec").collect();
        let ids: Vec<&str> = own.iter().map(|variant| &*variant.id).collect();
        assert_eq!(ids, ["exec/own", "exec/own-2", "exec/program"]);
        assert_eq!(own[0].direction, Direction::LowerIsBetter);
        assert_eq!((own[1].label, own[1].range), ("own-2", (0.0, 1.0)));
        let comparison = Comparison::default();
        let measured =
            registry.measure_one("exec/program", &comparison, &CancelToken::new()).unwrap();
        let Score::Missing(why) = measured.unwrap().score else { panic!("a score") };
        assert!(why.to_string().contains("not closed"), "{why}");
    }

    #[test]
    fn settings_are_read_as_they_are_written() {
        let settings = ModelSettings {
            clip: Some(ClipFiles {
                name: "clip-vit-base-patch16".to_owned(),
                picture: "a.onnx".into(),
                text: "b.onnx".into(),
                tokenizer: "t.json".into(),
            }),
            judge: Some(EndpointSettings::default()),
            ..ModelSettings::default()
        };
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<ModelSettings>(&json).unwrap(), settings);
        assert!(serde_json::from_str::<ModelSettings>(r#"{"key": "sk"}"#).is_err());
    }
}
