//! By what a request is known that goes on from the one before: it begins alike and repeats what that ended with.

use serde_json::Value;

/// A request that was read.
pub(super) struct SeenRequest {
    /// How many messages it had.
    count: usize,
    /// The hash of those before the first of the model: another conversation begins otherwise.
    start: blake3::Hash,
    /// The hash of its last message.
    last: blake3::Hash,
}

impl SeenRequest {
    /// What is known by these messages; `None` of none.
    pub(super) fn of(list: &[Value], is_of_model: fn(&Value) -> bool) -> Option<Self> {
        let last = hash_of(list.last()?);
        let mut start = blake3::Hasher::new();
        for message in list.iter().take_while(|message| !is_of_model(message)) {
            start.update(hash_of(message).as_bytes());
        }
        Some(Self { count: list.len(), start: start.finalize(), last })
    }

    /// How many messages of the next request were read already, `after` of them behind this one; `None` if it does
    /// not go on from it. It does if it begins alike, and the message where this one ended is still there, unchanged:
    /// those in between may have lost their pictures.
    pub(super) fn read_of(
        &self,
        next: &Self,
        list: &[Value],
        after: usize,
        is_of_model: fn(&Value) -> bool,
    ) -> Option<usize> {
        let last = list.get(self.count.checked_sub(1)?)?;
        // The same once more, before anything was answered: another try, or another sample.
        let is_begun_anew = after > 0 && next.count == self.count && !list.iter().any(is_of_model);
        if self.start != next.start || self.last != hash_of(last) || is_begun_anew {
            return None;
        }
        // The answers that were read since then stand in this list once more, though not always with what they
        // reasoned.
        let answers = list.iter().skip(self.count).take(after);
        Some(self.count + answers.take_while(|it| is_of_model(it)).count())
    }
}

/// A hash of a message. Marks for the provider's cache move from request to request and do not count.
fn hash_of(message: &Value) -> blake3::Hash {
    let mut message = message.clone();
    let blocks = message.get_mut("content").and_then(Value::as_array_mut);
    for block in blocks.into_iter().flatten() {
        if let Some(fields) = block.as_object_mut() {
            fields.shift_remove("cache_control");
        }
    }
    blake3::hash(message.to_string().as_bytes())
}
