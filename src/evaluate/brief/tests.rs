use proptest::prelude::*;

use super::questions::verdict;
use super::*;
use crate::base::{Affine, Rgba, Size};
use crate::design::hunk::{Consequences, apply_hunks};
use crate::design::{NarrowLetters, Node, NodeKind, Paint, TextContent};
use crate::evaluate::flaws::find_flaws;
use crate::graphictown::{WantedSize, WantedText, WantedVisual};

fn wanted(role: &str, content: &str, size: &str, color: &str, position: &str) -> WantedText {
    WantedText {
        role: role.to_owned(),
        content: Some(content.to_owned()),
        size: Some(WantedSize::Words(size.to_owned())),
        color: Some(color.to_owned()),
        position: Some(position.to_owned()),
        font: None,
    }
}

/// A book cover in the words of the published ones.
fn cover() -> Query {
    Query {
        background: Some("deep purple".to_owned()),
        texts: vec![
            wanted("title", "Moonlit Fantasies", "huge", "white", "top center"),
            wanted("author", "J.K. Stellar", "medium", "white", "bottom center"),
            wanted("tagline", "A Journey.", "large", "gold", "below the title"),
        ],
        visuals: vec![WantedVisual {
            name: "dreamy_moon".to_owned(),
            size: Some(WantedSize::Words("large".to_owned())),
            position: Some("centered".to_owned()),
        }],
        ..Query::default()
    }
}

fn node(id: &str, kind: NodeKind, [x, y, width, height]: [f64; 4], rgb: [u8; 3]) -> Node {
    let [r, g, b] = rgb;
    let mut node = Node::new(id.into(), id, kind);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(width, height));
    node.fills = vec![Paint::solid(Rgba::from_u8([r, g, b, 255]))];
    node
}

fn text(id: &str, words: &str, size: f64, [x, y]: [f64; 2], rgb: [u8; 3]) -> Node {
    let mut content = TextContent { characters: words.to_owned(), ..TextContent::default() };
    content.style.font_size = size;
    let needed = NarrowLetters.text(&content, None).size;
    let at = [x, y, needed.width, needed.height];
    node(id, NodeKind::Text(Box::new(content)), at, rgb)
}

/// A page of 1296 × 1728 with these nodes on it.
fn page(rgb: [u8; 3], nodes: impl IntoIterator<Item = Node>) -> Document {
    let page = node("page", NodeKind::Frame, [0.0, 0.0, 1296.0, 1728.0], rgb);
    let children = nodes.into_iter().map(|node| Node { parent: Some("page".into()), ..node });
    Document::from_nodes(std::iter::once(page).chain(children)).unwrap()
}

const PURPLE: [u8; 3] = [48, 10, 90];
const WHITE: [u8; 3] = [255; 3];

fn good() -> Vec<Node> {
    vec![
        node("dreamy moon", NodeKind::Rectangle, [348.0, 500.0, 600.0, 700.0], [200, 200, 90]),
        text("title", "Moonlit Fantasies", 100.0, [223.0, 100.0], WHITE),
        text("tagline", "A Journey.", 60.0, [498.0, 260.0], [255, 215, 0]),
        text("author", "J.K. Stellar", 40.0, [528.0, 1500.0], WHITE),
    ]
}

fn unmet(query: &Query, document: &Document) -> Vec<String> {
    let check = BriefCheck::of(query, document).unwrap();
    check.unmet().map(|found| format!("{} {}", found.component, found.aspect.word())).collect()
}

/// Checks each mend of a design: its own finding holds, and none that held is lost. Gives how many there were.
fn assert_each_mends(query: &Query, document: &Document) -> usize {
    let check = BriefCheck::of(query, document).unwrap();
    let before = findings_of(query, document).unwrap();
    let asked = questions(&before);
    let mut count = 0;
    for mend in check.mends(&NarrowLetters) {
        count += 1;
        let at = before.0.iter().position(|found| std::ptr::eq(found, mend.finding));
        // The check has findings of its own: the same in the same order.
        let at = at.or_else(|| before.0.iter().position(|found| found == mend.finding)).unwrap();
        let mut after = document.clone();
        apply_hunks(&mut after, &mend.hunks, Consequences::Settle, &NarrowLetters).unwrap();
        let found = findings_of(query, &after).unwrap();
        let now = questions(&found);
        assert_eq!(verdict(&asked[at], &now, &found), Some(Verdict::Yes), "{}", mend.finding);
        for (question, held) in asked.iter().zip(&before.0) {
            if held.verdict == Verdict::Yes {
                let verdict = verdict(question, &now, &found);
                assert_eq!(verdict, Some(Verdict::Yes), "{held} is lost by {}", mend.finding);
            }
        }
    }
    count
}

