//! Given pictures: SVG files as pictures, and what a run remembers of what it was given.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento::base::Pixels;
use pentimento::environment::suite::{GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, HandOuts as _, PictureRequest, open_environment};
use pentimento::run::reader;
use pentimento::run::replay::Replay;
use pentimento::task::{FoundBy, PictureFolder};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{call, done};
use crate::cli::{program, stderr, stdout};

const DESIGNER: &str = "Layout Designer";

/// A picture in a file of these bytes.
fn given(dir: &Path, name: &str, bytes: &[u8]) -> GivenPicture {
    let file = dir.join(name);
    std::fs::write(&file, bytes).unwrap();
    let name = name.rsplit_once('.').unwrap().0.to_owned();
    GivenPicture { name, aliases: Vec::new(), file: Some(file), recorded: None }
}

/// A suite with a poster, and the picture on it at its own size.
fn imported(picture: GivenPicture) -> SuiteEnvironment {
    let name = picture.name.clone();
    let start = SuiteStart { given: vec![picture], ..SuiteStart::default() };
    let mut suite = SuiteEnvironment::new(start).unwrap();
    done(&mut suite, DESIGNER, "CreateDocument", &json!({"docType": "poster"}));
    done(&mut suite, DESIGNER, "ImportObject", &json!({"fileName": name, "layerName": "it"}));
    suite
}

fn drawn(suite: &SuiteEnvironment, scale: f64) -> (Pixels, Vec<String>) {
    let request = PictureRequest { scale, ..PictureRequest::default() };
    let picture = suite.picture(&request).unwrap();
    let said = picture.diagnostics.into_iter().map(|it| it.message).collect();
    (picture.pixels, said)
}

fn svg(attributes: &str, inside: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' {attributes}>{inside}</svg>").into_bytes()
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().concat()
}

/// Ten bars of a pixel, black and white.
fn bars() -> Vec<u8> {
    let bar = |at: u32| format!("<rect x='{}' width='10' height='100' fill='#000'/>", at * 20);
    let bars: String = (0..10).map(bar).collect();
    svg("width='200' height='100'", &format!("<rect width='200' height='100' fill='#fff'/>{bars}"))
}

/// The share of pixels in the middle row that are neither black nor white.
fn blurred(pixels: &Pixels) -> f64 {
    let row = pixels.height() / 2;
    let is_grey = |x: &u32| {
        let [r, ..] = pixels.get(*x, row).unwrap();
        (40..216).contains(&r)
    };
    (0..pixels.width()).filter(is_grey).count() as f64 / f64::from(pixels.width())
}

#[test]
fn a_drawing_is_imported_at_its_own_size_and_is_sharp_at_any_scale() {
    let dir = tempfile::tempdir().unwrap();
    let suite = imported(given(dir.path(), "bars.svg", &bars()));
    for scale in [0.5, 1.0, 3.0] {
        let (pixels, said) = drawn(&suite, scale);
        assert_eq!(said, Vec::<String>::new());
        assert!(blurred(&pixels) < 0.06, "{scale}: {}", blurred(&pixels));
    }
    let design = suite.design().unwrap();
    let layer = design.iter_depth_first().find(|node| node.name == "it").unwrap();
    assert_eq!((layer.size.width, layer.size.height), (200.0, 100.0));
}

#[test]
fn what_of_a_drawing_is_left_out_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let masked = svg(
        "width='40' height='40'",
        "<mask id='m'><rect width='9' height='9' fill='#fff'/></mask>
         <g mask='url(#m)'><rect width='40' height='40'/></g>",
    );
    let (_, said) = drawn(&imported(given(dir.path(), "masked.svg", &masked)), 1.0);
    assert!(
        said.iter().any(|it| it.contains("\"masked\"") && it.contains("mask (1×)")),
        "{said:?}"
    );
}

#[test]
fn a_state_with_a_drawing_survives_its_json() {
    let dir = tempfile::tempdir().unwrap();
    let suite = imported(given(dir.path(), "bars.svg", &bars()));
    let json = suite.to_json();
    std::fs::remove_file(dir.path().join("bars.svg")).unwrap();
    let state = Some(json.clone());
    let again = SuiteEnvironment::new(SuiteStart { state, ..SuiteStart::default() }).unwrap();
    assert_eq!(again.to_json(), json);
    assert!(drawn(&again, 2.0).0 == drawn(&suite, 2.0).0);
    let handed_out = again.given();
    assert_eq!((handed_out[0].name.as_str(), handed_out.len()), ("bars", 1));
    let pixels = handed_out[0].pixels.as_ref().unwrap();
    assert_eq!((pixels.width(), pixels.height()), (200, 100));
}

