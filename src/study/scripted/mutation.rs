//! A start that is the ground truth, changed in a few places, each of which one call can heal.

use serde_json::{Value, json};

use super::healing::{Field, HealingStep, color_json, fill_of, healing_steps, value_of};
use crate::base::{CancelToken, Rgba};
use crate::design::goal::SameNodes;
use crate::design::{Document, Node, NodeId};
use crate::environment::{Environment, OpenEnvironment, StartError, StartState, ToolCall};
use crate::study::chance::Chance;
use crate::study::distance::{difference, distance};

/// A start, and what it should become.
#[derive(Clone, Debug)]
pub struct ChangedStart {
    /// The start, to be opened.
    pub start: StartState,
    /// What it should become: of the same nodes, by id.
    pub truth: Document,
    /// How far it is from that.
    pub distance: f64,
    /// In how many places it differs.
    pub changes: u32,
}

/// Why there is no such start.
#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    /// The ground truth cannot be opened.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The environment has no vector design.
    #[error("its environment has no vector design")]
    NoDesign,
    /// Written and read again, it differs elsewhere, too.
    #[error("written to a file and read again, the changed design differs in other places")]
    NotKept,
    /// No place of it can be changed and healed by one call.
    #[error("none of its nodes can be changed and changed back by one call")]
    NothingToChange,
}

/// Changes a ground truth in so many places, or in as many as there are: chance says where and how, the environment's
/// own tools do it, and each is tried to be healed before it counts.
///
/// # Errors
///
/// [`MutationError`].
pub fn changed_start(
    truth: &StartState,
    changes: u32,
    open_environment: &OpenEnvironment,
    chance: &mut Chance,
) -> Result<ChangedStart, MutationError> {
    // Written and read once: the start will be too, and only what is changed may then differ.
    let written = open_environment(truth)?.document_json();
    let truth = StartState { document: Some(written), ..truth.clone() };
    let mut environment = open_environment(&truth)?;
    let design = environment.design().ok_or(MutationError::NoDesign)?;
    let mut places: Vec<(NodeId, Field)> = design
        .iter_depth_first()
        .filter(|node| node.parent.is_some() && node.visible)
        .flat_map(|node| Field::ALL.map(|field| (node.id.clone(), field)))
        .collect();
    chance.shuffle(&mut places);
    let mut made = 0;
    // One change a node: what a participant sees is then one thing at a place.
    let mut used: Vec<NodeId> = Vec::new();
    for (id, field) in places {
        if made >= changes {
            break;
        }
        if used.contains(&id) {
            continue;
        }
        let Some(step) = mutation(&design, &id, field, chance) else { continue };
        if try_out(&mut *environment, &design, &step, made) {
            made += 1;
            used.push(id);
        }
    }
    if made == 0 {
        return Err(MutationError::NothingToChange);
    }
    let start = StartState { document: Some(environment.document_json()), ..truth };
    let reopened = open_environment(&start)?;
    let left = open_changes(&*reopened, &design);
    if left.is_none_or(|(changes, steps)| changes != made as usize || steps.len() != changes) {
        return Err(MutationError::NotKept);
    }
    let reopened = reopened.design().ok_or(MutationError::NoDesign)?;
    let distance = distance(&reopened, &design, SameNodes::ById);
    Ok(ChangedStart { start, distance, truth: design, changes: made })
}

/// Makes the change if it is one change, and one call takes it back; else leaves everything as it was.
fn try_out(
    environment: &mut dyn Environment,
    truth: &Document,
    step: &HealingStep,
    made: u32,
) -> bool {
    let before = environment.snapshot();
    let is_made = called(environment, step)
        && open_changes(environment, truth).is_some_and(|(changes, steps)| {
            // Exactly one more, and it can be named: nothing else moved along with it.
            changes == made as usize + 1 && steps.len() == changes
        });
    let changed = environment.snapshot();
    let is_healed = is_made
        && open_changes(environment, truth).is_some_and(|(_, steps)| {
            let back = steps.iter().find(|it| it.node == step.node && it.field == step.field);
            back.is_some_and(|back| called(environment, back))
        })
        && open_changes(environment, truth).is_some_and(|(changes, _)| changes == made as usize);
    environment.restore(if is_healed { &changed } else { &before });
    is_healed
}

fn called(environment: &mut dyn Environment, step: &HealingStep) -> bool {
    let (name, arguments) = step.call();
    let call = ToolCall { id: "mutation".to_owned(), name: name.to_owned(), arguments };
    !environment.call(&call, &CancelToken::default()).is_error()
}

