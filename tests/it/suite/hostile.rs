//! Nothing that is asked panics, runs long or grows without end.

use std::time::Instant;

use pentimento::environment::suite::{Compat, SuiteEnvironment, SuiteStart};
use pentimento::environment::{Environment as _, FailureClass, PictureRequest};
use serde_json::{Value, json};

use super::{call, done, failed, suite, suite_with};

const PHOTO: &str = "Photo Editor";
const VECTOR: &str = "Vector Graphic Editor";

fn size(width: f64, height: f64) -> Value {
    json!({"width": width, "height": height})
}

#[test]
fn a_document_that_is_put_into_itself_five_hundred_times_stays_bounded() {
    for format in ["psd", "png"] {
        let started = Instant::now();
        let mut suite = suite();
        done(&mut suite, PHOTO, "CreateDocumentCustom", &size(60.0, 60.0));
        done(&mut suite, PHOTO, "CreateText", &json!({"layerName": "t", "textString": "again"}));
        let mut refused = 0;
        for _ in 0..500 {
            done(&mut suite, PHOTO, "SaveDocument", &json!({"fileName": "me", "format": format}));
            let import = json!({"fileName": format!("me.{format}"), "layerName": "Me"});
            if let Some(failure) = call(&mut suite, PHOTO, "ImportObject", &import).failure {
                assert_eq!(failure.class, FailureClass::TooLarge);
                refused += 1;
            }
        }
        assert!(refused > 400, "{refused} of 500 were refused as {format}");
        assert!(suite.picture(&PictureRequest::default()).unwrap().pixels.width() == 60);
        assert!(suite.document_json().to_string().len() < 20_000_000);
        let again = SuiteStart { state: Some(suite.document_json()), ..SuiteStart::default() };
        SuiteEnvironment::new(again).unwrap();
        println!("500 imports of itself as {format} in {:.1?}", started.elapsed());
    }
}

#[test]
fn giant_sizes_and_texts_are_refused_with_what_would_be_taken() {
    let mut suite = suite();
    for (width, height) in [(0.0, 5.0), (-1.0, 5.0), (14_401.0, 1.0), (14_400.0, 14_400.0)] {
        let (class, words) =
            failed(&mut suite, PHOTO, "CreateDocumentCustom", &size(width, height));
        assert_eq!(class, FailureClass::OutOfRange);
        assert!(words.contains("14400"), "{words}");
    }
    done(&mut suite, VECTOR, "CreateDocumentCustom", &size(500.0, 500.0));
    let novel = json!({"layerName": "t", "textString": "x".repeat(1_000_000)});
    assert_eq!(failed(&mut suite, VECTOR, "CreateText", &novel).0, FailureClass::TooLarge);
    let name = json!({"layerName": "x".repeat(1_000_000), "textString": "x"});
    let (class, words) = failed(&mut suite, VECTOR, "CreateText", &name);
    assert!(class == FailureClass::TooLarge && words.len() < 200);
    let long = json!({"layerName": "t", "textString": "many words ".repeat(1_800)});
    done(&mut suite, VECTOR, "CreateText", &long);
    for (action, values, class) in [
        ("ResizeText", json!({"fontSize": 1e6}), FailureClass::OutOfRange),
        ("ResizeText", json!({"fontSize": -3}), FailureClass::OutOfRange),
        ("ResizeText", json!({"fontSize": "NaN"}), FailureClass::IllTypedParameter),
        ("ResizeText", json!({"fontSize": "inf"}), FailureClass::IllTypedParameter),
        ("ResizeText", json!({"fontSize": {"a": []}}), FailureClass::IllTypedParameter),
        ("RepositionText", json!({"posX": 1e300, "posY": 0}), FailureClass::OutOfRange),
        ("ApplyFont", json!({"fontName": ""}), FailureClass::OutOfRange),
    ] {
        let mut values = values;
        values["layerName"] = json!("t");
        assert_eq!(failed(&mut suite, VECTOR, action, &values).0, class, "{action} {values}");
    }
    let large = json!({"layerName": "t", "fontSize": 2000});
    assert_eq!(failed(&mut suite, VECTOR, "ResizeText", &large).0, FailureClass::TooLarge);
    done(&mut suite, VECTOR, "ResizeText", &json!({"layerName": "t", "fontSize": 20}));
    suite.picture(&PictureRequest::default()).unwrap();
}

