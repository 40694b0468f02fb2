//! What a variant of a metric is.

use std::borrow::Cow;

/// The id of a variant, such as `ssim/uniform7`.
pub type VariantId = Cow<'static, str>;

/// What a variant of a metric is: everything a table, a plot or a reader of a file has to know to
/// read the number.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantSpec {
    /// `metric/variant`, such as `ssim/uniform7`: the name in files and tables.
    pub id: VariantId,
    /// For people, such as `SSIM`.
    pub label: &'static str,
    /// What distinguishes the variant, such as `uniform 7×7`; of one that goes by a model, its name.
    pub variant_label: Cow<'static, str>,
    /// What it measures on.
    pub needs: Needs,
    /// Which way is better.
    pub direction: Direction,
    /// Smallest and largest possible value; a bound may be infinite.
    pub range: (f64, f64),
    /// Smallest and largest value of its map, the first being the worst; `None` if it has no map.
    pub map_range: Option<(f64, f64)>,
    /// Goes up whenever the numbers change, so that none of before is taken for one of now.
    pub version: u32,
    /// Paper and section, and repository and path of the published code.
    pub source: &'static str,
}

/// What a variant measures on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Needs {
    /// The pictures of both sides.
    Pictures,
    /// The designs of both sides.
    Designs,
    /// A caption of each side, and a model that embeds sentences.
    Captions,
    /// The generated picture and the pictures that the task gave.
    Inputs,
    /// The generated picture, the instruction, and a model that embeds both.
    Instruction,
    /// The generated design, and what a design query asks for.
    Query,
}

impl Needs {
    /// Whether it is something of a ground truth.
    pub const fn is_ground_truth(self) -> bool {
        match self {
            Self::Pictures | Self::Designs | Self::Captions => true,
            Self::Inputs | Self::Instruction | Self::Query => false,
        }
    }
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// More is better.
    HigherIsBetter,
    /// Less is better.
    LowerIsBetter,
}

impl VariantSpec {
    /// The name of the metric without the variant, such as `ssim`.
    pub fn metric(&self) -> &str {
        self.id.split('/').next().unwrap_or(&self.id)
    }

    /// Whether `new` is better than `old`.
    pub fn is_better(&self, new: f64, old: f64) -> bool {
        match self.direction {
            Direction::HigherIsBetter => new > old,
            Direction::LowerIsBetter => new < old,
        }
    }
}
