//! The formats, one file or folder each. A format says whether something is of its kind, and imports it.

mod agentnet;
mod canvas;
mod canvas_case;
mod film;
mod inspect;
mod messages;
mod osworld;
mod otel;
mod otel_span;
mod pictures;
mod playwright;
mod python_action;
mod video;

use super::error::ImportError;
use super::sink::Sink;
use super::source::{Certainty, Source};

pub(super) use film::is_film_at;

/// A format of another program.
pub struct Format {
    /// Its word on the command line and in manifests.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// Whether a file or folder is of this format, told from what it begins with.
    pub(super) sniff: fn(&Source) -> Option<Certainty>,
    /// Imports it; runs and what is left out go to the sink.
    pub(super) import: fn(&Source, &mut Sink<'_>) -> Result<(), ImportError>,
    /// Whether the window shows it as it is, so that it need not be imported to be opened.
    pub is_opened_as_it_is: bool,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// Every format that is read. Where two are equally sure, the one that stands first wins.
pub const FORMATS: &[Format] = &[
    Format {
        name: "canvas",
        label: "CANVAS result",
        sniff: canvas::sniff,
        import: canvas::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "osworld",
        label: "OSWorld result",
        sniff: osworld::sniff,
        import: osworld::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "inspect",
        label: "Inspect log",
        sniff: inspect::sniff,
        import: inspect::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "playwright",
        label: "Playwright trace",
        sniff: playwright::sniff,
        import: playwright::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "agentnet",
        label: "AgentNet task",
        sniff: agentnet::sniff,
        import: agentnet::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "codex",
        label: "Codex CLI session",
        sniff: messages::codex::sniff,
        import: messages::codex::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "anthropic",
        label: "Anthropic message log",
        sniff: messages::anthropic::sniff,
        import: messages::anthropic::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "gemini",
        label: "Gemini message log",
        sniff: messages::gemini::sniff,
        import: messages::gemini::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "openai",
        label: "OpenAI message log",
        sniff: messages::openai::sniff,
        import: messages::openai::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "otel",
        label: "OpenTelemetry trace",
        sniff: otel::sniff,
        import: otel::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "video",
        label: "video",
        sniff: video::sniff,
        import: video::import,
        is_opened_as_it_is: false,
    },
    Format {
        name: "pictures",
        label: "folder of pictures",
        sniff: pictures::sniff,
        import: pictures::import,
        is_opened_as_it_is: true,
    },
];
