//! Reports and tables by the real program: papers' tables, behaviour, checks, plans, labels.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{assert_fails, program, run, stderr, stdout};
use crate::meaning::server::{Server, says};
use crate::shared;

fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json_of(arguments: &[&str]) -> Value {
    let output = program().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The rows of a table, cells by heading.
fn table(id: &str, arguments: &[&str]) -> Vec<BTreeMap<String, String>> {
    let mut command = program();
    command.args(["report", "tables", "--only", id, "--format", "csv"]).args(arguments);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    let headings = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        let cells = headings.iter().zip(&record);
        cells.map(|(heading, cell)| (heading.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn plans() -> Option<String> {
    Some(shared::path("data/graphicbench/plans")?.to_str()?.to_owned())
}

/// Model, type, delivery, step and expert-use efficiency as the released plans give them. The paper
/// prints 0.358 for the book covers of QWEN-2.5 7B.
const TABLE_9: [(&str, &str, &str, &str); 14] = [
    ("chatgpt", "Book Cover", "0.873", "0.985"),
    ("chatgpt", "Business Card", "0.966", "0.985"),
    ("chatgpt", "Postcard", "0.954", "0.980"),
    ("chatgpt", "Poster", "0.938", "0.983"),
    ("gemma9b", "Book Cover", "0.173", "0.939"),
    ("gemma9b", "Business Card", "0.714", "0.963"),
    ("gemma9b", "Postcard", "0.835", "0.936"),
    ("gemma9b", "Poster", "0.533", "0.942"),
    ("llama8b", "Business Card", "0.148", "0.922"),
    ("llama8b", "Postcard", "0.473", "0.946"),
    ("qwen7b", "Book Cover", "0.362", "0.947"),
    ("qwen7b", "Business Card", "0.345", "0.948"),
    ("qwen7b", "Postcard", "0.669", "0.982"),
    ("qwen7b", "Poster", "0.562", "0.949"),
];

#[test]
fn table_9_of_the_released_plans_is_the_papers_to_three_decimals() {
    let Some(plans) = plans() else { return };
    let rows = table("graphicbench-9", &[&plans]);
    assert_eq!(rows.len(), 16, "four models by four types");
    for (model, design, delivery, steps) in TABLE_9 {
        let is_it =
            |row: &&BTreeMap<String, String>| row["Model"] == model && row["Design Type"] == design;
        let row = rows.iter().find(is_it).unwrap();
        let found = ["Delivery Rate", "Step Efficiency", "Expert Use Efficiency"];
        assert_eq!(found.map(|it| row[it].as_str()), [delivery, steps, "1.00"], "{model} {design}");
        assert!(row["missing"].contains("no judge said"), "{row:?}");
    }
    let lacking =
        rows.iter().find(|row| row["Model"] == "llama8b" && row["Design Type"] == "Poster");
    assert!(lacking.unwrap()["missing"].contains("there are no plans of it"));
    let text = stdout(&run(["report", "tables", &plans, "--only", "graphicbench-9"]));
    assert!(text.contains("printed 0.358 \\| recomputed 0.362"), "{text}");
}

/// Plans of which the released scripts leave a file: of book covers, business cards, postcards and
/// posters; -1: the file is not released.
const RELEASED: [(&str, [i32; 4]); 4] = [
    ("chatgpt", [128, 46, 64, 71]),
    ("gemma9b", [207, 165, 230, 267]),
    ("llama8b", [-1, 165, 205, -1]),
    ("qwen7b", [167, 77, 50, 199]),
];
const PLANS_OF: [(&str, i32); 4] =
    [("Book Cover", 260), ("Business Card", 203), ("Postcard", 260), ("Poster", 336)];

#[test]
fn success_by_the_released_scripts_is_that_of_the_released_plans_pooled_and_by_type() {
    let Some(plans) = plans() else { return };
    let by_type = table("graphicbench-13", &[&plans]);
    let pooled = table("graphicbench-3", &[&plans]);
    for (model, counts) in RELEASED {
        let known = counts.iter().zip(PLANS_OF).filter(|(count, _)| **count >= 0);
        for (count, (design, all)) in known.clone() {
            let is_it = |row: &&BTreeMap<String, String>| {
                row["Model"] == model && row["Design Type"] == design
            };
            let row = by_type.iter().find(is_it).unwrap();
            let expected = format!("{:.2}", 100.0 * f64::from(*count) / f64::from(all));
            assert_eq!(row["Success, released scripts (%)"], expected, "{model} {design}");
            assert_eq!(row["Success, here (%)"], "—", "nothing was carried out");
        }
        let [count, all] =
            known.fold([0, 0], |[count, all], (one, (_, of))| [count + one, all + of]);
        let expected = format!("{:.2}", 100.0 * f64::from(count) / f64::from(all));
        let row = pooled.iter().find(|row| row["Model"] == model).unwrap();
        assert_eq!(row["Success, released scripts (%)"], expected, "{model}");
    }
}

#[test]
fn graphicweaver_aggregates_types_and_tells_direct_from_agentic_plans() {
    let dir = tempfile::tempdir().unwrap();
    let plan = |id: u32, format: &str, recruits: &str| {
        format!(
            "{{\"ID\": {id}, {recruits} \"final_workflow\": [{{\"expert\": \"Photo Editor\", \"description\": \
             \"a\", \"skill\": \"CreateDocument\", \"parameters\": {{\"docType\": \"poster\"}}}}, {{\"expert\": \
             \"Photo Editor\", \"description\": \"b\", \"skill\": \"SaveDocument\", \"parameters\": {{\"fileName\": \
             \"x\", \"format\": \"{format}\"}}}}]}}\n"
        )
    };
    let team = "\"recruitment_status\": [{\"expert\": \"Photo Editor\", \"task\": \"x\"}],";
    let posters: String = (0..3).map(|id| plan(id, "psd", team)).collect();
    write(dir.path(), "plans/team/poster.jsonl", &(posters + &plan(3, "jpg", team)));
    write(dir.path(), "plans/team/postcard.jsonl", &plan(1, "jpg", team));
    write(dir.path(), "plans/alone/poster.jsonl", &plan(1, "psd", ""));
    let plans = dir.path().join("plans");
    let plans = plans.to_str().unwrap();
    let weaver = table("graphicweaver-4", &[plans]);
    let team = weaver.iter().find(|row| row["Model"] == "team").unwrap();
    assert_eq!(team["Success, released scripts (%)"], "37.5", "of 75 % and of 0 %, not 3 of 5");
    assert!(team["notes"].contains("a mean without Book Cover, Business Card"), "{team:?}");
    let agentic = table("graphicweaver-10", &[plans]);
    assert!(agentic.iter().all(|row| row["Model"] == "team"), "{agentic:?}");
    let poster = agentic.iter().find(|row| row["Design Type"] == "Poster").unwrap();
    assert_eq!(poster["Success, released scripts (%)"], "75.0");
    assert_eq!(agentic[0]["Design Type"], "Aggregated");
    assert!(table("graphicweaver-9", &[plans]).is_empty(), "nobody says how the others were made");
    let labels =
        "model,mode,design,executed\nquick,direct_plan,poster,yes\nquick,direct_plan,postcard,no\n";
    let labels = write(dir.path(), "labels.csv", labels);
    let direct = table("graphicweaver-9", &["--labels", &labels]);
    assert_eq!(direct[0]["Success, here (%)"], "50.0", "{direct:?}");
    let text = stdout(&run(["report", "tables", plans, "--only", "graphicweaver-10"]));
    assert!(text.contains("Nothing to compare with"), "{text}");
}

/// A copy of a shipped run that drew a screen, in another mode or with another outcome.
fn copied(dir: &Path, name: &str, change: impl Fn(&mut Value)) -> String {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample_runs/runs/own-samples/now-playing/tracer-01");
    let to = dir.join(name);
    std::fs::create_dir_all(&to).unwrap();
    for file in ["events.jsonl", "final.json"] {
        if from.join(file).exists() {
            std::fs::copy(from.join(file), to.join(file)).unwrap();
        }
    }
    let mut manifest: Value =
        serde_json::from_slice(&std::fs::read(from.join("run.json")).unwrap()).unwrap();
    change(&mut manifest);
    std::fs::write(to.join("run.json"), manifest.to_string()).unwrap();
    to.to_str().unwrap().to_owned()
}

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs");

#[test]
fn runs_of_one_model_in_two_modes_or_with_other_settings_are_rows_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), "a-01", |_| {});
    copied(dir.path(), "a-02", |run| run["mode"] = json!("single_turn"));
    copied(dir.path(), "a-03", |run| run["settings"]["temperature"] = json!(0.5));
    copied(dir.path(), "a-04", |run| run["settings"]["max_turns"] = json!(7));
    let runs = dir.path().to_str().unwrap();
    let rows = table("canvas-1", &[runs, "--tasks", SAMPLES]);
    let names: Vec<&str> = rows.iter().map(|row| row["Model"].as_str()).collect();
    assert_eq!(
        names,
        ["tracer · multi_turn", "tracer · multi_turn · temperature 0.5", "tracer · single_turn"]
    );
    assert!(rows[0]["notes"].contains("max turns 50 and 7"), "{:?}", rows[0]);
    assert_eq!(rows[2]["notes"], "");
    let methods = table("canvas-5", &[runs, "--tasks", SAMPLES]);
    let shown: Vec<[&str; 2]> =
        methods.iter().map(|row| [row["Method"].as_str(), row["Model"].as_str()]).collect();
    assert_eq!(
        shown,
        [
            ["Code (single-turn) · code", "tracer"],
            ["Tool (single-turn) · single_turn", "tracer"],
            ["Tool (agent) · multi_turn", "tracer"],
            ["Tool (agent) · multi_turn", "tracer · temperature 0.5"],
        ]
    );
    assert_eq!(methods[0]["Replication · SSIM"], "—");
}

/// The numbers of a figure of these runs, a row each, the heads first; and what is said below it.
fn figure(id: &str, runs: &Path) -> (Vec<Vec<String>>, Value) {
    let out = tempfile::tempdir().unwrap();
    let mut command = program();
    command.args(["report", "figures"]).arg(runs).args(["--tasks", SAMPLES, "--only", id]);
    let output = command.arg("--out").arg(out.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let csv = out.path().join(format!("{id}.csv"));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&csv).unwrap();
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    let about = std::fs::read(out.path().join(format!("{id}.csv.json"))).unwrap();
    (rows, serde_json::from_slice(&about).unwrap())
}

#[test]
fn runs_of_one_model_in_two_modes_are_two_rows_of_a_figure() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), "a-01", |_| {});
    copied(dir.path(), "a-02", |run| run["mode"] = json!("single_turn"));
    copied(dir.path(), "a-03", |run| run["settings"]["max_turns"] = json!(7));
    let (rows, about) = figure("canvas-4", dir.path());
    let shown: Vec<[&str; 2]> = rows[1..].iter().map(|row| [&*row[1], &*row[2]]).collect();
    assert_eq!(shown, [["tracer · multi_turn", "2"], ["tracer · single_turn", "1"]]);
    let said = about.to_string();
    assert!(said.contains("Made with tracer · multi_turn: multi_turn, fonts vendored;"), "{said}");
    assert!(said.contains("made differently: max turns 50 and 7"), "{said}");
}

