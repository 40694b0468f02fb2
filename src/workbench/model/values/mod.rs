//! Values that the worker makes of what is open: pictures, layers, checks, listings, scores.
//!
//! One mechanism for all of them. `derived_kinds!` is the table of kinds; each is a key, kept in a
//! [`Resource`], with what of it is wanted in a state (`derive::kinds`). `reduce::reconcile` asks for
//! what is wanted and not known by one request,
//! [`Request::Derive`](crate::workbench::Request::Derive), and one event,
//! [`Event::Derived`](crate::workbench::Event::Derived), brings the answer of a job.
//!
//! A new kind is five files, and the panel that shows it: its key and its value in a file here; in this
//! file the `mod` line with its `pub use`, a line in the table, and a field of [`Inputs`] if it is made of
//! something that no other kind is; in `derive::kinds` a file that says when it is wanted, and its `mod`
//! line; in `worker::compute` the function that makes it. The compiler names the places.
//!
//! Scores are the one kind whose job answers many times: step by step, as they are known. What they
//! bring lies in the curves of their run, the maps in a [`Resource`] like any other.

mod assist_step;
mod design_picture;
mod inputs;
mod listings;
mod losses;
mod next_step;
mod pictures;
mod pixel_difference;
mod resource;
mod scores;
mod slot_map;
mod stage_pixels;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::evaluate::alignment::RunTrace;
use crate::run::Run;
use crate::task::{Task, TaskSet};

use super::ablation::{AblatedInput, AblationKey};
use super::alignment::{AlignmentKey, ConsensusKey, TraceKey};
use super::annotate::{FindingsKey, ItemInput, LabelsInput};
use super::asking::{AskEstimateKey, AskedInput};
use super::exchanges::{ExchangeKey, ExchangeListKey};
use super::explore::{
    DigestInput, DigestsKey, ExploredStudyKey, FigureInput, FiguresKey, StatisticsKey,
    TaskContentsKey,
};
use super::ids::{EvidenceKey, JobId, RunId};
use super::layers::LayerTreeKey;
use super::query::{CheckKey, EditCheckKey};
use super::what_if::{
    BranchCurveKey, BranchInput, BranchKey, EffectsKey, NodeDrag, NodeDragKey, ShapleyKey,
};

pub use assist_step::*;
pub use design_picture::*;
pub use inputs::*;
pub use listings::*;
pub use losses::*;
pub use next_step::*;
pub use pictures::*;
pub use pixel_difference::*;
pub use resource::*;
pub use scores::*;
pub use slot_map::*;
pub use stage_pixels::*;

