//! Who was recruited, and how much each of them planned.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::graphictown::Expert;
use crate::metric::{MissingScore, Score};

use super::reader::{PlanRow, Stage, StageItem};

/// A team over many plans: a row of GraphicBench's Table 10.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamSummary {
    experts: BTreeMap<Expert, ExpertShare>,
    /// Recruited agents a plan, known experts or not; over those with a recruiting stage.
    pub agents: Score,
    /// Steps a final workflow, over those that parse.
    pub steps: Score,
}

/// What one expert has of many plans.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpertShare {
    /// The share of plans with a recruiting stage that recruit him, 0..=1.
    pub recruited: Score,
    /// Steps of a workflow of his own, before workflows are merged; over those that parse into
    /// steps. A workflow is his whose first step names him.
    pub workload: Score,
}

impl TeamSummary {
    /// Sums up plans.
    ///
    /// Source: GraphicBench, appendix C.2 and Table 10, which leave open whose workflow is counted;
    /// this is the reading that gives the printed numbers on the released plans.
    pub fn of(plans: &[&PlanRow]) -> Self {
        const ALL: [Expert; 3] =
            [Expert::PhotoEditor, Expert::VectorGraphicEditor, Expert::LayoutDesigner];
        let steps = plans.iter().filter_map(|plan| length(&plan.final_workflow));
        // Plans of people have no such stage; counted as 0 they would drag the mean down.
        let agents = plans.iter().filter(|plan| plan.has_recruitment);
        let agents = agents.map(|plan| plan.recruits.len() as f64);
        Self {
            experts: ALL
                .into_iter()
                .map(|expert| (expert, ExpertShare::of(expert, plans)))
                .collect(),
            agents: mean(agents, NOBODY_RECRUITS),
            steps: mean(steps, "no plan parses into steps"),
        }
    }

    /// What one of the three experts has of the plans.
    pub fn expert(&self, expert: Expert) -> Option<&ExpertShare> {
        self.experts.get(&expert)
    }
}

impl ExpertShare {
    fn of(expert: Expert, plans: &[&PlanRow]) -> Self {
        let recruited = plans.iter().filter(|plan| plan.has_recruitment).map(|plan| {
            let mut experts =
                plan.recruits.iter().map(|recruit| Expert::from_name(&recruit.expert));
            f64::from(u8::from(experts.any(|recruited| recruited == Some(expert))))
        });
        let own =
            plans.iter().flat_map(|plan| &plan.workflows).filter(|it| owner(it) == Some(expert));
        Self {
            recruited: mean(recruited, NOBODY_RECRUITS),
            workload: mean(own.filter_map(length), "no workflow is this expert's"),
        }
    }
}

/// Why it is not known who is recruited.
const NOBODY_RECRUITS: &str = "recruiting is no stage of any plan";

/// Whose workflow it is: the expert of its first step.
fn owner(workflow: &Stage) -> Option<Expert> {
    match workflow.items.first()? {
        // The first speaks for all: workflows before merging are one expert's each.
        StageItem::Step(first) => Expert::from_name(first.expert.as_deref()?),
        StageItem::Unreadable(_) => None,
    }
}

/// The items of a workflow that parses into a list.
fn length(workflow: &Stage) -> Option<f64> {
    match super::published::evaluated(&workflow.raw) {
        // All items, steps or not: that is the reading which gives the printed numbers.
        Value::Array(items) => Some(items.len() as f64),
        _ => None,
    }
}

fn mean(values: impl Iterator<Item = f64>, why_not: &str) -> Score {
    let values: Vec<f64> = values.collect();
    if values.is_empty() {
        return Score::Missing(MissingScore::Undefined(why_not.to_owned()));
    }
    Score::from_number(values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans(lines: &str) -> Vec<PlanRow> {
        PlanRow::read_lines(lines).into_iter().map(Result::unwrap).collect()
    }

    #[test]
    fn who_is_recruited_and_plans_how_much_is_counted() {
        let plans = plans(
            "{\"recruitment_status\": [{\"expert\": \"Photo Editor\"}, {\"expert\": \"Poet\"}], \
             \"workflows\": [[{\"expert\": \"Photo Editor\"}, {\"expert\": \"Photo Editor\"}]], \
             \"final_workflow\": [{\"expert\": \"Photo Editor\"}]}\n\
             {\"recruitment_status\": \"NOT RETRIEVED\", \"workflows\": \"x\", \
             \"final_workflow\": \"1. Open\"}",
        );
        let plans: Vec<&PlanRow> = plans.iter().collect();
        let team = TeamSummary::of(&plans);
        let photo = team.expert(Expert::PhotoEditor).unwrap();
        assert_eq!((&photo.recruited, &photo.workload), (&Score::Value(0.5), &Score::Value(2.0)));
        assert_eq!((&team.agents, &team.steps), (&Score::Value(1.0), &Score::Value(1.0)));
        let layout = team.expert(Expert::LayoutDesigner).unwrap();
        assert_eq!(layout.recruited, Score::Value(0.0));
        assert!(layout.workload.value().is_none());
        assert!(TeamSummary::of(&[]).agents.value().is_none());
    }

    #[test]
    fn plans_without_recruiting_do_not_count_as_plans_that_recruit_nobody() {
        let alone = plans("{\"final_workflow\": [{\"expert\": \"Photo Editor\"}]}");
        let team = TeamSummary::of(&alone.iter().collect::<Vec<_>>());
        let photo = team.expert(Expert::PhotoEditor).unwrap();
        assert_eq!((photo.recruited.value(), team.agents.value()), (None, None));
        assert_eq!(team.steps, Score::Value(1.0));
        let mut both = plans("{\"recruitment_status\": [{\"expert\": \"Photo Editor\"}]}");
        both.extend(alone);
        let team = TeamSummary::of(&both.iter().collect::<Vec<_>>());
        assert_eq!(team.agents, Score::Value(1.0));
    }
}
