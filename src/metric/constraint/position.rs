//! Positions in words: `top center, below the title`, `centered, covering the lower half`.
//!
//! A heuristic, whose words and shares are [`heuristic`](super::heuristic)'s. A phrase is divided at commas and at
//! words of relation into clauses, each of which has a rule ([`Clause`]); what no rule is for is said word for word.
//! [`place`](super::place) holds a clause against boxes.

use crate::base::Rect;

use super::heuristic::{
    ALL, CENTERED, COVERING, FILLERS, FIRST, LAST, MID_BOTTOM, MIDDLE, MIDDLE_SHARE,
    MORE_THAN_HALF, MOST, OVER_WHAT, RELATIONS, SPAN_WORDS, SPREADING,
};

/// One part of a position, with its rule. Boxes are shares of the page, 0..=1 from its top left.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// The middle of the box is in this part of the page.
    Zone(Zone),
    /// The box stands so to another component.
    Relation(Relation, String),
    /// The middle of the box is between those of two others, down or across.
    Between(String, String),
    /// The box covers so much of this part of the page, at least.
    Covers(Rect, f64),
    /// The component is all over this part of the page.
    Spread(Rect),
    /// The component comes near these sides of the page: top, right, bottom, left.
    Reaches([bool; 4]),
}

/// A part of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zone {
    /// Across: the smallest and largest place of the middle of the box.
    pub across: Option<[f64; 2]>,
    /// Down, likewise.
    pub down: Option<[f64; 2]>,
}

/// How a box stands to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It begins where the other ends, further down.
    Below,
    /// It ends where the other begins, further up.
    Above,
    /// It ends where the other begins, further left.
    LeftOf,
    /// It begins where the other ends, further right.
    RightOf,
    /// The other's middle is inside of it, or of all its parts together.
    Around,
    /// It is drawn before the other, and they overlap.
    Behind,
    /// It is drawn after the other, and they overlap.
    Over,
    /// It lies inside the other.
    Inside,
}

/// A clause, or the words that no rule is for.
pub type Parsed = Result<Clause, String>;

/// The page.
const PAGE: Rect = Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };

/// The clauses of a position, in their order.
pub fn clauses(phrase: &str) -> Vec<Parsed> {
    let phrase = phrase.to_lowercase().replace(['_', '-'], " ").replace("\\'", "'");
    // "centered" before "below the title" says nothing of how far down, as the relation does.
    let has_relation =
        ["below", "above", "under", "between"].iter().any(|word| words(&phrase).contains(word));
    let segments = phrase.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    segments.flat_map(|segment| segment_clauses(segment, has_relation)).collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// The clauses of what stands between commas.
fn segment_clauses(segment: &str, has_relation: bool) -> Vec<Parsed> {
    let words = words(segment);
    let unknown = vec![Err(segment.to_owned())];
    // Sides come first: "left and right" would else be the zone that was said last.
    if let Some(clauses) = sides(&words) {
        return vec![Ok(clauses)];
    }
    if let Some((at, length, relation)) = relation(&words) {
        let target = named(&words[at + length..]);
        let spread = words[..at].iter().any(|word| SPREADING.contains(word));
        let mut clauses = if spread { Vec::new() } else { zone_clauses(&words[..at], true) };
        // "below the title and above the author" in one breath: which half is meant cannot be told.
        let is_double = RELATIONS.iter().any(|word| target.split(' ').any(|part| part == *word));
        clauses.push(match relation {
            _ if is_double => Err(segment.to_owned()),
            None => between(&target).ok_or_else(|| segment.to_owned()),
            Some(_) if target.is_empty() => Err(segment.to_owned()),
            Some(relation) => Ok(Clause::Relation(relation, target)),
        });
        return clauses;
    }
    // What is said before the covering is a place of its own: "centered, covering the lower half".
    if let Some(at) = words.iter().position(|word| COVERING.contains(word)) {
        let zone = zone_clauses(&words[..at], has_relation);
        let Some((span, share)) = span(&words[at..]) else { return unknown };
        return zone.into_iter().chain([Ok(Clause::Covers(span, share))]).collect();
    }
    if has_any(&words, SPREADING) {
        let rest: Vec<&str> =
            words.iter().filter(|word| !SPREADING.contains(word)).copied().collect();
        return match span(&rest) {
            Some((span, _)) => vec![Ok(Clause::Spread(span))],
            None => unknown,
        };
    }
    if words.contains(&"background") {
        let known = ["background", "pattern", "image", "centered", "center"];
        let is_whole = words.iter().all(|word| known.contains(word) || FILLERS.contains(word));
        return if is_whole { vec![Ok(Clause::Covers(PAGE, ALL))] } else { unknown };
    }
    let clauses = zone_clauses(&words, has_relation);
    if clauses.is_empty() { unknown } else { clauses }
}

fn has_any(words: &[&str], wanted: &[&str]) -> bool {
    words.iter().any(|word| wanted.contains(word))
}

/// Where a relation stands in words, how many words it has, and which it is; `None` for `between`.
fn relation(words: &[&str]) -> Option<(usize, usize, Option<Relation>)> {
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let after = words.get(at + 2).copied().unwrap_or_default();
        let found = match (*word, next, after) {
            ("below" | "under" | "underneath" | "beneath", ..) => (1, Some(Relation::Below)),
            ("above", ..) => (1, Some(Relation::Above)),
            ("left", "of", _) => (2, Some(Relation::LeftOf)),
            ("right", "of" | "next", _) => (2, Some(Relation::RightOf)),
            ("left", "side", "of") => (3, Some(Relation::LeftOf)),
            ("right", "side", "of") => (3, Some(Relation::RightOf)),
            ("around" | "surrounding", ..) => (1, Some(Relation::Around)),
            ("behind", ..) => (1, Some(Relation::Behind)),
            ("overlapping" | "overlapped" | "over", "with", _) => (2, Some(Relation::Over)),
            ("overlapping", ..) => (1, Some(Relation::Over)),
            ("over", "the", what) if OVER_WHAT.contains(&what) => (1, Some(Relation::Over)),
            ("in", "front", "of") => (3, Some(Relation::Over)),
            ("inside" | "within", ..) => (1, Some(Relation::Inside)),
            ("between", ..) => (1, None),
            _ => continue,
        };
        // "the left side of the cover" is a part of the page, and stands to nothing.
        let target = named(&words[at + found.0..]);
        let is_page = ["cover", "card", "page", "document", "postcard"].contains(&target.as_str());
        if !is_page {
            return Some((at, found.0, found.1));
        }
    }
    None
}