/// The table of kinds: where values are kept, what the kind is called, and its key. What is made of it
/// is said by the macro it is given to: the types here, and what is wanted in `derive::kinds`.
macro_rules! derived_kinds {
    ($make:ident) => {
        $make! {
                /// What items of labelling projects are about; before the pictures of it.
                evidence: Evidence(EvidenceKey),
                /// What the answers of a labelling project come to.
                findings: Findings(FindingsKey),
                /// What blocks of runs called, for the table over all runs.
                digests: Digests(DigestsKey),
                /// What tasks ask whose sets have one id, for matching runs in that table.
                task_contents: TaskContents(TaskContentsKey),
                /// Statistics of what that table shows.
                statistics: Statistics(StatisticsKey),
                /// What studies come to whose runs it shows.
                explored_studies: ExploredStudy(ExploredStudyKey),
                /// The figures of the papers, of the runs it shows.
                paper_figures: PaperFigures(FiguresKey),
                /// Pictures for the stage and the timeline.
                pictures: Picture(PictureKey),
                /// Which pixels of two pictures on the stage differ, with what is let pass.
                pixel_differences: PixelDifference(PixelDifferenceKey),
                /// Heats over the run, against pictures beside it.
                slot_maps: SlotMap(SlotMapKey),
                /// Where the loss is on maps.
                losses: Losses(LossKey),
                /// What runs are aligned by.
                traces: Trace(TraceKey),
                /// Runs of a task beside each other.
                alignments: Alignment(AlignmentKey),
                /// What of the ground truth such runs have.
                consensuses: Consensus(ConsensusKey),
                /// Heats over pictures of items that are labelled.
                differences: Difference(DifferenceKey),
                /// Designs with their layers, compared with others.
                layer_trees: LayerTree(LayerTreeKey),
                /// What came of runs with other calls.
                branches: Branch(BranchKey),
                /// The scores of runs with other calls.
                branch_curves: BranchCurve(BranchCurveKey),
                /// What the assistant would do next on runs with other calls.
                next_steps: NextStep(NextStepKey),
                /// What hands did to designs on the picture, as calls.
                node_drags: NodeDrag(NodeDragKey),
                /// Pictures of the design that somebody works on.
                design_pictures: DesignPicture(DesignPictureKey),
                /// What the assistant says of the design that somebody works on.
                assist_steps: AssistStep(AssistStepKey),
                /// Pictures of what would come of its offers.
                assist_ghosts: AssistGhost(AssistGhostKey),
                /// What models in the assistant's place answered.
                assist_answers: AssistAnswer(AssistAnswerKey),
                /// What calls of runs brought.
                effects: Effects(EffectsKey),
                /// What calls of runs brought over all orders.
                shapley: Shapley(ShapleyKey),
                /// What tools brought in many runs.
                ablations: Ablation(AblationKey),
                /// Designs held against their queries.
                checks: Check(CheckKey),
                /// Edits held against the checks of their tasks.
                edit_checks: EditCheck(EditCheckKey),
                /// What was asked of models, by run.
                exchange_lists: ExchangeList(ExchangeListKey),
                /// What was asked of a model and answered.
                exchanges: Exchange(ExchangeKey),
                /// What files of models hold.
                model_files: ModelFile(ModelFileKey),
                /// Keys that were put into the system's keyring; before what finds them there.
                kept_keys: KeptKey(KeptKeyKey),
                /// What is known of chosen models before they are asked.
                model_setups: ModelSetup(ModelSetupKey),
                /// What endpoints of models were found to be able to do.
                endpoint_tests: EndpointTest(EndpointTestKey),
                /// What launches would cost.
                estimates: Estimate(EstimateKey),
                /// What asking models for scores would cost.
                ask_estimates: AskEstimate(AskEstimateKey),
                /// What folders of pictures hold.
                picture_folders: PictureFolder(PictureFolderKey),
                /// What folders of prompts hold.
                prompt_folders: PromptFolder(PromptFolderKey),
                /// What folders hold that are being typed.
                folders: Folder(FolderKey),
        }
    };
}
pub(in crate::workbench) use derived_kinds;

