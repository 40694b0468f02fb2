//! Links to what is looked at: `run:PATH@17?compare=gt&view=swipe&heat=ssim/uniform7&tab=scores`, or `run:PATH@12-30`
//! with a range of steps.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::metric::MapKind;

use super::nodes::InspectorTab;
use super::selection::StepRange;
use super::stage::{MOST_SLOTS, SLOT_NAMES, SavedSlot, SlotLock, StageView};

/// Longest link that is read, in bytes: six long paths.
const MOST_BYTES: usize = 24 << 10;
/// What every link begins with.
const SCHEME: &str = "run:";

/// A run, and how it is looked at. As a text: `run:PATH`, then `@STEP` or `@FIRST-LAST`, then `?` with `compare=gt` or
/// the letter of a picture beside it, `view`, `heat`, `tab`, a `with` for each picture beside it (`run:PATH`,
/// `run:PATH@STEP` or `start`), `follow` and, where there is a range, `step` joined by `&`; in the paths and the heat,
/// all but letters, digits and `-._~/` are percent-encoded. Opening one opens folders to look at them, and does nothing
/// else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The folder of the run.
    pub run: PathBuf,
    /// The step; `None`: the first of the range, or else the last one.
    pub step: Option<u32>,
    /// The steps that are marked.
    pub range: Option<StepRange>,
    /// How the run and its ground truth are laid out.
    pub view: Option<StageView>,
    /// What the heat shows; `None`: what it shows wherever the link is opened.
    pub heat: Option<LinkedHeat>,
    /// What the inspector shows.
    pub tab: Option<InspectorTab>,
    /// What stands beside the run: other runs, or the start of its task.
    pub beside: Vec<SavedSlot>,
    /// Which of it the run is compared with; `None`: the ground truth.
    pub against: Option<u8>,
    /// By what other runs follow.
    pub follow: Option<SlotLock>,
}

/// What the heat shows, as a link says: `VARIANT`, or of a variant with several maps `VARIANT:run` or
/// `VARIANT:truth`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedHeat {
    /// Id of the variant; one that is not known where the link is opened is passed over.
    pub variant: String,
    /// Which of its maps.
    pub map: MapKind,
}

/// Why a text is no link that is opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It is of another kind.
    #[error("a link begins with run: and the folder of a run")]
    OtherScheme,
    /// It is too long.
    #[error("the link is longer than {MOST_BYTES} bytes")]
    TooLong,
    /// There is no path, or one that no link names.
    #[error("the link names no folder on this machine: {0}")]
    BadPath(&'static str),
    /// The step is none.
    #[error("{0:?} is no step: write a number behind the @, or two as in 12-30")]
    BadStep(String),
    /// Something behind the `?` that nobody knows.
    #[error(
        "{0:?} is not known: there are compare=…, view=…, heat=…, tab=…, with=…, follow=… and step=…"
    )]
    UnknownPart(String),
    /// A value that nobody knows.
    #[error("{value:?} is no {name}: there are {known}")]
    UnknownValue {
        /// Of what.
        name: &'static str,
        /// What was said.
        value: String,
        /// What could have been.
        known: String,
    },
    /// The heat is none.
    #[error("{0:?} is no heat: write the id of a metric's variant")]
    BadHeat(String),
    /// It puts beside the run what no link does.
    #[error("{0:?} does not stand beside a run: write with=run: and a folder, or with=start")]
    BadSlot(String),
    /// It puts too much there.
    #[error("the link puts more than {MOST_SLOTS} pictures beside the run")]
    TooManySlots,
    /// The same thing is said twice.
    #[error("{0} is said twice")]
    Twice(&'static str),
}

const VIEWS: [(&str, StageView); 5] = [
    ("side", StageView::SideBySide),
    ("swipe", StageView::Swipe),
    ("onion", StageView::OnionSkin),
    ("difference", StageView::Difference),
    ("blink", StageView::Blink),
];

const FOLLOWS: [(&str, SlotLock); 4] = [
    ("step", SlotLock::Step),
    ("turn", SlotLock::Turn),
    ("progress", SlotLock::Progress),
    ("alignment", SlotLock::Alignment),
];

/// What stands beside a run where that is no other run.
const START: &str = "start";
/// What the run is compared with where that is the ground truth.
const TRUTH: &str = "gt";

/// The maps of one side; the difference is what a variant's map is without a word for it.
const MAPS: [(&str, MapKind); 2] = [("run", MapKind::Generated), ("truth", MapKind::GroundTruth)];

