//! ONNX files written by hand: as much of the format as tiny networks need.
//!
//! Field numbers are those of onnx/onnx, onnx/onnx.proto.

/// A type of samples.
#[derive(Clone, Copy)]
pub(super) enum Element {
    Float = 1,
    Int64 = 7,
}

/// A network: nodes in order, weights, inputs and outputs.
#[derive(Default)]
pub(super) struct Graph(Vec<u8>);

impl Graph {
    /// An operation without attributes but whole numbers.
    pub(super) fn node(
        mut self,
        op: &str,
        inputs: &[&str],
        output: &str,
        ints: &[(&str, i64)],
    ) -> Self {
        let mut node = Vec::new();
        for input in inputs {
            bytes(&mut node, 1, input.as_bytes());
        }
        bytes(&mut node, 2, output.as_bytes());
        bytes(&mut node, 4, op.as_bytes());
        for (name, value) in ints {
            let mut attribute = Vec::new();
            bytes(&mut attribute, 1, name.as_bytes());
            number(&mut attribute, 3, *value as u64);
            number(&mut attribute, 20, 2);
            bytes(&mut node, 5, &attribute);
        }
        bytes(&mut self.0, 1, &node);
        self
    }

    /// A weight of floats.
    pub(super) fn floats(self, name: &str, dims: &[u64], values: &[f32]) -> Self {
        let raw: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.weight(name, dims, Element::Float, &raw)
    }

    /// A weight of whole numbers.
    pub(super) fn ints(self, name: &str, dims: &[u64], values: &[i64]) -> Self {
        let raw: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.weight(name, dims, Element::Int64, &raw)
    }

    fn weight(mut self, name: &str, dims: &[u64], element: Element, raw: &[u8]) -> Self {
        let mut tensor = Vec::new();
        for dim in dims {
            number(&mut tensor, 1, *dim);
        }
        number(&mut tensor, 2, element as u64);
        bytes(&mut tensor, 8, name.as_bytes());
        bytes(&mut tensor, 9, raw);
        bytes(&mut self.0, 5, &tensor);
        self
    }

    /// What goes in; a dimension of 0 is free.
    pub(super) fn input(mut self, name: &str, element: Element, dims: &[u64]) -> Self {
        let info = value_info(name, element, dims);
        bytes(&mut self.0, 11, &info);
        self
    }

    /// What comes out; a dimension of 0 is free.
    pub(super) fn output(mut self, name: &str, element: Element, dims: &[u64]) -> Self {
        let info = value_info(name, element, dims);
        bytes(&mut self.0, 12, &info);
        self
    }

    /// The file.
    pub(super) fn file(self) -> Vec<u8> {
        let mut opset = Vec::new();
        number(&mut opset, 2, 13);
        let mut model = Vec::new();
        number(&mut model, 1, 8);
        bytes(&mut model, 8, &opset);
        bytes(&mut model, 7, &self.0);
        model
    }
}

fn value_info(name: &str, element: Element, dims: &[u64]) -> Vec<u8> {
    let mut shape = Vec::new();
    for (at, dim) in dims.iter().enumerate() {
        let mut dimension = Vec::new();
        if *dim == 0 {
            bytes(&mut dimension, 2, format!("free_{at}").as_bytes());
        } else {
            number(&mut dimension, 1, *dim);
        }
        bytes(&mut shape, 1, &dimension);
    }
    let mut tensor = Vec::new();
    number(&mut tensor, 1, element as u64);
    bytes(&mut tensor, 2, &shape);
    let mut kind = Vec::new();
    bytes(&mut kind, 1, &tensor);
    let mut info = Vec::new();
    bytes(&mut info, 1, name.as_bytes());
    bytes(&mut info, 2, &kind);
    info
}

fn bytes(message: &mut Vec<u8>, field: u64, content: &[u8]) {
    varint(message, field << 3 | 2);
    varint(message, content.len() as u64);
    message.extend(content);
}

fn number(message: &mut Vec<u8>, field: u64, value: u64) {
    varint(message, field << 3);
    varint(message, value);
}

fn varint(message: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        message.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    message.push(value as u8);
}
