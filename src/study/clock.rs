//! How long somebody was at a task, by its events.
//!
//! Durations are by the clock that only goes forwards. Setting the wall's clock, or a machine that sleeps, changes
//! nothing and is listed. After a crash nothing is known of the time between: it does not count, and is listed.

use jiff::Timestamp;

use super::event::{Happening, PauseReason, Stamp, StudyEvent};

/// The window being elsewhere for up to so long is no pause.
pub const SHORTEST_FOCUS_PAUSE_MS: u64 = 2_000;
/// Clocks that are further apart than this say that one of them jumped.
const LEAST_JUMP_MS: u64 = 2_000;

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// They said that they are done.
    Done,
    /// They gave up.
    GaveUp,
    /// The time was up.
    TimedOut,
}

impl Ending {
    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::GaveUp => "gave_up",
            Self::TimedOut => "timed_out",
        }
    }
}

/// A time that the clock stood still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Why; `None`: the program was gone.
    pub reason: Option<PauseReason>,
    /// How long, in milliseconds; of a crash by the wall's clock, and 0 if that went backwards.
    pub millis: u64,
}

/// Why a clock stood still, each with its name in tables and files; `None`: the program was gone.
pub const STOP_REASONS: [(Option<PauseReason>, &str); 4] = [
    (Some(PauseReason::Button), "button"),
    (Some(PauseReason::Dialog), "dialog"),
    (Some(PauseReason::Focus), "focus"),
    (None, "crash"),
];

impl Stop {
    /// What tables and files call its reason.
    pub fn name(&self) -> &'static str {
        let known = STOP_REASONS.iter().find(|(reason, _)| *reason == self.reason);
        known.map_or("", |(_, name)| *name)
    }
}

/// The clock of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskClock {
    /// How long they were at it, in milliseconds.
    pub active_ms: u64,
    /// When the clock stood still.
    pub stops: Vec<Stop>,
    /// How long they were away while it ran.
    pub away_ms: u64,
    /// From the task being shown to the first press of a button or key.
    pub first_input_ms: Option<u64>,
    /// How it ended; `None`: not yet, or the program was gone and nobody went on.
    pub ending: Option<Ending>,
    /// By how many milliseconds the wall's clock jumped, each time it did.
    pub wall_jumps_ms: Vec<i64>,
}

impl TaskClock {
    /// The clock of a task's events.
    pub fn of(events: &[StudyEvent]) -> Self {
        Clockwork::run(events, |_, _| ())
    }

    /// For each event, how long they had been at it by then, in milliseconds.
    pub fn active_at(events: &[StudyEvent]) -> Vec<u64> {
        let mut times = Vec::with_capacity(events.len());
        Clockwork::run(events, |_, active_ms| times.push(active_ms));
        times
    }

    /// Seconds away while it ran.
    pub fn away_secs(&self) -> f64 {
        self.away_ms as f64 / 1_000.0
    }

    /// Seconds that it stood still for this reason; `None`: as the program was gone.
    pub fn stopped_secs(&self, reason: Option<PauseReason>) -> f64 {
        let of_reason = self.stops.iter().filter(|stop| stop.reason == reason);
        of_reason.map(|stop| stop.millis).fold(0, u64::saturating_add) as f64 / 1_000.0
    }

    /// Seconds at it, at most the limit: what is beyond it is how late the program noticed.
    pub fn seconds(&self, limit_secs: f64) -> f64 {
        (self.active_ms as f64 / 1_000.0).min(limit_secs)
    }
}

#[derive(Default)]
struct Clockwork<'a> {
    clock: TaskClock,
    last: Option<&'a Stamp>,
    is_running: bool,
    /// The stop that the clock is in.
    stop: Option<Stop>,
    is_away: bool,
}

impl<'a> Clockwork<'a> {
    fn run(events: &'a [StudyEvent], mut each: impl FnMut(&StudyEvent, u64)) -> TaskClock {
        let mut work = Self::default();
        for event in events {
            work.advance(event);
            each(event, work.clock.active_ms);
        }
        work.clock.stops.extend(work.stop);
        work.clock
    }

