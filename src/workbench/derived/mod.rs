//! Values that the worker makes of what is open: pictures, layers, checks, listings, scores.
//!
//! One mechanism for all of them. [`derived_kinds!`] is the table of kinds; each is a key with what is
//! wanted of it in a state ([`DerivedKind`]), kept in a [`Resource`]. [`reconcile`](super::reconcile)
//! asks for what is wanted and not known by one request,
//! [`Request::Derive`](super::protocol::Request::Derive), and one event,
//! [`Event::Derived`](super::protocol::Event::Derived), brings the answer of a job.
//!
//! A new kind is a file here with its key and what of it is wanted, a line in the table, and a function
//! in `worker::compute` that makes it; the compiler names the places.
//!
//! [`scores`] are the one kind whose job answers many times: step by step, as they are known. What they
//! bring lies in the curves of their run, the maps in a [`Resource`] like any other.

mod checks;
mod listings;
mod outlines;
mod pictures;
mod resource;
mod scores;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::run::{Manifest, Run};
use crate::task::Task;

use super::jobs::JobId;
use super::library::RunId;
use super::outline::OutlineKey;
use super::protocol::{MapKey, PictureKey};
use super::query::CheckKey;
use super::state::State;

pub use listings::{ModelFileKey, PictureFolderKey};
pub use pictures::PICTURE_CACHE_BYTES;
pub use resource::{Fetched, Resource, ResourceKey, ShownIn};
pub use scores::{MAP_CACHE_BYTES, ScoreKey, ScorePurpose, ScoredStep};

pub(super) use scores::{is_stale, next_scores};

/// How soon a value is wanted; soonest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Urgency {
    /// On the stage now.
    Stage,
    /// On the stage in a moment, by a step forward or back.
    Ahead,
    /// In the table of scores now.
    Table,
    /// On the timeline now.
    Timeline,
    /// The rest of a curve.
    Curve,
    /// For the library.
    Library,
}

impl Urgency {
    /// All, soonest first.
    pub const ALL: [Self; 6] =
        [Self::Stage, Self::Ahead, Self::Table, Self::Timeline, Self::Curve, Self::Library];
}

/// What a value is made of.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The task it belongs to.
    pub task: Option<Arc<Task>>,
    /// The run it belongs to.
    pub run: Option<RunInput>,
}

/// A run as a value is made of it.
#[derive(Clone, Debug)]
pub enum RunInput {
    /// All of it.
    Loaded(Arc<Run>),
    /// Still to be read.
    Unread {
        /// Its folder.
        dir: PathBuf,
        /// Its manifest, as listed.
        manifest: Box<Manifest>,
    },
}

impl Inputs {
    /// The run, where all of it is known.
    pub fn loaded(&self) -> Option<&Arc<Run>> {
        match &self.run {
            Some(RunInput::Loaded(run)) => Some(run),
            Some(RunInput::Unread { .. }) | None => None,
        }
    }
}

/// A kind of value: what of it a state wants, and what it is made of.
pub(super) trait DerivedKind: ResourceKey {
    /// The keys that are wanted now, the most important first.
    fn wanted(state: &State) -> Vec<(Self, Urgency)>;

    /// What the value is made of; `None` while that is not there, or can never be.
    fn inputs(&self, state: &State) -> Option<Inputs>;

    /// Whether it goes with a run that is closed or was replaced.
    fn is_of_run(&self, run: RunId) -> bool;

    /// Whether it goes with a task set that is closed.
    fn is_of_set(&self, set: &str) -> bool;
}