#[test]
fn drawings_made_to_hurt_are_placeholders_with_the_reason_and_soon() {
    let dir = tempfile::tempdir().unwrap();
    let nested =
        |n: usize| format!("{}<rect width='9' height='9'/>{}", "<g>".repeat(n), "</g>".repeat(n));
    let size = "width='40' height='40'";
    let entity = |n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10));
    let entities = joined((1..12).map(entity));
    let laughs = format!(
        "<!DOCTYPE svg [<!ENTITY e0 'ha'>{entities}]><svg xmlns='http://www.w3.org/2000/svg' {size}>
         <text>&e11;</text></svg>"
    );
    let outside = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><svg xmlns='http://www.w3.org/2000/svg'
        width='40' height='40'><text y='20'>&x;</text></svg>";
    let group = |n| format!("<g id='u{n}'>{}</g>", format!("<use href='#u{}'/>", n - 1).repeat(8));
    let uses = joined((1..14).map(group));
    let rules = joined((0..20_000).map(|n| format!("g.c{n} rect,.d{n}{{fill:red}}")));
    let dashes = "<path d='M0 0H99999' stroke='#000' stroke-dasharray='.001'/>".repeat(2_000);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "decoded"),
        ("text", b"no picture".to_vec(), "decoded"),
        ("cut", bars()[..120].to_vec(), "valid XML"),
        ("page", b"<html><body/></html>".to_vec(), "must be <svg>"),
        ("zero", svg("width='0' height='40'", "<rect width='9' height='9'/>"), "viewBox"),
        ("huge", svg("width='9e6' height='9e6'", "<rect width='9' height='9'/>"), "over the limit"),
        ("deep", svg(size, &nested(5_000)), "nest deeper"),
        ("laughs", laughs.into_bytes(), "valid XML"),
        ("outside", outside.as_bytes().to_vec(), "valid XML"),
        ("uses", svg(size, &format!("<rect id='u0' width='1' height='1'/>{uses}")), "elements"),
        (
            "rules",
            svg(size, &format!("<style>{rules}</style>{}", "<rect/>".repeat(2_000))),
            "style",
        ),
        ("paint", svg(size, &"<circle r='99'/>".repeat(20_000)), "lie over each other"),
        ("nothing", svg(size, "<g/>"), "no shape"),
        ("link", svg(size, "<image href='/etc/passwd' width='9' height='9'/>"), "picture (1×)"),
        ("long", svg(size, &" ".repeat(5 << 20)), "over the limit"),
        ("letters", vec![b'<', 0xff, 0xfe, 0x00], "UTF-8"),
        ("dashes", svg(size, &dashes), ""),
    ];
    for (name, bytes, why) in cases {
        let began = Instant::now();
        let suite = imported(given(dir.path(), &format!("{name}.svg"), &bytes));
        let (_, said) = drawn(&suite, 4.0);
        assert!(began.elapsed() < Duration::from_secs(20), "{name}: {:?}", began.elapsed());
        if why.is_empty() {
            assert!(said.iter().all(|it| !it.contains("placeholder")), "{name}: {said:?}");
        } else {
            let of_it = |it: &&String| it.contains("a placeholder stands for") && it.contains(why);
            assert_eq!(said.iter().filter(of_it).count(), 1, "{name}: {said:?}");
        }
    }
}

