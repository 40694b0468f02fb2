//! What a check found.

use std::fmt;

use crate::design::NodeId;

/// The answer to one question about one component.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The component: `background`, or its name in the query.
    pub component: String,
    /// What was asked of it.
    pub aspect: Aspect,
    /// The same in the words of the query: a text, a colour, a size, a position; `None` where the query
    /// does not say it, because it goes without saying.
    pub asked: Option<String>,
    /// The answer.
    pub verdict: Verdict,
    /// The node that it is about, where one was found.
    pub node: Option<NodeId>,
    /// Why, in words and numbers.
    pub reason: String,
}

/// What is asked of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// A text is there, word for word; a visual is there.
    Present,
    /// The colour is close to its name.
    Color,
    /// The size is of its class.
    Size,
    /// It is where its words say: one finding for each clause.
    Position,
    /// It lies on the page.
    OnPage,
    /// It can be read on what is under it.
    Contrast,
}

/// Whether a component is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// There is no rule for what is asked, or something is missing that the rule needs.
    CantSay,
}

/// All findings about a page, in the order of the query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings(pub Vec<Finding>);

impl Aspect {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Present, Self::Color, Self::Size, Self::Position, Self::OnPage, Self::Contrast];

    /// Its name in files and tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Color => "color",
            Self::Size => "size",
            Self::Position => "position",
            Self::OnPage => "on_page",
            Self::Contrast => "contrast",
        }
    }

    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Present => "Present",
            Self::Color => "Colour",
            Self::Size => "Size",
            Self::Position => "Position",
            Self::OnPage => "On the page",
            Self::Contrast => "Contrast",
        }
    }
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Yes, Self::No, Self::CantSay];

    /// `yes`, `no` or `can't say`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::CantSay => "can't say",
        }
    }
}

impl Findings {
    /// How many findings have this verdict, of one aspect or of all.
    pub fn count(&self, verdict: Verdict, aspect: Option<Aspect>) -> usize {
        let of_aspect =
            self.0.iter().filter(|found| aspect.is_none_or(|aspect| found.aspect == aspect));
        of_aspect.filter(|found| found.verdict == verdict).count()
    }

    /// The share of yes among what was answered, of one aspect or of all, 0..=1; `None` if nothing
    /// was.
    pub fn share(&self, aspect: Option<Aspect>) -> Option<f64> {
        // What no rule is for counts neither way: a query in rare words is no worse met for it.
        let (yes, no) = (self.count(Verdict::Yes, aspect), self.count(Verdict::No, aspect));
        // Of nothing answered there is no share, which is not the same as a share of 0.
        (yes + no > 0).then(|| yes as f64 / (yes + no) as f64)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { component, aspect, verdict, reason, .. } = self;
        write!(f, "{component}, {}: {}: {reason}", aspect.word(), verdict.word())
    }
}
