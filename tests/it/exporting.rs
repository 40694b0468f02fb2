//! `pentimento export`, run as people run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::base::CancelToken;
use pentimento::design::figma;
use pentimento::environment::open_environment;
use pentimento::evaluate::{ComparedSide, ComparedTask, RunCanvas, Scorer, Wanted, compared_step};
use pentimento::export::{PageForm, drawing_file};
use pentimento::metric::Registry;
use pentimento::render::Fonts;
use pentimento::run::reader;
use pentimento::task::TaskFinder;
use serde_json::Value;

use crate::cli::{assert_fails, program, run, stderr, stdout};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples").join(name)
}

fn export(kind: &str, dir: &Path, out: &Path, more: &[&str]) -> String {
    let mut command = program();
    command.args(["export", kind]).arg(dir).arg("--out").arg(out).args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_published_layout_holds_every_turn_and_comes_back_by_import() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("canvas");
    let said = export("canvas", &sample("quiz-progress/scripted-01"), &out, &[]);
    assert!(said.contains("1 cases"), "{said}");
    let cases: Value = serde_json::from_slice(&fs::read(out.join("cases.json")).unwrap()).unwrap();
    let case = &cases["cases"][0];
    let folder = out.join(case["folder"].as_str().unwrap());
    let id = case["case_id"].as_str().unwrap();
    for end in ["-canvas.png", "-json-structure.json", "-history.json"] {
        assert!(folder.join(format!("{id}{end}")).is_file(), "{id}{end}");
    }
    let snapshots = case["steps"].as_array().unwrap().len();
    assert!(snapshots > 0);
    let last = folder.join(format!("snapshots/{id}-snapshot-{}.json", snapshots - 1));
    let last: Value = serde_json::from_slice(&fs::read(last).unwrap()).unwrap();
    assert!(!last["toolResults"].as_array().unwrap().is_empty());
    assert!(last["structure"]["document"]["children"].is_array());
    let back = dir.path().join("back");
    let imported = program().arg("import").arg(&folder).arg("--out").arg(&back).output().unwrap();
    assert!(imported.status.success(), "{}", stderr(&imported));
}