#[test]
fn giant_objects_and_filters_on_them_are_drawn_in_bounded_time() {
    let mut suite = suite_with(&["moon"], Compat::Documented);
    done(&mut suite, PHOTO, "CreateDocument", &json!({"docType": "poster"}));
    done(&mut suite, PHOTO, "ImportObject", &json!({"fileName": "moon", "layerName": "m"}));
    let giant = json!({"layerName": "m", "width": 100_000, "height": 100_000});
    done(&mut suite, PHOTO, "ResizeObject", &giant);
    for _ in 0..16 {
        done(&mut suite, PHOTO, "AdjustBW", &json!({"layerName": "m"}));
    }
    let more = failed(&mut suite, PHOTO, "AdjustBW", &json!({"layerName": "m"}));
    assert_eq!(more.0, FailureClass::TooLarge);
    let started = Instant::now();
    suite.picture(&PictureRequest::default()).unwrap();
    println!("a giant with 16 filters is drawn in {:.1?}", started.elapsed());
    let thin = json!({"layerName": "m", "width": 100_000, "height": 0.001});
    done(&mut suite, PHOTO, "ResizeObject", &thin);
    suite.picture(&PictureRequest::default()).unwrap();
}

#[test]
fn the_folder_and_the_layers_have_a_last_place() {
    let mut suite = suite();
    done(&mut suite, VECTOR, "CreateDocumentCustom", &size(50.0, 50.0));
    let circle = |at: usize| json!({"layerName": at.to_string(), "radius": 1, "red": 0, "green": 0, "blue": 0});
    for at in 0..500 {
        done(&mut suite, VECTOR, "DrawCircle", &circle(at));
    }
    assert_eq!(failed(&mut suite, VECTOR, "DrawCircle", &circle(500)).0, FailureClass::TooLarge);
    let file = |at: usize| json!({"fileName": format!("f{at}"), "format": "ai"});
    for at in 0..500 {
        done(&mut suite, VECTOR, "SaveDocument", &file(at));
    }
    assert_eq!(failed(&mut suite, VECTOR, "SaveDocument", &file(500)).0, FailureClass::TooLarge);
    done(&mut suite, VECTOR, "SaveDocument", &file(3));
}

#[test]
fn states_that_no_call_could_have_made_are_refused() {
    let mut suite = suite_with(&["moon"], Compat::Documented);
    done(&mut suite, PHOTO, "CreateDocumentCustom", &size(60.0, 60.0));
    done(&mut suite, PHOTO, "ImportObject", &json!({"fileName": "moon", "layerName": "m"}));
    done(&mut suite, PHOTO, "SaveDocument", &json!({"fileName": "a", "format": "psd"}));
    done(&mut suite, PHOTO, "ImportObject", &json!({"fileName": "a.psd", "layerName": "a"}));
    let good = suite.document_json();
    let open = |state: &Value| {
        let state = Some(state.clone());
        SuiteEnvironment::new(SuiteStart { state, ..SuiteStart::default() })
    };
    open(&good).unwrap();
    let spoil = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        open(&bad).map(|_| ()).unwrap_err().to_string()
    };
    let sheet = "/programs/Photo Editor";
    for (pointer, value) in [
        ("/format".to_owned(), json!("other")),
        ("/version".to_owned(), json!(9)),
        ("/programs/Photo Editor".to_owned(), json!([])),
        (format!("{sheet}/size/width"), json!(1e300)),
        (format!("{sheet}/size/width"), json!(-4)),
        (format!("{sheet}/layers"), json!({})),
        (format!("{sheet}/layers/0/content/object/place/center/x"), json!(1e99)),
        (format!("{sheet}/layers/1/id"), json!(1)),
        (format!("{sheet}/layers/1/content/object/source"), json!({"picture": "none"})),
        ("/documents".to_owned(), json!({})),
        ("/pictures".to_owned(), json!({"x": 3})),
        ("/current".to_owned(), json!("Text Editor")),
    ] {
        let error = spoil(&pointer, value);
        assert!(!error.is_empty(), "{pointer}");
    }
    // A document inside itself.
    let key = good["files"][0]["document"].as_str().unwrap();
    let loops = json!({"live": {"file": "a.psd", "expert": PHOTO, "document": key}});
    let pointer = format!("/documents/{key}/layers/0/content/object/source");
    assert!(spoil(&pointer, loops).contains("inside itself"));
}
