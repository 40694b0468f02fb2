//! Pairing the nodes of documents made independently of each other.
//!
//! Every node is weighed against every other, so this is what takes long of a comparison: it can be
//! stopped, and where that would be too much, only nodes at the same place are weighed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled, Rect, Rgba, Vector};

use super::pairing::Pairing;
use crate::design::document::Document;
use crate::design::node::Node;
use crate::design::paint::Paint;

/// The least likeness of a pair.
const LEAST_LIKENESS: f64 = 0.45;

/// Where more pairs than this would have to be weighed, only nodes at the same place are, and of
/// those no more than this in all.
const MOST_CANDIDATES: usize = 4_000_000;

/// The fewest candidates put in order at a time.
const AT_ONCE: usize = 1 << 14;

/// Pairs nodes by what they are: for documents made independently of each other.
///
/// The screens ([`Document::main_frame`]) are a pair. Then, texts with texts and others with others,
/// the likest first: kind, place and extent on the screen, words, name and fills count. A pair is at
/// least 0.45 alike, of 1. Ties are broken by paint order, so that the answer is always the same.
///
/// Takes time in proportion to the nodes of one times those of the other; see
/// [`pair_by_content_until`] for what somebody may lose interest in.
pub fn pair_by_content(before: &Document, after: &Document) -> Pairing {
    // Nobody raises this token, so there is always a pairing.
    pair_by_content_until(before, after, &CancelToken::new()).unwrap_or_default()
}

/// The same, until the token is raised.
pub fn pair_by_content_until(
    before: &Document,
    after: &Document,
    cancel: &CancelToken,
) -> Result<Pairing, Cancelled> {
    let mut pairing = Pairing::made_apart();
    if let (Some(was), Some(now)) = (before.main_frame(), after.main_frame()) {
        pairing.insert(&was.id, &now.id);
    }
    pair_free(&mut pairing, before, after, cancel)?;
    Ok(pairing)
}

/// The pairs there are and, of the nodes that have no partner yet, those that are alike.
pub fn pair_rest_by_content(before: &Document, after: &Document, known: &Pairing) -> Pairing {
    let mut pairing = known.clone();
    // Nobody raises this token, so it is always done.
    pair_free(&mut pairing, before, after, &CancelToken::new()).ok();
    pairing
}

fn pair_free(
    pairing: &mut Pairing,
    before: &Document,
    after: &Document,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    // Also where no node is left to be weighed.
    cancel.check()?;
    let mut words = WordNumbers::default();
    // Worked out once a node: each is weighed against thousands.
    let (mut was, mut now) = (traits_of(before, &mut words), traits_of(after, &mut words));
    was.retain(|traits| pairing.after(&traits.node.id).is_none());
    now.retain(|traits| pairing.before(&traits.node.id).is_none());
    let candidates = candidates(&was, &now, cancel)?;
    pair_likest_first(pairing, candidates, (&was, &now), cancel)
}

/// What is weighed of a node.
struct Traits<'a> {
    node: &'a Arc<Node>,
    /// Its box, from the corner of the screen.
    on_screen: Rect,
    color: Option<Rgba>,
    /// The words of a text, whatever their case, in order of their numbers.
    words: Vec<u32>,
}

/// The words of both documents, numbered as they come.
#[derive(Default)]
struct WordNumbers(BTreeMap<String, u32>);

impl WordNumbers {
    fn numbers_of(&mut self, text: &str) -> Vec<u32> {
        let mut numbers: Vec<u32> = text.split_whitespace().map(|word| self.number(word)).collect();
        numbers.sort_unstable();
        numbers
    }

    fn number(&mut self, word: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(word.to_lowercase()).or_insert(next)
    }
}

fn traits_of<'a>(document: &'a Document, words: &mut WordNumbers) -> Vec<Traits<'a>> {
    let screen = document.main_frame().and_then(|frame| document.absolute_box(&frame.id).ok());
    let corner = screen.map(Rect::origin).unwrap_or_default();
    let by = Vector { x: -corner.x, y: -corner.y };
    let nodes = document.iter_depth_first().filter(|node| node.has_box());
    let traits = nodes.map(|node| {
        let on_page = document.absolute_box(&node.id).unwrap_or_default();
        // The topmost visible fill is what is seen of them.
        let fill = node.fills.iter().rev().find(|paint| paint.visible);
        let color = fill.and_then(Paint::solid_color);
        let words = node.text().map(|text| words.numbers_of(&text.characters)).unwrap_or_default();
        Traits { node, on_screen: on_page.translate(by), color, words }
    });
    traits.collect()
}

/// A pair that may be: what it lacks to full likeness, in billionths, and its nodes by their place
/// in both lists. The least is the best.
type Candidate = (u32, u32, u32);