/// The names of what lies in a folder and below it, files alone.
fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn an_export_for_the_evaluator_replaces_the_one_before_whole_and_nothing_of_others() {
    let dir = tempfile::tempdir().unwrap();
    let (out, fresh) = (dir.path().join("canvas"), dir.path().join("fresh"));
    export("canvas", &sample("recipe-tip"), &out, &[]);
    let scores = out.join("eval_outputs/scores.json");
    fs::create_dir_all(out.join("eval_outputs")).unwrap();
    fs::write(&scores, "{}").unwrap();
    let other = sample("quiz-progress/scripted-01");
    export("canvas", &other, &out, &[]);
    export("canvas", &other, &fresh, &[]);
    for folder in ["benchmarks", "results"] {
        let [is, ought] = [&out, &fresh].map(|root| {
            let mut files = files_below(&root.join(folder));
            files.sort();
            files.iter().map(|it| it.strip_prefix(root).unwrap().to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(is, ought, "as in a folder of its own");
    }
    assert!(scores.is_file(), "what the evaluator came to stays");
    let mut names: Vec<_> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["benchmarks", "cases.json", "eval_outputs", "results"]);
    // Of others is what no export wrote, between its files or without any.
    let again = |out: &Path| {
        let mut command = program();
        command.args(["export", "canvas"]).arg(&other).arg("--out").arg(out).output().unwrap()
    };
    let mine = out.join("results/mine.txt");
    fs::write(&mine, "mine").unwrap();
    assert_fails(&again(&out), &["mine.txt", "choose another folder"]);
    assert!(mine.is_file() && out.join("cases.json").is_file());
    let foreign = dir.path().join("foreign");
    fs::create_dir_all(foreign.join("results")).unwrap();
    fs::write(foreign.join("results/mine.txt"), "mine").unwrap();
    assert_fails(&again(&foreign), &["results", "choose another folder"]);
    assert_eq!(files_below(&foreign), [foreign.join("results/mine.txt")]);
}

/// How a side scores by what is seen and by its nodes.
fn scores_of(scorer: &Scorer, task: &ComparedTask, side: &ComparedSide) -> [f64; 2] {
    let variants = ["ssim/uniform7", "component_similarity/canvas"];
    let wanted = Wanted { variants: Some(&variants), map: None };
    let mut found = Vec::new();
    scorer
        .score(task, side, wanted, &CancelToken::new(), |of_metric| found.extend(of_metric))
        .unwrap();
    variants.map(|id| {
        let measured = found.iter().find(|it| it.variant.id == id).unwrap();
        measured.measurement.score.value().unwrap()
    })
}

#[test]
fn what_comes_back_by_import_scores_as_the_run_at_every_snapshot() {
    let (scorer, never) = (Scorer::new(Registry::built_in(), None), CancelToken::new());
    let mut finder = TaskFinder::default();
    finder.search(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")).unwrap();
    for name in ["quiz-progress/scripted-01", "now-playing/scripted-01"] {
        let (dir, sample) = (tempfile::tempdir().unwrap(), sample(name));
        let out = dir.path().join("canvas");
        export("canvas", &sample, &out, &[]);
        let cases = fs::read(out.join("cases.json")).unwrap();
        let cases: Value = serde_json::from_slice(&cases).unwrap();
        let case = &cases["cases"][0];
        let folder = out.join(case["folder"].as_str().unwrap());
        let id = case["case_id"].as_str().unwrap();
        let run = Arc::new(reader::open(&sample).unwrap());
        let task = finder.task_of(&sample, &run.manifest).unwrap();
        let compared = ComparedTask::load(&task, &open_environment).unwrap().unwrap();
        let imported = crate::import::imported(&[&folder]);
        let mut canvases = [run, Arc::new(imported.run())]
            .map(|run| RunCanvas::open(run, Some(Arc::clone(&task)), &open_environment).unwrap());
        let steps = case["steps"].as_array().unwrap();
        assert!(!steps.is_empty(), "{case}");
        for (number, step) in steps.iter().enumerate() {
            let step = u32::try_from(step.as_u64().unwrap()).unwrap();
            let [was, is] =
                canvases.each_mut().map(|canvas| compared_step(canvas, step, &never).unwrap());
            // The picture comes back with the run; what the canvas then held lies beside it.
            assert!(is.picture.is_some() && is.design.is_none());
            let file = folder.join(format!("snapshots/{id}-snapshot-{number}-structure.json"));
            let structure = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
            let design = Some(figma::from_json(structure).unwrap().document);
            let is = ComparedSide { design, no_design: None, memory: None, ..is };
            let [was, is] = [was, is].map(|side| scores_of(&scorer, &compared, &side));
            for (was, is) in was.iter().zip(&is) {
                assert!((was - is).abs() < 1e-9, "{name} step {step}: {was} was, {is} is");
            }
        }
    }
}

#[test]
fn a_run_becomes_a_sheet_a_grid_an_animation_and_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let sample = sample("recipe-tip");
    let one = sample.join("scripted-02");
    for (name, head) in
        [("sheet.png", b"\x89PNG".as_slice()), ("sheet.svg", b"<"), ("sheet.pdf", b"%PDF-")]
    {
        let out = dir.path().join(name);
        export("contact-sheet", &one, &out, &["--columns", "3"]);
        assert!(fs::read(&out).unwrap().starts_with(head), "{name}");
    }
    let grid = dir.path().join("grid.pdf");
    export("grid", &sample, &grid, &["--changed"]);
    assert!(fs::read(&grid).unwrap().starts_with(b"%PDF-"));
    let figures = dir.path().join("figures");
    let made = run([
        "report",
        "figures",
        &sample.display().to_string(),
        "--only",
        "canvas-4",
        "--out",
        &figures.display().to_string(),
    ]);
    assert!(made.status.success(), "{}", stderr(&made));
    assert!(fs::read(figures.join("canvas-4.pdf")).unwrap().starts_with(b"%PDF-"));
    let table = dir.path().join("grid.tex");
    export("grid", &sample, &table, &[]);
    assert!(fs::read_to_string(&table).unwrap().contains("grid-pictures/1-1.png"));
    assert!(dir.path().join("grid-pictures/1-1.png").is_file());
    let film = dir.path().join("film.webp");
    export("animation", &one, &film, &["--truth"]);
    assert_eq!(&fs::read(&film).unwrap()[8..12], b"WEBP");
    let animated = dir.path().join("film.gif");
    export("animation", &one, &animated, &["--delay", "10000"]);
    let bytes = fs::read(&animated).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.len() < 4 << 20, "{} bytes", bytes.len());
    let video = dir.path().join("film.mp4");
    export("animation", &one, &video, &[]);
    assert_eq!(&fs::read(&video).unwrap()[4..8], b"ftyp");
    let page = dir.path().join("run.html");
    export("html", &one, &page, &[]);
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("create_frame") && page.contains("data:image/png"), "{}", page.len());
    assert!(!page.contains("http://") || page.contains("www.w3.org"), "nothing from outside");
}

