//! What is measured by at the moment: it changes when a person chooses other models or captions.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::RwLock;

use crate::base::{CancelToken, Cancelled, Variables};
use crate::evaluate::{ComparedSide, ComparedTask, RunCaptions, Scorer, Wanted};
use crate::metric::caption::CaptionSimilarity;
use crate::metric::{Measured, Needs, Registry};
use crate::model::captions::{CaptionFileError, PrecomputedCaptions};
use crate::model::endpoint::EndpointSettings;
use crate::model::{MiniLm, ModelSettings, ModelsFileError};
use crate::run::Run;

/// A scorer with the captions that were made before, if a file has them.
#[derive(Debug)]
pub(in crate::worker) struct ScoredBy {
    pub(in crate::worker) scorer: Scorer,
    captions: Option<PrecomputedCaptions>,
    /// Where the judge answers.
    pub(in crate::worker) judge: Option<EndpointSettings>,
    /// Where the captioner does.
    pub(in crate::worker) captioner: Option<EndpointSettings>,
    /// Why no folder for answers can be made beside the workspace's file.
    unkept: Option<String>,
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(in crate::worker) enum ScoredByError {
    #[error(transparent)]
    Models(#[from] ModelsFileError),
    #[error("the captions cannot be read: {0}")]
    Captions(#[from] CaptionFileError),
}

impl ScoredBy {
    /// What is odd in the file of captions, and why answers are not kept, if they are not.
    pub(in crate::worker) fn warnings(&self) -> impl Iterator<Item = String> {
        let captions = self.captions.iter().flat_map(|captions| &captions.warnings);
        let captions = captions.map(|warning| format!("the file of captions: {warning}"));
        let unkept = self.unkept.iter();
        captions.chain(unkept.map(|why| format!("what models answer is not kept: {why}")))
    }

    /// Scores a step of a run, and gives the variants of a metric to `each` as soon as they are known. No model behind
    /// an endpoint is asked.
    pub(in crate::worker) fn score(
        &self,
        task: &ComparedTask,
        run: &Run,
        step: u32,
        mut made: ComparedSide,
        wanted: Wanted<'_>,
        cancel: &CancelToken,
        mut each: impl FnMut(Vec<Measured>),
    ) -> Result<(), Cancelled> {
        let Some(captions) = &self.captions else {
            return self.scorer.score(task, &made, wanted, cancel, each);
        };
        let specs = self.scorer.registry().variants();
        let wished =
            specs.filter(|spec| wanted.variants.is_none_or(|ids| ids.contains(&&*spec.id)));
        let (captioned, plain): (Vec<_>, Vec<_>) =
            wished.partition(|spec| spec.needs == Needs::Captions);
        // Two passes, because a caption is part of what a side hashes to: scores that need none are
        // found in the store whatever file of captions is chosen.
        let ids: Vec<&str> = plain.iter().map(|spec| &*spec.id).collect();
        let plain = Wanted { variants: Some(&ids), map: wanted.map };
        self.scorer.score(task, &made, plain, cancel, &mut each)?;
        if captioned.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> = captioned.iter().map(|spec| &*spec.id).collect();
        let captioned = Wanted { variants: Some(&ids), map: wanted.map };
        let of_run = RunCaptions::new(captions, run);
        of_run.put(&mut made, step);
        self.scorer.score(&of_run.task(task), &made, captioned, cancel, each)
    }
}

/// What is measured by at the moment; models behind endpoints are not asked on the way. Work under way goes on with what
/// it began with.
#[derive(Debug)]
pub(in crate::worker) struct Scorers {
    /// The metrics without models, as the worker was given them.
    plain: Arc<ScoredBy>,
    current: RwLock<Arc<ScoredBy>>,
}

impl Scorers {
    /// These metrics, and the workspace's file that keeps their scores.
    pub(in crate::worker) fn new(plain: Registry, workspace: Option<PathBuf>) -> Self {
        let scorer = Scorer::new(plain, workspace).without_asking();
        let (judge, captioner) = (None, None);
        let plain = ScoredBy { scorer, captions: None, judge, captioner, unkept: None };
        let plain = Arc::new(plain);
        Self { current: RwLock::new(Arc::clone(&plain)), plain }
    }

    /// What is measured by at the moment.
    pub(in crate::worker) fn current(&self) -> Arc<ScoredBy> {
        Arc::clone(&self.current.read())
    }

    /// Answers of endpoints are kept beside the workspace's file where the file of models says nowhere else. From now
    /// on, metrics go by the models and the captions that these files have; without a file of
    /// models, there are those that need none. Captions may be named in the file of models too; a file
    /// that was chosen goes before that one. A file that cannot be used changes nothing. Endpoints have their keys in
    /// these variables.
    pub(in crate::worker) fn use_files(
        &self,
        models: Option<&Path>,
        captions: Option<&Path>,
        variables: &Variables,
    ) -> Result<Arc<ScoredBy>, ScoredByError> {
        // Both are read before anything is put in the place of what is in use.
        let mut settings = models.map(ModelSettings::open).transpose()?;
        if let (Some(settings), Some(chosen)) = (&mut settings, captions) {
            settings.captions = Some(chosen.to_path_buf());
        }
        let named = settings.as_ref().and_then(|settings| settings.captions.as_deref());
        let captions = captions.or(named).map(PrecomputedCaptions::open).transpose()?;
        let by = if settings.is_none() && captions.is_none() {
            Arc::clone(&self.plain)
        } else {
            let workspace = self.plain.scorer.workspace().map(Path::to_path_buf);
            let mut unkept = None;
            let (scorer, judge, captioner) = if let Some(mut settings) = settings {
                let asks = settings.judge.is_some() || settings.captioner.is_some();
                if settings.answers_folder.is_none() && asks {
                    let made = workspace.as_deref().map(answers_beside).transpose();
                    // A model that answers is worth more than what it said before.
                    settings.answers_folder = made.unwrap_or_else(|why| {
                        unkept = Some(why.to_string());
                        None
                    });
                }
                let scorer = Scorer::of_models(&settings, variables, workspace);
                (scorer, settings.judge, settings.captioner)
            } else {
                // What compares captions goes by the sentence model that comes with the program.
                let sentences = Arc::new(CaptionSimilarity::new(Arc::new(MiniLm::new())));
                let registry = self.plain.scorer.registry().clone().with(sentences);
                (Scorer::new(registry, workspace), None, None)
            };
            let scorer = scorer.without_asking();
            Arc::new(ScoredBy { scorer, captions, judge, captioner, unkept })
        };
        *self.current.write() = Arc::clone(&by);
        Ok(by)
    }
}

/// The folder for answers of a workspace, which has all that was asked beside each.
fn answers_beside(workspace: &Path) -> io::Result<PathBuf> {
    let folder = workspace.with_extension("answers");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
