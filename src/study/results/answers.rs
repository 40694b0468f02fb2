//! What people said in words or chose, as they said it: scores are made of ratings alone.

use super::occasions::{Occasion, occasions};
use crate::label::{AnswerValue, Form};
use crate::run::TaskRef;
use crate::study::folder::PersonRecord;
use crate::study::instruments::is_of_pairs;
use crate::study::plan::StudyPlan;

/// An answer in words or by choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    /// Whose, such as `P01`.
    pub participant: String,
    /// The id of the condition; `None`: it is of the study as a whole.
    pub condition: Option<String>,
    /// The task that it was asked after, if it was after one.
    pub task: Option<TaskRef>,
    /// The id of the form.
    pub form: String,
    /// The id of the question.
    pub question: String,
    /// The words; or the id of the option, several with a comma between; or `yes` or `no`.
    pub value: String,
}

/// Answers of which no score is made, person by person, in the order of the forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenAnswers {
    /// In words of their own.
    pub texts: Vec<GivenAnswer>,
    /// By choosing among what the form offers.
    pub choices: Vec<GivenAnswer>,
}

/// All that these people answered so; `forms` are those of the plan's instruments.
pub(super) fn given(plan: &StudyPlan, people: &[&PersonRecord], forms: &[Form]) -> GivenAnswers {
    let mut all = GivenAnswers::default();
    for person in people {
        for occasion in &occasions(plan, forms, person) {
            all.take_in(&person.participant, occasion);
        }
    }
    all
}

impl GivenAnswers {
    fn take_in(&mut self, participant: &str, of: &Occasion) {
        let Occasion { asked, condition, task } = of;
        // Comparisons are weights of what is asked with them.
        let answer = asked.answer.as_ref().filter(|_| !is_of_pairs(&asked.form));
        let values = answer.into_iter().flat_map(|answer| &answer.values);
        for (question, value) in values {
            let (kept, value) = match value {
                AnswerValue::Text(words) => (&mut self.texts, words.clone()),
                AnswerValue::Choice(option) => (&mut self.choices, option.clone()),
                AnswerValue::Choices(options) => {
                    let options: Vec<&str> = options.iter().map(String::as_str).collect();
                    (&mut self.choices, options.join(", "))
                }
                AnswerValue::YesNo(yes) => {
                    (&mut self.choices, (if *yes { "yes" } else { "no" }).to_owned())
                }
                // Ratings are scored, and the others are about pictures that nobody is shown here.
                AnswerValue::Rating(_)
                | AnswerValue::Preference(_)
                | AnswerValue::Ranking(_)
                | AnswerValue::Marks(_) => continue,
            };
            kept.push(GivenAnswer {
                participant: participant.to_owned(),
                condition: condition.clone(),
                task: task.as_ref().map(|(_, task)| task.clone()),
                form: asked.form.clone(),
                question: question.clone(),
                value,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::label::{Answer, FormHash};
    use crate::study::assignment::conditions_of;
    use crate::study::clock::TaskClock;
    use crate::study::event::{Happening, ParticipantKind, Stamp, StudyEvent, TrialFacts};
    use crate::study::presets::{CandidateTask, Preset, StartChoice};
    use crate::study::trial::{AskedForm, Trial};

    fn answer<const N: usize>(values: [(&str, AnswerValue); N]) -> Answer {
        let values = values.map(|(question, value)| (question.to_owned(), value));
        Answer { values: BTreeMap::from(values), ..Answer::default() }
    }

    #[test]
    fn words_and_choices_are_kept_as_they_were_given_with_what_they_are_about() {
        let tools = BTreeSet::from(["pen", "knife"].map(str::to_owned));
        let background = answer([
            ("years", AnswerValue::Choice("2_to_5".to_owned())),
            ("tools", AnswerValue::Choices(tools)),
            ("adobe", AnswerValue::Rating(3)),
        ]);
        let pairs = answer([("effort-time", AnswerValue::Choice("effort".to_owned()))]);
        let at = Stamp { wall: "2026-01-01T09:00:00Z".to_owned(), mono_ms: 0, process: 1 };
        let remarks = answer([("remarks", AnswerValue::Text("Fine.".to_owned()))]);
        let answers = [Some(background), Some(pairs), Some(remarks)];
        let events = ["background", "nasa-tlx-pairs", "remarks"].into_iter().zip(answers);
        let events = events.map(|(form, answer)| StudyEvent {
            what: Happening::Answer {
                form: form.to_owned(),
                version: FormHash::NONE,
                condition: None,
                answer,
            },
            by: ParticipantKind::Person,
            at: at.clone(),
        });
        let facts = TrialFacts { condition: "web".to_owned(), ..TrialFacts::of_some_task(None) };
        let task = TaskRef::new(&facts.set, &facts.task);
        let said = [
            ("again", AnswerValue::YesNo(false)),
            ("why", AnswerValue::Text("It was slow.".to_owned())),
        ];
        let trial = Trial {
            facts,
            by: ParticipantKind::Person,
            clock: TaskClock::default(),
            success: None,
            codesign: None,
            distances: Vec::new(),
            asked: vec![AskedForm {
                form: "afterwards".to_owned(),
                version: FormHash::NONE,
                condition: None,
                answer: Some(answer(said)),
            }],
        };
        let person = PersonRecord {
            participant: "P01".to_owned(),
            by: ParticipantKind::Person,
            events: events.collect(),
            trials: vec![("01-card".into(), trial)],
        };
        let candidate = CandidateTask::of_set("task");
        let plan = Preset::Psbench.plan(&[candidate], Vec::new(), StartChoice::Given, 1).unwrap();
        let found = given(&plan, &[&person], &[]);
        let values = |answers: &[GivenAnswer]| -> Vec<(String, String)> {
            answers.iter().map(|it| (it.question.clone(), it.value.clone())).collect()
        };
        let pair = |question: &str, value: &str| (question.to_owned(), value.to_owned());
        assert_eq!(
            values(&found.choices),
            [pair("tools", "knife, pen"), pair("years", "2_to_5"), pair("again", "no")]
        );
        assert_eq!(values(&found.texts), [pair("remarks", "Fine."), pair("why", "It was slow.")]);
        let (of_study, of_task) = (&found.choices[0], &found.texts[1]);
        assert_eq!((of_study.condition.as_deref(), of_study.task.as_ref()), (None, None));
        assert_eq!(
            (of_task.condition.as_deref(), of_task.task.as_ref()),
            (Some("web"), Some(&task))
        );
        // Between people what is asked after the study is about the one condition that they had.
        let after = &found.texts[0];
        let own = conditions_of(&plan, 0)[0];
        assert_eq!((after.condition.as_deref(), after.task.as_ref()), (Some(own), None));
    }
}
