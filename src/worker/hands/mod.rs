//! The thread that keeps what people design by hand: it opens designs, and records what is done as a run.
//!
//! [`opening`] makes a [`desk::HandDesk`] of what somebody begins with; the desk records. [`beside`] writes what lies
//! beside a run and in files of its own.

mod beside;
mod desk;
mod opening;
mod pending;

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::render::TextMeasurer;
use crate::workbench::Event;
use crate::workbench::protocol::{HandsNews, HandsOrder};

use super::copying::copy;
use super::placing::read_picture;
use super::shared::Shared;
use desk::HandDesk;

/// Most orders that are taken from the channel before their turn; beyond that they wait, and are refused, there.
const MOST_WAITING: usize = 1_024;

/// Opens and records until nobody can give orders any more.
pub(super) fn keep_hands_until_closed(shared: &Shared, orders: &Receiver<HandsOrder>) {
    let mut desks: BTreeMap<u64, HandDesk> = BTreeMap::new();
    let mut waiting: VecDeque<HandsOrder> = VecDeque::new();
    loop {
        // Woken by the next order, or when something that waits is due.
        let due = desks.values().filter_map(HandDesk::due).min();
        let order = match (waiting.pop_front(), due) {
            (Some(order), _) => Ok(order),
            (None, Some(due)) => orders.recv_deadline(due),
            (None, None) => orders.recv().map_err(|_closed| RecvTimeoutError::Disconnected),
        };
        match order {
            Ok(order) => take_order(shared, &mut desks, order),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        waiting.extend(orders.try_iter().take(MOST_WAITING.saturating_sub(waiting.len())));
        // Only with another edit comes another picture: the last one has it, whatever is ordered after it; but where what
        // follows comes to nothing.
        let is_busy = waiting.iter().any(|order| matches!(order, HandsOrder::Record { .. }));
        desks.retain(|_, desk| desk.work(shared, Instant::now(), is_busy));
    }
    // What is left open is a run that was broken off, and is gone on with another time.
    for desk in desks.values_mut() {
        desk.write_all(shared);
    }
}

fn take_order(shared: &Shared, desks: &mut BTreeMap<u64, HandDesk>, order: HandsOrder) {
    match order {
        HandsOrder::Open(start) => {
            let desk = start.desk;
            let result = opening::open(shared, *start).map(|(opened, hands)| {
                // Practice is not recorded.
                desks.extend(hands.map(|hands| (desk, hands)));
                Box::new(opened)
            });
            shared.mailbox.send(Event::Hands(HandsNews::Opened { desk, result }));
        }
        HandsOrder::Record { desk, step } => {
            if let Some(desk) = desks.get_mut(&desk) {
                desk.take(*step, Instant::now());
            }
        }
        HandsOrder::EndBurst(number) => {
            if let Some(desk) = desks.get_mut(&number) {
                desk.end_burst();
            }
        }
        HandsOrder::Close { desk, outcome } => {
            if let Some(desk) = desks.get_mut(&desk) {
                desk.close(outcome);
            }
        }
        HandsOrder::Assist { desk, events } => {
            // The same: an event that JSON could not say would be left out alone.
            let lines = events.iter().filter_map(|event| serde_json::to_string(event).ok());
            let lines: Vec<String> = lines.collect();
            if let Some(desk) = desks.get_mut(&desk) {
                desk.keep_beside(beside::Beside::Assist(lines.join("\n")));
            }
        }
        HandsOrder::Offer { desk, offer } => {
            let measure = TextMeasurer(&shared.render);
            let json = offer.and_then(|offer| pending::to_json(&offer, &measure));
            if let Some(desk) = desks.get_mut(&desk) {
                desk.keep_beside(beside::Beside::Offer(json));
            }
        }
        HandsOrder::Comments { desk, comments } => {
            // Words and numbers that are in order: there is nothing that JSON could not say.
            let json = serde_json::to_string(&*comments).unwrap_or_default();
            if let Some(desk) = desks.get_mut(&desk) {
                desk.keep_beside(beside::Beside::Comments(json));
            }
        }
        HandsOrder::Copy(order) => {
            shared.mailbox.send(Event::Hands(HandsNews::Copied(copy(&order))));
        }
        HandsOrder::ReadPicture { desk, path, at } => {
            let news = HandsNews::PictureRead { desk, at, result: read_picture(&path) };
            shared.mailbox.send(Event::Hands(news));
        }
        HandsOrder::NameVersion { desk, name } => {
            if let Some(desk) = desks.get_mut(&desk) {
                desk.name_version(name);
            }
        }
        HandsOrder::HandOver(number) => {
            if let Some(desk) = desks.get_mut(&number) {
                let result = desk.hand_over(shared);
                let news = HandsNews::HandedOver { desk: number, result };
                shared.mailbox.send(Event::Hands(news));
            }
        }
        HandsOrder::Write(order) => {
            let result = beside::write_design(&order, &shared.render);
            shared.mailbox.send(Event::Hands(HandsNews::Written { path: order.path, result }));
        }
    }
}