/// Takes the first mend again and again; gives the design and what is left.
fn follow(query: &Query, mut document: Document) -> (Document, Vec<String>) {
    for _ in 0..40 {
        let check = BriefCheck::of(query, &document).unwrap();
        let before = check.unmet().count();
        let Some(mend) = check.mends(&NarrowLetters).next() else { break };
        let hunks = mend.hunks.clone();
        let mut after = document.clone();
        apply_hunks(&mut after, &hunks, Consequences::Settle, &NarrowLetters).unwrap();
        let left = unmet(query, &after).len();
        assert!(left <= before, "{left} after {before}");
        document = after;
    }
    let left = unmet(query, &document);
    (document, left)
}

#[test]
fn a_design_as_asked_has_nothing_to_mend() {
    let document = page(PURPLE, good());
    assert_eq!(unmet(&cover(), &document), Vec::<String>::new());
    assert_eq!(assert_each_mends(&cover(), &document), 0);
}

#[test]
fn an_empty_page_gets_all_but_the_picture_that_is_missing() {
    let (document, left) = follow(&cover(), page(WHITE, []));
    assert_eq!(left, ["dreamy_moon present"]);
    let texts = document.iter_depth_first().filter_map(|node| node.text());
    let words: Vec<&str> = texts.map(|text| text.characters.as_str()).collect();
    assert_eq!(words, ["Moonlit Fantasies", "J.K. Stellar", "A Journey."]);
    // Where people put them, not only where the check takes them.
    let title = document.iter_depth_first().find(|node| node.name == "title").unwrap();
    let place = document.absolute_box(&title.id).unwrap();
    assert!((place.center().x - 648.0).abs() <= 1.0, "{place:?}");
    assert!(find_flaws(&document, &NarrowLetters).is_empty());
}

#[test]
fn each_fault_has_a_mend_of_its_own() {
    type Fault = fn(&mut Vec<Node>);
    let faults: [(Fault, &str); 8] = [
        (|page| drop(page.remove(3)), "author present"),
        (|page| words(&mut page[1], "Moonlit Fantasy"), "title present"),
        (|page| words(&mut page[1], "MOONLIT FANTASIES"), "title present"),
        (|page| page[2].fills = vec![Paint::solid(Rgba::new(1.0, 0.5, 0.5, 1.0))], "tagline color"),
        (|page| page[1].text_mut().unwrap().style.font_size = 50.0, "title size"),
        (|page| page[3].transform = Affine::translate(20.0, 1500.0), "author position"),
        (|page| page[0].size = Size::new(100.0, 100.0), "dreamy_moon size"),
        (|page| page[0].transform = Affine::translate(348.0, 1300.0), "dreamy_moon position"),
    ];
    for (fault, expected) in faults {
        let mut nodes = good();
        fault(&mut nodes);
        let document = page(PURPLE, nodes);
        let found = unmet(&cover(), &document);
        assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
        assert_each_mends(&cover(), &document);
        let (_, left) = follow(&cover(), document);
        assert_eq!(left, Vec::<String>::new(), "{expected}");
    }
}

fn words(node: &mut Node, words: &str) {
    words.clone_into(&mut node.text_mut().unwrap().characters);
}

#[test]
fn a_background_changes_together_with_texts_that_would_vanish_on_it() {
    // Black on white can be read; the brief wants white on purple.
    let mut nodes = good();
    for node in &mut nodes[1..] {
        node.fills = vec![Paint::solid(Rgba::BLACK)];
    }
    let document = page(WHITE, nodes);
    assert!(assert_each_mends(&cover(), &document) >= 1);
    assert_eq!(follow(&cover(), document).1, Vec::<String>::new());
}

