//! What made a file, for whoever wants to make it again.

use crate::base::shell_line;
use crate::evaluate::{self, PROGRAM};

/// The command as it was given, to be given again.
pub(super) fn command_words() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    shell_line(std::iter::once("pentimento").chain(words.iter().map(String::as_str)))
}

/// Which version of this program.
pub(super) fn program_words() -> String {
    PROGRAM.to_owned()
}

/// Which version wrote it, and by which command.
pub(super) fn made_by() -> String {
    evaluate::made_by(&command_words())
}
