//! What there is while a plan goes on (documents, layers, saved files), and what an error of it is: of
//! which class, where, and by whose doing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::graphictown::{Action, Expert};

use super::reader::Stage;

/// Endings of files that the programs write or read.
const FILE_ENDINGS: [&str; 11] =
    ["psd", "ai", "indd", "pdf", "png", "jpg", "jpeg", "svg", "webp", "gif", "tiff"];

/// What there is so far.
#[derive(Debug, Default)]
pub(super) struct PlanState {
    documents: BTreeMap<Expert, Document>,
    /// Saved files by their name without ending.
    files: BTreeMap<String, Maker>,
    /// Files by the first step that will ever save them.
    saved_later: BTreeMap<String, Maker>,
    /// What the user's pictures are called.
    pictures: BTreeSet<String>,
}

/// The open document of one expert.
#[derive(Debug, Default)]
struct Document {
    layers: BTreeMap<String, PlanLayer>,
    /// Layers that were removed, with the step.
    removed: BTreeMap<String, usize>,
    /// Which layer was put at which place.
    places: BTreeMap<String, String>,
    /// Whether it was saved since the last layer was made.
    is_saved: bool,
}

#[derive(Debug)]
struct PlanLayer {
    made_at: usize,
    /// What a text says.
    text: Option<String>,
    /// Where it was put.
    place: Option<String>,
}

/// What an action does to the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StateEffect {
    OpensDocument,
    SavesFile,
    ImportsFile,
    MakesLayer,
    RemovesLayer,
    MovesLayer,
    NeedsLayer,
    NeedsDocument,
}

impl StateEffect {
    fn of(action: &Action) -> Self {
        let takes_layer = action.parameters.iter().any(|parameter| parameter.name == "layerName");
        match action.name.as_str() {
            "CreateDocument" | "CreateDocumentCustom" => Self::OpensDocument,
            "SaveDocument" | "ExportDocument" => Self::SavesFile,
            "ImportObject" => Self::ImportsFile,
            "CreateText" | "GenerateQRObject" => Self::MakesLayer,
            name if name.starts_with("Draw") => Self::MakesLayer,
            name if name.starts_with("Remove") => Self::RemovesLayer,
            name if name.starts_with("Reposition") => Self::MovesLayer,
            _ if takes_layer => Self::NeedsLayer,
            _ => Self::NeedsDocument,
        }
    }
}

impl PlanState {
    /// The state before the first step of a workflow.
    pub(super) fn of(workflow: &Stage, pictures: &[String]) -> Self {
        let mut saved_later = BTreeMap::new();
        for (at, step) in workflow.steps() {
            let saves = matches!(step.action.as_deref(), Some("SaveDocument" | "ExportDocument"));
            let expert = step.expert.as_deref().and_then(Expert::from_name).filter(|_| saves);
            let file = step.parameters.as_ref().and_then(|given| text(given, "fileName"));
            if let Some((expert, file)) = expert.zip(file) {
                let maker = Maker { expert, step: Some(at + 1) };
                // The first step that saves it: that is the one that comes too late.
                saved_later.entry(file_key(&file)).or_insert(maker);
            }
        }
        let pictures = pictures.iter().map(|name| file_key(name)).collect();
        Self { saved_later, pictures, ..Self::default() }
    }

    /// Does a step, or says what of it cannot be.
    pub(super) fn apply(
        &mut self,
        at: usize,
        expert: Expert,
        action: &Action,
        given: &Map<String, Value>,
    ) -> Result<(), PlanError> {
        let effect = StateEffect::of(action);
        if effect == StateEffect::OpensDocument {
            return self.open(at, expert);
        }
        if !self.documents.contains_key(&expert) {
            let error = self.no_document(at, expert);
            // From here on there is one, so that one mistake is counted once.
            self.documents.insert(expert, Document::default());
            self.follow(at, expert, effect, given).ok();
            return Err(error);
        }
        self.follow(at, expert, effect, given)
    }

    /// What follows once there is a document.
    fn follow(
        &mut self,
        at: usize,
        expert: Expert,
        effect: StateEffect,
        given: &Map<String, Value>,
    ) -> Result<(), PlanError> {
        let layer = text(given, "layerName");
        match (effect, layer) {
            (StateEffect::SavesFile, _) => {
                if let Some(file) = text(given, "fileName") {
                    self.files.insert(file_key(&file), Maker { expert, step: Some(at) });
                }
                if let Some(document) = self.documents.get_mut(&expert) {
                    document.is_saved = true;
                }
                Ok(())
            }
            (StateEffect::ImportsFile, layer) => {
                // The layer is there afterwards even if the file is not: one mistake is counted
                // once.
                let imported = self.import(at, expert, given);
                self.make(at, expert, layer.as_deref(), None).and(imported)
            }
            (StateEffect::MakesLayer, layer) => {
                self.make(at, expert, layer.as_deref(), text(given, "textString").as_deref())
            }
            // Without a name the parameters are what is wrong.
            (_, None) | (StateEffect::NeedsDocument | StateEffect::OpensDocument, _) => Ok(()),
            (effect, Some(name)) => {
                self.need_layer(at, expert, &name)?;
                self.change(at, expert, &name, effect, given)
            }
        }
    }

