//! What the words of a query say, as this planner reads them: places, sizes and colours.
//!
//! The reading is the planner's own. The check that plans are measured by reads the same words by rules
//! of its own (`metric::constraint`), and nothing of it is used here: what this planner misunderstands
//! is found, and not agreed upon.

use std::str::FromStr as _;

use crate::base::Rect;

/// A third of a side of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Third {
    /// At the top, or on the left.
    First,
    /// In the middle.
    Middle,
    /// At the bottom, or on the right.
    Last,
}

/// How a component stands to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Below,
    Above,
    LeftOf,
    RightOf,
    Around,
    /// Behind it, over it or in it: at the same place.
    On,
}

/// Where a component is to go.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Position {
    pub(super) across: Option<Third>,
    pub(super) down: Option<Third>,
    /// To which others it stands, by the words that name them.
    pub(super) relations: Vec<(Relation, String)>,
    /// Between which two others.
    pub(super) between: Option<[String; 2]>,
    /// The part of the page that it fills, in shares.
    pub(super) covers: Option<Rect>,
    /// The part of the page that it is scattered over, in shares.
    pub(super) scattered: Option<Rect>,
    /// Phrases of which nothing could be read.
    pub(super) unread: Vec<String>,
}

/// Words of relation, the longer ones first.
const RELATIONS: [(&str, Relation); 21] = [
    ("to the left of", Relation::LeftOf),
    ("to the right of", Relation::RightOf),
    ("on the left of", Relation::LeftOf),
    ("on the right of", Relation::RightOf),
    ("on top of", Relation::On),
    ("in front of", Relation::On),
    ("left of", Relation::LeftOf),
    ("right of", Relation::RightOf),
    ("next to", Relation::RightOf),
    ("underneath", Relation::Below),
    ("surrounding", Relation::Around),
    ("overlapping", Relation::On),
    ("beneath", Relation::Below),
    ("beside", Relation::RightOf),
    ("behind", Relation::On),
    ("around", Relation::Around),
    ("inside", Relation::On),
    ("below", Relation::Below),
    ("above", Relation::Above),
    ("under", Relation::Below),
    ("over", Relation::On),
];

/// Words of something that is all over its part of the page.
const SCATTERED: [&str; 7] =
    ["scattered", "spread", "throughout", "everywhere", "sprinkled", "distributed", "floating"];
/// Words of something that fills its part of the page.
const FILLS: [&str; 9] =
    ["cover", "covers", "covering", "fill", "fills", "filling", "full", "entire", "whole"];
const CENTERED: [&str; 6] = ["center", "centre", "centered", "centred", "middle", "central"];

/// Words before a component's name.
const ARTICLES: [&str; 9] = ["the", "a", "an", "its", "all", "other", "main", "both", "directly"];

impl Position {
    /// What a position says. Its phrases are read in turn; what an earlier one says counts.
    pub(super) fn read(text: &str) -> Self {
        // Queries write `bottom-right` and `bottom_right` for the same.
        let text = text.to_lowercase().replace(['_', '-'], " ");
        let mut position = Self::default();
        for phrase in text.split([',', ';', '.', '(', ')']) {
            let words: Vec<&str> = phrase.split_whitespace().collect();
            if !words.is_empty() && !position.read_phrase(&words.join(" ")) {
                position.unread.push(words.join(" "));
            }
        }
        position
    }

    /// Takes a phrase in; whether anything of it could be read.
    fn read_phrase(&mut self, phrase: &str) -> bool {
        // Two others at once: before the relations to one, which would read half of it.
        if let Some((before, names)) = split_at_words(phrase, "between")
            && let Some((one, other)) = split_at_words(names, "and")
        {
            // The first phrase counts, here as in everything below.
            self.between = self.between.take().or(Some([named(one), named(other)]));
            self.read_places(before);
            return true;
        }
        // The first that stands in the phrase: the longer ones come first, as `on top of` holds a place.
        for (words, relation) in RELATIONS {
            let Some((before, name)) = split_at_words(phrase, words) else { continue };
            let name = named(name);
            // `above` alone, or `over the page`, is a place and no relation.
            if name.is_empty() || ["page", "background", "design", "cover"].contains(&&*name) {
                continue;
            }
            self.relations.push((relation, name));
            self.read_places(before);
            return true;
        }
        self.read_places(phrase)
    }

