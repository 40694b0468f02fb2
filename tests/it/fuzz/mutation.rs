//! Random changes of bytes, text and JSON.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Map, Value, json};

/// What numbers break things.
const NUMBERS: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    1e-9,
    1e-300,
    0.1,
    255.0,
    1e4,
    1e7,
    -1e7,
    1.1e7,
    1e38,
    1e300,
    -1e300,
    9_007_199_254_740_993.0,
];

/// What words break things, in JSON and in SVG.
const WORDS: [&str; 30] = [
    "",
    "NaN",
    "1e309",
    "-1",
    "FRAME",
    "TEXT",
    "GROUP",
    "BOOLEAN_OPERATION",
    "HUG",
    "FILL",
    "WRAP",
    "VERTICAL",
    "SOLID",
    "IMAGE",
    "DROP_SHADOW",
    "LUMINANCE",
    "\u{0}",
    "\u{2028}",
    "ü\u{301}🎨",
    "M0 0L1e9 1e9Z",
    "M0,0A1 1 0 0 0 1e-9 0",
    "url(#a)",
    "matrix(0 0 0 0 0 0)",
    "scale(1e-12)",
    "<g>",
    "</g>",
    "<use href='#a'/>",
    "width='1e9'",
    "stroke-dasharray='0 0'",
    "&#0;",
];

/// A seeded source of mutations.
pub(super) struct Mutator(TestRng);

impl Mutator {
    pub(super) fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    pub(super) fn chance(&mut self, share: f64) -> bool {
        self.0.random_bool(share)
    }

    fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// One of the corpus, changed as JSON, and sometimes as bytes after that.
    pub(super) fn json(&mut self, corpus: &[Value]) -> Vec<u8> {
        let mut value = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(6) {
            if self.chance(0.15) {
                let at = self.below(corpus.len());
                let other = self.part_of(&corpus[at]);
                *self.somewhere(&mut value) = other;
            } else {
                self.distort(&mut value);
            }
        }
        let bytes = serde_json::to_vec(&value).unwrap();
        if self.chance(0.1) { self.text(&[bytes]) } else { bytes }
    }

    /// One of the corpus, changed as text.
    pub(super) fn text(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(8) {
            let at = self.below(bytes.len() + 1);
            let end = (at + 1 + self.below(12)).min(bytes.len());
            match self.below(7) {
                0 if at < bytes.len() => bytes[at] = self.bytes(1)[0],
                1 => drop(bytes.drain(at.min(end)..end)),
                2 => {
                    let word = WORDS[self.below(WORDS.len())];
                    bytes.splice(at..at, word.bytes());
                }
                3 => {
                    let number = NUMBERS[self.below(NUMBERS.len())].to_string();
                    self.replace_number(&mut bytes, &number);
                }
                4 => {
                    let other = &corpus[self.below(corpus.len())];
                    let from = self.below(other.len());
                    let to = (from + self.below(300)).min(other.len());
                    bytes.splice(at..at, other[from..to].iter().copied());
                }
                5 => {
                    let part = bytes[at.min(end)..end].to_vec();
                    let many = part.repeat(1 + self.below(40));
                    bytes.splice(at..at, many);
                }
                _ => bytes.truncate(at.max(bytes.len() / 2)),
            }
        }
        bytes
    }

    /// Puts `number` in the place of one of the numbers in a text.
    fn replace_number(&mut self, bytes: &mut Vec<u8>, number: &str) {
        let starts: Vec<usize> = (0..bytes.len())
            .filter(|at| {
                bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[*at - 1].is_ascii_digit())
            })
            .collect();
        if starts.is_empty() {
            return;
        }
        let start = starts[self.below(starts.len())];
        let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        bytes.splice(start..start + length, number.bytes());
    }

    /// Changes one value anywhere in `value`.
    pub(super) fn distort(&mut self, value: &mut Value) {
        let hostile = self.hostile();
        let kind = self.below(6);
        let times = 1 + self.below(30);
        let place = self.somewhere(value);
        match (kind, &mut *place) {
            (0, Value::Array(items)) if !items.is_empty() => {
                let copies = vec![items[0].clone(); times];
                items.extend(copies);
            }
            (1, Value::Object(fields)) if !fields.is_empty() => {
                let key = fields.keys().nth(times % fields.len()).cloned().unwrap();
                fields.shift_remove(&key);
            }
            (2, Value::Number(number)) => {
                let scaled = number.as_f64().unwrap_or(0.0) * [-1.0, 0.0, 1e3, 1e-3][times % 4];
                *place = json!(scaled);
            }
            (3, inner) => {
                let taken = inner.take();
                *inner = (0..times).fold(taken, |inner, _| json!({"children": [inner]}));
            }
            _ => *place = hostile,
        }
    }

    fn hostile(&mut self) -> Value {
        match self.below(8) {
            0 => Value::Null,
            1 => json!([]),
            2 => Value::Object(Map::new()),
            3 => json!(WORDS[self.below(WORDS.len())]),
            4 => json!(self.chance(0.5)),
            _ => json!(NUMBERS[self.below(NUMBERS.len())]),
        }
    }

    /// A value anywhere in `value`: as often deep in it as near its top.
    fn somewhere<'v>(&mut self, value: &'v mut Value) -> &'v mut Value {
        let is_leaf = match &*value {
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            _ => true,
        };
        if is_leaf || self.chance(0.12) {
            return value;
        }
        let inner = match value {
            Value::Array(items) => {
                let at = self.below(items.len());
                &mut items[at]
            }
            Value::Object(fields) => {
                // Half of the time into the children, where there are some.
                let key = if fields.contains_key("children") && self.chance(0.5) {
                    "children".to_owned()
                } else {
                    fields.keys().nth(self.below(fields.len())).cloned().unwrap()
                };
                &mut fields[&key]
            }
            leaf => return leaf,
        };
        self.somewhere(inner)
    }

    fn part_of(&mut self, value: &Value) -> Value {
        let mut copy = value.clone();
        self.somewhere(&mut copy).clone()
    }
}
