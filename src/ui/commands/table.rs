//! The table of commands, and what enables each.

use egui::Key;

use super::adjusting::{adjust, can_adjust, close_set, has_open_set, heat_threshold, is_zoomed};
use super::assist;
use super::command::{Effect, Local, UiCommand};
use super::command_id::CommandId as Id;
use super::comparing::{
    add_next_run, all_documents, ask_reference, by_hand, can_ablate, can_accept_step, can_branch,
    can_make_plan, can_make_reference, can_redo_branch, can_show_heat, can_undo_branch, documents,
    draw_ignored, has_aligned, has_choice, has_divergence, has_documents, has_losses,
    has_offered_step, has_other_run, has_saliency, has_selected_call, has_slots, has_truth_pane,
    is_swiped, next_loss, next_shift, show_saliency, shows_difference, stage, switch_antialiasing,
    what_if,
};
use super::exploring::{
    explore, has_earlier_filter, has_row, has_row_or_selected, has_runs_to_export,
    has_selected_rows, other_panel, selecting,
};
use super::keys::{alt, ctrl, ctrl_alt, ctrl_alt_shift, ctrl_shift, key, shift};
use super::running::{
    can_hand_over, can_remove_run, can_run_again, can_run_with, is_made_here, makes_runs,
    of_selected, pause_all, pause_selected, runs, stop_selected,
};
use super::stepping::{
    can_go_back, can_go_forward, can_keep_range, clear_range, delete_range, has_curves, has_found,
    has_kept_range, has_kept_ranges, has_link, has_noted_steps, has_range, playback, ranges, speed,
    switch_changes,
};
use super::windows::{
    can_hide, can_move, has_second_stage, has_windows, hide, move_panel, next_second_stage, windows,
};
use crate::label::ItemKind;
use crate::label::form::Evidence;
use crate::metric::MapKind;
use crate::workbench::protocol::ExportFormat;
use crate::workbench::{
    AnnotateCommand, Arrangement, AskCommand, Browse, Command, Comparison, DockedPanel,
    DocumentChoice, EvidenceCommand, ExchangesCommand, ExploreCommand, ExportedTable, FindCommand,
    InspectorTab, NodesCommand, NoteKey, Overlay, PanelWindow, PlaybackCommand, Pointing,
    QueryCommand, RangeCommand, ReferenceKind, ReportScope, ReviewCommand, RunsCommand, RunsExport,
    RunsTarget, ScoresCommand, Selecting, StageCommand, StageForm, StagePane, StageView, State,
    TableFile, TableFormat, ThemeChoice, WhatIfCommand, WindowsCommand, Workspace, views,
};

pub(super) fn always(_: &State) -> bool {
    true
}

fn has_run(state: &State) -> bool {
    state.selection.run.is_some()
}

fn has_scores(state: &State) -> bool {
    let curve = state.selected_run().zip(state.curve_variant());
    curve.is_some_and(|(run, variant)| {
        let mut scores = run.curves.of(&variant.id).iter().flatten();
        scores.any(|score| score.value().is_some())
    })
}

fn has_exchanges(state: &State) -> bool {
    state.exchange_list_key().is_some()
}

fn has_task(state: &State) -> bool {
    state.selection.task.is_some()
}

fn has_plan(state: &State) -> bool {
    let run = state.selection.run.and_then(|run| state.library.runs.get(&run));
    run.and_then(|run| run.loaded.as_ref()).is_some_and(|run| run.plan.is_some())
}

fn shows_query(state: &State) -> bool {
    state.has_query() && state.inspector_tab() == InspectorTab::Query
}

fn shows_nodes(state: &State) -> bool {
    has_task(state) && state.inspector_tab() == InspectorTab::Nodes
}

fn compares_nodes(state: &State) -> bool {
    shows_nodes(state) && state.nodes_comparison() != Comparison::None
}

fn has_selected_node(state: &State) -> bool {
    state.nodes.selected.is_some()
}

fn has_truth_document(state: &State) -> bool {
    state.why_no_truth_document().is_none()
}

/// Whoever lists the ground truth can always go back.
fn can_list_truth(state: &State) -> bool {
    has_truth_document(state) || (has_task(state) && state.nodes.of_ground_truth)
}

fn has_document(state: &State) -> bool {
    views::export_target(state).is_some_and(|(slot, _)| state.why_no_document(&slot).is_none())
}

fn nodes(command: NodesCommand) -> Effect {
    Effect::Send(Command::Nodes(command))
}

fn export(format: ExportFormat) -> Effect {
    Effect::Send(Command::Browse(Browse::Export(format)))
}

fn has_runs(state: &State) -> bool {
    !state.library.runs.is_empty()
}

/// Lists of runs and jobs say who made what, which nobody is told who looks at a blind project.
fn may_name_makers(state: &State) -> bool {
    !state.shows_blind_project()
}

fn has_runs_to_name(state: &State) -> bool {
    has_runs(state) && may_name_makers(state)
}

fn has_tasks(state: &State) -> bool {
    state.library.sets.iter().any(|entry| !entry.set.tasks.is_empty())
}

fn sort_by_next(state: &State) -> Effect {
    let now = state.library.arrangement;
    Effect::Send(Command::ArrangeLibrary(Arrangement { sort: now.sort.next(), ..now }))
}

fn reverse_order(state: &State) -> Effect {
    let now = state.library.arrangement;
    Effect::Send(Command::ArrangeLibrary(Arrangement { is_reversed: !now.is_reversed, ..now }))
}

fn group_by_next(state: &State) -> Effect {
    let now = state.library.arrangement;
    Effect::Send(Command::ArrangeLibrary(Arrangement { grouping: now.grouping.next(), ..now }))
}

fn annotate(command: AnnotateCommand) -> Effect {
    Effect::Send(Command::Annotate(command))
}

fn evidence(command: EvidenceCommand) -> Effect {
    annotate(AnnotateCommand::View(command))
}

fn has_labels(state: &State) -> bool {
    state.annotate.labels.is_some()
}

fn has_desk(state: &State) -> bool {
    state.annotate.desk.is_some()
}

fn has_item(state: &State) -> bool {
    state.annotate.asked().is_some()
}

/// Whether there is an item that is to be answered here.
fn can_answer(state: &State) -> bool {
    has_item(state) && !settles(state)
}

/// Whether who sits there settles what others answered.
fn settles(state: &State) -> bool {
    state.annotate.desk.as_ref().is_some_and(|desk| desk.review.is_some())
}

fn nobody_labels(state: &State) -> bool {
    !has_desk(state)
}

/// Who labels does not see what others answer: first they get up.
fn can_review(state: &State) -> bool {
    let labels = state.annotate.labels.as_ref();
    labels.is_some_and(|labels| labels.project.packet.is_none()) && !has_desk(state)
}

/// A project is open that has its runs elsewhere, and nobody sits there.
fn can_find_runs(state: &State) -> bool {
    let labels = state.annotate.labels.as_ref();
    labels.is_some_and(|labels| labels.project.packet.is_none()) && !has_desk(state)
}

/// Names are kept from who reviews.
fn can_reveal(state: &State) -> bool {
    settles(state) && state.annotate.is_blind()
}

