//! What people who label said of the selected run, for the inspector.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::label::form::{FALLBACK_LANGUAGE, FormText, Question, QuestionKind};
use crate::label::{
    Answer, AnswerValue, FinalAnswer, Form, Item, ItemKind, Mark, Place, Preferred, Provenance,
    TIE, final_answers_about,
};
use crate::workbench::model::{OpenLabels, State, StepLabel};

/// What people who label said of the selected run, or why nothing is shown.
#[derive(Debug)]
pub enum LabelsOfRun<'a> {
    /// Somebody labels the run just now without knowing who made it.
    Hidden,
    /// The run is none of the project's.
    NotInProject,
    /// Nobody answered anything about it.
    Unanswered,
    /// What they said.
    Said(SaidOfRun<'a>),
}

/// What people said of a run.
#[derive(Debug)]
pub struct SaidOfRun<'a> {
    /// Which step is shown; 0 is the start.
    pub step: u32,
    /// What was said of that step, by form; empty where steps are no items.
    pub of_step: Vec<SaidByForm<'a>>,
    /// What was said of the run and of pairs it is one of, by form.
    pub of_run: Vec<SaidByForm<'a>>,
    /// What was found at any step, in their order.
    pub steps: &'a [StepLabel],
}

/// What people said by a form.
#[derive(Debug)]
pub struct SaidByForm<'a> {
    /// The form's title.
    pub title: &'a str,
    /// By item, in the project's order.
    pub items: Vec<SaidOfItem<'a>>,
}

/// What people said of an item.
#[derive(Debug)]
pub struct SaidOfItem<'a> {
    /// Of a pair, who made the other run; `None` where that is kept from who looks.
    pub other: Option<&'a str>,
    /// Whether it is a pair.
    pub is_pair: bool,
    /// How many people answered.
    pub people: usize,
    /// What they answered, in the form's order.
    pub answers: Vec<SaidAnswer<'a>>,
    /// What they wrote, with who, where that is not kept from who looks.
    pub notes: Vec<SaidNote<'a>>,
}

/// What the answers to a question about an item come to.
#[derive(Debug)]
pub struct SaidAnswer<'a> {
    /// The question, or the option where each is a yes or no of its own.
    pub asked: &'a str,
    /// The final answer in words; `None`: no answer has more than half, and nobody settled it.
    pub value: Option<String>,
    /// How it came about.
    pub provenance: Provenance,
    /// How many gave that answer, or the answer that most gave.
    pub votes: usize,
    /// Of how many.
    pub of: usize,
    /// Why it was settled so, if it was and somebody said.
    pub why: &'a str,
    /// Who answered what, by answer; empty where that is kept from who looks.
    pub by: Vec<(String, Vec<&'a str>)>,
    /// Where that is seen.
    pub places: Vec<SaidPlace<'a>>,
}

/// A place that somebody showed.
#[derive(Debug)]
pub struct SaidPlace<'a> {
    /// Where.
    pub place: &'a Place,
    /// Who, where that is not kept from who looks.
    pub person: Option<&'a str>,
    /// How bad it is, from 1.
    pub severity: Option<u32>,
    /// What there is to say.
    pub note: &'a str,
}

/// What somebody wrote.
#[derive(Debug)]
pub struct SaidNote<'a> {
    /// Who, where that is not kept from who looks.
    pub person: Option<&'a str>,
    /// In answer to which question; `None`: what else there was to say.
    pub question: Option<&'a str>,
    /// The words.
    pub text: Cow<'a, str>,
}

