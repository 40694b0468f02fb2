//! What of the ground truth all runs have, and what none has.

use crate::base::{CancelToken, Cancelled};
use crate::design::diff::{Pairing, pair_by_content_until};
use crate::design::{Document, NodeId};
use crate::evaluate::canvas::score_picture;
use crate::evaluate::compared::ComparedSide;
use crate::metric::{LossArea, ScalarMap, loss_areas};

use super::trace::RunTrace;

/// A node of the ground truth, and which runs have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsensusNode {
    /// Which node.
    pub id: NodeId,
    /// What it is called there.
    pub name: String,
    /// Its type, as Figma has it.
    pub kind: String,
    /// By run: whether a node of it is paired with this one, as in the list of nodes.
    pub had_by: Vec<bool>,
}

/// What of the ground truth runs have at their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Consensus {
    /// The nodes of the ground truth in paint order, or why they cannot be told.
    pub nodes: Result<Vec<ConsensusNode>, String>,
    /// Where no run looks as it should, or why that cannot be told.
    pub areas: Result<MissedByAll, String>,
}

/// Where no run looks as it should.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissedByAll {
    /// The areas in pixels of the ground truth, those with the most difference first.
    pub areas: Vec<LossArea>,
    /// The size of the ground truth in pixels.
    pub size: [u32; 2],
    /// How much of the picture all runs have, 0 ..= 1: nowhere there does any differ by the threshold.
    pub had_by_all: f64,
    /// How much of it some runs have and some do not, 0 ..= 1.
    pub had_by_some: f64,
}

/// What of `truth` these runs have at their ends. Nodes are paired by content; pictures are compared by
/// the map of SSIM (`ssim/uniform7`), of which 1 − SSIM from `threshold` on is a difference.
///
/// # Errors
///
/// [`Cancelled`].
pub fn consensus(
    traces: &[&RunTrace],
    truth: &ComparedSide,
    threshold: f32,
    cancel: &CancelToken,
) -> Result<Consensus, Cancelled> {
    Ok(Consensus {
        nodes: nodes(traces, truth, cancel)?,
        areas: areas(traces, truth, threshold, cancel)?,
    })
}

fn nodes(
    traces: &[&RunTrace],
    truth: &ComparedSide,
    cancel: &CancelToken,
) -> Result<Result<Vec<ConsensusNode>, String>, Cancelled> {
    let Some(design) = &truth.design else {
        let why = truth.no_design.as_deref().unwrap_or("the ground truth has no document");
        return Ok(Err(why.to_owned()));
    };
    let mut pairings = Vec::with_capacity(traces.len());
    for trace in traces {
        let Some(made) = &trace.end.design else {
            return Ok(Err("not every run has a document".to_owned()));
        };
        pairings.push(pair_by_content_until(design, made, cancel)?);
    }
    Ok(Ok(nodes_of(design, &pairings)))
}

fn nodes_of(design: &Document, pairings: &[Pairing]) -> Vec<ConsensusNode> {
    let nodes = design.iter_depth_first().filter(|node| !node.kind.is_file_or_page());
    nodes
        .map(|node| ConsensusNode {
            id: node.id.clone(),
            name: node.name.clone(),
            kind: node.kind.type_name().to_owned(),
            had_by: pairings.iter().map(|pairing| pairing.after(&node.id).is_some()).collect(),
        })
        .collect()
}

fn areas(
    traces: &[&RunTrace],
    truth: &ComparedSide,
    threshold: f32,
    cancel: &CancelToken,
) -> Result<Result<MissedByAll, String>, Cancelled> {
    // Two results: to be cancelled is no finding, but not to be comparable is one that people read.
    let Some(wanted) = &truth.picture else {
        let why = truth.no_picture.as_deref().unwrap_or("the task has no picture to compare with");
        return Ok(Err(why.to_owned()));
    };
    let mut all: Option<Extremes> = None;
    for trace in traces {
        cancel.check()?;
        let Some(made) = &trace.end.picture else {
            return Ok(Err("not every run has a picture at its end".to_owned()));
        };
        let measured = score_picture(wanted, made, cancel);
        let Some(map) = measured.map() else {
            return Ok(Err("the pictures are too small to be compared".to_owned()));
        };
        // The pictures are gone through one by one, so that memory does not grow with the number of runs.
        let size = [wanted.width(), wanted.height()];
        match &mut all {
            None => all = Some(Extremes::of(map, size)),
            Some(all) => all.take_in(map),
        }
    }
    cancel.check()?;
    let Some(all) = all else { return Ok(Err("there is no run".to_owned())) };
    Ok(Ok(all.missed(threshold)))
}