#[test]
fn a_filter_takes_no_runs_from_beside_the_tasks() {
    let dir = tempfile::tempdir().unwrap();
    let table = dir.path().join("grid.tex");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs").display().to_string();
    let more = ["--tasks", &samples, "--filter", "turns>0"];
    export("grid", &sample("recipe-tip"), &table, &more);
    let table = fs::read_to_string(&table).unwrap();
    assert!(table.contains("recipe-tip"), "{table}");
    let rows = fs::read_dir(dir.path().join("grid-pictures")).unwrap();
    let names: Vec<String> =
        rows.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("1-")), "{names:?}");
}

#[test]
fn letters_that_inter_lacks_are_set_in_other_fonts() {
    let mut fonts = Fonts::default();
    assert_eq!(fonts.missing("a א, א ב"), ['א', 'ב']);
    let box_of = |fonts: &Fonts, form: PageForm| {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"80\" height=\"40\" \
                   font-family=\"Inter, sans-serif\"><text x=\"4\" y=\"28\" font-size=\"20\">a א</text></svg>";
        drawing_file(svg, form, 1.0, "", fonts).unwrap()
    };
    let without = [PageForm::Png, PageForm::Pdf].map(|form| box_of(&fonts, form));
    fonts.add(include_bytes!("../data/fonts/hebrew.ttf").to_vec());
    assert_eq!(fonts.missing("a א, א ב"), Vec::<char>::new());
    let with = [PageForm::Png, PageForm::Pdf].map(|form| box_of(&fonts, form));
    assert!(with.iter().zip(&without).all(|(with, without)| with != without));
}

#[test]
fn letters_that_no_font_has_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("runs/scripted-01");
    fs::create_dir_all(&copy).unwrap();
    let from = sample("recipe-tip/scripted-01");
    for file in files_below(&from) {
        let to = copy.join(file.strip_prefix(&from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
    let mut manifest: Value =
        serde_json::from_slice(&fs::read(copy.join("run.json")).unwrap()).unwrap();
    // Of private use: no font that is to be found has it.
    manifest["agent"]["name"] = "model \u{10FFF0}".into();
    fs::write(copy.join("run.json"), manifest.to_string()).unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    for (name, is_said) in [("grid.png", true), ("grid.pdf", true), ("grid.tex", false)] {
        let mut command = program();
        command.args(["export", "grid"]).arg(&copy).arg("--tasks").arg(&samples);
        let output = command.arg("--out").arg(dir.path().join(name)).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("U+10FFF0"), is_said, "{}", stderr(&output));
    }
}

#[test]
fn what_cannot_be_exported_says_why() {
    let one = sample("recipe-tip/scripted-01").display().to_string();
    let many = sample("recipe-tip").display().to_string();
    assert_fails(&run(["export", "contact-sheet", &one, "--out", "a.txt"]), &["a.txt"]);
    assert_fails(&run(["export", "animation", &many, "--out", "a.webp"]), &["2 runs"]);
    assert_fails(&run(["export", "grid", &many, "--out", "a.png", "--model", "x"]), &["x"]);
}

#[test]
fn a_browser_goes_through_the_page_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("run.html");
    export("html", &sample("recipe-tip/scripted-02"), &page, &[]);
    let browser = pentimento::environment::page::Chromium::find(&crate::page::search())
        .expect("tests/run installs chromium");
    // Driven by a line of its own, as nothing is there to press a key.
    let text = fs::read_to_string(&page).unwrap();
    let keys = "<script>for (const key of [\"Home\", \"ArrowRight\", \"3\"]) \
                document.dispatchEvent(new KeyboardEvent(\"keydown\", { key }));</script></body>";
    fs::write(&page, text.replace("</body>", keys)).unwrap();
    let mut command = std::process::Command::new(browser.path());
    command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", dir.path().join("profile").display()));
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    let shown = stdout(&output);
    assert!(shown.contains("Step 1 · turn 1 · create_frame"), "{shown:.3000}");
    assert!(shown.contains("Step 1 below the ground truth"), "the onion skin was chosen");
    assert!(shown.contains(">1 / 6</output>"), "one step after the start");
}