#[test]
fn a_text_that_keeps_its_colour_is_read_by_its_outline() {
    let query = Query {
        texts: vec![WantedText {
            role: "title".to_owned(),
            content: Some("Sun".to_owned()),
            color: Some("yellow".to_owned()),
            ..WantedText::default()
        }],
        background: Some("white".to_owned()),
        ..Query::default()
    };
    let document = page(WHITE, [text("title", "Sun", 40.0, [100.0, 100.0], [255, 240, 0])]);
    assert_eq!(unmet(&query, &document), ["title contrast"]);
    let (after, left) = follow(&query, document);
    assert_eq!(left, Vec::<String>::new());
    let title = after.get(&"title".into()).unwrap();
    assert_eq!(title.fills[0].solid_color().unwrap().to_u8(), [255, 240, 0, 255]);
    assert!(title.stroke.weight > 0.0);
}

#[test]
fn what_brief_and_rules_of_thumb_say_of_one_text_is_one_thing() {
    let query =
        Query { texts: vec![wanted("t", "Sign out", "small", "gray", "")], ..Query::default() };
    let document = page(WHITE, [text("t", "Sign out", 12.0, [100.0, 100.0], [190; 3])]);
    let check = BriefCheck::of(&query, &document).unwrap();
    let flaws = find_flaws(&document, &NarrowLetters);
    assert!(check.unmet().any(|found| found.aspect == Aspect::Contrast));
    assert_eq!(flaws.iter().map(|flaw| check.says_too(flaw)).collect::<Vec<_>>(), [true]);
}

#[test]
fn a_design_without_a_page_cannot_be_checked() {
    assert!(BriefCheck::of(&cover(), &Document::default()).is_none());
    let (query, document) = (cover(), page(PURPLE, good()));
    let check = BriefCheck::of(&query, &document).unwrap();
    assert!(check.holds_in(&document) && !check.holds_in(&Document::default()));
}

const POSITIONS: [&str; 6] =
    ["top center", "bottom left", "centered", "below the title", "upper right", "above the date"];
const COLORS: [&str; 5] = ["white", "black", "gold", "navy blue", "light green"];
const SIZES: [&str; 4] = ["small", "medium", "large", "huge"];

fn some(words: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
    prop::option::of(prop::sample::select(words).prop_map(str::to_owned))
}

prop_compose! {
    fn any_text(role: &'static str)(
        content in "[A-Z][a-z]{1,12}( [a-z]{1,8}){0,2}",
        size in some(&SIZES),
        color in some(&COLORS),
        position in some(&POSITIONS),
    ) -> WantedText {
        let size = size.map(WantedSize::Words);
        WantedText {
            role: role.to_owned(), content: Some(content), size, color, position, font: None,
        }
    }
}

prop_compose! {
    fn any_query()(
        background in some(&COLORS),
        title in any_text("title"),
        date in any_text("date"),
        position in some(&POSITIONS),
    ) -> Query {
        let size = Some(WantedSize::Words("medium".to_owned()));
        let moon = WantedVisual { name: "moon".to_owned(), size, position };
        Query { background, texts: vec![title, date], visuals: vec![moon], ..Query::default() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn each_mend_makes_its_own_finding_hold_and_loses_none(
        query in any_query(),
        ground in prop::sample::select(vec![WHITE, PURPLE, [0; 3]]),
        ink in prop::sample::select(vec![WHITE, [0; 3], [120, 130, 140]]),
        at in prop::array::uniform2(0.0..1100.0f64),
        size in 8.0..140.0f64,
        keeps in any::<bool>(),
    ) {
        let said = query.texts[0].content.clone().unwrap();
        let title = text("title", &said, size, at, ink);
        let moon = node("moon", NodeKind::Rectangle, [at[1], at[0], 90.0, 60.0], [220, 210, 90]);
        let nodes = if keeps { vec![moon, title] } else { vec![moon] };
        assert_each_mends(&query, &page(ground, nodes));
    }
}
