//! What each pane of the stage shows now.

use std::sync::Arc;

use crate::base::Palette;
use crate::metric::saliency::Saliency;
use crate::metric::{MapKind, MissingScore, ScalarMap, Score, VariantSpec};
use crate::workbench::model::{
    Against, Fetched, HeatScale, MapKey, PanePicture, PictureKey, RunState, SLOT_NAMES,
    SecondStage, ShownIn, Slot, SlotMapKey, StagePane, StagePicture, StageView, State,
};

use super::saliency::saliency_name;
use super::what_if::{branch_picture_key, is_branch_edited};

/// What a picture pane shows.
#[derive(Debug)]
pub struct Pane<'a> {
    /// The picture to draw: the wanted one, or the last one while that loads.
    pub picture: Option<&'a Arc<StagePicture>>,
    /// Which picture that is; textures are kept by this key.
    pub key: Option<PictureKey>,
    /// Whether it is what was asked for.
    pub status: PaneStatus<'a>,
}

/// What the heat pane shows.
#[derive(Debug)]
pub struct Heat<'a> {
    /// The map to draw: the wanted one, or the last one while that is computed.
    pub map: Option<&'a ScalarMap>,
    /// Which map that is.
    pub key: Option<MapKey>,
    /// By which variant.
    pub variant: Option<&'a VariantSpec>,
    /// Which of its maps.
    pub kind: MapKind,
    /// The place of the picture beside the run that it is against; `None`: the ground truth.
    pub slot: Option<u8>,
    /// What its values mean.
    pub scale: HeatScale,
    /// In which colours they are drawn.
    pub palette: Palette,
    /// The score at the selected step, once known.
    pub score: Option<&'a Score>,
    /// Whether it is what was asked for.
    pub status: PaneStatus<'a>,
}

impl Heat<'_> {
    /// Whether it shows where people are expected to look, or how that differs.
    pub fn is_saliency(&self) -> bool {
        self.variant.is_some_and(Saliency::has)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match self.variant {
            Some(_) if self.is_saliency() => saliency_name(self.kind).to_owned(),
            Some(variant) => match self.slot_name() {
                Some(slot) => format!("{} heat against {slot}", variant.label),
                None => format!("{} heat", variant.label),
            },
            None => "Heat".to_owned(),
        }
    }

    /// The letter of the picture beside the run that it is against.
    pub fn slot_name(&self) -> Option<&'static str> {
        SLOT_NAMES.get(usize::from(self.slot?)).copied()
    }

    /// What its values are called.
    pub fn value_name(&self) -> &'static str {
        match (self.variant, self.kind) {
            (Some(_), MapKind::Difference) if self.is_saliency() => "Saliency difference",
            (Some(_), _) if self.is_saliency() => "Saliency",
            (variant, _) => variant.map_or("", |variant| variant.label),
        }
    }

    /// What all of them together are called, after a share of it.
    pub fn whole_name(&self) -> &'static str {
        match (self.is_saliency(), self.kind) {
            (true, MapKind::Difference) => "of the difference",
            (true, _) => "of the saliency",
            (false, _) => "of the loss",
        }
    }
}

