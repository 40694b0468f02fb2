//! A saliency network from an ONNX file that the user names.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::base::Pixels;
use crate::metric::plane::{Plane, rgb_planes};
use crate::metric::saliency::SaliencyPredictor;
use crate::metric::{MissingScore, ScalarMap};

use super::ModelError;
use super::lazy::{FileHash, Lazy};
use super::network::{Input, Network, Output, Samples};

/// Side of the square that the network sees where the file does not say, in pixels.
const SIDE: usize = 256;
/// Largest side that a file may ask for, in pixels.
const MAX_SIDE: usize = 2048;
/// Means of blue, green and red that are taken off, as the network was trained.
const MEANS_BGR: [f32; 3] = [103.939, 116.779, 123.68];

/// The file of a saliency network (`assets/models/README.md` says how to make it).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaliencyFile {
    /// The network's name, as it stands in the variant, such as `umsi++`.
    pub name: String,
    /// The ONNX file.
    pub network: PathBuf,
}

/// A network that predicts where people look, loaded when it is first needed.
///
/// The picture is given as UMSI++ takes it: blue, green and red without alpha, squashed to a square
/// of 256 pixels (or what the file asks for), the means taken off. Samples are given with the
/// channels last, or first if the file's input asks for that. The first output of rank 3 or 4 with
/// one channel is the map, of whatever size the network makes it.
///
/// Source: kixlab/canvas, evaluation/visual_saliency/core.py; YueJiang-nj/UEyes-CHI2023.
#[derive(Debug)]
pub struct SaliencyNetwork {
    name: String,
    hash: FileHash,
    loaded: Lazy<LoadedSaliency>,
}

struct LoadedSaliency {
    network: Network,
    input: String,
    output: String,
    layout: Layout,
    /// Height and width that the network sees.
    size: [usize; 2],
}

/// Where the channels are in the network's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    ChannelsLast,
    ChannelsFirst,
}

impl SaliencyNetwork {
    /// The network in this file, which is not looked at yet.
    pub fn new(file: SaliencyFile) -> Self {
        let SaliencyFile { name, network } = file;
        let name = name.replace(['/', ' '], "-").to_lowercase();
        let hash = FileHash::new(vec![network.clone()]);
        Self {
            name,
            hash,
            loaded: Lazy::new(move || LoadedSaliency::open(Network::open(&network)?)),
        }
    }
}

impl SaliencyPredictor for SaliencyNetwork {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> Option<String> {
        Some(self.hash.get().to_owned())
    }

    fn predict(&self, picture: &Pixels) -> Result<ScalarMap, MissingScore> {
        Ok(self.loaded.get()?.predict(picture)?)
    }
}

impl LoadedSaliency {
    fn open(network: Network) -> Result<Self, ModelError> {
        let input = match network.inputs().as_slice() {
            [only] => (*only).to_owned(),
            several => {
                let why = format!("it has {} inputs and not one picture", several.len());
                return Err(network.wrong_shape(why));
            }
        };
        // The map comes first where a network says something else too, such as the kind of picture.
        let Some(output) = network.outputs().first().map(|name| (*name).to_owned()) else {
            return Err(network.wrong_shape("it has no output".to_owned()));
        };
        let shape = network.input_shape(&input);
        let (layout, size) = layout_of(shape.as_deref()).ok_or_else(|| {
            network
                .wrong_shape(format!("its input is {shape:?} and not a picture of three channels"))
        })?;
        Ok(Self { network, input, output, layout, size })
    }

    fn predict(&self, picture: &Pixels) -> Result<ScalarMap, ModelError> {
        let [height, width] = self.size;
        let samples = samples(picture, width, height, self.layout);
        let shape = match self.layout {
            Layout::ChannelsLast => vec![1, height, width, 3],
            Layout::ChannelsFirst => vec![1, 3, height, width],
        };
        let input = Input { name: &self.input, shape, samples: Samples::Floats(samples) };
        self.map(self.network.run(vec![input], &self.output)?)
    }

    fn map(&self, output: Output) -> Result<ScalarMap, ModelError> {
        let (height, width) = match output.shape.as_slice() {
            // With or without an axis of one channel, wherever that is.
            [1, height, width] | [1, height, width, 1] | [1, 1, height, width] => (*height, *width),
            shape => {
                let why = format!("its output is {shape:?} and not one map");
                return Err(self.network.wrong_shape(why));
            }
        };
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
            return Err(self.network.wrong_shape("its map is too large".to_owned()));
        };
        if output.values.is_empty() {
            return Err(self.network.wrong_shape("its map is empty".to_owned()));
        }
        Ok(ScalarMap { width, height, values: output.values.into() })
    }
}