#[test]
fn groups_with_nothing_in_them_and_markers_that_nothing_uses_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let marker = |n| format!("<marker id='m{n}'>{}</marker>", "<path d='M0 0h9v9z'/>".repeat(60));
    let marker = joined((0..60).map(marker));
    let long = format!("<path d='M0 0{}' fill='#000'/>", "l1 0 0 1".repeat(2_000));
    let inside = format!(
        "<defs>{marker}</defs><g id='a'><g id='b'><g id='c'/></g><rect width='40' height='40'/>
         <g id='d'><g id='e' opacity='.5'/></g></g>{long}"
    );
    let (pixels, said) =
        drawn(&imported(given(dir.path(), "odd.svg", &svg("viewBox='0 0 40 40'", &inside))), 1.0);
    assert_eq!(said, Vec::<String>::new());
    let middle = pixels.get(pixels.width() / 2, pixels.height() / 2);
    assert_eq!(middle, Some([0, 0, 0, 255]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_of_an_svg_are_a_picture_or_a_reason(
        parts in prop::collection::vec(
            "<(/?)(rect|path|g|use|svg|style|mask|linearGradient|pattern|image|!DOCTYPE|!--|text)( (id|href|width|height|d|r|fill|transform|spreadMethod|stroke-dasharray)='[#a-zA-Z0-9.,% ()-]{0,20}'){0,3}(/?)>",
            0..12,
        ),
        size in prop::sample::select(vec![
            "", "width='0'", "width='-3' height='9'", "viewBox='0 0 1e-30 5'", "width='1e38' height='1e38'",
            "viewBox='0 0 24 24'", "width='100%' height='5in'", "width='0.01' height='90000'",
        ]),
        noise in prop::collection::vec(any::<u8>(), 0..8),
        at in 0usize..600,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = svg(size, &parts.concat());
        let at = at.min(bytes.len());
        bytes.splice(at..at, noise);
        let picture = given(dir.path(), "any.svg", &bytes);
        prop_assert_eq!(picture.size().is_some(), picture.load().is_ok());
        let suite = imported(picture);
        let (_, said) = drawn(&suite, 1.0);
        let stands = said.iter().filter(|it| it.contains("a placeholder stands for")).count();
        prop_assert!(stands <= 1);
    }
}

#[test]
fn a_drawing_is_found_by_its_title_and_keywords() {
    let dir = tempfile::tempdir().unwrap();
    let work = |title: &str, keywords: &[&str]| {
        let list = joined(keywords.iter().map(|word| format!("<rdf:li>{word}</rdf:li>")));
        let work = format!(
            "<metadata><rdf:RDF xmlns:rdf='r' xmlns:cc='c' xmlns:dc='d'><cc:Work><dc:title>{title}</dc:title>
             <dc:subject><rdf:Bag>{list}</rdf:Bag></dc:subject><dc:publisher><cc:Agent>
             <dc:title>Unicorn Library</dc:title></cc:Agent></dc:publisher></cc:Work></rdf:RDF></metadata>
             <rect width='9' height='9'/>"
        );
        svg("width='9' height='9'", &work)
    };
    for (file, title, keywords) in [
        ("01.svg", "Dreamy Moon", &["night", "sky"][..]),
        ("02.svg", "Wolf", &["animal", "forests", "moon"]),
        ("03.svg", "A castle &amp; a lake", &[]),
    ] {
        given(dir.path(), file, &work(title, keywords));
    }
    let folder = PictureFolder::open(dir.path()).unwrap();
    for (name, file, by) in [
        ("dreamy_moons", "01.svg", FoundBy::Name),
        ("lake_castle", "03.svg", FoundBy::AllWords),
        ("night_sky", "01.svg", FoundBy::Keywords),
        ("forest_wolf_illustration", "02.svg", FoundBy::Keywords),
        ("red_moon", "01.svg", FoundBy::MainWord),
        ("magic_forest", "02.svg", FoundBy::MainKeyword),
    ] {
        let (found, how) = folder.find(name, "").unwrap_or_else(|| panic!("{name}"));
        assert_eq!((found, how), (dir.path().join(file).as_path(), by), "{name}");
    }
    assert!(folder.find("unicorn", "").is_none(), "a publisher is no title");
}

/// A query for a card with two pictures, of which the folder `pictures` has one, an SVG.
pub(crate) fn query(dir: &Path) -> PathBuf {
    let row = json!({"id": 1, "type": "business card", "user_query": "A card with bars and a moon.",
        "design_components": {"background_color": "white",
            "text": {}, "visual": {"bars": {"size": "small", "position": "center"},
                "moon": {"size": "small", "position": "center"}}},
        "images": [{"content": "bars", "url": "https://example.org/1"},
            {"content": "moon", "url": "https://example.org/2"}]});
    let tasks = dir.join("own.jsonl");
    std::fs::write(&tasks, row.to_string()).unwrap();
    std::fs::create_dir_all(dir.join("pictures")).unwrap();
    given(&dir.join("pictures"), "bars.svg", &bars());
    tasks
}

/// Steps that put the picture of bars on a card at its own size.
fn script(dir: &Path) -> PathBuf {
    let values = json!({"expert": DESIGNER, "fileName": "bars", "layerName": "it"});
    let turns = json!([{"calls": [
        {"name": "CreateDocument", "arguments": {"expert": DESIGNER, "docType": "business card"}},
        {"name": "ImportObject", "arguments": values},
    ]}]);
    let file = dir.join("script.json");
    std::fs::write(&file, turns.to_string()).unwrap();
    file
}

fn run_cli(tasks: &Path, script: &Path, out: &Path, extra: &[&str]) -> Output {
    let mut command = program();
    command.args(["run", "--agent", "scripted", "--tasks"]).arg(tasks);
    command.arg("--script").arg(script).arg("--out").arg(out).args(extra).output().unwrap()
}

/// The only run below a folder.
fn only_run(out: &Path) -> PathBuf {
    let mut waiting = vec![out.to_path_buf()];
    let mut found = Vec::new();
    while let Some(dir) = waiting.pop() {
        if dir.join("run.json").is_file() {
            found.push(dir);
            continue;
        }
        waiting.extend(
            std::fs::read_dir(dir)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|it| it.is_dir()),
        );
    }
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// What `score` says of a variant: its value, or its reason and its words.
fn scored(run: &Path, tasks: Option<&Path>, variant: &str) -> Value {
    let mut command = program();
    command.args(["score", "--json", "--no-cache", "--only", variant]).arg(run);
    if let Some(tasks) = tasks {
        command.arg("--tasks").arg(tasks);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    json["runs"][0]["scores"][0].clone()
}

#[test]
fn a_run_says_which_file_each_picture_got_and_is_measured_by_what_it_had() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, script) = (query(dir.path()), script(dir.path()));
    let (out, pictures) = (dir.path().join("runs"), dir.path().join("pictures"));
    let made = run_cli(&tasks, &script, &out, &["--pictures", pictures.to_str().unwrap()]);
    assert!(made.status.success(), "{}", stderr(&made));
    let place = only_run(&out);
    let run = reader::open(&place).unwrap();
    let [bars, moon] = &run.manifest.given[..] else { panic!("{:?}", run.manifest.given) };
    assert_eq!((bars.name.as_str(), moon.name.as_str()), ("bars", "moon"));
    assert_eq!(bars.file.as_deref(), pictures.join("bars.svg").to_str());
    let start: Value =
        serde_json::from_slice(&std::fs::read(place.join("start.json")).unwrap()).unwrap();
    let held = &start["pictures"][bars.picture.as_deref().unwrap()];
    assert_eq!((&held["name"], bars.missing.as_deref()), (&json!("bars"), None));
    assert_eq!((moon.file.as_deref(), moon.picture.as_deref()), (None, None));
    assert_eq!(moon.missing.as_deref(), Some("there is no file of it"));
    // The folder may be gone, and the queries too: the run holds what it had.
    std::fs::remove_dir_all(&pictures).unwrap();
    for known in [Some(tasks.as_path()), None] {
        let fidelity = scored(&place, known, "fidelity/ccoeff-normed");
        assert_eq!(fidelity["value"], json!(1.0), "{fidelity}");
    }
    std::fs::remove_file(&tasks).unwrap();
    let fidelity = scored(&place, None, "fidelity/ccorr-normed");
    assert_eq!(fidelity["value"], json!(1.0), "{fidelity}");
}

