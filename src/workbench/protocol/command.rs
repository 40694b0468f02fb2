//! What a person can do.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::agent::AgentKind;
use crate::agent::model_agent::Mode;
use crate::agent::providers::EnteredKey;
use crate::base::ColorMap;
use crate::design::NodeId;
use crate::environment::{Compat, FontSource};
use crate::evaluate::VariantId;
use crate::label::Place;
use crate::metric::MapKind;
use crate::metric::constraint::Verdict;
use crate::run::TaskRef;
use crate::workbench::model::{
    Against, Arrangement, Browse, ChangeKind, Comparison, DocumentChoice, ExchangeSide,
    ExportChoices, ExportForm, ExportFormat, FindingRef, FoldKey, IgnoredArea, InspectorTab, JobId,
    KeptRange, NodeRef, Note, NoteKey, Overlay, PixelTolerance, RangeKey, ReportScope, RunId,
    RunsExport, SlotLock, StagePane, StageView, StepRange, ThemeChoice,
};

use super::annotate::AnnotateCommand;
use super::asking::AskCommand;
use super::assist::AssistCommand;
use super::explore::ExploreCommand;
use super::what_if::WhatIfCommand;
use super::windows::WindowsCommand;

/// Something a person asked for. Sent by the window, never carried out there.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Open task sets, runs or pictures at these paths.
    Open(Vec<PathBuf>),
    /// Open what was open in the last session, or comes with the program: not among the recent paths.
    Reopen(Vec<PathBuf>),
    /// Open the samples that come with the program. The application does.
    OpenSamples,
    /// Do not open these again that were open the last time and are missing.
    ForgetPaths(Vec<PathBuf>),
    /// Take a task set and its runs out of the library (nothing on disk changes).
    Close(String),
    /// Put a picture file beside the run on the stage.
    AddPicture(PathBuf),
    /// Select a task; its ground truth comes on the stage.
    SelectTask(TaskRef),
    /// Select a run; its last step comes on the stage (or the same step, if one was selected).
    SelectRun(RunId),
    /// Select the next (+1) or previous (−1) run in the library's order.
    SelectRunBy(i32),
    /// Fold or unfold a task set or a task in the library.
    ToggleFolded(FoldKey),
    /// List the library's runs in this order, below this.
    ArrangeLibrary(Arrangement),
    /// Filter the library.
    SetFilter(String),
    /// The rows of these runs are in sight: they are scored before others.
    ShowRuns(Vec<RunId>),
    /// Hold back the scores of runs that nobody looks at, or let them come.
    PauseScoring(bool),
    /// Move over the steps of the selected run.
    Playback(PlaybackCommand),
    /// Change the table over all runs, or select in it.
    Explore(ExploreCommand),
    /// Label, or go where that is done.
    Annotate(AnnotateCommand),
    /// Design by hand.
    Assist(AssistCommand),
    /// Change what the stage shows.
    Stage(StageCommand),
    /// Move a panel to a window of its own, or back.
    Windows(WindowsCommand),
    /// Show a view of the inspector.
    ShowInspector(InspectorTab),
    /// Go to a place of the selected run: its step, with its node selected and its region framed.
    GoToPlace(Place),
    /// Read the folder of a path that is being typed, to go on with.
    CompletePath {
        /// As it is typed, with its separator.
        typed: PathBuf,
        /// Where it is; the application makes it absolute.
        folder: PathBuf,
    },
    /// Look at what the model of the selected run was asked and answered.
    Exchanges(ExchangesCommand),
    /// Look for words in the selected run.
    Find(FindCommand),
    /// Put a note in the place of what was there; an empty one takes it away.
    PutNote(NoteKey, Note),
    /// Star what is not starred, or the other way round.
    ToggleStar(NoteKey),
    /// Keep ranges of steps, and go to them.
    Ranges(RangeCommand),
    /// Leave areas of the selected task's pictures out of differences.
    Areas(AreaCommand),
    /// Change what the list of nodes shows, or select in it.
    Nodes(NodesCommand),
    /// Choose among the scores.
    Scores(ScoresCommand),
    /// Choose among the answers about the query.
    Query(QueryCommand),
    /// Make the selected run with other calls.
    WhatIf(WhatIfCommand),
    /// Open the launch dialog on these tasks (empty: on the selected one).
    OpenLaunch(Vec<TaskRef>),
    /// Change the launch dialog.
    EditLaunch(LaunchEdit),
    /// Launch what the dialog says.
    Launch,
    /// Go on with the runs that the last session left unfinished.
    ResumeUnfinished,
    /// Do not ask about them again.
    DiscardUnfinished,
    /// Close the window; the application around [`handle`](crate::workbench::handle) does. With work
    /// under way it asks first ([`Overlay::Quit`]), unless that is what is open.
    Quit,
    /// Stop a job.
    CancelJob(JobId),
    /// Pause, resume, stop or make runs again; take one out of the library, or read it again. Pausing and resuming is of
    /// questions to models, too.
    Runs(RunsCommand),
    /// Ask models behind endpoints for scores.
    Ask(AskCommand),
    /// Forget ended jobs.
    ClearEndedJobs,
    /// Show or hide an overlay; opening one closes the other.
    ToggleOverlay(Overlay),
    /// Close whatever overlay is open.
    CloseOverlay,
    /// Go to what was looked at before.
    GoBack,
    /// Go to what was gone back from.
    GoForward,
    /// Go to the run or the step that a note is on, if its run is open.
    GoToNote(NoteKey),
    /// Show this card for newcomers, 0 ..= [`TOUR_CARDS`](crate::workbench::TOUR_CARDS) − 1.
    ShowTour(u8),
    /// Do not show again what to try first.
    CloseHint,
    /// Give commands these keys in place of their own, by their names; an empty list: none.
    SetKeys(BTreeMap<String, Vec<String>>),
    /// Scale everything in the window, 1 as it is designed; 0.5..=3.
    SetTextScale(f32),
    /// Show a file or folder in the system's file manager. The application does.
    Reveal(PathBuf),
    /// Dark, light or as the system.
    SetTheme(ThemeChoice),
    /// The system asks for dark windows, or does not.
    SystemTheme {
        /// Whether it does.
        is_dark: bool,
    },
    /// Tell the person that something is odd.
    Warn(String),
    /// Take a notice out of sight; the list of jobs keeps it.
    HideNotice(u64),
    /// Forget all notices.
    ClearNotices,
    /// Dismiss a notice by its number.
    DismissNotice(u64),
    /// Write the picture of a pane to a PNG file.
    SavePicture {
        /// Which pane.
        pane: StagePane,
        /// Where.
        path: PathBuf,
    },
    /// Write what the stage shows to a file, at so many pixels of it for each of the picture's: SVG or PDF where its
    /// name ends so, PNG else.
    SaveStage {
        /// 1 ..= 4.
        scale: u8,
        /// Where.
        path: PathBuf,
    },
    /// Write the listed design, or the selected node, to a file.
    Export {
        /// As what.
        format: ExportFormat,
        /// Where.
        path: PathBuf,
    },
    /// Choose how runs are exported.
    ChooseExport(Box<ExportChoices>),
    /// Ask how runs are exported as this.
    ExportAs(RunsExport),
    /// Write the runs that an export is of now:
    /// [`State::runs_to_export`](crate::workbench::State::runs_to_export).
    ExportRuns {
        /// As what.
        kind: RunsExport,
        /// As what file.
        form: ExportForm,
        /// The file, or the folder.
        path: PathBuf,
    },
    /// Write runs as one HTML page that needs nothing else.
    ExportReport {
        /// Which runs.
        of: ReportScope,
        /// Where.
        path: PathBuf,
    },
    /// Ask the person for a path with the system's dialog. The application around
    /// [`handle`](crate::workbench::handle) shows it and sends the command that the answer makes; nothing
    /// happens if the person backs out.
    Browse(Browse),
    /// Ask for it in the window: the system has no dialog to show.
    TypePath(Browse),
    /// The path is that far typed.
    EditTypedPath(String),
    /// This path was chosen for that.
    ChoosePath(Browse, PathBuf),
}