    fn advance(&mut self, event: &'a StudyEvent) {
        self.pass(&event.at);
        // What is after the end is questions, and takes no time of the task.
        if self.clock.ending.is_some() {
            return;
        }
        match &event.what {
            Happening::Shown => self.is_running = true,
            Happening::FirstInput => {
                self.clock.first_input_ms.get_or_insert(self.clock.active_ms);
            }
            Happening::Pause { reason } if self.is_running => {
                self.is_running = false;
                self.stop = Some(Stop { reason: Some(*reason), millis: 0 });
            }
            Happening::Resume => self.resume(),
            Happening::Leaving => self.is_away = true,
            Happening::Back => self.is_away = false,
            Happening::Done => self.end(Ending::Done),
            Happening::GiveUp => self.end(Ending::GaveUp),
            Happening::Timeout => self.end(Ending::TimedOut),
            _ => {}
        }
    }

    /// The time from the last event to this one.
    fn pass(&mut self, now: &'a Stamp) {
        let Some(last) = self.last.replace(now) else { return };
        let by_wall = milliseconds_between(last, now);
        if last.process != now.process {
            // Whoever opens the program again is back.
            self.is_away = false;
            // Whether it ran or stood still: of that time nobody knows anything.
            if self.is_running || self.stop.is_some() {
                self.clock.stops.extend(self.stop.take());
                let millis = u64::try_from(by_wall.unwrap_or(0)).unwrap_or(0);
                self.stop = Some(Stop { reason: None, millis });
                self.is_running = false;
            }
            return;
        }
        let passed = now.mono_ms.saturating_sub(last.mono_ms);
        if self.is_running {
            self.clock.active_ms = self.clock.active_ms.saturating_add(passed);
            if self.is_away {
                self.clock.away_ms = self.clock.away_ms.saturating_add(passed);
            }
        } else if let Some(stop) = &mut self.stop {
            stop.millis = stop.millis.saturating_add(passed);
        }
        let jump = by_wall.map(|wall| wall.saturating_sub_unsigned(passed));
        self.clock.wall_jumps_ms.extend(jump.filter(|jump| jump.unsigned_abs() > LEAST_JUMP_MS));
    }

    fn resume(&mut self) {
        let Some(stop) = self.stop.take() else { return };
        self.is_running = true;
        if stop.reason == Some(PauseReason::Focus) && stop.millis <= SHORTEST_FOCUS_PAUSE_MS {
            self.clock.active_ms = self.clock.active_ms.saturating_add(stop.millis);
        } else {
            self.clock.stops.push(stop);
        }
    }

    fn end(&mut self, ending: Ending) {
        self.clock.ending = Some(ending);
        self.is_running = false;
        self.clock.stops.extend(self.stop.take());
    }
}