/// What people who label said of the selected run; `None` without a run or a labelling project.
pub fn labels_of_run(state: &State) -> Option<LabelsOfRun<'_>> {
    let run = state.selected_run()?;
    let annotate = &state.annotate;
    let labels = annotate.labels.as_deref()?;
    let places = annotate.by_run.items_of(&run.dir).iter();
    let items = places.filter_map(|at| labels.items.get(*at)).filter(|item| item.counts());
    let of_run: Vec<(&Item, usize)> =
        items.filter_map(|item| Some((item, labels.labelled_run(item, &run.dir)?))).collect();
    if of_run.is_empty() {
        return Some(LabelsOfRun::NotInProject);
    }
    if annotate.hides_labels() {
        return Some(LabelsOfRun::Hidden);
    }
    let shown = LabelsShown { state, labels, is_blind: annotate.is_blind() };
    let step = state.selection.step;
    let (at_step, others): (Vec<_>, Vec<_>) =
        of_run.into_iter().partition(|(item, _)| item.step == Some(step));
    let said = SaidOfRun {
        step,
        of_step: shown.by_form(&at_step),
        // What was said of other steps is listed in one line each.
        of_run: shown
            .by_form(&others.into_iter().filter(|it| it.0.step.is_none()).collect::<Vec<_>>()),
        steps: annotate.said_of(&run.dir).map_or(&[], |said| &said.steps),
    };
    let is_empty = said.of_step.is_empty() && said.of_run.is_empty() && said.steps.is_empty();
    // Steps of which nothing is wrong are said something of, too.
    let is_answered = annotate.said_of(&run.dir).is_some();
    Some(if is_empty && !is_answered { LabelsOfRun::Unanswered } else { LabelsOfRun::Said(said) })
}

/// The labels, and what of them is kept from who looks.
struct LabelsShown<'a> {
    state: &'a State,
    labels: &'a OpenLabels,
    is_blind: bool,
}

/// The answers to a form about an item.
struct ItemAnswers<'a> {
    form: &'a Form,
    item: &'a Item,
    /// Which of the item's runs is looked at.
    place: usize,
    people: BTreeMap<&'a str, &'a Answer>,
}

impl<'a> LabelsShown<'a> {
    fn by_form(&self, items: &[(&'a Item, usize)]) -> Vec<SaidByForm<'a>> {
        let forms = self.labels.forms.iter().zip(&self.labels.project.forms);
        let said = forms.map(|(form, hash)| {
            let of_form = items.iter().filter(|(item, _)| item.kind == form.about);
            let items = of_form.filter_map(|&(item, place)| {
                let ledger = &self.state.annotate.ledger;
                let people = ledger.answers_about(&item.id, *hash);
                let people: BTreeMap<&str, &Answer> =
                    people.map(|(person, answered)| (person, &answered.answer)).collect();
                let settled = ledger.settled(&item.id, *hash);
                let finals = final_answers_about(form, &item.id, Some(&people), &settled);
                let given = ItemAnswers { form, item, place, people };
                let notes: BTreeMap<_, _> =
                    settled.into_iter().map(|(of, settled)| (of, settled.note)).collect();
                // Also what was settled of something that nobody else answers any more.
                let is_said = !(given.people.is_empty() && finals.is_empty());
                is_said.then(|| self.of_item(&given, &finals, &notes))
            });
            SaidByForm { title: words(&form.title), items: items.collect() }
        });
        said.filter(|of_form| !of_form.items.is_empty()).collect()
    }

    fn of_item(
        &self,
        given: &ItemAnswers<'a>,
        finals: &[FinalAnswer],
        why: &BTreeMap<(&str, Option<&str>), &'a str>,
    ) -> SaidOfItem<'a> {
        // Of options that nobody chose there is nothing to say.
        let said = finals.iter().filter(|found| {
            found.option.is_none()
                || found.value.as_deref() != Some("no")
                || found.votes.contains_key("yes")
        });
        let answers = said.filter_map(|found| {
            let key = (found.question.as_str(), found.option.as_deref());
            self.answer(given, found, why.get(&key).copied().unwrap_or_default())
        });
        let others = given.item.models().filter(|_| !self.is_blind);
        SaidOfItem {
            other: others.and_then(|models| models.get(1 - given.place.min(1)).copied()),
            is_pair: given.item.kind == ItemKind::Pair,
            people: given.people.len(),
            answers: answers.collect(),
            notes: self.notes(given),
        }
    }

    fn answer(
        &self,
        given: &ItemAnswers<'a>,
        found: &FinalAnswer,
        why: &'a str,
    ) -> Option<SaidAnswer<'a>> {
        let question = given.form.question(&found.question)?;
        let option = found
            .option
            .as_ref()
            .and_then(|id| question.answer.options().iter().find(|option| option.id == *id));
        let most = found.votes.values().max().copied().unwrap_or(0);
        let votes = found.value.as_ref().and_then(|value| found.votes.get(value));
        let mut by: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (person, answer) in given.people.iter().filter(|_| !self.is_blind) {
            for value in values_of(question, found.option.as_deref(), answer) {
                by.entry(given.value_words(question, &value)).or_default().push(*person);
            }
        }
        // Where all say the same, the answer says it.
        let is_told = by.len() > 1 || found.provenance == Provenance::Adjudicated;
        Some(SaidAnswer {
            asked: option.map_or(words(&question.text), |option| words(&option.text)),
            value: found.value.as_ref().map(|value| given.value_words(question, value)),
            provenance: found.provenance,
            votes: match (&found.value, votes) {
                // Somebody may settle what nobody answered so.
                (Some(_), votes) => votes.copied().unwrap_or(0),
                (None, _) => most,
            },
            of: found.votes.values().sum(),
            why,
            by: if is_told { by.into_iter().collect() } else { Vec::new() },
            places: self.places(given, question, found.option.as_deref()),
        })
    }

    /// Where people saw it, in the run that is looked at.
    fn places(
        &self,
        given: &ItemAnswers<'a>,
        question: &Question,
        option: Option<&str>,
    ) -> Vec<SaidPlace<'a>> {
        let mut found = Vec::new();
        for (person, answer) in &given.people {
            let person = (!self.is_blind).then_some(*person);
            let marks: &[Mark] = match answer.values.get(&question.id) {
                Some(AnswerValue::Marks(marks)) => marks,
                _ => &[],
            };
            let marks = marks.iter().filter(|mark| Some(mark.option.as_str()) == option);
            found.extend(marks.map(|mark| SaidPlace {
                place: &mark.place,
                person,
                severity: mark.severity,
                note: &mark.note,
            }));
            let shown = answer.evidence.get(&question.id).into_iter().flatten();
            found.extend(shown.map(|place| SaidPlace { place, person, severity: None, note: "" }));
        }
        // Of a pair only what was pointed at in this run.
        found.retain(|it| it.place.run.unwrap_or(0) as usize == given.place);
        found.sort_by_key(|it| it.place.step);
        found
    }