macro_rules! define_kinds {
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
            pub(crate) in_flight: BTreeMap<JobId, DerivedKey>,
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
            pub(crate) fn want(&mut self, key: &DerivedKey) -> bool {
                match key {
                    $(DerivedKey::$kind(key) => self.$field.want(key),)+
                    // Only what has no job under way is wanted of them at all.
                    DerivedKey::Scores(_) => true,
                }
            }

            /// Enters what is asked for from now on.
            pub(crate) fn asked(&mut self, job: JobId, key: &DerivedKey) {
                match key {
                    $(DerivedKey::$kind(key) => self.$field.insert(key.clone(), Fetched::Pending),)+
                    // Their place is in the curves, where a gap says that they are missing.
                    DerivedKey::Scores(_) => {}
                }
                self.in_flight.insert(job, key.clone());
            }

            /// Takes in what a job that has not ended gave, scores aside. An answer of another kind
            /// than was asked for is a fault of the program, and said as that.
            pub(crate) fn answer(&mut self, key: DerivedKey, result: Result<Derived, String>) {
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
            pub(crate) fn cancel(&mut self, key: &DerivedKey) {
                match key {
                    $(DerivedKey::$kind(key) => self.$field.cancel(key),)+
                    DerivedKey::Scores(_) => {}
                }
            }

            /// Forgets what goes with a run.
            pub(crate) fn forget_run(&mut self, run: RunId) {
                $(self.$field.forget(|key, _| key.is_of_run(run));)+
                self.maps.forget(|key, _| key.is_of_run(run));
            }

            /// Forgets what goes with a task set, its runs aside.
            pub(crate) fn forget_set(&mut self, set: &str) {
                $(self.$field.forget(|key, _| key.is_of_set(set));)+
            }

            /// Forgets what failed, so that it is asked for again if it is wanted.
            pub(crate) fn forget_failed(&mut self) {
                $(self.$field.forget(|_, fetched| matches!(fetched, Fetched::Failed(_)));)+
            }

            /// Keeps the budgets, without letting go of what is wanted now.
            pub(crate) fn evict(
                &mut self,
                wanted: &[(DerivedKey, Urgency)],
                map: Option<&MapKey>,
            ) {
                $(self.$field.evict(|key| {
                    let mut wanted = wanted.iter().map(|(wanted, _)| wanted);
                    wanted.any(|wanted| matches!(wanted, DerivedKey::$kind(it) if it == key))
                });)+
                self.maps.evict(|key| Some(key) == map);
            }
        }
    };
}
derived_kinds!(define_kinds);

/// What a value is made of.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The task it belongs to.
    pub task: Option<Arc<Task>>,
    /// The run it belongs to.
    pub run: Option<RunInput>,
    /// The item of a labelling project it belongs to.
    pub item: Option<Arc<ItemInput>>,
    /// The pictures it compares, the ground truth first.
    pub pictures: Option<[StagePixels; 2]>,
    /// The labelling project it is of.
    pub labels: Option<Arc<LabelsInput>>,
    /// The map it is of.
    pub map: Option<MapInput>,
    /// What the runs it compares are aligned by.
    pub traces: Vec<Arc<RunTrace>>,
    /// Runs whose events are to be read.
    pub unread: DigestInput,
    /// Runs that tools are left out of.
    pub ablated: Vec<AblatedInput>,
    /// Runs that a model is to be asked about, as far as they are looked at.
    pub asked: Vec<AskedInput>,
    /// The task set it is of.
    pub set: Option<Arc<TaskSet>>,
    /// What figures of the papers are made of.
    pub figures: Option<Arc<FigureInput>>,
    /// The other calls that are made of the run or the task.
    pub branch: Option<Arc<BranchInput>>,
    /// What a hand did to its design.
    pub drag: Option<NodeDrag>,
    /// The design that is worked on.
    pub design: Option<Arc<DesignInput>>,
    /// What the assistant is to say something of.
    pub assist: Option<Arc<AssistInput>>,
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

impl DerivedKey {
    /// Whether somebody else is asked for it, who may take minutes: it has a thread of its own.
    pub fn is_asked(&self) -> bool {
        matches!(self, Self::EndpointTest(_) | Self::AssistAnswer(_))
    }

    /// Whether it is read from a disk and not computed.
    pub fn is_read(&self) -> bool {
        matches!(
            self,
            Self::ModelFile(_)
                | Self::Evidence(_)
                | Self::KeptKey(_)
                | Self::ModelSetup(_)
                | Self::PictureFolder(_)
                | Self::PromptFolder(_)
                | Self::Folder(_)
                | Self::ExchangeList(_)
                | Self::Exchange(_)
        )
    }
}

impl Derivations {
    /// The scores under way that are this urgent.
    pub(in crate::workbench) fn scores_in_flight(
        &self,
        urgency: Urgency,
    ) -> impl Iterator<Item = &ScoreKey> {
        self.in_flight.values().filter_map(move |key| match key {
            DerivedKey::Scores(key) if key.purpose.urgency() == urgency => Some(key),
            _ => None,
        })
    }
}