fn review_labels(state: &State) -> Effect {
    let named = state.settings.adjudicator.trim();
    let person = if named.is_empty() { "lead" } else { named };
    annotate(AnnotateCommand::SitDownToSettle(person.to_owned()))
}

fn confirm_answer(state: &State) -> Effect {
    let settles = settles(state);
    if settles { annotate(AnnotateCommand::GoBy(1)) } else { Effect::Window(Local::ConfirmAnswer) }
}

/// Keys go to another question; of who settles, what is looked at does.
fn question_by(state: &State, by: i32) -> Effect {
    let review = state.annotate.desk.as_ref().and_then(|desk| desk.review.as_ref());
    annotate(match review {
        Some(review) => {
            let topic = review.topic.saturating_add_signed(by as isize);
            AnnotateCommand::Review(ReviewCommand::Topic(topic))
        }
        None => AnnotateCommand::FocusBy(by),
    })
}

fn has_pair(state: &State) -> bool {
    state.annotate.asked().is_some_and(|(item, _)| item.kind == ItemKind::Pair)
}

fn has_evidence_steps(state: &State) -> bool {
    views::has_evidence_steps(state)
}

fn is_pointing(state: &State) -> bool {
    let desk = state.annotate.desk.as_ref();
    desk.is_some_and(|desk| desk.view.pointing.is_some() || desk.flagging.is_some())
}

fn next_layout(state: &State) -> Effect {
    let layout = state.annotate.desk.as_ref().map(|desk| desk.view.layout).unwrap_or_default();
    evidence(EvidenceCommand::Layout(layout.next()))
}

/// What a drag is to show: where the mark is that was just set, or what the answer goes by.
fn pin(state: &State) -> Effect {
    let focused = state.annotate.at_desk().and_then(|(labels, desk)| {
        let form = labels.form(desk.unit()?)?;
        let question = desk.draft.focused(form)?;
        let mark = desk.draft.mark.clone().filter(|(of, _)| *of == question.id);
        Some(match mark {
            Some((question, at)) => Pointing::Mark(question, at),
            None => Pointing::Evidence(question.id.clone()),
        })
    });
    annotate(AnnotateCommand::Point(focused))
}

fn can_pin(state: &State) -> bool {
    let focused = state.annotate.at_desk().and_then(|(labels, desk)| {
        let form = labels.form(desk.unit()?)?;
        let question = desk.draft.focused(form)?;
        let is_mark = desk.draft.mark.as_ref().is_some_and(|(of, _)| *of == question.id);
        Some(is_mark || question.evidence != Evidence::None)
    });
    focused.unwrap_or(false) && !settles(state)
}

fn stop_pointing(state: &State) -> Effect {
    let flags = state.annotate.desk.as_ref().is_some_and(|desk| desk.flagging.is_some());
    annotate(if flags { AnnotateCommand::EditFlag(None) } else { AnnotateCommand::Point(None) })
}

fn star(state: &State, step: Option<u32>) -> Effect {
    // Without a selected run, nothing that anybody notices.
    state.selected_run().map_or(overlay(Overlay::Jobs), |run| {
        Effect::Send(Command::ToggleStar(NoteKey::of(run, step)))
    })
}

fn reveal(state: &State) -> Effect {
    let run = state.selected_run();
    run.map_or(overlay(Overlay::Jobs), |run| Effect::Send(Command::Reveal(run.dir.clone())))
}

fn text_scale(scale: f32) -> Effect {
    // To tenths: steps of a tenth would add up to something beside them.
    Effect::Send(Command::SetTextScale((scale * 10.0).round() / 10.0))
}

fn overlay(overlay: Overlay) -> Effect {
    Effect::Send(Command::ToggleOverlay(overlay))
}

fn other_theme(state: &State) -> ThemeChoice {
    // As the button: what follows the system is left for the theme that it does not show now.
    if state.shows_dark() { ThemeChoice::Light } else { ThemeChoice::Dark }
}

// A macro only so that the table is a table: a line a command, in columns.