/// Moving over the steps of the selected run. Step 0 is the start state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaybackCommand {
    /// To this step (clamped).
    Step(u32),
    /// The same from afar: there is somewhere to come back to.
    JumpTo(u32),
    /// By this many steps (clamped).
    StepBy(i32),
    /// To the last step of the next (+1) or previous (−1) turn.
    TurnBy(i32),
    /// To the first step, or the start state.
    First,
    /// To the last step, and follow a live run.
    Last,
    /// Play or pause.
    TogglePlay,
    /// One tick of the clock while playing.
    Tick,
    /// To the next big loss: [`views::next_loss`](crate::workbench::views::next_loss).
    NextLoss,
    /// To the last big loss before.
    PreviousLoss,
    /// To the next big gain: [`views::next_gain`](crate::workbench::views::next_gain).
    NextGain,
    /// To the last big gain before.
    PreviousGain,
    /// To the step with the best score.
    Best,
    /// Stay at the newest step of a live run, or not.
    SetFollow(bool),
    /// To the next failed call.
    NextError,
    /// To the next step with a star or a note.
    NextNote,
    /// To the step before with a star or a note.
    PreviousNote,
    /// This many steps a second while playing, 0.5..=30.
    SetSpeed(f32),
    /// Stay within these steps while playing, and narrow lists to them; `None`: all steps.
    SetRange(Option<StepRange>),
    /// Begin the range at the selected step; one that ended before then ends there.
    BeginRange,
    /// End the range at the selected step; one that began after then begins there.
    EndRange,
}

