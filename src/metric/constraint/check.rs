//! The check of a query against a page, component by component.

use crate::base::{Rect, Rgba};

use super::color_name::ColorName;
use super::contrast::{LARGE_POINTS, LEAST, contrast_on_picture, contrast_ratio, over};
use super::finding::{Aspect, Finding, Findings, Verdict};
use super::heuristic::{
    ANY_TEXT, ANY_VISUAL, BACKGROUND_SHARE, LARGER, ON_PAGE, SAME_POINTS, WEAK,
};
use super::page::{Ground, Items, Page, PageItem, What, share_covered};
use super::pairing::{Pairing, telling};
use super::place::{Placed, holds, percent};
use super::position::{Clause, clauses};
use super::words::{TextClass, Wording, picture_share, plain};
use crate::graphictown::{Query, WantedSize, WantedText};

/// Holds a page against a query: a finding for each question, in the order of the query. `None` if
/// the document has no page with an area.
///
/// For the background: its colour. For each text: present, colour, size, each clause of its position,
/// on the page, contrast. For each visual: present, size, position, on the page. What is asked of a
/// component that is not there is not asked again: only that it is missing counts.
pub fn check(query: &Query, page: &Page<'_>) -> Option<Findings> {
    let items = Items::of(page.document)?;
    let pairing = Pairing::of(query, &items, page);
    let check = Check { query, page, items, pairing };
    let mut found = Vec::new();
    check.background(&mut found);
    (0..query.texts.len()).for_each(|at| check.text(at, &mut found));
    (0..query.visuals.len()).for_each(|at| check.visual(at, &mut found));
    Some(Findings(found))
}

/// A verdict with its reason.
type ReasonedVerdict = (Verdict, String);

struct Check<'a> {
    query: &'a Query,
    page: &'a Page<'a>,
    items: Items<'a>,
    pairing: Pairing,
}

/// A component as findings name it.
#[derive(Clone, Copy)]
struct CheckedComponent<'a> {
    name: &'a str,
    item: Option<&'a PageItem<'a>>,
}

impl CheckedComponent<'_> {
    fn found(
        self,
        aspect: Aspect,
        asked: Option<&str>,
        (verdict, reason): ReasonedVerdict,
    ) -> Finding {
        let node = self.item.map(|item| item.node.id.clone());
        let (component, asked) = (self.name.to_owned(), asked.map(str::to_owned));
        Finding { component, aspect, asked, verdict, node, reason }
    }
}

fn yes_or_no(holds: bool) -> Verdict {
    if holds { Verdict::Yes } else { Verdict::No }
}

fn cant_say(why: impl Into<String>) -> ReasonedVerdict {
    (Verdict::CantSay, why.into())
}