#[test]
fn an_agent_that_is_called_like_a_formula_is_none_in_the_numbers_of_a_figure() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), "a-01", |run| run["agent"]["name"] = json!("=1+1"));
    let (rows, _) = figure("canvas-4", dir.path());
    assert_eq!(rows[1][1], "'=1+1");
}

#[test]
fn a_setting_of_runs_tells_them_apart_in_a_plot() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), "a-01", |_| {});
    for (name, prompt) in [("a-02", "short"), ("a-03", "long"), ("a-04", "long")] {
        copied(dir.path(), name, |run| run["settings"]["prompt"] = json!(prompt));
    }
    let out = dir.path().join("turns.svg");
    let mut command = program();
    command.args(["report", "plot"]).arg(dir.path()).args(["--of", "turns", "--out"]).arg(&out);
    let output = command.args(["--color", "settings.prompt"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let svg = std::fs::read_to_string(&out).unwrap();
    // In the legend, where a square of its colour stands before each name: that with most runs first.
    let lines: Vec<&str> = svg.lines().collect();
    let entries = ["long", "short", "others"].map(|name| {
        let name = format!(">{name}</text>");
        let at = lines.iter().position(|line| line.ends_with(&name)).unwrap();
        (at, lines[at - 1].split("fill=").nth(1).unwrap())
    });
    assert!(entries.is_sorted_by_key(|(at, _)| *at), "{entries:?}");
    let colors: BTreeSet<&str> = entries.iter().map(|(_, color)| *color).collect();
    assert_eq!(colors.len(), 3, "{entries:?}");
    assert!(!svg.contains(">tracer</text>") && svg.contains("Colors: by settings.prompt."));
}

#[test]
fn runs_that_broke_off_or_were_stopped_are_in_no_mean_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), "a-01", |_| {});
    copied(dir.path(), "a-02", |run| {
        run["outcome"] = json!({"state": "running"});
        run["finished"] = Value::Null;
    });
    copied(dir.path(), "a-03", |run| run["outcome"] = json!({"state": "cancelled"}));
    let runs = dir.path().to_str().unwrap();
    let alone = table("canvas-1", &[&format!("{runs}/a-01"), "--tasks", SAMPLES]);
    assert_eq!(table("canvas-1", &[runs, "--tasks", SAMPLES]), alone);
    let text = stdout(&run(["report", "tables", runs, "--tasks", SAMPLES, "--only", "canvas-1"]));
    let left_out = "1 run that broke off (tracer); 1 run that somebody stopped (tracer).";
    assert!(text.contains(&format!("Left out of everything: {left_out}")), "{text}");
    let json = json_of(&["score", runs, "--tasks", SAMPLES, "--only", "ssim/uniform7", "--json"]);
    assert_eq!((&json["mean"][0]["runs"], &json["left_out"]["broken_off"]), (&json!(1), &json!(1)));
    assert_eq!(json["left_out"]["stopped"], 1, "{json}");
    assert_eq!(json["runs"].as_array().unwrap().len(), 3, "they are listed all the same");
    let text = stdout(&run(["score", runs, "--tasks", SAMPLES]));
    assert!(text.contains("broken off") && text.contains("1 run broke off"), "{text}");
    assert!(text.contains("cancelled") && text.contains("1 run stopped"), "{text}");
    let (rows, about) = figure("canvas-36", dir.path());
    assert!(rows[1..].iter().any(|row| row[3] == "1"), "{rows:?}");
    assert!(about.to_string().contains("Left out: 2 runs that did not come"), "{about}");
}