/// By the wall's clock; `None` if one of the two is no time.
fn milliseconds_between(earlier: &Stamp, later: &Stamp) -> Option<i64> {
    let [earlier, later] = [earlier, later]
        .map(|stamp| stamp.wall.parse::<Timestamp>().map(Timestamp::as_millisecond));
    Some(later.ok()?.saturating_sub(earlier.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::ParticipantKind;

    fn at(mono_ms: u64, process: u32, what: Happening) -> StudyEvent {
        at_wall(mono_ms, mono_ms as i64, process, what)
    }

    fn at_wall(mono_ms: u64, wall_ms: i64, process: u32, what: Happening) -> StudyEvent {
        let wall = Timestamp::from_millisecond(1_700_000_000_000 + wall_ms).unwrap().to_string();
        StudyEvent { what, by: ParticipantKind::Person, at: Stamp { wall, mono_ms, process } }
    }

    fn pause(reason: PauseReason) -> Happening {
        Happening::Pause { reason }
    }

    #[test]
    fn pauses_are_subtracted_and_listed_and_a_glance_elsewhere_is_none() {
        let events = [
            at(1_000, 1, Happening::Shown),
            at(4_000, 1, Happening::FirstInput),
            at(5_000, 1, pause(PauseReason::Button)),
            at(25_000, 1, Happening::Resume),
            at(30_000, 1, pause(PauseReason::Focus)),
            at(31_500, 1, Happening::Resume),
            at(35_000, 1, Happening::Leaving),
            at(38_000, 1, Happening::Back),
            at(40_000, 1, Happening::Done),
        ];
        let clock = TaskClock::of(&events);
        assert_eq!(clock.active_ms, 19_000);
        assert_eq!(clock.stops, [Stop { reason: Some(PauseReason::Button), millis: 20_000 }]);
        let stopped = STOP_REASONS.map(|(reason, _)| clock.stopped_secs(reason));
        assert_eq!((stopped, clock.away_secs()), ([20.0, 0.0, 0.0, 0.0], 3.0));
        assert_eq!((clock.away_ms, clock.first_input_ms), (3_000, Some(3_000)));
        assert_eq!((clock.ending, clock.seconds(10.0)), (Some(Ending::Done), 10.0));
        assert_eq!(TaskClock::active_at(&events)[4], 9_000);
    }

    #[test]
    fn the_walls_clock_may_jump() {
        let events = [
            at_wall(0, 0, 1, Happening::Shown),
            at_wall(5_000, 3_605_000, 1, Happening::Alive),
            at_wall(9_000, 9_000, 1, Happening::GiveUp),
        ];
        let clock = TaskClock::of(&events);
        assert_eq!((clock.active_ms, clock.ending), (9_000, Some(Ending::GaveUp)));
        assert_eq!(clock.wall_jumps_ms, [3_600_000, -3_600_000]);
    }

    #[test]
    fn after_a_crash_the_clock_goes_on_from_the_last_sign_of_life() {
        let events = [
            at_wall(50_000, 0, 1, Happening::Shown),
            at_wall(55_000, 5_000, 1, Happening::Alive),
            // Its own clock began anew.
            at_wall(200, 65_000, 2, Happening::Recovered),
            at_wall(10_200, 75_000, 2, Happening::Resume),
            at_wall(17_200, 82_000, 2, Happening::Done),
        ];
        let clock = TaskClock::of(&events);
        assert_eq!(clock.active_ms, 12_000);
        assert_eq!(clock.stops, [Stop { reason: None, millis: 70_000 }]);
        assert!(clock.wall_jumps_ms.is_empty());
        let gone = TaskClock::of(&events[..2]);
        assert_eq!((gone.active_ms, gone.ending), (5_000, None));
    }

    #[test]
    fn who_was_away_in_a_crash_is_back_after_it() {
        let events = [
            at_wall(0, 0, 1, Happening::Shown),
            at_wall(1_000, 1_000, 1, Happening::Leaving),
            at_wall(3_000, 3_000, 1, Happening::Alive),
            at_wall(0, 9_000, 2, Happening::Recovered),
            at_wall(1_000, 10_000, 2, Happening::Resume),
            at_wall(5_000, 14_000, 2, Happening::Done),
        ];
        let clock = TaskClock::of(&events);
        assert_eq!((clock.active_ms, clock.away_ms), (7_000, 2_000));
    }

    #[test]
    fn a_crash_with_a_clock_that_was_set_back_costs_nothing() {
        let events = [
            at_wall(0, 0, 1, Happening::Shown),
            at_wall(4_000, 4_000, 1, pause(PauseReason::Dialog)),
            at_wall(100, -90_000, 2, Happening::Recovered),
            at_wall(600, -89_500, 2, Happening::Resume),
            at_wall(1_600, -88_500, 2, Happening::Timeout),
        ];
        let clock = TaskClock::of(&events);
        assert_eq!((clock.active_ms, clock.ending), (5_000, Some(Ending::TimedOut)));
        let dialog = Stop { reason: Some(PauseReason::Dialog), millis: 0 };
        assert_eq!(clock.stops, [dialog, Stop { reason: None, millis: 500 }]);
    }
}