/// What another program reads in a table of Parquet: its cells as JSON, nothing as null.
const READ_PARQUET: &str = "\
import json, sys
import pyarrow.parquet
file = pyarrow.parquet.ParquetFile(sys.argv[1])
print(json.dumps({'rows': file.read().to_pylist(), 'by': file.metadata.created_by}))";

#[test]
fn tables_as_parquet_are_read_by_pyarrow_with_their_numbers_and_reasons() {
    let Some(python) = crate::tools::path("inspect-python/bin/python") else { return };
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("tables.parquet");
    let sample = sample("quiz-progress");
    let mut tables = program();
    tables.args(["report", "tables"]).arg(&sample).args(["--only", "canvas-1", "--no-cache"]);
    let refused = tables.args(["--format", "parquet"]).output().unwrap();
    assert_fails(&refused, &["--format parquet needs --out"]);
    let written = tables.arg("--out").arg(&out).output().unwrap();
    assert!(written.status.success(), "{}", stderr(&written));
    let read =
        std::process::Command::new(python).args(["-c", READ_PARQUET]).arg(&out).output().unwrap();
    assert!(read.status.success(), "{}", stderr(&read));
    let read: Value = serde_json::from_str(&stdout(&read)).unwrap();
    assert!(read["by"].as_str().unwrap().starts_with("Pentimento "), "{read}");
    let rows = read["rows"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!(row["table"], "canvas-1");
        // A number where the cell is one, and a reason where there is none.
        assert!(row["text"].is_string() || row["note"].is_string(), "{row}");
        if let Some(number) = row["number"].as_f64() {
            let first = row["text"].as_str().unwrap().split(' ').next().unwrap();
            assert_eq!(first.parse::<f64>().unwrap(), number, "{row}");
        }
    }
    assert!(rows.iter().any(|row| row["number"].is_f64()), "{read}");
}

#[test]
fn a_grid_says_pos_at_k_of_edits_and_what_people_wrote() {
    use pentimento::store::{Store, StoredNote};
    let dir = tempfile::tempdir().unwrap();
    let workspace = dir.path().join("workspace.sqlite");
    let run = sample("quiz-progress/scripted-01");
    let manifest: Value = serde_json::from_slice(&fs::read(run.join("run.json")).unwrap()).unwrap();
    let note = StoredNote {
        run: manifest["id"].as_str().unwrap().to_owned(),
        step: None,
        is_starred: false,
        text: "It loses\nthe bar.".to_owned(),
    };
    Store::open(&workspace).unwrap().put_note(&note).unwrap();
    let grid = |badge: &str, file: &str| {
        let out = dir.path().join(file);
        let mut command = program();
        command.env("PENTIMENTO_WORKSPACE", &workspace).args(["export", "grid"]).arg(&run);
        command.args(["--badge", badge, "--notes", "--out"]).arg(&out);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read(out).unwrap()
    };
    let text = String::from_utf8(grid("pos", "grid.tex")).unwrap();
    assert!(text.contains("It loses the bar."), "{text}");
    assert!(text.contains("Pos@") && text.contains(" of 3"), "{text}");
    let text = String::from_utf8(grid("score", "scores.svg")).unwrap();
    assert!(!text.contains("Pos@"), "{text}");
}