/// Everything a person can do but for what belongs to designing by hand.
#[rustfmt::skip]
static WINDOW: &[UiCommand] = commands![
    Play, Timeline, "Play or pause", "Play the steps of the run one after another, or stop.", [key(Key::Space)], has_run, |_| playback(PlaybackCommand::TogglePlay);
    StepForward, Timeline, "Next step", "Go one step forward.", [key(Key::ArrowRight)], has_run, |_| playback(PlaybackCommand::StepBy(1));
    StepBack, Timeline, "Previous step", "Go one step back.", [key(Key::ArrowLeft)], has_run, |_| playback(PlaybackCommand::StepBy(-1));
    NextTurn, Timeline, "Next turn", "Go to the end of the next turn.", [shift(Key::ArrowRight)], has_run, |_| playback(PlaybackCommand::TurnBy(1));
    PreviousTurn, Timeline, "Previous turn", "Go to the end of the turn before.", [shift(Key::ArrowLeft)], has_run, |_| playback(PlaybackCommand::TurnBy(-1));
    First, Timeline, "First step", "Go to the start state, before any call.", [key(Key::Home)], has_run, |_| playback(PlaybackCommand::First);
    Last, Timeline, "Last step", "Go to the last step; a live run is followed from there.", [key(Key::End)], has_run, |_| playback(PlaybackCommand::Last);
    NextLoss, Timeline, "Next loss", "Go to the next step where the score falls.", [key(Key::CloseBracket)], has_scores, |_| playback(PlaybackCommand::NextLoss);
    PreviousLoss, Timeline, "Previous loss", "Go to the step before where the score falls.", [key(Key::OpenBracket)], has_scores, |_| playback(PlaybackCommand::PreviousLoss);
    NextGain, Timeline, "Next gain", "Go to the next step where the score rises.", [key(Key::CloseCurlyBracket), shift(Key::CloseBracket)], has_scores, |_| playback(PlaybackCommand::NextGain);
    PreviousGain, Timeline, "Previous gain", "Go to the step before where the score rises.", [key(Key::OpenCurlyBracket), shift(Key::OpenBracket)], has_scores, |_| playback(PlaybackCommand::PreviousGain);
    NextError, Timeline, "Next error", "Go to the next call that failed.", [key(Key::E)], has_run, |_| playback(PlaybackCommand::NextError);
    Best, Timeline, "Best step", "Go to the step with the best score.", [key(Key::B)], has_scores, |_| playback(PlaybackCommand::Best);
    Slower, Timeline, "Play slower", "Play fewer steps a second.", [key(Key::Comma)], has_run, |state| speed(state, -1);
    Faster, Timeline, "Play faster", "Play more steps a second.", [key(Key::Period)], has_run, |state| speed(state, 1);
    FindInRun, Timeline, "Find in the run…", "Find words in thoughts, calls, outcomes and notes of the run.", [ctrl(Key::F)], has_run, |_| Effect::Window(Local::FindInRun);
    NextFound, Timeline, "Next match", "Go to the next place where the words were found.", [key(Key::F3)], has_found, |_| Effect::Send(Command::Find(FindCommand::By(1)));
    PreviousFound, Timeline, "Previous match", "Go to the place before where the words were found.", [shift(Key::F3)], has_found, |_| Effect::Send(Command::Find(FindCommand::By(-1)));
    StarStep, Timeline, "Star the step", "Star the step, or take its star away.", [key(Key::A)], has_run, |state| star(state, Some(state.selection.step));
    WriteNote, Timeline, "Write a note on the step…", "Write what you found at this step; notes are kept with the workspace.", [shift(Key::N)], has_run, |_| Effect::Window(Local::WriteNote);
    NextNote, Timeline, "Next note or star", "Go to the next step with a note or a star.", [key(Key::Z)], has_noted_steps, |_| playback(PlaybackCommand::NextNote);
    PreviousNote, Timeline, "Previous note or star", "Go to the step before with a note or a star.", [shift(Key::Z)], has_noted_steps, |_| playback(PlaybackCommand::PreviousNote);
    Follow, Timeline, "Follow the live run", "Stay at the newest step while the run goes on.", [key(Key::L)], has_run, |state| playback(PlaybackCommand::SetFollow(!state.playback.follow));
    ChooseCurves, Timeline, "Choose curves…", "Choose which curves the timeline shows.", [shift(Key::S)], has_curves, |_| Effect::Window(Local::ChooseCurves);
    ShowChanges, Timeline, "Change bars", "Show a bar for what each step changed, or hide them.", [shift(Key::K)], has_curves, switch_changes;
    HideTimeline, Timeline, "Show or hide the timeline", "Give the stage the timeline's room, or show it again.", [alt(Key::Num9)], |state| can_hide(state, DockedPanel::Timeline), |_| hide(DockedPanel::Timeline);
    BeginRange, Timeline, "Begin the range here", "Mark steps from the selected one on: playing goes round in them, and lists are narrowed to them.", [ctrl(Key::OpenBracket)], has_run, |_| playback(PlaybackCommand::BeginRange);
    EndRange, Timeline, "End the range here", "Mark steps up to the selected one.", [ctrl(Key::CloseBracket)], has_run, |_| playback(PlaybackCommand::EndRange);
    ClearRange, Timeline, "Unmark the range", "Play all steps and list all of them again.", [ctrl(Key::Backslash)], has_range, clear_range;
    KeepRange, Timeline, "Keep the range", "Keep the marked steps under a name, with a note, to come back to them.", [ctrl(Key::D)], can_keep_range, |_| ranges(RangeCommand::Keep);
    NameRange, Timeline, "Rename the range…", "Write what the marked range is called.", [key(Key::F2)], has_kept_range, |_| Effect::Window(Local::NameRange);
    NextRange, Timeline, "Next kept range", "Mark the next range that was kept, and go there.", [alt(Key::CloseBracket)], has_kept_ranges, |_| ranges(RangeCommand::ChooseBy(1));
    PreviousRange, Timeline, "Previous kept range", "Mark the range that was kept before, and go there.", [alt(Key::OpenBracket)], has_kept_ranges, |_| ranges(RangeCommand::ChooseBy(-1));
    DeleteRange, Timeline, "Delete the range", "Forget the marked range with its name and note; undo brings it back.", [ctrl_shift(Key::D)], has_kept_range, delete_range;
    UndoRange, Timeline, "Undo ranges and areas", "Take the last change of kept ranges or ignored areas back.", [ctrl(Key::Z)], |state| state.notes.can_undo(), |_| ranges(RangeCommand::Undo);
    RedoRange, Timeline, "Redo ranges and areas", "Do again what was taken back of kept ranges and ignored areas.", [ctrl_shift(Key::Z), ctrl(Key::Y)], |state| state.notes.can_redo(), |_| ranges(RangeCommand::Redo);
    Fit, Stage, "Fit", "Scale the pictures to the room there is.", [key(Key::F), key(Key::Num0)], has_task, |_| stage(StageCommand::Fit);
    ActualSize, Stage, "Actual size", "One point a pixel of the ground truth.", [key(Key::Num1)], has_task, |_| stage(StageCommand::Zoom(1.0));
    Zoom2, Stage, "Zoom to 200 %", "Two points a pixel of the ground truth.", [key(Key::Num2)], has_task, |_| stage(StageCommand::Zoom(2.0));
    Zoom4, Stage, "Zoom to 400 %", "Four points a pixel of the ground truth.", [key(Key::Num4)], has_task, |_| stage(StageCommand::Zoom(4.0));
    Zoom8, Stage, "Zoom to 800 %", "Eight points a pixel; the pixel grid and values show.", [key(Key::Num8)], has_task, |_| stage(StageCommand::Zoom(8.0));
    ZoomIn, Stage, "Zoom in", "Zoom in about the middle; the wheel zooms at the pointer.", [key(Key::Plus), key(Key::Equals)], has_task, |_| Effect::Window(Local::ZoomIn);
    ZoomOut, Stage, "Zoom out", "Zoom out about the middle; the wheel zooms at the pointer.", [key(Key::Minus)], has_task, |_| Effect::Window(Local::ZoomOut);
    PanLeft, Stage, "Move the view left", "Show what lies further left; dragging does the same.", [ctrl(Key::ArrowLeft)], is_zoomed, |_| Effect::Window(Local::Pan([-1, 0]));
    PanRight, Stage, "Move the view right", "Show what lies further right.", [ctrl(Key::ArrowRight)], is_zoomed, |_| Effect::Window(Local::Pan([1, 0]));
    PanUp, Stage, "Move the view up", "Show what lies further up.", [ctrl(Key::ArrowUp)], is_zoomed, |_| Effect::Window(Local::Pan([0, -1]));
    PanDown, Stage, "Move the view down", "Show what lies further down.", [ctrl(Key::ArrowDown)], is_zoomed, |_| Effect::Window(Local::Pan([0, 1]));
    ShowRun, Stage, "Show the run", "Show or hide the run's picture.", [key(Key::Q)], has_task, |_| stage(StageCommand::TogglePane(StagePane::Run));
    ShowGroundTruth, Stage, "Show the ground truth", "Show or hide the ground truth. Hold G to see it in place of the run.", [key(Key::W)], has_truth_pane, |_| stage(StageCommand::TogglePane(StagePane::GroundTruth));
    ShowHeat, Stage, "Show the heat", "Show or hide where the run differs from the ground truth.", [key(Key::H)], can_show_heat, |_| stage(StageCommand::TogglePane(StagePane::Heat));
    ShowBoxes, Stage, "Show boxes around nodes", "Outline what is matched, moved, missing and extra against the ground truth.", [key(Key::X)], has_truth_document, |_| stage(StageCommand::ToggleBoxes);
    ShowLoupe, Stage, "Loupe", "Show the pixels around the pointer, large, of every picture on the stage, with their values.", [alt(Key::L)], has_task, |_| stage(StageCommand::ToggleLoupe);
    ViewSideBySide, Stage, "Side by side", "The run and the ground truth each in a pane of its own.", [alt(Key::Num1)], has_task, |_| stage(StageCommand::Compare(StageView::SideBySide));
    ViewSwipe, Stage, "Swipe", "The run over the ground truth, parted by an edge that follows the pointer.", [alt(Key::Num2)], has_run, |_| stage(StageCommand::Compare(StageView::Swipe));
    ViewOnionSkin, Stage, "Onion skin", "The ground truth over the run, half clear.", [alt(Key::Num3)], has_run, |_| stage(StageCommand::Compare(StageView::OnionSkin));
    ViewDifference, Stage, "Difference", "How far the colours of the run and the ground truth are apart.", [alt(Key::Num4)], has_run, |_| stage(StageCommand::Compare(StageView::Difference));
    ViewBlink, Stage, "Blink", "The run and the ground truth one after the other in the same place.", [alt(Key::Num5)], has_run, |_| stage(StageCommand::Compare(StageView::Blink));
    HeatLess, Stage, "Lower heat threshold", "Show smaller differences in the heat, too.", [alt(Key::Minus)], can_show_heat, |state| heat_threshold(state, -1.0);
    HeatMore, Stage, "Higher heat threshold", "Show only larger differences in the heat.", [alt(Key::Equals)], can_show_heat, |state| heat_threshold(state, 1.0);
    CompareLess, Stage, "Move the edge back, mix or magnify less", "What the view that is on has to set: the edge of the swipe, the mix of the onion skin, the gain of the difference.", [alt(Key::Comma)], can_adjust, |state| adjust(state, -1.0);
    CompareMore, Stage, "Move the edge on, mix or magnify more", "What the view that is on has to set: the edge of the swipe, the mix of the onion skin, the gain of the difference.", [alt(Key::Period)], can_adjust, |state| adjust(state, 1.0);
    IgnoreAntialiasing, Stage, "Ignore anti-aliasing", "Let pixels that only smooth an edge pass in the difference.", [alt(Key::A)], shows_difference, switch_antialiasing;
    NextShift, Stage, "Tolerate a larger shift", "Let pixels pass that are found one pixel further beside in the other picture, up to three; then none.", [alt(Key::S)], shows_difference, next_shift;
    DrawIgnored, Stage, "Draw ignored areas", "Have a drag over the difference draw an area that it leaves out, or move the pictures again.", [alt(Key::I)], shows_difference, draw_ignored;
    NextLossArea, Stage, "Next place of loss", "Select what lies where the heat shows most loss, then next most.", [shift(Key::M)], has_losses, next_loss;
    NextView, Stage, "Next view", "Side by side, swipe, onion skin, difference, blink, and from the start.", [key(Key::Backslash)], has_run, |_| stage(StageCommand::NextView);
    TurnSwipe, Stage, "Turn the swipe", "Part left from right, or above from below.", [shift(Key::Backslash)], is_swiped, |state| stage(StageCommand::SwipeDown(!state.stage.swipe_down));
    AddNextRun, Stage, "Compare with the next run", "Put the next other run of the task beside the selected one.", [shift(Key::C)], has_other_run, add_next_run;
    KeepStep, Stage, "Compare with this step", "Keep the run as it is at the selected step beside it, to hold other steps against it, or take that away again.", [alt(Key::B)], has_run, |_| stage(StageCommand::ToggleStep);
    AddPicture, Stage, "Compare with a picture…", "Put a picture file beside the run.", [shift(Key::B)], has_task, |_| Effect::Send(Command::Browse(Browse::AddPicture));
    NextAgainst, Stage, "Compare with the next picture", "What the run lies over: the ground truth, or one of the pictures beside it.", [key(Key::Backtick)], has_choice, |state| stage(StageCommand::Against(state.next_against()));
    NextLock, Stage, "Follow by step, turn, progress or alignment", "Which step other runs show as the selected one moves.", [shift(Key::L)], has_slots, |state| stage(StageCommand::Lock(state.stage.lock.next()));
    CloseSlots, Stage, "Close other pictures", "Take everything away that was put beside the run.", [shift(Key::X)], has_slots, |_| stage(StageCommand::CloseSlots);
    NextDocument, Stage, "Next document", "Show the document worked in, that of each program, or all side by side.", [key(Key::D)], has_documents, |state| documents(state.next_document_choice());
    AllDocuments, Stage, "Documents side by side", "Show the documents of all programs side by side, or the one worked in.", [shift(Key::D)], has_documents, all_documents;
    FollowDocument, Stage, "Show the active document", "Show the document that was worked in last at each step.", [shift(Key::W)], has_documents, |_| documents(DocumentChoice::Current);
    HideInspector, Nodes, "Show or hide the inspector", "Give the stage the inspector's room, or show it again.", [alt(Key::Num8)], |state| can_hide(state, DockedPanel::Inspector), |_| hide(DockedPanel::Inspector);
    InspectStep, Nodes, "Inspect the step", "Show what the step thought, called and changed.", [key(Key::I)], has_task, |_| Effect::Send(Command::ShowInspector(InspectorTab::Step));
    InspectNodes, Nodes, "Inspect the nodes", "Show the layers of the design and how they differ.", [key(Key::N)], has_task, |_| Effect::Send(Command::ShowInspector(InspectorTab::Nodes));
    InspectScores, Scores, "Inspect the scores", "Show the scores of the step by every metric.", [key(Key::S)], has_task, |_| Effect::Send(Command::ShowInspector(InspectorTab::Scores));
    InspectPlan, Nodes, "Inspect the plan", "Show the stages of the plan that the run carried out, side by side.", [shift(Key::I)], has_plan, |_| Effect::Send(Command::ShowInspector(InspectorTab::Plan));
    InspectQuery, Scores, "Inspect the query", "Show what of its query the design has, answer by answer.", [shift(Key::Q)], State::has_query, |_| Effect::Send(Command::ShowInspector(InspectorTab::Query));
    InspectWhatIf, Nodes, "Inspect the what-if", "Make the run with other calls, without a model: leave calls out, change, move or put in.", [shift(Key::T)], can_branch, |_| Effect::Send(Command::ShowInspector(InspectorTab::WhatIf));
    InspectRuns, Nodes, "Inspect the runs side by side", "Show which steps of the runs on the stage go together, where they diverge, and what all or none of them have.", [ctrl_alt(Key::R)], has_aligned, |_| Effect::Send(Command::ShowInspector(InspectorTab::Runs));
    InspectLabels, Nodes, "Inspect the labels", "Show what people who label said of the run and its steps.", [ctrl_alt(Key::L)], State::has_labels, |_| Effect::Send(Command::ShowInspector(InspectorTab::Labels));
    GoToDivergence, Nodes, "Go to the first lasting divergence", "Show the first step after which the runs on the stage never look the same again.", [ctrl_alt(Key::P)], has_divergence, |_| stage(StageCommand::GoToDivergence);
    DropCall, Nodes, "Leave the call out", "Leave the selected call of the what-if out, or make it again.", [key(Key::Delete)], has_selected_call, |_| what_if(WhatIfCommand::ToggleSelected);
    CallEarlier, Nodes, "Make the call earlier", "Put the selected call of the what-if one place up.", [alt(Key::ArrowUp)], has_selected_call, |_| what_if(WhatIfCommand::MoveBy(-1));
    CallLater, Nodes, "Make the call later", "Put the selected call of the what-if one place down.", [alt(Key::ArrowDown)], has_selected_call, |_| what_if(WhatIfCommand::MoveBy(1));
    UndoBranch, Nodes, "Undo the what-if's change", "Take the last change of the what-if back.", [ctrl_alt(Key::Z)], can_undo_branch, |_| what_if(WhatIfCommand::Undo);
    RedoBranch, Nodes, "Redo the what-if's change", "Do again what was taken back of the what-if.", [ctrl_alt(Key::Y)], can_redo_branch, |_| what_if(WhatIfCommand::Redo);
    DiscardBranch, Nodes, "Discard the what-if", "Have the calls as they were made; undo brings the changes back.", [ctrl_alt(Key::Backspace)], views::is_branch_edited, |_| what_if(WhatIfCommand::Discard);
    AblateTools, Nodes, "What tools brought in all listed runs", "Leave all calls of each tool out of every run of this task set that is listed, and say which tools help and which harm, by agent.", [ctrl_alt(Key::O)], can_ablate, |_| what_if(WhatIfCommand::Ablate(true));
    SaveBranch, Nodes, "Save the what-if as a run", "Record the run with other calls beside the run it was made of.", [ctrl_alt(Key::S)], views::is_branch_edited, |_| what_if(WhatIfCommand::Save);
    MakeReference, Nodes, "Make the what-if the reference…", "Make the tools of the calls that did not fail the task's reference tools; it asks first.", [ctrl_alt(Key::M)], can_make_reference, |state| ask_reference(state, ReferenceKind::Tools);
    MakeReferencePlan, Nodes, "Make the what-if the reference plan…", "Make the calls that did not fail the reference plan of a task of the design suite; it asks first.", [ctrl_alt(Key::A)], can_make_plan, |state| ask_reference(state, ReferenceKind::Plan);
    ShowNextStep, Nodes, "Show or hide the next step", "Have the assistant say what could be next on the design, without a model.", [ctrl(Key::Slash)], views::has_assistant, |state| what_if(WhatIfCommand::ShowNextStep(!state.what_if.assistant.is_open));
    AcceptStep, Nodes, "Accept the next step", "Put in the calls that do what the assistant says, as one change.", [ctrl(Key::Enter)], can_accept_step, |_| what_if(WhatIfCommand::AcceptStep);
    AnotherStep, Nodes, "Another next step", "Have the assistant say something else that could be next.", [key(Key::F4)], has_offered_step, |_| what_if(WhatIfCommand::AnotherStep);
    ShowGhost, Nodes, "Outline the next step on the picture", "Outline what the assistant says on the picture: + added, − removed, ~ changed.", [key(Key::F6)], views::has_assistant, |state| what_if(WhatIfCommand::ShowGhost(!state.what_if.assistant.shows_ghost));
    NewRunByHand, Runs, "New run by hand", "Select the task of the run and call its tools yourself, by forms.", [ctrl_alt(Key::N)], has_task, by_hand;
    NextAnswer, Scores, "Next answer", "Select the next answer about the query, and its node.", [key(Key::Y)], shows_query, |_| Effect::Send(Command::Query(QueryCommand::SelectBy(1)));
    PreviousAnswer, Scores, "Previous answer", "Select the answer before, and its node.", [shift(Key::Y)], shows_query, |_| Effect::Send(Command::Query(QueryCommand::SelectBy(-1)));
    NextScore, Scores, "Next metric", "Show the curve and the map of the next metric.", [key(Key::V)], has_run, |_| Effect::Send(Command::Scores(ScoresCommand::ChooseBy(1)));
    PreviousScore, Scores, "Previous metric", "Show the curve and the map of the metric before.", [shift(Key::V)], has_run, |_| Effect::Send(Command::Scores(ScoresCommand::ChooseBy(-1)));
    NextNode, Nodes, "Next node", "Select the next node in the list.", [shift(Key::ArrowDown)], shows_nodes, |_| nodes(NodesCommand::SelectBy(1));
    PreviousNode, Nodes, "Previous node", "Select the node before in the list.", [shift(Key::ArrowUp)], shows_nodes, |_| nodes(NodesCommand::SelectBy(-1));
    Deselect, Nodes, "Deselect", "Take the outlines off the stage.", [key(Key::Escape)], has_selected_node, |_| nodes(NodesCommand::Select(None));
    NextComparison, Nodes, "Next comparison", "Compare with nothing, the step before, or the ground truth.", [key(Key::C)], shows_nodes, |_| nodes(NodesCommand::NextComparison);
    OnlyChanged, Nodes, "Only changed nodes", "List only nodes that differ, below what they lie in.", [key(Key::M)], compares_nodes, |_| nodes(NodesCommand::ToggleOnlyChanged);
    ListGroundTruth, Nodes, "List the ground truth", "List the nodes of the ground truth instead of the run's.", [key(Key::T)], can_list_truth, |state| nodes(NodesCommand::ListGroundTruth(!state.nodes.of_ground_truth));
    FoldNodes, Nodes, "Fold all nodes", "Fold everything below the screen.", [shift(Key::F)], shows_nodes, |_| nodes(NodesCommand::FoldAll(true));
    UnfoldNodes, Nodes, "Unfold all nodes", "Unfold everything.", [shift(Key::U)], shows_nodes, |_| nodes(NodesCommand::FoldAll(false));
    ExportPng, Nodes, "Export as PNG…", "Write the selected node, or the design, to a picture at two pixels a unit.", [ctrl(Key::E)], has_document, |_| export(ExportFormat::Png { scale: 2 });
    ExportSvg, Nodes, "Export as SVG…", "Write the selected node, or the design, as SVG with its texts as outlines.", [shift(Key::E)], has_document, |_| export(ExportFormat::Svg);
    ExportJson, Nodes, "Export as JSON…", "Write the selected node, or the design, as Figma REST JSON.", [ctrl_shift(Key::E)], has_document, |_| export(ExportFormat::Json);
    ShowSaliency, Stage, "Saliency of the run", "Show as heat where people are expected to look at the run.", [alt(Key::Q)], |state| has_saliency(state, MapKind::Generated), |state| show_saliency(state, MapKind::Generated);
    ShowTruthSaliency, Stage, "Saliency of the ground truth", "Show as heat where people are expected to look at the ground truth.", [alt(Key::W)], |state| has_saliency(state, MapKind::GroundTruth), |state| show_saliency(state, MapKind::GroundTruth);
    ShowSaliencyDifference, Stage, "Difference of saliency", "Show as heat where people are expected to look more at the run than at the ground truth, and where less.", [alt(Key::H)], |state| has_saliency(state, MapKind::Difference), |state| show_saliency(state, MapKind::Difference);
    NextHeatColors, Stage, "Next colours of the heat", "Magma, viridis, cividis, grey; a difference of saliency has its own.", [shift(Key::H)], can_show_heat, |state| stage(StageCommand::HeatColors(state.settings.heat_colors.next()));
    CopyStage, Stage, "Copy the stage", "Copy what the stage shows as a picture.", [ctrl_shift(Key::K)], has_task, |_| Effect::Window(Local::CopyStage);
    SaveStage, Stage, "Save the stage…", "Write what the stage shows to a PNG file, without the window around it.", [ctrl_shift(Key::G)], has_task, |_| Effect::Send(Command::Browse(Browse::SaveStage { scale: 1, form: StageForm::Png }));
    SaveStage2, Stage, "Save the stage at 2×…", "The same with two pixels for each of the picture's, for print.", [ctrl_shift(Key::P)], has_task, |_| Effect::Send(Command::Browse(Browse::SaveStage { scale: 2, form: StageForm::Png }));
    SaveStageSvg, Stage, "Save the stage as SVG…", "Write what the stage shows to an SVG file, at twice its pixels.", [ctrl_alt(Key::G)], has_task, |_| Effect::Send(Command::Browse(Browse::SaveStage { scale: 2, form: StageForm::Svg }));
    SaveStagePdf, Stage, "Save the stage as PDF…", "Write what the stage shows to a PDF file, at twice its pixels, for print.", [ctrl_alt(Key::D)], has_task, |_| Effect::Send(Command::Browse(Browse::SaveStage { scale: 2, form: StageForm::Pdf }));
    SavePicture, Stage, "Save the run's picture…", "Write the picture of the selected step to a PNG file.", [ctrl(Key::S)], has_run, |_| Effect::Send(Command::Browse(Browse::SavePicture(StagePane::Run)));
    FocusFilter, Library, "Filter the library", "Type words, or type:replication, agent:x, state:failed, ssim<0.75, constraints<1.", [key(Key::Slash)], always, |_| Effect::Window(Local::FocusFilter);
    NextRun, Library, "Next run", "Select the next run in the library.", [key(Key::ArrowDown), key(Key::J)], has_runs, |_| Effect::Send(Command::SelectRunBy(1));
    PreviousRun, Library, "Previous run", "Select the run before in the library.", [key(Key::ArrowUp), key(Key::K)], has_runs, |_| Effect::Send(Command::SelectRunBy(-1));
    HideLibrary, Library, "Show or hide the library", "Give the stage the library's room, or show it again.", [alt(Key::Num7)], |state| can_hide(state, DockedPanel::Library), |_| hide(DockedPanel::Library);
    SortRuns, Library, "Sort runs by the next", "Sort the runs of the library by folder, agent, score, failed calls, start time, steps or cost.", [key(Key::O)], has_runs, sort_by_next;
    ReverseRuns, Library, "Reverse the order of runs", "Sort the other way round.", [shift(Key::O)], has_runs, reverse_order;
    GroupRuns, Library, "Group runs by the next", "Group the runs of the library by task or agent, or list them all in one.", [key(Key::U)], has_runs, group_by_next;
    OpenFolder, Library, "Open…", "Open a folder of task sets, runs or pictures. Dropping it on the window does the same.", [ctrl(Key::O)], always, |_| Effect::Send(Command::Browse(Browse::OpenFolder));
    OpenFiles, Library, "Open files…", "Open task sets or runs by their files.", [ctrl_shift(Key::O)], always, |_| Effect::Send(Command::Browse(Browse::OpenFiles));
    RunAgent, Runs, "Run agent…", "Choose tasks and an agent, and launch it in the background.", [key(Key::R)], has_tasks, |_| Effect::Send(Command::OpenLaunch(Vec::new()));
    RunWith, Runs, "Run the same task with…", "Choose another agent or other settings for the task of the run, beginning with those it had.", [shift(Key::R)], can_run_with, |state| of_selected(state, RunsCommand::With);
    HandOverRun, Runs, "Hand over to an agent…", "Launch an agent on the task that goes on with the run behind the step that is shown.", [ctrl_alt_shift(Key::A)], can_hand_over, |state| of_selected(state, RunsCommand::HandOver);
    RunAgain, Runs, "Run again", "Make a new run of the same task by the same agent with the same settings.", [ctrl(Key::R)], can_run_again, |state| of_selected(state, RunsCommand::Again);
    ReloadRun, Runs, "Reload the run", "Read the run again from its folder, with all that was made of it.", [key(Key::F5)], can_remove_run, |state| of_selected(state, RunsCommand::Reload);
    RemoveRun, Runs, "Remove the run from the library", "Take the run out of the library until its folder is opened again; nothing on disk changes.", [ctrl(Key::Delete)], can_remove_run, |state| of_selected(state, RunsCommand::Remove);
    ShowExchanges, Runs, "Show request and answer", "Show what the model was asked and answered in this turn, as it went over the wire.", [ctrl(Key::I)], has_exchanges, |_| Effect::Send(Command::Exchanges(ExchangesCommand::Open));
    ExportReport, Runs, "Export report…", "Write the run as one HTML page: its curve, its end beside the ground truth, every call.", [ctrl_shift(Key::S)], has_run, |_| Effect::Send(Command::Browse(Browse::Report(ReportScope::Selected)));
    ExportReports, Runs, "Export report of the listed runs…", "Write the runs that pass the filter as one HTML page.", [ctrl_shift(Key::H)], has_runs, |_| Effect::Send(Command::Browse(Browse::Report(ReportScope::Listed)));
    ExportRuns, Workbench, "Export runs…", "Write the run, or the selected runs of the table, as contact sheet, animation, video, page, grid, report, CANVAS folders or demonstrations.", [ctrl_alt(Key::E)], has_runs_to_export, |_| overlay(Overlay::Export);
    AskModels, Workbench, "Ask for scores…", "Ask the judge and the captioner for scores that are not there, once it was said how many questions that is and what they cost.", [ctrl_alt(Key::Q)], State::can_ask, |_| Effect::Send(Command::Ask(AskCommand::Open));
    ExportDemonstrations, Workbench, "Export demonstrations…", "Write the run, or the selected runs of the table, as chats with tool calls for models to learn from.", [ctrl_alt_shift(Key::D)], has_runs_to_export, |_| Effect::Send(Command::ExportAs(RunsExport::Demonstrations));
    StarRun, Runs, "Star the run", "Star the run, or take its star away. Filter by is:starred.", [shift(Key::A)], has_run, |state| star(state, None);
    Reveal, Runs, "Show in file manager", "Show the folder of the run in the system's file manager.", [ctrl_shift(Key::R)], has_run, reveal;
    CopyFolder, Runs, "Copy the folder's path", "Copy where the run lies on disk.", [ctrl_alt(Key::F)], has_run, |_| Effect::Window(Local::CopyFolder);
    CloseSet, Library, "Close the task set", "Take the task set of what is selected and its runs out of the library; nothing on disk changes.", [ctrl_shift(Key::W)], has_open_set, close_set;
    PauseRun, Runs, "Pause or resume the run", "Hold the run back when the turn it is at is recorded, or let it go on.", [key(Key::P)], is_made_here, pause_selected;
    StopRun, Runs, "Stop the run", "Stop the run on the stage; what was recorded stays.", [ctrl(Key::Period)], is_made_here, stop_selected;
    PauseAll, Runs, "Pause or resume all runs", "Hold every run back when the turn it is at is recorded, or let all go on.", [shift(Key::P)], makes_runs, pause_all;
    StopAll, Runs, "Stop all runs", "Stop every run, those that wait to begin too; what was recorded stays.", [ctrl_shift(Key::Period)], makes_runs, |_| runs(RunsCommand::Stop(RunsTarget::All));
    ConfirmAnswer, Label, "Next question, or done", "Go to the next question that is open; once all are answered, write the answer down and go on.", [key(Key::Enter)], has_item, confirm_answer;
    NextQuestion, Label, "Next question", "Have keys answer the next question.", [key(Key::ArrowDown)], has_item, |state| question_by(state, 1);
    PreviousQuestion, Label, "Previous question", "Have keys answer the question before.", [key(Key::ArrowUp)], has_item, |state| question_by(state, -1);
    ToggleUnsure, Label, "I am not sure", "Say that you are not sure of the answer, or that you are.", [key(Key::U)], can_answer, |_| annotate(AnnotateCommand::ToggleUnsure);
    WriteLabelNote, Label, "Write a note…", "Write down what else there is to say of the item.", [key(Key::C)], has_item, |_| Effect::Window(Local::WriteLabelNote);
    PinEvidence, Label, "Show where…", "Drag over a picture to show where the answer or the mark is seen.", [key(Key::D)], can_pin, pin;
    StopPointing, Label, "Cancel the mark or flag", "Stop marking a place, or saying what is wrong with the item.", [key(Key::Escape)], is_pointing, stop_pointing;
    SkipItem, Label, "Skip", "Put the item off; it comes again when all others are done.", [key(Key::K)], can_answer, |_| annotate(AnnotateCommand::Skip);
    FlagItem, Label, "Flag…", "Say what is wrong with the item, for whoever leads the project.", [key(Key::F)], can_answer, |_| annotate(AnnotateCommand::EditFlag(Some(String::new())));
    UndoLabel, Label, "Undo", "Take back the last answer, skip or flag, and go there.", [key(Key::Backspace), ctrl(Key::Z)], has_desk, |_| annotate(AnnotateCommand::Undo);
    RedoLabel, Label, "Redo", "Bring back what was taken back last.", [ctrl_shift(Key::Z), ctrl(Key::Y)], has_desk, |_| annotate(AnnotateCommand::Redo);
    NextItem, Label, "Next item", "Show the next item of the queue; what was begun here is kept.", [key(Key::PageDown)], has_desk, |_| annotate(AnnotateCommand::GoBy(1));
    PreviousItem, Label, "Previous item", "Show the item before; what was begun here is kept.", [key(Key::PageUp)], has_desk, |_| annotate(AnnotateCommand::GoBy(-1));
    ShowGuide, Label, "Show the guide", "Show or hide how to answer.", [key(Key::H)], has_desk, |_| annotate(AnnotateCommand::ToggleGuide);
    GetUp, Label, "Somebody else labels", "Choose another person; what was begun and not finished is dropped.", [ctrl(Key::U)], has_desk, |_| annotate(AnnotateCommand::GetUp);
    ReviewLabels, Label, "Agreement and what is to settle", "See how far people agree, and say what the answer is where they differ.", [ctrl_shift(Key::J)], can_review, review_labels;
    RevealNames, Label, "Reveal who made what…", "Show names in reviews of this blind project, for everybody and from now on; answers given later say so.", [ctrl_shift(Key::U)], can_reveal, |_| annotate(AnnotateCommand::Review(ReviewCommand::AskReveal(true)));
    FindMovedRuns, Label, "Find moved runs…", "Choose where the project's runs lie now; they are found by what is in them, once for all.", [ctrl_shift(Key::M)], can_find_runs, |_| Effect::Send(Command::Browse(Browse::MovedRuns));
    NewLabels, Workbench, "Make a labelling project…", "Choose which of the listed runs are labelled, what is asked, of whom and how.", [ctrl_shift(Key::N)], nobody_labels, |_| annotate(AnnotateCommand::BeginNew);
    OpenLabels, Label, "Open a labelling project…", "Open the file of a labelling project.", [ctrl(Key::O)], always, |_| Effect::Send(Command::Browse(Browse::Labels));
    CloseLabels, Label, "Close the labelling project", "Close the project; everything answered is on disk.", [ctrl(Key::W)], has_labels, |_| annotate(AnnotateCommand::Close);
    NextLayout, Evidence, "Next layout", "Side by side, one over the other with a line to drag, or one at a time.", [key(Key::V)], has_pair, next_layout;
    EvidenceForward, Evidence, "One step on", "Show the runs one step further.", [key(Key::ArrowRight)], has_evidence_steps, |_| evidence(EvidenceCommand::StepBy(1));
    EvidenceBack, Evidence, "One step back", "Show the runs one step before.", [key(Key::ArrowLeft)], has_evidence_steps, |_| evidence(EvidenceCommand::StepBy(-1));
    FitEvidence, Evidence, "Fit", "Scale the pictures to the room there is.", [key(Key::R)], has_item, |_| evidence(EvidenceCommand::Fit);
    ShowDifference, Evidence, "Difference", "Lay over the runs how far each pixel is from the ground truth, or take that away.", [key(Key::E)], views::can_show_difference, |state| evidence(EvidenceCommand::Difference(!views::shows_difference(state)));
    ShowEvidenceLayers, Evidence, "Layers", "Show the layers of the runs beside them, with what the step changed, or not.", [alt(Key::L)], views::can_show_layers, |state| evidence(EvidenceCommand::Layers(!views::shows_evidence_layers(state)));
    GoldFollows, Evidence, "Gold trajectory follows", "Have the gold trajectory go to the step that goes with the run's, or leave each where it is.", [alt(Key::G)], views::has_gold, |state| evidence(EvidenceCommand::GoldFollows(!views::gold_follows(state)));
    EvidenceIn, Evidence, "Zoom in", "Zoom in about the middle; the wheel zooms at the pointer.", [key(Key::Plus), key(Key::Equals)], has_item, |_| Effect::Window(Local::ZoomEvidence { inward: true });
    EvidenceOut, Evidence, "Zoom out", "Zoom out about the middle; the wheel zooms at the pointer.", [key(Key::Minus)], has_item, |_| Effect::Window(Local::ZoomEvidence { inward: false });
    ShowInspect, Workbench, "Inspect", "Step through runs.", [ctrl_alt(Key::Num1)], always, |_| annotate(AnnotateCommand::Show(Workspace::Inspect));
    ShowExplore, Workbench, "Explore", "All runs in one table: filter, sort, group, plot, compare models.", [ctrl_alt(Key::Num2)], always, |_| annotate(AnnotateCommand::Show(Workspace::Explore));
    ShowAnnotate, Workbench, "Annotate", "Label runs: preferences, checklists, errors.", [ctrl_alt(Key::Num3)], always, |_| annotate(AnnotateCommand::Show(Workspace::Annotate));
    FocusTableFilter, Table, "Filter the table", "Put the cursor into the filter of the table.", [key(Key::Slash), ctrl(Key::F)], has_runs, |_| Effect::Window(Local::FocusTableFilter);
    FilterBack, Table, "The filter before", "Go back to the filter that was on before.", [alt(Key::ArrowUp)], has_earlier_filter, |_| explore(ExploreCommand::FilterBack);
    RowDown, Table, "Next row", "Move to the next run of the table.", [key(Key::ArrowDown), key(Key::J)], has_runs, |_| selecting(Selecting::CursorBy(1));
    RowUp, Table, "Previous row", "Move to the run before.", [key(Key::ArrowUp), key(Key::K)], has_runs, |_| selecting(Selecting::CursorBy(-1));
    ExtendDown, Table, "Select down to the next row", "Select the next run too.", [shift(Key::ArrowDown)], has_runs, |_| selecting(Selecting::ExtendBy(1));
    ExtendUp, Table, "Select up to the row before", "Select the run before too.", [shift(Key::ArrowUp)], has_runs, |_| selecting(Selecting::ExtendBy(-1));
    SelectRow, Table, "Select the row", "Select the run where the arrows stand, or not any more.", [key(Key::Space)], has_row, |_| selecting(Selecting::ToggleCursor);
    SelectAllRows, Table, "Select all that is shown", "Select every run that passes the filter.", [ctrl(Key::A)], has_runs, |_| selecting(Selecting::All);
    SelectNoRow, Table, "Select nothing", "Take the selection away.", [key(Key::Escape)], has_selected_rows, |_| selecting(Selecting::None);
    OpenRows, Table, "Open on the stage", "Step through the run where the arrows stand, or the first that is selected, with the other selected ones of its task beside it.", [key(Key::Enter)], has_row_or_selected, |_| explore(ExploreCommand::Open);
    GroupRows, Table, "Group by the next column", "Group by model, category, difficulty, state, or not at all.", [key(Key::U)], has_runs, |_| explore(ExploreCommand::NextGroup);
    ChooseColumns, Table, "Choose columns…", "Choose which columns the table has.", [key(Key::C)], has_runs, |_| Effect::Window(Local::ChooseColumns);
    ExportTable, Table, "Export the table…", "Write the runs that are shown, or the selected ones, as CSV.", [ctrl(Key::E)], has_runs, |_| Effect::Send(Command::Browse(Browse::Table(ExportedTable::Runs, TableFile::Text(TableFormat::Csv))));
    CopyTable, Table, "Copy the table", "Copy the runs that are shown, or the selected ones, as a spreadsheet takes them.", [ctrl_shift(Key::C)], has_runs, |_| Effect::Window(Local::CopyTable);
    TogglePanel, Table, "Plots or figures", "Show plots of the runs that are shown, or the figures of the papers.", [key(Key::F)], has_runs, other_panel;
    ShowAssist, Workbench, "Assist", "Design by hand, with an assistant at the side.", [ctrl_alt(Key::Num4)], always, |_| annotate(AnnotateCommand::Show(Workspace::Assist));
    Palette, Workbench, "Go to anything…", "Find a task, a run or a command by name.", [ctrl(Key::P), ctrl(Key::K)], always, |_| overlay(Overlay::Palette);
    Jobs, Workbench, "Show jobs", "Background jobs and their cost.", [ctrl(Key::J)], may_name_makers, |_| overlay(Overlay::Jobs);
    GoBack, Workbench, "Back", "Go back to what was looked at before; so does the fourth button of a mouse.", [alt(Key::ArrowLeft)], can_go_back, |_| Effect::Send(Command::GoBack);
    GoForward, Workbench, "Forward", "Go to what was gone back from; so does the fifth button of a mouse.", [alt(Key::ArrowRight)], can_go_forward, |_| Effect::Send(Command::GoForward);
    CopyLink, Window, "Copy link", "Copy a link to the run, step and view; pentimento open LINK goes there.", [ctrl_alt(Key::C)], has_link, |_| Effect::Window(Local::CopyLink);
    Bookmarks, Window, "Bookmarks…", "List every run and step with a star or a note, and go there.", [ctrl(Key::B)], has_runs_to_name, |_| overlay(Overlay::Bookmarks);
    Tour, Workbench, "Show me around", "Three cards on what there is; they came by themselves the first time.", [shift(Key::F1)], always, |_| Effect::Send(Command::ShowTour(0));
    KeySheet, Workbench, "Show all keys", "Every key on one sheet.", [key(Key::Questionmark), key(Key::F1)], always, |_| overlay(Overlay::Keys);
    WindowStage, Workbench, "Second stage window", "Open a second stage in a window of its own, for another screen, or close it.", [shift(Key::F6)], |state| can_move(state, PanelWindow::Stage), |_| move_panel(PanelWindow::Stage);
    WindowInspector, Workbench, "Inspector in its own window", "Move the inspector to a window of its own, or dock it back.", [shift(Key::F7)], |state| can_move(state, PanelWindow::Inspector), |_| move_panel(PanelWindow::Inspector);
    WindowTimeline, Workbench, "Timeline in its own window", "Move the timeline to a window of its own, or dock it back.", [shift(Key::F8)], |state| can_move(state, PanelWindow::Timeline), |_| move_panel(PanelWindow::Timeline);
    WindowExplore, Workbench, "Explore in its own window", "Move the table over all runs to a window of its own, or dock it back.", [shift(Key::F9)], |state| can_move(state, PanelWindow::Explore), |_| move_panel(PanelWindow::Explore);
    DockPanels, Workbench, "Dock all panels", "Close the windows of panels: all are in the main window again.", [shift(Key::F5)], has_windows, |_| windows(WindowsCommand::DockAll);
    NextSecondStage, Workbench, "All or pinned pictures on the second stage", "Show on the second stage what the first shows, or only pictures that stay while you step.", [ctrl_shift(Key::F6)], has_second_stage, next_second_stage;
    SwitchTheme, Window, "Switch theme", "Dark or light.", [ctrl_shift(Key::L)], always, |state| Effect::Send(Command::SetTheme(other_theme(state)));
    FullScreen, Workbench, "Full screen", "Fill the screen with the window, or not.", [key(Key::F11)], always, |_| Effect::Window(Local::FullScreen);
    LargerText, Window, "Larger text", "Scale everything in the window up.", [ctrl(Key::Plus), ctrl(Key::Equals)], always, |state| text_scale(state.settings.text_scale + 0.1);
    SmallerText, Window, "Smaller text", "Scale everything in the window down.", [ctrl(Key::Minus)], always, |state| text_scale(state.settings.text_scale - 0.1);
    NormalText, Window, "Normal text size", "Scale everything in the window as it is designed.", [ctrl(Key::Num0)], always, |_| text_scale(1.0);
];

/// All tables, in the order of the palette.
static TABLES: [&[UiCommand]; 9] = [
    WINDOW,
    assist::tools::TABLE,
    assist::canvas::TABLE,
    assist::edit::TABLE,
    assist::arrange::TABLE,
    assist::letters::TABLE,
    assist::files::TABLE,
    assist::assistant::TABLE,
    assist::study::TABLE,
];

/// Everything a person can do.
pub(crate) fn all_commands() -> impl Iterator<Item = &'static UiCommand> + Clone {
    TABLES.iter().flat_map(|table| table.iter())
}

/// What a command is, by its id.
pub(crate) fn command(id: Id) -> &'static UiCommand {
    // Every id has its entry; a test holds it.
    all_commands().find(|command| command.id == id).unwrap_or(&WINDOW[0])
}

#[cfg(test)]
mod tests;
