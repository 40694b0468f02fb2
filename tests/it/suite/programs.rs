//! What the programs do: documents, files between them, layers, filters, QR codes.

use pentimento::base::{Pixels, Rect, Size};
use pentimento::design::NodeKind;
use pentimento::environment::suite::{Compat, SuiteEnvironment, SuiteStart};
use pentimento::environment::{
    Environment as _, FailureClass, MultiDocument as _, PictureRequest, ToolCall,
};
use pentimento::graphictown::Expert;
use serde_json::json;

use super::{call, done, failed, suite, suite_with};

const PHOTO: &str = "Photo Editor";
const VECTOR: &str = "Vector Graphic Editor";
const LAYOUT: &str = "Layout Designer";

fn picture(suite: &SuiteEnvironment) -> Pixels {
    suite.picture(&PictureRequest::default()).unwrap().pixels
}

fn open(expert: &str, width: u32, height: u32) -> SuiteEnvironment {
    let mut suite = suite();
    done(&mut suite, expert, "CreateDocumentCustom", &json!({"width": width, "height": height}));
    suite
}

fn box_of(suite: &SuiteEnvironment, name: &str) -> Rect {
    let design = suite.design().unwrap();
    let node = design.iter_depth_first().find(|node| node.name == name).unwrap();
    design.absolute_box(&node.id).unwrap()
}

#[test]
fn every_program_has_a_document_of_its_own_and_the_last_one_is_shown() {
    let mut suite = suite();
    assert_eq!((picture(&suite).width(), suite.design().unwrap().len()), (612, 1));
    for (at, (expert, side)) in [(PHOTO, 100), (VECTOR, 200), (LAYOUT, 300)].iter().enumerate() {
        let values = json!({"width": side, "height": side});
        done(&mut suite, expert, "CreateDocumentCustom", &values);
        assert_eq!((picture(&suite).width(), suite.list().len()), (*side, at + 1));
    }
    done(&mut suite, PHOTO, "SetBackgroundColor", &json!({"red": 9, "green": 8, "blue": 7}));
    assert_eq!(picture(&suite).get(50, 50), Some([9, 8, 7, 255]));
    done(&mut suite, PHOTO, "SaveDocument", &json!({"fileName": "a", "format": "psd"}));
    let names: Vec<_> = suite.list().into_iter().map(|it| (it.id, it.is_current)).collect();
    let expected = [(PHOTO, true), (VECTOR, false), (LAYOUT, false), ("file:a.psd", false)];
    assert_eq!(names, expected.map(|(id, current)| (id.to_owned(), current)));
    for document in suite.list() {
        let shown = suite.picture_of(&document.id, &PictureRequest::default()).unwrap().pixels;
        assert_eq!(Size::new(shown.width().into(), shown.height().into()), document.size);
        assert!(suite.design_of(&document.id).is_some());
    }
    assert!(suite.picture_of("file:b.psd", &PictureRequest::default()).is_err());
}

#[test]
fn a_second_document_closes_the_first_and_says_what_was_lost() {
    let mut suite = open(LAYOUT, 300, 300);
    done(&mut suite, LAYOUT, "CreateText", &json!({"layerName": "a", "textString": "A"}));
    let second = done(&mut suite, LAYOUT, "CreateDocument", &json!({"docType": "poster"}));
    assert!(second.text.contains("the custom document with 1 unsaved layers was closed"));
    let third = done(&mut suite, LAYOUT, "CreateDocument", &json!({"docType": "Business_Card"}));
    assert!(!third.text.contains("unsaved"), "{}", third.text);
    assert_eq!((picture(&suite).width(), picture(&suite).height()), (1000, 640));
}

