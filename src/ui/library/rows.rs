//! The rows of the library.

use egui::{Align2, Color32, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::labels::label_words;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::usage::{left_words, run_words as usage_words, short_tokens};
use crate::ui::widgets::{
    grouped, paint_numbers, paint_sparkline, paint_text, task_kind_words, text_width,
};
use crate::workbench::views::{self, AgentRow, LibraryRow, RunOutcome, RunRow, SetRow, TaskRow};
use crate::workbench::{
    AssistCommand, Command, FilesCommand, FoldKey, NoteKey, Overlay, RunState, RunsCommand,
    RunsTarget, StageCommand,
};

const SPARKLINE: f32 = 42.0;
const SCORE: f32 = 34.0;
const RIGHT: f32 = 12.0;

/// Draws one row and sends what a click on it means.
pub(super) fn row_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &LibraryRow<'_>) {
    match row {
        LibraryRow::Set(row) => set_ui(ui, cx, row),
        LibraryRow::Task(row) => task_ui(ui, cx, row),
        LibraryRow::Run(row) => run_ui(ui, cx, row),
        LibraryRow::Agent(row) => agent_ui(ui, cx, row),
    }
}

/// The room of a row, with the ground of what is selected or under the pointer.
fn ground_ui(ui: &mut Ui, id: Id, selected: bool, name: &str) -> (Rect, Response) {
    // The id is that of what is shown, not of the place: rows scroll and are filtered while the
    // pointer is on one.
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), size::ROW));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, name));
    let tokens = tokens(ui);
    let body = rect.shrink2(vec2(6.0, 0.0));
    if selected {
        ui.painter().rect_filled(body, size::RADIUS_SMALL, tokens.accent_wash);
    // Who walks by keyboard sees where he is as the pointer does.
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(body, size::RADIUS_SMALL, tokens.raised);
    }
    (rect, response)
}

fn caret_ui(ui: &Ui, rect: Rect, x: f32, folded: bool, color: Color32) {
    let icon = if folded { icons::FOLDED } else { icons::UNFOLDED };
    let at = pos2(rect.left() + x, rect.center().y);
    paint_text(ui.painter(), at, Align2::CENTER_CENTER, icon, (Type::IconSmall, color), 16.0);
}

fn set_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &SetRow<'_>) {
    let tokens = tokens(ui);
    let id = Id::unique(("library_set", row.id));
    let (rect, response) = ground_ui(ui, id, false, row.name);
    caret_ui(ui, rect, 16.0, row.is_folded, tokens.dim);
    let right = pos2(rect.right() - RIGHT, rect.center().y);
    let style = (Type::Caption, tokens.dim);
    // The line above the list counts runs: here it is said what is counted, if the name leaves room for it.
    let words = tasks_words(row.tasks);
    let needed = text_width(ui, row.name, Type::Section) + text_width(ui, &words, Type::Caption);
    let fits = needed + 36.0 + RIGHT + if row.warnings.is_empty() { 0.0 } else { 22.0 };
    let count = if fits <= rect.width() { words } else { grouped(row.tasks as u64) };
    let counted = paint_numbers(ui.painter(), right, Align2::RIGHT_CENTER, &count, style);
    // From the right: the count and the warning keep their room, the name is cut.
    let mut room = counted.left() - rect.left() - 36.0;
    if !row.warnings.is_empty() {
        let at = pos2(counted.left() - 8.0, rect.center().y);
        let style = (Type::IconSmall, tokens.warn);
        paint_text(ui.painter(), at, Align2::RIGHT_CENTER, icons::WARNING, style, 20.0);
        room -= 22.0;
    }
    let at = pos2(rect.left() + 28.0, rect.center().y);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, row.name, (Type::Section, tokens.dim), room);
    if response.clicked() {
        cx.send(Command::ToggleFolded(FoldKey::Set(row.id.to_owned())));
    }
    response.context_menu(|ui| {
        if ui.button("Close this task set").clicked() {
            cx.send(Command::Close(row.id.to_owned()));
        }
    });
    response.on_hover_ui(|ui| {
        ui.label(set_words(row));
    });
}

