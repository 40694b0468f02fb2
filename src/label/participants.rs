//! Who takes part: what each agreed to, says of themselves, and how they did in the qualification.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Answer, AnswerValue};
use super::event::Act;
use super::form::Form;
use super::item::Item;
use super::ledger::Ledger;
use super::project::Project;
use super::study::{Qualification, qualification, text_hash};

/// Somebody who takes part, or did.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// Who.
    pub person: String,
    /// When they agreed to the text as it is now, as RFC 3339.
    pub consented_at: Option<String>,
    /// What they answered about themselves.
    pub survey: Option<Answer>,
    /// How they did.
    pub qualification: Qualification,
    /// When they withdrew, as RFC 3339.
    pub withdrawn_at: Option<String>,
}

/// Everybody, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Participants {
    /// Those who are named, did anything, or withdrew.
    pub all: Vec<Participant>,
    /// The questions about people, by id.
    pub questions: Vec<String>,
    asks_consent: bool,
}

impl Participants {
    /// Of a project; `survey` is the form about people.
    pub fn of(
        project: &Project,
        survey: Option<&Form>,
        (forms, items): (&[Form], &[Item]),
        ledger: &Ledger,
    ) -> Self {
        let consent = &project.study.consent;
        // By its hash: consent to a former wording is none to this one.
        let hash = text_hash(consent);
        let mut consented: BTreeMap<&str, &str> = BTreeMap::new();
        let mut withdrawn: BTreeMap<&str, &str> = BTreeMap::new();
        for event in ledger.of_study() {
            match &event.act {
                Act::Consented { text } if *text == hash => {
                    // The first time counts; a second click changes nothing.
                    consented.entry(&event.person).or_insert(&event.at);
                }
                Act::Withdrawn => {
                    withdrawn.entry(&event.person).or_insert(&event.at);
                }
                _ => {}
            }
        }
        // Three sources, as each alone is incomplete: who was invited, who consented or left, and who answered.
        let mut names: BTreeSet<&str> = project.people.iter().map(String::as_str).collect();
        names.extend(consented.keys().chain(withdrawn.keys()));
        // Who settles or leads does not take part.
        names.extend(ledger.people().filter(|person| {
            ledger.backwards(person).any(|event| matches!(event.act, Act::Answered(_)))
        }));
        let all = names.into_iter().map(|person| Participant {
            person: person.to_owned(),
            consented_at: consented.get(person).map(|at| (*at).to_owned()),
            survey: ledger.survey(project, person).map(|answered| answered.answer.clone()),
            qualification: qualification(project, forms, items, ledger, person),
            withdrawn_at: withdrawn.get(person).map(|at| (*at).to_owned()),
        });
        let questions = survey.iter().flat_map(|form| &form.questions).map(|it| it.id.clone());
        Self {
            all: all.collect(),
            questions: questions.collect(),
            asks_consent: !consent.is_empty(),
        }
    }

    /// Somebody's answers about themselves, in the order of the questions; empty where there is none.
    pub fn survey_words(&self, person: &str) -> Vec<String> {
        let found = self.all.iter().find(|it| it.person == person);
        let answer = found.and_then(|it| it.survey.as_ref());
        let words = self.questions.iter().map(|question| {
            match answer.and_then(|answer| answer.values.get(question)) {
                Some(AnswerValue::Text(text)) => text.clone(),
                Some(value) => value.words().join("|"),
                None => String::new(),
            }
        });
        words.collect()
    }

    /// A table of what the study asks of people: the columns, and a row a person. Empty where it asks nothing
    /// and nobody withdrew.
    pub fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        // A column for what was asked at all: an empty one would look like something that is missing.
        let qualifies = self.all.iter().any(|it| it.qualification != Qualification::NotAsked);
        let has_withdrawn = self.all.iter().any(|it| it.withdrawn_at.is_some());
        if !(self.asks_consent || qualifies || has_withdrawn || !self.questions.is_empty()) {
            return (Vec::new(), Vec::new());
        }
        let mut columns = vec!["person".to_owned()];
        columns.extend(self.asks_consent.then(|| "agreed".to_owned()));
        columns.extend(qualifies.then(|| "qualification".to_owned()));
        columns.extend(self.questions.iter().cloned());
        columns.extend(has_withdrawn.then(|| "withdrew".to_owned()));
        let rows = self.all.iter().map(|it| {
            let mut row = vec![it.person.clone()];
            row.extend(self.asks_consent.then(|| day(it.consented_at.as_deref())));
            row.extend(qualifies.then(|| it.qualification_words()));
            let words = self.survey_words(&it.person).into_iter();
            row.extend(words.map(|it| if it.is_empty() { "–".to_owned() } else { it }));
            row.extend(has_withdrawn.then(|| day(it.withdrawn_at.as_deref())));
            row
        });
        let rows = rows.collect();
        (columns, rows)
    }
}

impl Participant {
    /// How they did in the qualification, and of how many: `passed, 4 of 5`.
    pub fn qualification_words(&self) -> String {
        match (self.qualification.name(), self.qualification.share()) {
            ("", _) => "–".to_owned(),
            (name, Some(share)) => format!("{name}, {} of {}", share.hits, share.of),
            (name, None) => name.to_owned(),
        }
    }
}

/// The day of a time, or a dash.
fn day(at: Option<&str>) -> String {
    let day = at.map(|at| at.split('T').next().unwrap_or(at));
    day.unwrap_or("–").to_owned()
}

/// The name that tables give a question about people: none of a form's is like it.
pub fn survey_column(question: &str) -> String {
    format!("person.{question}")
}
