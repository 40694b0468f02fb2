//! The border that no panic crosses.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Something panicked: a fault in this program or an agent, never in the input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} broke down: {message}. What was recorded is kept; please report this")]
pub(super) struct Panicked {
    /// What was being done.
    what: String,
    /// The panic's own words.
    message: String,
}

/// Does the work; a panic becomes an error. What the work touched must not be used afterwards but
/// to look at it: it may be half changed.
pub(super) fn catch_panic<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| Panicked { what: what.to_owned(), message: words(&*panic) })
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason given")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_words() {
        let error = catch_panic("the tool", || panic!("index {}", 7)).unwrap_err();
        assert!(error.to_string().starts_with("the tool broke down: index 7."), "{error}");
        assert_eq!(catch_panic("the tool", || 7), Ok(7));
    }
}
