//! The real program, run as people run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pentimento::base::{Pixels, Variables};
use pentimento::metric::{Needs, Registry, VariantSpec};
use pentimento::model::ModelSettings;
use serde_json::Value;

/// The program without a display, wherever the test runs.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    // No test writes into the home folder.
    command.env("PENTIMENTO_WORKSPACE", "");
    command
}

pub(crate) fn run<const N: usize>(arguments: [&str; N]) -> Output {
    program().args(arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The work failed: exit code 1, one message with these words, nothing on stdout, no backtrace.
pub(crate) fn assert_fails(output: &Output, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(output.stdout.is_empty(), "stdout holds data only: {}", stdout(output));
    assert!(message.contains("error: ") && !message.contains("backtrace"), "{message}");
    for word in words {
        assert!(message.contains(word), "{word:?} is missing in: {message}");
    }
}

/// Two small pictures of our own: a card, and the same moved and recoloured.
fn own_pair(dir: &Path) -> (String, String) {
    let picture = |left: u32, shade: u8| {
        let pixel = |x: u32, y: u32| {
            let inside = (left..left + 20).contains(&x) && (6..18).contains(&y);
            if inside { [shade, 90, 220, 255] } else { [(x * 3) as u8 + 100, 240, 240, 255] }
        };
        let rgba = (0..28).flat_map(|y| (0..40).flat_map(move |x| pixel(x, y))).collect();
        Pixels::from_rgba(40, 28, rgba).unwrap()
    };
    let save = |name: &str, picture: Pixels| {
        let path = dir.join(name);
        picture.save_png(&path).unwrap();
        path.to_str().unwrap().to_owned()
    };
    (save("gt.png", picture(8, 30)), save("gen.png", picture(11, 60)))
}

fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const DESIGN: &str = r#"{"document": {"id": "1:1", "name": "Screen", "type": "FRAME",
    "absoluteBoundingBox": {"x": 100, "y": 50, "width": 60, "height": 40}, "clipsContent": true,
    "fills": [{"type": "SOLID", "color": {"r": 1, "g": 1, "b": 1, "a": 1}}],
    "children": [{"id": "1:2", "name": "Card", "type": "RECTANGLE",
        "absoluteBoundingBox": {"x": 110, "y": 60, "width": 20, "height": 10},
        "fills": [{"type": "SOLID", "color": {"r": 1, "g": 0, "b": 0, "a": 1}}]}]}}"#;

#[test]
fn help_teaches_with_examples_and_exit_codes() {
    let help = run(["--help"]);
    assert!(help.status.success());
    for word in ["run", "score", "metric", "render", "report", "Examples:", "Exit codes:"] {
        assert!(stdout(&help).contains(word), "{word:?} is missing in: {}", stdout(&help));
    }
    for command in ["run", "score", "metric", "render", "report", "mcp"] {
        let help = run([command, "--help"]);
        assert!(help.status.success() && stdout(&help).contains("Examples:"), "{command}");
    }
}

#[test]
fn wrong_usage_is_2_and_says_what_is_wrong() {
    for arguments in [
        vec!["metric", "--gt", "a.png"],
        vec!["metric", "--gt", "a.png", "--gen", "b.png", "--case", "c"],
        vec!["report", "runs"],
        vec!["report", "tables"],
        vec!["report", "tables", "runs", "--format", "docx"],
        vec!["render", "a.json"],
        vec!["render", "a.json", "b.png", "--scale", "0"],
        vec!["run", "--tasks", "t", "--out", "o", "--agent", "nobody"],
        vec!["run", "--tasks", "t", "--out", "o", "--agent", "tracer", "--jobs", "0"],
        vec!["run", "--tasks", "t", "--out", "o", "--agent", "exec:"],
        vec!["run", "--tasks", "t", "--out", "o", "--agent", "exec:python3 'open"],
        vec!["mcp"],
        vec!["mcp", "--task", "t#x", "--http", "here"],
        vec!["mcp", "--task", "t#x", "--allow-remote"],
        vec!["mcp", "--task", "t#x", "--pause", "0"],
        vec!["score"],
    ] {
        let output = program().args(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("error:"), "{arguments:?}");
    }
}

