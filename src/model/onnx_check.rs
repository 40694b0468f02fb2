//! A look at an ONNX file before the engine sees it.
//!
//! The engine reads subgraphs by recursion and trusts the lengths of a graph's parts; a file made to
//! hurt could exhaust the stack, which cannot be caught. This walks the messages that nest, checks
//! that each lies within the one around it, and bounds the depth.
//!
//! Source: onnx/onnx, onnx/onnx.proto (ModelProto.graph, GraphProto.node, NodeProto.attribute,
//! AttributeProto.g and .graphs).

/// Deepest nesting of subgraphs (branches, loop bodies) accepted.
const MAX_DEPTH: usize = 16;

/// Why the bytes are no ONNX file that can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OnnxError {
    /// A part runs beyond the end of what holds it.
    #[error("cut short or damaged at byte {0}")]
    Damaged(usize),
    /// There is no graph in it.
    #[error("it holds no graph")]
    NoGraph,
    /// Subgraphs nest too deep.
    #[error("its subgraphs nest deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// The messages that nest, each with the field numbers that lead further down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnnxMessage {
    Model,
    Graph,
    Node,
    Attribute,
}

impl OnnxMessage {
    /// What the field of this number holds, if it leads to a subgraph.
    fn child(self, field: u64) -> Option<Self> {
        match (self, field) {
            (Self::Model, 7) | (Self::Attribute, 6 | 11) => Some(Self::Graph),
            (Self::Graph, 1) => Some(Self::Node),
            (Self::Node, 5) => Some(Self::Attribute),
            _ => None,
        }
    }
}

/// Checks that these are the bytes of an ONNX model whose parts lie within each other and whose
/// subgraphs nest at most [`MAX_DEPTH`] deep.
pub(super) fn check_onnx(bytes: &[u8]) -> Result<(), OnnxError> {
    let mut graphs = 0;
    // Parts still to be walked: kind, first byte, end, depth of graphs around it.
    // A list instead of calls, or the nesting would exhaust this stack too.
    let mut open = vec![(OnnxMessage::Model, 0, bytes.len(), 0)];
    while let Some((message, mut at, end, depth)) = open.pop() {
        if message == OnnxMessage::Graph {
            graphs += 1;
            if depth > MAX_DEPTH {
                return Err(OnnxError::TooDeep);
            }
        }
        while at < end {
            let field = MessageField::read(bytes, at, end).ok_or(OnnxError::Damaged(at))?;
            // A number in a field that leads down is no message; the engine says what it makes of
            // it.
            if let (Some(child), Wire::Bytes) = (message.child(field.number), field.wire) {
                let depth = depth + usize::from(child == OnnxMessage::Graph);
                open.push((child, field.start, field.end, depth));
            }
            at = field.end;
        }
    }
    if graphs == 0 { Err(OnnxError::NoGraph) } else { Ok(()) }
}

/// How a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Bytes,
    Number,
}

/// A field of a message: where its value lies.
struct MessageField {
    number: u64,
    wire: Wire,
    start: usize,
    end: usize,
}

impl MessageField {
    /// The field that begins at `at`; `None` if it does not end by `end`.
    fn read(bytes: &[u8], at: usize, end: usize) -> Option<Self> {
        let (key, start) = varint(bytes, at, end)?;
        let (wire, start, value_end) = match key & 7 {
            0 => (Wire::Number, start, varint(bytes, start, end)?.1),
            // Lengths come from the file: sums that overflow are damage like any other.
            1 => (Wire::Number, start, start.checked_add(8)?),
            2 => {
                let (length, start) = varint(bytes, start, end)?;
                (Wire::Bytes, start, start.checked_add(usize::try_from(length).ok()?)?)
            }
            5 => (Wire::Number, start, start.checked_add(4)?),
            _ => return None,
        };
        (value_end <= end).then_some(Self { number: key >> 3, wire, start, end: value_end })
    }
}

/// A number of seven bits a byte, and where it ends.
fn varint(bytes: &[u8], at: usize, end: usize) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (index, byte) in bytes.get(at..end)?.iter().take(10).enumerate() {
        // Ten bytes of seven bits are as many as a number of 64 bits can have.
        value |= u64::from(byte & 0x7f).checked_shl(7 * index as u32)?;
        if byte & 0x80 == 0 {
            return Some((value, at + index + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A field that holds bytes.
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![number << 3 | 2];
        let mut length = content.len();
        while length > 0x7f {
            bytes.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend(content);
        bytes
    }

    fn model_with_subgraphs(levels: usize) -> Vec<u8> {
        let graph = (0..levels).fold(Vec::new(), |graph, _| field(1, &field(5, &field(6, &graph))));
        field(7, &graph)
    }

    #[test]
    fn subgraphs_may_nest_but_not_without_end() {
        assert_eq!(check_onnx(&model_with_subgraphs(MAX_DEPTH - 1)), Ok(()));
        assert_eq!(check_onnx(&model_with_subgraphs(5000)), Err(OnnxError::TooDeep));
    }

    #[test]
    fn a_file_cut_anywhere_is_damaged() {
        let whole = model_with_subgraphs(3);
        for end in 1..whole.len() {
            assert!(matches!(check_onnx(&whole[..end]), Err(OnnxError::Damaged(_))), "at {end}");
        }
    }

    #[test]
    fn what_holds_no_graph_is_no_model() {
        assert_eq!(check_onnx(b""), Err(OnnxError::NoGraph));
        assert_eq!(check_onnx(&[8, 9]), Err(OnnxError::NoGraph));
    }

    proptest! {
        #[test]
        fn damage_is_found_within_the_file(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Err(OnnxError::Damaged(at)) = check_onnx(&bytes) {
                prop_assert!(at < bytes.len());
            }
        }
    }
}
