//! CLIP from ONNX files that the user names.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tokenizers::Tokenizer;

use crate::base::{CancelToken, Pixels, read_file_limited};
use crate::metric::MissingScore;
use crate::metric::caption::{Embedding, LongText, PictureTextEmbedder};
use crate::metric::plane::rgb_planes;
use crate::metric::resize::bicubic;

use super::ModelError;
use super::lazy::{FileHash, Lazy};
use super::network::{Input, Network, Output, Samples};
use super::text::{token_ids, tokenizer};

/// Most tokens read of a text, marks at both ends included.
const MAX_TOKENS: usize = 77;
/// Side of the square that the network sees where the file does not say, in pixels.
const SIDE: usize = 224;
/// Largest side that a file may ask for, in pixels.
const MAX_SIDE: usize = 1024;
/// Most times that a picture may be longer than wide, or wider than long.
const MAX_ASPECT: usize = 64;
/// Largest `tokenizer.json` read, in bytes.
const TOKENIZER_BYTES: u64 = 64 << 20;
/// Means of red, green and blue that CLIP was trained with.
const MEAN: [f32; 3] = [0.481_454_66, 0.457_827_5, 0.408_210_73];
/// Standard deviations of red, green and blue that CLIP was trained with.
const DEVIATION: [f32; 3] = [0.268_629_54, 0.261_302_6, 0.275_777_1];

/// The files of a CLIP model (`assets/models/README.md` says where they come from).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipFiles {
    /// The model's name, as it stands in the variant: `clip-vit-base-patch16` for GraphicBench's.
    pub name: String,
    /// The network that embeds pictures: from `pixel_values` to `image_embeds`.
    pub picture: PathBuf,
    /// The network that embeds texts: from `input_ids` to `text_embeds`. May be the same file.
    pub text: PathBuf,
    /// The `tokenizer.json`.
    pub tokenizer: PathBuf,
}

/// CLIP, loaded when it is first needed.
///
/// Pictures are prepared as torchmetrics has them prepared: alpha dropped, the shorter side brought
/// to the network's by Pillow's bicubic, the middle square, normalised. Texts have at most 77 tokens.
///
/// Source: Radford et al. 2021; huggingface/transformers, models/clip/image_processing_clip.py.
#[derive(Debug)]
pub struct Clip {
    name: String,
    hash: FileHash,
    pictures: Lazy<Encoder>,
    texts: Lazy<TextEncoder>,
}

/// A network with the names that it uses.
struct Encoder {
    network: Network,
    output: String,
}

struct TextEncoder {
    encoder: Encoder,
    /// Gives every token of a text.
    whole: Tokenizer,
    /// Cuts a long text before the mark at its end.
    cutting: Tokenizer,
}

impl Clip {
    /// The model in these files, which are not looked at yet.
    pub fn new(files: ClipFiles) -> Self {
        let ClipFiles { name, picture, text, tokenizer: tokens } = files;
        // Part of a variant's id, in which a slash divides metric and variant.
        let name = name.replace('/', "-");
        // All three files: another vocabulary gives other scores as another network does.
        let hash = FileHash::new(vec![picture.clone(), text.clone(), tokens.clone()]);
        let pictures = Lazy::new(move || Encoder::open(&picture, "pixel_values", "image_embeds"));
        let texts = Lazy::new(move || {
            let encoder = Encoder::open(&text, "input_ids", "text_embeds")?;
            // The vocabulary goes with the text encoder: pictures alone need neither.
            let json = read_file_limited(&tokens, TOKENIZER_BYTES)?;
            let whole = tokenizer(&json, None, &tokens)?;
            Ok(TextEncoder {
                encoder,
                whole,
                cutting: tokenizer(&json, Some(MAX_TOKENS), &tokens)?,
            })
        });
        Self { name, hash, pictures, texts }
    }
}

impl PictureTextEmbedder for Clip {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> Option<String> {
        Some(self.hash.get().to_owned())
    }

    fn embed_picture(&self, picture: &Pixels) -> Result<Embedding, MissingScore> {
        Ok(self.pictures.get()?.embed_picture(picture)?)
    }

    fn embed_text(&self, text: &str, long_text: LongText) -> Result<Embedding, MissingScore> {
        let TextEncoder { encoder, whole, cutting } = self.texts.get()?;
        let mut ids = match long_text {
            LongText::CutWithEndMark => token_ids(whole, text)?,
            LongText::CutBeforeEndMark => token_ids(cutting, text)?,
        };
        ids.truncate(MAX_TOKENS);
        Ok(encoder.embed_ids(ids)?)
    }
}

impl Encoder {
    fn open(path: &std::path::Path, input: &str, output: &str) -> Result<Self, ModelError> {
        let network = Network::open(path)?;
        if !network.inputs().contains(&input) {
            let has = network.inputs().join(", ");
            return Err(network.wrong_shape(format!("its inputs are {has} and not {input}")));
        }
        let outputs = network.outputs();
        let output = match outputs.as_slice() {
            // A network exported with one output is free to call it what it likes.
            [only] => (*only).to_owned(),
            several if several.contains(&output) => output.to_owned(),
            several => {
                let has = several.join(", ");
                return Err(network.wrong_shape(format!("its outputs are {has} and not {output}")));
            }
        };
        Ok(Self { network, output })
    }

