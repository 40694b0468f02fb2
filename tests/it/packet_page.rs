//! A packet as a page: driven in a browser by keys alone, without a network, and brought back.
//!
//! The browser is asked over a pipe (`--remote-debugging-pipe`): the Chrome DevTools Protocol, one JSON object
//! and a zero byte a message.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::first_study::{copied, label};
use crate::page::search;

/// A browser with one page open.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    asked: u64,
    /// Requests that left the page, other than for itself.
    requests: Vec<String>,
    profile: PathBuf,
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Browser {
    pub(crate) fn start(profile: &Path) -> Self {
        let browser = pentimento::environment::page::Chromium::find(&search())
            .expect("tests/run installs chromium");
        // The pipes of the protocol are descriptors 3 and 4.
        let redirected = "exec \"$0\" \"$@\" 3<&0 4>&1 1>&2 0</dev/null";
        let mut command = Command::new("sh");
        command.args(["-c", redirected]).arg(browser.path());
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        command.args(["--remote-debugging-pipe", "--disable-background-networking"]);
        command.args(["--disable-component-update", "--disable-sync", "--window-size=1280,860"]);
        command.arg(format!("--user-data-dir={}", profile.display()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let from = BufReader::new(from);
        let profile = profile.to_path_buf();
        Self { child, to, from, session: None, asked: 0, requests: Vec::new(), profile }
    }

    pub(crate) fn open(&mut self, page: &Path) {
        let target = self.ask("Target.createTarget", &json!({"url": "about:blank"}));
        let target = target["targetId"].clone();
        let attach = json!({"targetId": target, "flatten": true});
        let session = self.ask("Target.attachToTarget", &attach);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        self.ask("Network.enable", &json!({}));
        self.ask("Page.enable", &json!({}));
        self.ask("Page.bringToFront", &json!({}));
        self.go(page);
    }

    fn go(&mut self, page: &Path) {
        let url = format!("file://{}", page.display());
        self.ask("Page.navigate", &json!({"url": url}));
        self.until("document.querySelectorAll('nav button.unit').length > 0");
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.asked += 1;
        let mut message = json!({"id": self.asked, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        self.to.flush().unwrap();
        loop {
            let mut answer = Vec::new();
            assert!(self.from.read_until(0, &mut answer).unwrap() > 0, "the browser is gone");
            answer.pop();
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            if answer["method"] == "Network.requestWillBeSent" {
                let url = answer["params"]["request"]["url"].as_str().unwrap_or_default();
                if !url.starts_with("file:")
                    && !url.starts_with("data:")
                    && !url.starts_with("blob:")
                {
                    self.requests.push(url.to_owned());
                }
            }
            if answer["id"] == json!(self.asked) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// What an expression comes to in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let found = self.ask(
            "Runtime.evaluate",
            &json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    pub(crate) fn until(&mut self, expression: &str) {
        let began = Instant::now();
        while self.value(expression) != json!(true) {
            let waited = began.elapsed() < Duration::from_mins(1);
            assert!(waited, "never so: {expression}\n{}", self.value("document.body.innerText"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key and lets it go, with modifiers as the protocol counts them.
    pub(crate) fn press(&mut self, key: &str, modifiers: u32) {
        let text = if key.len() == 1 && modifiers == 0 { key } else { "" };
        let code = match key {
            "Enter" => 13,
            "Backspace" => 8,
            key if key.len() == 1 => u32::from(key.to_ascii_uppercase().as_bytes()[0]),
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "modifiers": modifiers,
                "windowsVirtualKeyCode": code});
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.ask("Input.dispatchKeyEvent", &event);
        }
    }

    /// Drags with the mouse from the middle of an element to the top of another.
    pub(crate) fn drag(&mut self, from: &str, to: &str) {
        let mut place = |of: &str, share: f64| {
            let found = self.value(&format!(
                "(() => {{ const it = {of}; it.scrollIntoView({{ block: 'nearest' }}); \
                 const box = it.getBoundingClientRect(); \
                 return [box.left + box.width / 2, box.top + box.height * {share}]; }})()"
            ));
            [0, 1].map(|at| found[at].as_f64().unwrap())
        };
        let (start, end) = (place(from, 0.5), place(to, 0.1));
        let middle = [0, 1].map(|at| f64::midpoint(start[at], end[at]));
        for (kind, [x, y], buttons) in [
            ("mouseMoved", start, 0),
            ("mousePressed", start, 1),
            ("mouseMoved", middle, 1),
            ("mouseMoved", end, 1),
            ("mouseReleased", end, 0),
        ] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons,
                "clickCount": 1});
            self.ask("Input.dispatchMouseEvent", &event);
        }
    }

    /// What the page would download: who answered, then every event, a line each.
    pub(crate) fn events(&mut self) -> String {
        let lines = self.value(
            "(() => { const packet = JSON.parse(document.getElementById('packet').textContent); \
             const log = JSON.parse(localStorage.getItem('pentimento-packet-' + packet.id)); \
             return [{ packet: packet.id, of: packet.of, person: packet.person }, ...log.events] \
             .map((it) => JSON.stringify(it)).join('\\n'); })()",
        );
        lines.as_str().unwrap().to_owned()
    }
}

/// A page for bo of some forms, in a home of its own.
fn page(lead: &Path, home: &Path, forms: &[&str]) -> PathBuf {
    let mut line = vec!["new", "study.labels", "runs/own-samples/now-playing"];
    line.extend(["runs/own-samples/recipe-tip", "labels/runs/own-samples/recipe-tip"]);
    line.extend([
        "--tasks",
        ".",
        "--person",
        "bo",
        "--per-item",
        "1",
        "--name",
        "A <study> & more",
    ]);
    for form in forms {
        line.extend(["--form", form]);
    }
    label(lead, &line);
    let page = home.join("for-bo.html");
    label(
        lead,
        &["pack", "study.labels", "--for", "bo", "--html", "--out", page.to_str().unwrap()],
    );
    page
}

const SELECTED: &str =
    "document.querySelector('nav [aria-current]')?.lastChild.textContent ?? 'done'";
const ANSWERED: &str = "document.querySelector('nav .progress').getAttribute('aria-valuenow')";

#[test]
fn a_page_is_answered_by_keys_in_a_browser_kept_and_merged() {
    let (lead, home) = (copied(), tempfile::tempdir().unwrap());
    let forms = ["pairwise-preference", "canvas-errors", "ndec", "likert"];
    let path = page(lead.path(), home.path(), &forms);
    let text = fs::read_to_string(&path).unwrap();
    for name in ["tracer", "scripted", "own-samples", "now-playing", "recipe-tip", "runs/"] {
        assert!(!text.contains(name), "{name} is in the page");
    }
    let profile = home.path().join("profile");
    let mut browser = Browser::start(&profile);
    browser.open(&path);
    let units = browser.value("document.querySelectorAll('nav button.unit').length");
    // 3 pairs, and 5 runs by 3 forms.
    assert_eq!(units, json!(18));
    for number in 0..18 {
        let title = browser.value("document.querySelector('aside h2').textContent");
        let keys: &[&str] = match title.as_str().unwrap() {
            "Which is closer to the ground truth?" => &["3"],
            "Errors in a design" if number % 2 == 0 => &["n"],
            "Errors in a design" => &["y", "q", "3"],
            "NDEC checklist" => &["y", "n", "y", "n", "y", "n"],
            "Rating from 1 to 5" => &["4"],
            other => panic!("{other}"),
        };
        let before = browser.value(SELECTED);
        for key in keys {
            browser.press(key, 0);
        }
        browser.press("Enter", 0);
        browser.until(&format!("({SELECTED}) !== {before}"));
        if number == 4 {
            // Undo says where it went, redo brings it back.
            browser.press("Backspace", 0);
            assert_eq!(browser.value(ANSWERED), json!("4"));
            browser.press("z", 2 | 8);
            assert_eq!(browser.value(ANSWERED), json!("5"));
            let words = browser.value("document.querySelector('.problem').textContent");
            assert!(words.as_str().unwrap().starts_with("Done again at "), "{words}");
            // What was answered is there after a reload, at the next that is open.
            browser.go(&path);
            assert_eq!(browser.value(ANSWERED), json!("5"));
        }
    }
    assert_eq!(browser.value(ANSWERED), json!("18"));
    let allow = json!({"behavior": "allow", "downloadPath": home.path(), "eventsEnabled": false});
    let session = browser.session.take();
    browser.ask("Browser.setDownloadBehavior", &allow);
    browser.session = session;
    browser.value("document.querySelector('header button').click()");
    let answers = home.path().join("for-bo-answers.jsonl");
    let began = Instant::now();
    while !answers.exists() {
        assert!(began.elapsed() < Duration::from_mins(1), "nothing was downloaded");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(browser.requests.is_empty(), "{:?} was asked for", browser.requests);
    assert!(browser.profile.exists());
    drop(browser);

    // 18 answers, one taken back and brought back.
    let merge =
        |path: &Path| label(lead.path(), &["merge", "study.labels", path.to_str().unwrap()]);
    let said = merge(&answers);
    assert!(said.contains("20 new, 0 known"), "{said}");
    assert!(merge(&answers).contains("0 new, 20 known"));
    let said = label(lead.path(), &["verify", "study.labels"]);
    assert!(said.contains("every answer fits its form"), "{said}");
    let report: Value =
        serde_json::from_str(&label(lead.path(), &["report", "study.labels", "--json"])).unwrap();
    let of = |form: &str| {
        let forms = report["forms"].as_array().unwrap();
        forms.iter().find(|it| it["form"] == form).unwrap()["final_answers"].clone()
    };
    let values = |form: &str, question: &str| -> Vec<String> {
        let answers = of(form);
        let answers = answers.as_array().unwrap().iter();
        let asked = answers.filter(|it| it["question"] == question);
        asked.map(|it| it["value"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(values("likert", "rating"), ["4"; 5]);
    assert_eq!(values("ndec", "masks"), ["no"; 5]);
    assert_eq!(values("ndec", "smart_objects"), ["yes"; 5]);
    assert_eq!(values("pairwise-preference", "preference").len(), 3);
    // The severity that was pressed is the mark's.
    let exported = label(lead.path(), &["export", "study.labels", "--format", "jsonl"]);
    let marks: Vec<Value> = exported
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| !line["answer"]["values"]["errors"].is_null())
        .map(|line| line["answer"]["values"]["errors"]["marks"][0].clone())
        .collect();
    let is_so = |mark: &Value| mark["severity"] == 3 && mark["option"] == "geometric_count";
    assert!(!marks.is_empty() && marks.iter().all(is_so), "{marks:?}");
}

#[test]
fn a_page_that_was_tampered_with_brings_nothing() {
    let (lead, home) = (copied(), tempfile::tempdir().unwrap());
    page(lead.path(), home.path(), &["task-success"]);
    let file = pentimento::store::labels::LabelFile::open(
        &lead.path().join("study.labels"),
        pentimento::label::WriterId(1),
    )
    .unwrap();
    let form = file.forms().unwrap()[0].hash();
    let text = fs::read_to_string(home.path().join("for-bo.html")).unwrap();
    let data = text.split("id=\"packet\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let event = |item: &str, values: Value| {
        json!({"id": {"writer": "00000000000000aa", "sequence": 1}, "clock": 1, "at": "2026-01-01T00:00:00Z",
            "person": "bo", "item": item, "form": form,
            "act": {"answered": {"answer": {"values": values}, "changes": 0}}})
    };
    let head = json!({"packet": data["id"], "of": data["of"], "person": "bo"});
    let item = data["items"][0]["id"].as_str().unwrap();
    let write = |lines: &[Value]| {
        let path = home.path().join("answers.jsonl");
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        fs::write(&path, lines.join("\n")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let refused = |lines: &[Value]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command.current_dir(lead.path()).args(["label", "merge", "study.labels", &write(lines)]);
        let output = command.output().unwrap();
        assert!(!output.status.success(), "{lines:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let yes = || json!({"success": {"yes_no": true}});
    assert!(refused(&[head.clone(), event("x", yes())]).contains("item \"x\" of the packet"));
    let wrong = refused(&[head.clone(), event(item, json!({"success": {"choice": "maybe"}}))]);
    assert!(wrong.contains("answer about"), "{wrong}");
    let other = json!({"packet": "0".repeat(16), "of": data["of"], "person": "bo"});
    assert!(refused(&[other, event(item, yes())]).contains("another project"));
    let said = label(lead.path(), &["merge", "study.labels", &write(&[head, event(item, yes())])]);
    assert!(said.contains("1 new"), "{said}");
}

#[test]
fn a_page_asks_for_consent_and_about_the_person_first_and_tells_practice() {
    let mut more = vec!["--consent", "consent.md", "--examples", "examples.md"];
    more.extend(["--pre-survey", "about.json", "--practice", "qualification.csv"]);
    let (study, home) = (crate::study::Study::new(&more), tempfile::tempdir().unwrap());
    let path = home.path().join("for-bo.html");
    let out = path.to_str().unwrap();
    label(study.dir(), &["pack", "study.labels", "--for", "bo", "--html", "--out", out]);
    let mut browser = Browser::start(&home.path().join("profile"));
    browser.open(&path);
    let title = "(document.querySelector('.reading h2')?.textContent ?? '')";
    browser.until(&format!("{title} === 'Before you begin'"));
    // No key answers anything behind it.
    for key in ["y", "k", "3", "Backspace"] {
        browser.press(key, 0);
    }
    browser.until(&format!("{title} === 'Before you begin'"));
    browser.press("Enter", 0);
    browser.until(&format!("{title} === 'Examples'"));
    browser.until("document.querySelector('.reading img').naturalWidth === 40");
    assert_eq!(browser.value("document.querySelectorAll('.reading h3').length"), json!(2));
    // What was agreed to is not asked again.
    browser.go(&path);
    browser.until(&format!("{title} === 'Examples'"));
    browser.press("Enter", 0);
    assert_eq!(browser.value(SELECTED), json!("About you"));
    browser.press("3", 0);
    browser.press("Enter", 0);
    browser.until(&format!("({SELECTED}) === 'Item 1'"));
    let told = "(document.querySelector('.feedback b')?.textContent ?? '')";
    browser.press("n", 0);
    browser.press("Enter", 0);
    browser.until(&format!("{told} === 'It should be'"));
    assert_eq!(browser.value(SELECTED), json!("Item 1"), "it stays, so that this is read");
    browser.press("y", 0);
    browser.press("Enter", 0);
    browser.until(&format!("{told} === 'As it should be'"));
    browser.press("Enter", 0);
    browser.until(&format!("({SELECTED}) === 'Item 2'"));
    assert!(browser.requests.is_empty(), "{:?} was asked for", browser.requests);

    let lines = browser.events();
    drop(browser);
    let answers = home.path().join("answers.jsonl");
    fs::write(&answers, lines).unwrap();
    let answers = answers.to_str().unwrap();
    let said = label(study.dir(), &["merge", "study.labels", answers]);
    assert!(said.contains("4 new"), "consent, the person, practice twice: {said}");
    label(study.dir(), &["verify", "study.labels"]);
    let report: Value =
        serde_json::from_str(&label(study.dir(), &["report", "study.labels", "--json"])).unwrap();
    let bo = &report["participants"][1];
    assert_eq!(bo["about_person"]["years"]["rating"], 3);
    assert!(bo["agreed_at"].is_string());
    assert_eq!(report["forms"][0]["final_answers"].as_array().unwrap().len(), 0, "practice");
    // What was agreed to and said is not in the next packet.
    let next = home.path().join("next.html");
    let out = next.to_str().unwrap();
    label(study.dir(), &["pack", "study.labels", "--for", "bo", "--html", "--out", out]);
    let text = fs::read_to_string(&next).unwrap();
    assert!(text.contains("\"consent\":null") && text.contains("\"survey\":null"));
}

#[test]
fn where_the_form_allows_it_a_page_lays_the_difference_over_the_run() {
    let (lead, home) = (copied(), tempfile::tempdir().unwrap());
    let mut form = pentimento::label::form::builtin_form("task-success").unwrap().clone();
    form.evidence.difference = true;
    fs::write(lead.path().join("heat.json"), serde_json::to_string(&form).unwrap()).unwrap();
    let path = page(lead.path(), home.path(), &["heat.json"]);
    let mut browser = Browser::start(&home.path().join("profile"));
    browser.open(&path);
    // At its start a run is not what it should become.
    let step = "document.querySelector('.steps span')?.textContent ?? ''";
    browser.value(
        "(() => { const range = document.querySelector('.steps input'); range.value = 0; \
         range.dispatchEvent(new Event('input')); })()",
    );
    browser.until(&format!("({step}).startsWith('Step 0 of ')"));
    assert_eq!(browser.value("document.querySelectorAll('canvas').length"), json!(0));
    browser.press("e", 0);
    browser.until("document.querySelector('canvas.heat')?.dataset.ready === 'yes'");
    // Every pixel is the shade of its colour difference, as the program measures it.
    let found = browser.value(
        "(async () => { \
         const pixels = async (of, size) => { const img = new Image(); img.src = of; await img.decode(); \
           const canvas = document.createElement('canvas'); \
           [canvas.width, canvas.height] = size || [img.naturalWidth, img.naturalHeight]; \
           const context = canvas.getContext('2d'); context.drawImage(img, 0, 0, canvas.width, canvas.height); \
           return context.getImageData(0, 0, canvas.width, canvas.height); }; \
         const [run, truth] = [...document.querySelectorAll('.frame img')].map((it) => it.src); \
         const made = await pixels(run), wanted = await pixels(truth, [made.width, made.height]); \
         const heat = document.querySelector('canvas.heat'); \
         const drawn = heat.getContext('2d').getImageData(0, 0, heat.width, heat.height); \
         const at = Array.from({ length: 4000 }, (_, i) => 4 * Math.floor(i * (made.data.length / 4) / 4000)); \
         return at.map((i) => [made, wanted, drawn].map((it) => [...it.data.slice(i, i + 4)])); })()",
    );
    let ramp = pentimento::base::ColorMap::default().ramp();
    let mut shaded = 0;
    for sample in found.as_array().unwrap() {
        let [made, wanted, drawn]: [[u8; 4]; 3] = serde_json::from_value(sample.clone()).unwrap();
        let lab = |[r, g, b, _]: [u8; 4]| pentimento::metric::Lab::from_srgb8([r, g, b]);
        let share = pentimento::metric::ciede2000(lab(wanted), lab(made)) / 120.0;
        if (share - 0.025).abs() < 1e-6 {
            continue;
        }
        let is_shown = share >= 0.025;
        assert_eq!(drawn[3], if is_shown { 255 } else { 0 }, "{sample} {share}");
        if is_shown {
            shaded += 1;
            let shade = (share * 255.0).round() as usize;
            let near = [shade.saturating_sub(1), shade, (shade + 1).min(255)];
            assert!(near.iter().any(|it| ramp[*it] == drawn[..3]), "{sample} {share}");
        }
    }
    assert!(shaded > 100, "{shaded} of 4000 differ");
    browser.press("y", 0);
    browser.press("Enter", 0);
    browser.until("document.querySelector('nav .progress').getAttribute('aria-valuenow') === '1'");
    assert!(browser.events().contains("\"difference\":"), "how long it was seen is kept");
}