#[test]
fn the_table_of_slips_sets_what_is_printed_beside_what_comes_out() {
    let dir = tempfile::tempdir().unwrap();
    let labels = write(dir.path(), "labels.csv", "model,success\nm,yes\n");
    let rows = table("slips", &["--labels", &labels]);
    let said: Vec<[&str; 3]> = rows
        .iter()
        .map(|row| ["Paper", "Place", "Recomputed"].map(|heading| row[heading].as_str()))
        .collect();
    assert!(said.contains(&["CANVAS", "Table 4", "p = 0.0375"]), "{said:?}");
    for row in &rows {
        assert!(["Printed", "Why"].iter().all(|heading| !row[*heading].is_empty()), "{row:?}");
        assert_eq!(row["missing"], "", "what is known of the papers needs no runs");
    }
    for paper in ["GraphicBench", "GraphicWeaver", "PSBench", "Skill Discovery"] {
        assert!(said.iter().any(|[of, ..]| *of == paper), "{paper}");
    }
}

#[test]
fn requests_are_summed_by_model_and_provider() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a-01", "a-02"] {
        copied(dir.path(), name, |run| {
            run["totals"]["providers"] = json!({
                "anthropic": {"attempts": 3, "retries": 1, "answers": 2, "length_stops": 1,
                    "input_tokens": 10, "output_tokens": 5},
            });
        });
    }
    copied(dir.path(), "a-03", |run| {
        run["totals"].as_object_mut().unwrap().remove("providers");
    });
    let rows = table("requests", &[dir.path().to_str().unwrap(), "--tasks", SAMPLES]);
    let headings = ["Provider", "Runs", "Attempts", "Retries", "Answers", "Length Stops"];
    let cells: Vec<[&str; 6]> =
        rows.iter().map(|row| headings.map(|heading| row[heading].as_str())).collect();
    assert_eq!(cells, [["anthropic", "2", "6", "2", "4", "2"], ["?", "1", "—", "—", "—", "—"]]);
}

