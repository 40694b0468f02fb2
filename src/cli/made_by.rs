//! What made a file, for whoever wants to make it again.

/// The command as it was given, to be given again.
pub(super) fn command_words() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let is_plain = !word.is_empty()
            && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,#+@".contains(c));
        if is_plain { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    std::iter::once("pentimento".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Which version of this program.
pub(super) fn program_words() -> String {
    concat!("Pentimento ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// Which version wrote it, and by which command.
pub(super) fn made_by() -> String {
    format!("{}: {}", program_words(), command_words())
}
