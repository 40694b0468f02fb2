//! A metric that is a program: JSON lines on its stdin and stdout.
//!
//! The program is started with the first pair and asked about one pair after the other. It reads a line
//! ([`PairQuestion`]) and writes a line ([`PairAnswer`]):
//!
//! ```text
//! → {"protocol": 1, "ground_truth": {"width": …, "height": …, "path": …}, "generated": {…}, "instruction": …}
//! ← {"value": 0.83}
//! ```
//!
//! or `{"missing": "why"}` where the pair has no value, or `{"error": "why"}` where it has none this time. The
//! schema of every line is in `assets/schema/metric-protocol.schema.json`. What direction and range the numbers have
//! is not asked of the program, as tables need it before the first pair: [`ProgramSettings`] say it.
//!
//! A program that ends, takes too long or writes something else is ended with its process group, and that is why the
//! pair has no score; the next pair starts it anew, unless that went wrong [`MOST_FAILURES`] times in a row. A program
//! that answered before and then is gone, as one that only takes a single line, is started again for the same pair.
//! One that was edited is started anew, too, so that what is remembered under the hash of its files was said by them.
//! At the end stdin closes; half a second later the program and what it started are ended.

mod files;
mod message;
mod pictures;
mod settings;

use std::path::PathBuf;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use crate::base::{
    AskError, CancelToken, CommandWords, LineLimits, LineProgram, LineProgramError, Variables,
    cut_line, one_line,
};
use crate::metric::MissingScore;
use crate::metric::program::{PairProgram, PicturePair};

pub use message::{PROTOCOL, PairAnswer, PairMessage, PairPicture, PairQuestion};
pub use settings::{ProgramSettings, ProgramSettingsError};

use files::ProgramFiles;
use pictures::{PairPictures, ShowError, ShownPicture};

/// How much of what a program writes is taken: 64 KiB, and the end of what it complains.
const LIMITS: LineLimits = LineLimits { line_bytes: 64 << 10, stderr_lines: 3 };
/// After so many failures in a row a program is asked no more.
const MOST_FAILURES: u32 = 3;
/// How much of a reason that a program gives is kept, in characters.
const WHY_CHARS: usize = 300;
/// How often whoever waits for other pairs looks whether it was stopped.
const TICK: Duration = Duration::from_millis(20);
/// What fails.
const WHAT: &str = "the metric's program";

/// A program of the user that gives a number for two pictures; shared by threads, it takes one pair after the other.
#[derive(Debug)]
pub struct MetricProgram {
    words: CommandWords,
    folder: PathBuf,
    timeout: Duration,
    files: ProgramFiles,
    pictures: PairPictures,
    talk: Mutex<Talk>,
}

/// The conversation with the program as its files are at the moment.
#[derive(Debug, Default)]
struct Talk {
    /// Of the files.
    hash: String,
    /// From the first pair on.
    process: Option<LineProgram>,
    /// In a row.
    failures: u32,
    /// The last of them.
    why: String,
}

impl MetricProgram {
    /// The program of these settings, which is not started yet. It is looked for where these variables say.
    ///
    /// # Errors
    ///
    /// [`ProgramSettingsError`]; whether there is such a program is seen when it is needed.
    pub fn new(
        settings: &ProgramSettings,
        variables: &Variables,
    ) -> Result<Self, ProgramSettingsError> {
        let words = settings.words()?;
        let folder = settings.folder.clone().unwrap_or_default();
        Ok(Self {
            files: ProgramFiles::new(&words, &folder, variables),
            words,
            folder,
            timeout: settings.timeout(),
            pictures: PairPictures::default(),
            talk: Mutex::default(),
        })
    }

    fn show(&self, pair: &PicturePair<'_>) -> Result<[ShownPicture; 2], ShowError> {
        Ok([self.pictures.show_truth(pair.ground_truth)?, self.pictures.show(pair.generated)?])
    }