#[test]
fn a_run_with_placeholders_says_why_nobody_knows_whether_it_shows_its_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, script) = (query(dir.path()), script(dir.path()));
    let out = dir.path().join("runs");
    let made = run_cli(&tasks, &script, &out, &[]);
    assert!(made.status.success(), "{}", stderr(&made));
    let place = only_run(&out);
    let fidelity = scored(&place, Some(&tasks), "fidelity/ccorr-normed");
    let said = fidelity.to_string();
    assert!(
        said.contains("no_inputs") && said.contains("placeholders stood for the pictures"),
        "{said}"
    );
    assert!(said.contains("bars: there is no file of it") && said.contains("--pictures"), "{said}");
}

#[test]
fn scores_of_a_query_say_that_it_has_no_ground_truth_and_which_metrics_need_none() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, script) = (query(dir.path()), script(dir.path()));
    let out = dir.path().join("runs");
    let made = run_cli(&tasks, &script, &out, &[]);
    assert!(made.status.success(), "{}", stderr(&made));
    let place = only_run(&out);
    let ssim = scored(&place, Some(&tasks), "ssim/uniform7").to_string();
    assert!(ssim.contains("nothing_to_compare"), "{ssim}");
    let mut command = program();
    command.args(["score", "--no-cache"]).arg(&place).arg("--tasks").arg(&tasks);
    let output = command.output().unwrap();
    let (said, noted) = (stdout(&output), stderr(&output));
    let why = "(nothing to compare with: a design query has no ground truth)";
    let line = said.lines().find(|line| line.ends_with(why)).unwrap_or_default();
    assert!(line.contains("ssim/…, psnr/skimage, "), "{said}");
    assert!(
        noted.contains("Those that need none: ") && noted.contains("fidelity/ccorr-normed"),
        "{noted}"
    );
    assert!(
        noted.contains("metric constraints") && !noted.contains("say where they are"),
        "{noted}"
    );
}

