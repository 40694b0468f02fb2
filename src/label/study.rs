//! How a study is run: what comes before the first item, and what is decided of the study itself.
//!
//! All of it are events about no item ([`ItemId::study`]). Agreeing names the hash of the text that was agreed
//! to, so that another text is asked about anew. Of withdrawing one event stays, by which what a copy brings of
//! that person is kept out. Revealing cannot be taken back: who saw a name has seen it.

use std::collections::BTreeSet;

use super::event::{Act, Answered, Event};
use super::form::Form;
use super::item::{Item, ItemId, ItemRole};
use super::ledger::{CellKey, Ledger};
use super::people::{Share, is_as_known, known_answer};
use super::project::{PassMark, Project};

/// The hash of a text that is agreed to, as 32 hex digits.
pub fn text_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

/// Whether somebody labels, by what they answered of the qualification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualification {
    /// The project has none.
    NotAsked,
    /// Not all of it is answered.
    Open,
    /// Enough of it is answered as is known.
    Passed(Share),
    /// Too little is.
    Failed(Share),
    /// Too little is, and whoever leads the study lets them label.
    LetOn(Share),
}

impl Qualification {
    /// Whether the items behind the qualification are asked.
    pub fn lets_label(self) -> bool {
        matches!(self, Self::NotAsked | Self::Passed(_) | Self::LetOn(_))
    }

    /// Answers that are as is known, of all; `None` while that is not known.
    pub fn share(self) -> Option<Share> {
        match self {
            Self::NotAsked | Self::Open => None,
            Self::Passed(share) | Self::Failed(share) | Self::LetOn(share) => Some(share),
        }
    }

    /// What reports call it; empty where none is asked.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAsked => "",
            Self::Open => "open",
            Self::Passed(_) => "passed",
            Self::Failed(_) => "failed",
            Self::LetOn(_) => "let on",
        }
    }
}

/// How far somebody is with the qualification. In a packet nothing is known of it: what is behind it is packed
/// for who has passed.
pub fn qualification(
    project: &Project,
    forms: &[Form],
    items: &[Item],
    ledger: &Ledger,
    person: &str,
) -> Qualification {
    let asked = items.iter().filter(|item| item.role == ItemRole::Qualification);
    let mut share = Share::default();
    let (mut is_asked, mut is_whole) = (false, true);
    // An empty loop for a packet leaves `is_asked` false: nobody can be held up by what was not packed.
    for item in asked.filter(|_| project.packet.is_none()) {
        for form in forms.iter().filter(|form| known_answer(form, item).is_some()) {
            is_asked = true;
            let key = CellKey::new(&item.id, form.hash(), person);
            match ledger.answer(&key).and_then(|it| is_as_known(form, item, &it.answer)) {
                Some(is_right) => share.count(is_right),
                // One open item is enough to wait, however many are right already.
                None => is_whole = false,
            }
        }
    }
    let mark = project.study.pass_mark.unwrap_or(PassMark::ALL);
    // Whoever answered all is judged by his answers first; being let on helps only who would fail.
    match (is_asked, is_whole) {
        (false, _) => Qualification::NotAsked,
        // Whoever is let on waits for nothing.
        (true, false) if ledger.is_let_on(person) => Qualification::LetOn(share),
        (true, false) => Qualification::Open,
        (true, true) if mark.is_reached(share.hits, share.of) => Qualification::Passed(share),
        (true, true) if ledger.is_let_on(person) => Qualification::LetOn(share),
        (true, true) => Qualification::Failed(share),
    }
}

/// What somebody looks at a project for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// To label.
    Labels,
    /// To see what others answered, and to settle what they differ on.
    Reviews,
}

/// Whether names, scores and costs are kept from somebody: of a blind project from whoever labels, always, and
/// from whoever reviews until who made what was revealed.
pub fn is_blind(project: &Project, ledger: &Ledger, audience: Audience) -> bool {
    let is_revealed = audience == Audience::Reviews && ledger.revealed().is_some();
    project.queue.is_blind && !is_revealed
}

/// Whether names were kept from who gave an answer: in a blind project, until who made what was revealed.
/// Whoever had not heard of that may have answered blind after it, and counts as if they had.
pub fn was_blind(project: &Project, revealed: Option<&Event>, answer: &Event) -> bool {
    project.queue.is_blind && revealed.is_none_or(|revealed| answer.order() < revealed.order())
}

impl Ledger {
    /// Whether somebody agreed to this text.
    pub fn has_consented(&self, person: &str, text: &str) -> bool {
        let hash = text_hash(text);
        let mut mine = self.of_study().into_iter().filter(|event| event.person == person);
        mine.any(|event| matches!(&event.act, Act::Consented { text } if *text == hash))
    }

    /// Whether whoever leads the study lets somebody label who failed the qualification.
    pub fn is_let_on(&self, person: &str) -> bool {
        let mut all = self.of_study().into_iter();
        all.any(|event| matches!(&event.act, Act::LetOn { person: whom } if whom == person))
    }

    /// What revealed who made what: the first of them, if there are several.
    pub fn revealed(&self) -> Option<&Event> {
        self.of_study().into_iter().find(|event| event.act == Act::Revealed)
    }

    /// Who no longer takes part, with when, by name; of several times the first.
    pub fn withdrawals(&self) -> Vec<&Event> {
        let mut seen = BTreeSet::new();
        let all = self.of_study().into_iter().filter(|event| event.act == Act::Withdrawn);
        let mut first: Vec<&Event> = all.filter(|event| seen.insert(&event.person)).collect();
        first.sort_unstable_by_key(|event| &event.person);
        first
    }

    /// What somebody answered about themselves.
    pub fn survey(&self, project: &Project, person: &str) -> Option<&Answered> {
        let form = project.study.pre_survey?;
        self.answer(&CellKey::new(&ItemId::study(), form, person))
    }
}