/// The table of kinds: where values are kept, what the kind is called, and its key.
macro_rules! derived_kinds {
    ($($(#[$doc:meta])+ $field:ident: $kind:ident($key:ty)),+ $(,)?) => {
        /// Which value, of any kind.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum DerivedKey {
            $($(#[$doc])+ $kind($key),)+
            /// Scores of steps of a run.
            Scores(ScoreKey),
        }

        /// A value, of any kind.
        #[derive(Clone, Debug)]
        pub enum Derived {
            $($(#[$doc])+ $kind(Arc<<$key as ResourceKey>::Value>),)+
            /// The scores of one step, or some of them.
            Scores(ScoredStep),
        }

        /// Every value that was asked for, by kind.
        #[derive(Clone, Debug, Default)]
        pub struct Derivations {
            $($(#[$doc])+ pub $field: Resource<$key>,)+
            /// Maps of single steps; they come with scores.
            pub maps: Resource<MapKey>,
            /// What is asked of the worker and has not ended, by job.
            pub(super) in_flight: BTreeMap<JobId, DerivedKey>,
        }

        $(
            impl From<$key> for DerivedKey {
                fn from(key: $key) -> Self {
                    Self::$kind(key)
                }
            }

            impl From<Arc<<$key as ResourceKey>::Value>> for Derived {
                fn from(value: Arc<<$key as ResourceKey>::Value>) -> Self {
                    Self::$kind(value)
                }
            }
        )+

        impl Derivations {
            /// Marks a key as wanted now. Whether it has to be asked for.
            pub(super) fn want(&mut self, key: &DerivedKey) -> bool {
                match key {
                    $(DerivedKey::$kind(key) => self.$field.want(key),)+
                    DerivedKey::Scores(_) => true,
                }
            }

            /// Enters what is asked for from now on.
            pub(super) fn asked(&mut self, job: JobId, key: DerivedKey) {
                match &key {
                    $(DerivedKey::$kind(key) => self.$field.insert(key.clone(), Fetched::Pending),)+
                    DerivedKey::Scores(_) => {}
                }
                self.in_flight.insert(job, key);
            }

            /// Takes in what a job that has not ended gave, scores aside. An answer of another kind
            /// than was asked for is a fault of the program, and said as that.
            pub(super) fn answer(&mut self, key: DerivedKey, result: Result<Derived, String>) {
                match key {
                    $(DerivedKey::$kind(key) => {
                        let result = result.and_then(|value| match value {
                            Derived::$kind(value) => Ok(value),
                            _ => Err("the answer is of another kind: please report it".to_owned()),
                        });
                        self.$field.answer(key, result);
                    })+
                    DerivedKey::Scores(_) => {}
                }
            }

            /// What was asked for does not come.
            pub(super) fn cancel(&mut self, key: &DerivedKey) {
                match key {
                    $(DerivedKey::$kind(key) => self.$field.cancel(key),)+
                    DerivedKey::Scores(_) => {}
                }
            }

            /// Forgets what goes with a run.
            pub(super) fn forget_run(&mut self, run: RunId) {
                $(self.$field.forget(|key, _| key.is_of_run(run));)+
                self.maps.forget(|key, _| key.run == run);
            }

            /// Forgets what goes with a task set, its runs aside.
            pub(super) fn forget_set(&mut self, set: &str) {
                $(self.$field.forget(|key, _| key.is_of_set(set));)+
            }

            /// Forgets what failed, so that it is asked for again if it is wanted.
            pub(super) fn forget_failed(&mut self) {
                $(self.$field.forget(|_, fetched| matches!(fetched, Fetched::Failed(_)));)+
            }

            /// Keeps the budgets.
            pub(super) fn evict(&mut self, wanted: &BTreeSet<DerivedKey>, map: Option<&MapKey>) {
                $(self.$field.evict(|key| wanted.contains(&DerivedKey::$kind(key.clone())));)+
                self.maps.evict(|key| Some(key) == map);
            }
        }

        /// Whatever the state wants, scores aside: the most urgent first, and of those in the order of
        /// the table.
        pub(super) fn wanted(state: &State) -> Vec<(DerivedKey, Urgency)> {
            let mut wanted: Vec<(DerivedKey, Urgency)> = Vec::new();
            $(wanted.extend(
                <$key>::wanted(state).into_iter().map(|(key, urgency)| (key.into(), urgency)),
            );)+
            wanted.sort_by_key(|(_, urgency)| *urgency);
            wanted
        }

        impl DerivedKey {
            /// What the value is made of; `None` while that is not there.
            pub(super) fn inputs(&self, state: &State) -> Option<Inputs> {
                match self {
                    $(Self::$kind(key) => key.inputs(state),)+
                    Self::Scores(key) => key.inputs(state),
                }
            }
        }
    };
}

derived_kinds! {
    /// Pictures for the stage and the timeline.
    pictures: Picture(PictureKey),
    /// Designs with their layers, compared with others.
    outlines: Outline(OutlineKey),
    /// Designs held against their queries.
    checks: Check(CheckKey),
    /// What files of models hold.
    model_files: ModelFile(ModelFileKey),
    /// What folders of pictures hold.
    picture_folders: PictureFolder(PictureFolderKey),
}

impl DerivedKey {
    /// Whether it is read from a disk and not computed.
    pub fn is_read(&self) -> bool {
        matches!(self, Self::ModelFile(_) | Self::PictureFolder(_))
    }
}

/// The task and the run that a design belongs to; `None` while the run is being read, or has no such
/// step.
pub(super) fn inputs_of_slot(state: &State, slot: &PictureKey) -> Option<Inputs> {
    match slot {
        PictureKey::Start(task) | PictureKey::GroundTruth(task) => {
            Some(Inputs { task: state.library.shared_task(task).cloned(), run: None })
        }
        PictureKey::Step(run, step)
        | PictureKey::Thumbnail(run, step)
        | PictureKey::Document(run, step, _) => {
            let entry = state.library.runs.get(run)?;
            let loaded = Arc::clone(entry.loaded.as_ref()?);
            let task = state.library.shared_task(&entry.manifest.task).cloned();
            (*step <= entry.steps).then_some(Inputs { task, run: Some(RunInput::Loaded(loaded)) })
        }
    }
}