#[test]
fn a_page_and_the_behaviour_of_a_query_are_by_what_it_asks_and_not_by_likeness() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, script) = (query(dir.path()), script(dir.path()));
    let out = dir.path().join("runs");
    let made = run_cli(&tasks, &script, &out, &[]);
    assert!(made.status.success(), "{}", stderr(&made));
    let place = only_run(&out);
    let canvas = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample_runs/runs/own-samples/quiz-progress/scripted-01");
    let mut command = program();
    command.args(["report", "behavior", "--json", "--no-cache"]).arg(&place).arg(&canvas);
    let output = command.arg("--tasks").arg(&tasks).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let runs = json["runs"].as_array().unwrap().iter();
    let ids: BTreeSet<(&str, &str)> = runs
        .map(|run| {
            assert_eq!(run["metrics"].as_array().unwrap().len(), 1, "{run}");
            (run["task"].as_str().unwrap(), run["metrics"][0]["id"].as_str().unwrap())
        })
        .collect();
    let by = |id: &str| ids.iter().filter(|(_, of)| *of == id).count();
    assert_eq!((by("constraints/all"), by("ssim/uniform7")), (1, 1), "{ids:?}");
    let page = dir.path().join("page.html");
    let mut command = program();
    command.arg("report").arg(&place).arg(&canvas).arg("--tasks").arg(&tasks);
    let output = command.arg("--out").arg(&page).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let page = std::fs::read_to_string(&page).unwrap();
    let (page, footer) = page.rsplit_once("<footer>").unwrap();
    assert!(footer.contains("constraints/all") && footer.contains("ssim/uniform7"), "{footer}");
    // A mean of each, as one over both would be of neither.
    assert_eq!(page.matches("<dt>mean ").count(), 2);
}

#[test]
fn an_import_remembers_its_pictures_and_one_with_others_is_another_run() {
    let dir = tempfile::tempdir().unwrap();
    query(dir.path());
    let plans = dir.path().join("plans/ours");
    std::fs::create_dir_all(&plans).unwrap();
    let plan = json!({"ID": 1, "user_query": "A card.", "design_choices": {"background_color": "red"},
        "images": [{"content": "bars", "url": "https://example.org/1"}], "recruitment_status": [], "workflows": [],
        "combined_workflow": "NOT RETRIEVED", "final_workflow": [{"step": 1, "expert": DESIGNER,
            "action": "CreateDocument", "parameters": {"docType": "poster"}}]});
    std::fs::write(plans.join("poster.jsonl"), plan.to_string()).unwrap();
    let import = |extra: &[&str]| {
        let mut command = program();
        command.args(["import", "graphicbench", "--json"]).arg(dir.path().join("plans"));
        let output =
            command.arg("--out").arg(dir.path().join("runs")).args(extra).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).unwrap()["imported"].clone()
    };
    let pictures = dir.path().join("pictures");
    let with = ["--pictures", pictures.to_str().unwrap(), "--compat", "graphicbench"];
    assert_eq!(import(&with), json!(1));
    let run = reader::open(&only_run(&dir.path().join("runs"))).unwrap();
    assert_eq!(run.manifest.given.len(), 1);
    assert_eq!(run.manifest.given[0].file.as_deref(), pictures.join("bars.svg").to_str());
    assert_eq!(run.manifest.compat.as_deref(), Some("graphicbench"));
    assert_eq!((import(&with), import(&["--compat", "graphicbench"])), (json!(0), json!(1)));
}