/// What the stage shows and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StageCommand {
    /// Scale the pictures to the panes.
    Fit,
    /// Fixed zoom in screen pixels (logical points) a picture pixel of the ground truth.
    Zoom(f32),
    /// Zoom and middle of the view at once, as the window computed them: screen points a picture
    /// pixel of the ground truth, and a fraction of the picture.
    View {
        /// Zoom.
        zoom: f32,
        /// Middle of the view.
        center: [f32; 2],
    },
    /// Multiply the zoom (while fitted: 1.0) about a point given in picture space 0..=1.
    ZoomBy {
        /// Factor.
        factor: f32,
        /// Fixed point, as a fraction of the picture.
        at: [f32; 2],
    },
    /// Move the view by a fraction of the picture.
    PanBy([f32; 2]),
    /// Show or hide a pane.
    TogglePane(StagePane),
    /// Below this difference, as a share of the largest, the heat shows nothing; 0..=1.
    HeatThreshold(f32),
    /// Draw the heat in these colours.
    HeatColors(ColorMap),
    /// Draw the heat over the run's picture, 0 off ..= 1.
    HeatOpacity(f32),
    /// Show the ground truth in place of the run while held.
    HoldGroundTruth(bool),
    /// Draw boxes around nodes, or not: matched, moved, missing, extra.
    ToggleBoxes,
    /// Show the pixels around the pointer, large, of every picture, or not.
    ToggleLoupe,
    /// Of a run with several programs, show these documents.
    ShowDocuments(DocumentChoice),
    /// Lay the run and what it is compared with out so.
    Compare(StageView),
    /// Lay them out in the next way there is.
    NextView,
    /// Where the swipe parts them, as a fraction of the picture.
    Swipe(f32),
    /// Part above from below (`true`), or left from right.
    SwipeDown(bool),
    /// How much of the onion skin is what the run is compared with, 0 ..= 1.
    Onion(f32),
    /// What a difference is multiplied with, 1 ..= [`MOST_GAIN`](crate::workbench::MOST_GAIN).
    Gain(f32),
    /// What a difference lets pass; a shift of at most [`MOST_SHIFT`](crate::workbench::MOST_SHIFT).
    Tolerate(PixelTolerance),
    /// Have a drag draw an area that the difference leaves out, or move the pictures again.
    DrawIgnored(bool),
    /// What the run is compared with where they lie over one another.
    Against(Against),
    /// Which step other runs show as the selected one moves.
    Lock(SlotLock),
    /// Show all aligned runs after so many rows of their alignment.
    PassRows(u32),
    /// Show all aligned runs after the row in which they diverge for good.
    GoToDivergence,
    /// Put a run of the library beside the selected one, or take it away again.
    ToggleSlot(RunId),
    /// Put what the task begins with beside the run, or take it away again.
    ToggleStart,
    /// Put the selected run as it is at the selected step beside it, to stay there, or take that away again.
    ToggleStep,
    /// Take all of them away.
    CloseSlots,
    /// Take the picture in this slot away.
    CloseSlot(u8),
    /// Keep the run in this slot at the step it shows, or let it move with the selected one again.
    PinSlot(u8),
    /// Make the run in this slot the selected one, and put the selected one in its place.
    SwapSlot(u8),
}

