//! Measuring, and remembering what was measured.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::base::{CancelToken, Cancelled, Variables};
use crate::metric::{
    Comparison, Measured, Measurement, Metric, MissingScore, Needs, QuestionSize, Registry, Score,
    Side, VariantSpec,
};
use crate::model::ModelSettings;
use crate::model::captions::Captioner;
use crate::store::{ContentHash, ScoreKey, Store, StoreError, hash_ground_truth, hash_side};

use super::compared::{ComparedSide, ComparedTask};

/// The metrics there are, and the scores they gave before. Shared by threads.
#[derive(Debug)]
pub struct Scorer {
    registry: Registry,
    /// Who says what pictures show, or why nobody does.
    captioner: Result<Arc<dyn Captioner>, String>,
    /// How [`Scorer::score`] comes to values that models behind endpoints give.
    asking: AskPolicy,
    cache: Cache,
}

/// How values come that models behind endpoints are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskPolicy {
    /// They are asked for what is not known.
    Allowed,
    /// Nobody is asked: what is not known is [`MissingScore::NotAsked`].
    KnownOnly,
}

/// A question that asking for scores would send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingQuestion {
    /// Whom it is for.
    pub model: AskedModel,
    /// What it holds.
    pub size: QuestionSize,
}

/// Whom a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedModel {
    /// The judge.
    Judge,
    /// Who says what the picture of an attempt shows.
    Captioner,
    /// The same of a ground truth, which is asked about once for all attempts at its task.
    TruthCaptioner,
}

/// Which scores are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Of which variants; `None`: of all there are.
    pub variants: Option<&'a [&'a str]>,
    /// The variant whose map is wanted too. What explains the others is not kept.
    pub map: Option<&'a str>,
}

impl Wanted<'_> {
    /// All scores, no map.
    pub const ALL: Self = Self { variants: None, map: None };

    fn has(&self, variant: &VariantSpec) -> bool {
        self.variants.is_none_or(|ids| ids.contains(&&*variant.id))
    }

    fn has_map(&self, variant: &VariantSpec) -> bool {
        self.map == Some(&*variant.id)
    }
}

impl Scorer {
    /// These metrics, and the workspace's file that keeps their scores; `None` keeps nothing.
    pub fn new(registry: Registry, workspace: Option<PathBuf>) -> Self {
        let cache = Cache { path: workspace, store: OnceLock::new(), problem: Mutex::default() };
        let captioner = Err("no captioner is named in the settings".to_owned());
        Self { registry, captioner, asking: AskPolicy::Allowed, cache }
    }