/// Where the channels are, and height and width; `None` if no picture fits.
fn layout_of(shape: Option<&[Option<usize>]>) -> Option<(Layout, [usize; 2])> {
    let (layout, [height, width]) = match shape {
        None => (Layout::ChannelsLast, [None, None]),
        // Asked for first: in a square of free size only the three tells where the channels are.
        Some(&[_, Some(3), height, width]) => (Layout::ChannelsFirst, [height, width]),
        Some(&[_, height, width, Some(3) | None]) => (Layout::ChannelsLast, [height, width]),
        Some(_) => return None,
    };
    let size = [height.unwrap_or(SIDE), width.unwrap_or(SIDE)];
    size.iter().all(|side| (1..=MAX_SIDE).contains(side)).then_some((layout, size))
}

/// Blue, green and red of a picture at this size without their means, in this layout.
fn samples(picture: &Pixels, width: usize, height: usize, layout: Layout) -> Vec<f32> {
    let [r, g, b] = rgb_planes(picture);
    // OpenCV's order, in which the network was trained; squashed and not cropped, as the map is
    // stretched back over the whole picture.
    let planes: Vec<Vec<f32>> = [b, g, r]
        .iter()
        .zip(MEANS_BGR)
        .map(|(plane, mean)| squashed(plane, width, height).map(|v| v - mean).collect())
        .collect();
    match layout {
        Layout::ChannelsFirst => planes.concat(),
        Layout::ChannelsLast => {
            (0..width * height).flat_map(|at| planes.iter().map(move |plane| plane[at])).collect()
        }
    }
}

/// A plane at another size as OpenCV's `INTER_LINEAR` makes it: four neighbours, no antialiasing,
/// rounded to whole samples.
fn squashed(plane: &Plane, width: usize, height: usize) -> impl Iterator<Item = f32> {
    let across = taps(plane.width(), width);
    let samples = plane.samples();
    let stride = plane.width();
    taps(plane.height(), height).into_iter().flat_map(move |(top, bottom, down)| {
        let [upper, lower] = [top, bottom].map(|y| &samples[y * stride..(y + 1) * stride]);
        across
            .iter()
            .map(|&(left, right, share)| {
                let [upper, lower] = [upper, lower].map(|row| {
                    f32::from(row[left]) * (1.0 - share) + f32::from(row[right]) * share
                });
                (upper * (1.0 - down) + lower * down).round()
            })
            .collect::<Vec<f32>>()
    })
}

/// The two samples that make each of `to` samples of a line of `from`, and the second's share.
fn taps(from: usize, to: usize) -> Vec<(usize, usize, f32)> {
    let scale = from as f64 / to as f64;
    let mut taps = Vec::with_capacity(to);
    for at in 0..to {
        // From middle to middle of samples; beyond the first and last the line goes on as it is.
        let position = ((at as f64 + 0.5) * scale - 0.5).clamp(0.0, (from - 1) as f64);
        let first = position as usize;
        taps.push((first, (first + 1).min(from - 1), (position - first as f64) as f32));
    }
    taps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_follows_from_where_the_three_channels_are() {
        let last = Some((Layout::ChannelsLast, [256, 256]));
        assert_eq!(layout_of(Some(&[None, Some(256), Some(256), Some(3)])), last);
        assert_eq!(layout_of(None), last);
        let first = Some((Layout::ChannelsFirst, [240, 320]));
        assert_eq!(layout_of(Some(&[Some(1), Some(3), Some(240), Some(320)])), first);
        for wrong in [
            &[Some(1), Some(3)][..],
            &[None, Some(256), Some(256), Some(4)],
            &[],
            &[None, Some(1 << 40), Some(256), Some(3)],
        ] {
            assert_eq!(layout_of(Some(wrong)), None, "{wrong:?}");
        }
    }

    #[test]
    fn blue_comes_first_and_means_are_taken_off() {
        let picture = Pixels::filled(3, 5, [10, 20, 30, 0]).unwrap();
        let expected = [30.0 - 103.939, 20.0 - 116.779, 10.0 - 123.68];
        let last = samples(&picture, 2, 1, Layout::ChannelsLast);
        assert_eq!(last, [expected, expected].concat());
        let first = samples(&picture, 2, 1, Layout::ChannelsFirst);
        assert_eq!(first, expected.map(|v| [v, v]).concat());
    }

    #[test]
    fn a_line_is_stretched_between_the_middles_of_its_samples() {
        let plane = Plane::new(2, 1, vec![0, 100]).unwrap();
        let line: Vec<f32> = squashed(&plane, 4, 2).collect();
        assert_eq!(line, [0.0, 25.0, 75.0, 100.0, 0.0, 25.0, 75.0, 100.0]);
    }
}