#[test]
fn captions_made_before_are_read_for_runs() {
    let dir = tempfile::tempdir().unwrap();
    let run_dir = copied(dir.path(), "a-01", |_| {});
    let id = "caption_similarity/canvas";
    let captions =
        r#"[{"case_id": "now-playing-tracer", "gt_caption": "a song", "gen_caption": "a song"}]"#;
    let captions = write(dir.path(), "captions.json", captions);
    let line = ["score", &run_dir, "--tasks", SAMPLES, "--only", id, "--json", "--steps"];
    let json = json_of(&[&line[..], &["--captions", &captions]].concat());
    assert_eq!(json["runs"][0]["scores"][0]["value"], json!(1.0));
    let first = &json["runs"][0]["steps"][0][0];
    assert_eq!(first["value"], json!(0.0), "as published where a caption is not there");
    let models = write(dir.path(), "models.json", r#"{"captions": "captions.json"}"#);
    let json = json_of(&[&line[..], &["--models", &models]].concat());
    assert_eq!(json["runs"][0]["scores"][0]["value"], json!(1.0));
    let rows = table("canvas-1", &[&run_dir, "--tasks", SAMPLES, "--captions", &captions]);
    assert_eq!(rows[0]["Replication · BLIP"], "1.000");
    let others = write(dir.path(), "others.json", r#"[{"case_id": "x", "gt_caption": "a"}]"#);
    let json = json_of(&[&line[..], &["--captions", &others]].concat());
    let message = json["runs"][0]["scores"][0]["message"].as_str().unwrap();
    assert!(message.contains("no case of this run"), "{message}");
}

#[test]
fn the_table_of_scores_fits_and_columns_are_chosen_by_name() {
    let runs = format!("{SAMPLES}/runs/own-samples/quiz-progress");
    let text = stdout(&run(["score", &runs]));
    let (table, _) = text.split_once("\n\n").unwrap();
    let rows = text.lines().filter(|line| line.contains("completed") || line.contains("outcome"));
    assert!(
        rows.clone().count() >= 2 && rows.clone().all(|line| line.chars().count() <= 120),
        "{text}"
    );
    assert!(table.starts_with("runs in ") || table.contains("outcome"), "{text}");
    let text = stdout(&run(["score", &runs, "--columns", "task,ssim/gaussian"]));
    let line = text.lines().find(|line| line.starts_with("quiz-progress")).unwrap();
    assert_eq!(line.split_whitespace().count(), 2, "{text}");
    let error = stderr(&run(["score", &runs, "--columns", "task,nothing"]));
    assert!(error.contains("no column \"nothing\"") && error.contains("ssim/uniform7"), "{error}");
    let output = stdout(&run(["score", &runs, "--csv"]));
    let mut reader = csv::Reader::from_reader(output.as_bytes());
    let headings = reader.headers().unwrap().clone();
    let record = reader.records().next().unwrap().unwrap();
    let at = headings.iter().position(|heading| heading == "ssim/uniform7").unwrap();
    assert!(record[at].parse::<f64>().is_ok() && headings.len() > 20, "{headings:?}");
}

#[test]
fn scores_say_which_command_made_them_of_which_runs_by_which_variants() {
    let dir = tempfile::tempdir().unwrap();
    copied(dir.path(), "a-01", |_| {});
    let broken = copied(dir.path(), "b-01", |_| {});
    // Something that is no file in the place of its calls.
    let broken = Path::new(&broken).join("events.jsonl");
    std::fs::remove_file(&broken).unwrap();
    std::fs::create_dir(&broken).unwrap();
    let runs = dir.path().to_str().unwrap();
    let line =
        ["score", runs, "--tasks", SAMPLES, "--only", "ssim/uniform7", "--only", "psnr/skimage"];
    let to = |form: &[&str], name: &str| {
        let out = dir.path().join(name);
        let output = program().args(line).args(form).arg("--out").arg(&out).output().unwrap();
        assert_fails(&output, &["1 of the runs cannot be read"]);
        std::fs::read_to_string(out).unwrap()
    };
    let is_command = |words: &Value, name: &str| {
        let words = words.as_str().unwrap();
        words.starts_with("pentimento score ") && words.contains(name)
    };

    let json: Value = serde_json::from_str(&to(&["--json"], "scores.json")).unwrap();
    assert!(json["program"].as_str().unwrap().starts_with("Pentimento "), "{json}");
    assert!(is_command(&json["command"], "scores.json"), "{json}");
    assert_eq!(json["metrics"], json!(["ssim/uniform7", "psnr/skimage"]));
    let left_out = json["left_out"]["unreadable"].as_array().unwrap();
    assert!(left_out.len() == 1 && left_out[0].as_str().unwrap().contains("b-01"), "{json}");
    assert_eq!(json["runs"].as_array().unwrap().len(), 1);

    let csv = to(&["--csv"], "scores.csv");
    assert_eq!(csv.lines().count(), 2, "no line of it is a comment: {csv}");
    let beside = std::fs::read(dir.path().join("scores.csv.json")).unwrap();
    let about: Value = serde_json::from_slice(&beside).unwrap();
    assert!(is_command(&about["command"], "scores.csv"), "{about}");
    assert_eq!(
        (&about["runs"], &about["metrics"]),
        (&json!("1 of 2"), &json!("ssim/uniform7, psnr/skimage"))
    );
    assert!(about["left out"].as_str().unwrap().contains("b-01"), "{about}");

    // Beside whatever is printed, in the forms of every table.
    let typed = dir.path().join("typed.csv");
    to(&["--table", typed.to_str().unwrap()], "scores.txt");
    assert_eq!(std::fs::read_to_string(&typed).unwrap(), csv);
    let latex = dir.path().join("typed.tex");
    to(&["--json", "--table", latex.to_str().unwrap()], "scores.json");
    let latex = std::fs::read_to_string(latex).unwrap();
    for said in ["% command: pentimento score ", "% runs: 1 of 2", "ssim/uniform7", "\\toprule"] {
        assert!(latex.contains(said), "{said}: {latex}");
    }

    let text = to(&[], "scores.txt");
    let said = ["\nruns: 1 of 2\n", "\nmetrics: ssim/uniform7, psnr/skimage\n", "\nleft out: "];
    assert!(said.iter().all(|words| text.contains(words)), "{text}");
}

#[test]
fn what_commands_print_as_json_says_which_command_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let trials = write(dir.path(), "t.csv", "task,success\na,no\na,yes\n");
    let plans = write(dir.path(), "plans/ours/poster.jsonl", PLANS);
    let run = samples();
    for line in [
        vec!["metric", "skills", &trials],
        vec!["metric", "plan", &plans],
        vec!["what-if", &run, "--drop", "2"],
        vec!["what-if", &run, "--leave-one-out", "--by", "turn"],
        vec!["report", "behavior", &run],
    ] {
        let json = json_of(&[&line[..], &["--json"]].concat());
        let names: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(names[..2], ["program", "command"], "{line:?}");
        assert!(json["program"].as_str().unwrap().starts_with("Pentimento "), "{line:?}");
        assert_eq!(json["command"], format!("pentimento {} --json", line.join(" ")));
    }
}

#[test]
fn folders_of_pictures_are_runs_only_on_purpose() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("downloads/holiday");
    std::fs::create_dir_all(&place).unwrap();
    let picture = pentimento::base::Pixels::filled(4, 4, [9, 9, 9, 255]).unwrap();
    picture.save_png(&place.join("1.png")).unwrap();
    let output = run(["score", dir.path().to_str().unwrap()]);
    assert_fails(&output, &["there is no run", "1 folder of pictures is passed over", "holiday"]);
    assert!(run(["score", place.to_str().unwrap()]).status.success(), "named itself");
    std::fs::write(place.join("run.json"), r#"{"model": "m", "task": "t"}"#).unwrap();
    assert!(run(["score", dir.path().to_str().unwrap()]).status.success(), "said to be one");
}

/// Ratio and workload of Ps, AI and Id, agents and steps, as Table 10 prints them; -1: a dash.
const TABLE_10: [(&str, &str, [f64; 8]); 6] = [
    ("chatgpt", "Poster", [1.0, 0.01, 1.0, 5.10, 6.17, 7.20, 2.02, 12.5]),
    ("gemma9b", "Book Cover", [1.0, 0.0, 1.0, 8.55, -1.0, 18.3, 2.0, 23.6]),
    ("gemma9b", "Business Card", [1.0, 0.03, 1.0, 5.18, 10.6, 12.9, 2.04, 17.2]),
    ("gemma9b", "Poster", [1.0, 0.03, 1.0, 6.44, 9.86, 13.6, 2.03, 18.3]),
    ("llama8b", "Business Card", [1.0, 0.01, 1.0, 10.6, 18.0, 14.6, 2.46, 26.0]),
    ("qwen7b", "Book Cover", [0.85, 0.52, 0.54, 10.9, 11.9, 12.3, 1.92, 23.6]),
];

const HEADINGS: [&str; 8] = [
    "Ratio · Ps",
    "Ratio · AI",
    "Ratio · Id",
    "Workload · Ps",
    "Workload · AI",
    "Workload · Id",
    "Avg. # Agents",
    "Avg. # Steps",
];

#[test]
fn table_10_of_the_released_plans_is_the_papers_but_for_its_last_digit() {
    let Some(plans) = plans() else { return };
    let rows = table("graphicbench-10", &[&plans]);
    for (model, design, printed) in TABLE_10 {
        let row = rows.iter().find(|row| row["Model"] == model && row["Design Type"] == design);
        for (heading, printed) in HEADINGS.iter().zip(printed) {
            let cell = row.unwrap()[*heading].as_str();
            let found: f64 = if cell == "—" { -1.0 } else { cell.parse().unwrap() };
            assert!((found - printed).abs() <= 0.0501, "{model} {design} {heading}: {cell}");
        }
    }
}

#[test]
fn sequences_of_experts_and_actions_are_counted_as_in_tables_11_and_12() {
    let Some(plans) = plans() else { return };
    let rows = table("graphicbench-11", &[&plans]);
    for (model, sequence, count) in [
        ("chatgpt", "Ps → Id", "931"),
        ("chatgpt", "Id → Ps", "31"),
        ("chatgpt", "Ps → Id → AI", "11"),
        ("gemma9b", "Ps → Id", "922"),
        ("gemma9b", "Id", "1"),
        ("qwen7b", "Ps → AI", "262"),
        ("qwen7b", "Id", "193"),
        ("qwen7b", "AI → Ps", "24"),
        ("qwen7b", "Ps → AI → Id", "35"),
    ] {
        let row = rows.iter().find(|row| row["Sequence"] == sequence).unwrap();
        assert_eq!(row[model], count, "{model} {sequence}");
    }
    let rows = table("graphicbench-12", &[&plans]);
    let counts = |model: &str| -> Vec<&str> {
        let of_model = rows.iter().filter(|row| row["Model"] == model);
        of_model.map(|row| row["Occurrence"].as_str()).collect()
    };
    assert_eq!(counts("gemma9b"), ["48", "26", "26"]);
    assert_eq!(counts("qwen7b"), ["30", "21", "13"]);
}

/// Two plans of our own: one delivered, one that did not parse.
const PLANS: &str = concat!(
    r#"{"ID": 1, "recruitment_status": [{"expert": "Photo Editor", "task": "x"}], "#,
    r#""workflows": [[{"expert": "Photo Editor", "description": "a"}]], "#,
    r#""final_workflow": [{"expert": "Photo Editor", "description": "a", "skill": "CreateDocument", "#,
    r#""parameters": {"docType": "poster"}}]}"#,
    "\n",
    r#"{"ID": 2, "final_workflow": "1. Open the picture. 2. Make it larger. 3. Save it as a file."}"#,
    "\n"
);

const JUDGED: &str = "model,design,color,text,image,executed,fidelity,content_similarity,vqa,\
                      originality,elaboration\n\
                      ours,poster,5,4,3,yes,0.5,20,40,2,3\n\
                      ours,Poster,,,,no,,,,,\n\
                      other,book cover,,,,yes,,,,,\n";

#[test]
fn plans_and_judgements_fill_the_tables_of_graphicbench_and_graphicweaver() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "plans/ours/poster.jsonl", PLANS);
    let plans = dir.path().join("plans");
    let plans = plans.to_str().unwrap();
    let labels = write(dir.path(), "labels.csv", JUDGED);
    let both = [plans, "--labels", &labels];
    let rows = table("graphicbench-9", &both);
    let poster = rows.iter().find(|row| row["Model"] == "ours" && row["Design Type"] == "Poster");
    let poster = poster.unwrap();
    for (heading, cell) in [
        ("Delivery Rate", "0.500"),
        ("Step Efficiency", "1.000"),
        ("Design Pass Rate", "0.800"),
        ("Color", "5.000"),
        ("missing", ""),
    ] {
        assert_eq!(poster[heading], cell, "{heading}");
    }
    let weaver = table("graphicweaver-4", &both);
    let ours = weaver.iter().find(|row| row["Model"] == "ours").unwrap();
    for (heading, cell) in [
        ("Delivery Rate (%)", "50.0"),
        ("Design Pass Rate (%)", "80.0"),
        ("Success, released scripts (%)", "0.0"),
        ("Success, here (%)", "50.0"),
        ("Fidelity", "0.50"),
        ("VQA Pass Rate (%)", "40.0"),
        ("Creativity (E)", "3.00"),
    ] {
        assert_eq!(ours[heading], cell, "{heading}");
    }
    let execution = table("graphicbench-3", &["--labels", &labels]);
    let other = execution.iter().find(|row| row["Model"] == "other").unwrap();
    assert_eq!((other["Success, here (%)"].as_str(), other["Fidelity"].as_str()), ("100.00", "—"));
    assert!(other["missing"].contains("there is no design of it"), "{other:?}");
    assert!(other["notes"].contains("as the labels say"), "{other:?}");
}

