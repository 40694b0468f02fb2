//! Networks from files: tiny ones that do what they should, and broken ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::base::{CancelToken, Pixels};
use pentimento::metric::caption::{ClipScore, PictureTextEmbedder as _};
use pentimento::metric::lpips::Lpips;
use pentimento::metric::saliency::SaliencyPredictor as _;
use pentimento::metric::{Comparison, Metric as _, MissingScore, Score, Side};
use pentimento::model::{Clip, ClipFiles, LpipsFile, LpipsNetwork, SaliencyFile, SaliencyNetwork};
use tempfile::TempDir;

use super::onnx::{Element, Graph};

/// Embeds a picture as the mean of each channel.
fn picture_network() -> Graph {
    Graph::default()
        .node("GlobalAveragePool", &["pixel_values"], "pooled", &[])
        .node("Flatten", &["pooled"], "image_embeds", &[("axis", 1)])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("image_embeds", Element::Float, &[1, 3])
}

/// Embeds a text as the sum of its words: 0 unknown, 1 red, 2 green, 3 blue.
fn text_network() -> Graph {
    let table = [0.0, 0.0, 0.0, 3.0, -1.0, -1.0, -1.0, 3.0, -1.0, -1.0, -1.0, 3.0];
    Graph::default()
        .floats("table", &[4, 3], &table)
        .ints("axis", &[1], &[1])
        .node("Gather", &["table", "input_ids"], "words", &[])
        .node("ReduceSum", &["words", "axis"], "text_embeds", &[("keepdims", 0)])
        .input("input_ids", Element::Int64, &[1, 0])
        .output("text_embeds", Element::Float, &[1, 3])
}

const TOKENIZER: &str = r#"{"version": "1.0", "truncation": null, "padding": null,
    "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": null, "decoder": null,
    "model": {"type": "WordLevel", "vocab": {"?": 0, "red": 1, "green": 2, "blue": 3}, "unk_token": "?"}}"#;

/// Files of a CLIP that knows three colours.
struct TinyClip {
    folder: TempDir,
    files: ClipFiles,
}

impl TinyClip {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let files = ClipFiles {
            name: "tiny/clip".to_owned(),
            picture: write("picture.onnx", &picture_network().file()),
            text: write("text.onnx", &text_network().file()),
            tokenizer: write("tokenizer.json", TOKENIZER.as_bytes()),
        };
        Self { folder, files }
    }

    /// The same with other bytes as the network of pictures.
    fn with_picture_network(bytes: &[u8]) -> Self {
        let tiny = Self::new();
        std::fs::write(&tiny.files.picture, bytes).unwrap();
        tiny
    }

    fn score(&self, color: [u8; 4], instruction: &str) -> Score {
        let picture = Pixels::filled(9, 6, color).unwrap();
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let comparison =
            Comparison { generated, instruction: Some(instruction), ..Comparison::default() };
        let metric = ClipScore::new(Arc::new(Clip::new(self.files.clone())));
        metric.measurements(&comparison, &CancelToken::new()).remove(0).score
    }

    /// Why there is no score, which must name the file.
    fn reason(&self, file: &Path) -> String {
        let Score::Missing(why) = self.score([255, 0, 0, 255], "red") else { panic!("a score") };
        assert!(matches!(why, MissingScore::NoModel(_)), "{why:?}");
        let text = why.to_string();
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(text.contains(name), "{text} does not name {name}");
        text
    }
}

#[test]
fn a_long_instruction_loses_its_end_mark_in_the_one_variant_and_keeps_it_in_the_other() {
    let clip = TinyClip::new();
    // Every text ends in blue.
    let marked = TOKENIZER.replace(
        r#""post_processor": null"#,
        r#""post_processor": {"type": "TemplateProcessing", "pair": [],
            "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "blue", "type_id": 0}}],
            "special_tokens": {"blue": {"id": "blue", "ids": [3], "tokens": ["blue"]}}}"#,
    );
    assert_ne!(marked, TOKENIZER);
    std::fs::write(&clip.files.tokenizer, marked).unwrap();
    let scores = |words: usize| {
        let picture = Pixels::filled(9, 6, [255, 0, 0, 255]).unwrap();
        let generated = Side { picture: Some(&picture), ..Side::default() };
        let instruction = "red ".repeat(words);
        let comparison =
            Comparison { generated, instruction: Some(&instruction), ..Comparison::default() };
        let metric = ClipScore::new(Arc::new(Clip::new(clip.files.clone())));
        let measured = metric.measurements(&comparison, &CancelToken::new());
        [0, 1].map(|at: usize| measured[at].score.value().unwrap())
    };
    let [short, short_marked] = scores(76);
    assert_eq!(short, short_marked);
    let [cut, cut_marked] = scores(77);
    assert!(cut > cut_marked, "{cut} and {cut_marked}");
    assert_eq!(scores(400), [cut, cut_marked]);
    assert_eq!(cut_marked, short);
}

