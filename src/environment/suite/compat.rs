//! Whose handling of parameters is followed.

/// How the values of a call are taken.
///
/// | | documented | graphicbench |
/// |---|---|---|
/// | names | checked; positional values may come as a list `parameters` | ignored: values count by their place |
/// | more values than parameters | a failure | the rest is dropped |
/// | a number out of the documented range | a failure | a failure where the released script or its program checks it, else taken: see [`Compat::range`] |
/// | document types | all that the tables name | the four that the released scripts know |
/// | wholly off the page | a failure, nothing is moved | moved, with a warning |
/// | a position in the vector editor that puts a middle where the layer leaves the page | read as the corner's where that does not: see [`anchor`](super::anchor) | the middle's |
/// | a second document of the photo editor by size | a new one | the open one gets the size |
///
/// Where else things come to lie, and what the filters do, is the same in both: the scripts of the
/// released executor (dayeonki/designbench, `execution`) leave that to three desktop programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compat {
    /// As the tables of actions say.
    #[default]
    Documented,
    /// As the released executor takes them.
    GraphicBench,
}

impl Compat {
    /// Every choice, the default first.
    pub const ALL: [Self; 2] = [Self::Documented, Self::GraphicBench];

    /// Its name in manifests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::GraphicBench => "graphicbench",
        }
    }

    /// The choice of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|compat| compat.name() == name)
    }

    /// The range in which a number is taken, if it has one: the tables' (`documented`), but with the
    /// released scripts circles of any size, strokes from 0.25 and stars from five points.
    pub(super) fn range(
        self,
        (action, parameter): (&str, &str),
        documented: Option<(f64, f64)>,
    ) -> Option<(f64, f64)> {
        match (self, action, parameter) {
            // Read off the released scripts, one by one.
            (Self::GraphicBench, "DrawCircle", "radius") => None,
            (Self::GraphicBench, _, "strokeWidth") => Some((0.25, 5.0)),
            (Self::GraphicBench, "DrawStar", "numPoints") => Some((5.0, 1000.0)),
            _ => documented,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_found_by_its_name() {
        for compat in Compat::ALL {
            assert_eq!(Compat::from_name(compat.name()), Some(compat));
        }
        assert_eq!(Compat::from_name("canvas-2026-01"), None);
    }
}
