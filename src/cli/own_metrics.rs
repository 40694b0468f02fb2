//! `--metric exec:COMMAND`: metrics of one's own, beside those of the program and of the file of models.

use clap::Args;

use crate::model::ModelSettings;
use crate::model::program::ProgramSettings;

/// What stands before the command.
const EXEC: &str = "exec:";

// No doc comment, which would become that of every command that takes this.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OwnMetrics {
    /// A metric of your own: a program that is asked about pairs of pictures over its stdin and stdout
    /// (docs/metrics.md). Before COMMAND may stand name=NAME, better=lower, range=LOW..HIGH and seconds=N. Its
    /// scores are those of exec/NAME, by default the name of the script; may be given several times.
    #[arg(long = "metric", value_name = "exec:COMMAND", value_parser = program)]
    pub(super) programs: Vec<ProgramSettings>,
}

impl OwnMetrics {
    /// The models that a file names, and these metrics behind its own.
    pub(super) fn added_to(&self, mut models: ModelSettings) -> ModelSettings {
        models.programs.extend(self.programs.iter().cloned());
        models
    }
}

/// The options that name metrics of one's own, as words of a command line.
pub(super) fn option_words(programs: &[ProgramSettings]) -> Vec<String> {
    let words = programs.iter().flat_map(|program| ["--metric".to_owned(), written(program)]);
    words.collect()
}

/// A metric of one's own as the command line takes it.
pub(super) fn written(program: &ProgramSettings) -> String {
    format!("{EXEC}{program}")
}

fn program(text: &str) -> Result<ProgramSettings, String> {
    let command = text.strip_prefix(EXEC).ok_or("must be exec:COMMAND")?;
    command.parse::<ProgramSettings>().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_written_as_it_was_given() {
        let text = "exec:better=lower range=0..255 python3 mean.py 'a b'";
        let settings = program(text).unwrap();
        assert_eq!(option_words(&[settings]), ["--metric", text]);
        assert_eq!(program("python3 mean.py").unwrap_err(), "must be exec:COMMAND");
        assert!(program("exec:").unwrap_err().contains("give a program"));
        assert!(program("exec:better=less a").unwrap_err().contains("higher or lower"));
    }
}