impl Check<'_> {
    fn background(&self, out: &mut Vec<Finding>) {
        let Some(name) = &self.query.background else { return };
        let subject = CheckedComponent { name: "background", item: None };
        let answer = match ColorName::parse(name) {
            Err(why) => cant_say(why.to_string()),
            Ok(wanted) => self.background_color(name, &wanted),
        };
        out.push(subject.found(Aspect::Color, Some(name), answer));
    }

    /// By the page's fill or what covers all of it before any text; a picture by how it looks.
    fn background_color(&self, name: &str, wanted: &ColorName) -> ReasonedVerdict {
        let page = Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
        // What lies over a text is no background, however much of the page it covers.
        let first_text = self.items.texts().next().map_or(self.items.items.len(), |(at, _)| at);
        match (self.items.under(page, first_text), self.page.picture) {
            (Ground::Color(rgb), _) => color_answer(name, wanted, rgb),
            (Ground::Nothing, _) => (Verdict::No, "the page has no fill".to_owned()),
            (Ground::Mixed(what), None) => {
                cant_say(format!("the background is {what}, and there is no picture of the page"))
            }
            (Ground::Mixed(what), Some(picture)) => {
                let pixels = picture.rgba().as_chunks::<4>().0;
                // Every pixel of a large page is not needed to know its share.
                let step = (pixels.len() / 20_000).max(1);
                let seen = pixels.iter().step_by(step).map(|[r, g, b, _]| [*r, *g, *b]);
                let (close, all) = seen.fold((0u32, 0u32), |(close, all), rgb| {
                    (close + u32::from(wanted.distance(rgb) <= wanted.reach), all + 1)
                });
                // Not the mean colour: that of a checked red and green would be a brown that nobody
                // sees.
                let share = f64::from(close) / f64::from(all.max(1));
                let reason =
                    format!("the background is {what}; {} of the page is {name}", percent(share));
                (yes_or_no(share >= BACKGROUND_SHARE), reason)
            }
        }
    }

    fn text(&self, at: usize, out: &mut Vec<Finding>) {
        let Some(wanted) = self.query.texts.get(at) else { return };
        let paired = self.pairing.texts.get(at).copied().flatten();
        // By its place in the order of drawing, which contrast has to know.
        let item = paired.and_then(|(item, _)| Some((item, self.items.get(item)?)));
        let subject = CheckedComponent { name: &wanted.role, item: item.map(|(_, item)| item) };
        if let Some(content) = &wanted.content {
            let answer = wording_answer(wanted, paired.map(|(_, wording)| wording), subject);
            out.push(subject.found(Aspect::Present, Some(content), answer));
        }
        // What is missing has no colour, size or place; one fault is not counted five times.
        let Some((order, item)) = item else { return };
        if let Some(color) = &wanted.color {
            out.push(subject.found(Aspect::Color, Some(color), text_color(color, item)));
        }
        if let Some(size) = &wanted.size {
            let answer = self.text_size(at, size, item);
            out.push(subject.found(Aspect::Size, Some(&size_words(size)), answer));
        }
        let place = self.pairing.text_place(at, &self.items);
        self.position(subject, wanted.position.as_deref(), place, Own::Text(at), out);
        out.push(subject.found(Aspect::OnPage, None, on_page(item.place)));
        out.push(subject.found(Aspect::Contrast, None, self.contrast(order, item)));
    }

    fn text_size(&self, at: usize, size: &WantedSize, item: &PageItem<'_>) -> ReasonedVerdict {
        let What::Text { size: points, .. } = item.what else { return cant_say("it is no text") };
        match size {
            WantedSize::Points(wanted) => {
                let is_same = (points - wanted).abs() <= SAME_POINTS * wanted.abs();
                (yes_or_no(is_same), format!("{points:.0} pt, asked for {wanted:.0} pt"))
            }
            WantedSize::Words(words) => match TextClass::named(words) {
                None => cant_say(format!("there is no rule for the size {words:?}")),
                Some(class) => self.text_class(at, class, points),
            },
        }
    }

    /// Against the texts of other classes; without any by points.
    fn text_class(&self, at: usize, class: TextClass, points: f64) -> ReasonedVerdict {
        let mut compared = Vec::new();
        for (other, wanted) in self.query.texts.iter().enumerate().filter(|(n, _)| *n != at) {
            let Some(WantedSize::Words(words)) = &wanted.size else { continue };
            // Texts of its own class say nothing: two titles need not be of one size.
            let Some(theirs) = TextClass::named(words).filter(|theirs| *theirs != class) else {
                continue;
            };
            let paired = self.pairing.texts.get(other).copied().flatten();
            let item = paired.and_then(|(item, _)| self.items.get(item));
            if let Some(What::Text { size, .. }) = item.map(|item| item.what) {
                compared.push((wanted.role.as_str(), theirs, size));
            }
        }
        let asked = class.word();
        if compared.is_empty() {
            let [least, most] = class.points();
            let reason = format!("{points:.0} pt, {asked} is {least:.0} to {most:.0} pt");
            return (yes_or_no((least..=most).contains(&points)), reason);
        }
        // The first that does not fit is the reason; where all fit, the first serves as an example.
        let wrong = compared.iter().find(|(_, theirs, size)| {
            if *theirs < class { points < size * LARGER } else { points * LARGER > *size }
        });
        let (role, theirs, size) = wrong.or(compared.first()).copied().unwrap_or(("", class, 0.0));
        let other = format!("{role} ({})", theirs.word());
        let beside = if format!("{points:.0}") == format!("{size:.0}") {
            format!("{points:.0} pt, same as {other}")
        } else {
            format!("{points:.0} pt, {other} has {size:.0} pt")
        };
        let reason = if wrong.is_none() {
            beside
        } else {
            let should_be = if theirs < class { "larger" } else { "smaller" };
            format!("{beside}; {asked} should be {should_be}")
        };
        (yes_or_no(wrong.is_none()), reason)
    }

    fn visual(&self, at: usize, out: &mut Vec<Finding>) {
        let Some(wanted) = self.query.visuals.get(at) else { return };
        let place = self.pairing.visual_place(at);
        let first = place.as_ref().and_then(|place| place.boxes.first());
        let item = first.and_then(|(item, _)| self.items.get(*item));
        let subject = CheckedComponent { name: &wanted.name, item };
        out.push(subject.found(Aspect::Present, None, self.present(&wanted.name, item)));
        // As with texts: only that it is missing counts.
        let Some(place) = place else { return };
        if let Some(size) = &wanted.size {
            let answer = visual_size(size, place.whole());
            out.push(subject.found(Aspect::Size, Some(&size_words(size)), answer));
        }
        let whole = place.whole();
        self.position(subject, wanted.position.as_deref(), Some(place), Own::Visual(at), out);
        out.push(subject.found(Aspect::OnPage, None, on_page(whole)));
    }

    /// Whether a visual is there: by the picture of its name where that is known, else by the names of
    /// layers.
    fn present(&self, name: &str, item: Option<&PageItem<'_>>) -> ReasonedVerdict {
        match item {
            Some(item) => {
                let layer = shortened(&item.node.name);
                let shown = self.page.shown.unwrap_or_default();
                let what = if shown.iter().any(|it| it.node == item.node.id) {
                    "the picture of this name"
                } else {
                    "it"
                };
                (Verdict::Yes, format!("the layer {layer:?} shows {what}"))
            }
            // Where the pictures are known, a name alone is no proof: any picture can bear it.
            None if self.page.shown.is_some() && self.query.image_of(name).is_some() => {
                (Verdict::No, "no layer shows the picture of this name".to_owned())
            }
            None => (Verdict::No, "no layer has its name, and no picture is left over".to_owned()),
        }
    }

    fn position(
        &self,
        subject: CheckedComponent<'_>,
        position: Option<&str>,
        place: Option<Placed>,
        own: Own,
        out: &mut Vec<Finding>,
    ) {
        let (Some(position), Some(place)) = (position, place) else { return };
        for clause in clauses(position) {
            let answer = match clause {
                Err(words) => cant_say(format!("there is no rule for the position {words:?}")),
                Ok(clause) => self.clause(&clause, &place, own),
            };
            out.push(subject.found(Aspect::Position, Some(position), answer));
        }
    }

    fn clause(&self, clause: &Clause, place: &Placed, own: Own) -> ReasonedVerdict {
        let names: Vec<&String> = match clause {
            Clause::Relation(_, name) => vec![name],
            Clause::Between(a, b) => vec![a, b],
            Clause::Zone(_) | Clause::Covers(..) | Clause::Spread(_) | Clause::Reaches(_) => vec![],
        };
        let mut others = Vec::with_capacity(names.len());
        for name in names {
            match self.named(name, own) {
                // A fault of the query is nothing that the design could have met or missed.
                Target::Unknown => {
                    return cant_say(format!("the query has no component that is the {name:?}"));
                }
                Target::Missing => return cant_say(format!("the {name} is not on the page")),
                Target::At(place) => others.push(place),
            }
        }
        let (holds, reason) = holds(clause, place, &others);
        (yes_or_no(holds), reason)
    }

    /// The component that a position names: by its words, or all texts or visuals.
    fn named(&self, name: &str, own: Own) -> Target {
        // "Below the texts", said of a text, is of the other ones.
        let (texts, visuals): (Vec<usize>, Vec<usize>) = match target(name, self.query, own) {
            NamedComponents::Nothing => return Target::Unknown,
            NamedComponents::Text(at) => (vec![at], vec![]),
            NamedComponents::Visual(at) => (vec![], vec![at]),
            NamedComponents::Texts => {
                let all = 0..self.query.texts.len();
                (all.filter(|at| own != Own::Text(*at)).collect(), vec![])
            }
            NamedComponents::Visuals => {
                let all = 0..self.query.visuals.len();
                (vec![], all.filter(|at| own != Own::Visual(*at)).collect())
            }
        };
        let texts = texts.into_iter().filter_map(|at| self.pairing.text_place(at, &self.items));
        let visuals = visuals.into_iter().filter_map(|at| self.pairing.visual_place(at));
        let boxes: Vec<_> = texts.chain(visuals).flat_map(|place| place.boxes).collect();
        if boxes.is_empty() { Target::Missing } else { Target::At(Placed { boxes }) }
    }

    /// A narrow outline counts as part of the letters (WCAG 2.2, understanding 1.4.3), so the better of
    /// the two decides.
    fn contrast(&self, order: usize, item: &PageItem<'_>) -> ReasonedVerdict {
        let What::Text { size: points, .. } = item.what else { return cant_say("it is no text") };
        let Some(fill) = item.text_color() else {
            return cant_say("the text has no one colour");
        };
        let ground = self.items.under(item.place, order);
        let of_letters = self.contrast_of(fill, item.place, ground);
        let of_outline = item.outline_color().map(|it| self.contrast_of(it, item.place, ground));
        let (found, by) = match (of_letters, of_outline) {
            (Ok(letters), Some(Ok(outline))) if outline > letters => {
                (Ok(outline), " by its outline")
            }
            // An outline that cannot be judged does not spoil what the letters say.
            (letters, _) => (letters, ""),
        };
        let [usual, large] = LEAST;
        let least = if points >= LARGE_POINTS { large } else { usual };
        let what = ground.words();
        match found {
            Err(why) => cant_say(why),
            Ok(None) => (Verdict::No, format!("on {what} no pixel differs from it")),
            Ok(Some(ratio)) => (
                yes_or_no(ratio >= least),
                format!("contrast {ratio:.1}:1 on {what}{by}, needs {least}:1"),
            ),
        }
    }

    /// The contrast of a colour with what is under it; `None` if nothing there differs from it; an error
    /// if it cannot be told what is there.
    fn contrast_of(&self, color: Rgba, place: Rect, ground: Ground) -> Result<Option<f64>, String> {
        match (ground, self.page.picture) {
            (Ground::Color(ground), _) => Ok(Some(contrast_ratio(over(color, ground), ground))),
            (Ground::Nothing, None) => Err("nothing is under it".to_owned()),
            (Ground::Mixed(what), None) => {
                Err(format!("{what} is under it, and there is no picture of the page"))
            }
            // What is drawn decides: of pictures and gradients no single colour is under the text.
            (_, Some(picture)) => {
                let [r, g, b, _] = color.to_u8();
                Ok(contrast_on_picture(picture, place, [r, g, b]))
            }
        }
    }
}