#[test]
fn failures_say_who_could_have_made_what_is_missing() {
    let mut suite = suite_with(&["dreamy_moon"], Compat::Documented);
    let (class, words) = failed(
        &mut suite,
        LAYOUT,
        "AlignText",
        &json!({
        "layerName": "Title", "alignment": "center"}),
    );
    assert_eq!(class, FailureClass::NoDocument);
    assert!(words.contains("no expert has"), "{words}");

    done(&mut suite, PHOTO, "CreateDocument", &json!({"docType": "poster"}));
    done(&mut suite, PHOTO, "CreateText", &json!({"layerName": "Title", "textString": "A"}));
    let values = json!({"layerName": "Title", "alignment": "center"});
    let (class, words) = failed(&mut suite, LAYOUT, "AlignText", &values);
    assert_eq!(class, FailureClass::NoDocument);
    assert!(words.contains("the Photo Editor has one"), "{words}");

    done(&mut suite, LAYOUT, "CreateDocument", &json!({"docType": "poster"}));
    let (class, words) = failed(&mut suite, LAYOUT, "AlignText", &values);
    assert_eq!(class, FailureClass::UnknownLayer);
    assert!(words.contains("it is in the document of the Photo Editor"), "{words}");

    let import = |file: &str| json!({"fileName": file, "layerName": "Moon"});
    let (class, words) = failed(&mut suite, LAYOUT, "ImportObject", &import("cover_edited.psd"));
    assert_eq!(class, FailureClass::UnknownFile);
    for part in ["the Photo Editor should have saved it", "no file was saved yet", "dreamy_moon"] {
        assert!(words.contains(part), "{words}");
    }
    done(&mut suite, PHOTO, "SaveDocument", &json!({"fileName": "cover", "format": "psd"}));
    let (_, words) = failed(&mut suite, LAYOUT, "ImportObject", &import("other.ai"));
    assert!(words.contains("saved are \"cover.psd\""), "{words}");
    done(&mut suite, PHOTO, "RemoveText", &json!({"layerName": "Title"}));
    let (_, words) = failed(&mut suite, PHOTO, "RemoveText", &json!({"layerName": "Title"}));
    assert!(words.contains("it was removed"), "{words}");
}

#[test]
fn wrong_actions_formats_and_kinds_have_classes_of_their_own() {
    let mut suite = open(VECTOR, 300, 300);
    let circle = json!({"layerName": "c", "radius": 20, "red": 1, "green": 2, "blue": 3});
    done(&mut suite, VECTOR, "DrawCircle", &circle);
    for (expert, action, values, class) in [
        (VECTOR, "OpenDocument", json!({}), FailureClass::UnknownTool),
        (VECTOR, "CreateText[a, b]", json!({}), FailureClass::UnknownTool),
        (PHOTO, "DrawCircle", circle, FailureClass::NotOfExpert),
        ("Text Editor", "CreateText", json!({}), FailureClass::UnknownExpert),
        (VECTOR, "RotateText", json!({"layerName": "c", "angle": 5}), FailureClass::WrongNodeType),
        (
            VECTOR,
            "SaveDocument",
            json!({"fileName": "a", "format": "psd"}),
            FailureClass::WrongFormat,
        ),
        (
            VECTOR,
            "RepositionDrawing",
            json!({"layerName": "c", "posX": 400, "posY": 10}),
            FailureClass::OffPage,
        ),
        (VECTOR, "CreateDocument", json!({"docType": "document"}), FailureClass::OutOfRange),
    ] {
        let before = suite.to_json();
        assert_eq!(failed(&mut suite, expert, action, &values).0, class, "{action}");
        assert_eq!(suite.to_json(), before, "{action} changed something");
    }
    let (_, words) = failed(&mut suite, VECTOR, "CreateText[a, b]", &json!({}));
    assert!(words.contains("the action is named \"CreateText\""), "{words}");
}

