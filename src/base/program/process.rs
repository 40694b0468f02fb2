//! A program that is talked to line by line.
//!
//! Three threads keep anything the program does from stopping whoever asks it: one writes what it is told,
//! one reads what it says, one keeps the end of what it complains. The program leads a process group
//! of its own, so that what it started ends with it.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use serde::de::DeserializeOwned;

use crate::base::CancelToken;

use super::error::{AskError, LineProgramError};
use super::words::CommandWords;

/// How often whoever waits looks whether it was stopped.
const TICK: Duration = Duration::from_millis(20);
/// How long a program may take to end when there is nothing more to say, and how long is waited for
/// its last words.
const GRACE: Duration = Duration::from_millis(500);
/// Bytes that are kept of a line of stderr.
const KEPT_BYTES: usize = 500;
/// Blank lines that are passed over before a program is asked.
const MOST_BLANK: usize = 64;
/// How much of a bad line is shown, in characters.
const SHOWN_CHARS: usize = 120;

/// How much of what a program writes is taken.
#[derive(Clone, Copy, Debug)]
pub struct LineLimits {
    /// The longest line of its stdout, in bytes.
    pub line_bytes: usize,
    /// The last lines of its stderr that are kept, of at most 500 bytes each.
    pub stderr_lines: usize,
}

/// What is heard of a program.
#[derive(Debug)]
enum Heard {
    Line(Vec<u8>),
    TooLong,
    /// Its stdout is closed or cannot be read.
    Silent,
    /// It cannot be written to.
    Deaf(io::Error),
}

/// A running program, which is told lines and answers with lines. It is ended with the value.
#[derive(Debug)]
pub struct LineProgram {
    child: Child,
    /// It was ended and reaped: its number may be another's by now.
    is_reaped: bool,
    line_bytes: usize,
    /// Dropped to close its stdin.
    outbox: Option<Sender<Vec<u8>>>,
    heard: Receiver<Heard>,
    complaints: Arc<Mutex<VecDeque<String>>>,
    complaining: Option<JoinHandle<()>>,
}

impl LineProgram {
    /// Starts the program in a folder, the current one if the path is empty, with the current environment.
    ///
    /// # Errors
    ///
    /// [`LineProgramError::Start`].
    pub fn start(
        words: &CommandWords,
        folder: &Path,
        limits: LineLimits,
    ) -> Result<Self, LineProgramError> {
        Self::spawn(words, folder, limits).map_err(|source| LineProgramError::Start {
            source,
            program: words.program().to_owned(),
        })
    }

    fn spawn(words: &CommandWords, folder: &Path, limits: LineLimits) -> io::Result<Self> {
        let mut command = if folder.as_os_str().is_empty() {
            Command::new(words.program())
        } else {
            // Whole, as a path to the program would be taken from the one folder or the other.
            let folder = std::path::absolute(folder)?;
            let mut command = Command::new(words.program_in(&folder));
            command.current_dir(folder);
            command
        };
        command.args(words.arguments());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        // A group of its own: what it starts can be ended with it, and a Ctrl-C in the terminal
        // reaches us alone.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        // Of two each: one message is under way, and one more must not make either side wait.
        let (outbox, lines) = bounded(2);
        let (say, heard) = bounded(2);
        let complaints = Arc::default();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Self {
            child,
            is_reaped: false,
            line_bytes: limits.line_bytes,
            outbox: Some(outbox),
            heard,
            complaints: Arc::clone(&complaints),
            complaining: None,
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let deaf = say.clone();
            thread("program-stdin", move || write_lines(stdin, &lines, &deaf))?;
            thread("program-stdout", move || read_lines(stdout, limits.line_bytes, &say))?;
            let complaining = thread("program-stderr", move || {
                keep_complaints(stderr, limits.stderr_lines, &complaints);
            })?;
            process.complaining = Some(complaining);
        }
        Ok(process)
    }

