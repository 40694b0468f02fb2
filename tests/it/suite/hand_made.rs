//! The papers' own plans are executed without an error, and what they centre is centred.

use std::path::PathBuf;

use pentimento::base::{Pixels, Rect};
use pentimento::environment::suite::{Compat, GivenPicture, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, PictureRequest};
use pentimento::graphictown::Expert;

use crate::render::picture::assert_golden;

use super::plans::{self, Plan};
use super::{done, suite_with};

/// The suite after a plan, with our own pictures.
fn executed(plan: &Plan) -> SuiteEnvironment {
    let given = plan.pictures.iter().map(|name| GivenPicture {
        name: (*name).to_owned(),
        file: Some(plans::samples().join(format!("pictures/{name}.png"))),
        ..GivenPicture::default()
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

/// What the outcome of this step of a plan says.
fn said(plan: &Plan, compat: Compat, action: &str, layer: &str) -> String {
    let mut suite = suite_with(plan.pictures, compat);
    let mut said = String::new();
    for (expert, name, values) in &plan.steps {
        let outcome = done(&mut suite, expert, name, values);
        if name == action && values["layerName"] == layer {
            said = outcome.text;
        }
    }
    said
}

#[test]
fn nothing_falls_off_the_pages_but_the_foot_of_the_moonlit_picture() {
    for plan in plans::all() {
        let suite = executed(&plan);
        for expert in Expert::ALL {
            let Some(design) = suite.document(expert) else { continue };
            let page = design.absolute_box(&design.roots()[0]).unwrap();
            for node in design.iter_depth_first().skip(1) {
                let found = design.absolute_box(&node.id).unwrap();
                let over = |start: f64, end: f64, page: f64| {
                    // What is larger than the page covers it.
                    if end - start > page {
                        (start.max(0.0), (page - end).max(0.0))
                    } else {
                        ((-start).max(0.0), (end - page).max(0.0))
                    }
                };
                let (left, right) = over(found.x - page.x, found.right() - page.x, page.width);
                let (top, bottom) = over(found.y - page.y, found.bottom() - page.y, page.height);
                let most = left.max(right).max(top);
                assert!(most <= 1.0, "{} {}: {most} points over", plan.name, node.name);
                let is_moon = node.name == "MoonlitLayer";
                assert!(
                    bottom <= if is_moon { 87.0 } else { 1.0 },
                    "{} {}: {bottom}",
                    plan.name,
                    node.name
                );
            }
        }
    }
}

#[test]
fn the_moonlit_picture_is_centred_and_its_foot_bleeds_over_the_edge_as_its_numbers_say() {
    let plan = plans::book_cover();
    // 746 + 1069 points on a page of 1728; the couple before it ends with the page.
    let moon = said(&plan, Compat::Documented, "RepositionObject", "MoonlitLayer");
    assert!(moon.contains("only 91 % of it is on the page"), "{moon}");
    let suite = executed(&plan);
    let moon = box_in(&suite, Expert::PhotoEditor, "MoonlitLayer");
    assert!((moon.center().x - 648.0).abs() <= 0.5, "{moon:?}");
    let couple = box_in(&suite, Expert::PhotoEditor, "SilhouetteLayer");
    assert!((couple.bottom() - 1728.0).abs() <= 1.0, "{couple:?}");
}

#[test]
fn the_posters_panel_is_centred_between_its_title_and_the_pages_end() {
    let plan = plans::poster();
    let suite = executed(&plan);
    let panel = box_in(&suite, Expert::VectorGraphicEditor, "RectangleLayer");
    assert_eq!(panel, Rect::new(69.0, 325.0, 1158.0, 1300.0));
    let title = box_of(&suite, "TitleLayer");
    // Its capitals stand on a line above the panel; what the font has below that is empty.
    let below = 0.2 * 200.0;
    assert!(title.bottom() - below <= panel.y, "{title:?} above {panel:?}");
    let words = box_of(&suite, "DescriptionLayer");
    assert!(panel.x <= words.x && panel.y < words.y && words.right() <= panel.right(), "{words:?}");
    let outcome = said(&plan, Compat::Documented, "RepositionDrawing", "RectangleLayer");
    assert!(outcome.contains("posY as that of its top edge"), "{outcome}");
}

#[test]
fn the_released_executor_takes_the_panels_position_as_its_middle() {
    let outcome =
        said(&plans::poster(), Compat::GraphicBench, "RepositionDrawing", "RectangleLayer");
    assert!(outcome.contains("only 69 % of it is on the page"), "{outcome}");
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
