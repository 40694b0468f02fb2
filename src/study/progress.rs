//! How far somebody is, by what is on disk: what they are to do next follows from their events alone, so that a crash
//! or a machine that is moved changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::assignment::{conditions_of, schedule};
use super::clock::Ending;
use super::event::{Happening, ParticipantKind, StudyEvent, TrialFacts};
use super::folder::{PersonRecord, participant_of};
use super::instruments::is_to_be_filled_in;
use super::plan::{AskedWhen, StudyPlan};
use crate::label::{Form, text_hash};

/// A task of somebody's, with where it stands in their plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedTask {
    /// Which of all their tasks, from 0.
    pub position: u32,
    /// Which of their blocks, from 0.
    pub block: u32,
    /// The place of the condition in the plan.
    pub condition: usize,
    /// The place of the task in the plan.
    pub task: usize,
    /// Whether it is the last one of its block.
    pub is_last: bool,
}

impl PlannedTask {
    /// What is known of it before the person in a row begins it, with how far its start is from the ground truth and in
    /// how many steps the assistant would come there; `None` if the plan has no such task.
    pub fn facts(
        &self,
        plan: &StudyPlan,
        row: u32,
        distance: Option<f64>,
        least_steps: Option<u32>,
    ) -> Option<TrialFacts> {
        let (condition, task) =
            plan.conditions.get(self.condition).zip(plan.tasks.get(self.task))?;
        Some(TrialFacts {
            study: plan.id.clone(),
            participant: participant_of(row),
            row,
            block: self.block,
            position: self.position,
            condition: condition.id.clone(),
            set: task.set.clone(),
            task: task.id.clone(),
            difficulty: task.difficulty.clone(),
            limit_secs: task.limit_secs,
            distance,
            least_steps,
        })
    }
}

/// The tasks of the person in a row, in the order they are done.
pub fn planned_tasks(plan: &StudyPlan, row: u32) -> Vec<PlannedTask> {
    let mut planned = Vec::new();
    for (block, of_block) in (0..).zip(schedule(plan, row)) {
        let last = of_block.tasks.len().saturating_sub(1);
        for (at, task) in of_block.tasks.into_iter().enumerate() {
            planned.push(PlannedTask {
                position: planned.len() as u32,
                block,
                condition: of_block.condition,
                task,
                is_last: at == last,
            });
        }
    }
    planned
}

/// A form that somebody is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueForm {
    /// The place of the instrument in the plan.
    pub instrument: usize,
    /// The place of the condition it is about, if it is about one.
    pub condition: Option<usize>,
    /// The position of the task it is about: it goes into the log of that task.
    pub position: Option<u32>,
}

/// What somebody is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextThing {
    /// Agree to the study's text, or not take part.
    Consent,
    /// Fill in a form.
    Form(DueForm),
    /// Begin a task, or go on with one.
    Task(PlannedTask),
    /// Nothing: they are through.
    End,
}

/// How far an attempt at a task is.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptProgress {
    /// What was known of it beforehand.
    pub facts: TrialFacts,
    /// Whether the task was shown.
    pub is_shown: bool,
    /// How it ended; `None`: not yet.
    pub ending: Option<Ending>,
    /// Whether it succeeded; `None`: it was not checked.
    pub success: Option<bool>,
    /// Whether the check said nothing, in this session: it is not waited for.
    pub is_unchecked: bool,
    /// The ids of the forms that were put after it.
    pub asked: BTreeSet<String>,
}

impl AttemptProgress {
    /// Of an attempt that begins.
    fn begun(facts: TrialFacts) -> Self {
        let asked = BTreeSet::new();
        Self { facts, is_shown: false, ending: None, success: None, is_unchecked: false, asked }
    }

    /// Whether it came to its end and was checked, or cannot be.
    pub fn is_whole(&self) -> bool {
        self.ending.is_some() && (self.success.is_some() || self.is_unchecked)
    }
}

/// How far somebody is.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonProgress {
    /// Who, such as `P01`.
    pub participant: String,
    /// A person or a script.
    pub by: ParticipantKind,
    /// Their row of the plan.
    pub row: u32,
    /// The text that they agreed to, by its hash.
    pub consent: Option<String>,
    /// The forms that were put beside tasks: ids, with the condition.
    pub asked: BTreeSet<(String, Option<String>)>,
    /// Their attempts, by position.
    pub attempts: BTreeMap<u32, AttemptProgress>,
}

impl PersonProgress {
    /// Of somebody who joins.
    pub fn new(participant: &str, by: ParticipantKind, row: u32) -> Self {
        Self {
            participant: participant.to_owned(),
            by,
            row,
            consent: None,
            asked: BTreeSet::new(),
            attempts: BTreeMap::new(),
        }
    }

