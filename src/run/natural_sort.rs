//! The order people put names in.

use std::cmp::Ordering;

/// Compares names so that numbers in them count as numbers: `shot 9` before `shot 10`. Names that
/// differ only in leading zeros are told apart by their text.
pub fn natural_cmp(a: &str, b: &str) -> Ordering {
    // Thousands of names in a column are the same or begin alike.
    if a == b {
        return Ordering::Equal;
    }
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let begin = last_chunk_start(a.as_bytes().get(..same).unwrap_or_default());
    by_chunks(a.get(begin..).unwrap_or(a), b.get(begin..).unwrap_or(b)).then_with(|| a.cmp(b))
}

fn by_chunks(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (chunk_a, tail_a) = chunk(rest_a);
        let (chunk_b, tail_b) = chunk(rest_b);
        let order = match (as_number(chunk_a), as_number(chunk_b)) {
            // By their digits: a number in a name may be longer than any integer.
            (Some(x), Some(y)) => x.len().cmp(&y.len()).then_with(|| x.cmp(y)),
            _ => chunk_a.cmp(chunk_b),
        };
        if order.is_ne() || (tail_a.is_empty() && tail_b.is_empty()) {
            return order;
        }
        (rest_a, rest_b) = (tail_a, tail_b);
    }
}

/// Where the last chunk of a beginning begins: it may go on behind the beginning.
fn last_chunk_start(beginning: &[u8]) -> usize {
    let Some(last) = beginning.last() else { return 0 };
    let is_of_others = |byte: &u8| byte.is_ascii_digit() != last.is_ascii_digit();
    beginning.iter().rposition(is_of_others).map_or(0, |before| before + 1)
}

/// The longest beginning that is all digits or all not, and the rest.
fn chunk(text: &str) -> (&str, &str) {
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

/// The digits without leading zeros: a longer one is the larger number.
fn as_number(chunk: &str) -> Option<&str> {
    chunk.starts_with(|c: char| c.is_ascii_digit()).then(|| chunk.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["shot 10", "shot 9", "a", "shot 009b", "10", "9", ""];
        names.sort_by(|a, b| natural_cmp(a, b));
        assert_eq!(names, ["", "9", "10", "a", "shot 9", "shot 009b", "shot 10"]);
    }

    proptest! {
        #[test]
        fn what_both_begin_with_makes_no_difference(a in "[aé!0-3]{0,8}", b in "[aé!0-3]{0,8}") {
            prop_assert_eq!(natural_cmp(&a, &b), by_chunks(&a, &b).then_with(|| a.cmp(&b)));
        }

        #[test]
        fn the_order_is_total(a in "[a0-3]{0,6}", b in "[a0-3]{0,6}", c in "[a0-3]{0,6}") {
            prop_assert_eq!(natural_cmp(&a, &b), natural_cmp(&b, &a).reverse());
            prop_assert_eq!(natural_cmp(&a, &b).is_eq(), a == b);
            if natural_cmp(&a, &b).is_le() && natural_cmp(&b, &c).is_le() {
                prop_assert!(natural_cmp(&a, &c).is_le());
            }
        }
    }
}
