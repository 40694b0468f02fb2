//! What the user says of a metric of one's own.

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::base::{CommandError, CommandWords};
use crate::metric::Direction;

/// How long a program may take for a pair, unless told otherwise.
const PAIR_SECS: u64 = 60;
/// Longest name, in characters.
const NAME_CHARS: usize = 48;
/// What the name of a metric is whose program has none.
const NAMELESS: &str = "program";

/// A metric of one's own: which program, and how its numbers are read.
///
/// As a text, on the command line and in [`Display`](fmt::Display), it is the command with any of
/// `name=NAME better=lower range=LOW..HIGH seconds=N` before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSettings {
    /// The program and its arguments ([`CommandWords::split`]).
    pub command: String,
    /// What the metric is called; `None`: as the script or the program.
    #[serde(default)]
    pub name: Option<String>,
    /// Which way is better.
    #[serde(default)]
    pub better: Direction,
    /// The smallest and the largest value there can be; `None`: there is no such bound.
    #[serde(default)]
    pub range: [Option<f64>; 2],
    /// How long it may take for a pair; `None`: a minute.
    #[serde(default)]
    pub seconds: Option<NonZeroU32>,
    /// In which folder it is started; `None`: the current one. In a file of models it is as seen from the file's
    /// folder, and that one if it is not said.
    #[serde(default)]
    pub folder: Option<PathBuf>,
}

/// Why a metric of one's own cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramSettingsError {
    /// The command cannot be split.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// It is said what is no direction.
    #[error("better= must be higher or lower, not {0:?}")]
    Better(String),
    /// It is said what is no range.
    #[error("range= must be LOW..HIGH, two numbers of which one may be left out, not {0:?}")]
    Range(String),
    /// It is said what is no time.
    #[error("seconds= must be a whole number above 0, not {0:?}")]
    Seconds(String),
}

impl ProgramSettings {
    /// The words of the command, if all that is said can be.
    ///
    /// # Errors
    ///
    /// [`ProgramSettingsError`].
    pub fn words(&self) -> Result<CommandWords, ProgramSettingsError> {
        let (low, high) = self.bounds();
        let is_range = low < high;
        if !is_range {
            return Err(ProgramSettingsError::Range(format!("{low}..{high}")));
        }
        Ok(CommandWords::split(&self.command)?)
    }

    /// The smallest and the largest value there can be; infinite where there is no bound.
    pub fn bounds(&self) -> (f64, f64) {
        let [low, high] = self.range;
        (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
    }

    /// How long the program may take for a pair.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.seconds.map_or(PAIR_SECS, |seconds| u64::from(seconds.get())))
    }

    /// What the metric is called, as it stands in the variant's id: small letters, digits, `_`, `-` and `.`.
    pub fn metric_name(&self) -> String {
        let folder = self.folder.clone().unwrap_or_default();
        let words = CommandWords::split(&self.command).ok();
        let name = self.name.clone().or_else(|| words?.name(&folder)).unwrap_or_default();
        let name = in_id(&name);
        if name.is_empty() { NAMELESS.to_owned() } else { name }
    }

    /// Takes an option such as `better=lower`; whether it is one.
    fn take(&mut self, word: &str) -> Result<bool, ProgramSettingsError> {
        let Some((option, value)) = word.split_once('=') else { return Ok(false) };
        match option {
            "name" => self.name = Some(in_id(value)),
            "better" => self.better = direction(value)?,
            "range" => {
                let range = range(value);
                self.range = range.ok_or_else(|| ProgramSettingsError::Range(value.to_owned()))?;
            }
            "seconds" => {
                let seconds = value.parse::<NonZeroU32>();
                let seconds =
                    seconds.map_err(|_none| ProgramSettingsError::Seconds(value.to_owned()))?;
                self.seconds = Some(seconds);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl FromStr for ProgramSettings {
    type Err = ProgramSettingsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut settings = Self::default();
        let mut rest = text.trim();
        // Up to the first word that is no option: what follows is the command's, whatever it looks like.
        while let Some(word) = rest.split_whitespace().next() {
            if !settings.take(word)? {
                break;
            }
            rest = rest.get(word.len()..).unwrap_or_default().trim_start();
        }
        rest.clone_into(&mut settings.command);
        settings.words()?;
        Ok(settings)
    }
}

impl fmt::Display for ProgramSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "name={} ", in_id(name))?;
        }
        if self.better == Direction::LowerIsBetter {
            f.write_str("better=lower ")?;
        }
        if self.range != [None, None] {
            let [low, high] =
                self.range.map(|bound| bound.map(|it| it.to_string()).unwrap_or_default());
            write!(f, "range={low}..{high} ")?;
        }
        if let Some(seconds) = self.seconds {
            write!(f, "seconds={seconds} ")?;
        }
        f.write_str(&self.command)
    }
}

