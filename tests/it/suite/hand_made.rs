//! The papers' own plans are executed without an error, and what they centre is centred.

use std::path::PathBuf;

use pentimento::base::{Pixels, Rect};
use pentimento::environment::suite::{Compat, Expert, GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, PictureRequest};

use crate::render::picture::assert_golden;

use super::plans::{self, Plan};
use super::{done, suite_with};

/// The suite after a plan, with our own pictures.
fn executed(plan: &Plan) -> SuiteEnvironment {
    let given = plan.pictures.iter().map(|name| GivenPicture {
        name: (*name).to_owned(),
        aliases: Vec::new(),
        file: Some(plans::samples().join(format!("pictures/{name}.png"))),
    });
    let start = SuiteStart { given: given.collect(), ..SuiteStart::default() };
    let mut suite = SuiteEnvironment::new(start).unwrap();
    for (expert, action, values) in &plan.steps {
        let outcome = done(&mut suite, expert, action, values);
        assert!(!outcome.text.contains("placeholder"), "{}", outcome.text);
    }
    suite
}

/// The box of a layer of the layout designer's.
fn box_of(suite: &SuiteEnvironment, name: &str) -> Rect {
    box_in(suite, Expert::LayoutDesigner, name)
}

fn box_in(suite: &SuiteEnvironment, expert: Expert, name: &str) -> Rect {
    let design = suite.document(expert).unwrap();
    let node = design.iter_depth_first().find(|node| node.name == name).unwrap();
    design.absolute_box(&node.id).unwrap()
}

fn picture(suite: &SuiteEnvironment) -> Pixels {
    suite.picture(&PictureRequest::default()).unwrap().pixels
}

#[test]
fn the_four_hand_made_plans_are_executed_without_an_error() {
    for plan in plans::all() {
        let suite = executed(&plan);
        assert_eq!(suite.files().len(), if plan.name == "business-card" { 1 } else { 2 });
        if let Some(folder) = std::env::var_os("PENTIMENTO_LOOK") {
            let file = PathBuf::from(folder).join(format!("{}.png", plan.name));
            picture(&suite).save_png(&file).unwrap();
        }
    }
}

#[test]
fn they_are_executed_the_same_without_the_pictures_files_and_as_the_released_executor_takes_values()
{
    for compat in Compat::ALL {
        for plan in plans::all() {
            let mut suite = suite_with(plan.pictures, compat);
            let mut placeholders = 0;
            for (expert, action, values) in &plan.steps {
                let outcome = done(&mut suite, expert, action, values);
                placeholders += usize::from(outcome.text.contains("a placeholder stands for"));
            }
            assert_eq!(placeholders, plan.pictures.len(), "{}", plan.name);
        }
    }
}

#[test]
fn what_the_plans_centre_is_in_the_middle_and_their_words_are_on_the_page() {
    for (plan, centred, words) in [
        (
            plans::book_cover(),
            &["TitleLayer", "Authornamelayer", "TaglineLayer"][..],
            &["TitleLayer", "Authornamelayer", "TaglineLayer"][..],
        ),
        (
            plans::business_card(),
            &["NameLayer1", "NameLayer2", "TaglineLayer"],
            &["NameLayer1", "NameLayer2", "TaglineLayer", "CactusTLayer"],
        ),
        (plans::postcard(), &[], &["MessageLayer", "BackgroundLayer"]),
        (plans::poster(), &["TitleLayer"], &["TitleLayer", "DescriptionLayer", "BackgroundLayer"]),
    ] {
        let suite = executed(&plan);
        let design = suite.design().unwrap();
        let page = design.absolute_box(&design.roots().iter().next().unwrap().clone()).unwrap();
        for name in centred {
            let off = box_of(&suite, name).center().x - page.center().x;
            assert!(off.abs() <= 0.5, "{} {name}: {off} from the middle", plan.name);
        }
        for name in words {
            let found = box_of(&suite, name);
            let on_page = page.intersection(found).map(Rect::area).unwrap_or_default();
            assert!(on_page >= found.area() * 0.999, "{} {name}: {found:?}", plan.name);
        }
    }
}

#[test]
fn the_postcards_words_stand_in_its_band() {
    let suite = executed(&plans::postcard());
    let words = box_of(&suite, "MessageLayer");
    let band = box_in(&suite, Expert::VectorGraphicEditor, "RectangleLayer");
    assert!(band.y < words.y && words.bottom() < band.bottom(), "{words:?} in {band:?}");
}

#[test]
fn the_numbers_of_two_pictures_lead_over_the_edge_and_the_outcome_says_so() {
    let said = |plan: Plan, action: &str, layer: &str| {
        let mut suite = suite_with(plan.pictures, Compat::Documented);
        let mut said = String::new();
        for (expert, name, values) in &plan.steps {
            let outcome = done(&mut suite, expert, name, values);
            if name == action && values["layerName"] == layer {
                said = outcome.text;
            }
        }
        said
    };
    // 746 + 1069 points on a page of 1728: the moon reaches below the cover's edge.
    let moon = said(plans::book_cover(), "RepositionObject", "MoonlitLayer");
    assert!(moon.contains("only 91 % of it is on the page"), "{moon}");
    // A rectangle of 1158 × 1300 around (500, 325).
    let rectangle = said(plans::poster(), "RepositionDrawing", "RectangleLayer");
    assert!(rectangle.contains("only 69 % of it is on the page"), "{rectangle}");
}

#[test]
fn the_card_is_in_points_and_the_others_in_millimetres() {
    for (plan, unit) in [
        (plans::book_cover(), "mm"),
        (plans::business_card(), "pt"),
        (plans::postcard(), "mm"),
        (plans::poster(), "mm"),
    ] {
        let mut suite = suite_with(plan.pictures, Compat::Documented);
        for (expert, action, values) in &plan.steps {
            let outcome = done(&mut suite, expert, action, values);
            if action == "RepositionText" {
                assert_eq!(outcome.structured.unwrap()["unit"], unit, "{} {values}", plan.name);
            }
        }
    }
}

#[test]
fn the_hand_made_plans_look_as_they_did() {
    for plan in plans::all() {
        // In the vendored font, so that the picture is the same on every machine.
        let steps = plan.steps.iter().map(|(expert, action, values)| {
            let mut values = values.clone();
            if action == "ApplyFont" {
                values["fontName"] = "Inter Bold".into();
            }
            (expert.clone(), action.clone(), values)
        });
        let plan = Plan { steps: steps.collect(), ..plan };
        let suite = executed(&plan);
        let request = PictureRequest { scale: 0.25, ..PictureRequest::default() };
        let pixels = suite.picture(&request).unwrap().pixels;
        assert_golden(&format!("suite_{}", plan.name.replace('-', "_")), &pixels);
    }
}
