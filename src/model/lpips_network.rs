//! LPIPS from an ONNX file that the user names.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::metric::MissingScore;
use crate::metric::lpips::PerceptualNetwork;
use crate::metric::plane::Plane;

use super::ModelError;
use super::lazy::{FileHash, Lazy};
use super::network::{Input, Network, Samples};

/// The file of an LPIPS network (`assets/models/README.md` says how to make it).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LpipsFile {
    /// The network's name, as it stands in the variant: `alex`, `vgg` or `squeeze`.
    pub name: String,
    /// The ONNX file: from two pictures to one distance.
    pub network: PathBuf,
}

/// An LPIPS network, loaded when it is first needed.
///
/// It is given two pictures of one size, red, green and blue from −1 to 1, channels first, and gives
/// one number.
#[derive(Debug)]
pub struct LpipsNetwork {
    name: String,
    hash: FileHash,
    network: Lazy<LoadedLpips>,
}

struct LoadedLpips {
    network: Network,
    inputs: [String; 2],
    output: String,
}

impl LpipsNetwork {
    /// The network in this file, which is not looked at yet.
    pub fn new(file: LpipsFile) -> Self {
        let LpipsFile { name, network } = file;
        let name = name.replace(['/', ' '], "-").to_lowercase();
        let hash = FileHash::new(vec![network.clone()]);
        Self { name, hash, network: Lazy::new(move || LoadedLpips::open(Network::open(&network)?)) }
    }
}

impl PerceptualNetwork for LpipsNetwork {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> Option<String> {
        Some(self.hash.get().to_owned())
    }

    fn distance(&self, a: &[Plane; 3], b: &[Plane; 3]) -> Result<f64, MissingScore> {
        Ok(self.network.get()?.distance(a, b)?)
    }
}

impl LoadedLpips {
    fn open(network: Network) -> Result<Self, ModelError> {
        // By their number and not by their names, which differ between exports.
        let (&[first, second], Some(output)) =
            (network.inputs().as_slice(), network.outputs().into_iter().next())
        else {
            let why = "it does not go from two pictures to one distance".to_owned();
            return Err(network.wrong_shape(why));
        };
        let (inputs, output) = ([first.to_owned(), second.to_owned()], output.to_owned());
        Ok(Self { network, inputs, output })
    }

    fn distance(&self, a: &[Plane; 3], b: &[Plane; 3]) -> Result<f64, ModelError> {
        let [first, second] = &self.inputs;
        let inputs = vec![input(first, a), input(second, b)];
        let output = self.network.run(inputs, &self.output)?;
        match output.values.as_slice() {
            [distance] => Ok(f64::from(*distance)),
            values => {
                let why = format!("it gives {} numbers and not one distance", values.len());
                Err(self.network.wrong_shape(why))
            }
        }
    }
}

fn input<'a>(name: &'a str, planes: &[Plane; 3]) -> Input<'a> {
    let [first, ..] = planes;
    let samples = planes.iter().flat_map(Plane::samples);
    Input {
        name,
        shape: vec![1, 3, first.height(), first.width()],
        samples: Samples::Floats(samples.map(|v| f32::from(*v) / 127.5 - 1.0).collect()),
    }
}
