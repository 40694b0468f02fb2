//! How requests reach a model over HTTP: what [`super::endpoint`] and the agents' providers share.
//!
//! The only place that names reqwest. A [`Wire`] posts a body and hands out the answer as it comes;
//! [`HttpWire`] is the network, others play a record back. [`ApiKey`] keeps a key out of texts and
//! [`Redactor`] out of bytes; [`checked_address`] and [`asked_wait`] read what people and servers
//! write.
//!
//! [`ApiKey::signature`] signs for AWS.
//!
//! Uses `base`.

mod address;
mod error;
mod http;
mod key;
mod message;
mod redactor;
mod request;
mod sigv4;
mod waiting;

pub use address::{AddressError, checked_address};
pub use error::{TimeLimit, WireError};
pub use http::{HttpSettings, HttpWire};
pub use key::{ApiKey, UnusableKey};
pub use message::in_one_line;
pub use redactor::Redactor;
pub use request::{AnswerListener, BodyEnd, Wire, WireHead, WireHeader, WireRequest, wait};
pub use sigv4::{SigningScope, encode_path_segment};
pub use waiting::asked_wait;