    /// What people wrote, and what they ranked: nothing that one final answer could be made of.
    fn notes(&self, given: &ItemAnswers<'a>) -> Vec<SaidNote<'a>> {
        let mut notes = Vec::new();
        for (person, answer) in &given.people {
            let person = (!self.is_blind).then_some(*person);
            for question in &given.form.questions {
                let text = match answer.values.get(&question.id) {
                    Some(AnswerValue::Text(text)) => Cow::from(text),
                    Some(AnswerValue::Ranking(order)) => {
                        Cow::from(given.ranking_words(question, order))
                    }
                    _ => continue,
                };
                notes.push(SaidNote { person, question: Some(words(&question.text)), text });
            }
            if !answer.note.is_empty() {
                let text = Cow::from(&answer.note);
                notes.push(SaidNote { person, question: None, text });
            }
        }
        notes
    }
}

impl ItemAnswers<'_> {
    /// What people call a value: of a pair by which run is looked at.
    fn value_words(&self, question: &Question, value: &str) -> String {
        let said = match &question.answer {
            QuestionKind::Preference { .. } => {
                let mine = [Preferred::First, Preferred::Second].map(Preferred::name);
                match mine.iter().position(|name| *name == value) {
                    Some(which) if which == self.place => "This run",
                    Some(_) => "The other run",
                    None => "Tie",
                }
            }
            _ if value == "yes" => "Yes",
            _ if value == "no" => "No",
            kind => {
                let option = kind.options().iter().find(|option| option.id == value);
                option.map_or(value, |option| words(&option.text))
            }
        };
        said.to_owned()
    }

    fn ranking_words(&self, question: &Question, order: &[String]) -> String {
        let tied = |place: &String| {
            let names = place.split(TIE).map(|id| self.value_words(question, id));
            names.collect::<Vec<_>>().join(" = ")
        };
        order.iter().map(tied).collect::<Vec<_>>().join(" > ")
    }
}

/// The single values somebody gave, as final answers count them.
fn values_of(question: &Question, option: Option<&str>, answer: &Answer) -> Vec<String> {
    let Some(option) = option else {
        return answer.values.get(&question.id).map(AnswerValue::words).unwrap_or_default();
    };
    let chosen = answer.has_option(question, option);
    chosen.map(|chosen| if chosen { "yes" } else { "no" }.to_owned()).into_iter().collect()
}

fn words(text: &FormText) -> &str {
    text.in_language(FALLBACK_LANGUAGE)
}
