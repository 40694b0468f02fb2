//! Measuring, and remembering what was measured.

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::base::{CancelToken, Cancelled};
use crate::metric::{Measured, Measurement, Metric, MissingScore, Registry, Score, VariantSpec};
use crate::store::{ContentHash, ScoreKey, Store, StoreError};

use super::compared::{ComparedSide, ComparedTask};

/// The metrics there are, and the scores they gave before. Shared by threads.
#[derive(Debug)]
pub struct Scorer {
    registry: Registry,
    cache: Cache,
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
        Self { registry, cache }
    }

    /// The metrics.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Why scores are not remembered, once it happened and once only.
    pub fn take_problem(&self) -> Option<String> {
        self.cache.problem.lock().unwrap_or_else(PoisonError::into_inner).take()
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
        mut each: impl FnMut(Vec<Measured>),
    ) -> Result<(), Cancelled> {
        let pair =
            self.cache.store().map(|store| Pair { store, truth: task.hash(), made: made.hash() });
        for metric in self.registry.metrics() {
            let variants = metric.variants().iter();
            let wished: Vec<&VariantSpec> = variants.filter(|v| wanted.has(v)).collect();
            if wished.is_empty() {
                continue;
            }
            let known = pair.as_ref().filter(|_| !wished.iter().any(|v| wanted.has_map(v)));
            let known = known.and_then(|pair| self.cache.known(pair, &wished));
            each(if let Some(known) = known {
                known
            } else {
                let all = measure(&**metric, &task.with(made), cancel)?;
                if let Some(pair) = &pair {
                    self.cache.keep(pair, &all);
                }
                let wished = all.into_iter().filter(|it| wanted.has(&it.variant));
                wished.map(|it| trimmed(it, wanted)).collect()
            });
            cancel.check()?;
        }
        Ok(())
    }

    /// The same for the same reason why there is nothing to measure.
    pub fn all_missing(&self, wanted: Wanted<'_>, why: &MissingScore) -> Vec<Measured> {
        let missing = |variant: &VariantSpec| Measured {
            variant: variant.clone(),
            measurement: Measurement::missing(why.clone()),
        };
        self.registry.variants().filter(|v| wanted.has(v)).map(missing).collect()
    }
}

fn measure(
    metric: &dyn Metric,
    comparison: &crate::metric::Comparison<'_>,
    cancel: &CancelToken,
) -> Result<Vec<Measured>, Cancelled> {
    let measurements = metric.measure(comparison, cancel);
    // What was stopped in the middle is no result.
    cancel.check()?;
    let pairs = metric.variants().iter().cloned().zip(measurements);
    Ok(pairs.map(|(variant, measurement)| Measured { variant, measurement }).collect())
}

/// Without what nobody asked for.
fn trimmed(measured: Measured, wanted: Wanted<'_>) -> Measured {
    let Measured { variant, mut measurement } = measured;
    if !wanted.has_map(&variant) {
        measurement.evidence = None;
    }
    Measured { variant, measurement }
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
struct Pair<'a> {
    store: &'a Store,
    truth: ContentHash,
    made: ContentHash,
}

impl Pair<'_> {
    fn key<'v>(&self, variant: &'v VariantSpec) -> ScoreKey<'v> {
        ScoreKey::new(self.truth, self.made, variant)
    }
}

impl Cache {
    fn store(&self) -> Option<&Store> {
        let opened = self.store.get_or_init(|| match Store::open(self.path.as_ref()?) {
            Ok(store) => Some(store),
            Err(error) => {
                self.tell(&error);
                None
            }
        });
        opened.as_ref()
    }

    /// The scores of all these variants, or nothing.
    fn known(&self, pair: &Pair<'_>, variants: &[&VariantSpec]) -> Option<Vec<Measured>> {
        let known = |variant: &&VariantSpec| {
            let score = pair.store.score(&pair.key(variant)).unwrap_or_else(|error| {
                self.tell(&error);
                None
            });
            Some(Measured { variant: (*variant).clone(), measurement: Measurement::of(score?) })
        };
        variants.iter().map(known).collect()
    }

    fn keep(&self, pair: &Pair<'_>, measured: &[Measured]) {
        let scores: Vec<(ScoreKey<'_>, Score)> = measured
            .iter()
            .map(|it| (pair.key(&it.variant), it.measurement.score.clone()))
            .collect();
        if let Err(error) = pair.store.put_scores(&scores) {
            self.tell(&error);
        }
    }

    /// Keeps what went wrong to be told. What follows from it is nothing new.
    fn tell(&self, error: &StoreError) {
        if !matches!(error, StoreError::Closed { .. }) {
            let text = format!("scores are not remembered: {error}");
            *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
    }
}
