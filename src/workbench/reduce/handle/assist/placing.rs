//! Pictures of files that are put onto the page.

use std::path::PathBuf;

use crate::base::{Point, one_line};
use crate::editor::{Act, PictureAct, PlacedPicture};
use crate::workbench::model::{NoticeLevel, State};
use crate::workbench::protocol::{HandsOrder, Request};

/// The most pictures that are placed at once.
const MOST_AT_ONCE: usize = 20;
/// From one to the next, in units of the page, so that none lies right over another.
const BESIDE: f64 = 16.0;

/// Has pictures read.
pub(super) fn read(state: &mut State, mut paths: Vec<PathBuf>, at: Point) -> Vec<Request> {
    let Some(desk) = &state.assist.desk else { return Vec::new() };
    let desk = desk.number;
    if paths.len() > MOST_AT_ONCE {
        let words = format!("Only the first {MOST_AT_ONCE} pictures are placed.");
        state.notify(NoticeLevel::Warning, words);
        paths.truncate(MOST_AT_ONCE);
    }
    let orders = paths.into_iter().enumerate().map(|(number, path)| {
        let by = BESIDE * number as f64;
        HandsOrder::ReadPicture { desk, path, at: Point::new(at.x + by, at.y + by) }
    });
    orders.map(Request::Hands).collect()
}

/// What puts one onto the page that was read; nothing of one for a design that was left.
pub(super) fn placed(
    state: &mut State,
    desk: u64,
    at: Point,
    result: Result<PlacedPicture, String>,
) -> Option<Act> {
    if state.assist.desk.as_ref().is_none_or(|open| open.number != desk) {
        return None;
    }
    match result {
        Ok(picture) => Some(Act::Picture(PictureAct::Place { picture, at })),
        Err(why) => {
            let words = format!("The picture was not placed: {}.", one_line(&why));
            state.notify(NoticeLevel::Error, words);
            None
        }
    }
}
