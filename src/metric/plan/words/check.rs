//! The rules, step by step.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::clash::{Clash, ClashRule};
use super::heuristic::{
    ActionEffect, COLOR_REACHES, GROUND, HALF_OTHER, HALF_TEXT, LAID_ON, NOT_SMALLER, PARTS,
    SAME_PLACE, SAME_POINTS,
};
use super::layers::{DescribedLayer, Document, LayerKind, both, color, number};
use super::reading::StepWords;
use crate::graphictown::Expert;
use crate::metric::constraint::{
    Clause, ColorName, Query, TextClass, WantedSize, clauses, name_words,
};
use crate::metric::plan::PlanStep;

/// Names of parts, across and down.
const ACROSS_NAMES: [&str; 3] = ["left", "center", "right"];
const DOWN_NAMES: [&str; 3] = ["top", "middle", "bottom"];
/// Most characters of what a clash quotes.
const QUOTED: usize = 80;

/// Goes through a workflow and keeps what there is.
pub(super) struct Checker<'a> {
    query: &'a Query,
    documents: BTreeMap<Expert, Document>,
}

/// A step as the rules see it.
struct At<'a> {
    number: usize,
    expert: Expert,
    action: &'a str,
    given: &'a Map<String, Value>,
    said: &'a StepWords,
    layer: Option<&'a str>,
}

/// What clashes: the words, and what the step sets.
type FoundClash = Option<(ClashRule, String, String)>;

impl<'a> Checker<'a> {
    pub(super) fn new(query: &'a Query) -> Self {
        Self { query, documents: BTreeMap::new() }
    }

    /// The first rule that the step breaks; the step is done in any case.
    pub(super) fn check(&mut self, number: usize, step: &PlanStep) -> Option<Clash> {
        let (Some(action), Some(given)) = (step.action.as_deref(), step.parameters.as_ref()) else {
            return None;
        };
        let expert = step.expert.as_deref().and_then(Expert::from_name)?;
        let said = StepWords::read(step.description.as_deref().unwrap_or_default());
        let layer = given.get("layerName").and_then(Value::as_str);
        let at = At { number, expert, action, given, said: &said, layer };
        let before = self.of_words(&at).or_else(|| self.of_state(&at));
        self.apply(&at);
        // What is known of a layer only once the step is done.
        let found = before.or_else(|| self.of_components(&at)).or_else(|| self.one_place(&at));
        let (rule, said, set) = found?;
        Some(Clash { step: number, rule, said, set })
    }

    fn document(&self, at: &At<'_>) -> Option<&Document> {
        self.documents.get(&at.expert)
    }

    fn layer(&self, at: &At<'_>) -> Option<&DescribedLayer> {
        self.document(at)?.layers.get(at.layer?)
    }

    /// The step's words against its own action and parameters.
    fn of_words(&self, at: &At<'_>) -> FoundClash {
        if let Some((word, meant)) =
            ActionEffect::of(at.action).and_then(|work| at.said.other_work(work))
        {
            let work =
                ActionEffect::of(at.action).map_or("does something else", ActionEffect::name);
            let said = format!("its words say \"{word}\", which {}", meant.name());
            return Some((ClashRule::Action, said, format!("{} {work}", at.action)));
        }
        // A word about the line of letters, not about a place: only of alignments across is anything said.
        if at.action == "AlignText"
            && let Some(alignment) = at.said.alignment()
            && let Some(given) = at.given.get("alignment").and_then(Value::as_str)
            && ACROSS_NAMES.contains(&given.trim().to_lowercase().as_str())
            && !given.trim().eq_ignore_ascii_case(alignment)
        {
            let said = format!("its words say {alignment}");
            return Some((ClashRule::Place, said, format!("it aligns {given}")));
        }
        if at.action == "CreateText"
            && let Some(text) = at.given.get("textString").and_then(Value::as_str)
            // Of several quotes nobody knows which is the text.
            && let [quoted] = at.said.quoted.as_slice()
            && is_other_text(quoted, text)
        {
            let said = format!("its words quote {:?}", cut(quoted));
            return Some((ClashRule::Wording, said, format!("it writes {:?}", cut(text))));
        }
        if at.action == "ResizeText"
            && let (Some(points), Some(given)) = (at.said.points(), number(at.given, "fontSize"))
            && is_other_size(points, given)
        {
            let said = format!("its words say {points} points");
            return Some((ClashRule::Size, said, format!("it sets {given}")));
        }
        let named = match at.action {
            "ColorText" | "ColorObject" => at.said.color(),
            "SetBackgroundColor" => at.said.background_color(),
            _ => None,
        };
        if let (Some((words, name)), Some(rgb)) = (named, color(at.given))
            && is_other_color(&name, rgb)
        {
            let said = format!("its words say {words}");
            return Some((ClashRule::Color, said, format!("it sets {}", hex(rgb))));
        }
        self.place_in_words(at)
    }