    /// Tells the program a line, which goes without its end, and waits for one that is not blank.
    ///
    /// # Errors
    ///
    /// [`AskError`]: what the program may still write is no answer to anything, and it wants to be ended.
    pub fn ask(
        &mut self,
        line: Vec<u8>,
        timeout: Duration,
        cancel: &CancelToken,
    ) -> Result<Vec<u8>, AskError> {
        self.send(line)?;
        self.hear(timeout, cancel)
    }

    fn send(&self, line: Vec<u8>) -> Result<(), LineProgramError> {
        let sent = self.outbox.as_ref().is_some_and(|outbox| outbox.try_send(line).is_ok());
        // The thread that writes is still at it, though the program has answered since, or gave up.
        if sent { Ok(()) } else { Err(self.gone().unwrap_or(LineProgramError::NotReading)) }
    }

    /// Checks that the program wrote nothing since its last answer and is still there. What it writes later than this
    /// is not seen.
    ///
    /// # Errors
    ///
    /// [`LineProgramError::Unasked`], or why the program cannot be asked any more.
    pub fn check_silence(&self) -> Result<(), LineProgramError> {
        // Behind a blank line another may wait. Not for ever: a program may write blank lines without end.
        for heard in self.heard.try_iter().take(MOST_BLANK) {
            match heard {
                Heard::Line(line) if line.trim_ascii().is_empty() => {}
                Heard::Line(line) => {
                    return Err(LineProgramError::Unasked { line: beginning(&line) });
                }
                Heard::TooLong => return Err(LineProgramError::TooLong(self.line_bytes)),
                Heard::Silent => {
                    return Err(self.gone().unwrap_or(LineProgramError::ClosedStdout));
                }
                Heard::Deaf(source) => {
                    let closed = LineProgramError::ClosedStdin { source };
                    return Err(self.gone().unwrap_or(closed));
                }
            }
        }
        Ok(())
    }

    /// A line of the program as the message that it is.
    ///
    /// # Errors
    ///
    /// [`LineProgramError::Garbage`].
    pub fn parse<T: DeserializeOwned>(&self, line: &[u8]) -> Result<T, LineProgramError> {
        serde_json::from_slice(line).map_err(|error| LineProgramError::Garbage {
            what: error.to_string(),
            line: beginning(line),
            stderr: self.last_words(),
        })
    }

    fn hear(&mut self, timeout: Duration, cancel: &CancelToken) -> Result<Vec<u8>, AskError> {
        let began = Instant::now();
        let mut gone_since = None;
        loop {
            // Looked at every 20 ms, as a pipe cannot be waited for together with a token.
            cancel.check()?;
            match self.heard.recv_timeout(TICK) {
                Ok(Heard::Line(line)) if line.trim_ascii().is_empty() => {}
                Ok(Heard::Line(line)) => return Ok(line),
                Ok(Heard::TooLong) => return Err(LineProgramError::TooLong(self.line_bytes).into()),
                // It ended, or closed its stdin all by itself.
                Ok(Heard::Deaf(source)) => {
                    return Err(self
                        .gone()
                        .unwrap_or(LineProgramError::ClosedStdin { source })
                        .into());
                }
                Ok(Heard::Silent) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.gone().unwrap_or(LineProgramError::ClosedStdout).into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if began.elapsed() >= timeout {
                let stderr = self.last_words();
                return Err(LineProgramError::NoAnswer { timeout, stderr }.into());
            }
            // Something it started may hold its stdout open.
            if self.has_exited() && gone_since.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                return Err(self.gone().unwrap_or(LineProgramError::ClosedStdout).into());
            }
        }
    }

    /// That the program ended, if it does so within the grace.
    fn gone(&self) -> Option<LineProgramError> {
        // A pipe that closes comes a moment before the exit: the exit code says more than the pipe.
        let ended = self.wait(GRACE);
        ended.then(|| LineProgramError::Ended { status: self.status(), stderr: self.last_words() })
    }

