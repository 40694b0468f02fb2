//! Taking a key out of bytes that come bit by bit.

/// What stands in a text where the key stood.
pub(super) const REDACTED: &str = "[key]";

/// Takes a key out of bytes that come bit by bit, though it may be spread over several of them.
///
/// What may be the beginning of the key is held back until more comes.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Empty: nothing is taken out.
    key: Vec<u8>,
    held: Vec<u8>,
}

impl Redactor {
    /// Takes these bytes out.
    pub(super) fn new(key: &[u8]) -> Self {
        Self { key: key.to_vec(), held: Vec::new() }
    }

    /// The next bytes without the key.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.key.is_empty() {
            return bytes.to_vec();
        }
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

    /// What was held back: no more bytes come.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
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
        let mut redactor = Redactor::new(key.as_bytes());
        let mut clean: Vec<u8> = chunks.iter().flat_map(|chunk| redactor.push(chunk)).collect();
        clean.extend(redactor.finish());
        String::from_utf8(clean).unwrap()
    }

    #[test]
    fn a_key_over_several_chunks_is_taken_out() {
        assert_eq!(redacted("secret", &[b"a se", b"cr", b"et b", b" sec"]), "a [key] b sec");
        assert_eq!(redacted("sase", &[b"sasase", b"sas", b"e"]), "sa[key][key]");
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
