use proptest::prelude::*;
use serde_json::{Value, json};

use crate::base::Pixels;
use crate::design::{Document, ShownPicture, figma};
use crate::metric::constraint::{QueryImage, WantedVisual};

use super::*;

fn text(role: &str, content: &str, size: &str, color: &str, position: &str) -> WantedText {
    WantedText {
        role: role.to_owned(),
        content: Some(content.to_owned()),
        size: Some(WantedSize::Words(size.to_owned())),
        color: Some(color.to_owned()),
        position: Some(position.to_owned()),
        font: None,
    }
}

fn visual(name: &str, size: &str, position: &str) -> WantedVisual {
    WantedVisual {
        name: name.to_owned(),
        size: Some(WantedSize::Words(size.to_owned())),
        position: Some(position.to_owned()),
    }
}

/// A book cover in the words of the published ones.
fn query() -> Query {
    Query {
        background: Some("deep purple".to_owned()),
        texts: vec![
            text("title", "Moonlit Fantasies", "huge", "white", "top center"),
            text("author", "J.K. Stellar", "medium", "white", "bottom center"),
            text("tagline", "A Journey.", "large", "gold", "below the title"),
        ],
        visuals: vec![visual("dreamy_moon", "large", "centered")],
        ..Query::default()
    }
}

fn solid(rgb: [u8; 3]) -> Value {
    let [r, g, b] = rgb.map(|v| f64::from(v) / 255.0);
    json!([{"type": "SOLID", "color": {"r": r, "g": g, "b": b, "a": 1.0}}])
}

struct Layer(&'static str, [f64; 4], Value);

fn words(name: &'static str, words: &str, size: f64, rgb: [u8; 3], at: [f64; 4]) -> Layer {
    Layer(
        name,
        at,
        json!({"type": "TEXT", "characters": words, "fills": solid(rgb), "style": {"fontFamily": "Inter", "fontSize": size}}),
    )
}

fn picture(name: &'static str, at: [f64; 4]) -> Layer {
    Layer(
        name,
        at,
        json!({"type": "RECTANGLE", "fills": [{"type": "IMAGE", "imageRef": "x", "scaleMode": "FILL"}]}),
    )
}

/// A page of 1296 × 1728 at a place, drawn so many times as large.
fn page_at(layers: &[Layer], fill: [u8; 3], [left, top]: [f64; 2], scale: f64) -> Document {
    let children: Vec<Value> = layers
        .iter()
        .enumerate()
        .map(|(at, Layer(name, place, rest))| {
            let mut node = rest.clone();
            node["id"] = json!(format!("2:{at}"));
            node["name"] = json!(name);
            let [x, y, width, height] = place.map(|length| length * scale);
            node["absoluteBoundingBox"] =
                json!({"x": left + x, "y": top + y, "width": width, "height": height});
            node
        })
        .collect();
    let frame = json!({"id": "1:1", "name": "Page", "type": "FRAME", "children": children,
        "absoluteBoundingBox":
            {"x": left, "y": top, "width": 1296.0 * scale, "height": 1728.0 * scale},
        "fills": solid(fill)});
    figma::from_json(frame).unwrap().document
}

fn good() -> Vec<Layer> {
    vec![
        picture("MoonLayer", [348.0, 500.0, 600.0, 700.0]),
        // Sizes fall from huge over large to medium, as the query asks.
        words("TitleLayer", "Moonlit Fantasies", 100.0, [255; 3], [248.0, 100.0, 800.0, 120.0]),
        words("TaglineLayer", "A Journey.", 60.0, [255, 215, 0], [348.0, 260.0, 600.0, 80.0]),
        words("AuthorLayer", "J.K. Stellar", 40.0, [255; 3], [448.0, 1500.0, 400.0, 60.0]),
    ]
}

const PURPLE: [u8; 3] = [48, 10, 90];

fn checked(query: &Query, document: &Document, picture: Option<&Pixels>) -> Findings {
    check(query, &Page { document, picture, shown: None }).unwrap()
}

fn checked_layers(layers: &[Layer]) -> Findings {
    checked(&query(), &page_at(layers, PURPLE, [0.0, 0.0], 1.0), None)
}

fn answers(findings: &Findings) -> Vec<(String, Aspect, Verdict)> {
    let found = findings.0.iter();
    found.map(|found| (found.component.clone(), found.aspect, found.verdict)).collect()
}

fn of<'a>(findings: &'a Findings, component: &str, aspect: Aspect) -> &'a Finding {
    let mut of_component = findings.0.iter().filter(|found| found.component == component);
    of_component.find(|found| found.aspect == aspect).unwrap()
}