/// Which component asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Text(usize),
    Visual(usize),
}

/// What a position names on the page.
enum Target {
    Unknown,
    Missing,
    At(Placed),
}

/// What a position names in the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedComponents {
    Nothing,
    Text(usize),
    Visual(usize),
    Texts,
    Visuals,
}

/// The component that shares the most words with a name, strong words before weak ones.
fn target(name: &str, query: &Query, own: Own) -> NamedComponents {
    let words = telling(name);
    let texts = query.texts.iter().enumerate();
    let texts = texts.map(|(at, text)| (&text.role, NamedComponents::Text(at), Own::Text(at)));
    let visuals = query.visuals.iter().enumerate();
    let visuals =
        visuals.map(|(at, visual)| (&visual.name, NamedComponents::Visual(at), Own::Visual(at)));
    let mut best: Option<(usize, NamedComponents)> = None;
    for (other, named, component) in texts.chain(visuals) {
        // One strong word weighs more than all weak ones together: "author name" is the author, though
        // the title has a name, too.
        let shared = telling(other);
        let shared = shared.intersection(&words);
        let weight: usize =
            shared.map(|word| if WEAK.contains(&word.as_str()) { 1 } else { 4 }).sum();
        // Of equals the first.
        if weight > best.map_or(0, |(most, _)| most) && component != own {
            best = Some((weight, named));
        }
    }
    match best {
        Some((_, named)) => named,
        None if ANY_TEXT.contains(&name) => NamedComponents::Texts,
        None if ANY_VISUAL.contains(&name) => NamedComponents::Visuals,
        None => NamedComponents::Nothing,
    }
}