#[test]
fn a_picture_is_nearer_to_the_colour_it_has() {
    let clip = TinyClip::new();
    let [red, green] = ["red", "green"].map(|word| clip.score([255, 0, 0, 255], word));
    assert!(red.value().unwrap() > 90.0, "{red:?}");
    assert_eq!(green, Score::Value(0.0));
    assert_eq!(Clip::new(clip.files.clone()).name(), "tiny-clip");
}

#[test]
fn files_that_are_missing_or_no_models_are_named_with_what_is_wrong() {
    let clip = TinyClip::new();
    let missing = clip.folder.path().join("none.onnx");
    let files = ClipFiles { picture: missing.clone(), ..clip.files.clone() };
    let clip = TinyClip { folder: clip.folder, files };
    assert!(clip.reason(&missing).contains("cannot be read"));
    for bytes in [&b""[..], b"not a model", &[0xff; 100], b"\x89PNG\r\n\x1a\n"] {
        let clip = TinyClip::with_picture_network(bytes);
        assert!(clip.reason(&clip.files.picture).contains("not an ONNX model"));
    }
}

#[test]
fn a_model_cut_anywhere_is_an_error() {
    let whole = picture_network().file();
    for end in 0..whole.len() {
        let clip = TinyClip::with_picture_network(&whole[..end]);
        clip.reason(&clip.files.picture);
    }
}

#[test]
fn a_model_with_any_one_byte_changed_ends_in_a_score_or_an_error() {
    let whole = picture_network().file();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        match TinyClip::with_picture_network(&bytes).score([255, 0, 0, 255], "red") {
            Score::Value(value) => assert!((0.0..=100.0).contains(&value)),
            Score::Missing(why) => assert!(matches!(why, MissingScore::NoModel(_)), "{why:?}"),
        }
    }
}