    /// Of somebody's record; `None` where it does not say which row is theirs.
    pub fn of(person: &PersonRecord) -> Option<Self> {
        let mut progress = Self::new(&person.participant, person.by, person.row()?);
        for event in &person.events {
            progress.take_in(None, event);
        }
        for (_, trial) in &person.trials {
            let attempt = AttemptProgress {
                facts: trial.facts.clone(),
                // Of a record there is no event to go by; time at work says that the picture was seen.
                is_shown: trial.clock.ending.is_some() || trial.clock.active_ms > 0,
                ending: trial.clock.ending,
                success: trial.success,
                is_unchecked: false,
                asked: trial.asked.iter().map(|asked| asked.form.clone()).collect(),
            };
            progress.attempts.insert(trial.facts.position, attempt);
        }
        Some(progress)
    }

    /// Takes in what happened: at the task at a position, or beside tasks.
    pub fn take_in(&mut self, position: Option<u32>, event: &StudyEvent) {
        if let Happening::Begun { trial } = &event.what {
            self.attempts.insert(trial.position, AttemptProgress::begun(trial.clone()));
            return;
        }
        // An event without a task is of the person; one of a task that was not begun says nothing.
        let attempt = position.and_then(|position| self.attempts.get_mut(&position));
        match (&event.what, attempt) {
            (Happening::Consented { text }, _) => self.consent = Some(text.clone()),
            (Happening::Answer { form, .. }, Some(attempt)) => {
                attempt.asked.insert(form.clone());
            }
            (Happening::Answer { form, condition, .. }, None) => {
                self.asked.insert((form.clone(), condition.clone()));
            }
            (Happening::Shown, Some(attempt)) => attempt.is_shown = true,
            (Happening::Done, Some(attempt)) => attempt.ending = Some(Ending::Done),
            (Happening::GiveUp, Some(attempt)) => attempt.ending = Some(Ending::GaveUp),
            (Happening::Timeout, Some(attempt)) => attempt.ending = Some(Ending::TimedOut),
            (Happening::Checked { success, .. }, Some(attempt)) => attempt.success = Some(*success),
            _ => {}
        }
    }

    /// The check of the task at a position says nothing: it is not waited for any more.
    pub fn pass_unchecked(&mut self, position: u32) {
        if let Some(attempt) = self.attempts.get_mut(&position) {
            attempt.is_unchecked = true;
        }
    }

    /// What they are to do next; `forms` are those of the plan's instruments, in its order. A form whose statements are
    /// still to be filled in is passed over.
    pub fn next(&self, plan: &StudyPlan, forms: &[Form]) -> NextThing {
        // By the text that was agreed to: another one has to be agreed to anew.
        if !plan.consent.is_empty() && self.consent.as_ref() != Some(&text_hash(&plan.consent)) {
            return NextThing::Consent;
        }
        let beside = |when, condition| self.due(plan, forms, when, condition, None);
        if let Some(due) = beside(AskedWhen::BeforeStudy, None) {
            return NextThing::Form(due);
        }
        for planned in planned_tasks(plan, self.row) {
            let position = planned.position;
            if !self.attempts.get(&position).is_some_and(AttemptProgress::is_whole) {
                return NextThing::Task(planned);
            }
            let condition = Some(planned.condition);
            let after = self.due(plan, forms, AskedWhen::AfterTask, condition, Some(position));
            // What is about the task comes first, as it is asked while they still know.
            let of_block = || beside(AskedWhen::AfterCondition, condition);
            let after = after.or_else(|| of_block().filter(|_| planned.is_last));
            if let Some(due) = after {
                return NextThing::Form(due);
            }
        }
        beside(AskedWhen::AfterStudy, None).map_or(NextThing::End, NextThing::Form)
    }

    /// How many of their tasks are whole.
    pub fn done(&self) -> usize {
        self.attempts.values().filter(|attempt| attempt.is_whole()).count()
    }