/// The name of a component, without articles and what belongs to it.
fn named(words: &[&str]) -> String {
    let words = words.iter().map(|word| word.trim_end_matches("'s"));
    let said = words.filter(|word| !["the", "a", "an", "its", "of", "to"].contains(word));
    said.collect::<Vec<_>>().join(" ")
}

fn between(target: &str) -> Option<Clause> {
    let (a, b) = target.split_once(" and ")?;
    (!a.is_empty() && !b.is_empty()).then(|| Clause::Between(a.to_owned(), b.to_owned()))
}

/// Edges, borders and corners: the sides that something comes near.
fn sides(words: &[&str]) -> Option<Clause> {
    let marks = ["edges", "edge", "border", "borders", "corners", "sides"];
    let named = ["top", "right", "bottom", "left"].map(|side| words.contains(&side));
    let count = named.iter().filter(|side| **side).count();
    // "top left" is a zone; "top and left" are two sides, marked as such or not.
    let is_joined = words.contains(&"and") && count >= 2;
    let places = ["top", "right", "bottom", "left", "around", "along", "covering", "corner"];
    let is_known =
        words.iter().all(|word| [&marks[..], FILLERS, SPREADING, &places].concat().contains(word));
    if !(has_any(words, &marks) || is_joined) || !is_known {
        return None;
    }
    let reached = match count {
        0 if words.contains(&"sides") => [false, true, false, true],
        0 => [true; 4],
        // The top corners are at both sides.
        _ if words.contains(&"corners") && !named[1] && !named[3] => {
            [named[0], true, named[2], true]
        }
        _ if words.contains(&"sides") => [named[0], true, named[2], true],
        _ => named,
    };
    Some(Clause::Reaches(reached))
}

/// A part of the page by words such as `top center`, or the words that no rule is for; nothing if
/// there is no word.
fn zone_clauses(words: &[&str], has_relation: bool) -> Vec<Parsed> {
    let mut zone = Zone::default();
    let (mut is_centered, mut said) = (false, false);
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        match *word {
            "top" | "upper" | "above" => zone.down = Some(part_of(next, FIRST, [0.0, 0.5])),
            "bottom" | "lower" => zone.down = Some(part_of(next, LAST, [0.5, 1.0])),
            // Not centred: the word after it says where, and both together below.
            "mid" if ["bottom", "lower"].contains(&next) => {}
            "left" => zone.across = Some(FIRST),
            "right" => zone.across = Some(LAST),
            "center" | "centered" | "centre" | "central" | "middle" | "mid" => is_centered = true,
            "two" | "thirds" => {}
            word if FILLERS.contains(&word) => continue,
            _ => return vec![Err(words.join(" "))],
        }
        said = true;
    }
    if is_centered {
        let has_down = zone.down.is_some() || has_relation;
        // "center left" is centred the other way; "center" alone both ways.
        if zone.across.is_some() && zone.down.is_none() {
            zone.down = Some(MIDDLE);
        } else if zone.across.is_none() {
            zone.across = Some(CENTERED);
            if !has_down {
                zone.down = Some(MIDDLE);
            }
        }
    }
    // "mid-bottom": the second word has moved the zone to the very bottom.
    if words.windows(2).any(|pair| pair[0] == "mid" && ["bottom", "lower"].contains(&pair[1])) {
        zone.down = Some(MID_BOTTOM);
    }
    if said { vec![Ok(Clause::Zone(zone))] } else { Vec::new() }
}