    /// The metrics that need no model and those that go by these models. Models are loaded when they
    /// are first needed; one that cannot be used is the reason that its metric gives.
    pub fn of_models(
        models: &ModelSettings,
        variables: &Variables,
        workspace: Option<PathBuf>,
    ) -> Self {
        // What cannot be set up is the reason that caption metrics give; the others are measured
        // all the same.
        let captioner = match models.captioner(variables) {
            Ok(Some(captioner)) => Ok(Arc::new(captioner) as Arc<dyn Captioner>),
            Ok(None) => Err("no captioner is named in the settings".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let registry = models.registry(Registry::built_in(), variables);
        Self { captioner, ..Self::new(registry, workspace) }
    }

    /// The same with this captioner.
    #[must_use]
    pub fn with_captioner(self, captioner: Arc<dyn Captioner>) -> Self {
        Self { captioner: Ok(captioner), ..self }
    }

    /// The same, but that [`Self::score`] sends no request to a model behind an endpoint: what such a model did not
    /// answer before is [`MissingScore::NotAsked`], which [`Self::ask`] mends.
    #[must_use]
    pub fn without_asking(self) -> Self {
        Self { asking: AskPolicy::KnownOnly, ..self }
    }

    /// The metrics.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The workspace's file, if scores are kept.
    pub fn workspace(&self) -> Option<&Path> {
        self.cache.path.as_deref()
    }

    /// Why scores are not remembered, once it happened and once only.
    pub fn take_problem(&self) -> Option<String> {
        self.cache.problem.lock().take()
    }

    /// Scores something against a task, and gives the variants of a metric to `each` as soon as they
    /// are known, in the order of the registry.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] once `cancel` is raised; what was given before counts.
    pub fn score(
        &self,
        task: &ComparedTask,
        made: &ComparedSide,
        wanted: Wanted<'_>,
        cancel: &CancelToken,
        each: impl FnMut(Vec<Measured>),
    ) -> Result<(), Cancelled> {
        self.score_by(task, made, wanted, self.asking, cancel, each)
    }

    /// The same, and models behind endpoints are asked for what is not known even by a scorer
    /// [`Self::without_asking`].
    ///
    /// # Errors
    ///
    /// As [`Self::score`].
    pub fn ask(
        &self,
        task: &ComparedTask,
        made: &ComparedSide,
        wanted: Wanted<'_>,
        cancel: &CancelToken,
        each: impl FnMut(Vec<Measured>),
    ) -> Result<(), Cancelled> {
        self.score_by(task, made, wanted, AskPolicy::Allowed, cancel, each)
    }

    fn score_by(
        &self,
        task: &ComparedTask,
        made: &ComparedSide,
        wanted: Wanted<'_>,
        asking: AskPolicy,
        cancel: &CancelToken,
        mut each: impl FnMut(Vec<Measured>),
    ) -> Result<(), Cancelled> {
        // Prepared once for all metrics that need no captions.
        let plain = ComparedSides { task, made, pair: self.pair(task, made) };
        let mut captioned = None;
        for metric in self.registry.metrics() {
            let variants = metric.variants().iter();
            let wished: Vec<&VariantSpec> = variants.filter(|v| wanted.has(v)).collect();
            if wished.is_empty() {
                continue;
            }
            if wished.iter().any(|variant| variant.needs == Needs::Captions) {
                // Captions cost calls to a model: they are asked for by the first metric that needs them.
                if asking == AskPolicy::KnownOnly && !self.caption_questions(task, made).is_empty()
                {
                    // Without a picture no answer would be a score, and that is what there is to say.
                    let lacking = made.caption.is_none().then(|| task.with(made));
                    let lacking = lacking.and_then(|sides| sides.generated_picture().err());
                    each(missing(&wished, &lacking.unwrap_or(MissingScore::NotAsked)));
                    continue;
                }
                if captioned.is_none() {
                    // The ground truth is described once for all attempts at the task.
                    let made = self.captioned(made, cancel)?;
                    let task = task.captioned(|truth| self.captioned(truth, cancel))?;
                    captioned = Some((task, made));
                }
                if let Some((task, made)) = &captioned {
                    let sides = ComparedSides { task, made, pair: self.pair(task, made) };
                    each(self.measured(&**metric, &sides, &wished, wanted, cancel)?);
                }
            } else if asking == AskPolicy::KnownOnly && wished.iter().any(|it| it.is_asked) {
                each(self.known_or_not_asked(&**metric, &plain, &wished));
            } else {
                each(self.measured(&**metric, &plain, &wished, wanted, cancel)?);
            }
            cancel.check()?;
        }
        Ok(())
    }

    fn pair(&self, task: &ComparedTask, made: &ComparedSide) -> Option<Pair<'_>> {
        // Hashing reads every pixel: only where there is a store to ask.
        self.cache.store().map(|store| Pair { store, truth: task.hash(made), made: made.hash() })
    }

    /// The wished variants of a metric, remembered or measured.
    fn measured(
        &self,
        metric: &dyn Metric,
        sides: &ComparedSides<'_>,
        wished: &[&VariantSpec],
        wanted: Wanted<'_>,
        cancel: &CancelToken,
    ) -> Result<Vec<Measured>, Cancelled> {
        let pair = sides.pair_for(wished);
        let pair = pair.as_ref();
        let scores_only = !wished.iter().any(|variant| wanted.has_map(variant));
        let comparison = Comparison { scores_only, ..sides.task.with(sides.made) };
        // Scores are kept and maps are not: who wants a map has it measured again.
        let known = pair.filter(|_| scores_only);
        // Hashing the files of a model takes seconds, so only where there is a store to ask.
        let goes_by = pair.and_then(|_| goes_by(metric, &comparison));
        if let Some(known) =
            known.and_then(|pair| self.cache.known(pair, wished, goes_by.as_deref()))
        {
            return Ok(known);
        }
        let all = metric.measured(&comparison, cancel)?;
        // All variants of the metric, as the others were computed on the way anyway.
        // A program that was edited meanwhile may have answered as either: nothing of that is remembered.
        if let Some(pair) = pair.filter(|_| self::goes_by(metric, &comparison) == goes_by) {
            self.cache.keep(pair, &all, goes_by.as_deref());
        }
        let mut wished: Vec<_> = all.into_iter().filter(|it| wanted.has(&it.variant)).collect();
        // Maps are as large as the picture: what nobody asked for goes before it is sent anywhere.
        for it in wished.iter_mut().filter(|it| !wanted.has_map(&it.variant)) {
            it.measurement.evidence = None;
        }
        for it in wished.iter_mut().filter(|it| wanted.has_map(&it.variant)) {
            let evidence = &mut it.measurement.evidence;
            // One side may have a map of its own though both cannot be compared.
            if it.measurement.score.value().is_none() && evidence.is_none() {
                *evidence = metric.partial_evidence(&comparison);
                cancel.check()?;
            }
        }
        Ok(wished)
    }

    /// What the workspace has of a metric whose values are asked for.
    fn known_or_not_asked(
        &self,
        metric: &dyn Metric,
        sides: &ComparedSides<'_>,
        wished: &[&VariantSpec],
    ) -> Vec<Measured> {
        let known = self.known(metric, sides, wished);
        known.unwrap_or_else(|| {
            // Where what a judge is shown lacks, no answer would be a score, and that is what there is to say.
            let lacking = metric.lacking(&sides.task.with(sides.made));
            missing(wished, &lacking.unwrap_or(MissingScore::NotAsked))
        })
    }

    /// All of these scores of before, or nothing.
    fn known(
        &self,
        metric: &dyn Metric,
        sides: &ComparedSides<'_>,
        wished: &[&VariantSpec],
    ) -> Option<Vec<Measured>> {
        let pair = sides.pair_for(wished)?;
        let goes_by = goes_by(metric, &sides.task.with(sides.made));
        self.cache.known(&pair, wished, goes_by.as_deref())
    }

    /// The questions that [`Self::ask`] would send now for these. Nothing is sent.
    pub fn questions(
        &self,
        task: &ComparedTask,
        made: &ComparedSide,
        wanted: Wanted<'_>,
    ) -> Vec<PendingQuestion> {
        let sides = ComparedSides { task, made, pair: self.pair(task, made) };
        let mut questions = Vec::new();
        for metric in self.registry.metrics() {
            let wished = metric.variants().iter().filter(|variant| wanted.has(variant));
            let (captioned, others): (Vec<_>, Vec<_>) =
                wished.partition(|variant| variant.needs == Needs::Captions);
            let can_be_captioned =
                made.caption.is_some() || task.with(made).generated_picture().is_ok();
            if !captioned.is_empty() && can_be_captioned {
                questions.extend(self.caption_questions(task, made));
            }
            if !others.iter().any(|variant| variant.is_asked) {
                continue;
            }
            if self.known(&**metric, &sides, &others).is_none() {
                let sizes = metric.questions(&task.with(made)).into_iter();
                questions
                    .extend(sizes.map(|size| PendingQuestion { model: AskedModel::Judge, size }));
            }
        }
        questions
    }

    /// What is asked for captions of the sides that have none, where what their pictures show was not said before.
    fn caption_questions(&self, task: &ComparedTask, made: &ComparedSide) -> Vec<PendingQuestion> {
        let Ok(captioner) = &self.captioner else { return Vec::new() };
        let sides = [(AskedModel::TruthCaptioner, task.truth()), (AskedModel::Captioner, made)];
        let questions = sides.into_iter().filter_map(|(model, side)| {
            let is_settled = side.caption.is_some() || side.no_caption.is_some();
            let picture = side.picture.as_ref().filter(|_| !is_settled)?;
            Some(PendingQuestion { model, size: captioner.question_size(picture)? })
        });
        questions.collect()
    }

    /// A side with a caption of its picture, or the reason why not.
    fn captioned(
        &self,
        side: &ComparedSide,
        cancel: &CancelToken,
    ) -> Result<ComparedSide, Cancelled> {
        let mut side = side.clone();
        if side.caption.is_some() || side.no_caption.is_some() {
            return Ok(side);
        }
        // Kept as the reason on the side itself, so that each metric that goes by captions says the
        // same.
        let caption = match (&self.captioner, &side.picture) {
            (Err(why), _) => Err(why.clone()),
            (Ok(_), None) => Err(side.no_picture.clone().unwrap_or_else(|| NO_PICTURE.to_owned())),
            (Ok(captioner), Some(picture)) => captioner
                .caption(picture, cancel)
                .map_err(|error| format!("{}: {error}", captioner.name())),
        };
        // An answer that was stopped is no reason to be kept.
        cancel.check()?;
        match caption {
            Ok(caption) => side.caption = Some(caption),
            Err(why) => side.no_caption = Some(why),
        }
        Ok(side)
    }

    /// The same for the same reason why there is nothing to measure.
    pub fn all_missing(&self, wanted: Wanted<'_>, why: &MissingScore) -> Vec<Measured> {
        let variants = self.registry.variants().filter(|variant| wanted.has(variant));
        missing(&variants.collect::<Vec<_>>(), why)
    }
}

/// What the scores of a metric are remembered by beside what is compared: what it goes by, and what is asked about.
fn goes_by(metric: &dyn Metric, comparison: &Comparison<'_>) -> Option<String> {
    match (metric.fingerprint(), metric.asked_about(comparison)) {
        (Some(model), Some(about)) => Some(format!("{model}:{about}")),
        (model, about) => model.or(about),
    }
}

/// The same for the same reason why there is no value.
fn missing(variants: &[&VariantSpec], why: &MissingScore) -> Vec<Measured> {
    let measured = variants.iter().map(|variant| Measured {
        variant: (*variant).clone(),
        measurement: Measurement::missing(why.clone()),
    });
    measured.collect()
}

const NO_PICTURE: &str = "there is no picture to be described";

/// What is compared, and how the store knows it.
struct ComparedSides<'a> {
    task: &'a ComparedTask,
    made: &'a ComparedSide,
    pair: Option<Pair<'a>>,
}