#[test]
fn an_editors_own_format_stays_live_and_a_picture_is_flat() {
    let mut suite = open(VECTOR, 200, 100);
    let red = json!({"layerName": "box", "width": 50, "height": 20, "red": 255, "green": 0,
        "blue": 0});
    done(&mut suite, VECTOR, "DrawRectangle", &red);
    done(&mut suite, VECTOR, "SaveDocument", &json!({"fileName": "art", "format": "ai"}));
    done(&mut suite, VECTOR, "SaveDocument", &json!({"fileName": "art", "format": "png"}));
    // What happens to the open document afterwards is not in the file.
    done(&mut suite, VECTOR, "RemoveDrawing", &json!({"layerName": "box"}));
    for (file, is_live) in [("art.ai", true), ("/path/to/Art.PNG", false)] {
        done(&mut suite, LAYOUT, "CreateDocumentCustom", &json!({"width": 400, "height": 200}));
        let import = json!({"fileName": file, "layerName": "Art"});
        done(&mut suite, LAYOUT, "ImportObject", &import);
        let size = json!({"layerName": "Art", "width": 400, "height": 200});
        done(&mut suite, LAYOUT, "ResizeObject", &size);
        let design = suite.design().unwrap();
        let inside = design.iter_depth_first().find(|node| node.name == "box");
        assert_eq!(inside.is_some(), is_live);
        if let Some(inside) = inside {
            let found = design.absolute_box(&inside.id).unwrap();
            assert_eq!(found, Rect::new(150.0, 80.0, 100.0, 40.0));
        }
        assert_eq!(picture(&suite).get(200, 100), Some([255, 0, 0, 255]));
        assert_eq!(picture(&suite).get(20, 20), Some([255, 255, 255, 255]));
    }
}

#[test]
fn a_photo_editors_page_covers_and_paper_is_see_through() {
    for (expert, format, under) in [(PHOTO, "psd", [255; 4]), (VECTOR, "ai", [0, 0, 255, 255])] {
        let mut suite = open(expert, 100, 100);
        done(&mut suite, expert, "SaveDocument", &json!({"fileName": "a", "format": format}));
        done(&mut suite, LAYOUT, "CreateDocumentCustom", &json!({"width": 100, "height": 100}));
        done(&mut suite, LAYOUT, "SetBackgroundColor", &json!({"red": 0, "green": 0, "blue": 255}));
        done(&mut suite, LAYOUT, "ImportObject", &json!({"fileName": "a", "layerName": "a"}));
        assert_eq!(picture(&suite).get(50, 50), Some(under), "{format}");
    }
}

#[test]
fn a_filter_works_on_every_kind_of_layer_and_goes_with_the_file() {
    let mut suite = suite_with(&["moon"], Compat::Documented);
    done(&mut suite, VECTOR, "CreateDocumentCustom", &json!({"width": 80, "height": 80}));
    let red = json!({"layerName": "box", "width": 80, "height": 80, "red": 200, "green": 40,
        "blue": 40});
    done(&mut suite, VECTOR, "DrawRectangle", &red);
    done(&mut suite, VECTOR, "SaveDocument", &json!({"fileName": "red", "format": "ai"}));
    done(&mut suite, PHOTO, "CreateDocumentCustom", &json!({"width": 200, "height": 200}));
    done(&mut suite, PHOTO, "ImportObject", &json!({"fileName": "red.ai", "layerName": "Red"}));
    done(&mut suite, PHOTO, "CreateText", &json!({"layerName": "T", "textString": "words"}));
    done(
        &mut suite,
        PHOTO,
        "ColorText",
        &json!({"layerName": "T", "red": 0, "green": 0, "blue": 250}),
    );
    done(&mut suite, PHOTO, "ImportObject", &json!({"fileName": "moon", "layerName": "Moon"}));
    let is_grey = |pixels: &Pixels| {
        pixels.rgba().as_chunks::<4>().0.iter().all(|[r, g, b, _]| r == g && g == b)
    };
    done(&mut suite, PHOTO, "RemoveObject", &json!({"layerName": "Moon"}));
    assert!(!is_grey(&picture(&suite)));
    for layer in ["Red", "T"] {
        done(&mut suite, PHOTO, "AdjustBW", &json!({"layerName": layer}));
    }
    assert!(is_grey(&picture(&suite)));
    // Words stay words: hidden, beside what is seen of them.
    let design = suite.design().unwrap();
    let words = design.iter_depth_first().find(|node| matches!(node.kind, NodeKind::Text(_)));
    assert!(!words.unwrap().visible);
    done(&mut suite, PHOTO, "SaveDocument", &json!({"fileName": "grey", "format": "psd"}));
    done(&mut suite, LAYOUT, "CreateDocumentCustom", &json!({"width": 200, "height": 200}));
    done(&mut suite, LAYOUT, "ImportObject", &json!({"fileName": "grey.psd", "layerName": "G"}));
    assert!(is_grey(&picture(&suite)));
    let dark = picture(&suite).rgba().as_chunks::<4>().0.iter().filter(|p| p[0] < 250).count();
    assert!(dark > 6_000, "{dark} of 6400 pixels and the words");
}

