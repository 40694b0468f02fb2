//! A command line as its words, without a shell.
//!
//! Not by a crate such as shlex: that splits as a POSIX shell, where `C:\agents\one.exe` loses its `\`.

use std::path::{Path, PathBuf};

/// A command as its words, of which there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandWords {
    program: String,
    arguments: Vec<String>,
}

impl CommandWords {
    /// The words of a command line.
    ///
    /// Blanks part words. Between `'…'` everything stands for itself; between `"…"` too, but `\"` and
    /// `\\`. Elsewhere a `\` takes the meaning from a following blank, quote or `\`, and stands for
    /// itself before all else, so that paths of Windows can be given. There are no variables, patterns,
    /// pipes or redirections.
    ///
    /// # Errors
    ///
    /// [`CommandError`].
    pub fn split(command: &str) -> Result<Self, CommandError> {
        let mut words = words(command)?.into_iter();
        let program = words.next().ok_or(CommandError::Empty)?;
        Ok(Self { program, arguments: words.collect() })
    }

    /// The first word.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The others.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The program as it is started in a folder: a path as seen from there; a name alone is looked for by the
    /// system.
    pub fn program_in(&self, folder: &Path) -> PathBuf {
        let program = Path::new(&self.program);
        if program.components().count() > 1 { folder.join(program) } else { program.to_owned() }
    }

    /// The arguments that are files, as seen from a folder, such as the script that an interpreter is given.
    pub fn files_in(&self, folder: &Path) -> Vec<PathBuf> {
        let paths = self.arguments.iter().map(|word| folder.join(word));
        paths.filter(|path| path.is_file()).collect()
    }

    /// What it is called, as seen from a folder: the last argument that is a file, else the program; without
    /// folders and ending. `None` if that has no name.
    pub fn name(&self, folder: &Path) -> Option<String> {
        // From the end, as options of the interpreter come before the script.
        let script = self.files_in(folder).pop();
        let file = script.as_deref().unwrap_or(Path::new(&self.program));
        Some(file.file_stem()?.to_string_lossy().into_owned())
    }
}

/// Why a command cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is no word in it.
    #[error("the command is empty: give a program, such as exec:python3 program.py")]
    Empty,
    /// A quote is opened and not closed.
    #[error("the command has a {0} that is not closed")]
    OpenQuote(char),
    /// No program can be given this.
    #[error("the command holds a zero character")]
    Zero,
}

/// The words, as [`CommandWords::split`] says; the first is not empty.
fn words(command: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    // Quotes around nothing make a word too, so that an empty one differs from none.
    let mut word: Option<String> = None;
    let mut rest = command.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\0' => return Err(CommandError::Zero),
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => quoted(c, &mut rest, word.get_or_insert_default())?,
            '\\' => {
                // Unlike in a shell, which would take `C:\agents` for `C:agents`.
                let plain = rest.next_if(|next| next.is_whitespace() || "'\"\\".contains(*next));
                word.get_or_insert_default().push(plain.unwrap_or('\\'));
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match words.first() {
        Some(program) if !program.is_empty() => Ok(words),
        _ => Err(CommandError::Empty),
    }
}

/// Takes the rest of what is between quotes.
fn quoted(
    quote: char,
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
    word: &mut String,
) -> Result<(), CommandError> {
    while let Some(c) = rest.next() {
        match c {
            '\0' => return Err(CommandError::Zero),
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => {
                word.push(rest.next_if(|next| "\"\\".contains(*next)).unwrap_or('\\'));
            }
            c => word.push(c),
        }
    }
    Err(CommandError::OpenQuote(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_part_words_and_quotes_keep_them_together() {
        for (command, expected) in [
            ("python3 agent.py", vec!["python3", "agent.py"]),
            ("  a\t b  ", vec!["a", "b"]),
            ("'my agent' --name \"one two\"", vec!["my agent", "--name", "one two"]),
            (r"my\ agent a\\b", vec!["my agent", r"a\b"]),
            (r"C:\agents\one.exe", vec![r"C:\agents\one.exe"]),
            (r#"x "a \"b\" \n" 'c\d'"#, vec!["x", r#"a "b" \n"#, r"c\d"]),
            ("x '' $HOME *", vec!["x", "", "$HOME", "*"]),
            ("pre'fix ed'", vec!["prefix ed"]),
        ] {
            assert_eq!(words(command).unwrap(), expected, "{command}");
        }
    }

    #[test]
    fn a_command_is_called_as_its_script_or_else_its_program() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("mean.py"), "").unwrap();
        for (command, name) in [
            ("python3 -u mean.py --fast", "mean"),
            ("python3 other.py", "python3"),
            ("./bin/mean.sh", "mean"),
        ] {
            let words = CommandWords::split(command).unwrap();
            assert_eq!(words.name(dir.path()).as_deref(), Some(name), "{command}");
        }
        let words = CommandWords::split("bin/mean mean.py").unwrap();
        assert_eq!(words.program_in(dir.path()), dir.path().join("bin/mean"));
        assert_eq!(words.files_in(dir.path()), [dir.path().join("mean.py")]);
        let words = CommandWords::split("mean").unwrap();
        assert_eq!(words.program_in(dir.path()), Path::new("mean"));
    }

    #[test]
    fn what_is_no_command_is_said() {
        assert_eq!(words("  "), Err(CommandError::Empty));
        assert_eq!(words("''"), Err(CommandError::Empty));
        assert_eq!(words("a 'b"), Err(CommandError::OpenQuote('\'')));
        assert_eq!(words("a \"b\\\""), Err(CommandError::OpenQuote('"')));
        assert_eq!(words("a\0b"), Err(CommandError::Zero));
    }

    proptest::proptest! {
        #[test]
        fn any_command_is_split_or_refused(command in proptest::prelude::any::<String>()) {
            if let Ok(words) = words(&command) {
                assert!(!words[0].is_empty());
            }
        }

        #[test]
        fn words_between_quotes_come_back_as_they_were(
            arguments in proptest::collection::vec("[^'\u{0}]{0,12}", 0..6)
        ) {
            let quoted: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
            let split = words(&format!("agent {}", quoted.join(" "))).unwrap();
            assert_eq!(split[1..], arguments);
        }
    }
}