    fn place_in_words(&self, at: &At<'_>) -> FoundClash {
        let share = self.share(at)?;
        let (parts, half) = (at.said.parts(), self.half(at));
        let directions = [(parts.across, ACROSS_NAMES), (parts.down, DOWN_NAMES)];
        directions.into_iter().enumerate().find_map(|(direction, (part, names))| {
            let part = part?;
            let range = PARTS.get(part)?;
            let is_there = overlaps([share[direction], share[direction] + half[direction]], *range);
            if is_there {
                return None;
            }
            let said = format!("its words say {}", names.get(part)?);
            Some((ClashRule::Place, said, put_at(share)))
        })
    }

    /// The place that a step puts its layer at, as shares of the page.
    fn share(&self, at: &At<'_>) -> Option<[f64; 2]> {
        if !at.action.starts_with("Reposition") {
            return None;
        }
        self.document(at)?.share(both(at.given, ["posX", "posY"])?)
    }

    /// Half the layer's size, as shares of the page: places are said by a corner or by the middle.
    fn half(&self, at: &At<'_>) -> [f64; 2] {
        let layer = self.layer(at);
        let known = layer.and_then(|layer| layer.size);
        let known = known.and_then(|size| self.document(at)?.share(size));
        match (known, layer.map(|layer| layer.kind)) {
            (Some([width, height]), _) => [(width / 2.0).abs(), (height / 2.0).abs()],
            (None, Some(LayerKind::Text)) => HALF_TEXT,
            (None, None) if at.action == "RepositionText" => HALF_TEXT,
            (None, _) => HALF_OTHER,
        }
    }

    /// The step against what was there before it.
    fn of_state(&self, at: &At<'_>) -> FoundClash {
        let layer = self.layer(at)?;
        let wanted = LayerKind::wanted_by(at.action)?;
        if layer.kind == wanted {
            return None;
        }
        let (name, made_at) = (at.layer.unwrap_or_default(), layer.made_at);
        let said = format!("{:?} is {} since step {made_at}", cut(name), layer.kind.name());
        Some((ClashRule::Kind, said, format!("{} is for {}", at.action, wanted.name())))
    }

    fn apply(&mut self, at: &At<'_>) {
        if matches!(at.action, "CreateDocument" | "CreateDocumentCustom") {
            let size = both(at.given, ["width", "height"]);
            let size = size.filter(|[width, height]| *width > 0.0 && *height > 0.0);
            let document = Document { size, ..Document::default() };
            self.documents.insert(at.expert, document);
            return;
        }
        let Some(name) = at.layer else { return };
        let components = Components::of(self.query, at, name);
        let document = self.documents.entry(at.expert).or_default();
        if let Some(kind) = LayerKind::made_by(at.action) {
            let layer = DescribedLayer {
                kind,
                made_at: at.number,
                size: both(at.given, ["width", "height"]),
                place: None,
                points: None,
                class: None,
                text: components.text.filter(|_| kind == LayerKind::Text),
                visual: components.visual.filter(|_| kind != LayerKind::Text),
            };
            document.layers.insert(name.to_owned(), layer);
        }
        if at.action.starts_with("Remove") {
            document.layers.remove(name);
        }
        let Some(layer) = document.layers.get_mut(name) else { return };
        if at.action.starts_with("Resize") {
            layer.size = both(at.given, ["width", "height"]).or(layer.size);
            layer.points = number(at.given, "fontSize").or(layer.points);
            let said = at.said.class().filter(|_| at.action == "ResizeText");
            layer.class = said.map(|class| (class, at.number)).or(layer.class);
        }
        if at.action.starts_with("Reposition") {
            layer.place = both(at.given, ["posX", "posY"]).or(layer.place);
        }
    }