fn wording_answer(
    wanted: &WantedText,
    found: Option<Wording>,
    subject: CheckedComponent<'_>,
) -> ReasonedVerdict {
    let words = match subject.item.map(|item| item.what) {
        Some(What::Text { words, .. }) => shortened(words),
        _ => String::new(),
    };
    match found {
        Some(Wording::Same) => (Verdict::Yes, format!("{words:?} is there word for word")),
        Some(Wording::OtherCase) => {
            (Verdict::No, format!("{words:?} is there, with other capitals"))
        }
        Some(Wording::Differs(edits)) => {
            let wanted = shortened(&plain(wanted.content.as_deref().unwrap_or_default()));
            let s = if edits == 1 { "" } else { "s" };
            (Verdict::No, format!("{words:?} is {edits} character{s} away from {wanted:?}"))
        }
        None => {
            let wanted = shortened(&plain(wanted.content.as_deref().unwrap_or_default()));
            (Verdict::No, format!("no text says {wanted:?} or nearly so"))
        }
    }
}

fn text_color(name: &str, item: &PageItem<'_>) -> ReasonedVerdict {
    let wanted = match ColorName::parse(name) {
        Ok(wanted) => wanted,
        Err(why) => return cant_say(why.to_string()),
    };
    let Some(color) = item.text_color() else { return cant_say("the text has no one colour") };
    let [r, g, b, _] = color.to_u8();
    color_answer(name, &wanted, [r, g, b])
}

