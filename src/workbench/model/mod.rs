//! The state of the application, and all that is in it.
//!
//! Begin with [`State`]. Types and what they say of themselves stand here; whatever is worked out from
//! several of them is in `derive`, and only `reduce` changes them. Uses the modules below the workbench
//! and nothing of the workbench itself.

mod ablation;
mod alignment;
mod annotate;
mod arrangement;
mod asking;
mod assist;
mod browse;
mod curves;
mod documents;
mod exchanges;
mod explore;
mod export;
mod find;
mod heat_scale;
mod history;
mod ids;
mod in_flight;
mod jobs;
mod launch;
mod layers;
mod library;
mod link;
mod nodes;
mod notes;
mod panel_windows;
mod query;
mod run_map;
mod saved_session;
mod selection;
mod settings;
mod stage;
mod stage_shot;
mod state;
mod tracked_runs;
mod unread;
mod values;
mod variants;
mod what_if;

pub use ablation::{AblatedInput, Ablation, AblationKey};
pub use alignment::{AlignedRuns, AlignmentKey, ConsensusKey, LikeFirst, TraceKey};
pub use annotate::{
    Annotate, Desk, Draft, EvidenceLayout, EvidencePane, EvidenceView, FindingsKey, ItemEvidence,
    ItemInput, LabelProgress, LabelsByRun, LabelsInput, MOST_ITEMS, NewLabels, NewLabelsFile,
    NewText, OpenLabels, OwnForm, PersonProgress, Pointing, Reading, Review, ReviewFindings,
    ReviewList, ReviewRow, RunLabels, Saving, StepLabel, Topic, Unit, UnitState, Workspace,
    Written, WrittenFor, survey_item,
};
pub use arrangement::{Arrangement, Grouping, SortBy};
pub use asking::{AskDialog, AskEstimate, AskEstimateKey, AskScope, AskedInput, AskedRun};
pub use assist::{
    AnswerDraft, Assist, AssistClipboard, AssistDesk, AssistStart, AssistantDesk, AssistantSource,
    BriefPlan, BriefPlanner, BriefStart, CanvasDesk, CanvasSettings, Comment, CommentCommand,
    CommentError, Comments, CopiedForm, CopyForm, DesignFiles, DesignGoal, DesignVersion, DoneLine,
    GoalView, HelpLevel, Highlight, LONGEST_COMMENT, LookCommand, ModelCosts, NewStudy, NudgeSizes,
    Offer, OpenedTask, PendingOffer, PlanPhase, PracticeCheck, PracticeDesk, Recording, Sitting,
    Speaker, StudyCount, StudyDesk, StudyFindings, StudyRoom, StudyStart, SuggestionLog, Talk,
    TrialDesk, TrialPhase, TrialPlace,
};
pub(in crate::workbench) use assist::{PastOffer, Playing, WaitingModel, Wish};
pub use browse::{
    Browse, ExportFormat, PathKind, ReportScope, StageForm, TypedPath, with_extension,
};
pub use curves::Curves;
pub use documents::{DocumentChoice, Documents, OpenDocument, Program, SharedFile};
pub use exchanges::{
    BodyText, ExchangeKey, ExchangeList, ExchangeListKey, ExchangeSide, ExchangeText,
    ExchangesPanel,
};
pub use explore::{
    Cell, Column, ColumnKind, ContingencyCell, Difference, DigestInput, DigestState, Digests,
    DigestsKey, Explore, ExploreCompletion, ExplorePanel, ExploreRow, ExploreTable, ExploreView,
    ExploredStudy, ExploredStudyKey, ExportedTable, FigureInput, FiguresKey, FilterProblem, Gap,
    GroupRow, MOST_FILTERS, PairCell, PairTable, PaperFigures, Relation, RunCells, SavedFilter,
    SortKey, Statistics, StatisticsKey, StatisticsOf, StudyRows, StudySource, Summary, TableFile,
    TableFormat, TaskContents, TaskContentsKey,
};
pub(in crate::workbench) use explore::{TableSources, TaskPlace};
pub use export::{
    DemonstrationLines, ExportBadge, ExportChoices, ExportForm, ExportSteps, RunsExport,
    preferences_beside,
};
pub use find::{Find, Found, FoundIn};
pub(in crate::workbench) use find::{MOST_FOUND, SearchedRun};
pub use heat_scale::HeatScale;
pub use history::{History, VisitedPlace};
pub use ids::{EvidenceKey, JobId, RunId};
pub use in_flight::InFlight;
pub(in crate::workbench) use in_flight::{Batch, Recents, SavingFile};
pub use jobs::{Job, JobKind, JobOutcome, Jobs, Progress};
pub use launch::{ExperimentDraft, LaunchDialog, PromptFolder, PromptsDraft};
pub use layers::{
    ChangeKind, Comparison, LayerRow, LayerTree, LayerTreeKey, NodeHistory, NodeRef, NodeSide,
    PairedBy,
};
pub use library::{Answering, FoldKey, Folded, Library, LibraryRun, LibrarySet, Pause, RunState};
pub use link::{Link, LinkError, LinkedHeat};
pub use nodes::{InspectorTab, NodesPanel, NodesScope};
pub(in crate::workbench) use notes::NoteSubject;
pub use notes::{IgnoredArea, KeptRange, Note, NoteKey, Notes, RangeKey, RunNotes};
pub use panel_windows::{DockedPanel, PanelWindow, PanelWindows, SecondStage, WindowPlace};
pub use query::{CheckKey, EditCheckKey, FindingRef, QueryPanel};
pub use run_map::RunMap;
pub use saved_session::{SavedLabels, SavedSession, UnfinishedLaunch};
pub use selection::{Playback, Selection, StepRange};
pub(in crate::workbench) use settings::remember_opened;
pub use settings::{Settings, ThemeChoice};
pub use stage::{
    Against, MOST_GAIN, MOST_SHIFT, MOST_SLOTS, PaneFacts, PanePicture, PixelTolerance, SLOT_NAMES,
    SavedSlot, Slot, SlotLock, Stage, StagePane, StageView,
};
pub use stage_shot::{ShotBox, ShotContent, ShotPane, StageShot};
pub use state::{Notice, NoticeLevel, NoticeSubject, Overlay, State, StepScore, TOUR_CARDS};
pub use tracked_runs::TrackedRuns;
// All that `values` shows, so that a new kind is written there alone.
pub use values::*;
pub use variants::Variants;
pub use what_if::{
    BranchAssistant, BranchCall, BranchCurveKey, BranchDesign, BranchInput, BranchKey,
    BranchOutcome, ContinuedByHand, DragCalls, EditedCalls, Edition, EffectsKey, NodeDrag,
    NodeDragKey, NodeGesture, ReferenceKind, ShapleyKey, WhatIf, WhatIfItem, WhatIfSubject,
};

pub(in crate::workbench) use values::derived_kinds;
