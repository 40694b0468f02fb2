//! Whose behaviour the tools follow, in one vocabulary for every environment: what manifests hold and
//! the command line takes. Each environment has its own type for what it means there
//! ([`canvas::Compat`], [`suite::Compat`]).

use super::{EnvironmentKind, canvas, suite};

/// Whose behaviour the tools follow where the published ones do not do what they say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compat {
    /// The documentation's, in every environment.
    #[default]
    Documented,
    /// Canvas: that of the published tools of January 2026; see [`canvas::Compat::Canvas202601`].
    Canvas202601,
    /// Suite: that of the released executor; see [`suite::Compat::GraphicBench`].
    GraphicBench,
}

impl Compat {
    /// Every choice, the default first.
    pub const ALL: [Self; 3] = [Self::Documented, Self::Canvas202601, Self::GraphicBench];

    /// Its name in manifests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Canvas202601 => canvas::Compat::Canvas202601.name(),
            Self::GraphicBench => suite::Compat::GraphicBench.name(),
        }
    }

    /// The choice of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|compat| compat.name() == name)
    }

    /// The environment whose tools it is about; `None`: every one's.
    pub const fn environment(self) -> Option<EnvironmentKind> {
        match self {
            Self::Documented => None,
            Self::Canvas202601 => Some(EnvironmentKind::Canvas),
            Self::GraphicBench => Some(EnvironmentKind::Suite),
        }
    }

    /// Whether the tools of an environment can behave so.
    pub fn fits(self, environment: &EnvironmentKind) -> bool {
        self.environment().is_none_or(|of| of == *environment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_behaviour_of_an_environment_is_in_the_one_vocabulary() {
        for compat in Compat::ALL {
            assert_eq!(Compat::from_name(compat.name()), Some(compat));
        }
        assert_eq!(Compat::from_name("canvas-1999"), None);
        for compat in canvas::Compat::ALL {
            assert!(Compat::from_name(compat.name()).unwrap().fits(&EnvironmentKind::Canvas));
        }
        for compat in suite::Compat::ALL {
            assert!(Compat::from_name(compat.name()).unwrap().fits(&EnvironmentKind::Suite));
        }
        assert!(!Compat::GraphicBench.fits(&EnvironmentKind::Canvas));
        assert!(!Compat::Canvas202601.fits(&EnvironmentKind::Page));
    }
}
