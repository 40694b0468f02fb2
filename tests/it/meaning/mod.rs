//! Meaning: sentence embeddings against the published model's, networks from ONNX files, good and
//! bad, and endpoints that behave and misbehave.

mod embeddings;
mod endpoint;
mod judge;
mod networks;
mod onnx;
pub(crate) mod server;
