//! Taking a key out of bytes that come bit by bit.

/// What stands in a text where the key stood.
pub(super) const REDACTED: &str = "[key]";

/// Takes a key out of bytes that come bit by bit, though it may be spread over several of them.
///
/// What may be the beginning of the key is held back until more comes.
#[derive(Clone, Default)]
pub struct Redactor {
    /// One after the other; none: nothing is taken out.
    stages: Vec<SecretFilter>,
}

impl Redactor {
    /// Takes these out, none of which is empty.
    pub(super) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
        let stages =
            secrets.map(|it| SecretFilter { key: it.as_bytes().to_vec(), held: Vec::new() });
        Self { stages: stages.collect() }
    }

    /// The next bytes without the key.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.stages.iter_mut().fold(bytes.to_vec(), |bytes, stage| stage.push(&bytes))
    }

    /// What was held back: no more bytes come.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        for stage in &mut self.stages {
            // What the stage before held back may end what this one holds.
            rest = stage.push(&rest);
            rest.append(&mut stage.held);
        }
        rest
    }
}

/// Takes one secret out.
#[derive(Clone)]
struct SecretFilter {
    key: Vec<u8>,
    held: Vec<u8>,
}

impl SecretFilter {
    fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        let mut clean = Vec::with_capacity(self.held.len());
        let mut rest = self.held.as_slice();
        // Only where its first byte stands can it begin.
        while let Some(first) = rest.iter().position(|byte| Some(byte) == self.key.first()) {
            let (before, from) = rest.split_at(first);
            clean.extend_from_slice(before);
            rest = from;
            if let Some(after) = rest.strip_prefix(self.key.as_slice()) {
                clean.extend_from_slice(REDACTED.as_bytes());
                rest = after;
            // The key may go on in the next bytes.
            } else if self.key.starts_with(rest) {
                break;
            } else {
                clean.extend(rest.first());
                rest = rest.get(1..).unwrap_or_default();
            }
        }
        // Nothing in it begins the key, or the loop would have stopped there.
        if !self.key.starts_with(rest) {
            clean.extend_from_slice(rest);
            rest = &[];
        }
        self.held = rest.to_vec();
        clean
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn redacted(key: &str, chunks: &[&[u8]]) -> String {
        let mut redactor = Redactor::new([key]);
        let mut clean: Vec<u8> = chunks.iter().flat_map(|chunk| redactor.push(chunk)).collect();
        clean.extend(redactor.finish());
        String::from_utf8(clean).unwrap()
    }

    #[test]
    fn a_key_over_several_chunks_is_taken_out() {
        assert_eq!(redacted("secret", &[b"a se", b"cr", b"et b", b" sec"]), "a [key] b sec");
        assert_eq!(redacted("sase", &[b"sasase", b"sas", b"e"]), "sa[key][key]");
    }

    #[test]
    fn of_several_secrets_each_is_taken_out() {
        let mut redactor = Redactor::new(["secret", "token"]);
        let mut clean = redactor.push(b"a sec");
        clean.extend(redactor.push(b"ret and tok"));
        clean.extend(redactor.push(b"en, sectoken to"));
        clean.extend(redactor.finish());
        assert_eq!(String::from_utf8(clean).unwrap(), "a [key] and [key], sec[key] to");
    }

    proptest! {
        #[test]
        fn however_it_is_cut_the_text_is_as_if_it_came_at_once(
            text in "(aab|a|b|aabaab| ){0,12}",
            cuts in prop::collection::vec(0usize..40, 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let (mut chunks, mut from) = (Vec::new(), 0);
            for cut in cuts {
                chunks.push(&text.as_bytes()[from..cut]);
                from = cut;
            }
            chunks.push(&text.as_bytes()[from..]);
            prop_assert_eq!(redacted("aabaab", &chunks), text.replace("aabaab", REDACTED));
        }
    }
}