/// How a pane stands to what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneStatus<'a> {
    /// It shows what was asked for.
    Current,
    /// It is on its way; what is shown, if anything, is from before.
    Loading,
    /// It cannot be had, and why.
    Failed(&'a str),
    /// There is nothing to show, and why; what to do about it is the window's to say.
    Nothing(&'a str),
    /// There is no picture of it: the task asks for it in these words.
    Asked(&'a str),
}

const NO_SELECTION: &str = "nothing is selected";
const NO_GROUND_TRUTH: &str = "no ground truth";
const NO_RUN: &str = "no run is selected";

/// The picture of a pane. Without a run, the run's pane shows the task's start state. What lies over a picture,
/// [`heat`] says.
pub fn pane(state: &State, which: StagePane) -> Pane<'_> {
    match which.facts().picture {
        PanePicture::Run => run_pane(state),
        PanePicture::Branch => branch_pane(state),
        PanePicture::GroundTruth => ground_truth_pane(state),
        PanePicture::Program(program) => program_pane(state, program),
        PanePicture::Slot(at) => slot_pane(state, at),
    }
}

/// The panes of the stage in order. Where all documents of a run stand side by side, each has a pane
/// in place of the run's. Without a run there is nothing to compare, nor with a task that asks in
/// words: the other panes get the room of the heat.
pub fn panes(state: &State) -> Vec<StagePane> {
    // The run's own saliency is there whatever it is compared with.
    let is_alone = state.heat_map() == MapKind::Generated;
    let is_compared = state.selection.run.is_some() && (is_alone || !state.asks_in_words());
    // Where there is none, two empty panes would take two thirds of the stage; what there is gets it.
    let is_without_truth = state.stage.panes.contains(&StagePane::Run)
        && matches!(ground_truth_pane(state).status, PaneStatus::Nothing(_));
    let programs = state.programs_side_by_side();
    let mut panes = Vec::new();
    for pane in &state.stage.panes {
        match pane {
            StagePane::Run => {
                if programs.is_empty() {
                    panes.push(StagePane::Run);
                } else {
                    panes.extend(programs.iter().copied().map(StagePane::Program));
                }
                // Beside the run it was made of; where that is hidden, nobody wants it either.
                if is_branch_edited(state) {
                    panes.push(StagePane::Branch);
                }
            }
            StagePane::Branch => {}
            StagePane::Heat if !is_compared => {}
            StagePane::GroundTruth if is_without_truth => {}
            StagePane::Heat if is_without_truth && !is_alone => {}
            pane => panes.push(*pane),
        }
    }
    let slots = 0..state.stage.slots.len() as u8;
    if !is_overlaid(state) {
        // Other runs stand beside the run, before what all are compared with.
        let own =
            panes.iter().take_while(|pane| matches!(pane, StagePane::Run | StagePane::Program(_)));
        let at = own.count();
        panes.splice(at..at, slots.map(StagePane::Slot));
        return panes;
    }
    // The two that lie over one another have one pane, where the first of them stood.
    let against = against_pane(state);
    panes.retain(|pane| *pane != against && *pane != StagePane::Run);
    let beside = slots.map(StagePane::Slot).filter(|slot| *slot != against);
    panes.splice(0..0, [StagePane::Overlaid].into_iter().chain(beside));
    panes
}

/// The panes of the second stage in order.
pub fn second_stage_panes(state: &State) -> Vec<StagePane> {
    match state.windows.second_stage {
        SecondStage::All => panes(state),
        SecondStage::Pinned => {
            let slots = (0_u8..).zip(&state.stage.slots);
            let pinned = slots.filter(|(_, slot)| match slot {
                Slot::Run { pinned, .. } => pinned.is_some(),
                Slot::Start | Slot::File(_) => true,
            });
            pinned.map(|(at, _)| StagePane::Slot(at)).collect()
        }
    }
}

/// Whether the run and what it is compared with lie over one another: that is asked for, and there are two
/// pictures to do it with.
fn is_overlaid(state: &State) -> bool {
    state.stage.view != StageView::SideBySide
        && state.selection.run.is_some()
        && state.programs_side_by_side().is_empty()
        && !matches!(
            pane(state, against_pane(state)).status,
            PaneStatus::Nothing(_) | PaneStatus::Asked(_)
        )
}

/// The pane of what the run is compared with where they lie over one another.
pub fn against_pane(state: &State) -> StagePane {
    match state.stage.against {
        Against::Branch if is_branch_edited(state) => StagePane::Branch,
        Against::GroundTruth | Against::Branch => StagePane::GroundTruth,
        Against::Slot(at) => StagePane::Slot(at),
    }
}

fn slot_pane(state: &State, at: u8) -> Pane<'_> {
    let Some(slot) = state.stage.slots.get(usize::from(at)) else { return nothing(NO_SELECTION) };
    if let Slot::Run { run, .. } = slot {
        match state.library.runs.get(run).map(|run| &run.state) {
            None => return nothing("this run is not open any more"),
            Some(RunState::Unreadable(why)) => {
                return Pane { status: PaneStatus::Failed(why), ..nothing(NO_RUN) };
            }
            Some(_) => {}
        }
    }
    let Some(key) = state.slot_picture(slot, state.selection.step) else {
        return nothing(NO_SELECTION);
    };
    let wanted = fetched_pane(state, key);
    // A failure is shown as one: an older picture must not hide it.
    if wanted.picture.is_some() || !matches!(wanted.status, PaneStatus::Loading) {
        return wanted;
    }
    let before = state.derived.pictures.shown(ShownIn::Slot(at));
    // Only a picture of the same run may stand in, as another's would be taken for this one's.
    let of = match slot {
        Slot::Run { run, .. } => Some(*run),
        Slot::Start | Slot::File(_) => None,
    };
    standing_in(state, before.filter(|key| key.run() == of), wanted.status)
}

fn program_pane(state: &State, program: u8) -> Pane<'_> {
    if let Some(why) = state.why_no_open_document(program) {
        return nothing(why);
    }
    let Some(key) = state.document_picture(program) else {
        return Pane { status: PaneStatus::Loading, ..nothing(NO_RUN) };
    };
    let wanted = fetched_pane(state, key);
    if wanted.picture.is_some() || !matches!(wanted.status, PaneStatus::Loading) {
        return wanted;
    }
    // Of the same run only: another one's document under this one's name would mislead.
    let before = state.derived.pictures.shown(ShownIn::Program(program));
    standing_in(state, before.filter(|key| key.run() == state.selection.run), wanted.status)
}