#[test]
fn the_quality_of_designs_is_a_mean_over_plans_with_a_file_only() {
    let dir = tempfile::tempdir().unwrap();
    let head = JUDGED.lines().next().unwrap();
    // A plan that left no file is judged as a plan, but what is said of its design does not count.
    let lines = "ours,poster,5,4,3,yes,0.5,20,40,2,4\nours,poster,1,2,3,no,0.1,0,0,4,2";
    let labels = write(dir.path(), "labels.csv", &format!("{head}\n{lines}\n"));
    let rows = table("graphicbench-3", &["--labels", &labels]);
    let ours = rows.iter().find(|row| row["Model"] == "ours").unwrap();
    for (heading, cell) in [
        ("Success, here (%)", "50.00"),
        ("Fidelity", "0.500"),
        ("Content Similarity", "20.00"),
        ("VQA Pass Rate", "40.00"),
        ("Creativity (O)", "2.00"),
        ("Creativity (E)", "4.00"),
    ] {
        assert_eq!(ours[heading], cell, "{heading}");
    }
}

#[test]
fn labels_alone_fill_the_tables_of_psbench() {
    let dir = tempfile::tempdir().unwrap();
    let lines = concat!(
        r#"{"model": "m", "task": "1", "difficulty": "Easy", "layers": true, "success": true, "#,
        r#""smart_objects": 1, "masks": 1, "smart_filters": 1, "adjustment_layers": 0, "#,
        r#""duplicate_layers": 0, "blank_layers": 0}"#,
        "\n",
        r#"{"model": "m", "task": "2", "difficulty": "easy", "layers": true, "success": false}"#,
        "\n"
    );
    let labels = write(dir.path(), "labels.jsonl", lines);
    let success = table("psbench-3", &["--labels", &labels]);
    assert_eq!(success[0]["Easy · LR"], "50.00%");
    assert_eq!(success[0]["Overall · LR"], "50.00%");
    assert_eq!(success[0]["Hard · NLR"], "—");
    let ndec = table("psbench-4", &["--labels", &labels]);
    assert_eq!(ndec[0]["Easy · LR"], "50.00%");
    let cells = json_of(&["metric", "ndec", &labels, "--json"]);
    let all = cells["cells"].as_array().unwrap().iter();
    let all = all.clone().find(|cell| cell["difficulty"].is_null() && cell["layers"].is_null());
    let all = all.unwrap();
    assert_eq!((&all["attempts"], &all["ndec"]), (&json!(2), &json!(50.0)));
    assert_eq!(all["by_item"]["masks"], json!(100.0));
    assert!(stdout(&run(["metric", "ndec", &labels])).contains("NDEC %"));
}

#[test]
fn bad_labels_plans_and_models_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let labels = write(dir.path(), "labels.csv", "model,success\nm,perhaps\n");
    let tables =
        |extra: &[&str]| program().args(["report", "tables"]).args(extra).output().unwrap();
    let words = ["labels.csv", "line 2", "\"success\"", "\"perhaps\""];
    assert_fails(&tables(&["--labels", &labels]), &words);
    assert_fails(&run(["metric", "ndec", &labels]), &words);
    assert_fails(&tables(&["--labels", "/none.csv"]), &["/none.csv"]);
    let nothing = write(dir.path(), "nothing/poster.jsonl", "{\"id\": 1}\n");
    let folder = dir.path().join("nothing");
    assert_fails(&tables(&[folder.to_str().unwrap()]), &["there is nothing to open"]);
    assert_fails(&run(["metric", "plan", dir.path().to_str().unwrap()]), &["there is no plan"]);
    assert!(run(["metric", "plan", &nothing]).status.success(), "an object a line is a plan");
    let models = write(dir.path(), "models.json", "{\"lpis\": null}");
    let samples = samples();
    for command in [
        vec!["score", &samples, "--models", &models],
        vec!["report", "tables", &samples, "--models", &models],
        vec!["report", "behavior", &samples, "--models", &models],
        vec!["report", &samples, "--out", "/tmp/none.html", "--models", &models],
        vec!["metric", "--gt", "a", "--gen", "b", "--models", &models],
    ] {
        let output = program().args(&command).output().unwrap();
        let expected = if command[0] == "metric" { "cannot be opened" } else { "models.json" };
        assert_fails(&output, &[expected]);
    }
    let output = tables(&[folder.to_str().unwrap(), "--ask-judge"]);
    assert_eq!(output.status.code(), Some(2), "a judge is named in a file of models");
}

