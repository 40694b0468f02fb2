//! What a model was asked and answered, in the window: the list, a request laid out, keys, looks.

use std::sync::Arc;

use egui::Key;
use egui_kittest::kittest::Queryable as _;

use pentimento::agent::chat::{ExchangeEnd, ExchangeHead};
use pentimento::run::exchanges::Located;
use pentimento::workbench::{
    BodyText, Command, ExchangeKey, ExchangeList, ExchangeText, ExchangesCommand, Fetched, Overlay,
    State, handle,
};

use super::fixture::{self, RUN};
use super::harness::{Part, looks, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn body(name: &str, raw: &str, formatted: &str) -> BodyText {
    BodyText {
        headers: vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("x-request".to_owned(), name.to_owned()),
        ],
        raw: raw.to_owned(),
        formatted: Some(lines(formatted)),
        lines: lines(raw),
    }
}

/// The run on the stage with thirteen turns, one of which was asked for twice, and the overlay open.
pub(super) fn opened() -> State {
    let mut state = fixture::full();
    let mut exchanges = Vec::new();
    for turn in 1..=13_u32 {
        let head = |status, end| ExchangeHead {
            turn,
            method: "POST".to_owned(),
            url: "https://api.example.org/v1/chat/completions".to_owned(),
            status,
            end,
            milliseconds: 2_310.0 + 40.0 * f64::from(turn),
        };
        let start = u64::from(turn) * 100_000;
        if turn == 9 {
            exchanges.push(Located {
                value: head(Some(429), ExchangeEnd::Whole),
                bytes: start - 900..start,
            });
        }
        let size = 12_000 + u64::from(turn) * 1_400;
        exchanges.push(Located {
            value: head(Some(200), ExchangeEnd::Whole),
            bytes: start..start + size,
        });
    }
    let list = ExchangeList { exchanges, damaged: 0 };
    let key = state.exchange_list_key().expect("the run asked a model");
    let request = "{\n  \"model\": \"gpt-4.1\",\n  \"messages\": [\n    {\n      \"role\": \"system\",\n      \
                   \"content\": \"\n        Recreate the screen in the picture as a Figma design: same \
                   layout, same text, same colours.\n        Name your layers.\n      \"\n    },\n    {\n      \
                   \"role\": \"user\",\n      \"content\": [\n        {\n          \"type\": \"image_url\",\n          \
                   \"image_url\": \"data:image/png;base64,[images/0b1f6d9a.png]\"\n        }\n      ]\n    }\n  \
                   ]\n}";
    for (at, listed) in list.exchanges.iter().enumerate() {
        let raw = request.replace('\n', "").replace("  ", "");
        let answer =
            "data: {\"choices\": [{\"delta\": {\"content\": \"The list next.\"}}]}\n\ndata: [DONE]";
        let text = ExchangeText {
            request: body(&at.to_string(), &raw, request),
            answer: body(&at.to_string(), answer, answer),
        };
        let key = ExchangeKey::of(RUN, listed);
        state.derived.exchanges.insert(key, Fetched::Ready(Arc::new(text)));
    }
    state.derived.exchange_lists.insert(key, Fetched::Ready(Arc::new(list)));
    drop(handle(&mut state, Command::Exchanges(ExchangesCommand::Open)));
    state
}

#[test]
fn requests_beside_their_list() {
    looks("exchanges_1440", &opened(), DESKTOP, Part::Overlay("exchanges"));
}

#[test]
fn requests_in_a_small_window() {
    looks("exchanges_1024", &opened(), SMALL, Part::Overlay("exchanges"));
}

#[test]
fn arrows_walk_through_requests_and_escape_closes() {
    let mut harness = window(opened(), DESKTOP);
    harness.run_ok();
    // The turn on the stage was asked for twice: its first request was refused.
    assert!(harness.query_by_label_contains("Turn 9: 429").is_some());
    assert!(harness.query_by_label_contains("Turn 9, request 2: 200").is_some());
    harness.key_press(Key::ArrowDown);
    harness.run_ok();
    assert_eq!(harness.state().state.exchanges.selected, Some(9));
    harness.key_press(Key::ArrowUp);
    harness.key_press(Key::ArrowUp);
    harness.run_ok();
    assert_eq!(harness.state().state.exchanges.selected, Some(7));
    assert_eq!(harness.state().state.selection.step, 18, "the arrows are the list's");
    harness.get_by_label("Answer").click();
    harness.run_ok();
    assert!(harness.query_by_label_contains("data: [DONE]").is_some());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);
}

#[test]
fn a_run_without_a_record_says_so_in_the_overlay() {
    let mut state = opened();
    let key = state.exchange_list_key().unwrap();
    let none = Arc::new(ExchangeList::default());
    state.derived.exchange_lists.insert(key, Fetched::Ready(none));
    let mut harness = window(state, DESKTOP);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Exchanges));
    assert!(harness.query_by_label_contains("recorded no exchange").is_some());
}