const TABS: [(&str, InspectorTab); 8] = [
    ("step", InspectorTab::Step),
    ("nodes", InspectorTab::Nodes),
    ("scores", InspectorTab::Scores),
    ("plan", InspectorTab::Plan),
    ("query", InspectorTab::Query),
    ("what-if", InspectorTab::WhatIf),
    ("runs", InspectorTab::Runs),
    ("labels", InspectorTab::Labels),
];

impl FromStr for Link {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        if text.len() > MOST_BYTES {
            return Err(LinkError::TooLong);
        }
        let rest = text.trim().strip_prefix(SCHEME).ok_or(LinkError::OtherScheme)?;
        let (place, parts) = rest.split_once('?').unwrap_or((rest, ""));
        // The last one: a path may have one of its own, though not as we write it.
        let (path, step) = match place.rsplit_once('@') {
            Some((path, step)) => (path, Some(step)),
            None => (place, None),
        };
        let mut link = Self::at(path_of(path)?);
        match step.map(|step| (step, step.split_once('-'))) {
            Some((_, Some((first, last)))) => {
                let (first, last) = (number(first)?, number(last)?);
                if first > last {
                    return Err(LinkError::BadStep(format!("{first}-{last}")));
                }
                link.range = Some(StepRange { first, last });
            }
            Some((step, None)) => link.step = Some(number(step)?),
            None => {}
        }
        let mut compared = None;
        for part in parts.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match name {
                "compare" if compared.is_some() => return Err(LinkError::Twice("compare")),
                "compare" => compared = Some(value),
                "view" if link.view.is_some() => return Err(LinkError::Twice("view")),
                "view" => link.view = Some(known("view", value, &VIEWS)?),
                "heat" if link.heat.is_some() => return Err(LinkError::Twice("heat")),
                "heat" => link.heat = Some(heat_of(value)?),
                "step" if link.step.is_some() => return Err(LinkError::Twice("step")),
                "step" => link.step = Some(number(value)?),
                "tab" if link.tab.is_some() => return Err(LinkError::Twice("tab")),
                "tab" => link.tab = Some(known("tab", value, &TABS)?),
                "with" if link.beside.len() >= MOST_SLOTS => return Err(LinkError::TooManySlots),
                "with" => link.beside.push(slot_of(value)?),
                "follow" if link.follow.is_some() => return Err(LinkError::Twice("follow")),
                "follow" => link.follow = Some(known("follow", value, &FOLLOWS)?),
                _ => return Err(LinkError::UnknownPart(name.to_owned())),
            }
        }
        // Behind all of them: a letter stands for what is beside the run.
        if let Some(value) = compared {
            let beside = (0..).zip(SLOT_NAMES).take(link.beside.len());
            let letters = beside.map(|(at, letter)| (letter, Some(at)));
            let all: Vec<(&str, Option<u8>)> = [(TRUTH, None)].into_iter().chain(letters).collect();
            link.against = known("compare", value, &all)?;
        }
        Ok(link)
    }
}

/// What a link puts beside the run.
fn slot_of(value: &str) -> Result<SavedSlot, LinkError> {
    if value == START {
        return Ok(SavedSlot::Start);
    }
    let place = value.strip_prefix(SCHEME);
    let place = place.ok_or_else(|| LinkError::BadSlot(value.to_owned()))?;
    let (path, pinned) = match place.rsplit_once('@') {
        Some((path, step)) => (path, Some(number(step)?)),
        None => (place, None),
    };
    Ok(SavedSlot::Run { dir: path_of(path)?, pinned })
}

fn number(text: &str) -> Result<u32, LinkError> {
    text.parse().ok().ok_or_else(|| LinkError::BadStep(text.to_owned()))
}

fn known<T: Copy>(name: &'static str, value: &str, all: &[(&str, T)]) -> Result<T, LinkError> {
    let meant = all.iter().find(|(word, _)| *word == value).map(|(_, meant)| *meant);
    meant.ok_or_else(|| LinkError::UnknownValue {
        name,
        value: value.to_owned(),
        known: all.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", "),
    })
}

fn heat_of(value: &str) -> Result<LinkedHeat, LinkError> {
    let (variant, map) = match value.split_once(':') {
        Some((variant, map)) => (variant, known("map", map, &MAPS)?),
        None => (value, MapKind::Difference),
    };
    let decoded = decoded(variant).filter(|id| !id.is_empty() && !id.chars().any(char::is_control));
    let variant = decoded.ok_or_else(|| LinkError::BadHeat(value.to_owned()))?;
    Ok(LinkedHeat { variant, map })
}