#[test]
fn plans_are_measured_one_by_one_with_their_errors() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "plans/ours/poster.jsonl", PLANS);
    let json = json_of(&["metric", "plan", &file, "--json"]);
    let file_json = &json["files"][0];
    assert_eq!((&file_json["plans"], &file_json["delivery_published"]), (&json!(2), &json!(0.5)));
    assert_eq!(file_json["difficulty"]["easy"], 1);
    assert_eq!(file_json["each"][0]["actions"], json!(["CreateDocument"]));
    assert_eq!(file_json["each"][1]["errors"][0]["class"], "format");
    let folder = dir.path().to_str().unwrap();
    let text = stdout(&run(["metric", "plan", folder, "--errors"]));
    assert!(text.contains("2: format: the workflow is no list with a step in it"), "{text}");
}

#[test]
fn skills_are_measured_from_one_table() {
    let dir = tempfile::tempdir().unwrap();
    let trials = write(dir.path(), "t.csv", "task,success\na,no\na,yes\nb,no\n");
    let json = json_of(&["metric", "skills", &trials, "--json"]);
    assert_eq!(json["skills"]["success@2"], json!(0.5));
    assert!(json["skills"]["tokens"]["missing"].is_string(), "{json}");
    assert_eq!(json["counts"]["success@2"], json!({"n": 2, "left_out": 0}));
    assert!(stdout(&run(["metric", "skills", &trials])).contains("success@1"));
    let bad = write(dir.path(), "bad.csv", "task,success\na,2\n");
    assert_fails(&run(["metric", "skills", &bad]), &["line 2", "\"success\"", "bad.csv"]);
}

/// A shipped run of a few calls; its tasks are found above it.
fn samples() -> String {
    let run = "sample_runs/runs/own-samples/quiz-progress/scripted-01";
    format!("{}/{run}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_page_of_runs_says_of_how_many_it_is_by_which_variants_and_what_it_leaves_out() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a-01", "b-01"] {
        let to = dir.path().join("runs").join(name);
        std::fs::create_dir_all(&to).unwrap();
        for file in ["run.json", "events.jsonl"] {
            std::fs::copy(Path::new(&samples()).join(file), to.join(file)).unwrap();
        }
    }
    // Something that is no file in the place of its calls.
    let broken = dir.path().join("runs/b-01/events.jsonl");
    std::fs::remove_file(&broken).unwrap();
    std::fs::create_dir(&broken).unwrap();
    let runs = dir.path().join("runs").display().to_string();
    let out = dir.path().join("report.html");
    let line = ["report", &runs, "--tasks", SAMPLES, "--only", "ssim/uniform7", "--out"];
    let output = program().args(line).arg(&out).output().unwrap();
    assert_fails(&output, &["1 of the runs cannot be read"]);
    let page = std::fs::read_to_string(&out).unwrap();
    let (_, footer) = page.rsplit_once("<footer>").unwrap();
    for said in [
        ": pentimento report /",
        "<br>runs: 1<br>metrics: ssim/uniform7<br>left out: ",
        "b-01: cannot be read",
    ] {
        assert!(footer.contains(said), "{said}: {footer}");
    }
}

#[test]
fn behaviour_is_counted_and_changes_are_attributed() {
    let samples = samples();
    let only = ["--only", "ssim/uniform7", "--only", "rmse/inverse"];
    let known = json_of(&["score", &samples, "--steps", "--json"]);
    let ids: Vec<&str> = known["runs"][0]["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| score["id"].as_str().unwrap())
        .collect();
    let second = if ids.contains(&"rmse/inverse") { only[3] } else { ids[1] };
    let json = json_of(&[
        "report",
        "behavior",
        &samples,
        "--json",
        "--only",
        "ssim/uniform7",
        "--only",
        second,
    ]);
    assert!(json["command"].as_str().unwrap().starts_with("pentimento report behavior "));
    let run_json = &json["runs"][0];
    let scored = &known["runs"][0];
    for number in ["turns", "calls", "failures"] {
        assert_eq!(run_json[number], scored[number], "{number}");
    }
    let tools = run_json["tools"].as_object().unwrap();
    assert_eq!(run_json["tool_diversity"].as_u64().unwrap(), tools.len() as u64);
    assert_eq!(run_json["metrics"].as_array().unwrap().len(), 2);
    let ssim = &run_json["metrics"][0];
    let steps = scored["steps"].as_array().unwrap();
    let value = |step: &Value| step[0]["value"].as_f64().unwrap();
    let [first, last] = [value(&steps[0]), value(steps.last().unwrap())];
    assert_eq!(ssim["initial"].as_f64(), Some(first));
    assert_eq!(ssim["final"].as_f64(), Some(last));
    let total: f64 = ssim["by_tool"]
        .as_object()
        .unwrap()
        .values()
        .map(|moved| moved["total"].as_f64().unwrap())
        .sum();
    assert!((total - (last - first)).abs() < 1e-9, "{total}");
    let best = steps.iter().map(value).fold(f64::MIN, f64::max);
    assert_eq!(ssim["best_step"]["value"].as_f64(), Some(best));
    assert_eq!(
        ssim["turns"].as_array().unwrap().len() as u64,
        run_json["turns"].as_u64().unwrap() + 1
    );
    let text = stdout(&run(["report", "behavior", &samples]));
    assert!(text.contains("calls/turn") && text.contains("gained most by"), "{text}");
    let out = tempfile::tempdir().unwrap();
    for (rows, named) in [("runs", "tool_diversity"), ("metrics", "lost since best")] {
        let file = out.path().join(format!("{rows}.csv")).display().to_string();
        let line = ["report", "behavior", &samples, "--table", &file, "--table-of", rows];
        let output = run(line);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut reader = csv::Reader::from_path(&file).unwrap();
        let headings = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        let at = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
        assert_eq!(&record[at("run")], run_json["dir"].as_str().unwrap());
        assert!(record[at(named)].parse::<f64>().is_ok(), "{record:?}");
        if rows == "runs" {
            assert_eq!(record[at("calls")].parse().ok(), run_json["calls"].as_u64());
        } else {
            assert_eq!((&record[at("metric")], &record[at("better")]), ("ssim/uniform7", "higher"));
            assert_eq!(record[at("final")].parse().ok(), Some(last));
        }
        let about = std::fs::read_to_string(format!("{file}.json")).unwrap();
        assert!(about.contains("\"metrics\": \"ssim/uniform7\""), "{about}");
    }
    assert_fails(&run(["report", "behavior", &samples, "--only", "x/y"]), &["x/y"]);
}

#[test]
fn a_run_that_is_equal_to_the_truth_is_at_its_best_at_its_end() {
    let run =
        concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs/runs/own-samples/recipe-tip/scripted-01");
    let json = json_of(&["report", "behavior", run, "--only", "psnr/skimage", "--json"]);
    let psnr = &json["runs"][0]["metrics"][0];
    for end in ["best_step", "last_step"] {
        assert_eq!(psnr[end]["step"], 6, "{psnr}");
        let why = psnr[end]["value"]["missing"].as_str().unwrap();
        assert!(why.contains("infinite"), "{why}");
    }
    assert_eq!(psnr["lost_since_best"], 0.0);
    assert_eq!(psnr["final"], psnr["last_step"]["value"]);
}

#[test]
fn the_html_report_shows_each_variant_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("r.html");
    let out = out.to_str().unwrap();
    let samples = samples();
    let both = ["--only", "component_similarity/canvas", "--only", "ssim/gaussian"];
    let output = program().args(["report", &samples, "--out", out]).args(both).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let html = std::fs::read_to_string(out).unwrap();
    assert_eq!(html.matches("over steps</span>").count(), 2, "a curve each");
    assert!(html.contains("ssim/gaussian 0."), "the others are in tooltips");
    let output = run(["report", &samples, "--out", out, "--only", "x/y"]);
    assert_fails(&output, &["x/y", "ssim/uniform7"]);
}

