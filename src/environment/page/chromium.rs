//! The browser on this machine, asked for a screenshot.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::base::{CancelToken, Pixels, private_folder, read_file_limited};

use super::renderer::{PageError, PageRenderer, TIMEOUT};

/// What the frame with the page may load: what is in the page itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
/// Browsers of Chromium's kind, by the names that systems give them.
const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
];
/// Where installers put it that change no PATH.
const PLACES: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];
/// How long it may take to say its version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(10);
/// How often is looked whether the browser has ended.
const TICK: Duration = Duration::from_millis(10);
/// How much of what the browser complains is kept, in bytes.
const KEPT_BYTES: u64 = 64 << 10;

/// Where a browser is looked for. By default, only where installers put one that change no PATH.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BrowserSearch {
    /// The browser that was asked for: a path, or a name in one of the folders.
    pub named: Option<OsString>,
    /// The folders of programs, in order.
    pub folders: Vec<PathBuf>,
}

/// A browser of Chromium's kind, without a window.
///
/// A page is drawn with an empty profile in a folder of its own, which goes when it is drawn; the
/// page itself can run nothing and load nothing. The browser's own sandbox stays on, but for the
/// user `root`, with whom it does not start.
#[derive(Debug)]
pub struct Chromium {
    path: PathBuf,
    version: OnceLock<String>,
}

impl Chromium {
    /// The browser that the search names, or else the first that it finds.
    pub fn find(search: &BrowserSearch) -> Result<Self, PageError> {
        // Whoever names one means that one: no other is taken in its place.
        let path = match &search.named {
            Some(name) => search.file(Path::new(name)),
            None => NAMES.iter().chain(&PLACES).find_map(|name| search.file(Path::new(name))),
        };
        Ok(Self::at(path.ok_or(PageError::NoBrowser)?))
    }

