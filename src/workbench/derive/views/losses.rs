//! Where the loss or the saliency is: areas of the heat, each with the nodes that lie there and the call that changed
//! them last.

use crate::base::Rect;
use crate::design::NodeId;
use crate::metric::{LossArea, MOST_LOSS_AREAS, MapKind};
use crate::workbench::model::{
    Fetched, LossAreas, NodeBox, NodeRef, NodeSide, PictureKey, StagePicture, State,
};

use super::history_of;

/// Most areas that are listed.
const LISTED: usize = 6;
/// A node that shares less of itself and the area than this is not what lies there.
const LEAST_OVERLAP: f64 = 0.08;

/// An area of the heat.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss<'a> {
    /// How much of all difference lies in it, 0 ..= 1.
    pub share: f64,
    /// Where, as a fraction of the picture: left, top, width, height.
    pub place: Rect,
    /// What lies there in the run.
    pub node: Option<&'a NodeBox>,
    /// What lies there in the ground truth.
    pub truth: Option<&'a NodeBox>,
    /// The call that changed the run's node last: its step and its tool.
    pub call: Option<(u32, &'a str)>,
}

impl Loss<'_> {
    /// The node to select: that of the run, or where there is none that of the ground truth.
    pub fn node_ref(&self) -> Option<NodeRef> {
        let (side, node) = match (self.node, self.truth) {
            (Some(node), _) => (NodeSide::Canvas, node),
            (None, Some(node)) => (NodeSide::GroundTruth, node),
            (None, None) => return None,
        };
        Some(NodeRef { side, id: NodeId::from(node.id.as_str()) })
    }
}

/// Why the areas of the heat on the stage could not be told apart, if so.
pub fn why_no_losses(state: &State) -> Option<&str> {
    match state.derived.losses.get(&state.loss_key()?)? {
        Fetched::Failed(why) => Some(why),
        Fetched::Ready(_) | Fetched::Pending => None,
    }
}

/// The areas of the heat on the stage that are listed, those with the most difference first; `None` while they are not
/// known.
pub fn losses(state: &State) -> Option<Vec<Loss<'_>>> {
    first_losses(state, LISTED)
}

/// All of them that were told apart, for a table that leaves none out: at most [`MOST_LOSS_AREAS`].
pub(in crate::workbench) fn all_losses(state: &State) -> Option<Vec<Loss<'_>>> {
    first_losses(state, MOST_LOSS_AREAS)
}

fn first_losses(state: &State, most: usize) -> Option<Vec<Loss<'_>>> {
    let key = state.loss_key()?;
    let areas = state.derived.losses.ready(&key)?;
    let run = state.ready_picture(&PictureKey::Step(key.map.run, key.map.step));
    let truth = state.ground_truth_key().and_then(|key| state.ready_picture(&key));
    // Where people look at one side alone, only its nodes are meant.
    let run = run.filter(|_| key.map.kind != MapKind::GroundTruth);
    let truth = truth.filter(|_| key.map.kind != MapKind::Generated);
    let listed = areas.areas.iter().take(most);
    Some(
        listed
            .map(|area| loss(state, areas, area, [run.map(|it| &**it), truth.map(|it| &**it)]))
            .collect(),
    )
}

fn loss<'a>(
    state: &'a State,
    areas: &LossAreas,
    LossArea { area, share }: &LossArea,
    [run, truth]: [Option<&'a StagePicture>; 2],
) -> Loss<'a> {
    let [width, height] = areas.size.map(f64::from);
    let place =
        Rect::new(area.x / width, area.y / height, area.width / width, area.height / height);
    let node = run.and_then(|picture| node_at(picture, place));
    let truth = truth.and_then(|picture| node_at(picture, place));
    let call = node.and_then(|node| last_call(state, node));
    Loss { share: *share, place, node, truth, call }
}

/// The node whose box is nearest to a place: shares the most with it of what both take together.
fn node_at(picture: &StagePicture, place: Rect) -> Option<&NodeBox> {
    let (width, height) = (f64::from(picture.pixels.width()), f64::from(picture.pixels.height()));
    let place =
        Rect::new(place.x * width, place.y * height, place.width * width, place.height * height);
    let nodes = picture.nodes.iter().map(|node| (overlap(node.pixel_box, place), node));
    // Of equal ones the last: it lies on top.
    let (overlap, best) = nodes.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (overlap >= LEAST_OVERLAP).then_some(best)
}

/// What two share of what they take together.
fn overlap(one: Rect, other: Rect) -> f64 {
    let both = one.intersection(other).map_or(0.0, Rect::area);
    both / (one.area() + other.area() - both)
}

fn last_call<'a>(state: &'a State, node: &NodeBox) -> Option<(u32, &'a str)> {
    let node = NodeRef { side: NodeSide::Canvas, id: NodeId::from(node.id.as_str()) };
    let step = history_of(state, &node)?.changed;
    let at = (step as usize).checked_sub(1)?;
    let call = state.selected_run()?.loaded.as_ref()?.steps.get(at)?.call.as_ref()?;
    Some((step, &call.name))
}