fn color_answer(name: &str, wanted: &ColorName, rgb: [u8; 3]) -> ReasonedVerdict {
    let [r, g, b] = rgb;
    let distance = wanted.distance(rgb);
    let reason =
        format!("#{r:02X}{g:02X}{b:02X}: ΔE {distance:.0} from {name} (limit {:.0})", wanted.reach);
    (yes_or_no(distance <= wanted.reach), reason)
}

/// A size as the query has it.
fn size_words(size: &WantedSize) -> String {
    match size {
        WantedSize::Points(points) => format!("{points} points"),
        WantedSize::Words(words) => words.clone(),
    }
}

fn visual_size(size: &WantedSize, place: Rect) -> ReasonedVerdict {
    let page = Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
    let share = share_covered(page, place);
    match size {
        WantedSize::Points(points) => {
            cant_say(format!("there is no rule for a visual of {points} points"))
        }
        WantedSize::Words(words) => match picture_share(words) {
            None => cant_say(format!("there is no rule for the size {words:?}")),
            Some([least, most]) => {
                let reason = format!(
                    "its box is {} of the page, {words} is {} to {}",
                    percent(share),
                    percent(least),
                    percent(most)
                );
                (yes_or_no((least..=most).contains(&share)), reason)
            }
        },
    }
}

fn on_page(place: Rect) -> ReasonedVerdict {
    let page = Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
    let share = share_covered(place, page);
    (yes_or_no(share >= ON_PAGE), format!("{} of it is on the page", percent(share)))
}

/// No more than a line of it.
fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;