    /// The browser at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), version: OnceLock::new() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says of itself, such as `Chromium 130.0.6723.91`; its file's name if it says nothing.
    fn version(&self) -> String {
        let said = self.said_version();
        let line = said.as_deref().and_then(|said| said.lines().next()).unwrap_or_default();
        // Name and number; what follows is the system's.
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        if !words.is_empty() {
            return words.join(" ");
        }
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn said_version(&self) -> Option<String> {
        let mut command = Command::new(&self.path);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut browser = Browser::start(&mut command).ok()?;
        // A line fits the pipe: nobody has to read while it is written.
        browser.wait(VERSION_TIMEOUT, &CancelToken::default()).ok()?;
        let mut said = String::new();
        browser.child.stdout.take()?.take(KEPT_BYTES).read_to_string(&mut said).ok()?;
        Some(said)
    }

    fn screenshot(
        &self,
        folder: &Path,
        (width, height): (u32, u32),
        cancel: &CancelToken,
    ) -> Result<Pixels, PageError> {
        let complaints = folder.join("complaints.txt");
        self.start(folder, &complaints, width, height)?.wait(TIMEOUT, cancel)?;
        let picture = folder.join("page.png");
        // It ends with success also where it drew nothing; what it complained says why.
        if !picture.is_file() {
            return Err(PageError::NoPicture(last_words(&complaints)));
        }
        Ok(Pixels::open(&picture)?)
    }

    fn start(
        &self,
        folder: &Path,
        complaints: &Path,
        width: u32,
        height: u32,
    ) -> Result<Browser, PageError> {
        // Into a file: a pipe that nobody reads would stop it once it is full.
        let stderr = File::create(complaints).map_err(PageError::Files)?;
        let mut command = Command::new(&self.path);
        command.args(["--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--force-device-scale-factor=1", "--disable-extensions", "--disable-sync"]);
        command.args(["--force-color-profile=srgb", "--disable-background-networking"]);
        // The frame with the page is drawn by the process of the document around it: of a frame in
        // a process of its own the screenshot does not wait for the first picture, and on a busy
        // machine shows white in its place.
        command.arg("--disable-features=IsolateSandboxedIframes");
        // Not even names are asked for.
        command.arg("--host-resolver-rules=MAP * ~NOTFOUND");
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.arg(format!("--window-size={width},{height}"));
        command.arg(option("--user-data-dir=", &folder.join("profile")));
        command.arg(option("--screenshot=", &folder.join("page.png")));
        command.arg(folder.join("page.html"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        Browser::start(&mut command)
            .map_err(|source| PageError::Start { source, path: self.path.clone() })
    }
}

impl PageRenderer for Chromium {
    fn name(&self) -> String {
        self.version.get_or_init(|| self.version()).clone()
    }

    fn render(
        &self,
        html: &str,
        (width, height): (u32, u32),
        cancel: &CancelToken,
    ) -> Result<Pixels, PageError> {
        let folder = private_folder().map_err(PageError::Files)?;
        let page = folder.path().join("page.html");
        std::fs::write(page, framed(html, width, height)).map_err(PageError::Files)?;
        let pixels = self.screenshot(folder.path(), (width, height), cancel)?;
        // A browser that scales by the screen's factor would else be compared pixel by pixel.
        if (pixels.width(), pixels.height()) == (width, height) {
            return Ok(pixels);
        }
        let (wide, high) = (pixels.width(), pixels.height());
        Err(PageError::NoPicture(format!("its picture is {wide} × {high}, not {width} × {height}")))
    }
}

/// A document that shows `html` in a frame of this size, in CSS pixels.
///
/// The frame is sandboxed and inherits the outer document's policy: no script runs, nothing is
/// loaded but what the page carries as `data:` URLs, and it leads nowhere else (`meta refresh`,
/// links and forms included).
fn framed(html: &str, width: u32, height: u32) -> String {
    // All that ends an attribute's value.
    let inside = html.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <style>html,body{{margin:0;background:#fff;overflow:hidden}}\
         iframe{{display:block;border:0;width:{width}px;height:{height}px}}</style></head>\
         <body><iframe sandbox scrolling=\"no\" srcdoc=\"{inside}\"></iframe></body></html>"
    )
}

/// An option with a path, whatever its bytes are.
fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

/// A browser that was started, in a process group of its own. When it is dropped, whatever is left
/// of it and of what it started is ended.
#[derive(Debug)]
struct Browser {
    child: Child,
    has_ended: bool,
}

impl Browser {
    fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        // It starts processes of its own, which are ended together.
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Self { child: command.spawn()?, has_ended: false })
    }

    /// Waits for its end, no longer than that and not once the work is cancelled.
    fn wait(&mut self, timeout: Duration, cancel: &CancelToken) -> Result<(), PageError> {
        let began = Instant::now();
        loop {
            if self.child.try_wait().map_err(PageError::Files)?.is_some() {
                self.has_ended = true;
                return Ok(());
            }
            // After the look at its end: what has ended is not thrown away.
            cancel.check()?;
            if began.elapsed() >= timeout {
                return Err(PageError::TimedOut);
            }
            std::thread::sleep(TICK);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The number of a group whose leader was waited for may be another's by now.
        if self.has_ended {
            return;
        }
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The last line that the browser complained, as far as it says something of an error.
fn last_words(complaints: &Path) -> String {
    let said = read_file_limited(complaints, KEPT_BYTES).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let line = said.lines().rev().find(|line| !line.trim().is_empty());
    line.map_or_else(|| "it said nothing".to_owned(), |line| line.chars().take(300).collect())
}

impl BrowserSearch {
    /// The file of this name, as it is or in one of the folders.
    fn file(&self, name: &Path) -> Option<PathBuf> {
        // A path is a path; a bare name is looked for among the programs.
        if name.components().count() > 1 {
            return name.is_file().then(|| name.to_owned());
        }
        self.folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_end_the_attribute_that_holds_it() {
        let framed = framed("<p title=\"a\">&quot;></iframe><script>", 10, 20);
        assert!(framed.contains("srcdoc=\"<p title=&quot;a&quot;>&amp;quot;></iframe><script>\""));
        assert!(framed.contains("width:10px;height:20px"));
    }
}
