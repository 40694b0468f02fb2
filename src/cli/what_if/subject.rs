//! A run made once more, with what it is scored by.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::base::CancelToken;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::scoring::{Cache, check_variants, compared_task, models, scorer};
use crate::evaluate::what_if::{Base, EndScores};
use crate::evaluate::{ComparedTask, PrimaryMetric, Scorer};
use crate::metric::{MissingScore, Score};
use crate::run::{Run, reader};
use crate::task::Task;

use super::arguments::WhatIfArguments;

/// A run, ready to be branched.
pub(super) struct RunSubject {
    pub(super) dir: PathBuf,
    pub(super) run: Run,
    pub(super) base: Base,
    pub(super) task: Option<Arc<Task>>,
    pub(super) set_dir: Option<PathBuf>,
    compared: Result<ComparedTask, MissingScore>,
}

/// Who scores, and by which variants.
pub(super) struct Judges {
    scorer: Scorer,
    only: Vec<String>,
}

impl Judges {
    /// Those of the command line.
    pub(super) fn of(arguments: &WhatIfArguments) -> anyhow::Result<Self> {
        // No store: ends without some calls come once, and would crowd out what is asked for again.
        let scorer = scorer(Cache::None, &models(arguments.models.as_deref())?);
        let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
        check_variants(scorer.registry(), &only)?;
        Ok(Self { scorer, only: arguments.only.clone() })
    }

    /// The variants for this run.
    pub(super) fn variants(&self, run: &Run) -> Vec<&str> {
        if self.only.is_empty() {
            return vec![PrimaryMetric::of_run(&run.manifest).variant()];
        }
        self.only.iter().map(String::as_str).collect()
    }

    /// Scores of one task.
    pub(super) fn scores<'a>(
        &'a self,
        subject: &'a RunSubject,
        variants: &'a [&'a str],
    ) -> Result<EndScores<'a>, MissingScore> {
        let task = subject.compared.as_ref().map_err(Clone::clone)?;
        Ok(EndScores { scorer: &self.scorer, task, variants })
    }
}

impl RunSubject {
    /// The one run that was named.
    pub(super) fn open(arguments: &WhatIfArguments) -> anyhow::Result<Self> {
        let [dir] = arguments.runs.as_slice() else {
            anyhow::bail!("name one run: what is edited is the calls of one");
        };
        let mut collection = Collection::open(std::slice::from_ref(dir), &arguments.tasks)?;
        let found: Vec<PathBuf> = collection.runs.iter().map(|found| found.dir.clone()).collect();
        let [found] = found.as_slice() else {
            anyhow::bail!("there are {} runs in {}; name one of them", found.len(), dir.display());
        };
        Self::read(found, &mut collection)
    }

    /// A run of a collection.
    pub(super) fn read(dir: &Path, collection: &mut Collection) -> anyhow::Result<Self> {
        let shown = dir.display();
        let run = reader::open(dir).with_context(|| format!("cannot open {shown}"))?;
        let found = collection.find(dir, &run.manifest);
        let (task, set_dir) = found.map(|found| (found.task, found.set_dir)).unzip();
        let task = task.or_else(|| Task::of_plan(&run).map(Arc::new));
        let base = Base::of_run(&run, &environments().opener(), &CancelToken::new())
            .with_context(|| shown.to_string())?;
        let compared = compared_task(task.as_deref(), Some(&run.manifest.environment));
        Ok(Self { dir: dir.to_path_buf(), run, base, task, set_dir, compared })
    }
}

/// The scores of an end, or for each variant the same reason why there is none.
pub(super) fn all_missing(variants: &[&str], why: &MissingScore) -> Vec<Score> {
    variants.iter().map(|_| Score::Missing(why.clone())).collect()
}