fn agent_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &AgentRow<'_>) {
    let tokens = tokens(ui);
    let (rect, response) = ground_ui(ui, Id::unique(("library_agent", row.name)), false, row.name);
    caret_ui(ui, rect, 16.0, row.is_folded, tokens.dim);
    let right = pos2(rect.right() - RIGHT, rect.center().y);
    let style = (Type::Caption, tokens.dim);
    let count = runs_words(row.runs);
    let counted = paint_numbers(ui.painter(), right, Align2::RIGHT_CENTER, &count, style);
    let at = pos2(rect.left() + 28.0, rect.center().y);
    let style = (Type::Section, tokens.dim);
    let room = counted.left() - at.x - 8.0;
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, row.name, style, room);
    if response.clicked() {
        cx.send(Command::ToggleFolded(FoldKey::Agent(row.name.to_owned())));
    }
}

fn tasks_words(tasks: usize) -> String {
    let plural = if tasks == 1 { "" } else { "s" };
    format!("{} task{plural}", grouped(tasks as u64))
}

fn runs_words(runs: usize) -> String {
    let plural = if runs == 1 { "" } else { "s" };
    format!("{} run{plural}", grouped(runs as u64))
}

fn set_words(row: &SetRow<'_>) -> String {
    let mut words = format!("{}\n{}, {}", row.name, tasks_words(row.tasks), runs_words(row.runs));
    if !row.is_open {
        words.push_str("\nIts task set is not open: only its runs are shown.");
    }
    for warning in row.warnings {
        words.push('\n');
        words.push_str(warning);
    }
    words
}

fn task_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &TaskRow<'_>) {
    let tokens = tokens(ui);
    let id = Id::unique(("library_task", &row.task.set, &row.task.id));
    // A task is selected with each of its runs; then the run is what is marked.
    let selected = row.is_selected && cx.state.selection.run.is_none();
    let (rect, response) = ground_ui(ui, id, selected, &row.task.id);
    let middle = rect.center().y;
    if row.runs > 0 {
        caret_ui(ui, rect, 24.0, row.is_folded, tokens.dim);
    }
    let name_width = text_width(ui, &row.task.id, Type::Body);
    let kind = row.category.unwrap_or_else(|| row.kind.map_or("", task_kind_words));
    let all = rect.width() - 36.0 - RIGHT;
    // Runs that are folded away are counted, as they cannot be.
    let runs = if row.is_folded && row.runs > 0 { runs_words(row.runs) } else { String::new() };
    let both = format!("{kind}  ·  {runs}");
    let aside = match (kind.is_empty(), runs.is_empty()) {
        (_, true) => kind,
        (false, false) if name_width + text_width(ui, &both, Type::Caption) + 10.0 <= all => &both,
        (_, false) => &runs,
    };
    // Where both do not fit, the name has what the number of runs leaves, and all where only the kind is beside it.
    let runs_room = if runs.is_empty() { 0.0 } else { text_width(ui, &runs, Type::Caption) + 10.0 };
    let name_room = name_width.min((all - runs_room).max(0.0));
    let at = pos2(rect.left() + 36.0, middle);
    let style = (Type::Body, tokens.text);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &row.task.id, style, name_room + 1.0);
    let right = pos2(rect.right() - RIGHT, middle);
    let style = (Type::Caption, tokens.dim);
    let room = all - name_room - 10.0;
    // Less would be an ellipsis and nothing before it.
    if room > 24.0 {
        paint_text(ui.painter(), right, Align2::RIGHT_CENTER, aside, style, room);
    }
    if response.clicked() {
        // The caret is no widget of its own: it would be one more stop for the keyboard in each
        // row.
        let on_caret = response.interact_pointer_pos().is_some_and(|at| at.x < rect.left() + 34.0);
        cx.send(if on_caret && row.runs > 0 {
            Command::ToggleFolded(FoldKey::Task(row.task.clone()))
        } else {
            Command::SelectTask(row.task.clone())
        });
    }
    response.context_menu(|ui| {
        if ui.button("Run agent on this task…").clicked() {
            cx.send(Command::OpenLaunch(vec![row.task.clone()]));
        }
    });
    if !row.instruction.is_empty() {
        response.on_hover_ui(|ui| {
            ui.label(shortened(row.instruction));
        });
    }
}