    /// Whether the program ends within this time.
    fn wait(&self, time: Duration) -> bool {
        let began = Instant::now();
        while !self.has_exited() {
            if began.elapsed() >= time {
                return false;
            }
            std::thread::sleep(TICK / 4);
        }
        true
    }

    /// The end of what the program wrote to stderr.
    fn last_words(&self) -> String {
        let began = Instant::now();
        // What it complained of before it ended may still be in the pipe.
        while self.has_exited()
            && self.complaining.as_ref().is_some_and(|thread| !thread.is_finished())
            && began.elapsed() < GRACE
        {
            std::thread::sleep(TICK / 4);
        }
        let kept = self.complaints.lock();
        kept.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Whether the program ended. It is not reaped, so that its number stays its own until the group
    /// is ended too.
    #[cfg(unix)]
    fn has_exited(&self) -> bool {
        self.is_reaped || self.waited().is_some()
    }

    #[cfg(unix)]
    fn waited(&self) -> Option<rustix::process::WaitIdStatus> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok().flatten()
    }

    #[cfg(unix)]
    fn status(&self) -> String {
        let Some(status) = self.waited() else { return "it is not known how".to_owned() };
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => "it is not known how".to_owned(),
        }
    }

    #[cfg(not(unix))]
    fn has_exited(&self) -> bool {
        self.is_reaped || self.complaining.as_ref().is_none_or(JoinHandle::is_finished)
    }

    #[cfg(not(unix))]
    fn status(&self) -> String {
        "it is not known how".to_owned()
    }

    /// Ends the program and what it started, at once.
    pub fn kill(&mut self) {
        self.outbox = None;
        if self.is_reaped {
            return;
        }
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // There is none any more if all of it has ended.
            // The group before the child is reaped: after that its number may be another's.
            kill_process_group(Pid::from_child(&self.child), Signal::KILL).ok();
        }
        self.child.kill().ok();
        self.child.wait().ok();
        self.is_reaped = true;
    }
}

impl Drop for LineProgram {
    /// Closes the program's stdin, which tells it to end, and ends it if it does not.
    fn drop(&mut self) {
        self.outbox = None;
        self.wait(GRACE);
        self.kill();
    }
}

/// How a line begins, for people.
fn beginning(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(SHOWN_CHARS).collect()
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Writes lines until there are no more, and closes the program's stdin.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, deaf: &Sender<Heard>) {
    for mut line in lines {
        line.push(b'\n');
        if let Err(error) = stdin.write_all(&line).and_then(|()| stdin.flush()) {
            // If nobody listens any more, nobody needs to know.
            deaf.send(Heard::Deaf(error)).ok();
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, line_bytes: usize, say: &Sender<Heard>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let heard = match read_line(&mut stdout, line_bytes) {
            // One byte over the limit is read, which tells a line at the limit from a longer one.
            Ok(Some(line)) if line.len() > line_bytes => Heard::TooLong,
            Ok(Some(line)) => Heard::Line(line),
            Ok(None) | Err(_) => Heard::Silent,
        };
        let is_last = !matches!(heard, Heard::Line(_));
        if say.send(heard).is_err() || is_last {
            return;
        }
    }
}

/// A line without its end, cut after `limit` + 1 bytes; `None` at the end.
fn read_line(from: &mut impl BufRead, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = from.take(limit as u64 + 1).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Ok((read > 0).then_some(line))
}

/// Keeps the last lines, long ones in pieces.
fn keep_complaints(stderr: ChildStderr, most_lines: usize, kept: &Mutex<VecDeque<String>>) {
    let mut stderr = BufReader::new(stderr);
    while let Ok(Some(line)) = read_line(&mut stderr, KEPT_BYTES) {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        let mut kept = kept.lock();
        // The end of it is what explains a failure; beginnings are banners and warnings.
        kept.push_back(text);
        if kept.len() > most_lines {
            kept.pop_front();
        }
    }
}