#[test]
fn a_blur_reaches_beyond_its_layer_and_a_second_filter_comes_after_the_first() {
    let mut suite = open(VECTOR, 100, 100);
    let black =
        json!({"layerName": "b", "width": 40, "height": 40, "red": 60, "green": 60, "blue": 60});
    done(&mut suite, VECTOR, "DrawRectangle", &black);
    done(&mut suite, VECTOR, "SaveDocument", &json!({"fileName": "b", "format": "ai"}));
    done(&mut suite, PHOTO, "CreateDocumentCustom", &json!({"width": 100, "height": 100}));
    done(&mut suite, PHOTO, "ImportObject", &json!({"fileName": "b.ai", "layerName": "b"}));
    assert_eq!(picture(&suite).get(26, 50), Some([255; 4]));
    done(&mut suite, PHOTO, "BlurObject", &json!({"layerName": "b", "blurAmount": 6}));
    let [grey, ..] = picture(&suite).get(26, 50).unwrap();
    assert!((100..255).contains(&grey), "{grey}");
    let before = picture(&suite);
    done(
        &mut suite,
        PHOTO,
        "AdjustBC",
        &json!({"layerName": "b", "brightness": 150, "contrast": 0}),
    );
    assert!(picture(&suite) != before);
}

#[test]
fn qr_codes_scan() {
    for (says, side) in [("https://www.example.org/a?b=c", 612), ("tel:+18005557890", 2000)] {
        let mut suite = open(LAYOUT, side, side);
        done(&mut suite, LAYOUT, "GenerateQRObject", &json!({"layerName": "QR", "linkURL": says}));
        let shown = picture(&suite);
        let grey = |x: usize, y: usize| shown.get(x as u32, y as u32).unwrap()[0];
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(
            shown.width() as usize,
            shown.height() as usize,
            grey,
        );
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1);
        assert_eq!(grids[0].decode().unwrap().1, says);
    }
}

#[test]
fn drawings_are_made_in_the_middle_and_turn_and_grow_about_it() {
    let mut suite = open(VECTOR, 400, 300);
    let rgb = |mut values: serde_json::Value| {
        for (name, value) in [("red", 200), ("green", 100), ("blue", 50)] {
            values[name] = json!(value);
        }
        values
    };
    for (action, values, width, height) in [
        ("DrawCircle", json!({"radius": 30}), 60.0, 60.0),
        ("DrawEllipse", json!({"majorRadius": 50, "minorRadius": 20}), 100.0, 40.0),
        ("DrawPolygon", json!({"sides": 6, "radius": 40}), 80.0, 80.0),
        ("DrawRectangle", json!({"width": 120, "height": 10}), 120.0, 10.0),
        ("DrawStar", json!({"numPoints": 5, "radius": 40}), 80.0, 80.0),
        ("DrawTriangle", json!({"base": 60, "height": 90}), 60.0, 90.0),
    ] {
        let mut values = rgb(values);
        values["layerName"] = json!(action);
        done(&mut suite, VECTOR, action, &values);
        let expected = Rect::new(200.0 - width / 2.0, 150.0 - height / 2.0, width, height);
        assert_eq!(box_of(&suite, action), expected);
        let pixel = picture(&suite).get(200, 150).unwrap();
        assert_eq!(pixel, [200, 100, 50, 255], "{action}");
        done(&mut suite, VECTOR, "RotateDrawing", &json!({"layerName": action, "angle": 90}));
        let turned = Rect::new(200.0 - height / 2.0, 150.0 - width / 2.0, height, width);
        assert_eq!(box_of(&suite, action), turned);
        done(&mut suite, VECTOR, "RemoveDrawing", &json!({"layerName": action}));
    }
    let line = rgb(json!({"layerName": "l", "startX": 10, "startY": 20, "endX": 110, "endY": 20,
        "strokeWidth": 4}));
    done(&mut suite, VECTOR, "DrawLine", &line);
    assert_eq!(picture(&suite).get(60, 20), Some([200, 100, 50, 255]));
    let thick = rgb(json!({"layerName": "l", "strokeWidth": 9}));
    assert!(!call(&mut suite, VECTOR, "StrokeDrawing", &thick).is_error());
}