#[test]
fn a_behaviour_of_the_suite_is_taken_by_run_recorded_and_had_again() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, script) = (query(dir.path()), script(dir.path()));
    let (out, pictures) = (dir.path().join("runs"), dir.path().join("pictures"));
    let extra = ["--compat", "graphicbench", "--pictures", pictures.to_str().unwrap()];
    let made = run_cli(&tasks, &script, &out, &extra);
    assert!(made.status.success(), "{}", stderr(&made));
    let first = only_run(&out);
    let manifest = reader::open(&first).unwrap().manifest;
    assert_eq!(manifest.compat.as_deref(), Some("graphicbench"));
    // A replay opens the environment as it was.
    let run = Arc::new(reader::open(&first).unwrap());
    assert!(Replay::new(run, &open_environment).is_ok());
    let again = |extra: &[&str]| {
        let mut command = program();
        command.args(["run", "--again"]).arg(&first).arg("--out").arg(dir.path().join("again"));
        command.arg("--tasks").arg(&tasks).args(extra).output().unwrap()
    };
    let made = again(&[]);
    assert!(made.status.success(), "{}", stderr(&made));
    let second_dir = only_run(&dir.path().join("again"));
    let second = reader::open(&second_dir).unwrap().manifest;
    assert_eq!((&second.compat, &second.given), (&manifest.compat, &manifest.given));
    let picture = manifest.given[0].picture.clone();
    assert!(picture.is_some());
    let folder = |settings: &serde_json::Map<String, Value>| settings.get("pictures").cloned();
    assert_eq!(folder(&second.settings), folder(&manifest.settings));
    assert!(folder(&second.settings).is_some());
    // It has the pictures from the run, whatever became of their files.
    std::fs::rename(&pictures, dir.path().join("moved")).unwrap();
    let made = again(&[]);
    assert!(made.status.success(), "{}", stderr(&made));
    let third = reader::open(&second_dir.with_file_name("scripted-02")).unwrap().manifest;
    assert_eq!((third.compat, third.given), (second.compat, second.given));
    assert_eq!(folder(&third.settings), folder(&second.settings));
    // Others are taken where that is said.
    let elsewhere = dir.path().join("moved");
    let made = again(&["--pictures", elsewhere.to_str().unwrap()]);
    assert!(made.status.success(), "{}", stderr(&made));
    let fourth = reader::open(&second_dir.with_file_name("scripted-03")).unwrap().manifest;
    assert_eq!(folder(&fourth.settings), Some(json!(elsewhere)));
    assert_eq!(fourth.given[0].picture, picture);
}

#[test]
fn a_behaviour_that_is_not_of_the_environment_is_refused_before_anything_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (tasks, script) = (query(dir.path()), script(dir.path()));
    let out = dir.path().join("runs");
    let refused = run_cli(&tasks, &script, &out, &["--compat", "canvas-2026-01"]);
    let said = stderr(&refused);
    assert!(!refused.status.success() && !out.exists(), "{said}");
    assert!(
        said.contains("environment canvas") && said.contains("businesscard-1 (suite)"),
        "{said}"
    );
    let unknown = run_cli(&tasks, &script, &out, &["--compat", "nonsense"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("documented, canvas-2026-01, graphicbench"));
    let mut help = program();
    let help = help.args(["run", "--help"]).output().unwrap();
    assert!(stdout(&help).contains("graphicbench"));
}

#[test]
fn a_call_that_fails_leaves_the_given_pictures_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let mut suite = imported(given(dir.path(), "bars.svg", &bars()));
    let before = suite.given();
    let outcome = call(&mut suite, DESIGNER, "ResizeObject", &json!({"layerName": "none"}));
    assert!(outcome.is_error());
    assert_eq!(suite.given(), before);
}