#[test]
fn a_page_as_asked_is_all_yes_with_nodes_and_reasons() {
    let findings = checked_layers(&good());
    let not: Vec<String> =
        findings.0.iter().filter(|f| f.verdict != Verdict::Yes).map(ToString::to_string).collect();
    assert!(not.is_empty(), "{not:#?}");
    assert_eq!(findings.share(None), Some(1.0));
    // 1 of the background, 6 of each text, 4 of the visual.
    assert_eq!(findings.0.len(), 1 + 3 * 6 + 4);
    assert!(findings.0.iter().all(|found| !found.reason.is_empty()));
    let nodes = findings.0.iter().filter(|found| found.node.is_some()).count();
    assert_eq!(nodes, findings.0.len() - 1, "all but the background's");
}

#[test]
fn each_fault_is_found_where_it_is_and_nowhere_else() {
    type Fault = (fn(&mut Vec<Layer>), &'static str, Aspect, &'static str);
    let faults: [Fault; 9] = [
        (
            |page| page[1].2["characters"] = json!("Moonlit Fantasy"),
            "title",
            Aspect::Present,
            "3 characters away",
        ),
        (
            |page| page[1].2["characters"] = json!("MOONLIT FANTASIES"),
            "title",
            Aspect::Present,
            "other capitals",
        ),
        (|page| page[2].2["fills"] = solid([255, 120, 120]), "tagline", Aspect::Color, "from gold"),
        (|page| page[3].2["style"]["fontSize"] = json!(90.0), "author", Aspect::Size, "90 pt, "),
        (|page| page[1].1 = [248.0, 800.0, 800.0, 120.0], "title", Aspect::Position, "down"),
        (|page| page[3].1 = [1000.0, 1500.0, 400.0, 60.0], "author", Aspect::OnPage, "74 %"),
        (
            |page| page[0].1 = [600.0, 800.0, 100.0, 120.0],
            "dreamy_moon",
            Aspect::Size,
            "of the page, large is",
        ),
        (|page| page[0].1 = [0.0, 1000.0, 600.0, 700.0], "dreamy_moon", Aspect::Position, "across"),
        (|page| drop(page.remove(0)), "dreamy_moon", Aspect::Present, "no layer has its name"),
    ];
    for (fault, component, aspect, reason) in faults {
        let mut layers = good();
        fault(&mut layers);
        let findings = checked_layers(&layers);
        let found = of(&findings, component, aspect);
        assert_eq!(found.verdict, Verdict::No, "{found}");
        assert!(found.reason.contains(reason), "{found}");
    }
    let findings = checked(&query(), &page_at(&good(), [250, 250, 250], [0.0, 0.0], 1.0), None);
    assert_eq!(of(&findings, "background", Aspect::Color).verdict, Verdict::No);
    assert_eq!(of(&findings, "author", Aspect::Contrast).verdict, Verdict::No);
}

#[test]
fn a_missing_text_is_asked_about_once() {
    let findings = checked_layers(&good()[..2]);
    let tagline: Vec<_> = findings.0.iter().filter(|f| f.component == "tagline").collect();
    assert_eq!(tagline.len(), 1);
    assert_eq!((tagline[0].verdict, &tagline[0].node), (Verdict::No, &None));
}