/// A tooltip is no place for a whole prompt.
fn shortened(text: &str) -> String {
    const LIMIT: usize = 400;
    let mut short: String = text.chars().take(LIMIT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn run_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &RunRow<'_>) {
    let tokens = tokens(ui);
    let (rect, response) =
        ground_ui(ui, Id::unique(("library_run", row.id.0)), row.is_selected, row.name);
    let middle = rect.center().y;
    // In a list without groups nothing stands above that a run would be set in from.
    let indent = if row.aside.is_some() { 16.0 } else { 40.0 };
    state_dot_ui(ui, pos2(rect.left() + indent, middle), row, tokens);
    let right = pos2(rect.right() - RIGHT, middle);
    score_ui(ui, right, row, tokens);
    // In a narrow panel, or of a long name, the name needs the room more.
    let mark = row.mark();
    let marked = mark.as_ref().map_or(0.0, |mark| text_width(ui, mark, Type::Caption) + 6.0);
    let name = indent + 10.0 + text_width(ui, row.name, Type::Body) + marked;
    let others =
        SPARKLINE + SCORE + RIGHT + if row.run.manifest.totals.failures > 0 { 40.0 } else { 22.0 };
    let sparkline = if name + others > rect.width() { 0.0 } else { SPARKLINE };
    let line = Rect::from_min_max(
        pos2(right.x - SCORE - 8.0 - sparkline, rect.top() + 7.0),
        pos2(right.x - SCORE - 8.0, rect.bottom() - 7.0),
    );
    if sparkline > 0.0 {
        let mut values = sampled(row.curve);
        // Of a run that nobody opened some steps are known, at even distances.
        if row.run.loaded.is_none() {
            values.retain(Option::is_some);
        }
        paint_sparkline(ui.painter(), line, &values, tokens.dim);
    }
    let at = pos2(rect.left() + indent + 10.0, middle);
    let mut end = line.left() - 8.0;
    // Failed calls, in red: the score does not tell of them.
    let failures = row.run.manifest.totals.failures;
    if failures > 0 && end - at.x > 70.0 {
        let words = format!("{}×", grouped(u64::from(failures)));
        let style = (Type::Caption, tokens.loss);
        let right = pos2(end, middle);
        end = paint_numbers(ui.painter(), right, Align2::RIGHT_CENTER, &words, style).left() - 6.0;
    }
    if let Some(notes) = row.notes.filter(|_| end - at.x > 50.0) {
        let icon = if notes.has_star() { icons::STAR } else { icons::NOTE };
        let style = (Type::IconSmall, tokens.accent);
        let right = pos2(end, middle);
        end = paint_text(ui.painter(), right, Align2::RIGHT_CENTER, icon, style, 20.0).left() - 4.0;
    }
    // What tells runs of one agent apart keeps its room before the name does.
    if let Some(mark) = mark.as_deref().filter(|_| end - at.x > 40.0) {
        let width = text_width(ui, mark, Type::Caption);
        let name = text_width(ui, row.name, Type::Body).min(end - at.x - width - 6.0);
        let after = pos2(at.x + name + 6.0, middle);
        let style = (Type::Caption, tokens.dim);
        paint_numbers(ui.painter(), after, Align2::LEFT_CENTER, mark, style);
        end = end.min(after.x - 4.0);
    }
    // Where the agent stands beside the task, each has its part of the room.
    let room = if row.aside.is_some() { (end - at.x) * 0.56 } else { end - at.x };
    let name = middle_elided(ui, row.name, room);
    let style = (Type::Body, tokens.text);
    let named = paint_text(ui.painter(), at, Align2::LEFT_CENTER, &name, style, room + 2.0);
    if let Some(aside) = row.aside {
        let after = pos2(named.right() + 8.0, middle);
        let style = (Type::Caption, tokens.dim);
        let room = end - after.x;
        paint_text(ui.painter(), after, Align2::LEFT_CENTER, aside, style, room);
    }
    if response.clicked() {
        // As lists do it everywhere: with Ctrl one more is taken in beside what is selected.
        let command = if ui.input(|input| input.modifiers.command) {
            Command::Stage(StageCommand::ToggleSlot(row.id))
        } else {
            Command::SelectRun(row.id)
        };
        cx.send(command);
    }
    response.context_menu(|ui| {
        run_menu_ui(ui, cx, row);
    });
    response.on_hover_ui(|ui| {
        ui.label(run_words(row));
    });
}

/// The name with an ellipsis in its middle if it has no room: models differ at both ends.
fn middle_elided(ui: &Ui, name: &str, room: f32) -> String {
    if text_width(ui, name, Type::Body) <= room {
        return name.to_owned();
    }
    let letters: Vec<char> = name.chars().collect();
    // Few letters: each try lays out a short line.
    for kept in (2..letters.len()).rev() {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let mut short: String = letters[..head].iter().collect();
        short.push('…');
        short.extend(&letters[letters.len() - tail..]);
        if text_width(ui, &short, Type::Body) <= room {
            return short;
        }
    }
    letters.first().map(|first| format!("{first}…")).unwrap_or_default()
}

/// What can be done to a run, wherever it is.
fn run_menu_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &RunRow<'_>) {
    // A run that another program records has a state but no job here, and cannot be stopped from
    // here.
    let job = row.run.job.filter(|job| cx.state.jobs.is_active(*job));
    if let Some(target) = job.map(RunsTarget::Job) {
        if row.run.pause.is_on() {
            menu_item_ui(ui, cx, "Resume", None, RunsCommand::Resume(target));
        } else {
            menu_item_ui(ui, cx, "Pause", None, RunsCommand::Pause(target));
        }
        menu_item_ui(ui, cx, "Stop", None, RunsCommand::Stop(target));
        ui.separator();
    }
    let why_not = views::why_not_again(cx.state, row.id);
    menu_item_ui(ui, cx, "Run again", why_not, RunsCommand::Again(row.id));
    let task = &row.run.task;
    let why_not = cx
        .state
        .library
        .task(task)
        .is_none()
        .then(|| format!("Its task is not open: open the task set {}.", task.set));
    menu_item_ui(ui, cx, "Run the same task with…", why_not, RunsCommand::With(row.id));
    let why_not = views::why_not_handed_on(cx.state, row.id);
    menu_item_ui(ui, cx, "Hand over to an agent…", why_not, RunsCommand::HandOver(row.id));
    // The command is about the run on the stage: its last step, unless it is there already.
    let why_not = views::why_not_by_hand(cx.state, row.id);
    if why_not.is_none() && ui.button("Continue by hand").clicked() {
        cx.send(Command::SelectRun(row.id));
        cx.send(Command::Assist(AssistCommand::Files(FilesCommand::ContinueByHand)));
    }
    ui.separator();
    let is_starred = row.notes.is_some_and(|notes| notes.run.is_starred);
    let words = if is_starred { "Take the star away" } else { "Star" };
    if ui.button(words).clicked() {
        cx.send(Command::ToggleStar(NoteKey::of(row.run, None)));
    }
    if ui.button("Export…").clicked() {
        // The dialog is of the run on the stage.
        cx.send(Command::SelectRun(row.id));
        cx.send(Command::ToggleOverlay(Overlay::Export));
    }
    if ui.button("Show in file manager").clicked() {
        cx.send(Command::Reveal(row.run.dir.clone()));
    }
    if ui.button("Copy the folder's path").clicked() {
        ui.ctx().copy_text(row.run.dir.display().to_string());
    }
    ui.separator();
    let why_not = views::why_not_removed(cx.state, row.id);
    menu_item_ui(ui, cx, "Reload", why_not.clone(), RunsCommand::Reload(row.id));
    let words = "Remove from library (stays on disk)";
    menu_item_ui(ui, cx, words, why_not, RunsCommand::Remove(row.id));
}

