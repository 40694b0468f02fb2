//! Recorded exchanges, played back.

use std::collections::BTreeMap;
use std::sync::Arc;

use pentimento::agent::chat::{ChatError, ChatRequest, Exchange, Message, Part, Payload};
use pentimento::agent::providers::{Provider, ProviderKind, ReplayWire};
use pentimento::base::Variables;

use super::asking::{ask, png, question, settings};
use super::server::{Server, cut_stream, response, stream};
use super::streams;

/// A conversation's request with a picture.
fn request() -> ChatRequest {
    let mut request = question("What is this?");
    request.messages.push(Message::User(vec![Part::Picture(png()), Part::Picture(png())]));
    request
}

/// Exchanges as a run keeps them: through JSON, their pictures apart.
fn kept(exchanges: &[Exchange]) -> (Vec<Exchange>, BTreeMap<String, Vec<u8>>) {
    let mut pictures = BTreeMap::new();
    let kept = exchanges.iter().map(|exchange| {
        let (request, taken) = exchange.request.without_pictures();
        pictures.extend(taken.into_iter().map(|picture| (picture.file, picture.png)));
        let line = serde_json::to_string(&Exchange { request, ..exchange.clone() }).unwrap();
        assert!(!line.contains("iVBORw0KGgo"), "{line}");
        serde_json::from_str(&line).unwrap()
    });
    (kept.collect(), pictures)
}

fn without_times(exchange: &Exchange) -> Exchange {
    Exchange { started_ms: 0.0, milliseconds: 0.0, ..exchange.clone() }
}

#[test]
fn what_was_recorded_is_answered_again_without_a_network_byte_for_byte() {
    for kind in ProviderKind::ALL {
        let whole = streams::of(kind);
        let answers = [
            response(
                "429 Too Many Requests",
                "retry-after: 0\r\n",
                "{\"error\":{\"message\":\"m\"}}",
            ),
            cut_stream(&whole[..whole.len() / 2]),
            response("200 OK", "content-type: application/json\r\n", "{malformed"),
            stream(&whole),
        ];
        let server = Server::answering(&answers);
        let mut settings = settings(kind, &server.address);
        settings.attempts = 4;
        let (asked, heard) =
            ask(&Provider::new(settings.clone(), &Variables::default()).unwrap(), &request());
        let asked = asked.unwrap();
        assert_eq!(heard.exchanges.len(), 4, "{kind:?}");
        let (kept, pictures) = kept(&heard.exchanges);
        assert_eq!(pictures.len(), 1);
        assert_eq!(pictures.values().next().unwrap().as_slice(), &*png());

        let wire = ReplayWire::new(&kept, &mut |name| pictures.get(name).cloned()).unwrap();
        let wire = Arc::new(wire);
        let replayed = Provider::over(Arc::clone(&wire) as _, settings, None).unwrap();
        let (answer, heard_again) = ask(&replayed, &request());
        let answer = answer.unwrap();
        assert_eq!(answer.message, asked.message, "{kind:?}");
        assert_eq!((answer.stop, answer.usage), (asked.stop, asked.usage));
        let (old, new) = (heard.exchanges.iter(), heard_again.exchanges.iter());
        assert!(old.map(without_times).eq(new.map(without_times)), "{kind:?}");
        assert_eq!((heard.text, heard.calls), (heard_again.text, heard_again.calls));
        assert_eq!(wire.left(), 0);
    }
}

#[test]
fn another_request_is_refused_with_the_place_where_it_differs() {
    let kind = ProviderKind::Anthropic;
    let server = Server::answering(&[stream(&streams::of(kind))]);
    let settings = settings(kind, &server.address);
    let (_, heard) = ask(
        &Provider::new(settings.clone(), &Variables::default()).unwrap(),
        &question("Draw a card."),
    );
    let wire = Arc::new(ReplayWire::new(&heard.exchanges, &mut |_| None).unwrap());
    let replayed = Provider::over(Arc::clone(&wire) as _, settings.clone(), None).unwrap();

    let error = ask(&replayed, &question("Draw a cart.")).0.unwrap_err();
    assert!(matches!(error, ChatError::NotRecorded { .. }));
    let text = error.to_string();
    assert!(text.contains("request 1") && text.contains("cart") && text.contains("card"), "{text}");
    // The record goes on where it was.
    ask(&replayed, &question("Draw a card.")).0.unwrap();
    let error = ask(&replayed, &question("Draw a card.")).0.unwrap_err().to_string();
    assert!(error.contains("there is no request 2"), "{error}");

    let mut elsewhere = settings;
    elsewhere.base_url = Some("http://elsewhere/v1".to_owned());
    let wire = Arc::new(ReplayWire::new(&heard.exchanges, &mut |_| None).unwrap());
    let moved = Provider::over(wire, elsewhere, None).unwrap();
    let error = ask(&moved, &question("Draw a card.")).0.unwrap_err().to_string();
    assert!(error.contains("http://elsewhere/v1/messages"), "{error}");
}

#[test]
fn a_record_without_its_pictures_is_refused() {
    let kind = ProviderKind::Gemini;
    let server = Server::answering(&[stream(&streams::of(kind))]);
    let provider = Provider::new(settings(kind, &server.address), &Variables::default()).unwrap();
    let (_, heard) = ask(&provider, &request());
    let (kept, _) = kept(&heard.exchanges);
    let error = ReplayWire::new(&kept, &mut |_| None).unwrap_err();
    assert_eq!(error.number, 1);
    assert!(error.to_string().contains(".png"), "{error}");
}

#[test]
fn damaged_records_are_refused() {
    let text = r#"{"method":"POST","url":"u","request_headers":[],"request":[{"base64":"*"}],"status":200,
        "answer_headers":[],"answer":["a"],"end":{"kind":"whole"},"started_ms":0.0,"milliseconds":0.0}"#;
    let exchange: Exchange = serde_json::from_str(text).unwrap();
    assert_eq!(exchange.answer, Payload::new(b"a"));
    assert!(ReplayWire::new(&[exchange], &mut |_| None).is_err());
}
