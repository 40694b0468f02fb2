//! What somebody was asked, with what each form is about.

use crate::label::{Answer, Form};
use crate::run::TaskRef;
use crate::study::assignment::conditions_of;
use crate::study::folder::PersonRecord;
use crate::study::plan::{AskedWhen, StudyPlan};
use crate::study::trial::AskedForm;

/// A form that was put to somebody, with what it is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Occasion {
    /// The form and what they answered.
    pub(super) asked: AskedForm,
    /// The id of the condition; `None`: the study as a whole.
    pub(super) condition: Option<String>,
    /// The task that it was asked after, if it was after one, with its position among theirs.
    pub(super) task: Option<(u32, TaskRef)>,
}

/// All that a person was asked: beside tasks, then task by task. `forms` are those of the plan's instruments, in its
/// order; more may follow.
pub(super) fn occasions(plan: &StudyPlan, forms: &[Form], person: &PersonRecord) -> Vec<Occasion> {
    // Of a study between people all that is asked after it is about their one condition, and logs do not repeat that.
    let conditions = person.row().map(|row| conditions_of(plan, row)).unwrap_or_default();
    let only = match conditions.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let beside = AskedForm::of(&person.events).into_iter().map(|asked| {
        let of_study = only.filter(|_| !is_asked_before(plan, forms, &asked.form));
        let condition = asked.condition.clone().or_else(|| of_study.map(str::to_owned));
        Occasion { asked, condition, task: None }
    });
    let of_trials = person.trials.iter().flat_map(|(_, trial)| {
        let facts = &trial.facts;
        trial.asked.iter().map(move |asked| Occasion {
            asked: asked.clone(),
            // A form after a task is about its condition.
            condition: Some(facts.condition.clone()),
            task: Some((facts.position, TaskRef::new(&facts.set, &facts.task))),
        })
    });
    beside.chain(of_trials).collect()
}

/// Whether a form is asked before the first task: it is about no condition, whichever they have later.
fn is_asked_before(plan: &StudyPlan, forms: &[Form], id: &str) -> bool {
    let mut instruments = plan.instruments.iter().enumerate();
    instruments.any(|(at, instrument)| {
        // A plan names a form of its own by its file.
        let is_this = instrument.form == id || forms.get(at).is_some_and(|form| form.id == id);
        instrument.when == AskedWhen::BeforeStudy && is_this
    })
}

impl Occasion {
    /// The comparisons that weigh these ratings, among all that the person was asked: those after the same task, else
    /// those of the same condition, else those that were asked once for the study. `None` where those were not
    /// answered, too: what somebody thought at another time are no weights of this.
    pub(super) fn weights<'a>(&self, all: &'a [Self]) -> Option<&'a Answer> {
        let form = format!("{}-pairs", self.asked.form);
        let pairs: Vec<&Self> = all.iter().filter(|it| it.asked.form == form).collect();
        let of_task = pairs.iter().find(|it| it.task.is_some() && it.task == self.task);
        let mut of_condition = pairs.iter().filter(|it| it.condition == self.condition);
        // Beside the tasks of a condition before those after one of them, of which the last is the nearest to its end.
        let beside = of_condition.clone().find(|it| it.task.is_none());
        let found = of_task.or(beside).or_else(|| of_condition.next_back());
        let found = found.or_else(|| pairs.iter().find(|it| it.condition.is_none()));
        found?.asked.answer.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::FormHash;

    fn asked(form: &str, condition: Option<&str>, position: Option<u32>) -> Occasion {
        // Told apart by their notes.
        let note = format!("{condition:?} {position:?}");
        let answer = Some(Answer { note, ..Answer::default() });
        let condition = condition.map(str::to_owned);
        Occasion {
            asked: AskedForm {
                form: form.to_owned(),
                version: FormHash::NONE,
                condition: None,
                answer,
            },
            condition,
            task: position.map(|position| (position, TaskRef::new("set", "task"))),
        }
    }

    #[test]
    fn ratings_are_weighed_by_the_comparisons_of_their_own_occasion() {
        let pairs = |condition, position| asked("nasa-tlx-pairs", condition, position);
        let load = |condition, position| asked("nasa-tlx", condition, position);
        let all = [
            pairs(None, None),
            pairs(Some("web"), None),
            pairs(Some("assisted"), None),
            pairs(Some("web"), Some(0)),
            pairs(Some("web"), Some(1)),
            pairs(Some("alone"), Some(2)),
            pairs(Some("alone"), Some(3)),
            asked("csi-pairs", Some("none"), None),
        ];
        let weights = |it: &Occasion, all: &[Occasion]| it.weights(all).map(|it| it.note.clone());
        for (of, expected) in [
            (load(Some("web"), Some(1)), "Some(\"web\") Some(1)"),
            (load(Some("web"), Some(4)), "Some(\"web\") None"),
            (load(Some("assisted"), None), "Some(\"assisted\") None"),
            (load(Some("alone"), None), "Some(\"alone\") Some(3)"),
            (load(Some("none"), None), "None None"),
            (load(None, None), "None None"),
        ] {
            assert_eq!(weights(&of, &all).as_deref(), Some(expected), "{of:?}");
        }
        assert_eq!(weights(&load(Some("assisted"), None), &all[3..]), None, "of other conditions");
        let mut passed_over = pairs(Some("web"), Some(0));
        passed_over.asked.answer = None;
        let all = [passed_over, pairs(None, None)];
        assert_eq!(weights(&load(Some("web"), Some(0)), &all), None, "not answered");
    }
}