#[test]
fn a_text_on_a_picture_is_read_from_the_page_as_it_is_seen() {
    let mut layers = good();
    layers[0].1 = [0.0, 0.0, 1296.0, 1728.0];
    let document = page_at(&layers, PURPLE, [0.0, 0.0], 1.0);
    let blind = checked(&query(), &document, None);
    for (component, aspect) in [("title", Aspect::Contrast), ("background", Aspect::Color)] {
        let found = of(&blind, component, aspect);
        assert_eq!(found.verdict, Verdict::CantSay, "{found}");
        assert!(found.reason.contains("no picture of the page"), "{found}");
    }
    for (rgb, verdict) in [([30, 0, 60, 255], Verdict::Yes), ([235, 230, 240, 255], Verdict::No)] {
        let seen = Pixels::filled(162, 216, rgb).unwrap();
        let findings = checked(&query(), &document, Some(&seen));
        assert_eq!(of(&findings, "title", Aspect::Contrast).verdict, verdict);
        assert_eq!(of(&findings, "background", Aspect::Color).verdict, verdict);
    }
}

#[test]
fn a_narrow_outline_counts_as_the_letters_and_a_hair_does_not() {
    fn findings(weight: f64, rgb: [u8; 3]) -> Finding {
        let mut layers = good();
        layers[1].2["strokes"] = solid(rgb);
        layers[1].2["strokeWeight"] = json!(weight);
        let findings = checked(&query(), &page_at(&layers, [250; 3], [0.0, 0.0], 1.0), None);
        of(&findings, "title", Aspect::Contrast).clone()
    }
    let black = findings(3.0, [0; 3]);
    assert_eq!(black.verdict, Verdict::Yes, "{black}");
    assert!(black.reason.contains("by its outline"), "{black}");
    for (weight, rgb) in [(0.5, [0; 3]), (3.0, [240; 3])] {
        let found = findings(weight, rgb);
        assert_eq!(found.verdict, Verdict::No, "{found}");
        assert!(found.reason.contains("#FAFAFA"), "{found}");
    }
}

#[test]
fn what_has_no_rule_is_said_and_does_not_count() {
    let mut query = query();
    query.background = Some("sunset".to_owned());
    query.texts[0].position = Some("top center, woven into the moonlight".to_owned());
    query.texts[0].color = Some("rainbow".to_owned());
    query.texts[1].size = Some(WantedSize::Words("as the title".to_owned()));
    query.texts[2].position = Some("below the subtitle".to_owned());
    let findings = checked(&query, &page_at(&good(), PURPLE, [0.0, 0.0], 1.0), None);
    let cant: Vec<&str> = findings
        .0
        .iter()
        .filter(|found| found.verdict == Verdict::CantSay)
        .map(|found| found.reason.as_str())
        .collect();
    assert_eq!(
        cant,
        [
            "\"sunset\" names a scene or a thing, and no colour",
            "\"rainbow\" names more than one colour",
            "there is no rule for the position \"woven into the moonlight\"",
            "there is no rule for the size \"as the title\"",
            "the query has no component that is the \"subtitle\"",
        ]
    );
    assert_eq!(findings.share(None), Some(1.0));
}

#[test]
fn equal_texts_are_two_and_a_node_may_be_named_by_who_made_it() {
    let query = Query {
        texts: vec![
            text("a", "Taxi", "large", "black", "left"),
            text("b", "Taxi", "large", "white", "right"),
        ],
        visuals: vec![visual("box", "large", "centered"), visual("moon", "large", "centered")],
        ..Query::default()
    };
    let layers = [
        picture("Layer 1", [348.0, 500.0, 600.0, 700.0]),
        words("1", "Taxi", 60.0, [0; 3], [10.0, 100.0, 100.0, 60.0]),
        words("2", "Taxi", 60.0, [255; 3], [1100.0, 100.0, 100.0, 60.0]),
    ];
    let document = page_at(&layers, PURPLE, [0.0, 0.0], 1.0);
    let shown = [whole("2:0", "moon")];
    let page = Page { document: &document, picture: None, shown: Some(&shown) };
    let findings = check(&query, &page).unwrap();
    let [a, b, moon, square] =
        ["a", "b", "moon", "box"].map(|name| of(&findings, name, Aspect::Present).node.clone());
    assert!(a.is_some() && b.is_some() && a != b);
    assert_eq!((moon.is_some(), square), (true, None));
}

