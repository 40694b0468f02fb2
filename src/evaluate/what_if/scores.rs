//! What the end of a branch is worth.

use std::sync::Arc;

use crate::base::{CancelToken, Cancelled};
use crate::environment::{Environment, HandOuts, PictureRequest};
use crate::evaluate::compared::{ComparedSide, ComparedTask};
use crate::evaluate::given_inputs::GivenInputs;
use crate::evaluate::scorer::{Scorer, Wanted};
use crate::metric::{Direction, MissingScore, Score, StepMemory};

/// Scores environments against a task by some variants, in their order.
#[derive(Clone, Copy, Debug)]
pub struct EndScores<'a> {
    /// Who scores.
    pub scorer: &'a Scorer,
    /// What is compared with.
    pub task: &'a ComparedTask,
    /// By which variants.
    pub variants: &'a [&'a str],
}

impl EndScores<'_> {
    /// A score for each variant.
    ///
    /// # Errors
    ///
    /// [`Cancelled`].
    pub fn of(
        &self,
        environment: &dyn Environment,
        cancel: &CancelToken,
    ) -> Result<Vec<Score>, Cancelled> {
        self.of_side(&compared_environment(environment), cancel)
    }

    /// The same of one of many ends that differ little, to the bit.
    pub(super) fn of_next(
        &self,
        environment: &dyn Environment,
        memories: &EndMemories,
        cancel: &CancelToken,
    ) -> Result<Vec<Score>, Cancelled> {
        let memory = memories.of_thread();
        self.of_side(&ComparedSide { memory, ..compared_environment(environment) }, cancel)
    }

    fn of_side(&self, made: &ComparedSide, cancel: &CancelToken) -> Result<Vec<Score>, Cancelled> {
        let wanted = Wanted { variants: Some(self.variants), map: None };
        let mut all = Vec::new();
        self.scorer.score(self.task, made, wanted, cancel, |of_metric| all.extend(of_metric))?;
        // The scorer gives them in the order of the registry.
        let scores = self.variants.iter().map(|variant| {
            let found = all.iter().find(|measured| measured.variant.id == **variant);
            let Some(measured) = found else {
                let why = format!("there is no {variant}");
                return Score::Missing(MissingScore::failed("measuring", &why));
            };
            measured.measurement.score.clone()
        });
        Ok(scores.collect())
    }

    /// What a difference of a variant's scores is multiplied by, so that more is better.
    pub fn sign(&self, variant: usize) -> f64 {
        let spec = self.variants.get(variant).and_then(|id| self.scorer.registry().variant(id));
        match spec.map(|spec| spec.direction) {
            Some(Direction::LowerIsBetter) => -1.0,
            _ => 1.0,
        }
    }
}

/// What metrics remember of ends that were scored before, for each thread of a rayon pool: two that score at once would
/// only take it from each other.
#[derive(Debug)]
pub(super) struct EndMemories(Vec<Arc<StepMemory>>);

impl EndMemories {
    /// For the pool that it is called in.
    pub(super) fn new() -> Self {
        Self((0..rayon::current_num_threads()).map(|_| Arc::default()).collect())
    }

    /// That of the thread that it is called on; `None` on a thread of no pool.
    fn of_thread(&self) -> Option<Arc<StepMemory>> {
        self.0.get(rayon::current_thread_index()?).cloned()
    }
}

/// An environment as it is: its main frame at scale 1 and its design, as
/// [`compared_step`](crate::evaluate::compared_step) has those of a run.
pub(super) fn compared_environment(environment: &dyn Environment) -> ComparedSide {
    let (picture, no_picture) = match environment.picture(&PictureRequest::default()) {
        Ok(picture) => (Some(picture.pixels), None),
        Err(error) => (None, Some(error.to_string())),
    };
    ComparedSide {
        picture,
        no_picture,
        design: environment.design(),
        shown: environment.hand_outs().and_then(HandOuts::shown_pictures),
        given: GivenInputs::of(environment).map(Arc::new),
        ..ComparedSide::default()
    }
}