#[test]
fn a_model_of_another_shape_says_what_it_has() {
    let other_input = Graph::default()
        .node("Identity", &["x"], "image_embeds", &[])
        .input("x", Element::Float, &[1, 3])
        .output("image_embeds", Element::Float, &[1, 3]);
    let not_square = Graph::default()
        .node("GlobalAveragePool", &["pixel_values"], "image_embeds", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 5])
        .output("image_embeds", Element::Float, &[1, 3]);
    let not_flat = Graph::default()
        .node("GlobalAveragePool", &["pixel_values"], "image_embeds", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("image_embeds", Element::Float, &[1, 3, 1, 1]);
    let wrong_output = Graph::default()
        .node("Identity", &["pixel_values"], "a", &[])
        .node("Identity", &["pixel_values"], "b", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("a", Element::Float, &[1, 3, 4, 4])
        .output("b", Element::Float, &[1, 3, 4, 4]);
    let huge = Graph::default()
        .node("GlobalAveragePool", &["pixel_values"], "image_embeds", &[])
        .input("pixel_values", Element::Float, &[1, 3, 1 << 40, 1 << 40])
        .output("image_embeds", Element::Float, &[1, 3]);
    for graph in [other_input, not_square, not_flat, wrong_output, huge] {
        let clip = TinyClip::with_picture_network(&graph.file());
        let reason = clip.reason(&clip.files.picture);
        assert!(reason.contains("not the model it should be"), "{reason}");
    }
}

#[test]
fn graphs_made_to_hurt_end_in_an_error() {
    let cyclic = Graph::default()
        .node("Add", &["pixel_values", "b"], "a", &[])
        .node("Relu", &["a"], "b", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("b", Element::Float, &[1, 3]);
    let huge_weight = picture_network().floats("w", &[1 << 40, 1 << 40], &[]);
    let weight_too_short = picture_network().floats("w", &[1000], &[1.0]);
    let unknown_operation = Graph::default()
        .node("FormatDisk", &["pixel_values"], "image_embeds", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("image_embeds", Element::Float, &[1, 3]);
    let no_such_value = Graph::default()
        .node("Relu", &["nowhere"], "image_embeds", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("image_embeds", Element::Float, &[1, 3]);
    let shapes_that_do_not_fit = Graph::default()
        .floats("w", &[7, 5], &[0.5; 35])
        .node("MatMul", &["pixel_values", "w"], "image_embeds", &[])
        .input("pixel_values", Element::Float, &[1, 3, 4, 4])
        .output("image_embeds", Element::Float, &[1, 3]);
    for graph in [
        cyclic,
        huge_weight,
        weight_too_short,
        unknown_operation,
        no_such_value,
        shapes_that_do_not_fit,
    ] {
        let clip = TinyClip::with_picture_network(&graph.file());
        clip.reason(&clip.files.picture);
    }
}

#[test]
fn a_tokenizer_that_is_none_is_named() {
    let clip = TinyClip::new();
    for text in ["", "{}", "[1, 2]", r#"{"model": {"type": "WordLevel"}}"#] {
        std::fs::write(&clip.files.tokenizer, text).unwrap();
        assert!(clip.reason(&clip.files.tokenizer).contains("not a tokenizer.json"));
    }
}

fn written(graph: Graph) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network.onnx");
    std::fs::write(&path, graph.file()).unwrap();
    (folder, path)
}

#[test]
fn a_saliency_network_gives_a_map_of_the_whole_picture() {
    let (_folder, network) = written(
        Graph::default()
            .node("ReduceMax", &["picture"], "heat", &[("keepdims", 1)])
            .node("Mul", &["picture", "heat"], "scaled", &[])
            .ints("last", &[1], &[3])
            .node("ReduceSum", &["scaled", "last"], "map", &[("keepdims", 1)])
            .input("picture", Element::Float, &[0, 4, 8, 3])
            .output("map", Element::Float, &[0, 4, 8, 1]),
    );
    let predictor = SaliencyNetwork::new(SaliencyFile { name: "UMSI++".to_owned(), network });
    assert_eq!(predictor.name(), "umsi++");
    let mut picture = Pixels::filled(8, 4, [0, 0, 0, 255]).unwrap();
    picture.put(5, 1, 1, &[255; 4]);
    let map = predictor.predict(&picture).unwrap();
    assert_eq!((map.width, map.height), (8, 4));
    let brightest = (0..32).max_by(|a, b| map.values[*a].total_cmp(&map.values[*b])).unwrap();
    assert_eq!(brightest, 8 + 5);
}

#[test]
fn a_network_that_gives_no_map_is_not_a_saliency_network() {
    let (_folder, network) = written(picture_network());
    let predictor = SaliencyNetwork::new(SaliencyFile { name: "x".to_owned(), network });
    let error = predictor.predict(&Pixels::filled(4, 4, [9; 4]).unwrap()).unwrap_err();
    assert!(error.to_string().contains("not one map"), "{error}");
}

#[test]
fn a_distance_of_equal_pictures_is_zero_and_of_black_and_white_two() {
    let (_folder, network) = written(
        Graph::default()
            .node("Sub", &["a", "b"], "difference", &[])
            .node("Abs", &["difference"], "distance", &[])
            .node("ReduceMean", &["distance"], "mean", &[("keepdims", 0)])
            .input("a", Element::Float, &[1, 3, 0, 0])
            .input("b", Element::Float, &[1, 3, 0, 0])
            .output("mean", Element::Float, &[]),
    );
    let metric =
        Lpips::new(Arc::new(LpipsNetwork::new(LpipsFile { name: "tiny".to_owned(), network })));
    let [black, white] =
        [[0, 0, 0, 255], [255; 4]].map(|color| Pixels::filled(5, 3, color).unwrap());
    let score = |a, b| {
        let comparison = Comparison::of_pictures(a, b);
        metric.measurements(&comparison, &CancelToken::new()).remove(0).score
    };
    assert_eq!(score(&black, &black), Score::Value(0.0));
    assert_eq!(score(&black, &white), Score::Value(2.0));
    assert_eq!(metric.variants()[0].id, "lpips/tiny");
}
