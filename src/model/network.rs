//! One neural network from an ONNX file: the only place that names the inference engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rten::{Dimension, Model, ModelOptions, NodeId, Value, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::base::read_file_limited;

use super::ModelError;
use super::onnx_check::check_onnx;

/// Largest model file read, in bytes.
const MODEL_BYTES: u64 = 2 << 30;

/// A network, ready to run.
///
/// Whatever a file holds, loading and running it ends in an error and not in a panic: the engine's
/// own panics are caught. What it cannot be kept from is asking for more memory than there is, so
/// name only model files whose origin you know.
pub(super) struct Network {
    path: PathBuf,
    model: Model,
}

/// What a network is given, by the name of the input.
pub(super) struct Input<'a> {
    pub(super) name: &'a str,
    pub(super) shape: Vec<usize>,
    pub(super) samples: Samples,
}

/// The samples of an input, rows first.
pub(super) enum Samples {
    /// Token ids and masks.
    Integers(Vec<i32>),
    /// Everything else.
    Floats(Vec<f32>),
}

/// What a network gave.
pub(super) struct Output {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f32>,
}

impl Network {
    /// Reads a network from a file.
    pub(super) fn open(path: &Path) -> Result<Self, ModelError> {
        let bytes = read_file_limited(path, MODEL_BYTES)?;
        // Before the engine sees it: a stack that is exhausted ends the program, which nothing
        // catches.
        check_onnx(&bytes).map_err(|error| not_a_model(path, error.to_string()))?;
        Self::load(path, move |options| options.load(bytes))
    }

    /// Reads a network from a file that has to have this BLAKE3 hash, in hexadecimal.
    pub(super) fn open_known(path: &Path, hash: &str) -> Result<Self, ModelError> {
        let bytes = read_file_limited(path, MODEL_BYTES)?;
        // Known to be sound, so it need not be walked; any other file would give other numbers.
        if blake3::hash(&bytes).to_hex().as_str() != hash {
            let why = "not the file that comes with the program".to_owned();
            return Err(not_a_model(path, why));
        }
        Self::load(path, move |options| options.load(bytes))
    }

    fn load(
        path: &Path,
        load: impl FnOnce(&ModelOptions) -> Result<Model, rten::LoadError>,
    ) -> Result<Self, ModelError> {
        let mut options = ModelOptions::with_all_ops();
        // Twice the memory for weights, so that short inputs need not wait for them to be packed.
        options.prepack_weights(true);
        let model = caught(|| load(&options))
            .map_err(|why| not_a_model(path, why))?
            .map_err(|error| not_a_model(path, error.to_string()))?;
        Ok(Self { path: path.to_path_buf(), model })
    }

    /// The names of its inputs, in order.
    pub(super) fn inputs(&self) -> Vec<&str> {
        self.names(self.model.input_ids())
    }

    /// The names of its outputs, in order.
    pub(super) fn outputs(&self) -> Vec<&str> {
        self.names(self.model.output_ids())
    }

    /// The declared shape of an input, `None` for extents that are free; `None` if not declared.
    pub(super) fn input_shape(&self, name: &str) -> Option<Vec<Option<usize>>> {
        let id = self.id_of(self.model.input_ids(), name)?;
        let shape = self.model.node_info(id)?.shape()?;
        Some(shape.iter().map(fixed_extent).collect())
    }

    /// Runs it for one of its outputs, which must be of numbers with a fraction.
    pub(super) fn run(&self, inputs: Vec<Input<'_>>, output: &str) -> Result<Output, ModelError> {
        let mut values = Vec::with_capacity(inputs.len());
        for input in inputs {
            let id = self
                .id_of(self.model.input_ids(), input.name)
                .ok_or_else(|| self.wrong_shape(format!("it has no input {}", input.name)))?;
            values.push((id, self.value_of(input)?));
        }
        let wanted = self
            .id_of(self.model.output_ids(), output)
            .ok_or_else(|| self.wrong_shape(format!("it has no output {output}")))?;
        let outputs = caught(|| self.model.run(values, &[wanted], None))
            .map_err(|why| self.failed(why))?
            .map_err(|error| self.failed(error.to_string()))?;
        self.floats(outputs)
    }

    /// That the model is not the one it should be.
    pub(super) fn wrong_shape(&self, why: String) -> ModelError {
        ModelError::WrongShape { why, path: self.path.clone() }
    }

    fn failed(&self, why: String) -> ModelError {
        ModelError::Run { why, path: self.path.clone() }
    }

    fn names(&self, ids: &[NodeId]) -> Vec<&str> {
        ids.iter().filter_map(|id| self.model.node_info(*id)?.name()).collect()
    }

    fn id_of(&self, ids: &[NodeId], name: &str) -> Option<NodeId> {
        let mut ids = ids.iter().copied();
        ids.find(|id| self.model.node_info(*id).and_then(|node| node.name()) == Some(name))
    }

    fn value_of(&self, input: Input<'_>) -> Result<ValueOrView<'static>, ModelError> {
        let shape = input.shape.as_slice();
        let value = match input.samples {
            Samples::Integers(data) => Tensor::try_from_data(shape, data).map(Into::into),
            Samples::Floats(data) => Tensor::try_from_data(shape, data).map(Into::into),
        };
        value.map_err(|_uneven| self.failed(format!("{} does not fit its shape", input.name)))
    }

    fn floats(&self, outputs: Vec<Value>) -> Result<Output, ModelError> {
        let tensor = outputs.into_iter().next().map(Tensor::<f32>::try_from);
        match tensor {
            Some(Ok(tensor)) => {
                Ok(Output { shape: tensor.shape().to_vec(), values: tensor.to_vec() })
            }
            Some(Err(error)) => Err(self.wrong_shape(error.to_string())),
            None => Err(self.failed("it gave nothing".to_owned())),
        }
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({})", self.path.display())
    }
}

fn not_a_model(path: &Path, why: String) -> ModelError {
    ModelError::NotAModel { why, path: path.to_path_buf() }
}

fn fixed_extent(dimension: &Dimension) -> Option<usize> {
    match dimension {
        Dimension::Fixed(extent) => Some(*extent),
        Dimension::Symbolic(_) => None,
    }
}

/// What the engine gives, or what it said when it panicked.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What is unwound through is the engine's own: the model is not used again after a panic in
    // loading, and a run leaves nothing in it.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("the engine gave up").to_owned()
    })
}