#[test]
fn a_page_of_an_imported_plan_says_neither_when_it_began_nor_how_it_ended() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("report.html");
    let page = |name: &str, kind: &str| {
        let run = copied(dir.path(), name, |manifest| {
            manifest["agent"]["kind"] = json!(kind);
            manifest["totals"]["seconds"] = json!(98_765.5);
        });
        let line = ["report", &run, "--tasks", SAMPLES, "--only", "ssim/uniform7", "--out"];
        let output = program().args(line).arg(&out).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read_to_string(&out).unwrap()
    };
    let recorded = page("recorded", "tracer");
    assert!(recorded.contains("98765.5 s") && recorded.contains(">completed</span>"));
    let imported = page("plan", "imported");
    assert!(!imported.contains("98765.5 s") && imported.contains(">imported</span>"));
}

#[test]
fn learned_metrics_of_runs_say_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let models = r#"{"lpips": {"name": "alex", "network": "none.onnx"}}"#;
    let models = write(dir.path(), "models.json", models);
    let samples = samples();
    let score = |id: &str| {
        let json = json_of(&["score", &samples, "--models", &models, "--only", id, "--json"]);
        json["runs"][0]["scores"][0].clone()
    };
    let lpips = score("lpips/alex");
    assert_eq!(lpips["reason"], "no_model");
    let message = lpips["message"].as_str().unwrap();
    assert!(message.contains("none.onnx"), "{message}");
    let caption = score("caption_similarity/canvas");
    assert_eq!(caption["reason"], "no_caption");
    assert!(caption["message"].as_str().unwrap().contains("no captioner is named"), "{caption}");
}

#[test]
fn a_failed_caption_scores_zero_as_published() {
    let dir = tempfile::tempdir().unwrap();
    let picture = dir.path().join("p.png");
    pentimento::base::Pixels::filled(16, 16, [9, 9, 9, 255]).unwrap().save_png(&picture).unwrap();
    let picture = picture.to_str().unwrap();
    for made in ["\"Error: out of memory\"", "null"] {
        let text =
            format!("{{\"case_id\": 3, \"gt_caption\": \"a list\", \"gen_caption\": {made}}}");
        let captions = write(dir.path(), "captions.json", &text);
        let json = json_of(&[
            "metric",
            "--gt",
            picture,
            "--gen",
            picture,
            "--captions",
            &captions,
            "--case",
            "3",
            "--json",
        ]);
        let metrics = json["metrics"].as_array().unwrap();
        let of = |id: &str| metrics.iter().find(|metric| metric["id"] == id).unwrap();
        assert_eq!(of("caption_similarity/canvas")["value"], json!(0.0), "{made}");
        assert_eq!(of("caption_similarity/minilm")["reason"], "no_caption", "{made}");
    }
}

#[test]
fn captions_of_runs_are_written_once_and_read_by_score_and_tables() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("A song."), says("A list of songs.")]);
    let models = json!({ "captioner": server.settings() });
    let models = write(dir.path(), "models.json", &models.to_string());
    let run_dir = copied(dir.path(), "a-01", |_| {});
    let out = dir.path().join("captions.json");
    let out = out.to_str().unwrap();
    let line =
        ["metric", "captions", &run_dir, "--tasks", SAMPLES, "--models", &models, "--out", out];
    let output = run(line);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(server.asked().len(), 2, "the ground truth and the end");
    let cases: Value = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
    assert_eq!(cases[0]["gt_caption"], "a song.");
    assert_eq!(cases[0]["gen_caption"], "a list of songs.");
    let id = "caption_similarity/canvas";
    let line = ["score", &run_dir, "--tasks", SAMPLES, "--only", id, "--json", "--captions", out];
    let scored = json_of(&line);
    assert_eq!(scored["runs"][0]["scores"][0]["value"], cases[0]["blip_score"]);
    assert!(cases[0]["blip_score"].as_f64().is_some_and(|score| score > 0.3), "{cases}");
    assert_eq!(server.asked().len(), 2, "nobody was asked again");
}

/// A frame of 60 × 40 with a red card on white.
const START: &str = r#"{"document": {"id": "1:1", "name": "Screen", "type": "FRAME",
    "absoluteBoundingBox": {"x": 0, "y": 0, "width": 60, "height": 40}, "clipsContent": true,
    "fills": [{"type": "SOLID", "color": {"r": 1, "g": 1, "b": 1, "a": 1}}],
    "children": [{"id": "1:2", "name": "Card", "type": "RECTANGLE",
        "absoluteBoundingBox": {"x": 10, "y": 10, "width": 20, "height": 10},
        "fills": [{"type": "SOLID", "color": {"r": 1, "g": 0, "b": 0, "a": 1}}]}]}}"#;

#[test]
fn the_checks_of_a_task_are_judged_at_the_end_of_its_runs() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "set/start.json", START);
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": "edits", "name": "Edits",
        "tasks": [{
            "id": "flip", "kind": "attribute_update", "instruction": "Flip it.",
            "start": {"document": "start.json"}, "ground_truth": {"document": "start.json"},
            "checks": [{"check": "unchanged"}, {"check": "flip", "axis": "horizontal", "tolerance": 0.01}],
        }, {
            "id": "odd", "kind": "attribute_update", "instruction": "Do it.",
            "start": {"document": "start.json"}, "checks": [{"check": "levitate"}],
        }],
    });
    write(dir.path(), "set/taskset.json", &set.to_string());
    let set = dir.path().join("set");
    let (set, out) = (set.to_str().unwrap(), dir.path().join("runs"));
    let out = out.to_str().unwrap();
    let script = write(dir.path(), "script.json", r#"[{"thought": "Done.", "calls": []}]"#);
    let output =
        run(["run", "--tasks", set, "--agent", "scripted", "--script", &script, "--out", out]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("\"odd\" has no checks"), "{}", stderr(&output));
    let json = json_of(&["score", out, "--tasks", set, "--only", "ssim/uniform7", "--json"]);
    let runs = json["runs"].as_array().unwrap();
    let of = |task: &str| runs.iter().find(|run| run["task"] == task).unwrap();
    let checks = of("flip")["checks"].as_array().unwrap();
    assert_eq!((&checks[0]["check"], &checks[0]["passed"]), (&json!("unchanged"), &json!(true)));
    assert_eq!((&checks[1]["check"], &checks[1]["passed"]), (&json!("flip"), &json!(false)));
    assert!(checks[1]["measured"].is_number(), "{checks:?}");
    assert!(of("odd")["checks"].is_null());
    let text = stdout(&run(["score", out, "--tasks", set]));
    assert!(text.contains("check unchanged: yes (") && text.contains("check flip: no ("), "{text}");
}