fn candidates(
    was: &[Traits<'_>],
    now: &[Traits<'_>],
    cancel: &CancelToken,
) -> Result<Vec<Candidate>, Cancelled> {
    // Beyond it the list alone would take hundreds of megabytes.
    let is_huge = was.len().saturating_mul(now.len()) > MOST_CANDIDATES;
    let (cells_was, cells_now) = (by_cell(was), by_cell(now));
    let everything: Vec<usize> = (0..now.len()).collect();
    let mut candidates = Vec::new();
    for (a, earlier) in was.iter().enumerate() {
        cancel.check()?;
        let weighed = if is_huge {
            let cell = cell(earlier.on_screen);
            let [mates, there] = [&cells_was, &cells_now].map(|cells| cells.get(&cell));
            // Of many at one place the ones around the same rank are weighed: paint order holds.
            let rank = mates.map_or(0, |mates| mates.partition_point(|mate| *mate < a));
            around(there.map_or(&[], Vec::as_slice), rank, MOST_CANDIDATES / was.len().max(1))
        } else {
            &everything
        };
        candidates
            .extend(weighed.iter().filter_map(|b| candidate((a, earlier), (*b, now.get(*b)?))));
    }
    Ok(candidates)
}

fn candidate(was: (usize, &Traits<'_>), now: (usize, &Traits<'_>)) -> Option<Candidate> {
    let likeness = likeness(was.1, now.1);
    // Whole numbers sort the same on every machine, ties included.
    let lacks = ((1.0 - likeness) * 1e9) as u32;
    let places = (u32::try_from(was.0).ok()?, u32::try_from(now.0).ok()?);
    (likeness >= LEAST_LIKENESS).then_some((lacks, places.0, places.1))
}

/// At most so many of a list, at least one, those around a place in it.
fn around(list: &[usize], place: usize, most: usize) -> &[usize] {
    let most = most.clamp(1, list.len().max(1));
    let first = place.saturating_sub(most / 2).min(list.len().saturating_sub(most));
    list.get(first..list.len().min(first + most)).unwrap_or_default()
}

/// Where a box begins, in whole pixels.
fn cell(bounds: Rect) -> (i64, i64) {
    (bounds.x.round() as i64, bounds.y.round() as i64)
}

fn by_cell(traits: &[Traits<'_>]) -> BTreeMap<(i64, i64), Vec<usize>> {
    let mut cells: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, traits) in traits.iter().enumerate() {
        cells.entry(cell(traits.on_screen)).or_default().push(at);
    }
    cells
}

/// Takes the best candidate whose nodes both have no partner yet, and so on. The best are put in
/// order some at a time: most of the others have lost a node by the time it is their turn.
fn pair_likest_first(
    pairing: &mut Pairing,
    mut candidates: Vec<Candidate>,
    (was, now): (&[Traits<'_>], &[Traits<'_>]),
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    let mut free_was = vec![true; was.len()];
    let mut free_now = vec![true; now.len()];
    while !candidates.is_empty() {
        cancel.check()?;
        let rest = split_off_all_but_the_best(&mut candidates);
        candidates.sort_unstable();
        for (_, a, b) in candidates {
            let (a, b) = (a as usize, b as usize);
            if let (Some(free_a @ true), Some(free_b @ true)) =
                (free_was.get_mut(a), free_now.get_mut(b))
                && let (Some(was), Some(now)) = (was.get(a), now.get(b))
            {
                (*free_a, *free_b) = (false, false);
                pairing.insert(&was.node.id, &now.node.id);
            }
        }
        // Without those that lost a node the next eighth is found among fewer.
        candidates = rest;
        candidates.retain(|(_, a, b)| is_free(&free_was, *a) && is_free(&free_now, *b));
    }
    Ok(())
}

fn is_free(free: &[bool], at: u32) -> bool {
    free.get(at as usize).copied().unwrap_or(false)
}

/// Leaves the best, in no order: an eighth, but never few.
fn split_off_all_but_the_best(candidates: &mut Vec<Candidate>) -> Vec<Candidate> {
    let best = AT_ONCE.max(candidates.len() / 8);
    if candidates.len() <= best {
        return Vec::new();
    }
    candidates.select_nth_unstable(best);
    candidates.split_off(best)
}

/// 0..=1.
fn likeness(a: &Traits<'_>, b: &Traits<'_>) -> f64 {
    match (a.node.text(), b.node.text()) {
        (Some(one), Some(other)) => {
            let is_same = one.characters == other.characters;
            let words = if is_same { 1.0 } else { words_in_common(&a.words, &b.words) };
            let nearness = nearness(a.on_screen, b.on_screen);
            // What a text says counts most; where it stands tells apart the many that say the same.
            0.5 * words
                + 0.3 * nearness
                + 0.1 * overlap(a.on_screen, b.on_screen)
                + 0.1 * name(a, b)
        }
        (None, None) => {
            let kind = f64::from(a.node.kind.type_name() == b.node.kind.type_name());
            let color = closeness(a.color, b.color);
            let inside = f64::from(a.node.children.is_empty() == b.node.children.is_empty());
            let place = overlap(a.on_screen, b.on_screen);
            // A shape has little of its own but where it lies; name and kind only break near ties.
            0.55 * place + 0.15 * kind + 0.1 * color + 0.1 * name(a, b) + 0.1 * inside
        }
        _ => 0.0,
    }
}

fn name(a: &Traits<'_>, b: &Traits<'_>) -> f64 {
    f64::from(a.node.name == b.node.name)
}

/// Intersection over union; 1 for two boxes without area at the same place.
fn overlap(a: Rect, b: Rect) -> f64 {
    // A line has no area: a pixel around it does.
    let (a, b) = (a.expand(0.5), b.expand(0.5));
    let common = a.intersection(b).map_or(0.0, Rect::area);
    let union = a.area() + b.area() - common;
    if union > 0.0 { common / union } else { 0.0 }
}

/// 1 for the same middle, 0 from 200 px on.
fn nearness(a: Rect, b: Rect) -> f64 {
    const FAR: f64 = 200.0;
    let by = a.center().since(b.center());
    (1.0 - by.x.hypot(by.y) / FAR).max(0.0)
}

fn closeness(a: Option<Rgba>, b: Option<Rgba>) -> f64 {
    match (a, b) {
        (None, None) => 1.0,
        (Some(a), Some(b)) => {
            // The channel that differs most decides, so that one other hue is not averaged away.
            let by = [a.r - b.r, a.g - b.g, a.b - b.b, a.a - b.a];
            1.0 - by.iter().map(|channel| channel.abs()).fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// Shares of the words of both that they have in common (Dice). Both lists are in order.
fn words_in_common(a: &[u32], b: &[u32]) -> f64 {
    let total = a.len() + b.len();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut common = 0_u32;
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        let order = one.cmp(other);
        common += u32::from(order.is_eq());
        // Both lists are in order: whoever is behind goes on, and both do where they meet.
        a.next_if(|_| order.is_le());
        b.next_if(|_| order.is_ge());
    }
    if total == 0 { 0.0 } else { 2.0 * f64::from(common) / total as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words by how often they come, as the definition has it.
    fn slow_words_in_common(a: &str, b: &str) -> f64 {
        fn count(text: &str, word: &str) -> usize {
            text.split(' ').filter(|it| *it == word).count()
        }
        let mut words: Vec<&str> = a.split(' ').collect();
        words.sort_unstable();
        words.dedup();
        let common: usize = words.iter().map(|word| count(a, word).min(count(b, word))).sum();
        2.0 * common as f64 / (a.split(' ').count() + b.split(' ').count()) as f64
    }

    proptest! {
        #[test]
        fn words_count_as_often_as_both_have_them(
            a in "[a-c]( [a-c]){0,6}",
            b in "[a-c]( [a-c]){0,6}",
        ) {
            let mut words = WordNumbers::default();
            let found = words_in_common(&words.numbers_of(&a), &words.numbers_of(&b));
            prop_assert_eq!(found, slow_words_in_common(&a, &b));
        }

        #[test]
        fn the_best_left_are_the_best_there_are(
            values in prop::collection::vec((0..9_u32, 0..9_u32, 0..9_u32), 0..40_000)
        ) {
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let mut best = values;
            let rest = split_off_all_but_the_best(&mut best);
            prop_assert_eq!(best.len() + rest.len(), sorted.len());
            best.sort_unstable();
            prop_assert_eq!(&best[..], &sorted[..best.len()]);
        }
    }

    #[test]
    fn words_count_whatever_their_case() {
        let mut words = WordNumbers::default();
        let [a, b] = ["Sign in", "SIGN IN"].map(|text| words.numbers_of(text));
        assert_eq!(words_in_common(&a, &b), 1.0);
        assert_eq!(words_in_common(&[], &[]), 0.0);
    }

    #[test]
    fn what_is_around_a_place_is_as_many_as_may_be() {
        let list = [10, 11, 12, 13, 14];
        assert_eq!(around(&list, 0, 2), [10, 11]);
        assert_eq!(around(&list, 3, 2), [12, 13]);
        assert_eq!(around(&list, 9, 3), [12, 13, 14]);
        assert_eq!(around(&list, 2, 99), list);
        assert_eq!(around(&list, 2, 0).len(), 1);
        assert!(around(&[], 2, 3).is_empty());
    }
}