/// The window over the samples, with one of their runs on the stage.
mod window {
    use std::path::PathBuf;
    use std::time::{Duration, Instant};

    use pentimento::app::Session;
    use pentimento::workbench::{
        AnnotateCommand, Command, DemonstrationLines, ExploreCommand, ExportChoices, ExportForm,
        JobKind, NoticeSubject, Overlay, RunsExport, Settings, State, StepRange, Workspace,
    };
    use pentimento::worker::WorkerConfig;

    use crate::cli::{program, stderr};

    const PATIENCE: Duration = Duration::from_mins(3);

    fn session(dir: &std::path::Path) -> Session {
        let state = State::new(Settings::default(), dir.join("runs"));
        let config = WorkerConfig { drawing_threads: 1, ..WorkerConfig::default() };
        let mut session = Session::start(state, config, || {}).unwrap();
        let root = env!("CARGO_MANIFEST_DIR");
        session.carry_out(Command::Open(vec![format!("{root}/sample_runs/taskset.json").into()]));
        until(&mut session, |state| !state.library.runs.is_empty() && !is_at(state, JobKind::Open));
        let runs = &session.state().library.runs;
        let run = runs.iter().find(|(_, run)| run.dir.ends_with("recipe-tip/scripted-02"));
        let run = *run.expect("the samples have it").0;
        session.carry_out(Command::SelectRun(run));
        session
    }

    fn until(session: &mut Session, is_so: impl Fn(&State) -> bool) {
        let began = Instant::now();
        while !is_so(session.state()) {
            assert!(began.elapsed() < PATIENCE, "{:?}", session.state().notices);
            session.take_next_event(Duration::from_millis(50));
        }
    }

    fn is_at(state: &State, kind: JobKind) -> bool {
        state.jobs.active().any(|(_, job)| job.kind == kind)
    }

    fn choose(session: &mut Session, change: impl FnOnce(&mut ExportChoices)) {
        let mut choices = session.state().settings.export.clone();
        change(&mut choices);
        session.carry_out(Command::ChooseExport(Box::new(choices)));
    }

    fn export(session: &mut Session, kind: RunsExport, form: ExportForm, path: &std::path::Path) {
        let path = path.to_path_buf();
        session.carry_out(Command::ExportRuns { kind, form, path: path.clone() });
        until(session, |state| !is_at(state, JobKind::Save));
        let notice = session.state().notices.last().unwrap();
        assert_eq!(notice.text, format!("saved {}", path.display()));
        assert!(matches!(notice.about, Some(NoticeSubject::Saved { .. })), "{notice:?}");
    }

    /// What a command of an export makes elsewhere.
    fn by_command(command: &str, from: &std::path::Path, to: &std::path::Path) -> Vec<u8> {
        let line = command.replace(&from.display().to_string(), &to.display().to_string());
        let words = line.strip_prefix("pentimento ").unwrap();
        let mut shell = std::process::Command::new("sh");
        shell.env("PENTIMENTO", program().get_program()).env("PENTIMENTO_WORKSPACE", "");
        let output = shell.args(["-c", &format!("exec \"$PENTIMENTO\" {words}")]).output().unwrap();
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        std::fs::read(to).unwrap()
    }