#[test]
fn checks_of_two_pictures_are_judged_with_the_figure_that_decided() {
    let dir = tempfile::tempdir().unwrap();
    let save = |name: &str, shade: u8| {
        let path = dir.path().join(name);
        let picture = pentimento::base::Pixels::filled(20, 20, [shade, shade, shade, 255]);
        picture.unwrap().save_png(&path).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (before, after) = (save("before.png", 60), save("after.png", 120));
    let checks = write(dir.path(), "checks.json", r#"{"checks": [{"check": "unchanged"}]}"#);
    let line = ["metric", "--gt", &after, "--gen", &after, "--checks", &checks];
    let json = json_of(&[&line[..], &["--base", &before, "--json"]].concat());
    assert_eq!(json["checks"][0]["passed"], json!(false));
    let text = program().args(line).args(["--base", &after]).output().unwrap();
    assert!(stdout(&text).contains("check unchanged: yes ("), "{}", stdout(&text));
    assert_eq!(program().args(line).output().unwrap().status.code(), Some(2), "what was before?");
    let bad = write(dir.path(), "bad.json", r#"{"checks": []}"#);
    let line = ["metric", "--gt", &after, "--gen", &after, "--base", &before, "--checks", &bad];
    assert_fails(&run(line), &["bad.json", "no checks"]);
}

/// Whether LaTeX is there to be asked.
fn has_latex() -> bool {
    let works = |program: &str, argument: &str| {
        let output = std::process::Command::new(program).arg(argument).output();
        output.is_ok_and(|it| it.status.success())
    };
    works("pdflatex", "--version")
        && ["booktabs.sty", "lmodern.sty"].into_iter().all(|style| works("kpsewhich", style))
}

#[test]
fn latex_tables_are_balanced_and_compile_where_there_is_latex() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "plans/a_b & 50%/poster.jsonl", PLANS);
    let plans = dir.path().join("plans");
    let labels = "model,success,layers,difficulty\n{x}_$y#~^\\z,yes,yes,easy\nΔ→±−·é,no,no,hard\n";
    let labels = write(dir.path(), "labels.csv", labels);
    let samples = samples();
    let output = run([
        "report",
        "tables",
        plans.to_str().unwrap(),
        &samples,
        "--labels",
        &labels,
        "--format",
        "latex",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let tables = stdout(&output);
    assert_eq!(tables.matches("\\begin{table}").count(), 25);
    assert!(tables.contains("a\\_b \\& 50\\%"), "{tables}");
    assert!(
        tables.contains("\\{x\\}\\_\\$y\\#\\textasciitilde{}\\textasciicircum{}\\textbackslash{}z")
    );
    for line in tables.lines().filter(|line| line.contains(" & ")) {
        assert!(line.ends_with(" \\\\"), "{line}");
    }
    if !has_latex() {
        crate::tools::skip("pdflatex, booktabs or lmodern is missing: tests/run installs them");
        return;
    }
    let document = format!(
        "\\documentclass{{article}}\n\\usepackage[utf8]{{inputenc}}\\usepackage[T1]{{fontenc}}\\usepackage{{lmodern}}\n\
         \\usepackage{{booktabs,textcomp}}\n\\begin{{document}}\n{}\\end{{document}}\n",
        tables.replace("\\end{table}\n", "\\end{table}\n\\clearpage\n")
    );
    write(dir.path(), "t.tex", &document);
    let made = std::process::Command::new("pdflatex")
        .current_dir(dir.path())
        .args(["-interaction=nonstopmode", "-halt-on-error", "t.tex"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
}

/// A plan with what was asked of its design.
const ASKED: &str = concat!(
    r#"{"ID": 3, "design_choices": {"background_color": "teal", "text": {}, "visual": {}}, "#,
    r#""final_workflow": [{"expert": "Photo Editor", "description": "Open it"}]}"#,
    "\n"
);

#[test]
fn a_judge_is_asked_about_plans_only_when_told_and_never_twice() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("4")]);
    let models = json!({ "judge": server.settings(), "answers_folder": "answers" });
    let models = write(dir.path(), "models.json", &models.to_string());
    write(dir.path(), "plans/ours/poster.jsonl", &format!("{ASKED}{PLANS}"));
    let plans = dir.path().join("plans");
    let plans = plans.to_str().unwrap();
    let poster = |arguments: &[&str]| {
        let rows = table("graphicbench-9", arguments);
        rows.into_iter().find(|row| row["Design Type"] == "Poster").unwrap()
    };
    assert_eq!(poster(&[plans, "--models", &models])["Design Pass Rate"], "—");
    assert_eq!(server.asked().len(), 0, "nobody told it to ask");
    let judged = poster(&[plans, "--models", &models, "--ask-judge"]);
    assert_eq!((judged["Color"].as_str(), judged["Design Pass Rate"].as_str()), ("4.000", "0.800"));
    assert_eq!(server.asked().len(), 3, "of the other plans nobody knows what was asked");
    poster(&[plans, "--models", &models, "--ask-judge"]);
    assert_eq!(server.asked().len(), 3, "the answers are kept");
    let none = write(dir.path(), "none.json", "{}");
    let output = run(["report", "tables", plans, "--models", &none, "--ask-judge"]);
    assert_fails(&output, &["names none"]);
}

#[test]
fn a_captioner_describes_the_pictures_of_runs() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::answering(&[says("A page."), says("A page with a card.")]);
    let models = json!({ "captioner": server.settings() });
    let models = write(dir.path(), "models.json", &models.to_string());
    let id = "caption_similarity/canvas";
    let json = json_of(&["score", &samples(), "--models", &models, "--only", id, "--json"]);
    let value = json["runs"][0]["scores"][0]["value"].as_f64().unwrap();
    assert!(value > 0.4 && value < 1.0, "{json}");
    assert_eq!(server.asked().len(), 2, "both sides, once each");
    let picture = dir.path().join("p.png");
    pentimento::base::Pixels::filled(16, 16, [9, 9, 9, 255]).unwrap().save_png(&picture).unwrap();
    let picture = picture.to_str().unwrap();
    let line = ["metric", "--gt", picture, "--gen", picture, "--models", &models, "--json"];
    let json = json_of(&line);
    let metrics = json["metrics"].as_array().unwrap();
    let found = metrics.iter().find(|metric| metric["id"] == id).unwrap();
    assert_eq!(found["value"], json!(1.0), "both were described alike");
    assert_eq!(server.asked().len(), 4);
}