/// A picture shown before, while the wanted one is on its way.
fn standing_in<'a>(
    state: &'a State,
    before: Option<&PictureKey>,
    status: PaneStatus<'a>,
) -> Pane<'a> {
    let picture = before.and_then(|key| state.ready_picture(key));
    Pane { picture, key: before.filter(|_| picture.is_some()).cloned(), status }
}

/// The run with other calls; while its next picture is made, the one before stays.
fn branch_pane(state: &State) -> Pane<'_> {
    let Some(key) = branch_picture_key(state) else { return nothing(NO_RUN) };
    let wanted = fetched_pane(state, key);
    if wanted.picture.is_some() || !matches!(wanted.status, PaneStatus::Loading) {
        return wanted;
    }
    let before = state.derived.pictures.shown(ShownIn::Branch);
    standing_in(state, before.filter(|key| key.run() == state.selection.run), wanted.status)
}

fn run_pane(state: &State) -> Pane<'_> {
    if let Some(why) = state.other_program().and_then(|at| state.why_no_open_document(at)) {
        return nothing(why);
    }
    let Some(key) = state.run_picture_key() else { return nothing(NO_SELECTION) };
    let wanted = fetched_pane(state, key);
    if wanted.picture.is_some() || !matches!(wanted.status, PaneStatus::Loading) {
        return wanted;
    }
    // Nothing is on its way: a run that cannot be read has no pictures to come.
    if let Some(RunState::Unreadable(message)) = state.selected_run().map(|run| &run.state) {
        return Pane { status: PaneStatus::Failed(message), ..wanted };
    }
    let before =
        state.derived.pictures.shown(ShownIn::Main).filter(|shown| same_task(state, shown));
    standing_in(state, before, wanted.status)
}

/// Whether a picture belongs to the selected task, so that it may stand in while the next loads.
fn same_task(state: &State, key: &PictureKey) -> bool {
    let task = match key {
        PictureKey::Step(run, _) | PictureKey::Document(run, ..) => {
            state.library.runs.get(run).map(|run| &run.task)
        }
        PictureKey::Start(task) => Some(task),
        // Neither ever stands in the run's pane.
        PictureKey::GroundTruth(_)
        | PictureKey::ItemTruth(_)
        | PictureKey::Candidate(..)
        | PictureKey::Thumbnail(..)
        | PictureKey::File(_)
        | PictureKey::Branch(..) => None,
    };
    task.is_some() && task == state.selection.task.as_ref()
}

fn ground_truth_pane(state: &State) -> Pane<'_> {
    if let Some(key) = state.ground_truth_key() {
        return fetched_pane(state, key);
    }
    let Some(task_ref) = &state.selection.task else { return nothing(NO_SELECTION) };
    match state.library.task(task_ref) {
        Some(task) if task.brief.is_some() => {
            Pane { picture: None, key: None, status: PaneStatus::Asked(&task.instruction) }
        }
        Some(_) => nothing(NO_GROUND_TRUTH),
        None => nothing("no ground truth: the task set of this run is not open"),
    }
}

fn fetched_pane(state: &State, key: PictureKey) -> Pane<'_> {
    let status = match state.derived.pictures.get(&key) {
        Some(Fetched::Ready(picture)) => {
            return Pane { picture: Some(picture), key: Some(key), status: PaneStatus::Current };
        }
        Some(Fetched::Failed(message)) => PaneStatus::Failed(message),
        Some(Fetched::Pending) | None => PaneStatus::Loading,
    };
    Pane { picture: None, key: None, status }
}

fn nothing(why: &str) -> Pane<'_> {
    Pane { picture: None, key: None, status: PaneStatus::Nothing(why) }
}

/// What the heat pane shows: where the run at the selected step differs from the ground truth, or where people
/// look at either.
pub fn heat(state: &State) -> Heat<'_> {
    let variant = state.heat_variant();
    let kind = state.heat_map();
    let scale = variant.map_or_else(HeatScale::default, |it| HeatScale::of_map(it, kind));
    let palette = if scale.is_signed {
        Palette::Diverging
    } else {
        Palette::Sequential(state.settings.heat_colors)
    };
    let status = PaneStatus::Nothing(NO_RUN);
    // With the scale although there is no map yet: the legend stays where it is while one is made.
    let slot = state.heat_against().map(|(slot, _)| slot);
    let (map, score) = (None, None);
    let empty = Heat { map, key: None, variant, kind, slot, scale, palette, score, status };
    let Some(key) = state.heat_key() else { return empty };
    if let Some(key) = SlotMapKey::of(key.clone()) {
        return slot_heat(state, &key, empty);
    }
    let entry = state.library.runs.get(&key.run);
    let score = entry.and_then(|run| run.curves.get(&key.variant, key.step));
    if let Some(map) = state.derived.maps.ready(&key) {
        let (map, key, status) = (Some(&**map), Some(key), PaneStatus::Current);
        return Heat { map, key, score, status, ..empty };
    }
    // Before an older map may stand in: what never comes must not look as if it did.
    if let Some(why) = why_no_heat(state, &key, score) {
        return Heat { score, status: PaneStatus::Nothing(why), ..empty };
    }
    let before =
        state.derived.maps.shown(ShownIn::Main).filter(|shown| may_stand_in(state, shown, &key));
    let map = before.and_then(|key| state.derived.maps.ready(key)).map(|map| &**map);
    let key = before.filter(|_| map.is_some()).cloned();
    Heat { map, key, score, status: PaneStatus::Loading, ..empty }
}