    /// The step against the query's components.
    fn of_components(&self, at: &At<'_>) -> FoundClash {
        if at.action == "SetBackgroundColor" {
            let wanted = self.query.background.as_deref()?;
            return is_color_of(wanted, at, "the background");
        }
        // Everything else is about a layer, which the steps before have to have made.
        let layer = self.layer(at)?;
        let text = layer.text.and_then(|place| self.query.texts.get(place));
        let visual = layer.visual.and_then(|place| self.query.visuals.get(place));
        if let Some(text) = text {
            let whose = format!("the {}", cut(&text.role));
            if at.action == "ColorText"
                && let Some(found) =
                    text.color.as_deref().and_then(|it| is_color_of(it, at, &whose))
            {
                return Some(found);
            }
            if let (Some(WantedSize::Points(wanted)), Some(given)) =
                (&text.size, number(at.given, "fontSize"))
                && is_other_size(*wanted, given)
            {
                let said = format!("the components ask for {wanted} points for {whose}");
                return Some((ClashRule::Size, said, format!("it sets {given}")));
            }
            // Words against words: how many points large is, a design decides.
            if let (Some(WantedSize::Words(wanted)), "ResizeText") = (&text.size, at.action)
                && let (Some(wanted), Some(said)) = (TextClass::named(wanted), at.said.class())
                && wanted != said
            {
                let asked = format!("the components ask for {} for {whose}", wanted.word());
                return Some((ClashRule::Size, asked, format!("its words say {}", said.word())));
            }
            if at.action == "CreateText"
                && let (Some(content), Some(given)) =
                    (&text.content, at.given.get("textString").and_then(Value::as_str))
                && is_other_text(content, given)
            {
                let said = format!("the components ask for {:?} for {whose}", cut(content));
                return Some((ClashRule::Wording, said, format!("it writes {:?}", cut(given))));
            }
        }
        let position = text.and_then(|it| it.position.as_deref());
        let position = position.or_else(|| visual.and_then(|it| it.position.as_deref()));
        self.size_order(at, layer).or_else(|| self.component_place(at, position?))
    }

    /// A text whose words say it is smaller than another's and that is as large.
    fn size_order(&self, at: &At<'_>, layer: &DescribedLayer) -> FoundClash {
        let (class, said_at) = layer.class.filter(|_| at.action == "ResizeText")?;
        let points = layer.points.filter(|_| said_at == at.number)?;
        self.document(at)?.layers.iter().find_map(|(name, other)| {
            let (other_class, other_at) = other.class?;
            let other_points = other.points?;
            let clashes = other_at != said_at
                && match class.cmp(&other_class) {
                    std::cmp::Ordering::Less => points > other_points * NOT_SMALLER,
                    std::cmp::Ordering::Greater => other_points > points * NOT_SMALLER,
                    std::cmp::Ordering::Equal => false,
                };
            clashes.then(|| {
                let (class, other_class) = (class.word(), other_class.word());
                let said = format!(
                    "{:?} is {other_class} with {other_points} since step {other_at}",
                    cut(name)
                );
                (ClashRule::Size, said, format!("it is {class} with {points}"))
            })
        })
    }

    fn component_place(&self, at: &At<'_>, position: &str) -> FoundClash {
        let share = self.share(at)?;
        let half = self.half(at);
        let found = clauses(position);
        // With another thing named the place may be right by that.
        let zone = match found.as_slice() {
            [Ok(Clause::Zone(zone))] => *zone,
            _ => return None,
        };
        let is_there = [zone.across, zone.down].into_iter().enumerate().all(|(direction, part)| {
            // A little beyond: the parts of a page have no borders that one could see.
            part.is_none_or(|[low, high]| {
                let here = [share[direction], share[direction] + half[direction]];
                overlaps(here, [low - 0.1, high + 0.1])
            })
        });
        if is_there {
            return None;
        }
        let said = format!("the components ask for {:?}", cut(position));
        Some((ClashRule::ComponentPlace, said, put_at(share)))
    }

