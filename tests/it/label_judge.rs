//! Models as judges of a labelling project, by the real program and a server that answers as it is told.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};

use pentimento::label::form::builtin_form;
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, CellKey, Event, EventId, ItemId, JudgeIdentity, Judged,
    Judgement, Ledger, Packet, WriterId,
};
use pentimento::metric::stats::wilson;
use pentimento::store::labels::LabelFile;

use crate::files::copy_folder;
use crate::label::{Place, label, text};

/// What the model says to a request: words, or that it refuses.
enum Said {
    Words(String),
    Refusal,
}

type Script = dyn Fn(&Value) -> Said + Send + Sync;

/// A server that speaks Chat Completions and keeps what it was asked.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    fn start(script: impl Fn(&Value) -> Said + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (shared, script): (_, Arc<Script>) = (Arc::clone(&asked), Arc::new(script));
        // Lives until the test's process ends.
        let serving = std::thread::Builder::new().name("judge server".to_owned());
        serving
            .spawn(move || {
                for stream in listener.incoming() {
                    let (stream, shared) = (stream.unwrap(), Arc::clone(&shared));
                    let script = Arc::clone(&script);
                    let answering = std::thread::Builder::new().name("answer".to_owned());
                    answering.spawn(move || serve(stream, &shared, &*script)).unwrap();
                }
            })
            .unwrap();
        Self { address, asked }
    }

    fn model(&self) -> String {
        format!("chat_completions:tester@{}", self.address)
    }

    fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, asked: &Mutex<Vec<Value>>, script: &Script) {
    let mut reader = BufReader::new(&stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap_or(0) > 0 {}
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    let request: Value = serde_json::from_slice(&body).unwrap();
    let delta = match script(&request) {
        Said::Words(words) => json!({"role": "assistant", "content": words}),
        Said::Refusal => json!({"role": "assistant", "refusal": "Not today."}),
    };
    asked.lock().unwrap().push(request);
    let choice = json!({"index": 0, "delta": delta, "finish_reason": "stop"});
    let usage = json!({"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010});
    let first = json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]});
    let last = json!({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": usage});
    let events = format!("data: {first}\n\ndata: {last}\n\ndata: [DONE]\n\n");
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{events}", events.len()).ok();
}

fn words(value: &Value) -> Said {
    Said::Words(value.to_string())
}

/// The pictures of a request, by what they are of.
fn pictures(request: &Value) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut caption = String::new();
    for part in request["messages"][0]["content"].as_array().unwrap() {
        if let Some(text) = part["text"].as_str() {
            caption = text.split(": ").last().unwrap().to_owned();
        }
        if let Some(url) = part["image_url"]["url"].as_str() {
            found.insert(caption.clone(), url.to_owned());
        }
    }
    found
}

/// A project of pairs: two tasks of the sample runs, of each three runs by agents of other names.
fn place_of_pairs(more: &[&str]) -> Place {
    let dir = tempfile::tempdir().unwrap();
    for (task, run, agent) in [
        ("now-playing", "scripted-01", "zebra"),
        ("now-playing", "tracer-01", "yak"),
        ("now-playing", "scripted-01", "xerus"),
        ("basket", "tracer-01", "zebra"),
        ("basket", "tracer-02", "yak"),
        ("basket", "tracer-01", "xerus"),
    ] {
        let from = Path::new("sample_runs/runs/own-samples").join(task).join(run);
        let to = dir.path().join("runs").join(task).join(agent);
        copy_folder(&from, &to);
        let manifest = std::fs::read_to_string(to.join("run.json")).unwrap();
        let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
        manifest["agent"]["name"] = agent.into();
        manifest["id"] = format!("{agent}-{task}").into();
        std::fs::write(to.join("run.json"), manifest.to_string()).unwrap();
    }
    let place = Place { dir };
    let (project, runs) = (place.path("study.labels"), place.path("runs"));
    let tasks = std::path::absolute("sample_runs").unwrap();
    let mut line = vec!["new", project.to_str().unwrap(), runs.to_str().unwrap()];
    line.extend(["--tasks", tasks.to_str().unwrap(), "--form", "pairwise-preference"]);
    line.extend(more);
    let made = label(&line);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(place.items().len(), 6, "three pairs of each task");
    place
}

fn pairs() -> Place {
    let place = place_of_pairs(&["--person", "ada", "--person", "bo"]);
    let items = place.items();
    let mut csv = "person,item,preference\n".to_owned();
    for (at, item) in items.iter().enumerate() {
        csv += &["ada,", item, ",", ["first", "second", "tie"][at % 3], "\n"].concat();
        csv += &["bo,", item, ",", ["first", "second"][at % 2], "\n"].concat();
    }
    place.ok("import", &[&place.write("people.csv", &csv)]);
    place
}

fn report(place: &Place) -> Value {
    serde_json::from_str(&place.ok("report", &["--json"])).unwrap()
}

/// Everything of a report but what it says of judges.
fn of_people(place: &Place) -> String {
    let mut report = report(place);
    for form in report["forms"].as_array_mut().unwrap() {
        form.as_object_mut().unwrap().remove("judges");
    }
    let exported = ["csv", "jsonl"].map(|format| place.ok("export", &["--format", format]));
    format!("{report}{}{}", exported.concat(), place.ok("hours", &[]))
}

fn failed(output: &Output, said: &str) {
    assert!(!output.status.success(), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains(said), "{said}: {}", text(&output.stderr));
}

#[test]
fn who_always_prefers_the_left_is_found_out_and_changes_nothing_of_people() {
    let place = pairs();
    let before = of_people(&place);
    let server = Server::start(|_| {
        words(&json!({"answers": {"preference": "left"}, "confidence": {"preference": 0.9}}))
    });
    let model = server.model();
    let said = place.ok("judge", &["--model", &model, "--as", "lefty"]);
    let pairs = place.items().len();
    assert!(said.contains(&format!("{} answers, 0 without one", 2 * pairs)), "{said}");
    assert_eq!(server.asked().len(), 2 * pairs);
    assert_eq!(of_people(&place), before);

    let found = report(&place);
    let [judge] = found["forms"][0]["judges"].as_array().unwrap().as_slice() else {
        panic!("{found}")
    };
    assert_eq!((&judge["judge"], &judge["kind"]), (&"lefty".into(), &"model".into()));
    assert_eq!(judge["tokens_read"], 2 * pairs as u64 * 1000);
    let question = &judge["questions"][0];
    let position = &question["position"];
    assert_eq!((&position["pairs"], &position["consistent"]["hits"]), (&pairs.into(), &0.into()));
    assert_eq!(position["left_in_both"]["hits"], pairs);
    let interval = wilson(pairs as u64, pairs as u64, 0.95).unwrap();
    assert_eq!(position["left_in_both"]["interval"], json!([interval.low, interval.high]));
    // What differs by order is no verdict, so nothing is held against people.
    assert_eq!((&question["verdicts"], &question["differ_by_order"]), (&0.into(), &pairs.into()));
    assert!(question["against_people"]["reason"].as_str().unwrap().contains("no item"));
    let table = place.ok("report", &[]);
    assert!(table.contains("lefty") && table.contains("100 % ["), "{table}");
    let page = place.path("page.html");
    place.ok("report", &["--out", page.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&page).unwrap().contains("Asked in both orders"));

    // Asked again it is not asked again.
    assert!(place.ok("judge", &["--model", &model, "--as", "lefty"]).contains("nothing to do"));
    assert_eq!(server.asked().len(), 2 * pairs);
    assert!(place.ok("verify", &[]).contains("every answer fits its form"));
    // What was asked and answered is kept as a run keeps it.
    let record = place.path("study.judges/lefty");
    let lines = std::fs::read_to_string(record.join("exchanges.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 2 * pairs);
    assert!(lines.contains("lefty") || lines.contains("tester"));
    assert!(std::fs::read_dir(record.join("images")).unwrap().count() >= 2);
    // Nothing that is sent says who made a run.
    let file = LabelFile::open(&place.path("study.labels"), WriterId(1)).unwrap();
    let items = file.items().unwrap();
    let models: BTreeSet<&String> =
        items.iter().flat_map(|item| item.runs.iter().map(|run| &run.model)).collect();
    assert_eq!(models.len(), 3);
    for request in server.asked() {
        let sent = request["messages"].to_string();
        let sent: String =
            sent.split("data:image").map(|it| it.split_once('"').map_or(it, |it| it.1)).collect();
        assert!(models.iter().all(|model| !sent.contains(model.as_str())), "{sent}");
    }
}

#[test]
fn a_judge_that_says_what_people_say_agrees_with_them_wholly() {
    let place = place_of_pairs(&[]);
    // By what stands in the pictures, whatever the side.
    let server = Server::start(|request| {
        let shown = pictures(request);
        let [left, right] = ["the left design", "the right design"].map(|side| &shown[side]);
        let side = match left.cmp(right) {
            std::cmp::Ordering::Less => "left",
            std::cmp::Ordering::Equal => "tie",
            std::cmp::Ordering::Greater => "right",
        };
        words(&json!({"answers": {"preference": side}, "confidence": {"preference": 1.0}}))
    });
    place.ok("judge", &["--model", &server.model(), "--seed", "7"]);
    let mut people: BTreeMap<String, String> = BTreeMap::new();
    for line in place.ok("export", &["--format", "judgements"]).lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let said = &line["judged"]["outcome"]["answered"]["answer"]["values"]["preference"];
        let said = said["preference"].as_str().unwrap().to_owned();
        let before = people.insert(line["item"].as_str().unwrap().to_owned(), said.clone());
        assert!(before.is_none_or(|before| before == said), "both orders mean the same");
    }
    let rows = people.iter().map(|(item, said)| format!("ada,{item},{said}\n"));
    let csv = format!("person,item,preference\n{}", rows.collect::<String>());
    place.ok("import", &[&place.write("people.csv", &csv)]);
    let found = report(&place);
    let judge = &found["forms"][0]["judges"][0];
    let against = &judge["questions"][0]["against_people"];
    assert_eq!(against["equal"]["hits"], people.len());
    let kinds: BTreeSet<&String> = people.values().collect();
    if kinds.len() > 1 {
        assert_eq!(against["kappa"], 1.0);
        // Of a few pairs most resamples may be of one answer, and say so.
        let is_undefined = against["kappa_interval_reason"].is_string();
        assert!(is_undefined || against["kappa_interval"][1] == 1.0, "{against}");
    } else {
        assert!(against["kappa_reason"].is_string());
    }
    for of_label in against["by_label"].as_array().unwrap() {
        let is_said = people.values().any(|said| of_label["label"] == said.as_str());
        let expected = if is_said { json!(1.0) } else { of_label["precision"].clone() };
        assert_eq!(of_label["precision"], expected);
        assert!(is_said || of_label["precision"]["missing"].is_string(), "{of_label}");
    }
    assert_eq!(against["calibration"]["expected_error"], 0.0);
    assert_eq!(judge["questions"][0]["position"]["consistent"]["hits"], people.len());
    // A judge stands in nobody's row.
    assert_eq!(found["forms"][0]["people"].as_array().unwrap().len(), 1);
}

#[test]
fn a_query_is_shown_to_a_judge_with_its_pictures_and_ranked_by_their_ids() {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("component-alignment").unwrap();
    crate::ranking::study_of_queries(dir.path(), form, 4);
    let place = Place { dir };
    // By what stands in the pictures, whatever the order they come in.
    let server = Server::start(|request| {
        let mut shown: Vec<(String, String)> =
            pictures(request).into_iter().map(|(caption, url)| (url, caption)).collect();
        shown.sort();
        let ids = shown.iter().map(|(_, caption)| caption.split('"').nth(1).unwrap());
        let ranking: Vec<&str> = ids.collect();
        words(&json!({"answers": {"background": 4, "text": 5, "image": 2, "layout": 3,
            "ranking": ranking}, "confidence": {"layout": 0.5}, "note": "By colour."}))
    });
    let said = place.ok("judge", &["--model", &server.model()]);
    assert!(said.contains("4 answers, 0 without one"), "{said}");
    let items = LabelFile::open(&place.path("study.labels"), WriterId(5)).unwrap().items().unwrap();
    let asked = server.asked();
    assert_eq!(asked.len(), 4, "a query has no sides to be turned round");
    for request in &asked {
        let parts = request["messages"][0]["content"].as_array().unwrap();
        let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let item = items.iter().find(|item| text.contains(item.text.as_deref().unwrap())).unwrap();
        let shown: Vec<&String> = item.candidates.iter().filter(|id| text.contains(*id)).collect();
        assert_eq!(shown.len(), 3, "each is named in the question and over its picture");
        assert_eq!(pictures(request).len(), 3);
        let all = request.to_string().to_lowercase();
        for maker in crate::ranking::SOURCES {
            assert!(!all.contains(maker), "{maker} is told");
        }
        // Which one comes first is shuffled by the ids of the items, which are of this project alone.
        let first = parts
            .iter()
            .find(|part| part["text"].as_str().is_some_and(|it| it.starts_with("Picture 1: ")));
        let first = first.unwrap()["text"].as_str().unwrap().split('"').nth(1).unwrap().to_owned();
        assert!(item.candidates.contains(&first), "{first}");
    }
    for line in place.ok("export", &["--format", "judgements"]).lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let item = items.iter().find(|item| line["item"] == item.id.0.as_str()).unwrap();
        let values = &line["judged"]["outcome"]["answered"]["answer"]["values"];
        let ranked: BTreeSet<String> =
            serde_json::from_value(values["ranking"]["ranking"].clone()).unwrap();
        assert_eq!(ranked, item.candidates.iter().cloned().collect());
    }
    assert!(place.ok("verify", &[]).contains("every answer fits its form"));
    // One that ranks only two of three is asked again.
    let short = Server::start(|request| {
        let ids = pictures(request);
        let ids: Vec<&str> = ids.keys().filter_map(|it| it.split('"').nth(1)).take(2).collect();
        words(
            &json!({"answers": {"background": 4, "text": 5, "image": 2, "layout": 3, "ranking": ids}}),
        )
    });
    let said = place.ok("judge", &["--model", &short.model(), "--as", "hasty", "--limit", "1"]);
    assert!(said.contains("0 answers, 1 without one"), "{said}");
    assert_eq!(short.asked().len(), 2);
}

#[test]
fn an_answer_that_is_none_is_asked_for_once_more_and_then_said_to_be_none() {
    let place = Place::new(&["--form", "task-success"]);
    let judge = |name: &str, more: &[&str], script: Box<Script>| {
        let server = Server::start(script);
        let model = server.model();
        let mut line = vec!["--model", &model, "--as", name, "--limit", "3", "--jobs", "1"];
        line.extend(more);
        let said = place.ok("judge", &line);
        (said, server.asked())
    };
    let (said, asked) = judge("chatty", &[], Box::new(|_| Said::Words("Sure! It did.".to_owned())));
    assert!(said.contains("0 answers, 3 without one"), "{said}");
    assert_eq!(asked.len(), 6);
    let again = asked[1]["messages"].as_array().unwrap();
    assert_eq!(again.len(), 3, "the conversation goes on");
    assert!(again[2].to_string().contains("cannot be used"), "{}", again[2]);
    let (said, asked) = judge("silent", &[], Box::new(|_| Said::Refusal));
    assert!(said.contains("0 answers, 3 without one"), "{said}");
    assert_eq!(asked.len(), 3, "a refusal is not asked for again");
    let (_, asked) =
        judge("unsure", &[], Box::new(|_| words(&json!({"answers": {"success": "perhaps"}}))));
    assert!(asked[1]["messages"].to_string().contains("must be yes or no"));
    // A condition that is not met is an answer that does not fit.
    let (said, _) = judge(
        "reasoning",
        &[],
        Box::new(|_| words(&json!({"answers": {"success": "yes", "reason": "none"}}))),
    );
    assert!(said.contains("0 answers, 3 without one"), "{said}");
    let hostile = |request: &Value| {
        if request["messages"].as_array().unwrap().len() > 1 {
            return words(&json!({"answers": {"success": "no", "reason": "a\u{1b}[2Jb\u{7}"}}));
        }
        words(&json!({"answers": {"success": "no"}, "note": "\u{202e}x".repeat(25_001)}))
    };
    let (said, asked) = judge("hostile", &[], Box::new(hostile));
    assert!(said.contains("3 answers, 0 without one"), "{said}");
    assert_eq!(asked.len(), 6);
    assert!(place.ok("verify", &[]).contains("every answer fits its form"));

    let found = report(&place);
    let judges = found["forms"][0]["judges"].as_array().unwrap();
    let reasons = |name: &str| {
        let judge = judges.iter().find(|judge| judge["judge"] == name).unwrap();
        judge["failed"].to_string()
    };
    assert!(reasons("chatty").contains("not the JSON object that was asked for"));
    assert!(reasons("silent").contains("refused: Not today."));
    assert!(reasons("unsure").contains("must be yes or no"));
    assert!(reasons("reasoning").contains("it depends on another answer"));
    let exported = place.ok("export", &["--format", "judgements"]);
    assert!(exported.contains("a[2Jb") && !exported.contains("\\u001b"), "{exported}");
    let table = place.ok("report", &[]);
    assert!(!table.contains(['\u{1b}', '\u{7}']) && table.contains("refused: Not today."));
    // Asked again where there was no answer, and only there.
    let (said, asked) = judge(
        "silent",
        &["--again-failed"],
        Box::new(|_| words(&json!({"answers": {"success": "yes"}}))),
    );
    let other = said.contains("asked otherwise");
    assert!(!other && asked.len() == 3, "{said}");
}

#[test]
fn a_name_is_one_model_and_no_person_and_what_it_costs_is_counted() {
    let place = pairs();
    let server = Server::start(|_| words(&json!({"answers": {"preference": "tie"}})));
    let model = server.model();
    failed(&place.run("judge", &["--model", &model, "--as", "ada"]), "is a person of this project");
    failed(&place.run("judge", &["--model", &model, "--max-cost", "1"]), "what tester costs");
    failed(&place.run("judge", &["--model", "nobody"]), "there is no model \"nobody\"");
    let dry = place.ok("judge", &["--model", &model, "--dry-run"]);
    let requests = 2 * place.items().len();
    assert!(dry.contains(&requests.to_string()) && dry.contains("Nothing was asked"), "{dry}");
    assert!(server.asked().is_empty());
    let models = json!({"models": {"priced": {"provider": {"kind": "chat_completions",
        "base_url": server.address, "model": "tester",
        "prices": {"input": 1000.0, "output": 0.0}}}}});
    let models = place.write("models.json", &models.to_string());
    let line = ["--model", "priced", "--models-file", &models, "--jobs", "1", "--max-cost", "1.5"];
    // A thousand tokens are a dollar here.
    failed(&place.run("judge", &line), "--max-cost is spent: 2 of");
    assert_eq!(server.asked().len(), 2);
    let said = place.ok("judge", &line[..4]);
    assert!(said.contains(&format!("{} answers", requests - 2)), "{said}");
    let cost = report(&place)["forms"][0]["judges"][0]["cost_usd"].as_f64().unwrap();
    assert!((cost - requests as f64).abs() < 1e-9, "{cost}");
    let prompts = place.path("prompts");
    std::fs::create_dir(&prompts).unwrap();
    std::fs::write(
        prompts.join("label_item.md"),
        "{{title}} {{guide}} {{evidence}} {{questions}} {{shape}}",
    )
    .unwrap();
    let otherwise = [&line[..4], &["--prompts", prompts.to_str().unwrap()]].concat();
    failed(&place.run("judge", &otherwise), "was asked otherwise before");
}

#[test]
fn what_a_judge_said_in_a_copy_joins_like_anything_else() {
    let place = pairs();
    let copy = place.path("copy.labels");
    std::fs::copy(place.path("study.labels"), &copy).unwrap();
    let copy = copy.to_str().unwrap();
    let server = Server::start(|_| words(&json!({"answers": {"preference": "right"}})));
    let output = label(&["judge", copy, "--model", &server.model(), "--one-order"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let pairs = place.items().len();
    assert_eq!(server.asked().len(), pairs);
    let before = of_people(&place);
    assert!(place.ok("merge", &[copy]).contains(&format!("{pairs} new, {} known", 2 * pairs)));
    assert!(place.ok("merge", &[copy]).contains("0 new"));
    assert_eq!(of_people(&place), before);
    let events = place.write("e.jsonl", &place.ok("export", &["--format", "events"]));
    assert!(place.ok("merge", &[&events]).contains("0 new"));
    let judge = report(&place)["forms"][0]["judges"][0].clone();
    assert_eq!(judge["answered"], pairs);
    let position = &judge["questions"][0]["position"];
    assert!(position["reason"].as_str().unwrap().contains("both orders"), "{position}");
    // A person's packet brings no model's answers home.
    let packet = place.path("p.labels");
    place.ok("pack", &["--for", "ada", "--out", packet.to_str().unwrap()]);
    let packet = LabelFile::open(&packet, WriterId(3)).unwrap();
    let item = packet.items().unwrap().remove(0).id;
    let event =
        judged_event(EventId { writer: WriterId(3), sequence: 1 }, 1, "ada", &item.0, false, true);
    let event = Event { form: builtin_form("pairwise-preference").unwrap().hash(), ..event };
    let file = LabelFile::open(&place.path("study.labels"), WriterId(4)).unwrap();
    let Packet { of, person } = packet.project().packet.clone().unwrap();
    let error = file.merge_packet(&packet.project().id, &Packet { of, person }, vec![event]);
    assert!(error.unwrap_err().to_string().contains("a model answered"));
}

#[expect(clippy::fn_params_excessive_bools, reason = "an event of a test")]
fn judged_event(
    id: EventId,
    clock: u64,
    person: &str,
    item: &str,
    is_swapped: bool,
    yes: bool,
) -> Event {
    let values = BTreeMap::from([("success".to_owned(), AnswerValue::YesNo(yes))]);
    let answer = Box::new(Answer { values, ..Answer::default() });
    let judge = JudgeIdentity {
        provider: "anthropic".to_owned(),
        model: "m".to_owned(),
        prompt: "00".to_owned(),
    };
    let outcome = Judgement::Answered { answer, confidence: [("success".to_owned(), 0.1)].into() };
    let (candidates, tokens) = (Vec::new(), [1, 2]);
    let judged =
        Judged { judge, is_swapped, candidates, outcome, asked: 1, tokens, cost_usd: Some(0.3) };
    Event {
        id,
        clock,
        at: "2026-01-01T00:00:00Z".to_owned(),
        person: person.to_owned(),
        item: ItemId(item.to_owned()),
        form: builtin_form("task-success").unwrap().hash(),
        act: Act::Judged(Box::new(judged)),
    }
}

proptest! {
    /// Whatever models say, and whatever of it is taken back, what people did comes to the same, and of a
    /// judge's answers in one order the last that stands counts.
    #[test]
    fn what_models_say_and_take_back_changes_nothing_of_people(
        drawn in prop::collection::vec(
            (1_u64..10, prop_oneof!["ada", "judge"], prop_oneof!["x", "y"], 0_u8..4, any::<bool>(), any::<bool>(), 1_u64..12), 0..30,
        ),
        order in any::<prop::sample::Index>(),
    ) {
        let mut events = Vec::new();
        for ((clock, person, item, what, is_swapped, yes, target), sequence) in drawn.into_iter().zip(1..) {
            let id = EventId { writer: WriterId(1), sequence };
            let mut event = judged_event(id, clock, &person, &item, is_swapped, yes);
            event.act = match what {
                0 | 1 => event.act,
                2 => Act::Retracted { event: EventId { writer: WriterId(1), sequence: target } },
                _ => {
                    let values = BTreeMap::from([("success".to_owned(), AnswerValue::YesNo(yes))]);
                    Act::Answered(Box::new(Answered {
                        answer: Answer { values, ..Answer::default() },
                        shown: None, millis: None, views: BTreeMap::new(), changes: None,
                    }))
                }
            };
            let text = serde_json::to_string(&event).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Event>(&text).unwrap(), &event);
            events.push(event);
        }
        let form = builtin_form("task-success").unwrap().hash();
        let mut arriving = events.clone();
        if !arriving.is_empty() {
            let middle = order.index(arriving.len());
            arriving.rotate_left(middle);
        }
        let mut ledger = Ledger::default();
        for event in arriving {
            ledger.insert(event).unwrap();
        }
        let mut alone = Ledger::default();
        for event in events.iter().filter(|event| !matches!(event.act, Act::Judged(_))) {
            alone.insert(event.clone()).unwrap();
        }
        let keys: Vec<CellKey> = ledger.cell_keys().cloned().collect();
        for key in keys {
            // Taking back a model's answer takes nothing of people's back.
            prop_assert_eq!(ledger.cell(&key), alone.cell(&key));
        }
        let stands = |event: &Event| slow_stands(&events, event);
        let mut expected: BTreeMap<(String, String, bool), (u64, EventId)> = BTreeMap::new();
        for event in &events {
            let Act::Judged(judged) = &event.act else { continue };
            if stands(event) {
                let key = (event.item.0.clone(), event.person.clone(), judged.is_swapped);
                let last = expected.entry(key).or_insert(event.order());
                *last = (*last).max(event.order());
            }
        }
        let found: BTreeMap<(String, String, bool), (u64, EventId)> = ledger
            .judgements(form)
            .into_iter()
            .map(|it| ((it.event.item.0.clone(), it.event.person.clone(), it.judged.is_swapped), it.event.order()))
            .collect();
        prop_assert_eq!(found, expected);
    }
}

/// Whether an event stands: no later event of its cell that stands takes it back.
fn slow_stands(all: &[Event], event: &Event) -> bool {
    !all.iter().any(|other| {
        CellKey::of(other) == CellKey::of(event)
            && other.order() > event.order()
            && other.act == Act::Retracted { event: event.id }
            && slow_stands(all, other)
    })
}
