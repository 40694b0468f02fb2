//! Reading runs, following live ones of other processes, noticing folders that vanish.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::base::FileStamp;
use crate::run::folder::{EVENTS_FILE, is_live};
use crate::run::follower::RunFollower;
use crate::run::{Manifest, Outcome, Run, RunOrigin};
use crate::workbench::{Event, JobId, RunId};

use super::shared::Shared;
use super::shared::job_border::{JobError, run_job};

/// How often live runs are looked at; well below the 200 ms within which a turn has to show.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How often other folders are looked at, to notice that they vanish.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// Work for the reader.
#[derive(Debug)]
pub(super) enum ReadOrder {
    /// Read a run and follow it.
    Load { job: JobId, run_id: RunId, dir: PathBuf, manifest: Box<Manifest> },
    /// Follow a run that was just made here.
    Follow { run_id: RunId, dir: PathBuf },
    /// Follow it no more.
    Forget(RunId),
}

/// A run that is looked at now and then.
#[derive(Debug)]
struct Followed {
    /// As listed, which is all there is of a run of pictures; `None` of one that was made here.
    listed: Option<Box<Manifest>>,
    follower: RunFollower,
    live: bool,
    /// Of its events, which grow with the run.
    stamp: FileStamp,
    is_lost: bool,
}

/// Reads and follows until nobody can send orders any more.
pub(super) fn read_until_closed(shared: &Shared, orders: &Receiver<ReadOrder>) {
    let mut followed: BTreeMap<RunId, Followed> = BTreeMap::new();
    let (mut looked, mut checked) = (Instant::now(), Instant::now());
    loop {
        match orders.recv_timeout(LOOK_EVERY) {
            Ok(order) => take_order(shared, &mut followed, order),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        // By the clock, and not after every order: whoever leafs through runs gives many at once.
        if looked.elapsed() < LOOK_EVERY {
            continue;
        }
        let check_all = checked.elapsed() >= CHECK_EVERY;
        looked = Instant::now();
        if check_all {
            checked = looked;
        }
        for (run_id, run) in &mut followed {
            if run.live || check_all {
                look_at(shared, *run_id, run);
            }
        }
    }
}

fn take_order(shared: &Shared, followed: &mut BTreeMap<RunId, Followed>, order: ReadOrder) {
    match order {
        ReadOrder::Load { job, run_id, dir, manifest } => run_job(shared, job, |_| {
            let mut run = Followed::new(dir, Some(manifest));
            // Followed only once it was read: one that cannot be is told with the job's end.
            read(shared, run_id, &mut run)?;
            followed.insert(run_id, run);
            Ok(())
        }),
        ReadOrder::Follow { run_id, dir } => {
            followed.insert(run_id, Followed::new(dir, None));
        }
        // A run that is not followed (it could not be read) is forgotten already.
        ReadOrder::Forget(run_id) => {
            followed.remove(&run_id);
        }
    }
}

impl Followed {
    fn new(dir: PathBuf, listed: Option<Box<Manifest>>) -> Self {
        let (stamp, follower) = (stamp(&dir), RunFollower::new(dir));
        Self { listed, follower, live: false, stamp, is_lost: false }
    }

    /// Whether there is something to read: it changed, its folder came back, or its recorder is gone.
    fn take_news(&mut self) -> bool {
        let is_back = std::mem::take(&mut self.is_lost);
        let has_changed = stamp(self.follower.dir()) != self.stamp;
        let has_ended = self.live && !is_live(self.follower.dir());
        // Ended once, also if what it wrote cannot be read: else that were tried again at every look.
        self.live &= !has_ended;
        is_back || has_changed || has_ended
    }
}

/// Reads a run and tells of it.
fn read(shared: &Shared, run_id: RunId, followed: &mut Followed) -> Result<(), JobError> {
    // Before reading, so that what is written meanwhile counts as new.
    followed.stamp = stamp(followed.follower.dir());
    let was_recorded = is_live(followed.follower.dir());
    let mut run = followed.follower.read().map_err(JobError::failed)?;
    if let Some(listed) = &followed.listed {
        run = as_listed(run, listed);
    }
    followed.live = was_recorded && run.manifest.outcome == Outcome::Running;
    shared.mailbox.send(Event::RunRead { run_id, run: Arc::new(run), live: followed.live });
    Ok(())
}

/// Reads the run again if it changed, or its recorder is gone; tells if the folder is.
fn look_at(shared: &Shared, run_id: RunId, run: &mut Followed) {
    // Told once, and the run stays followed: a disk that was unplugged may come back.
    if !run.follower.dir().is_dir() {
        if !run.is_lost {
            let message = format!(
                "the folder of a run is gone; what was read of it stays: {}",
                run.follower.dir().display()
            );
            shared.mailbox.send(Event::RunLost { run_id, message });
        }
        run.is_lost = true;
        return;
    }
    if run.take_news()
        && let Err(error) = read(shared, run_id, run)
    {
        shared.mailbox.send(Event::RunLost { run_id, message: error.to_string() });
    }
}

fn stamp(dir: &Path) -> FileStamp {
    FileStamp::of(&dir.join(EVENTS_FILE))
}

/// What is known of a run of pictures by its listing goes before what its folder says.
pub(super) fn as_listed(mut run: Run, listed: &Manifest) -> Run {
    if matches!(run.origin, RunOrigin::Pictures { .. }) {
        run.manifest.clone_from(listed);
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_a_live_run_ended_is_news_once_although_it_cannot_be_read() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(EVENTS_FILE), "not an event").unwrap();
        let mut run = Followed::new(dir.path().to_path_buf(), None);
        run.live = true;
        assert!(run.take_news(), "its recorder is gone");
        assert!(!run.take_news(), "that is known");
        std::fs::write(dir.path().join(EVENTS_FILE), "still not an event").unwrap();
        assert!(run.take_news(), "it changed");
    }
}