    /// Two texts, or two other things, in one place.
    fn one_place(&self, at: &At<'_>) -> FoundClash {
        let share = self.share(at)?;
        if at.said.has_any(LAID_ON) {
            return None;
        }
        let (document, name) = (self.document(at)?, at.layer?);
        let layer = document.layers.get(name)?;
        if document.is_ground(layer, GROUND) {
            return None;
        }
        document.layers.iter().find_map(|(other_name, other)| {
            let [is_text, other_is_text] = [layer, other].map(|it| it.kind == LayerKind::Text);
            let alike = is_text == other_is_text && !document.is_ground(other, GROUND);
            let there = other.place.and_then(|place| document.share(place));
            let near = there.is_some_and(|there| {
                there.iter().zip(share).all(|(a, b)| (a - b).abs() <= SAME_PLACE)
            });
            (alike && near && other_name != name).then(|| {
                let said = format!("{:?} is there", cut(other_name));
                (ClashRule::OnePlace, said, format!("it puts {:?} {}", cut(name), place(share)))
            })
        })
    }
}

/// Which components a layer may be.
struct Components {
    text: Option<usize>,
    visual: Option<usize>,
}

impl Components {
    /// By what a text says, else by the layer's name; where that fits several, none.
    fn of(query: &Query, at: &At<'_>, name: &str) -> Self {
        let words = name_words(name);
        let file = at.given.get("fileName").and_then(Value::as_str).unwrap_or_default();
        let file = name_words(file.rsplit('/').next().unwrap_or(file));
        let given = at.given.get("textString").and_then(Value::as_str);
        let by_content = only(query.texts.iter().map(|text| match (&text.content, given) {
            (Some(content), Some(given)) => letters(content) == letters(given),
            _ => false,
        }));
        let text = by_content.or_else(|| {
            only(query.texts.iter().map(|text| {
                let role = name_words(&text.role);
                !role.is_empty() && role.iter().all(|word| words.contains(word))
            }))
        });
        let visual = only(query.visuals.iter().map(|visual| {
            let wanted = name_words(&visual.name);
            let in_name = wanted.iter().all(|word| words.contains(word));
            let in_file = wanted.iter().all(|word| file.contains(word));
            !wanted.is_empty() && (in_name || in_file)
        }));
        Self { text, visual }
    }
}

/// The place of the one that fits.
fn only(fits: impl Iterator<Item = bool>) -> Option<usize> {
    let found: Vec<usize> =
        fits.enumerate().filter(|(_, fits)| *fits).map(|(place, _)| place).collect();
    if let [one] = found.as_slice() { Some(*one) } else { None }
}

fn is_color_of(wanted: &str, at: &At<'_>, whose: &str) -> FoundClash {
    let (name, rgb) = (ColorName::parse(wanted).ok()?, color(at.given)?);
    is_other_color(&name, rgb).then(|| {
        let said = format!("the components ask for {:?} for {whose}", cut(wanted));
        (ClashRule::Color, said, format!("it sets {}", hex(rgb)))
    })
}

fn is_other_color(name: &ColorName, rgb: [u8; 3]) -> bool {
    name.distance(rgb) > COLOR_REACHES * name.reach
}

fn is_other_size(wanted: f64, given: f64) -> bool {
    (given - wanted).abs() > SAME_POINTS * wanted.abs()
}

/// Letters and digits alone, small.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether neither text is a part of the other, and both are texts.
fn is_other_text(wanted: &str, given: &str) -> bool {
    let (wanted, given) = (letters(wanted), letters(given));
    // A few letters are the name of a layer or a shorthand more often than a text.
    let are_texts = wanted.chars().count() > 3 && given.chars().count() > 3;
    are_texts && !wanted.contains(&given) && !given.contains(&wanted)
}

fn overlaps(one: [f64; 2], other: [f64; 2]) -> bool {
    one[0] <= other[1] && other[0] <= one[1]
}

fn put_at(share: [f64; 2]) -> String {
    format!("it puts it {}", place(share))
}

fn place([x, y]: [f64; 2]) -> String {
    format!("at {:.0} % across and {:.0} % down", 100.0 * x, 100.0 * y)
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A model may name or quote anything at any length.
fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