#[test]
fn texts_are_arranged_coloured_and_told_of() {
    let mut suite = open(VECTOR, 600, 400);
    for name in ["a", "b", "c"] {
        done(&mut suite, VECTOR, "CreateText", &json!({"layerName": name, "textString": name}));
    }
    let order = |suite: &SuiteEnvironment| -> String {
        let design = suite.design().unwrap();
        let texts = design.iter_depth_first().filter(|node| node.text().is_some());
        texts.map(|node| node.name.as_str()).collect()
    };
    for (arrangement, expected) in
        [("front", "bca"), ("backward", "bac"), ("back", "abc"), ("frontward", "bac")]
    {
        let values = json!({"layerName": "a", "arrangement": arrangement});
        done(&mut suite, VECTOR, "ArrangeText", &values);
        assert_eq!(order(&suite), expected, "{arrangement}");
    }
    done(&mut suite, VECTOR, "ApplyFont", &json!({"layerName": "A", "fontName": "Arial Bold"}));
    done(&mut suite, VECTOR, "ResizeText", &json!({"layerName": "a", "fontSize": "24"}));
    let told = done(&mut suite, VECTOR, "RetrieveFontStyle", &json!({"layerName": "a"}));
    let told = told.structured.unwrap();
    assert_eq!(
        (&told["family"], &told["style"], &told["size"]),
        (&json!("Inter"), &json!("Bold"), &json!(24.0))
    );
}

#[test]
fn the_whole_state_survives_its_json() {
    for plan in super::plans::all() {
        let mut suite = suite_with(plan.pictures, Compat::Documented);
        for (expert, action, values) in &plan.steps {
            done(&mut suite, expert, action, values);
        }
        let json = suite.document_json();
        let start = SuiteStart { state: Some(json.clone()), ..SuiteStart::default() };
        let again = SuiteEnvironment::new(start).unwrap();
        assert_eq!(again.document_json(), json);
        assert!(picture(&again) == picture(&suite), "{}", plan.name);
        assert_eq!(again.document(Expert::LayoutDesigner), suite.document(Expert::LayoutDesigner));
    }
}

#[test]
fn one_name_means_the_newer_of_two_layers() {
    let mut suite = open(LAYOUT, 600, 400);
    let text = |words: &str| json!({"layerName": "T", "textString": words});
    done(&mut suite, LAYOUT, "CreateText", &text("old"));
    let second = done(&mut suite, LAYOUT, "CreateText", &text("new"));
    assert!(second.text.contains("the newer of two layers"), "{}", second.text);
    done(&mut suite, LAYOUT, "RemoveText", &json!({"layerName": "T"}));
    let design = suite.design().unwrap();
    let left: Vec<_> = design.iter_depth_first().filter_map(|node| node.text()).collect();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].characters, "old");
}

#[test]
fn every_action_is_offered_with_a_description_and_a_valid_schema() {
    let suite = suite();
    assert_eq!(suite.tools().len(), 48);
    for tool in suite.tools() {
        assert!(tool.description.len() > 12 && tool.schema["required"][0] == "expert");
        jsonschema::validator_for(&tool.schema).unwrap();
    }
    // A call that fits the schema of its action is one that is understood.
    let call = ToolCall { id: "1".into(), name: "AdjustBW".into(), arguments: json!({}) };
    assert_eq!(suite.tools().iter().filter(|tool| tool.name == call.name).count(), 1);
}