/// The heat against a picture beside the run; the one before stays while it is made.
fn slot_heat<'a>(state: &'a State, key: &SlotMapKey, empty: Heat<'a>) -> Heat<'a> {
    let known = &state.derived.slot_maps;
    let status = match known.get(key) {
        Some(Fetched::Ready(made)) => {
            let (map, key) = (Some(&*made.0), Some(key.map_key().clone()));
            return Heat { map, key, status: PaneStatus::Current, ..empty };
        }
        Some(Fetched::Failed(why)) => return Heat { status: PaneStatus::Nothing(why), ..empty },
        // It is made of both pictures: what one of them lacks, it lacks too.
        Some(Fetched::Pending) | None => {
            let panes = [StagePane::Run, against_pane(state)].map(|which| pane(state, which));
            let mut statuses = panes.into_iter().map(|pane| pane.status);
            let lacking = statuses
                .find(|status| matches!(status, PaneStatus::Failed(_) | PaneStatus::Nothing(_)));
            lacking.unwrap_or(PaneStatus::Loading)
        }
    };
    let before = known.shown(ShownIn::Main).filter(|before| {
        let (before, key) = (before.map_key(), key.map_key());
        let beside = [before, key].map(|it| it.against.as_ref().map(PictureKey::run));
        // One against another run would be taken for what differs from this one.
        may_stand_in(state, before, key) && beside[0] == beside[1]
    });
    let before = before.filter(|_| status == PaneStatus::Loading);
    let map = before.and_then(|before| known.ready(before)).map(|made| &*made.0);
    let key = before.filter(|_| map.is_some()).map(|before| before.map_key().clone());
    Heat { map, key, status, ..empty }
}

/// Whether a map is of the same variant and the selected task, so that it may stay while the next is
/// computed.
fn may_stand_in(state: &State, shown: &MapKey, wanted: &MapKey) -> bool {
    let task = state.library.runs.get(&shown.run).map(|run| &run.task);
    task.is_some()
        && task == state.selection.task.as_ref()
        && shown.variant == wanted.variant
        && shown.kind == wanted.kind
}

fn why_no_heat<'a>(state: &'a State, key: &MapKey, score: Option<&'a Score>) -> Option<&'a str> {
    let task = state.selection.task.as_ref().and_then(|task| state.library.task(task));
    let can_be_made = task.is_some_and(|task| match key.kind {
        MapKind::Generated => task.is_measurable(),
        MapKind::Difference | MapKind::GroundTruth => task.ground_truth.is_some(),
    });
    if !can_be_made {
        return Some(NO_GROUND_TRUTH);
    }
    match score? {
        Score::Value(_) => None,
        // That of one side is still looked for where both could not be compared.
        Score::Missing(_)
            if key.kind != MapKind::Difference
                && state.in_flight.step_scored.as_ref() != Some(key) =>
        {
            None
        }
        Score::Missing(why) => Some(missing_text(why)),
    }
}

/// The reason in the words of [`MissingScore`], borrowed.
fn missing_text(why: &MissingScore) -> &str {
    match why {
        MissingScore::NoGroundTruth => NO_GROUND_TRUTH,
        MissingScore::NothingToCompare(why)
        | MissingScore::NoPicture(why)
        | MissingScore::Failed { why, .. }
        | MissingScore::NoDesign(why)
        | MissingScore::NoCaption(why)
        | MissingScore::NoInputs(why)
        | MissingScore::NoModel(why)
        | MissingScore::Undefined(why)
        | MissingScore::NoPlan(why)
        | MissingScore::NoJudgement(why) => why,
        MissingScore::TooSmall(_) => "the picture is smaller than the metric's window",
        MissingScore::NotFinite => "the score is not a finite number",
        MissingScore::Cancelled => "scoring was stopped",
        MissingScore::NoInstruction => "no instruction",
        MissingScore::NoQuery => "no design query",
        MissingScore::NoQuestions => "no questions",
        MissingScore::NotAsked => "not asked yet",
    }
}