/// Looking at what a model was asked and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangesCommand {
    /// Show the exchanges of the run, at the first of the turn on the stage.
    Open,
    /// Select one, by its place in the list.
    Select(usize),
    /// Select the one this many further.
    SelectBy(i32),
    /// Show this side of it.
    ShowSide(ExchangeSide),
    /// Show bodies as they went, or laid out.
    ShowRaw(bool),
}

/// Keeping ranges of steps with a name and a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeCommand {
    /// Keep the range that is marked, under a name that no other of its run has.
    Keep,
    /// Mark a kept range in its run; the step goes to its first unless one of its steps is selected.
    Choose(RangeKey),
    /// The same with the kept range of the selected run this many further; after the last comes the first.
    ChooseBy(i32),
    /// Give a kept range another name or note.
    Edit(RangeKey, KeptRange),
    /// Forget a kept range; its steps stay marked.
    Delete(RangeKey),
    /// Take the last change of kept ranges or ignored areas back.
    Undo,
    /// Do again what was taken back last.
    Redo,
}

/// Leaving areas of the selected task's pictures out of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaCommand {
    /// Leave this one out.
    Ignore(IgnoredArea),
    /// Take it in again, by its place.
    Restore(usize),
    /// Take all in again.
    RestoreAll,
}

/// Looking for words in the selected run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindCommand {
    /// Show the field.
    Open,
    /// Take it away; what was looked for is kept.
    Close,
    /// Look for this, and go to the first place from the selected step on.
    SetQuery(String),
    /// To this place of those that were found.
    GoTo(usize),
    /// To the place this many further; after the last comes the first.
    By(i32),
}

/// A change of what the list of nodes shows.
#[derive(Clone, Debug, PartialEq)]
pub enum NodesCommand {
    /// Select a node, and unfold what it lies in; `None`: nothing.
    Select(Option<NodeRef>),
    /// Select the row this many further; without a selection, the first or last.
    SelectBy(i32),
    /// Fold the selected row, or select what it lies in if there is nothing to fold.
    FoldSelected,
    /// Unfold the selected row, or select the first in it if it is unfolded.
    UnfoldSelected,
    /// Fold or unfold a node.
    ToggleFolded(NodeId),
    /// Fold everything below the screen, or unfold everything.
    FoldAll(bool),
    /// Compare with this.
    Compare(Comparison),
    /// Compare with the next there is: nothing, the step before, the ground truth.
    NextComparison,
    /// List the ground truth (`true`) or the run.
    ListGroundTruth(bool),
    /// Of documents side by side, list that of the program at this place; `None`: of the one worked in
    /// last.
    ListProgram(Option<u8>),
    /// Only nodes that differ, or all.
    ToggleOnlyChanged,
    /// Only nodes that differ in this way; the same again: all.
    ToggleChangeKind(ChangeKind),
    /// Only nodes with this in their name.
    SetFilter(String),
}

/// Choosing among the scores.
#[derive(Clone, Debug, PartialEq)]
pub enum ScoresCommand {
    /// Show this variant: its curve on the timeline and, if it has one, its map on the stage.
    Choose(VariantId),
    /// Show this map of a variant on the stage, and leave the curve as it is.
    ShowMap(VariantId, MapKind),
    /// Show the variant this many further in the table.
    ChooseBy(i32),
    /// Draw the curve of this variant beside the chosen one, or take it away again.
    ToggleBeside(VariantId),
    /// Draw a bar for what each step changed, or not.
    ShowChanges(bool),
    /// Go by the models that this file names; `None`: by none.
    UseModels(Option<PathBuf>),
    /// Take captions from this file and ask nobody for others; `None`: from none.
    UseCaptions(Option<PathBuf>),
}