fn menu_item_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    words: &str,
    why_not: Option<String>,
    command: RunsCommand,
) {
    let button = egui::Button::new(words);
    let response = ui.add_enabled(why_not.is_none(), button);
    if response.clicked() {
        cx.send(Command::Runs(command));
    }
    // An item that does nothing says why, instead of being left out.
    response.on_disabled_hover_text(why_not.unwrap_or_default());
}

/// No more points than the line has room for.
fn sampled(curve: &[Option<Score>]) -> Vec<Option<f64>> {
    let stride = curve.len().div_ceil(SPARKLINE as usize * 2).max(1);
    let last = curve.len().saturating_sub(1);
    // The last value is always among them: it is the one that the number beside the line says.
    let thinned = curve.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last);
    thinned.map(|(_, score)| score.as_ref().and_then(Score::value)).collect()
}

fn score_ui(ui: &Ui, right: egui::Pos2, row: &RunRow<'_>, tokens: &Tokens) {
    let (words, color) = match row.last_score {
        // What a run that failed left behind is scored, and is no result.
        Some(Score::Value(value)) => {
            let ink = if row.state.is_result() { tokens.text } else { tokens.dim };
            (format!("{value:.3}"), ink)
        }
        Some(Score::Missing(_)) => ("–".to_owned(), tokens.dim),
        // A dot is on its way, a dash never comes.
        None => (spent_so_far(row).unwrap_or_else(|| "·".to_owned()), tokens.dim),
    };
    let font = if row.last_score.is_some() { Type::Body } else { Type::Caption };
    paint_numbers(ui.painter(), right, Align2::RIGHT_CENTER, &words, (font, color));
}