/// A node that shows a picture with all of its box.
fn whole(node: &str, name: &str) -> ShownPicture {
    ShownPicture { node: node.into(), name: name.to_owned(), part: ShownPicture::ALL }
}

#[test]
fn a_picture_that_was_handed_out_is_there_by_its_name_and_not_by_that_of_a_layer() {
    let images =
        ["moon", "stars"].map(|name| QueryImage { name: name.to_owned(), url: String::new() });
    let query = Query {
        visuals: vec![visual("moon", "large", "centered"), visual("stars", "small", "top left")],
        images: images.into(),
        ..Query::default()
    };
    let layers = [
        picture("StarsLayer", [348.0, 500.0, 600.0, 700.0]),
        picture("MoonLayer", [100.0, 100.0, 100.0, 100.0]),
    ];
    let document = page_at(&layers, PURPLE, [0.0, 0.0], 1.0);
    let node = |shown: Option<&[ShownPicture]>, name: &str| {
        let findings = check(&query, &Page { document: &document, picture: None, shown }).unwrap();
        of(&findings, name, Aspect::Present).node.clone()
    };
    assert_eq!((node(None, "moon"), node(None, "stars")), (Some("2:1".into()), Some("2:0".into())));
    // The layer called after the stars shows the moon: what was handed out decides, not the name.
    let shown = [whole("2:0", "Moon"), whole("2:1", "other")];
    assert_eq!(
        (node(Some(&shown), "moon"), node(Some(&shown), "stars")),
        (Some("2:0".into()), None)
    );
    assert_eq!(node(Some(&[]), "moon"), None, "it is known that none is shown");
}

#[test]
fn a_picture_inside_of_a_picture_is_where_its_part_is() {
    fn part(name: &str, at: f64) -> ShownPicture {
        ShownPicture { part: Rect { x: at, y: at, width: 0.2, height: 0.2 }, ..whole("2:0", name) }
    }
    let query = Query {
        visuals: vec![visual("moon", "small", "top left"), visual("sun", "small", "bottom right")],
        ..Query::default()
    };
    let layers = [picture("Artwork", [0.0, 0.0, 1296.0, 1728.0])];
    let document = page_at(&layers, PURPLE, [0.0, 0.0], 1.0);
    let shown = [part("moon", 0.05), part("sun", 0.75)];
    let findings =
        check(&query, &Page { document: &document, picture: None, shown: Some(&shown) }).unwrap();
    assert_eq!(findings.share(None), Some(1.0), "{findings:?}");
    // One layer for both, so only the parts can tell where each is.
    let swapped = [part("sun", 0.05), part("moon", 0.75)];
    let page = Page { document: &document, picture: None, shown: Some(&swapped) };
    let findings = check(&query, &page).unwrap();
    for name in ["moon", "sun"] {
        assert_eq!(of(&findings, name, Aspect::Position).verdict, Verdict::No);
        assert_eq!(of(&findings, name, Aspect::Present).verdict, Verdict::Yes);
    }
}

#[test]
fn a_document_without_a_page_has_no_findings() {
    let document = Document::default();
    assert!(check(&query(), &Page { document: &document, picture: None, shown: None }).is_none());
}

proptest! {
    #[test]
    fn where_the_page_lies_and_how_large_it_is_changes_no_position(
        left in -5000.0..5000.0f64,
        top in -5000.0..5000.0f64,
        scale in 0.1..6.0f64,
    ) {
        // Boxes are shares of the page, so its own place and size cancel out.
        let here = checked(&query(), &page_at(&good(), PURPLE, [0.0, 0.0], 1.0), None);
        let there = checked(&query(), &page_at(&good(), PURPLE, [left, top], scale), None);
        prop_assert_eq!(answers(&here), answers(&there));
    }

    #[test]
    fn any_words_are_answered(words in "[a-z ,_-]{0,60}") {
        let mut query = query();
        query.background = Some(words.clone());
        query.visuals[0].position = Some(words.clone());
        query.visuals[0].size = Some(WantedSize::Words(words));
        let findings = checked(&query, &page_at(&good(), PURPLE, [0.0, 0.0], 1.0), None);
        prop_assert!(findings.0.iter().all(|found| !found.reason.is_empty()));
    }
}