impl<'a> ComparedSides<'a> {
    /// How the store knows what these variants of a metric measure on. Of a plan it is what is asked about alone, which
    /// is the same after every step, whatever the picture is.
    fn pair_for(&self, wished: &[&VariantSpec]) -> Option<Pair<'a>> {
        let pair = self.pair?;
        if wished.iter().any(|variant| variant.needs != Needs::Plan) {
            return Some(pair);
        }
        let truth = hash_ground_truth(&Comparison::default());
        Some(Pair { truth, made: hash_side(&Side::default()), ..pair })
    }
}

/// The scores of before, if there is a file for them that can be used.
#[derive(Debug)]
struct Cache {
    path: Option<PathBuf>,
    /// Opened at the first score, on the thread that scores.
    store: OnceLock<Option<Store>>,
    problem: Mutex<Option<String>>,
}

/// What is compared, as the store knows it.
#[derive(Clone, Copy)]
struct Pair<'a> {
    store: &'a Store,
    truth: ContentHash,
    made: ContentHash,
}

impl Pair<'_> {
    fn key<'v>(&self, variant: &'v VariantSpec, goes_by: Option<&'v str>) -> ScoreKey<'v> {
        ScoreKey::new(self.truth, self.made, variant).going_by(goes_by)
    }
}