    /// Waits until no other pair is asked about.
    fn talk(&self, cancel: &CancelToken) -> Result<MutexGuard<'_, Talk>, MissingScore> {
        loop {
            cancel.check()?;
            if let Some(talk) = self.talk.try_lock_for(TICK) {
                return Ok(talk);
            }
        }
    }

    fn start(&self) -> Result<LineProgram, LineProgramError> {
        LineProgram::start(&self.words, &self.folder, LIMITS)
    }

    fn ask(
        &self,
        process: &mut LineProgram,
        line: &[u8],
        cancel: &CancelToken,
    ) -> Result<PairAnswer, AskError> {
        // Taken for the answer, a line too many would be the score of another pair.
        process.check_silence()?;
        let answer = process.ask(line.to_vec(), self.timeout, cancel)?;
        Ok(process.parse(&answer)?)
    }

    /// The answer about a pair, from the program that runs or from one that is started.
    fn answer(
        &self,
        talk: &mut Talk,
        line: &[u8],
        cancel: &CancelToken,
    ) -> Result<PairAnswer, MissingScore> {
        let hash = self.files.hash();
        if talk.hash != hash {
            // Another program than the one that runs or failed.
            *talk = Talk { hash, ..Talk::default() };
        }
        if talk.failures >= MOST_FAILURES {
            let why = format!(
                "{}; after {MOST_FAILURES} failures in a row it is asked no more",
                talk.why
            );
            return Err(MissingScore::failed(WHAT, &why));
        }
        loop {
            let running = talk.process.take();
            let is_new = running.is_none();
            let started = running.map_or_else(|| self.start(), Ok);
            let mut process = started.map_err(|error| talk.failed(&error))?;
            match self.ask(&mut process, line, cancel) {
                Ok(answer) => {
                    talk.failures = 0;
                    talk.process = Some(process);
                    return Ok(answer);
                }
                // Whatever state it is in, nothing that it may still write is an answer to the next pair.
                Err(AskError::Cancelled(cancelled)) => {
                    process.kill();
                    return Err(cancelled.into());
                }
                Err(AskError::Program(error)) => {
                    process.kill();
                    // One that takes a single line is gone with every second pair, which is no fault of the pair.
                    if is_new || !error.is_end() {
                        return Err(talk.failed(&error));
                    }
                }
            }
        }
    }
}

impl Talk {
    /// Counts a failure, and says it.
    fn failed(&mut self, error: &LineProgramError) -> MissingScore {
        self.failures += 1;
        // In one line, as it stands in cells and below tables.
        self.why = one_line(&format!("it {error}"));
        MissingScore::failed(WHAT, &self.why)
    }
}

impl PairProgram for MetricProgram {
    fn fingerprint(&self) -> Option<String> {
        Some(self.files.hash())
    }

    fn value(&self, pair: &PicturePair<'_>, cancel: &CancelToken) -> Result<f64, MissingScore> {
        cancel.check()?;
        // Encoded before it is this pair's turn, so that the program need not wait for it.
        let shown = self.show(pair);
        let shown =
            shown.map_err(|error| MissingScore::failed("a picture for a program", &error))?;
        let [ground_truth, generated] = &shown;
        let question = PairQuestion {
            protocol: PROTOCOL,
            ground_truth: ground_truth.picture.clone(),
            generated: generated.picture.clone(),
            instruction: pair.instruction.map(str::to_owned),
        };
        let line = serde_json::to_vec(&question);
        let line = line.map_err(|error| MissingScore::failed("a message for a program", &error))?;
        let mut talk = self.talk(cancel)?;
        let answer = self.answer(&mut talk, &line, cancel)?;
        drop(talk);
        match answer {
            PairAnswer::Value(value) => Ok(value),
            PairAnswer::Missing(why) => Err(MissingScore::Undefined(short(&why))),
            PairAnswer::Error(why) => Err(MissingScore::failed(WHAT, &short(&why))),
        }
    }
}

/// What a program says, as it is shown.
fn short(why: &str) -> String {
    cut_line(&one_line(why), WHY_CHARS)
}
