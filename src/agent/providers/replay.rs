//! Recorded exchanges, played back.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::Mutex;

use crate::agent::chat::{Exchange, ExchangeEnd, PayloadError};
use crate::base::{CancelToken, Cancelled};
use crate::model::wire::{AnswerListener, BodyEnd, Wire, WireError, WireHead, WireRequest};

/// Plays recorded exchanges back, in order and without a network: the same request gets the same
/// status, headers and bytes, and breaks off where it broke off. Another request is an error that
/// says where it differs. Waits for nothing.
#[derive(Debug)]
pub struct ReplayWire {
    left: Mutex<Left>,
}

#[derive(Debug)]
struct Left {
    /// How many were played.
    played: usize,
    recorded: VecDeque<Recorded>,
}

/// An exchange with its bodies put together.
#[derive(Debug)]
struct Recorded {
    url: String,
    request: Vec<u8>,
    head: WireHead,
    answer: Vec<u8>,
    end: ExchangeEnd,
}

/// Why exchanges cannot be played back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("exchange {number} of the record: {source}")]
pub struct ReplayError {
    /// Which, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub source: PayloadError,
}

/// How many bytes of both requests a difference shows, before and after it.
const SHOWN_BYTES: usize = 24;

impl ReplayWire {
    /// Plays these; `picture` gives the PNG of a name in their bodies.
    pub fn new(
        exchanges: &[Exchange],
        picture: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Self, ReplayError> {
        let mut recorded = VecDeque::with_capacity(exchanges.len());
        for (index, exchange) in exchanges.iter().enumerate() {
            let request = exchange.request.bytes(picture);
            let (request, answer) = request
                .and_then(|request| Ok((request, exchange.answer.bytes(picture)?)))
                .map_err(|source| ReplayError { number: index + 1, source })?;
            recorded.push_back(Recorded {
                url: exchange.url.clone(),
                request,
                head: WireHead {
                    status: exchange.status.unwrap_or(0),
                    headers: exchange.answer_headers.clone(),
                },
                answer,
                end: exchange.end.clone(),
            });
        }
        Ok(Self { left: Mutex::new(Left { played: 0, recorded }) })
    }

    /// How many exchanges were not played yet.
    pub fn left(&self) -> usize {
        self.left.lock().recorded.len()
    }

    /// The next exchange, if it is of this request.
    fn next(&self, request: &WireRequest) -> Result<Recorded, WireError> {
        let mut left = self.left.lock();
        let number = left.played + 1;
        let Some(recorded) = left.recorded.pop_front() else {
            let why = format!("there is no request {number}, only {}", left.played);
            return Err(WireError::NotRecorded(why));
        };
        if let Some(difference) = difference(&recorded, request) {
            // It was not played, and stays the next.
            left.recorded.push_front(recorded);
            return Err(WireError::NotRecorded(format!("request {number} {difference}")));
        }
        left.played = number;
        Ok(recorded)
    }
}

impl Wire for ReplayWire {
    fn post(
        &self,
        request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        cancel.check().map_err(|_stopped| WireError::Cancelled)?;
        let recorded = self.next(request)?;
        // No status means that nobody answered, and then there was no head to tell of.
        if recorded.head.status != 0 {
            listener.head(recorded.head);
            if !recorded.answer.is_empty() && listener.bytes(&recorded.answer).is_break() {
                return Ok(BodyEnd::Stopped);
            }
        }
        match recorded.end {
            ExchangeEnd::Whole => Ok(BodyEnd::Whole),
            ExchangeEnd::Unreachable { why } => Err(WireError::Unreachable { why }),
            ExchangeEnd::BrokenOff { why } => Err(WireError::BrokenOff { why }),
            ExchangeEnd::TimedOut { limit, seconds } => Err(WireError::TimedOut { limit, seconds }),
            ExchangeEnd::Abandoned => {
                Err(WireError::NotRecorded("the answer was stopped here and not kept".to_owned()))
            }
        }
    }

    fn wait(&self, _duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
        cancel.check()
    }
}

/// Where a request differs from the recorded one.
fn difference(recorded: &Recorded, request: &WireRequest) -> Option<String> {
    if recorded.url != request.url {
        return Some(format!("goes to {} and not to {}", request.url, recorded.url));
    }
    let (was, is) = (&recorded.request, &request.body);
    if was == is {
        return None;
    }
    let same = was.iter().zip(is).take_while(|(was, is)| was == is).count();
    // Of both what they have in common and where they part, as pictures make bodies of megabytes.
    let from = same.saturating_sub(SHOWN_BYTES);
    let [was, is] = [was, is].map(|bytes| {
        let end = bytes.len().min(same + SHOWN_BYTES);
        String::from_utf8_lossy(bytes.get(from..end).unwrap_or_default())
    });
    Some(format!("differs from the recorded one at byte {same}: {is:?} and not {was:?}"))
}