    /// The first form that is due then and was not put yet.
    fn due(
        &self,
        plan: &StudyPlan,
        forms: &[Form],
        when: AskedWhen,
        condition: Option<usize>,
        position: Option<u32>,
    ) -> Option<DueForm> {
        let id = condition.and_then(|at| plan.conditions.get(at)).map(|it| it.id.clone());
        // Before and after the study it is asked of whoever has one of its conditions.
        let conditions = id.as_deref().map_or_else(|| conditions_of(plan, self.row), |id| vec![id]);
        let attempt = position.and_then(|position| self.attempts.get(&position));
        let mut due = plan.instruments.iter().zip(forms).enumerate();
        due.find_map(|(instrument, (asked, form))| {
            if !asked.is_due(when, &conditions) || is_to_be_filled_in(form) {
                return None;
            }
            // What is asked after each task is asked once a task; everything else once a condition, or once.
            let was_asked = match attempt {
                Some(attempt) => attempt.asked.contains(&form.id),
                None => self.asked.contains(&(form.id.clone(), id.clone())),
            };
            (!was_asked).then_some(DueForm { instrument, condition, position })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;
    use crate::study::event::Stamp;
    use crate::study::plan::Arrangement;
    use crate::study::presets::{CandidateTask, Preset, StartChoice};

    fn plan() -> (StudyPlan, Vec<Form>) {
        let candidates = (0..12).map(|at| CandidateTask::of_set(&format!("task-{at}")));
        let candidates: Vec<CandidateTask> = candidates.collect();
        let plan = Preset::Small.plan(&candidates, Vec::new(), StartChoice::Given, 1);
        let plan = StudyPlan { consent: "You may stop.".to_owned(), ..plan.unwrap() };
        let forms = plan.instruments.iter().map(|it| builtin_form(&it.form).unwrap().clone());
        let forms = forms.collect();
        (plan, forms)
    }

    fn event(what: Happening) -> StudyEvent {
        let wall = "2026-01-01T09:00:00Z".to_owned();
        let at = Stamp { wall, mono_ms: 0, process: 1 };
        StudyEvent { what, by: ParticipantKind::Person, at }
    }

    fn answer(form: &Form, condition: Option<String>) -> StudyEvent {
        let (form, version) = (form.id.clone(), form.hash());
        event(Happening::Answer { form, version, condition, answer: None })
    }

    /// Does whatever is next until nothing is; what was done, in words.
    fn through(plan: &StudyPlan, forms: &[Form], row: u32) -> Vec<String> {
        let mut person = PersonProgress::new("P01", ParticipantKind::Person, row);
        let mut said = Vec::new();
        loop {
            assert!(said.len() < 200, "it ends");
            match person.next(plan, forms) {
                NextThing::Consent => {
                    said.push("consent".to_owned());
                    let text = text_hash(&plan.consent);
                    person.take_in(None, &event(Happening::Consented { text }));
                }
                NextThing::Form(due) => {
                    let form = &forms[due.instrument];
                    said.push(form.id.clone());
                    let condition = due.condition.map(|at| plan.conditions[at].id.clone());
                    person.take_in(due.position, &answer(form, condition));
                }
                NextThing::Task(planned) => {
                    said.push(format!("task {}", plan.conditions[planned.condition].id));
                    let trial = planned.facts(plan, row, None, None).unwrap();
                    let at = Some(planned.position);
                    person.take_in(at, &event(Happening::Begun { trial }));
                    assert_eq!(person.next(plan, forms), NextThing::Task(planned), "not whole");
                    person.take_in(at, &event(Happening::Shown));
                    person.take_in(at, &event(Happening::Done));
                    assert_eq!(person.next(plan, forms), NextThing::Task(planned), "not checked");
                    let checked = Happening::Checked { success: true, value: None };
                    person.take_in(at, &event(checked));
                }
                NextThing::End => return said,
            }
        }
    }

    #[test]
    fn everything_is_asked_once_and_in_its_place() {
        let (plan, forms) = plan();
        for row in 0..12 {
            let said = through(&plan, &forms, row);
            let count = |what: &str| said.iter().filter(|it| it.as_str() == what).count();
            assert_eq!(said[..2], ["consent", "background"]);
            assert_eq!(said[said.len() - 2..], ["sus", "remarks"]);
            assert_eq!(
                [count("confidence"), count("nasa-tlx"), count("trust-control")],
                [12, 3, 1]
            );
            for condition in &plan.conditions {
                assert_eq!(count(&format!("task {}", condition.id)), 4);
            }
            // Confidence follows each task at once, the load each fourth.
            for (at, it) in said.iter().enumerate().filter(|(_, it)| it.starts_with("task")) {
                assert_eq!(said[at + 1], "confidence", "{it}");
            }
            let tlx = said.iter().position(|it| it == "nasa-tlx").unwrap();
            assert_eq!(said[..tlx].iter().filter(|it| it.starts_with("task")).count(), 4);
            let trust = said.iter().position(|it| it == "trust-control").unwrap();
            let before = said[..trust].iter().rev().find(|it| it.starts_with("task"));
            assert_eq!(before.map(String::as_str), Some("task assisted"));
        }
    }

    #[test]
    fn a_form_of_some_conditions_is_asked_after_the_study_of_who_had_one_of_them() {
        let (mut plan, forms) = plan();
        let sus = plan.instruments.iter_mut().find(|it| it.form == "sus").unwrap();
        sus.conditions = vec!["assisted".to_owned()];
        let often = |plan: &StudyPlan, row| {
            through(plan, &forms, row).iter().filter(|it| it.as_str() == "sus").count()
        };
        assert_eq!(often(&plan, 0), 1, "within people everybody had it");
        for task in &mut plan.tasks {
            task.group = None;
        }
        plan.arrangement = Arrangement::Between;
        plan.check().unwrap();
        for row in 0..3 {
            let is_assisted = conditions_of(&plan, row) == ["assisted"];
            assert_eq!(often(&plan, row), usize::from(is_assisted), "{row}");
        }
    }

    #[test]
    fn a_form_without_its_statements_is_passed_over() {
        let (mut plan, mut forms) = plan();
        plan.instruments[4].form = "csi".to_owned();
        forms[4] = builtin_form("csi").unwrap().clone();
        assert!(!through(&plan, &forms, 0).contains(&"csi".to_owned()));
    }

    #[test]
    fn another_text_is_to_be_agreed_to_anew() {
        let (plan, forms) = plan();
        let mut person = PersonProgress::new("P01", ParticipantKind::Person, 0);
        let text = text_hash("Another text.");
        person.take_in(None, &event(Happening::Consented { text }));
        assert_eq!(person.next(&plan, &forms), NextThing::Consent);
    }
}