/// The folder that a link names. One on another machine is refused: looking at it would ask that machine.
fn path_of(encoded: &str) -> Result<PathBuf, LinkError> {
    let path =
        decoded(encoded).ok_or(LinkError::BadPath("a % begins no byte, or the bytes no text"))?;
    if path.is_empty() {
        return Err(LinkError::BadPath("the path is empty"));
    }
    if path.chars().any(char::is_control) {
        return Err(LinkError::BadPath("it has control characters"));
    }
    if path.starts_with("//") || path.starts_with("\\\\") || path.contains("://") {
        return Err(LinkError::BadPath("it is an address of another one"));
    }
    Ok(PathBuf::from(path))
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit =
            |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
        bytes.push(high * 16 + low);
    }
    String::from_utf8(bytes).ok()
}

fn encoded(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let digits = [byte >> 4, byte & 15].map(|digit| char::from(HEX[usize::from(digit)]));
            encoded.extend(['%', digits[0], digits[1]]);
        }
    }
    encoded
}

impl Link {
    /// The same for a run at a path; `None` where the path is no text.
    pub fn to_run(run: &Path) -> Option<Self> {
        run.to_str()?;
        Some(Self::at(run.to_path_buf()))
    }

    fn at(run: PathBuf) -> Self {
        Self {
            run,
            step: None,
            range: None,
            view: None,
            heat: None,
            tab: None,
            beside: Vec::new(),
            against: None,
            follow: None,
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SCHEME)?;
        f.write_str(&encoded(&self.run.to_string_lossy()))?;
        match (self.range, self.step) {
            (Some(StepRange { first, last }), _) => write!(f, "@{first}-{last}")?,
            (None, Some(step)) => write!(f, "@{step}")?,
            (None, None) => {}
        }
        let mut parts: Vec<String> = Vec::new();
        let against = self.against.and_then(|at| SLOT_NAMES.get(usize::from(at)).copied());
        if self.view.is_some() || against.is_some() {
            parts.push(format!("compare={}", against.unwrap_or(TRUTH)));
        }
        let view = self.view.and_then(|view| VIEWS.iter().find(|(_, it)| *it == view));
        parts.extend(view.map(|(word, _)| format!("view={word}")));
        if let Some(LinkedHeat { variant, map }) = &self.heat {
            let map = MAPS.iter().find(|(_, it)| it == map).map(|(word, _)| format!(":{word}"));
            parts.push(format!("heat={}{}", encoded(variant), map.unwrap_or_default()));
        }
        let tab = self.tab.and_then(|tab| TABS.iter().find(|(_, it)| *it == tab));
        parts.extend(tab.map(|(word, _)| format!("tab={word}")));
        parts.extend(self.beside.iter().filter_map(|slot| match slot {
            SavedSlot::Run { dir, pinned } => {
                let step = pinned.map(|step| format!("@{step}")).unwrap_or_default();
                Some(format!("with={SCHEME}{}{step}", encoded(&dir.to_string_lossy())))
            }
            SavedSlot::Start => Some(format!("with={START}")),
            // On another machine it may be anything.
            SavedSlot::File(_) => None,
        }));
        let follow = self.follow.and_then(|lock| FOLLOWS.iter().find(|(_, it)| *it == lock));
        parts.extend(follow.map(|(word, _)| format!("follow={word}")));
        // Behind the path it would be the range.
        let step = self.step.filter(|_| self.range.is_some());
        parts.extend(step.map(|step| format!("step={step}")));
        if parts.is_empty() { Ok(()) } else { write!(f, "?{}", parts.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_was_written() {
        let link = Link {
            run: "/home/ada/my runs/ä@3?x&y%".into(),
            step: Some(17),
            range: None,
            view: Some(StageView::Swipe),
            heat: Some(LinkedHeat {
                variant: "saliency_cc/umsi++".to_owned(),
                map: MapKind::Generated,
            }),
            tab: Some(InspectorTab::WhatIf),
            ..Link::to_run(Path::new("")).unwrap()
        };
        let text = link.to_string();
        assert_eq!(
            text,
            "run:/home/ada/my%20runs/%C3%A4%403%3Fx%26y%25@17?compare=gt&view=swipe\
             &heat=saliency_cc/umsi%2B%2B:run&tab=what-if"
        );
        assert_eq!(text.parse(), Ok(link));
        let short: Link = "run:runs/a".parse().unwrap();
        assert_eq!(short, Link::to_run(Path::new("runs/a")).unwrap());
        let plain: Link = "run:/runs/a b@4?compare=gt".parse().unwrap();
        assert_eq!((plain.run.to_str(), plain.step), (Some("/runs/a b"), Some(4)));
        let range = StepRange { first: 12, last: 30 };
        let link = Link { range: Some(range), ..Link::to_run(Path::new("runs/a")).unwrap() };
        assert_eq!(link.to_string(), "run:runs/a@12-30");
        assert_eq!("run:runs/a@12-30".parse::<Link>().as_ref(), Ok(&link));
        let within = Link { step: Some(17), ..link };
        assert_eq!(within.to_string(), "run:runs/a@12-30?step=17");
        assert_eq!("run:runs/a@12-30?step=17".parse(), Ok(within));
        for (word, view) in VIEWS {
            let link: Link = format!("run:a?view={word}").parse().unwrap();
            assert_eq!(link.view, Some(view));
        }
        let heat: Link = "run:a?heat=ssim/uniform7".parse().unwrap();
        let ssim = LinkedHeat { variant: "ssim/uniform7".to_owned(), map: MapKind::Difference };
        assert_eq!((heat.to_string(), heat.heat), ("run:a?heat=ssim/uniform7".into(), Some(ssim)));
        for (word, tab) in TABS {
            let link: Link = format!("run:a?tab={word}").parse().unwrap();
            assert_eq!(link.tab, Some(tab));
        }
    }

    #[test]
    fn a_link_says_what_stands_beside_the_run_and_which_of_it_is_compared() {
        let run = |dir: &str, pinned| SavedSlot::Run { dir: dir.into(), pinned };
        let link = Link {
            view: Some(StageView::OnionSkin),
            beside: vec![run("/runs/b@1", None), SavedSlot::Start, run("/runs/a", Some(12))],
            against: Some(2),
            follow: Some(SlotLock::Turn),
            ..Link::to_run(Path::new("/runs/a")).unwrap()
        };
        let text = link.to_string();
        assert_eq!(
            text,
            "run:/runs/a?compare=C&view=onion&with=run:/runs/b%401&with=start&with=run:/runs/a@12\
             &follow=turn"
        );
        assert_eq!(text.parse(), Ok(link));
        // Whatever is said first.
        let link: Link = "run:a?compare=A&with=start".parse().unwrap();
        assert_eq!((link.against, link.beside), (Some(0), vec![SavedSlot::Start]));
        for (word, lock) in FOLLOWS {
            let link: Link = format!("run:a?follow={word}").parse().unwrap();
            assert_eq!(link.follow, Some(lock));
        }
    }

    #[test]
    fn links_that_somebody_made_up_to_do_harm_are_refused() {
        let refused = |text: &str| text.parse::<Link>().unwrap_err().to_string();
        for (text, why) in [
            ("http://example.org/run", "begins with run:"),
            ("file:///etc/passwd", "begins with run:"),
            ("run:", "path is empty"),
            ("run://host/share/run", "another one"),
            ("run:%5C%5Chost%5Cshare", "another one"),
            ("run:https%3A//example.org", "another one"),
            ("run:/a%00b", "control characters"),
            ("run:/a%0Ab", "control characters"),
            ("run:/a%zz", "no byte"),
            ("run:/a%C3", "no byte"),
            ("run:/a@99999999999", "no step"),
            ("run:/a@-1", "no step"),
            ("run:/a@30-12", "no step"),
            ("run:/a@1-2-3", "no step"),
            ("run:/a@4?step=5", "said twice"),
            ("run:/a@1-9?step=x", "no step"),
            ("run:/a?exec=rm", "not known"),
            ("run:/a?view=sideways", "there are side, swipe"),
            ("run:/a?view=swipe&view=blink", "said twice"),
            ("run:/a?heat=a&heat=b", "said twice"),
            ("run:/a?heat=", "no heat"),
            ("run:/a?heat=%0A", "no heat"),
            ("run:/a?heat=a:both", "there are run, truth"),
            ("run:/a?compare=http://x", "there are gt"),
            ("run:/a?compare=A", "there are gt"),
            ("run:/a?compare=C&with=start&with=start", "there are gt, A, B"),
            ("run:/a?with=/etc/passwd", "write with=run:"),
            ("run:/a?with=file:/etc/passwd", "write with=run:"),
            ("run:/a?with=run://host/share", "another one"),
            ("run:/a?with=run:b@x", "no step"),
            ("run:/a?follow=me", "there are step, turn"),
            (
                "run:/a?with=start&with=start&with=start&with=start&with=start&with=start",
                "more than 5",
            ),
        ] {
            assert!(refused(text).contains(why), "{text}: {}", refused(text));
        }
        assert!(refused(&format!("run:/{}", "a".repeat(25_000))).contains("longer"));
    }
}