fn direction(text: &str) -> Result<Direction, ProgramSettingsError> {
    match text {
        "higher" => Ok(Direction::HigherIsBetter),
        "lower" => Ok(Direction::LowerIsBetter),
        _ => Err(ProgramSettingsError::Better(text.to_owned())),
    }
}

/// `LOW..HIGH`, where both may be left out; `None` if it is something else.
fn range(text: &str) -> Option<[Option<f64>; 2]> {
    let (low, high) = text.split_once("..")?;
    let mut range = [None, None];
    for (bound, text) in range.iter_mut().zip([low, high]).filter(|(_, text)| !text.is_empty()) {
        // `inf` and `nan` are numbers to the parser; a bound that is left out says the first better.
        *bound = Some(text.parse().ok().filter(|number: &f64| number.is_finite())?);
    }
    Some(range)
}

/// A name as it can stand in an id, a filter and a list of columns.
fn in_id(name: &str) -> String {
    let name: String = name.to_lowercase().chars().take(NAME_CHARS).collect();
    name.replace(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'), "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_before_the_command() {
        let text = " name=My/Metric better=lower  range=0..255 seconds=5 python3 a.py name=b";
        let settings: ProgramSettings = text.parse().unwrap();
        assert_eq!(settings.command, "python3 a.py name=b");
        assert_eq!(settings.metric_name(), "my-metric");
        assert_eq!(settings.better, Direction::LowerIsBetter);
        assert_eq!(settings.bounds(), (0.0, 255.0));
        assert_eq!(settings.timeout(), Duration::from_secs(5));
        let shown = "name=my-metric better=lower range=0..255 seconds=5 python3 a.py name=b";
        assert_eq!(settings.to_string(), shown);
        let plain: ProgramSettings = "better=higher range=..1 /bin/mean".parse().unwrap();
        assert_eq!(plain.bounds(), (f64::NEG_INFINITY, 1.0));
        assert_eq!(
            (plain.metric_name(), plain.to_string()),
            ("mean".into(), "range=..1 /bin/mean".into())
        );
        assert_eq!(plain.timeout(), Duration::from_mins(1));
    }

    #[test]
    fn what_cannot_be_is_said_with_what_could() {
        for (text, words) in [
            ("", "the command is empty"),
            ("better=lower", "the command is empty"),
            ("better=less a", "must be higher or lower, not \"less\""),
            ("range=1 a", "must be LOW..HIGH"),
            ("range=1..0 a", "must be LOW..HIGH"),
            ("range=0..0 a", "must be LOW..HIGH"),
            ("range=nan.. a", "must be LOW..HIGH"),
            ("seconds=0 a", "above 0, not \"0\""),
            ("a 'b", "not closed"),
        ] {
            let error = text.parse::<ProgramSettings>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_of_models_may_leave_out_all_but_the_command() {
        let settings: ProgramSettings =
            serde_json::from_str(r#"{"command": "a", "range": [0, null]}"#).unwrap();
        assert_eq!(settings.bounds(), (0.0, f64::INFINITY));
        assert_eq!(settings.better, Direction::HigherIsBetter);
        assert!(serde_json::from_str::<ProgramSettings>(r#"{"command": "a", "low": 0}"#).is_err());
        assert!(serde_json::from_str::<ProgramSettings>("{}").is_err());
        let odd = ProgramSettings { name: Some("///".to_owned()), ..settings.clone() };
        assert_eq!(odd.metric_name(), "---");
        let nameless = ProgramSettings { name: Some(String::new()), ..settings };
        assert_eq!(nameless.metric_name(), "program");
    }

    proptest::proptest! {
        #[test]
        fn what_is_read_is_written_so_that_it_is_read_alike(
            text in "(name=[a-zA-Z/]{0,4} )?(better=(higher|lower) )?(range=-?[0-9]{0,3}\\.\\.[0-9]{0,3} )?\\PC{0,12}"
        ) {
            if let Ok(settings) = text.parse::<ProgramSettings>() {
                assert_eq!(settings.to_string().parse(), Ok(settings));
            }
        }
    }
}
