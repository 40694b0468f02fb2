//! Streams cut and damaged anywhere.

use pentimento::agent::chat::{ChatError, StopReason};
use pentimento::agent::providers::ProviderKind;
use proptest::prelude::*;

use super::asking::{Canned, ask, question};
use super::streams;

fn kind() -> impl Strategy<Value = ProviderKind> {
    prop::sample::select(ProviderKind::ALL.to_vec())
}

#[test]
fn a_stream_cut_anywhere_is_the_whole_answer_or_none() {
    for kind in ProviderKind::ALL {
        let stream = streams::of(kind);
        let (whole, _) = ask(&Canned::stream(&stream, 1 << 20).provider(kind), &question("?"));
        let whole = whole.unwrap();
        let mut broken = 0;
        for end in 0..stream.len() {
            let (cut, _) = ask(&Canned::stream(&stream[..end], 64).provider(kind), &question("?"));
            match cut {
                Ok(answer) => assert_eq!(answer.message, whole.message, "{kind:?} at {end}"),
                Err(ChatError::GaveUp { attempts, .. }) => {
                    assert_eq!(attempts.len(), 3);
                    broken += 1;
                }
                Err(other) => panic!("{kind:?} at {end}: {other}"),
            }
        }
        // All but what is after the last event that matters.
        assert!(broken > stream.len() / 2, "{kind:?}: {broken} of {}", stream.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_is_an_answer_or_an_error(
        kind in kind(),
        body in prop::collection::vec(any::<u8>(), 0..400),
        is_stream in any::<bool>(),
    ) {
        let content_type = if is_stream { "text/event-stream" } else { "application/json" };
        let canned = Canned { status: 200, content_type, body, at_a_time: 9, asked: 0.into() };
        let (answer, heard) = ask(&canned.provider(kind), &question("?"));
        prop_assert!(answer.is_err());
        prop_assert!(!heard.exchanges.is_empty());
    }

    #[test]
    fn a_damaged_stream_is_an_answer_or_an_error(
        kind in kind(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..6),
    ) {
        let mut body = streams::of(kind).into_bytes();
        for (at, damage) in damage {
            let at = at.index(body.len());
            match damage {
                Damage::Byte(byte) => body[at] = byte,
                Damage::Insert(text) => drop(body.splice(at..at, text.bytes())),
                Damage::Remove(count) => drop(body.drain(at..(at + count).min(body.len()))),
                Damage::Repeat(count) => {
                    let piece = body[at..(at + count).min(body.len())].to_vec();
                    body.splice(at..at, piece);
                }
            }
            if body.is_empty() {
                body.push(b'\n');
            }
        }
        let canned = Canned {
            status: 200, content_type: "text/event-stream", body, at_a_time: 33, asked: 0.into(),
        };
        let (answer, heard) = ask(&canned.provider(kind), &question("?"));
        match answer {
            Ok(answer) => {
                prop_assert_eq!(answer.attempts.len(), heard.exchanges.len());
                let has_calls = !answer.message.calls.is_empty();
                prop_assert!(answer.stop != StopReason::ToolCalls || has_calls);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Byte(u8),
    Insert(String),
    Remove(usize),
    Repeat(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let snippets = [
        "null",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\n\n",
        "\r",
        "data: ",
        "-1",
        "1e999",
        "[DONE]",
        "\\ud800",
        "\u{0}",
        "{\"error\":{}}",
        "4000000000",
    ];
    prop_oneof![
        any::<u8>().prop_map(Damage::Byte),
        prop::sample::select(snippets.map(str::to_owned).to_vec()).prop_map(Damage::Insert),
        (1usize..60).prop_map(Damage::Remove),
        (1usize..200).prop_map(Damage::Repeat),
    ]
}