    fn open(&mut self, at: usize, expert: Expert) -> Result<(), PlanError> {
        let before = self.documents.insert(expert, Document::default());
        // What was saved is not lost, and an empty document is no loss.
        let unsaved = before.filter(|document| !document.is_saved);
        let lost = unsaved.map_or(0, |document| document.layers.len());
        if lost == 0 {
            return Ok(());
        }
        let name = expert.name();
        let message =
            format!("a second document of the {name} leaves {lost} unsaved layers behind");
        Err(fault(PlanErrorClass::Inconsistency, at, Some("document"), message))
    }

    fn no_document(&self, at: usize, expert: Expert) -> PlanError {
        // Where somebody else has one open it should have been handed over; else this expert forgot
        // to begin.
        let other = self.documents.keys().next().map(|other| Maker { expert: *other, step: None });
        let class = match other {
            Some(_) => PlanErrorClass::GlobalDependency,
            None => PlanErrorClass::LocalDependency,
        };
        let message = format!("the {} has no open document", expert.name());
        let maker = Some(other.unwrap_or(Maker { expert, step: None }));
        PlanError { maker, ..fault(class, at, Some("document"), message) }
    }

    fn import(
        &self,
        at: usize,
        expert: Expert,
        given: &Map<String, Value>,
    ) -> Result<(), PlanError> {
        let Some(file) = text(given, "fileName") else { return Ok(()) };
        let key = file_key(&file);
        // By the file's name alone: plans name files with and without ending, folder or underlines.
        let is_there = is_address(&file) || self.pictures.contains(&key);
        if is_there || self.files.contains_key(&key) {
            return Ok(());
        }
        let later = self.saved_later.get(&key).copied();
        let other = self.documents.keys().find(|other| **other != expert);
        let other = other.map(|other| Maker { expert: *other, step: None });
        let maker = later.or(other).unwrap_or(Maker { expert, step: None });
        let class = if maker.expert == expert {
            PlanErrorClass::LocalDependency
        } else {
            PlanErrorClass::GlobalDependency
        };
        let message = match later.and_then(|maker| maker.step) {
            Some(step) => format!("the file {file:?} is saved at step {step} only"),
            None => format!("the file {file:?} is no picture of the user's and never saved"),
        };
        Err(PlanError { maker: Some(maker), ..fault(class, at, Some(&file), message) })
    }

    fn make(
        &mut self,
        at: usize,
        expert: Expert,
        name: Option<&str>,
        says: Option<&str>,
    ) -> Result<(), PlanError> {
        let (Some(name), Some(document)) = (name, self.documents.get_mut(&expert)) else {
            return Ok(());
        };
        // A name that was removed and made again is there again.
        document.removed.remove(name);
        document.is_saved = false;
        let layer = PlanLayer { made_at: at, text: says.map(str::to_owned), place: None };
        let before = document.layers.insert(name.to_owned(), layer);
        if let Some(place) = before.as_ref().and_then(|layer| layer.place.as_ref()) {
            document.places.remove(place);
        }
        let before_says = before.as_ref().and_then(|layer| layer.text.as_deref());
        match (before_says.zip(says), before.as_ref()) {
            (Some((old, new)), Some(layer)) if old != new => {
                let made_at = layer.made_at;
                let message =
                    format!("the layer {name:?} says {old:?} since step {made_at}, now {new:?}");
                let maker = Some(Maker { expert, step: Some(made_at) });
                let error = fault(PlanErrorClass::Inconsistency, at, Some(name), message);
                Err(PlanError { maker, ..error })
            }
            _ => Ok(()),
        }
    }

    fn need_layer(&self, at: usize, expert: Expert, name: &str) -> Result<(), PlanError> {
        let document = self.documents.get(&expert);
        if document.is_some_and(|document| document.layers.contains_key(name)) {
            return Ok(());
        }
        // In another expert's document it is a fault of handing over, and else one's own.
        let elsewhere = self.documents.iter().find_map(|(other, document)| {
            let layer = document.layers.get(name)?;
            Some(Maker { expert: *other, step: Some(layer.made_at) })
        });
        let class = match elsewhere {
            Some(_) => PlanErrorClass::GlobalDependency,
            None => PlanErrorClass::LocalDependency,
        };
        let removed = document.and_then(|document| document.removed.get(name));
        let message = match (elsewhere, removed) {
            (_, Some(step)) => format!("the layer {name:?} was removed at step {step}"),
            (Some(Maker { expert: other, .. }), _) => {
                format!("the layer {name:?} is in the document of the {}", other.name())
            }
            (None, None) => format!("there is no layer {name:?}"),
        };
        let maker = Some(elsewhere.unwrap_or(Maker { expert, step: None }));
        Err(PlanError { maker, ..fault(class, at, Some(name), message) })
    }

