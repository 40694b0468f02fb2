//! The application without a window: state, commands, requests, events.
//!
//! The whole program turns in one circle:
//!
//! - the window draws from `&State` and can only send [`Command`]s;
//! - [`handle`] changes the state and *returns* the [`Request`]s for the worker;
//! - the worker answers with [`Event`]s, each carrying the id of its job;
//! - [`apply`] takes an event into the state (and may ask for more work).
//!
//! [`views`] derives what the window shows.
//!
//! No egui, no thread, no file here: everything is tested by calling these two functions. Uses the
//! types of everything below and the worker's protocol.
//!
//! | folder | holds | uses |
//! |---|---|---|
//! | `model` | [`State`] and all that is in it | – |
//! | `protocol` | commands, requests, events | model |
//! | `derive` | what follows from the state: [`views`], and what is wanted of the worker | model, protocol |
//! | `reduce` | [`handle`], [`apply`] and the one `reconcile` of both | all of them |

mod derive;
mod model;
pub mod protocol;
mod reduce;

pub use derive::views;
pub use model::{
    Against, AlignedRuns, AlignmentKey, Annotate, Answering, Arrangement, BodyText, BranchCall,
    BranchCurveKey, BranchInput, BranchKey, BranchOutcome, Browse, Cell, ChangeKind, CheckKey,
    Coefficient, Column, ColumnKind, Comparison, Completing, ContingencyCell, Curves, Derivations,
    Derived, DerivedKey, Desk, Difference, DifferenceKey, DigestInput, DigestState, Digests,
    DigestsKey, DocumentChoice, Documents, Draft, EditCheckKey, EditedCalls, Edition, EffectsKey,
    EndpointTestKey, EstimateKey, EvidenceKey, EvidenceLayout, EvidencePane, EvidenceView,
    ExchangeKey, ExchangeList, ExchangeListKey, ExchangeSide, ExchangeText, ExchangesPanel,
    ExperimentDraft, Explore, ExploreCompletion, ExplorePanel, ExploreRow, ExploreTable,
    ExploreView, ExportFormat, Fetched, FilterProblem, Find, FindingRef, FindingsKey, FoldKey,
    Folded, FolderEntry, FolderKey, Found, FoundIn, Gap, GroupRow, Grouping, HeatScale, InFlight,
    Inputs, InspectorTab, ItemEvidence, ItemInput, Job, JobId, JobKind, JobOutcome, Jobs,
    KeptKeyKey, KeyKept, LabelProgress, LabelsByRun, LabelsInput, LaunchDialog, LayerRow,
    LayerTree, LayerTreeKey, Library, LibraryRun, LibrarySet, LikeFirst, ListedModel, LossAreas,
    LossKey, MAP_CACHE_BYTES, MOST_FILTERS, MOST_GAIN, MOST_ITEMS, MOST_SLOTS, MapInput, MapKey,
    ModelFileKey, ModelSetupKey, NewLabels, NewLabelsFile, NewText, NodeBox, NodeHistory, NodeRef,
    NodeSide, NodesPanel, NodesScope, Note, NoteKey, Notes, Notice, NoticeLevel, NoticeSubject,
    OpenDocument, OpenLabels, Overlay, OwnForm, PICTURE_CACHE_BYTES, PairTable, PairedBy, PathKind,
    Pause, PersonProgress, PictureFolderKey, PictureKey, PicturesListed, Playback, Pointing,
    Program, Progress, QueryPanel, Reading, Reduced, Relation, ReportScope, Resource, ResourceKey,
    Review, ReviewFindings, ReviewList, ReviewRow, RunCells, RunId, RunInput, RunLabels, RunNotes,
    RunState, SLOT_NAMES, SavedFilter, SavedLabels, SavedSession, Saving, ScoreKey, ScorePurpose,
    ScoredStep, Selection, Settings, SharedFile, ShotPane, ShownIn, Slot, SlotLock, SortBy,
    SortKey, Stage, StagePane, StagePicture, StagePixels, StageShot, StageView, State, Statistics,
    StatisticsKey, StatisticsOf, StepLabel, StepScore, Summary, TableFormat, ThemeChoice,
    TiledPicture, Topic, TraceKey, TypedPath, UnfinishedLaunch, Unit, UnitState, Urgency, Variants,
    WhatIf, WhatIfItem, WhatIfSubject, Workspace, Written, WrittenFor, survey_item,
};
pub use protocol::{
    AnnotateCommand, Command, Done, Dwell, Event, EvidenceCommand, ExchangesCommand,
    ExperimentEdit, ExploreCommand, FindCommand, LabelNews, LabelOrder, LaunchEdit, MarkEdit,
    NodesCommand, PlaybackCommand, QueryCommand, Request, ReviewCommand, RunsCommand, RunsTarget,
    ScoresCommand, Selecting, StageCommand, VariantId, WhatIfCommand,
};
pub use reduce::{READ_RUNS, apply, apply_all, handle};