    fn read_places(&mut self, phrase: &str) -> bool {
        let words: Vec<&str> = phrase.split(' ').collect();
        // With words of both ends, such as `from top to bottom`, the phrase names neither.
        let down = match (
            has_any(&words, &["top", "upper", "head", "header"]),
            has_any(&words, &["bottom", "lower", "foot", "footer"]),
        ) {
            (true, false) => Some(Third::First),
            (false, true) => Some(Third::Last),
            _ => None,
        };
        let across = match (words.contains(&"left"), words.contains(&"right")) {
            (true, false) => Some(Third::First),
            (false, true) => Some(Third::Last),
            _ => None,
        };
        let part = part(across, down, phrase);
        if has_any(&words, &SCATTERED) {
            self.scattered = self.scattered.or(Some(part));
            return true;
        }
        // `In the background` is all of it; `in the top left background` is a place.
        let is_behind_all = words.contains(&"background") && across.is_none() && down.is_none();
        if has_any(&words, &FILLS) || is_behind_all {
            self.covers = self.covers.or(Some(part));
            return true;
        }
        // What is centred without a word of the other direction is centred in both.
        let (horizontally, vertically) =
            (words.contains(&"horizontally"), words.contains(&"vertically"));
        let is_centered = has_any(&words, &CENTERED);
        let middle_across = is_centered && (horizontally || !vertically);
        let middle_down = is_centered && (vertically || !horizontally);
        let across = across.or(middle_across.then_some(Third::Middle));
        let down = down.or(middle_down.then_some(Third::Middle));
        self.across = self.across.or(across);
        self.down = self.down.or(down);
        across.is_some() || down.is_some()
    }
}

fn has_any(words: &[&str], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(word))
}

/// The part of the page that places name, in shares: the half or third at their sides.
fn part(across: Option<Third>, down: Option<Third>, phrase: &str) -> Rect {
    let share = if phrase.contains("third") {
        1.0 / 3.0
    } else if phrase.contains("quarter") {
        0.25
    } else {
        0.5
    };
    let [(x, width), (y, height)] = [across, down].map(|third| match third {
        Some(Third::First) => (0.0, share),
        Some(Third::Middle) => (f64::midpoint(0.0, 1.0 - share), share),
        Some(Third::Last) => (1.0 - share, share),
        // No word of this direction: all of it.
        None => (0.0, 1.0),
    });
    Rect::new(x, y, width, height)
}

/// What stands before and after these words, where they stand as whole words.
fn split_at_words<'a>(phrase: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
    let mut from = 0;
    while let Some(found) = phrase.get(from..)?.find(words) {
        let (start, end) = (from + found, from + found + words.len());
        let (before, after) = (phrase.get(..start)?, phrase.get(end..)?);
        // `under` stands in `thunder` too.
        let is_whole = (before.is_empty() || before.ends_with(' '))
            && (after.is_empty() || after.starts_with(' '));
        if is_whole {
            return Some((before.trim(), after.trim()));
        }
        from = end;
    }
    None
}

/// The words of a component's name, without what stands before it.
fn named(words: &str) -> String {
    let words = words.split(' ').filter(|word| !ARTICLES.contains(word));
    words.collect::<Vec<_>>().join(" ")
}

/// How large something is to be, of all its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Small,
    Medium,
    Large,
    Huge,
    /// As large as the page.
    Page,
}

