//! Many runs that belong together: tasks by agents, in one folder, on one budget.
//!
//! - [`AgentChoice`] is who is to act, as a person said it or as a recorded run did it; opened it is a
//!   [`Contestant`], who acts in any number of runs;
//! - an [`Order`] is one task for one contestant; [`make`] makes it into a run, or finds that it was
//!   made, or goes on with what a broken-off batch left ([`BatchSettings::resume`]);
//! - [`LeastTurns`]: a run that its agent ended too soon is made again;
//! - [`Budget`] is what a batch may cost;
//! - [`check_again`] says whether a recorded run can be made again.
//!
//! The command line and the window do the same here. Uses `agent`, `run`, `task` and `base`.

mod again;
mod budget;
mod choice;
mod contestant;
mod earlier;
mod making;
mod order;
mod ready_tasks;
mod settings;
mod short;
mod tasks_setting;

pub use again::{AgainError, check_again, root_of};
pub use budget::Budget;
pub use choice::{AgentChoice, AgentChoiceError};
pub use contestant::Contestant;
pub use making::{How, Made, MakeError, Openers, make};
pub use order::Order;
pub use ready_tasks::ReadyTasks;
pub use settings::BatchSettings;
pub use short::LeastTurns;
pub use tasks_setting::{TASKS_SETTING, relative_path};