    fn embed_picture(&self, picture: &Pixels) -> Result<Embedding, ModelError> {
        let side = self.side()?;
        let input = Input {
            name: "pixel_values",
            shape: vec![1, 3, side, side],
            samples: Samples::Floats(middle_square(picture, side)?),
        };
        self.embedding(&self.network.run(vec![input], &self.output)?)
    }

    fn embed_ids(&self, ids: Vec<i32>) -> Result<Embedding, ModelError> {
        let shape = vec![1, ids.len()];
        let mut inputs = Vec::new();
        // Some exports have it and some do not; nothing is padded, so that every token counts.
        if self.network.inputs().contains(&"attention_mask") {
            let samples = Samples::Integers(vec![1; ids.len()]);
            inputs.push(Input { name: "attention_mask", shape: shape.clone(), samples });
        }
        inputs.push(Input { name: "input_ids", shape, samples: Samples::Integers(ids) });
        self.embedding(&self.network.run(inputs, &self.output)?)
    }

    /// Side of the square that the network sees.
    fn side(&self) -> Result<usize, ModelError> {
        let shape = self.network.input_shape("pixel_values");
        // Exports leave the extents free, or fix them to what the model was trained with.
        match shape.as_deref() {
            None | Some([_, Some(3) | None, None, None]) => Ok(SIDE),
            Some([_, Some(3) | None, Some(height), Some(width)])
                if height == width && (1..=MAX_SIDE).contains(width) =>
            {
                Ok(*width)
            }
            Some(shape) => Err(self.network.wrong_shape(format!("its pixel_values are {shape:?}"))),
        }
    }

    fn embedding(&self, output: &Output) -> Result<Embedding, ModelError> {
        if !matches!(output.shape.as_slice(), [1, _]) {
            let why = format!("its output is {:?} and not [1, width]", output.shape);
            return Err(self.network.wrong_shape(why));
        }
        Embedding::new(&output.values)
            .ok_or_else(|| self.network.wrong_shape("its output is not finite".to_owned()))
    }
}

/// The middle square of a picture at `side` by `side`, normalised: all reds, all greens, all blues.
fn middle_square(picture: &Pixels, side: usize) -> Result<Vec<f32>, ModelError> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let (short, long) = (width.min(height), width.max(height));
    // Its long side would grow with the short one: a strip of a pixel becomes gigabytes.
    if long > short * MAX_ASPECT {
        return Err(ModelError::Picture(format!("{width} × {height} is too narrow a strip")));
    }
    // The longer side is cut to whole pixels, as in the original; the shorter becomes the side.
    let (to_width, to_height) = (width * side / short, height * side / short);
    let (left, top) = ((to_width - side) / 2, (to_height - side) / 2);
    let mut samples = Vec::with_capacity(3 * side * side);
    for (plane, (mean, deviation)) in
        rgb_planes(picture).into_iter().zip(MEAN.iter().zip(DEVIATION))
    {
        let plane = bicubic(plane, to_width, to_height, &CancelToken::new())
            .map_err(|stopped| ModelError::Picture(stopped.to_string()))?;
        for row in plane.samples().chunks_exact(to_width).skip(top).take(side) {
            // Cropped before it is normalised: what lies outside is never looked at.
            let square = row.iter().skip(left).take(side);
            samples.extend(square.map(|v| (f32::from(*v) / 255.0 - mean) / deviation));
        }
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_grey_picture_becomes_three_flat_planes() {
        let grey = Pixels::filled(30, 50, [51, 51, 51, 255]).unwrap();
        let samples = middle_square(&grey, 224).unwrap();
        assert_eq!(samples.len(), 3 * 224 * 224);
        for (plane, (mean, deviation)) in
            samples.chunks_exact(224 * 224).zip(MEAN.iter().zip(DEVIATION))
        {
            let expected = (0.2 - mean) / deviation;
            assert!(plane.iter().all(|v| (v - expected).abs() < 1e-6));
        }
    }

    #[test]
    fn the_middle_of_a_wide_picture_is_seen() {
        // 6×2: black, white, black squares. The middle one is all that is seen at its own size.
        let rgba: Vec<u8> = (0..12)
            .flat_map(|at| if (2..4).contains(&(at % 6)) { [255; 4] } else { [0, 0, 0, 255] })
            .collect();
        let picture = Pixels::from_rgba(6, 2, rgba).unwrap();
        let samples = middle_square(&picture, 2).unwrap();
        assert!(samples.iter().all(|v| *v > 1.0), "{samples:?}");
    }

    #[test]
    fn a_strip_is_refused_instead_of_being_blown_up() {
        let strip = Pixels::filled(10_000, 1, [0; 4]).unwrap();
        assert!(matches!(middle_square(&strip, SIDE), Err(ModelError::Picture(_))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn every_other_picture_fills_the_square(width in 1u32..60, height in 1u32..60, side in 1usize..40) {
            prop_assume!(width.max(height) <= width.min(height) * 64);
            let picture = Pixels::filled(width, height, [9, 9, 9, 9]).unwrap();
            prop_assert_eq!(middle_square(&picture, side).unwrap().len(), 3 * side * side);
        }
    }
}