impl Extent {
    /// The extent in these words; `None` if there is none in them.
    pub(super) fn read(words: &str) -> Option<Self> {
        let words = words.to_lowercase().replace(['_', '-'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        // From the largest on, as `medium to large` is to be seen rather than missed.
        let extents: [(&[&str], Self); 5] = [
            (&["full", "whole", "entire", "covering", "cover", "covers", "background"], Self::Page),
            (&["huge", "massive", "giant", "enormous", "extra", "very", "largest"], Self::Huge),
            (&["large", "big", "larger", "bold"], Self::Large),
            (&["medium", "moderate", "regular", "normal"], Self::Medium),
            (&["small", "tiny", "smaller", "little", "fine"], Self::Small),
        ];
        let extent = extents.into_iter().find(|(list, _)| has_any(&words, list))?.1;
        // `Very` and `extra` only strengthen what stands beside them.
        let is_small = extent == Self::Huge && words.contains(&"small");
        Some(if is_small { Self::Small } else { extent })
    }

    /// The share of the page that a picture of this extent gets.
    pub(super) fn share_of_page(self) -> f64 {
        match self {
            Self::Small => 0.06,
            Self::Medium => 0.15,
            Self::Large => 0.3,
            Self::Huge => 0.45,
            Self::Page => 1.0,
        }
    }
}

/// Colours that people name and CSS does not, each by the nearest that it has, or in digits.
const MORE_COLORS: [(&str, &str); 24] = [
    ("cream", "#fffdd0"),
    ("burgundy", "#800020"),
    ("mustard", "#e1ad01"),
    ("charcoal", "#36454f"),
    ("peach", "peachpuff"),
    ("emerald", "#50c878"),
    ("sage", "#9caf88"),
    ("terracotta", "#c8644b"),
    ("mint", "#98ff98"),
    ("rose", "#e8747c"),
    ("amber", "#ffbf00"),
    ("blush", "#f4c2c2"),
    ("copper", "#b87333"),
    ("bronze", "#cd7f32"),
    ("rust", "#b7410e"),
    ("ruby", "#9b111e"),
    ("sapphire", "#0f52ba"),
    ("lilac", "#c8a2c8"),
    ("mauve", "#b784a7"),
    ("taupe", "#8b7d70"),
    ("sand", "#d9c6a0"),
    ("ochre", "#cc7722"),
    ("apricot", "#fbceb1"),
    ("offwhite", "#faf9f6"),
];

/// The colour in these words: the last that is one, as `navy blue` is a blue and `golden yellow` a
/// yellow, made darker or lighter by the words beside it. `None`: there is none.
pub(super) fn read_color(words: &str) -> Option<[u8; 3]> {
    let words = words.to_lowercase().replace(['_', '-'], " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    // Of two words the CSS name that both make, such as `forest green`, says more than either.
    let pair = words.windows(2).rev().find_map(|pair| by_name(&pair.concat()));
    let color = pair.or_else(|| words.iter().rev().find_map(|word| by_name(word)))?;
    if pair.is_some() {
        return Some(color);
    }
    let (end, share) = if has_any(&words, &["dark", "deep", "midnight", "rich"]) {
        (0.0, 0.4)
    } else if has_any(&words, &["light", "pale", "pastel", "soft", "faint"]) {
        (255.0, 0.55)
    } else {
        return Some(color);
    };
    // So far towards black or white, channel by channel.
    Some(color.map(|channel| (f64::from(channel) * (1.0 - share) + end * share).round() as u8))
}

fn by_name(word: &str) -> Option<[u8; 3]> {
    let more = MORE_COLORS.iter().find(|(name, _)| *name == word);
    let word = match word {
        "golden" => "gold",
        "silvery" => "silver",
        other => more.map_or(other, |(_, color)| color),
    };
    // `transparent` and its like are no colour that anything could have.
    let color = svgtypes::Color::from_str(word).ok().filter(|color| color.alpha == 255)?;
    Some([color.red, color.green, color.blue])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_a_word_for_each_direction_and_centred_stands_for_the_rest() {
        for (text, across, down) in [
            ("top center", Some(Third::Middle), Some(Third::First)),
            ("centered", Some(Third::Middle), Some(Third::Middle)),
            ("bottom-right corner", Some(Third::Last), Some(Third::Last)),
            ("horizontally centered", Some(Third::Middle), None),
            ("left side", Some(Third::First), None),
        ] {
            let read = Position::read(text);
            assert_eq!((read.across, read.down), (across, down), "{text}");
        }
    }

    #[test]
    fn relations_name_components_and_keep_the_place_before_them() {
        let read = Position::read("centered, directly below the main title");
        assert_eq!(read.relations, [(Relation::Below, "title".to_owned())]);
        assert_eq!(read.across, Some(Third::Middle));
        let read = Position::read("to the left of the red bird");
        assert_eq!(read.relations, [(Relation::LeftOf, "red bird".to_owned())]);
        let read = Position::read("between the title and the author");
        assert_eq!(read.between, Some(["title".to_owned(), "author".to_owned()]));
        assert!(Position::read("somewhere nice").unread.len() == 1);
    }

    #[test]
    fn what_fills_or_is_scattered_says_over_which_part() {
        let read = Position::read("covering the lower half");
        assert_eq!(read.covers, Some(Rect::new(0.0, 0.5, 1.0, 0.5)));
        let read = Position::read("scattered across the upper third");
        assert_eq!(read.scattered, Some(Rect::new(0.0, 0.0, 1.0, 1.0 / 3.0)));
        assert_eq!(Position::read("background").covers, Some(Rect::new(0.0, 0.0, 1.0, 1.0)));
    }

    #[test]
    fn sizes_and_colours_are_read_out_of_what_stands_beside_them() {
        assert_eq!(Extent::read("very large"), Some(Extent::Huge));
        assert_eq!(Extent::read("Full-Background"), Some(Extent::Page));
        assert_eq!(Extent::read("border"), None);
        assert_eq!(read_color("Forest Green"), Some([34, 139, 34]));
        assert_eq!(read_color("dark red"), Some([139, 0, 0]));
        assert_eq!(read_color("deep purple"), Some([77, 0, 77]));
        assert_eq!(read_color("off-white"), Some([250, 249, 246]));
        assert_eq!(read_color("a starry night"), None);
    }

    proptest::proptest! {
        #[test]
        fn any_words_are_read(words in proptest::prelude::any::<String>()) {
            Position::read(&words);
            Extent::read(&words);
            read_color(&words);
        }
    }
}