#[test]
fn without_a_display_the_commands_that_need_none_are_named() {
    let output = run([]);
    assert_eq!(output.status.code(), Some(2));
    for word in ["no display", "DISPLAY", "pentimento run", "pentimento report", "xvfb"] {
        assert!(stderr(&output).contains(word), "{word:?} is missing in: {}", stderr(&output));
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn metric_prints_every_metric_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let (gt, generated) = own_pair(dir.path());
    let output = run(["metric", "--gt", &gt, "--gen", &generated, "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["ground_truth"]["width"], 40);
    assert_eq!(json["compared_size"]["height"], 28);
    let metrics = json["metrics"].as_array().unwrap();
    let registry = ModelSettings::default().registry(Registry::built_in(), &Variables::default());
    // No query is given here, no question and no plan.
    let has_place = |variant: &&VariantSpec| {
        !matches!(variant.needs, Needs::Query | Needs::Questions | Needs::Plan)
    };
    assert_eq!(metrics.len(), registry.variants().filter(has_place).count());
    assert_eq!(metrics[0]["id"], "ssim/uniform7");
    // Computed by scikit-image 0.26 on these very pictures.
    let ssim = metrics[0]["value"].as_f64().unwrap();
    assert!((ssim - LOCKED_SSIM).abs() < 1e-12, "{ssim}");
}

const LOCKED_SSIM: f64 = 0.735_176_945_684_323_8;

#[test]
fn names_that_turn_the_direction_of_text_leave_results_json() {
    let dir = tempfile::tempdir().unwrap();
    let name = "a\u{202e}b\u{2067}c";
    let odd = dir.path().join(name);
    std::fs::create_dir(&odd).unwrap();
    let (gt, generated) = own_pair(&odd);
    let output = run(["metric", "--gt", &gt, "--gen", &generated, "--json"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(!stdout(&output).contains('\u{202e}'), "{}", stdout(&output));
    assert!(json["command"].as_str().unwrap().contains(name), "{json}");
    let out = odd.join("scores.json");
    let to = out.to_str().unwrap();
    let output = run(["score", &samples(), "--only", "ssim/uniform7", "--json", "--out", to]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(!text.contains('\u{202e}'), "{text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert!(json["command"].as_str().unwrap().contains(name), "{json}");
}

#[test]
fn a_metric_without_a_value_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let tiny = dir.path().join("tiny.png");
    Pixels::filled(5, 40, [1, 2, 3, 255]).unwrap().save_png(&tiny).unwrap();
    let tiny = tiny.to_str().unwrap();
    let output = run(["metric", "--gt", tiny, "--gen", tiny, "--json"]);
    assert!(output.status.success());
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["metrics"][0]["value"], Value::Null);
    assert_eq!(json["metrics"][0]["reason"], "too_small");
    let table = run(["metric", "--gt", tiny, "--gen", tiny]);
    assert!(stdout(&table).contains("smaller than the 7×7 window"), "{}", stdout(&table));
}

#[test]
fn bad_pictures_are_named_with_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let (good, _) = own_pair(dir.path());
    let text = write(dir.path(), "text.png", "not a picture");
    let torn = dir.path().join("torn.png");
    let whole = std::fs::read(&good).unwrap();
    std::fs::write(&torn, &whole[..whole.len() / 2]).unwrap();
    let missing = dir.path().join("missing.png");
    for bad in [PathBuf::from(&text), torn, missing, dir.path().to_path_buf()] {
        let bad = bad.to_str().unwrap();
        let output = run(["metric", "--gt", &good, "--gen", bad]);
        assert_fails(&output, &["the generated picture", bad]);
        let output = run(["metric", "--gt", bad, "--gen", &good]);
        assert_fails(&output, &["the ground truth", bad]);
    }
}

/// What a metric's variant gives in the JSON of `metric`.
fn metric_of<'a>(json: &'a Value, id: &str) -> &'a Value {
    let metrics = json["metrics"].as_array().unwrap();
    metrics.iter().find(|metric| metric["id"] == id).unwrap()
}

#[test]
fn metric_draws_designs_and_compares_them_with_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let design = write(dir.path(), "design.json", DESIGN);
    let moved = write(dir.path(), "moved.figma", &DESIGN.replace("\"x\": 110", "\"x\": 120"));
    let picture = dir.path().join("picture.png");
    let picture = picture.to_str().unwrap();
    assert!(run(["render", &design, picture]).status.success());
    let output = run(["metric", "--gt", picture, "--gen", &design, "--base", &moved, "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["ground_truth"]["kind"], "picture");
    assert_eq!(
        (&json["generated"]["kind"], &json["generated"]["width"]),
        (&"design".into(), &60.into())
    );
    assert_eq!(json["base"]["path"], moved.as_str());
    let ssim = metric_of(&json, "ssim/uniform7");
    assert_eq!(ssim["value"], 1.0);
    let before = ssim["base"]["value"].as_f64().unwrap();
    assert!(before < 1.0);
    assert!((ssim["delta"].as_f64().unwrap() - (1.0 - before)).abs() < 1e-12);
    assert_eq!(
        (&ssim["better"], &ssim["range"]),
        (&"higher".into(), &serde_json::json!([-1.0, 1.0]))
    );
    let text = run(["metric", "--gt", picture, "--gen", &design, "--base", &moved]);
    assert!(stdout(&text).contains("ssim/uniform7"), "{}", stdout(&text));
    assert!(stdout(&text).contains("1.0000  (Δ +0."), "{}", stdout(&text));
}

#[test]
fn bad_designs_inputs_and_captions_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (gt, generated) = own_pair(dir.path());
    for (text, words) in
        [("{\"document\": ", "not valid JSON"), ("{\"some\": 1}", "no Figma node"), ("", "JSON")]
    {
        let bad = write(dir.path(), "bad.json", text);
        assert_fails(
            &run(["metric", "--gt", &gt, "--gen", &bad]),
            &["generated design", &bad, words],
        );
        let output = run(["metric", "--gt", &gt, "--gen", &generated, "--base", &bad]);
        assert_fails(&output, &["the base design", &bad]);
        let output = run(["metric", "--gt", &gt, "--gen", &generated, "--inputs", &bad]);
        assert_fails(&output, &["an input", &bad]);
    }
    let captions = write(dir.path(), "captions.json", "[{\"case_id\": 1}, {\"case_id\": 2}]");
    let both = ["metric", "--gt", &gt, "--gen", &generated, "--captions", &captions];
    let case = |id: &str| program().args(both).args(["--case", id]).output().unwrap();
    assert_fails(&program().args(both).output().unwrap(), &[&captions, "--case"]);
    assert_fails(&case("9"), &[&captions, "no case \"9\""]);
    assert!(case("2").status.success());
}

/// A shipped run of a few calls; its tasks are found above it.
fn samples() -> String {
    let run = "sample_runs/runs/own-samples/quiz-progress/scripted-01";
    format!("{}/{run}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_step_is_scored_and_scores_are_remembered_in_the_workspace() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = dir.path().join("w.sqlite");
    let score = |extra: &[&str]| {
        let mut command = program();
        command.env("PENTIMENTO_WORKSPACE", &workspace).args(["score", &samples(), "--json"]);
        let output = command.args(["--steps", "--only", "ssim/uniform7"]).args(extra).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let mut json: Value = serde_json::from_slice(&output.stdout).unwrap();
        // Which command it was is not the same.
        assert!(json["command"].take().is_string());
        json
    };
    let first = score(&[]);
    let runs = first["runs"].as_array().unwrap();
    assert!(!runs.is_empty());
    for run in runs {
        let (steps, calls) = (run["steps"].as_array().unwrap(), run["calls"].as_u64().unwrap());
        assert_eq!(steps.len() as u64, calls + 1, "{run}");
        assert_eq!(steps.last().unwrap(), &run["scores"]);
    }
    assert!(workspace.exists());
    assert_eq!(score(&[]), first, "remembered");
    assert_eq!(score(&["--no-cache"]), first, "computed anew");
    std::fs::write(&workspace, "no database".repeat(100)).unwrap();
    assert_eq!(score(&[]), first, "a damaged file is no obstacle");
    assert!(dir.path().join("w.sqlite.damaged-1").exists());
}

#[test]
fn an_unknown_variant_or_table_is_named_with_those_there_are() {
    let samples = samples();
    assert_fails(&run(["score", &samples, "--only", "x/y"]), &["x/y", "ssim/uniform7"]);
    let output = run(["report", "tables", &samples, "--only", "canvas-99"]);
    assert_fails(&output, &["canvas-99", "canvas-1", "graphicweaver-4"]);
}

#[test]
fn the_papers_tables_come_from_whatever_runs_there_are() {
    let samples = samples();
    let all = run(["report", "tables", &samples]);
    assert!(all.status.success(), "{}", stderr(&all));
    let text = stdout(&all);
    for id in ["canvas-1", "canvas-2", "canvas-15", "canvas-19", "psbench-3", "graphicbench-12"] {
        assert!(text.contains(&format!("(`{id}`)")), "{id} is missing in: {text}");
    }
    assert!(text.contains("—[1]") && text.contains("\n[1] "), "{text}");
    let csv = run(["report", "tables", &samples, "--only", "canvas-3", "--format", "csv"]);
    let csv = stdout(&csv);
    let heading = "table,Model,Tool Precision,Tool Recall,Tool Diversity,missing\n";
    assert!(csv.starts_with(heading), "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.starts_with("canvas-3,")), "{csv}");
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("tables.tex");
    let out = out.to_str().unwrap();
    let output = run(["report", "tables", &samples, "--format", "latex", "--out", out]);
    assert!(output.status.success() && output.stdout.is_empty());
    let latex = std::fs::read_to_string(out).unwrap();
    assert_eq!(latex.matches("\\begin{tabular}").count(), latex.matches("\\end{tabular}").count());
    assert!(latex.contains("\\label{tab:canvas-16}"), "{latex}");
}

#[test]
fn a_run_remembers_which_fonts_it_was_made_with() {
    let dir = tempfile::tempdir().unwrap();
    let calls = write(dir.path(), "calls.json", r#"[{"thought": "Done.", "calls": []}]"#);
    let samples = format!("{}/sample_runs", env!("CARGO_MANIFEST_DIR"));
    for (fonts, from_variable) in [("vendored", "machine"), ("machine", "vendored")] {
        let out = dir.path().join(fonts);
        let mut command = program();
        // What the command line says stands above what the variable says.
        command.env("PENTIMENTO_FONTS", from_variable).args(["run", "--tasks", &samples]);
        command.args(["--agent", "scripted", "--calls", &calls, "--filter", "sign-in"]);
        let output = command.args(["--fonts", fonts, "--out"]).arg(&out).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let manifest = out.join("own-samples/sign-in/scripted-01/run.json");
        let manifest: Value = serde_json::from_slice(&std::fs::read(manifest).unwrap()).unwrap();
        assert_eq!(manifest["settings"]["fonts"], fonts);
    }
    let output =
        run(["run", "--tasks", &samples, "--agent", "tracer", "--out", "o", "--fonts", "web"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("must be vendored or machine"), "{}", stderr(&output));
}

#[test]
fn render_draws_a_design_at_any_scale_and_a_single_node() {
    let dir = tempfile::tempdir().unwrap();
    let design = write(dir.path(), "design.json", DESIGN);
    let out = dir.path().join("out.png");
    let out_text = out.to_str().unwrap();
    let output = run(["render", &design, out_text, "--scale", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let picture = Pixels::open(&out).unwrap();
    assert_eq!((picture.width(), picture.height()), (120, 80));
    assert_eq!(picture.get(30, 30), Some([255, 0, 0, 255]));
    assert_eq!(picture.get(5, 5), Some([255, 255, 255, 255]));
    let output = run(["render", &design, out_text, "--node", "1:2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let picture = Pixels::open(&out).unwrap();
    assert_eq!((picture.width(), picture.height()), (20, 10));
}

#[test]
fn render_draws_an_svg_whatever_its_name_and_says_what_it_leaves_out() {
    let dir = tempfile::tempdir().unwrap();
    let svg = "\u{feff}<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\">\
        <rect width=\"20\" height=\"10\" fill=\"#00f\"/><foreignObject width=\"9\" height=\"9\"/></svg>";
    let drawing = write(dir.path(), "drawing.txt", svg);
    let out = dir.path().join("out.png");
    let output = run(["render", &drawing, out.to_str().unwrap(), "--scale", "3"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("left out: foreign object (1×)"), "{}", stderr(&output));
    let picture = Pixels::open(&out).unwrap();
    assert_eq!((picture.width(), picture.height()), (60, 30));
    assert_eq!(picture.get(59, 29), Some([0, 0, 255, 255]));
    let bad = write(dir.path(), "bad.svg", "<html></html>");
    assert_fails(&run(["render", &bad, out.to_str().unwrap()]), &["bad.svg", "html"]);
}

#[test]
fn render_writes_svg_where_the_name_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let design = write(dir.path(), "design.json", DESIGN);
    let out = dir.path().join("out.SVG");
    let out = out.to_str().unwrap();
    let output = run(["render", &design, out, "--text", "text"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let svg = std::fs::read_to_string(out).unwrap();
    let shape = r##"<rect x="10" y="10" width="20" height="10" fill="#FF0000"/>"##;
    assert!(svg.starts_with("<svg ") && svg.contains(shape), "{svg}");
    let output = run(["render", &design, out, "--node", "1:2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(std::fs::read_to_string(out).unwrap().contains(r#"viewBox="0 0 20 10""#));
    assert_fails(&run(["render", &design, out, "--scale", "2"]), &["same at every scale"]);
    assert_fails(&run(["render", &design, "out.gif"]), &["out.gif", ".png or .svg"]);
}

#[test]
fn bad_designs_are_named_with_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let good = write(dir.path(), "good.json", DESIGN);
    let out = dir.path().join("out.png");
    let out = out.to_str().unwrap();
    let deep = "[".repeat(2000);
    for (name, text, words) in [
        ("broken.json", "{\"document\": ", "not valid JSON"),
        ("deep.json", deep.as_str(), "nests deeper"),
        ("other.json", "{\"some\": \"thing\"}", "no Figma node"),
        ("empty.json", "", "not valid JSON"),
    ] {
        let bad = write(dir.path(), name, text);
        assert_fails(&run(["render", &bad, out]), &[name, words]);
    }
    assert_fails(&run(["render", "/does/not/exist.json", out]), &["/does/not/exist.json"]);
    assert_fails(&run(["render", &good, out, "--node", "9:9"]), &["9:9"]);
    assert_fails(&run(["render", &good, "/does/not/exist/out.png"]), &["/does/not/exist/out.png"]);
    assert!(!Path::new(out).exists(), "a design that fails leaves no picture");
}

#[test]
fn commands_on_nothing_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().to_str().unwrap();
    let html = dir.path().join("report.html");
    let html = html.to_str().unwrap();
    for path in [empty, "/does/not/exist"] {
        assert_fails(&run(["score", path]), &[path]);
        assert_fails(&run(["report", path, "--out", html]), &[path]);
        let out = dir.path().join("runs");
        let out = out.to_str().unwrap();
        let output = run(["run", "--tasks", path, "--agent", "tracer", "--out", out]);
        assert_fails(&output, &[path]);
        assert!(!Path::new(out).exists(), "nothing is made where there is nothing to do");
    }
}

/// A component set of 120 × 80 with a frame in it: the set is the design, not the frame.
const CARDS: &str = r#"{
  "id": "1:1", "name": "Cards", "type": "COMPONENT_SET",
  "absoluteBoundingBox": {"x": 40, "y": 10, "width": 120, "height": 80},
  "fills": [{"type": "SOLID", "color": {"r": 1, "g": 1, "b": 1, "a": 1}}],
  "children": [{
    "id": "1:2", "name": "Card", "type": "FRAME",
    "absoluteBoundingBox": {"x": 60, "y": 30, "width": 80, "height": 40},
    "fills": [{"type": "SOLID", "color": {"r": 0.1, "g": 0.3, "b": 0.9, "a": 1}}],
    "children": []
  }]
}"#;

#[test]
fn a_single_export_is_drawn_whole() {
    let dir = tempfile::tempdir().unwrap();
    let design = write(dir.path(), "cards.json", CARDS);
    let out = dir.path().join("cards.png");
    let output = run(["render", &design, out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let picture = Pixels::open(&out).unwrap();
    assert_eq!((picture.width(), picture.height()), (120, 80));
}

#[test]
fn an_agent_gets_the_picture_of_a_task_that_is_only_a_document() {
    let dir = tempfile::tempdir().unwrap();
    let design = write(dir.path(), "cards.json", CARDS);
    let runs = dir.path().join("runs");
    let out = runs.to_str().unwrap();
    let output = run(["run", "--tasks", &design, "--agent", "tracer", "--out", out]);
    assert!(output.status.success(), "{}", stderr(&output));
    let scored = run(["score", out, "--tasks", &design, "--json"]);
    let json: Value = serde_json::from_str(&stdout(&scored)).unwrap();
    let run = &json["runs"][0];
    assert_eq!(run["outcome"]["state"], "completed", "{json}");
    assert!(run["scores"][0]["value"].as_f64().unwrap() > 0.9, "{json}");
}

/// `pentimento key` with these arguments, told `input`.
fn key(arguments: &[&str], input: &str, bus: Option<&str>) -> std::process::Output {
    use std::io::Write as _;
    let mut command = program();
    command.arg("key").args(arguments);
    command.envs(bus.map(|bus| ("DBUS_SESSION_BUS_ADDRESS", bus)));
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // A program that wants nothing may have ended.
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    child.wait_with_output().unwrap()
}

#[test]
fn a_design_is_written_down_as_calls_by_the_old_name_as_by_the_new() {
    let dir = tempfile::tempdir().unwrap();
    let design = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample_runs/labels/runs/own-samples/quiz-progress/tracer-01/final.json"
    );
    let [calls, script] = ["calls", "script"].map(|name| {
        let out = dir.path().join(name);
        let output = run([name, design, out.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read_to_string(out).unwrap()
    });
    assert_eq!(calls, script);
    let turns: Value = serde_json::from_str(&calls).unwrap();
    assert!(turns[0]["calls"][0]["name"].is_string(), "{calls}");
    let said = stdout(&run(["--help"]));
    assert!(said.contains("  calls ") && !said.contains("  script "), "one name is shown: {said}");
}

#[test]
fn without_a_keyring_a_key_is_refused_and_never_shown() {
    let output = key(&["store", "test"], "sk-secret-123\n", Some("unix:path=/no/such/bus"));
    let said = format!("{output:?}");
    assert!(!output.status.success() && said.contains("keyring"), "{said}");
    assert!(!said.contains("sk-secret-123"), "{said}");
    let empty = key(&["store", "test"], "\n", Some("unix:path=/no/such/bus"));
    assert!(!empty.status.success());
}

/// `tests/README.md` has the command that gives it a keyring.
#[test]
#[ignore = "needs a keyring that is unlocked"]
fn a_key_goes_into_the_systems_keyring_and_out_again() {
    let name = "pentimento-test";
    let stored = key(&["store", name], "sk-secret-123\n", None);
    assert!(stored.status.success(), "{stored:?}");
    let source = pentimento::agent::providers::KeySource::Keyring(name.to_owned());
    assert!(source.take(&Variables::default()).unwrap().is_some());
    assert!(key(&["check", name], "", None).status.success());
    assert!(key(&["forget", name], "", None).status.success());
    let gone = key(&["check", name], "", None);
    assert!(String::from_utf8_lossy(&gone.stderr).contains("no entry"), "{gone:?}");
}