    fn change(
        &mut self,
        at: usize,
        expert: Expert,
        name: &str,
        effect: StateEffect,
        given: &Map<String, Value>,
    ) -> Result<(), PlanError> {
        let Some(document) = self.documents.get_mut(&expert) else { return Ok(()) };
        match effect {
            StateEffect::RemovesLayer => {
                document.remove(name, at);
                Ok(())
            }
            StateEffect::MovesLayer => match document.put(name, given) {
                None => Ok(()),
                Some(other) => {
                    let message = format!("{name:?} is put where {other:?} is");
                    Err(fault(PlanErrorClass::Inconsistency, at, Some(&other), message))
                }
            },
            _ => Ok(()),
        }
    }
}

impl Document {
    fn remove(&mut self, name: &str, at: usize) {
        let layer = self.layers.remove(name);
        if let Some(place) = layer.and_then(|layer| layer.place) {
            self.places.remove(&place);
        }
        self.removed.insert(name.to_owned(), at);
    }

    /// Puts a layer to a place; says who is there already.
    fn put(&mut self, name: &str, given: &Map<String, Value>) -> Option<String> {
        let (x, y) = (given.get("posX")?, given.get("posY")?);
        let place = format!("{x} {y}");
        let layer = self.layers.get_mut(name)?;
        // The place it leaves is free, unless another layer was put there since.
        if let Some(before) = layer.place.replace(place.clone())
            && self.places.get(&before).is_some_and(|there| there == name)
        {
            self.places.remove(&before);
        }
        let there = self.places.insert(place, name.to_owned());
        there.filter(|other| other != name)
    }
}

fn text(given: &Map<String, Value>, key: &str) -> Option<String> {
    given.get(key)?.as_str().map(str::to_owned)
}

/// Whether a file is named by an address of the network, which only the user's pictures are.
fn is_address(file: &str) -> bool {
    let file = file.trim();
    file.starts_with("http://") || file.starts_with("https://")
}

/// A file's name as it is looked up: without folder and ending, letters and digits alone, small.
fn file_key(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).trim().to_lowercase();
    let stem = match name.rsplit_once('.') {
        Some((stem, ending)) if FILE_ENDINGS.contains(&ending) => stem,
        _ => &name,
    };
    stem.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Most characters of a message; one that is cut ends in `…`.
pub(super) const LONGEST: usize = 600;

/// The classes of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanErrorClass {
    /// The workflow or the step cannot be read.
    Format,
    /// No such expert.
    InvalidExpert,
    /// No such action, or not of this expert.
    InvalidAction,
    /// Parameters missing, too many, of the wrong type or out of range.
    InvalidParameters,
    /// Needs what the same expert did not make.
    LocalDependency,
    /// Needs what another expert made, makes later or should have handed over.
    GlobalDependency,
    /// Contradicts an earlier step.
    Inconsistency,
}

impl PlanErrorClass {
    /// All classes, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Format,
        Self::InvalidExpert,
        Self::InvalidAction,
        Self::InvalidParameters,
        Self::LocalDependency,
        Self::GlobalDependency,
        Self::Inconsistency,
    ];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::InvalidExpert => "invalid expert",
            Self::InvalidAction => "invalid action",
            Self::InvalidParameters => "invalid parameters",
            Self::LocalDependency => "local dependency",
            Self::GlobalDependency => "global dependency",
            Self::Inconsistency => "inconsistency",
        }
    }
}

/// An error of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Its class.
    pub class: PlanErrorClass,
    /// At which item of the workflow, from 1; `None` for the whole of it.
    pub step: Option<usize>,
    /// What happened, to what, and who should have done what; what it quotes may be cut.
    pub message: String,
    /// The layer, file, action … it is about.
    pub object: Option<String>,
    /// Who made it, makes it, or should have.
    pub maker: Option<Maker>,
}

/// Who made something, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Who.
    pub expert: Expert,
    /// At which item of the workflow, from 1; `None` if he never did.
    pub step: Option<usize>,
}

pub(super) fn fault(
    class: PlanErrorClass,
    at: usize,
    object: Option<&str>,
    message: impl Into<String>,
) -> PlanError {
    let object = object.map(|name| cut(name.to_owned()));
    PlanError { class, step: Some(at), message: cut(message.into()), object, maker: None }
}

/// A model may name or quote anything at any length.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