/// Choosing among the answers about the query of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryCommand {
    /// Select an answer and the node it is about; `None`: nothing.
    Select(Option<FindingRef>),
    /// Select the answer this many further; without a selection, the first or last.
    SelectBy(i32),
    /// Only answers like this; the same again: all.
    ToggleOnly(Verdict),
}

/// What becomes of runs that are being made, or were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsCommand {
    /// Hold them back when the turn they are at is recorded.
    Pause(RunsTarget),
    /// Let them go on.
    Resume(RunsTarget),
    /// Stop them; what was recorded stays.
    Stop(RunsTarget),
    /// Make a new run of the same task by the same agent with the same settings.
    Again(RunId),
    /// Open the launch dialog with the run's task, agent and settings, to change them.
    With(RunId),
    /// Open the launch dialog for agents that go on with the run, behind the step that is shown.
    HandOver(RunId),
    /// Take the run out of the library until its folder is opened again (nothing on disk changes).
    Remove(RunId),
    /// Read the run again from its folder, with all that was made of it, and select it.
    Reload(RunId),
}

/// Which runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsTarget {
    /// The one of this job.
    Job(JobId),
    /// All that are being made or wait to be.
    All,
}

/// A change of the launch dialog.
#[derive(Clone, Debug, PartialEq)]
pub enum LaunchEdit {
    /// Take a task in or out.
    ToggleTask(TaskRef),
    /// All tasks of a set in or out.
    ToggleSet(String),
    /// All tasks that pass the library's filter, and no other.
    FilteredTasks,
    /// No task.
    NoTask,
    /// Begin with the tasks' own starts, and not with a design that was handed back.
    OwnStart,
    /// Which agent, by kind.
    Agent(AgentKind),
    /// At most this many turns.
    MaxTurns(u32),
    /// How many runs at once.
    Jobs(u32),
    /// The script file of the `scripted` agent.
    Script(Option<PathBuf>),
    /// The command of the `exec` agent.
    Command(String),
    /// The names of the models, divided by commas; or all of them.
    ModelName(String),
    /// Take a model in or out, by its name.
    ToggleModel(String),
    /// The file of models.
    ModelFile(Option<PathBuf>),
    /// How the model works.
    ModelMode(Mode),
    /// What is crossed with what, and repeated.
    Experiment(ExperimentEdit),
    /// Ask a model of this name for a word, a picture and a call, and say what its endpoint can do.
    Test(String),
    /// Stop testing it.
    StopTest(String),
    /// Use this key from now on, and keep it in the system's keyring.
    KeepKey(EnteredKey),
    /// Use this key until the program ends.
    SessionKey(EnteredKey),
    /// Where the runs go.
    OutDir(PathBuf),
    /// What all runs may cost together, in US dollars.
    Budget(Option<f64>),
    /// What a run may cost, in US dollars.
    MaxCost(Option<f64>),
    /// How many tokens a run may take.
    MaxTokens(Option<u64>),
    /// How many seconds a run may take.
    MaxSeconds(Option<f64>),
    /// Whether what is in the folder is gone on with.
    Resume(bool),
    /// Whose behaviour the tools follow.
    Compat(Compat),
    /// Which fonts texts are set in.
    Fonts(FontSource),
    /// Where the pictures of design queries are looked for; `None`: nowhere.
    Pictures(Option<PathBuf>),
}

/// A change of what the launch dialog makes an experiment of.
#[derive(Clone, Debug, PartialEq)]
pub enum ExperimentEdit {
    /// Whether it is one.
    On(bool),
    /// What it is called.
    Name(String),
    /// Take a mode in or out; the last one stays.
    ToggleMode(Mode),
    /// Temperatures, divided by commas; empty: as the file of models has them.
    Temperatures(String),
    /// The path of a folder of prompts is that far typed.
    TypePrompts(String),
    /// Add a folder of prompts to the list, ticked; one that is listed is ticked where it stands.
    AddPrompts(PathBuf),
    /// Tick a folder of prompts of the list, or take its tick away; `None`: the prompts that come with the program.
    TogglePrompts(Option<PathBuf>),
    /// Take a folder of prompts out of the list.
    RemovePrompts(PathBuf),
    /// How often each is repeated.
    Repeats(u32),
}