impl Cache {
    fn store(&self) -> Option<&Store> {
        // Once and for all: a file that cannot be opened is told of once, and not tried at every
        // score.
        let opened = self.store.get_or_init(|| match Store::open(self.path.as_ref()?) {
            Ok(store) => Some(store),
            Err(error) => {
                self.note_problem(&error);
                None
            }
        });
        opened.as_ref()
    }

    /// The scores of all these variants, or nothing.
    fn known(
        &self,
        pair: &Pair<'_>,
        variants: &[&VariantSpec],
        goes_by: Option<&str>,
    ) -> Option<Vec<Measured>> {
        let mut known = Vec::with_capacity(variants.len());
        for variant in variants {
            let score = pair.store.score(&pair.key(variant, goes_by)).unwrap_or_else(|error| {
                self.note_problem(&error);
                None
            });
            // One that is missing is measured, which gives the others again.
            let measurement = Measurement::of(score?);
            known.push(Measured { variant: (*variant).clone(), measurement });
        }
        Some(known)
    }

    fn keep(&self, pair: &Pair<'_>, measured: &[Measured], goes_by: Option<&str>) {
        let scores: Vec<(ScoreKey<'_>, Score)> = measured
            .iter()
            .map(|it| (pair.key(&it.variant, goes_by), it.measurement.score.clone()))
            .collect();
        if let Err(error) = pair.store.put_scores(&scores) {
            self.note_problem(&error);
        }
    }

    /// Keeps what went wrong to be told. What follows from it is nothing new.
    fn note_problem(&self, error: &StoreError) {
        if !matches!(error, StoreError::Closed { .. }) {
            let text = format!("scores are not remembered: {error}");
            *self.problem.lock() = Some(text);
        }
    }
}