/// By pixel how far the best and the worst run is from the ground truth.
struct Extremes {
    size: [u32; 2],
    least: Vec<f32>,
    most: Vec<f32>,
}

impl Extremes {
    fn of(map: &ScalarMap, size: [u32; 2]) -> Self {
        let differences: Vec<f32> = differences(map, size).collect();
        Self { size, least: differences.clone(), most: differences }
    }

    fn take_in(&mut self, map: &ScalarMap) {
        let extremes = self.least.iter_mut().zip(&mut self.most);
        for ((least, most), difference) in extremes.zip(differences(map, self.size)) {
            *least = least.min(difference);
            *most = most.max(difference);
        }
    }

    fn missed(&self, threshold: f32) -> MissedByAll {
        let areas = loss_areas(&self.least, self.size[0] as usize, threshold);
        let pixels = self.most.len().max(1) as f64;
        let below = |values: &[f32]| values.iter().filter(|it| **it < threshold).count() as f64;
        let (had_by_all, had_by_any) = (below(&self.most), below(&self.least));
        MissedByAll {
            areas,
            size: self.size,
            had_by_all: had_by_all / pixels,
            had_by_some: (had_by_any - had_by_all) / pixels,
        }
    }
}

/// How far a run is from the ground truth at each pixel of it, row by row: the map of a smaller picture is of that
/// picture's size, and its nearest value counts.
fn differences(map: &ScalarMap, [width, height]: [u32; 2]) -> impl Iterator<Item = f32> {
    (0..height).flat_map(move |y| {
        (0..width).map(move |x| {
            let [x, y] =
                [(x, map.width, width), (y, map.height, height)].map(|(at, there, here)| {
                    (u64::from(at) * u64::from(there) / u64::from(here)) as u32
                });
            difference(map.get(x, y).unwrap_or(f32::NAN))
        })
    })
}

/// How far a value of a map of SSIM is from the same, 0 ..= 1; what is opposite is no further than what has
/// nothing in common.
fn difference(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { (1.0 - value).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Pixels;
    use crate::evaluate::alignment::RunEnd;

    /// A white picture whose lower half is black, or white as well.
    fn picture(side: u32, is_black_below: bool) -> Pixels {
        let below = if is_black_below { 0 } else { 255 };
        let rows = (0..side).map(|y| if y < side / 2 { 255 } else { below });
        let rgba = rows.flat_map(|grey| [grey, grey, grey, 255].repeat(side as usize));
        Pixels::from_rgba(side, side, rgba.collect()).unwrap()
    }

    fn run(picture: Pixels) -> RunTrace {
        RunTrace { end: RunEnd { picture: Some(picture), design: None }, ..RunTrace::default() }
    }

    #[test]
    fn runs_of_different_sizes_are_told_of_by_the_places_of_the_ground_truth() {
        let truth = ComparedSide { picture: Some(picture(64, true)), ..ComparedSide::default() };
        let missed = |sides: [u32; 2]| {
            let runs = sides.map(|side| run(picture(side, false)));
            let found = consensus(&runs.each_ref(), &truth, 0.5, &CancelToken::default()).unwrap();
            found.areas.unwrap()
        };
        let (alike, apart) = (missed([64, 64]), missed([64, 32]));
        assert_eq!(apart.size, [64, 64]);
        // Whichever size: both runs lack the lower half, and have the upper one.
        for found in [&alike, &apart, &missed([32, 64])] {
            assert_eq!(found.areas.len(), 1, "{found:?}");
            let area = found.areas[0].area;
            assert!(area.y >= 24.0 && area.bottom() > 60.0 && area.width > 60.0, "{found:?}");
            assert!((0.3..0.55).contains(&found.had_by_all), "{found:?}");
            assert!(found.had_by_some < 0.1, "{found:?}");
        }
    }
}