/// How many single changes are open, and the steps that heal them.
fn open_changes(
    environment: &dyn Environment,
    truth: &Document,
) -> Option<(usize, Vec<HealingStep>)> {
    let now = environment.design()?;
    let open = difference(&now, truth);
    let changes = open.nodes.iter().map(|node| node.changes.len()).sum();
    Some((changes, healing_steps(&now, truth, &open)))
}

/// Another value for a field of a node; `None` where it has none that would be seen.
fn mutation(
    truth: &Document,
    id: &NodeId,
    field: Field,
    chance: &mut Chance,
) -> Option<HealingStep> {
    let node = truth.get(id)?;
    let from = value_of(truth, node, field)?;
    let to = match field {
        Field::Place => {
            let [x, y] = ["x", "y"].map(|axis| from[axis].as_f64().unwrap_or_default());
            // A multiple of four, as designers move things; never nowhere.
            let by =
                4.0 * (2 + chance.below(8)) as f64 * if chance.happens(0.5) { 1.0 } else { -1.0 };
            let along = chance.happens(0.5);
            json!({"x": x + if along { by } else { 0.0 }, "y": y + if along { 0.0 } else { by }})
        }
        Field::Size => {
            // What holds others would change them, too, and texts their lines.
            if !node.children.is_empty() || node.text().is_some() {
                return None;
            }
            let by = 1.25 + chance.share() / 2.0;
            let (width, height) = (node.size.width, node.size.height);
            (width >= 8.0 && height >= 8.0)
                .then(|| json!({"width": (width * by).round(), "height": height}))?
        }
        Field::Words => json!(other_words(node)?),
        Field::Fill => {
            let color = fill_of(node)?;
            color_json(other_color(color, chance))
        }
        Field::Opacity => json!(if node.opacity > 0.7 { 0.4 } else { 1.0 }),
        Field::Corners => {
            let radius = node.corner_radii.as_uniform()?;
            json!(radius + 8.0)
        }
    };
    Some(HealingStep { node: id.clone(), field, from, to })
}

/// The words in another order, or one word without its last letter.
fn other_words(node: &Node) -> Option<String> {
    let characters = &node.text()?.characters;
    let words: Vec<&str> = characters.split_whitespace().collect();
    let other = match words.as_slice() {
        [] => return None,
        [word] => {
            let letters: Vec<char> = word.chars().collect();
            let (_, kept) = letters.split_last().filter(|(_, kept)| !kept.is_empty())?;
            kept.iter().collect()
        }
        words => words.iter().rev().copied().collect::<Vec<&str>>().join(" "),
    };
    (other != *characters).then_some(other)
}

/// A colour that nobody takes for this one.
fn other_color(color: Rgba, chance: &mut Chance) -> Rgba {
    let palette = [
        Rgba::from_u8([0xD6, 0x3B, 0x2F, 0xFF]),
        Rgba::from_u8([0x1B, 0x4D, 0xFF, 0xFF]),
        Rgba::from_u8([0x2E, 0x8B, 0x3D, 0xFF]),
        Rgba::from_u8([0xF2, 0xB1, 0x34, 0xFF]),
    ];
    let far = palette.into_iter().filter(|other| {
        (other.r - color.r).abs() + (other.g - color.g).abs() + (other.b - color.b).abs() > 0.6
    });
    let far: Vec<Rgba> = far.collect();
    // At least one of four primary colours is far from any colour.
    far.get(chance.below(far.len())).copied().unwrap_or(palette[0]).with_alpha(color.a)
}

/// A wrong value in the place of a right one: near to it, as a slip is.
pub(super) fn slip(step: &HealingStep, chance: &mut Chance) -> Option<HealingStep> {
    // As a hand slips: by little, so that it is seen at the check and not at once.
    let near = |value: &Value| value.as_f64().map(|value| value + 3.0);
    let to = match step.field {
        Field::Place => {
            json!({"x": near(&step.to["x"])?, "y": step.to["y"]})
        }
        Field::Size => json!({"width": near(&step.to["width"])?, "height": step.to["height"]}),
        Field::Words => json!(format!("{}.", step.to.as_str()?)),
        Field::Fill => {
            let channel = |name: &str| step.to[name].as_f64().unwrap_or_default();
            let color = Rgba::new(channel("r"), channel("g"), channel("b"), channel("a"));
            color_json(other_color(color, chance))
        }
        Field::Opacity => {
            let value = step.to.as_f64()?;
            json!(if value > 0.5 { value - 0.1 } else { value + 0.1 })
        }
        Field::Corners => json!(near(&step.to)?),
    };
    Some(HealingStep { to, ..step.clone() })
}
