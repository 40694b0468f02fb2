//! Which scores are looked at, and whether there can be any.

use crate::evaluate::VariantId;
use crate::metric::constraint::Findings;
use crate::metric::saliency::Saliency;
use crate::metric::{MapKind, Needs, VariantSpec};
use crate::task::Task;
use crate::workbench::model::{
    Against, CheckKey, EditCheckKey, LossKey, MapKey, PictureKey, RunId, State, StepScore,
};

impl State {
    /// The variant whose curve the timeline shows: the chosen one, or, if it is not there any more or
    /// is nothing for the task on the stage, the first that is. `None` only where nothing can be
    /// measured at all.
    pub fn curve_variant(&self) -> Option<&VariantSpec> {
        let chosen = self.variants.get(&self.settings.curve_variant);
        let chosen = chosen.filter(|variant| self.can_have(variant));
        chosen.or_else(|| self.listed_variants().next()).or(self.variants.first())
    }

    /// The variants whose curves stand beside that one, in the order they were chosen: those of the chosen
    /// ones that are something for the task on the stage.
    pub fn curves_beside(&self) -> impl Iterator<Item = &VariantSpec> {
        let main = self.curve_variant().map(|variant| &variant.id);
        let chosen = self.settings.curves_beside.iter().filter_map(|id| self.variants.get(id));
        chosen.filter(move |it| Some(&it.id) != main && self.can_have(it))
    }

    /// The variants that can have a value for the task on the stage, in the order of tables.
    pub fn listed_variants(&self) -> impl Iterator<Item = &VariantSpec> {
        self.variants.iter().filter(|variant| self.can_have(variant))
    }

    /// Whether a variant can have a value for the task on the stage: what compares needs a ground truth,
    /// and what holds a design against a query needs a query. Whatever else is missing, the score says.
    fn can_have(&self, variant: &VariantSpec) -> bool {
        // Without its task it is not known whether there is a ground truth; of a run that carried out a
        // plan it is known that there is none.
        let Some(task) = self.selected_task() else {
            return !variant.needs.is_ground_truth() || !self.has_query();
        };
        match variant.needs {
            Needs::Query | Needs::Questions => self.has_query(),
            // Of a query that nobody planned for the score says so; of a screen there is nothing to say.
            Needs::Plan => self.has_query() || self.has_plan(),
            needs => task.ground_truth.is_some() || !needs.is_ground_truth(),
        }
    }

    /// Whether the run or the task on the stage comes from a design query: the task's own, or, if its
    /// set is not open, that of the plan the run carried out.
    pub fn has_query(&self) -> bool {
        if let Some(task) = self.selected_task() {
            return task.brief.is_some();
        }
        let run = self.selected_run().and_then(|run| run.loaded.as_ref());
        run.and_then(|run| run.plan.as_ref()).is_some_and(|plan| plan.row.design.is_object())
    }

    /// Whether the run on the stage carries out a plan, as far as it is read.
    fn has_plan(&self) -> bool {
        let run = self.selected_run().and_then(|run| run.loaded.as_ref());
        run.is_some_and(|run| run.plan.is_some())
    }

    /// Whether anything can be measured of the run on the stage.
    pub fn is_measurable(&self) -> bool {
        self.selected_task().map_or_else(|| self.has_query(), Task::is_measurable)
    }

    /// The variant whose map the heat shows, likewise among those that have one.
    pub fn heat_variant(&self) -> Option<&VariantSpec> {
        let chosen = self.variants.get(&self.settings.heat_variant);
        // The chosen one may be of models that are not set up any more.
        let mut in_order = chosen.into_iter().chain(self.variants.iter());
        in_order.find(|variant| variant.map_range.is_some())
    }

    /// Which of the maps of that variant.
    pub fn heat_map(&self) -> MapKind {
        match self.heat_variant() {
            Some(variant) if Saliency::has(variant) => self.settings.heat_map,
            Some(_) | None => MapKind::Difference,
        }
    }

    /// The variant whose saliency is shown where saliency is asked for: the heat's, or else the first there is.
    pub fn saliency_variant(&self) -> Option<&VariantSpec> {
        let shown = self.heat_variant().filter(|variant| Saliency::has(variant));
        shown.or_else(|| self.variants.iter().find(|variant| Saliency::has(variant)))
    }

    /// Which map the heat pane wants.
    pub fn heat_key(&self) -> Option<MapKey> {
        let against = self.heat_against().map(|(_, picture)| picture);
        Some(MapKey { against, ..self.truth_heat_key()? })
    }

    /// The same against the ground truth, whatever the run is compared with: it comes with the score.
    pub(in crate::workbench) fn truth_heat_key(&self) -> Option<MapKey> {
        let variant: VariantId = self.heat_variant()?.id.clone();
        let (run, step) = (self.selection.run?, self.selection.step);
        Some(MapKey { run, step, variant, kind: self.heat_map(), against: None })
    }

    /// The picture beside the run that the heat is against, and its place; `None`: it is against the ground truth, as
    /// heats of saliency always are.
    pub(in crate::workbench) fn heat_against(&self) -> Option<(u8, PictureKey)> {
        let Against::Slot(at) = self.stage.against else { return None };
        if self.heat_variant().is_none_or(Saliency::has) {
            return None;
        }
        let slot = self.stage.slots.get(usize::from(at))?;
        Some((at, self.slot_picture(slot, self.selection.step)?))
    }

    /// Which areas of the heat on the stage are told apart; none of one against a picture beside the run, which lacks
    /// nothing that the task wants.
    pub fn loss_key(&self) -> Option<LossKey> {
        let map = self.heat_key().filter(|map| map.against.is_none())?;
        // A dragged threshold would ask for areas with every point otherwise.
        let threshold = (self.stage.heat_threshold * 20.0).round() as u8 * 5;
        self.derived.maps.ready(&map).is_some().then_some(LossKey { map, threshold })
    }

    /// The score of a run after a step by [`Self::curve_variant`], with its change, if known.
    pub fn step_score(&self, run: RunId, step: u32) -> Option<StepScore<'_>> {
        let (variant, curves) = (self.curve_variant()?, &self.library.runs.get(&run)?.curves);
        let score = curves.get(&variant.id, step)?;
        let before = step.checked_sub(1).and_then(|before| curves.value(&variant.id, before));
        let delta = score.value().zip(before).map(|(now, was)| now - was);
        Some(StepScore { score, delta })
    }

    /// Which check the inspector wants, while it shows one: that of the step on the stage.
    pub fn check_key(&self) -> Option<CheckKey> {
        let (run, step) = (self.selection.run?, self.selection.step);
        self.has_query().then_some(CheckKey { run, step })
    }

    /// Which edit is held against the checks of its task, if it has any: that up to the step on the stage.
    pub fn edit_check_key(&self) -> Option<EditCheckKey> {
        let (run, step) = (self.selection.run?, self.selection.step);
        self.selected_task()?.checks.as_ref()?;
        Some(EditCheckKey { run, step })
    }

    /// A check that is there.
    pub fn ready_check(&self, key: CheckKey) -> Option<&Findings> {
        self.derived.checks.ready(&key).map(|findings| &**findings)
    }
}
