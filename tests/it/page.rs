//! A model that answers with a page in HTML instead of calls, drawn by a real browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use pentimento::agent::models::ModelEntry;
use pentimento::agent::providers::{ProviderKind, ProviderSettings};
use pentimento::base::{CancelToken, Size};
use pentimento::environment::page::{
    BrowserSearch, Chromium, PageEnvironment, PageError, PageRenderer as _, RENDER_PAGE,
};
use pentimento::environment::{
    Environment as _, EnvironmentKind, FailureClass, ToolCall, open_environment,
};
use pentimento::evaluate::RunCanvas;
use pentimento::run::{Outcome, reader};
use serde_json::json;

use crate::meaning::server::{Server, says};

const RED: [u8; 4] = [255, 0, 0, 255];
const WHITE: [u8; 4] = [255; 4];

/// A page whose left half is red, and which tries everything that a page must not do.
fn wicked(secret: &Path) -> String {
    let secret = secret.display();
    format!(
        "<!doctype html><html><head><meta http-equiv=\"refresh\" content=\"0;url=file://{secret}\">\
         <style>body {{ margin: 0; background: white }}\
         .box {{ position: absolute; left: 0; top: 0; width: 50%; height: 100%; background: #f00 }}\
         </style></head><body><div class='box'></div>\
         <script>document.body.style.background = 'lime'; location = 'file://{secret}'</script>\
         <img src=\"file://{secret}\" style='position:absolute;right:0;width:50%;height:100%'\
          onerror=\"document.body.innerHTML=''\">\
         <iframe src=\"file://{secret}\" style='position:absolute;right:0;border:0'></iframe>\
         </body></html>"
    )
}

fn answer(secret: &Path) -> String {
    format!("Half red.\n```html\n{}\n```", wicked(secret))
}

/// Something green that no page may show.
fn secret(dir: &Path) -> PathBuf {
    let path = dir.join("secret.html");
    std::fs::write(&path, "<body style='background:#0f0'>").unwrap();
    path
}

/// As the program looks for it.
pub(crate) fn search() -> BrowserSearch {
    let named = std::env::var_os("PENTIMENTO_CHROMIUM").filter(|name| !name.is_empty());
    let folders = std::env::var_os("PATH");
    BrowserSearch { named, folders: folders.iter().flat_map(std::env::split_paths).collect() }
}

#[test]
fn a_page_is_drawn_at_its_size_and_can_do_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let browser = Chromium::find(&search()).expect("tests/run installs chromium");
    let html = wicked(&secret(dir.path()));
    for (width, height) in [(393, 852), (100, 60)] {
        let picture = browser.render(&html, (width, height), &CancelToken::default()).unwrap();
        assert_eq!((picture.width(), picture.height()), (width, height));
        assert_eq!(picture.get(width / 4, height / 2), Some(RED));
        for (x, y) in [(width * 3 / 4, height / 2), (width - 2, 2), (width * 3 / 4, height - 2)] {
            let pixel = picture.get(x, y).unwrap();
            // What stands for a picture that is not there is grey; the secret is green.
            assert!(pixel[0] > 120 && pixel[0].abs_diff(pixel[1]) < 40, "{pixel:?} at {x}, {y}");
        }
    }
    let empty = browser.render("", (20, 10), &CancelToken::default()).unwrap();
    assert_eq!(empty.get(10, 5), Some(WHITE));
}

#[test]
fn a_browser_that_fails_is_the_reason_and_nothing_stays_behind() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("browser");
    std::fs::write(&path, "#!/bin/sh\necho 'no display here' >&2\nexit 3\n").unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let mut page =
        PageEnvironment::new(Arc::new(Chromium::at(&path)), Size::new(10.0, 10.0)).unwrap();
    let arguments = json!({ "html": "<p>" });
    let call = ToolCall { id: "1".into(), name: RENDER_PAGE.into(), arguments };
    let failure = page.call(&call, &CancelToken::default()).failure.unwrap();
    assert_eq!(failure.class, FailureClass::Render);
    assert!(failure.message.contains("no display here"), "{}", failure.message);
    let gone = Chromium::at(dir.path().join("gone"))
        .render("", (1, 1), &CancelToken::default())
        .unwrap_err();
    assert!(gone.to_string().contains("cannot be started"), "{gone}");
}