/// While a run is made, what it has cost stands where its score will.
fn spent_so_far(row: &RunRow<'_>) -> Option<String> {
    let spent = views::run_usage(&row.run.manifest);
    if *row.state != RunState::Live {
        return None;
    }
    // Money where prices are known; of a model without prices, tokens are all there is to tell.
    let tokens = (spent.tokens > 0).then(|| short_tokens(spent.tokens));
    spent.usd.map(|usd| format!("${usd:.2}")).or(tokens)
}

fn state_dot_ui(ui: &Ui, at: egui::Pos2, row: &RunRow<'_>, tokens: &Tokens) {
    let painter = ui.painter();
    match row.state {
        // Before the ring of a live run: a paused one is live too.
        RunState::Live if row.run.pause.is_on() => {
            let style = (Type::IconSmall, tokens.warn);
            paint_text(painter, at, Align2::CENTER_CENTER, icons::PAUSE, style, 16.0);
        }
        RunState::Live => {
            let ring = egui::Stroke::new(1.6, tokens.accent);
            painter.circle_stroke(at, 3.2, ring);
        }
        RunState::Finished => {
            let ink = match row.outcome() {
                RunOutcome::Completed => tokens.gain,
                RunOutcome::LimitReached | RunOutcome::Damaged => tokens.warn,
                RunOutcome::NotRecorded => tokens.faint,
            };
            painter.circle_filled(at, 3.2, ink);
        }
        RunState::Failed(_) | RunState::Unreadable(_) => {
            painter.circle_filled(at, 3.2, tokens.loss);
        }
        RunState::Interrupted => {
            painter.circle_filled(at, 3.2, tokens.warn);
        }
        RunState::Cancelled => {
            painter.circle_stroke(at, 3.0, egui::Stroke::new(1.4, tokens.faint));
        }
    }
}

/// All that is told of a run where the pointer rests on it.
fn run_words(row: &RunRow<'_>) -> String {
    let words = recorded_words(row);
    match row.labels {
        Some(labels) => format!("{words}\n{}", label_words(labels)),
        None => words,
    }
}

fn recorded_words(row: &RunRow<'_>) -> String {
    let spent = views::run_usage(&row.run.manifest);
    let mut words = format!("{} · {} · {} steps", row.name, row.run.word(), row.run.steps);
    let manifest = &row.run.manifest;
    let began = manifest.recorded_start().and_then(|began| began.get(..16));
    let began = began.map(|began| began.replace('T', " "));
    let mode = manifest.mode.replace('_', " ");
    let parts = [began, (!mode.is_empty()).then_some(mode), row.mark()];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        words.push('\n');
        words.push_str(&parts.join(" · "));
    }
    if *row.state == RunState::Live || spent.tokens > 0 {
        words.push('\n');
        words.push_str(&usage_words(&spent));
    }
    if let Some(left) = spent.left.filter(|_| *row.state == RunState::Live) {
        words.push_str(" · ");
        words.push_str(&left_words(&left));
    }
    if row.run.is_damaged() {
        words.push_str("\nPart of what was recorded is missing: open the run to see how much.");
    }
    if let RunState::Failed(why) | RunState::Unreadable(why) = row.state {
        words.push('\n');
        words.push_str(why);
    }
    match row.last_score {
        Some(Score::Missing(why)) => format!("{words}\nNo score: {why}"),
        // A design query has no picture to be like, and its score is another one.
        Some(Score::Value(value)) if PrimaryMetric::of_run(&row.run.manifest).is_share() => {
            format!(
                "{words}\nConstraints {value:.3}: the share of what the query asks for that is there"
            )
        }
        Some(Score::Value(value)) => format!("{words}\nSSIM {value:.3}"),
        None => words,
    }
}
