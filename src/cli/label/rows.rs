//! What answers are read into and written from.

use std::collections::BTreeMap;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::label::{Act, Answered, CellKey, Event, Form, Item, ItemId, Ledger};
use crate::store::labels::{EvidenceSlot, LabelFile};

/// Rows of another program's file.
#[derive(Default)]
pub(super) struct ForeignRows {
    /// The answers, with where each stands.
    pub(super) rows: Vec<(String, Map<String, Value>)>,
    /// Answers that were cancelled, rejected or ignored there.
    pub(super) left_out: usize,
}

/// The answers to one form, by what they are about.
pub(super) fn by_item<'s>(
    form: &Form,
    answers: &'s [Standing<'_>],
) -> BTreeMap<&'s ItemId, Vec<&'s Standing<'s>>> {
    let mut by_item: BTreeMap<&ItemId, Vec<&Standing<'_>>> = BTreeMap::new();
    let hash = form.hash();
    for one in answers.iter().filter(|one| one.key.form == hash) {
        by_item.entry(&one.key.item).or_default().push(one);
    }
    by_item
}

/// An answer that stands.
pub(super) struct Standing<'a> {
    /// Whose, about what.
    pub(super) key: &'a CellKey,
    /// What gave it.
    pub(super) event: &'a Event,
    /// What it is.
    pub(super) answered: &'a Answered,
}

impl<'a> Standing<'a> {
    /// All answers that stand, in the order they were given.
    pub(super) fn all(ledger: &'a Ledger) -> Vec<Self> {
        let standing = ledger.cell_keys().filter_map(|key| {
            let event = ledger.event(ledger.cell(key).answer?)?;
            match &event.act {
                Act::Answered(answered) => Some(Self { key, event, answered }),
                _ => None,
            }
        });
        let mut standing: Vec<Self> = standing.collect();
        standing.sort_unstable_by_key(|one| one.event.order());
        standing
    }
}

/// The candidates of an item with their pictures as URLs that hold them, in the order of their ids: hashes, which say
/// nothing of who made them, where the item's own order is that of their names.
pub(super) fn candidate_pictures<'a>(
    item: &'a Item,
    file: &LabelFile,
) -> anyhow::Result<Vec<(&'a str, String)>> {
    let mut pictures = Vec::with_capacity(item.candidates.len());
    for (place, id) in (0u8..).zip(&item.candidates) {
        let png = file.picture(&item.id, EvidenceSlot::Candidate(place))?;
        let png =
            png.with_context(|| format!("the picture of candidate {id} is not in the file"))?;
        pictures.push((id.as_str(), data_url(&png)));
    }
    pictures.sort_unstable_by_key(|(id, _)| *id);
    Ok(pictures)
}

/// A PNG as an URL that holds it.
pub(super) fn data_url(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png))
}

/// The form of this name, or the only one.
pub(super) fn form_named<'a>(forms: &'a [Form], id: Option<&str>) -> anyhow::Result<&'a Form> {
    let found = match (id, forms) {
        (None, [only]) => Some(only),
        (None, _) => None,
        (Some(id), _) => forms.iter().find(|form| form.id == id),
    };
    found.with_context(|| {
        let names: Vec<&str> = forms.iter().map(|form| form.id.as_str()).collect();
        let names = names.join(", ");
        match id {
            None => format!("say which form, by --form: {names}"),
            Some(id) => format!("the project has no form {id:?}, it has {names}"),
        }
    })
}