fn part_of(next: &str, usual: [f64; 2], half: [f64; 2]) -> [f64; 2] {
    if ["half", "two", "part", "portion"].contains(&next) { half } else { usual }
}

/// The part of the page that words such as `the lower two thirds` name, and how much of it something
/// has to cover; `None` for other words.
fn span(words: &[&str]) -> Option<(Rect, f64)> {
    // One word that is not known may turn the meaning round, so the rule does not guess.
    if !words
        .iter()
        .all(|word| FILLERS.contains(word) || COVERING.contains(word) || SPAN_WORDS.contains(word))
    {
        return None;
    }
    let (top, bottom) = (has_any(words, &["top", "upper"]), has_any(words, &["bottom", "lower"]));
    let middle = has_any(words, &["middle", "mid", "center"]);
    // "thirds" are two of them; where nothing is said of how much, a half is meant.
    let height = if has_any(words, &["thirds", "two"]) {
        2.0 / 3.0
    } else if words.contains(&"third") {
        1.0 / 3.0
    } else {
        0.5
    };
    Some(match (top, middle, bottom) {
        (true, _, true) => (PAGE, MOST),
        (true, false, false) => (Rect { height, ..PAGE }, MOST),
        (false, false, true) => (Rect { y: 1.0 - height, height, ..PAGE }, MOST),
        (false, true, true) => (Rect { y: 0.4, height: 0.6, ..PAGE }, MOST),
        (true, true, false) => (Rect { height: 0.6, ..PAGE }, MOST),
        (false, true, false) => (Rect { y: 0.25, height: 0.5, ..PAGE }, MIDDLE_SHARE),
        (false, false, false) if has_any(words, &["most", "majority", "partially"]) => {
            (PAGE, MORE_THAN_HALF)
        }
        (false, false, false) => (PAGE, ALL),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(phrase: &str) -> Clause {
        let mut found = clauses(phrase);
        assert_eq!(found.len(), 1, "{phrase}: {found:?}");
        found.remove(0).unwrap()
    }

    fn zone(across: Option<[f64; 2]>, down: Option<[f64; 2]>) -> Clause {
        Clause::Zone(Zone { across, down })
    }

    /// A clause in the words of the held-out phrases.
    fn in_words(clause: &Parsed) -> String {
        fn across([low, high]: [f64; 2]) -> &'static str {
            match low + high {
                sum if sum < 0.9 => "left",
                sum if sum > 1.1 => "right",
                _ => "center",
            }
        }
        fn down([low, high]: [f64; 2]) -> &'static str {
            match low + high {
                sum if sum < 0.9 => "top",
                sum if sum > 1.1 => "bottom",
                _ => "middle",
            }
        }
        fn part(rect: Rect) -> &'static str {
            match rect.y + rect.height / 2.0 {
                middle if middle < 0.4 => "top",
                middle if middle > 0.6 => "bottom",
                _ if rect.height < 0.9 => "middle",
                _ => "page",
            }
        }
        match clause {
            Err(_) => "unknown".to_owned(),
            Ok(Clause::Zone(zone)) => {
                format!("zone {} {}", zone.across.map_or("-", across), zone.down.map_or("-", down))
            }
            Ok(Clause::Relation(relation, name)) => {
                let word = match relation {
                    Relation::LeftOf => "left of".to_owned(),
                    Relation::RightOf => "right of".to_owned(),
                    other => format!("{other:?}").to_lowercase(),
                };
                format!("{word} {name}")
            }
            Ok(Clause::Between(a, b)) => format!("between {a}, {b}"),
            Ok(Clause::Covers(rect, _)) => format!("covers {}", part(*rect)),
            Ok(Clause::Spread(rect)) => format!("spread {}", part(*rect)),
            Ok(Clause::Reaches(sides)) => {
                let named = ["top", "right", "bottom", "left"].into_iter().zip(sides);
                let reached: Vec<&str> =
                    named.filter(|(_, is_reached)| **is_reached).map(|(name, _)| name).collect();
                format!("reaches {}", reached.join(" "))
            }
        }
    }

    /// How phrases are read that had no part in choosing words and shares: as they are meant, in part
    /// not at all, or as something else, which is what to fear.
    #[test]
    fn of_phrases_that_shaped_nothing_so_many_are_read_as_they_are_meant() {
        let held_out: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/data/held_out/positions.json"))
                .unwrap();
        let (mut right, mut refused, mut wrong) = (0, 0, Vec::new());
        for it in held_out["phrases"].as_array().unwrap() {
            let phrase = it["phrase"].as_str().unwrap();
            let mut read: Vec<String> = clauses(phrase).iter().map(in_words).collect();
            let means = it["means"].as_array().unwrap().iter();
            let mut means: Vec<&str> = means.map(|means| means.as_str().unwrap()).collect();
            read.sort_unstable();
            means.sort_unstable();
            if read == means {
                right += 1;
            } else if read.iter().any(|clause| clause == "unknown") || read.is_empty() {
                refused += 1;
            } else {
                wrong.push(format!("{phrase:?} is read as {read:?}"));
            }
        }
        assert_eq!((right, refused, wrong.len()), HELD_OUT, "{wrong:#?}");
    }

    /// Of 60 phrases: right, not understood in part or at all, and wrong.
    const HELD_OUT: (usize, usize, usize) = (42, 16, 2);

    #[test]
    fn parts_of_the_page_are_understood() {
        for (phrase, expected) in [
            ("top center", zone(Some(CENTERED), Some(FIRST))),
            ("bottom_center", zone(Some(CENTERED), Some(LAST))),
            ("centered at the top", zone(Some(CENTERED), Some(FIRST))),
            ("centered", zone(Some(CENTERED), Some(MIDDLE))),
            ("centered in the middle of the cover", zone(Some(CENTERED), Some(MIDDLE))),
            ("bottom right corner", zone(Some(LAST), Some(LAST))),
            ("left center", zone(Some(FIRST), Some(MIDDLE))),
            ("centered in the lower half", zone(Some(CENTERED), Some([0.5, 1.0]))),
            ("right side of the cover", zone(Some(LAST), None)),
        ] {
            assert_eq!(only(phrase), expected, "{phrase}");
        }
    }

    #[test]
    fn relations_name_what_they_are_to() {
        fn relation(relation: Relation, name: &str) -> Clause {
            Clause::Relation(relation, name.to_owned())
        }
        for (phrase, expected) in [
            ("below the title", relation(Relation::Below, "title")),
            ("above the author\\'s name", relation(Relation::Above, "author name")),
            ("left of the company name", relation(Relation::LeftOf, "company name")),
            ("surrounding the message", relation(Relation::Around, "message")),
            ("inside the light bulb", relation(Relation::Inside, "light bulb")),
            (
                "between the tagline and the author name",
                Clause::Between("tagline".to_owned(), "author name".to_owned()),
            ),
        ] {
            assert_eq!(only(phrase), expected, "{phrase}");
        }
        let found = clauses("below the company name, centered");
        assert_eq!(
            found[1],
            Ok(zone(Some(CENTERED), None)),
            "only across: the relation says the rest"
        );
        let found = clauses("centered below the title");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn what_covers_spreads_or_reaches_has_its_part_of_the_page() {
        fn rect(y: f64, height: f64) -> Rect {
            Rect { y, height, ..PAGE }
        }
        for (phrase, expected) in [
            ("covering the lower half of the cover", Clause::Covers(rect(0.5, 0.5), MOST)),
            ("background", Clause::Covers(PAGE, ALL)),
            ("spread across the top half of the cover", Clause::Spread(rect(0.0, 0.5))),
            ("around the edges", Clause::Reaches([true; 4])),
            ("top corners", Clause::Reaches([true, true, false, true])),
            ("bottom left and right", Clause::Reaches([false, true, true, true])),
        ] {
            assert_eq!(only(phrase), expected, "{phrase}");
        }
    }

    #[test]
    fn what_no_rule_is_for_is_said_word_for_word() {
        let found = clauses("centered, intertwined with the dark forest");
        assert_eq!(found[1], Err("intertwined with the dark forest".to_owned()));
        assert_eq!(clauses("shooting diagonally").len(), 1);
        assert!(clauses("").is_empty());
        assert_eq!(clauses("above and below the message").len(), 1);
        for phrase in ["between", "below", "left of", ",,;", "and", "the", "above and below it"] {
            assert!(clauses(phrase).iter().all(Result::is_err), "{phrase}");
        }
    }
}