    #[test]
    fn a_run_is_exported_as_each_of_its_forms_and_its_command_makes_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = session(dir.path());
        choose(&mut session, |choices| choices.columns = 3);
        for (kind, form, head) in [
            (RunsExport::ContactSheet, ExportForm::Png, b"\x89PNG".as_slice()),
            (RunsExport::ContactSheet, ExportForm::Svg, b"<"),
            (RunsExport::ContactSheet, ExportForm::Pdf, b"%PDF-"),
            (RunsExport::Animation, ExportForm::Webp, b"RIFF"),
            (RunsExport::Animation, ExportForm::AnimatedPng, b"\x89PNG"),
            (RunsExport::Page, ExportForm::Html, b"<!"),
            (RunsExport::Report, ExportForm::Html, b"<!"),
        ] {
            let path = dir.path().join(format!("{kind:?}.{}", form.extension()));
            // What is there is replaced.
            std::fs::write(&path, "before").unwrap();
            export(&mut session, kind, form, &path);
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes.starts_with(head), "{kind:?} {form:?}");
            let is_report = matches!(kind, RunsExport::Report);
            let words = if is_report { b"pentimento report " } else { b"pentimento export " };
            let said = bytes.windows(words.len()).any(|it| it == words);
            // A PDF may hold its words in another form.
            assert!(
                said || form == ExportForm::Pdf,
                "{kind:?} {form:?} says which command made it"
            );
        }
        // The same pictures: only the name of the file is another.
        let path = dir.path().join("one.webp");
        export(&mut session, RunsExport::Animation, ExportForm::Webp, &path);
        let command =
            session.state().export_command(RunsExport::Animation, ExportForm::Webp, &path);
        let again = by_command(&command, &path, &dir.path().join("two.webp"));
        let frames = |bytes: &[u8]| {
            let mut decoder = image_webp_of(bytes);
            let mut rgba = vec![0; decoder.output_buffer_size().unwrap()];
            let count = decoder.num_frames();
            (0..count)
                .map(|_| {
                    let shown = decoder.read_frame(&mut rgba).unwrap();
                    (shown, rgba.clone())
                })
                .collect::<Vec<_>>()
        };
        assert!(frames(&again) == frames(&std::fs::read(&path).unwrap()), "{command}");
    }

    fn image_webp_of(bytes: &[u8]) -> image_webp::WebPDecoder<std::io::Cursor<Vec<u8>>> {
        image_webp::WebPDecoder::new(std::io::Cursor::new(bytes.to_vec())).unwrap()
    }

    #[test]
    fn a_marked_range_is_all_that_is_shown_and_the_command_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = session(dir.path());
        until(&mut session, |state| state.selected_run().is_some_and(|run| run.loaded.is_some()));
        let range = Some(StepRange { first: 0, last: 1 });
        session
            .carry_out(Command::Playback(pentimento::workbench::PlaybackCommand::SetRange(range)));
        let path = dir.path().join("range.webp");
        let pictures = |session: &mut Session| {
            export(session, RunsExport::Animation, ExportForm::Webp, &path);
            image_webp_of(&std::fs::read(&path).unwrap()).num_frames()
        };
        let within = pictures(&mut session);
        let kind = RunsExport::Animation;
        let command = session.state().export_command(kind, ExportForm::Webp, &path);
        assert!(command.contains("--steps 0-1"), "{command}");
        choose(&mut session, |choices| choices.within_range = false);
        let all = pictures(&mut session);
        assert!(within <= 2 && within < all, "{within} of {all}");
        let command = session.state().export_command(kind, ExportForm::Webp, &path);
        assert!(!command.contains("--steps"), "{command}");
    }

    #[test]
    fn the_runs_of_the_table_become_a_grid_and_folders_of_the_evaluator() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = session(dir.path());
        session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
        let filter = "task:recipe-tip,quiz-progress".to_owned();
        session.carry_out(Command::Explore(ExploreCommand::SetFilter(filter)));
        let runs = session.state().runs_to_export();
        assert!(runs.len() > 2, "{runs:?}");
        assert_eq!(session.state().export_kind(), RunsExport::Grid);
        let path = dir.path().join("grid.tex");
        choose(&mut session, |choices| choices.grid_width = 60);
        export(&mut session, RunsExport::Grid, ExportForm::Tex, &path);
        let table = std::fs::read_to_string(&path).unwrap();
        assert!(table.contains("recipe-tip") && table.contains("quiz-progress"), "{table}");
        assert!(dir.path().join("grid-pictures/1-1.png").is_file());
        let command = session.state().export_command(RunsExport::Grid, ExportForm::Tex, &path);
        assert!(command.contains("--filter=task:recipe-tip,quiz-progress"), "{command}");
        let again = by_command(&command, &path, &dir.path().join("grid-2.tex"));
        let again = String::from_utf8(again).unwrap().replace("grid-2", "grid");
        assert_eq!(again, table);
        let out: PathBuf = dir.path().join("canvas");
        export(&mut session, RunsExport::Canvas, ExportForm::Folder, &out);
        let cases = std::fs::read(out.join("cases.json")).unwrap();
        let cases: serde_json::Value = serde_json::from_slice(&cases).unwrap();
        assert!(!cases["cases"].as_array().unwrap().is_empty(), "{cases}");
        assert!(cases["command"].as_str().unwrap().starts_with("pentimento export canvas"));
        // One run is asked for where one is shown.
        let path = dir.path().join("sheet.pdf");
        let kind = RunsExport::ContactSheet;
        session.carry_out(Command::ExportRuns { kind, form: ExportForm::Pdf, path: path.clone() });
        assert!(session.state().notices.last().unwrap().text.contains("made of one run"));
        assert!(!path.exists());
    }

    #[test]
    fn runs_become_the_same_demonstrations_as_by_the_command() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = session(dir.path());
        session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
        let filter = "task:recipe-tip agent:scripted".to_owned();
        session.carry_out(Command::Explore(ExploreCommand::SetFilter(filter)));
        let runs = session.state().runs_to_export();
        assert!(runs.len() > 1, "{runs:?}");
        let kind = RunsExport::Demonstrations;
        session.carry_out(Command::ExportAs(kind));
        assert_eq!(session.state().overlay, Some(Overlay::Export));
        assert_eq!(session.state().export_kind(), kind);
        for lines in [DemonstrationLines::Runs, DemonstrationLines::Steps] {
            choose(&mut session, |choices| {
                choices.demonstration_lines = lines;
                choices.demonstration_pictures = lines == DemonstrationLines::Steps;
                choices.preferences = true;
            });
            let form = ExportForm::JsonLines;
            let path = dir.path().join("demos.jsonl");
            export(&mut session, kind, form, &path);
            let written = std::fs::read(&path).unwrap();
            let count = String::from_utf8_lossy(&written).lines().count();
            match lines {
                DemonstrationLines::Runs => assert_eq!(count, runs.len()),
                DemonstrationLines::Steps => assert!(count > runs.len(), "{count}"),
            }
            let pairs = dir.path().join("demos.preferences.jsonl");
            assert_eq!(std::fs::read(&pairs).unwrap(), b"", "nobody took one of them over");
            let command = session.state().export_command(kind, form, &path);
            let again = by_command(&command, &path, &dir.path().join("again.jsonl"));
            assert!(again == written, "{command}");
        }
        // A file of somebody's own is not taken for the pairs of an earlier export.
        let [path, pairs] =
            ["mine.jsonl", "mine.preferences.jsonl"].map(|name| dir.path().join(name));
        std::fs::write(&pairs, "mine").unwrap();
        let form = ExportForm::JsonLines;
        session.carry_out(Command::ExportRuns { kind, form, path: path.clone() });
        until(&mut session, |state| !is_at(state, JobKind::Save));
        let notice = &session.state().notices.last().unwrap().text;
        assert!(notice.contains("nothing is overwritten"), "{notice}");
        assert_eq!(std::fs::read(&pairs).unwrap(), b"mine");
        assert!(!path.exists());
    }

    #[test]
    fn an_export_that_is_stopped_leaves_the_file_before_and_one_that_fails_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = session(dir.path());
        let path = dir.path().join("sheet.pdf");
        std::fs::write(&path, "before").unwrap();
        let (kind, form) = (RunsExport::ContactSheet, ExportForm::Pdf);
        session.carry_out(Command::ExportRuns { kind, form, path: path.clone() });
        let job = session.state().jobs.active().find(|(_, job)| job.kind == JobKind::Save);
        let job = job.map(|(id, _)| id).unwrap();
        session.carry_out(Command::CancelJob(job));
        until(&mut session, |state| !is_at(state, JobKind::Save));
        // Whether it was done before it heard of that or not, there is no half of a file.
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes == b"before" || bytes.starts_with(b"%PDF-"));
        let nowhere = dir.path().join("no folder/sheet.pdf");
        session.carry_out(Command::ExportRuns { kind, form, path: nowhere });
        until(&mut session, |state| !is_at(state, JobKind::Save));
        let notice = session.state().notices.last().unwrap();
        assert!(notice.text.contains("cannot be written"), "{}", notice.text);
    }
}