#[test]
#[cfg(unix)]
fn a_browser_that_nobody_waits_for_is_ended_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let (path, pids) = (dir.path().join("browser"), dir.path().join("pids"));
    let script = format!(
        "#!/bin/sh\nsleep 600 &\necho $$ $! > '{0}.new'\nmv '{0}.new' '{0}'\nwait\n",
        pids.display()
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let cancel = CancelToken::default();
    std::thread::scope(|scope| {
        let drawing = std::thread::Builder::new().name("draw-page".to_owned());
        let drawing = drawing
            .spawn_scoped(scope, || Chromium::at(&path).render("", (9, 9), &cancel))
            .unwrap();
        while !pids.exists() {
            assert!(!drawing.is_finished(), "the browser did not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
        let error = drawing.join().unwrap().unwrap_err();
        assert!(matches!(error, PageError::Cancelled(_)), "{error}");
    });
    let pids = std::fs::read_to_string(&pids).unwrap();
    // What was killed may still be on its way out, or wait for its parent to look.
    let runs = |pid: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(')').and_then(|(_, state)| state.trim().chars().next());
        state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
    };
    let began = std::time::Instant::now();
    while pids.split_whitespace().any(runs) {
        assert!(began.elapsed() < Duration::from_secs(20), "a process of the browser goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `pentimento run --mode code` of one task of the samples, with what `server` answers.
fn run_code(server: &Server, dir: &Path, browser: Option<&str>) -> Output {
    let provider = ProviderSettings {
        kind: ProviderKind::ChatCompletions,
        base_url: Some(server.settings().base_url),
        model: "coder".into(),
        stream: false,
        ..ProviderSettings::default()
    };
    let entry = ModelEntry { provider, ..ModelEntry::default() };
    let models = json!({ "models": { "coder": entry } });
    std::fs::write(dir.join("models.json"), models.to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.env("PENTIMENTO_WORKSPACE", "").env("NO_PROXY", "127.0.0.1");
    command.envs(browser.map(|browser| ("PENTIMENTO_CHROMIUM", browser)));
    command.args(["run", "--tasks", "sample_runs", "--filter", "sign-in", "--mode", "code"]);
    command.args(["--models", "coder", "--models-file"]).arg(dir.join("models.json"));
    command.arg("--out").arg(dir.join("runs")).output().unwrap()
}

#[test]
fn a_model_writes_a_page_which_is_scored_as_a_picture_wherever_it_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let secret = secret(dir.path());
    let server = Server::answering(&[says("I would rather not."), says(&answer(&secret))]);
    let output = run_code(&server, dir.path(), None);
    assert!(output.status.success(), "{output:?}");
    let asked = server.asked();
    assert!(asked[0].body.get("tools").is_none(), "a page needs no tools");
    assert!(asked[1].body["messages"].to_string().contains("no HTML in that answer"));
    let folder = dir.path().join("runs");
    let found = walk(&folder);
    let run = Arc::new(reader::open(&found).unwrap());
    let manifest = &run.manifest;
    assert_eq!((&manifest.environment, manifest.mode.as_str()), (&EnvironmentKind::Page, "code"));
    assert_eq!((&manifest.outcome, run.steps.len()), (&Outcome::Completed, 1));
    assert_eq!(run.turns[0].thought, "Half red.");
    let mut canvas = RunCanvas::open(Arc::clone(&run), None, &open_environment).unwrap();
    let size = manifest.canvas_size.unwrap();
    let never = CancelToken::new();
    let blank = canvas.picture(0, 1.0, &never).unwrap().pixels;
    let drawn = canvas.picture(1, 1.0, &never).unwrap().pixels;
    assert_eq!((blank.width(), drawn.width()), (size.width as u32, size.width as u32));
    assert_eq!((blank.get(1, 9), drawn.get(1, 9)), (Some(WHITE), Some(RED)));
    // The same again from the record alone, which draws the page anew.
    let mut replay = crate::cli::program();
    replay.arg("run").arg("--replay").arg(&found).args(["--tasks", "sample_runs"]);
    let replayed = replay.output().unwrap();
    let said = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert!(said.contains("the same answers, calls, pictures and document"), "{replayed:?}");
    // Whoever scores it needs no browser.
    let mut score = crate::cli::program();
    score.env("PENTIMENTO_CHROMIUM", "/no/such/browser");
    score.args(["score", folder.to_str().unwrap(), "--tasks", "sample_runs", "--json"]);
    let scores = score.output().unwrap();
    let scores: serde_json::Value = serde_json::from_slice(&scores.stdout).unwrap();
    let text = scores.to_string();
    assert!(text.contains("ssim/uniform7"), "{text}");
    let ssim = value_of(&scores, "ssim/uniform7").unwrap();
    assert!(ssim > 0.0 && ssim < 0.9, "{ssim}");
    assert_eq!(value_of(&scores, "component/canvas"), None, "a page has no nodes");
}

#[test]
fn without_a_browser_nothing_is_asked() {
    let (dir, server) = (tempfile::tempdir().unwrap(), Server::answering(&[says("<html>")]));
    let output = run_code(&server, dir.path(), Some("/no/such/browser"));
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("needs Chromium or Chrome"), "{said}");
    assert!(server.asked().is_empty());
}

/// The only run in a folder.
fn walk(dir: &Path) -> PathBuf {
    let mut dir = dir.to_owned();
    while !dir.join("run.json").exists() {
        dir = std::fs::read_dir(&dir).unwrap().next().unwrap().unwrap().path();
    }
    dir
}

/// The value of a variant, wherever it stands.
fn value_of(json: &serde_json::Value, id: &str) -> Option<f64> {
    match json {
        serde_json::Value::Array(items) => items.iter().find_map(|item| value_of(item, id)),
        serde_json::Value::Object(fields) if fields.get("id").is_some_and(|it| it == id) => {
            fields["value"].as_f64()
        }
        serde_json::Value::Object(fields) => fields.values().find_map(|item| value_of(item, id)),
        _ => None,
    }
}
