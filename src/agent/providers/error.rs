//! Why a provider gives no answer.

use serde_json::Value;

use crate::agent::chat::RetryCause;
use crate::model::wire::in_one_line;

/// Why there is no answer: as a reader of an answer finds it, in the provider's own words; and as an
/// attempt gives it, which has taken the key out of them ([`Self::map_text`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProviderError {
    /// Somebody stopped the attempt.
    Cancelled,
    /// May be better the next time.
    Passing(RetryCause),
    /// The provider says that something is wrong, which will not pass.
    Rejected {
        /// The status that the error says, or else that of the answer.
        status: Option<u16>,
        /// What it says.
        message: String,
    },
    /// It goes beyond a limit.
    TooMuch(String),
    /// The request cannot be written.
    Unsendable(String),
    /// What is played back does not hold the request.
    NotRecorded(String),
}

/// Words in the kind of an error that say that it is the request's fault.
const LASTING: [&str; 8] = [
    "invalid",
    "authentication",
    "permission",
    "not_found",
    "insufficient_quota",
    "billing",
    "context_length",
    "unsupported",
];

impl ProviderError {
    /// The answer is not what the API says it is.
    pub(super) fn malformed(why: String) -> Self {
        Self::Passing(RetryCause::Malformed { why })
    }

    /// The answer ends before its end.
    pub(super) fn broken_off(why: String) -> Self {
        Self::Passing(RetryCause::BrokenOff { why })
    }

    /// The provider says that something went wrong, which may pass.
    pub(super) fn failed(message: String) -> Self {
        Self::Passing(RetryCause::Failed { message })
    }

    /// The same with every text that came from outside put through `clean`.
    pub(super) fn map_text(mut self, clean: impl Fn(&str) -> String) -> Self {
        let text = match &mut self {
            Self::Cancelled | Self::Passing(RetryCause::TimedOut { .. }) => return self,
            Self::Passing(
                RetryCause::Unreachable { why }
                | RetryCause::BrokenOff { why }
                | RetryCause::Malformed { why },
            )
            | Self::TooMuch(why)
            | Self::Unsendable(why)
            | Self::NotRecorded(why) => why,
            Self::Passing(RetryCause::Status { message, .. } | RetryCause::Failed { message })
            | Self::Rejected { message, .. } => message,
        };
        *text = clean(text);
        self
    }

    /// An error object of whatever API, from the body of a success or from a stream.
    pub(super) fn of_error(error: &Value) -> Self {
        let message = message_of(error);
        let kinds = ["type", "code", "status"].map(|field| {
            let kind = error.get(field);
            kind.and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase()
        });
        // Gemini has the number in `code`, gateways under other names, some of them as a text.
        let status = ["code", "status", "status_code", "http_code"].iter().find_map(|field| {
            let value = error.get(*field)?;
            let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
            u16::try_from(number).ok().filter(|status| (400..600).contains(status))
        });
        // A status says it for sure; only without one the kind's words have to do.
        let named_lasting = kinds.iter().any(|kind| LASTING.iter().any(|word| kind.contains(word)));
        if status.map_or(named_lasting, |status| !may_pass(status)) {
            return Self::Rejected { status, message };
        }
        Self::failed(message)
    }
}

/// Whether a request with this status is worth another try.
pub(super) fn may_pass(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

/// What an error object says, with its kind.
pub(super) fn message_of(error: &Value) -> String {
    let [kind, code, status, message, detail] = ["type", "code", "status", "message", "detail"]
        .map(|field| error.get(field).and_then(Value::as_str));
    // AWS's gate in front of its services begins it with a capital letter.
    let message = message.or_else(|| error.get("Message").and_then(Value::as_str));
    let kind = kind.or(code).or(status);
    match (kind, message.or(detail).or_else(|| error.as_str())) {
        // Anthropic's and OpenAI's outer object is of the type "error", which says nothing.
        (Some(kind), Some(message)) if kind != "error" => {
            in_one_line(&format!("{message} ({kind})"))
        }
        (_, Some(message)) => in_one_line(message),
        (Some(kind), None) => in_one_line(kind),
        (None, None) => in_one_line(&error.to_string()),
    }
}

/// The error object in the body of a refusal, wherever the API puts it; whatever else is there is a
/// text for people.
pub(super) fn error_in(body: &[u8]) -> Value {
    let Ok(value) = crate::base::parse_json::<Value>(body) else {
        return Value::String(String::from_utf8_lossy(body).into_owned());
    };
    // Gemini's is in an array where a stream was asked for.
    let mut value = match value {
        Value::Array(mut items) if !items.is_empty() => items.swap_remove(0),
        other => other,
    };
    match value.get_mut("error").map(Value::take) {
        Some(error) if !error.is_null() => error,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_the_requests_fault_is_told_from_what_may_pass() {
        let passing = [
            json!({ "type": "overloaded_error", "message": "Overloaded" }),
            json!({ "code": 503, "message": "busy", "status": "UNAVAILABLE" }),
            json!({ "code": "rate_limit_exceeded", "message": "slow down" }),
            json!({ "message": "" }),
            json!("something"),
        ];
        for error in passing {
            assert!(
                matches!(ProviderError::of_error(&error), ProviderError::Passing(_)),
                "{error}"
            );
        }
        let lasting = [
            json!({ "type": "invalid_request_error", "message": "no" }),
            json!({ "code": 400, "status": "INVALID_ARGUMENT", "message": "no" }),
            json!({ "code": "insufficient_quota", "message": "pay" }),
            json!({ "code": "404", "message": "no model" }),
        ];
        for error in lasting {
            assert!(
                matches!(ProviderError::of_error(&error), ProviderError::Rejected { .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn an_error_is_found_wherever_it_stands() {
        for body in [
            r#"{"error":{"message":"no"}}"#,
            r#"[{"error":{"message":"no"}}]"#,
            r#"{"object":"error","message":"no"}"#,
            r#"{"detail":"no"}"#,
            r#"{"error":"no"}"#,
            "no\n",
        ] {
            assert_eq!(message_of(&error_in(body.as_bytes())), "no", "{body}");
        }
    }
}
