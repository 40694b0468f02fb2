//! Tables of what the inspector shows: what calls and tools brought, and where the loss is.

use crate::evaluate::MadeBy;
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::evaluate::what_if::{Grouping, effects_table, left_out_table, shapley_table};
use crate::metric::MOST_LOSS_AREAS;
use crate::workbench::derive::views::{
    Loss, ablation, all_losses, asked_effects, asked_shapley, heat, open_command,
};
use crate::workbench::model::{ExportedTable, Fetched, NodeBox, RunId, State, TableFile};

/// A column of numbers, by its name.
type Numbers = (&'static str, fn(&Loss<'_>) -> Option<f64>);
/// A column of words, by its name.
type LossColumn = (&'static str, fn(&Loss<'_>) -> Option<String>);

/// Where an area is, as a fraction of the picture, and how much of all difference lies in it.
const PLACE: [Numbers; 5] = [
    ("share", |loss| Some(loss.share)),
    ("left", |loss| Some(loss.place.x)),
    ("top", |loss| Some(loss.place.y)),
    ("width", |loss| Some(loss.place.width)),
    ("height", |loss| Some(loss.place.height)),
];

/// What lies there in the run and in the ground truth.
const NODES: [LossColumn; 5] = [
    ("node", |loss| loss.node.map(name_of)),
    ("node id", |loss| loss.node.map(id_of)),
    ("type", |loss| loss.node.map(|node| node.kind.clone())),
    ("ground truth", |loss| loss.truth.map(name_of)),
    ("ground truth id", |loss| loss.truth.map(id_of)),
];

fn name_of(node: &NodeBox) -> String {
    node.name.clone()
}

fn id_of(node: &NodeBox) -> String {
    node.id.clone()
}

impl State {
    /// What calls of the selected run brought, each group left out by itself.
    pub(super) fn calls_table(&self, file: TableFile) -> Result<TypedTable, String> {
        let key = asked_effects(self).ok_or("no calls are left out of a run")?;
        let found = self.derived.effects.ready(&key).ok_or("not all calls were left out yet")?;
        let how = ["--leave-one-out".to_owned(), format!("--by={}", key.grouping.name())];
        let command =
            self.what_if_command(&[key.run], &how, &key.variant, ExportedTable::Calls, file);
        let made_by = self.made_of_calls(command, key.run, key.grouping, &key.variant);
        Ok(described(left_out_table(found, &[&key.variant]), &made_by))
    }

    /// The Shapley values of the same groups.
    pub(super) fn shapley_values_table(&self, file: TableFile) -> Result<TypedTable, String> {
        let key = asked_shapley(self).ok_or("no Shapley values are asked for")?;
        let found = self.derived.shapley.ready(&key).ok_or("not all orders were drawn yet")?;
        let how = [
            format!("--shapley={}", key.plan.orders),
            format!("--seed={}", key.plan.seed),
            format!("--by={}", key.grouping.name()),
        ];
        let command =
            self.what_if_command(&[key.run], &how, &key.variant, ExportedTable::Shapley, file);
        let made_by = self.made_of_calls(command, key.run, key.grouping, &key.variant);
        Ok(described(shapley_table(found, &[&key.variant]), &made_by))
    }

    fn made_of_calls(
        &self,
        command: String,
        run: RunId,
        grouping: Grouping,
        variant: &str,
    ) -> MadeBy {
        let dir = self.library.runs.get(&run).map(|run| format!("1: {}", run.dir.display()));
        MadeBy {
            command,
            runs: dir.unwrap_or_default(),
            choices: vec![("left out together", grouping.name().to_owned())],
            variants: vec![variant.to_owned()],
            left_out: Vec::new(),
        }
    }

    /// What tools brought over the runs that were listed.
    pub(super) fn tools_table(&self, file: TableFile) -> Result<TypedTable, String> {
        let view = ablation(self).ok_or("no tools are left out of runs")?;
        let Some(Fetched::Ready(found)) = view.found else {
            return Err("not all tools were left out yet".to_owned());
        };
        let (runs, variant) = (&view.key.runs, &view.key.variant);
        let how = ["--ablate-tools".to_owned()];
        let made_by = MadeBy {
            command: self.what_if_command(runs, &how, variant, ExportedTable::Tools, file),
            runs: found.runs.to_string(),
            variants: vec![variant.clone()],
            left_out: found.left_out.clone(),
            ..MadeBy::default()
        };
        Ok(described(effects_table(&found.effects), &made_by))
    }

    /// All areas of the heat on the stage, those with the most difference first: also those that the list has no room
    /// for.
    pub(super) fn losses_table(&self) -> Result<TypedTable, String> {
        let (losses, key) = all_losses(self)
            .zip(self.loss_key())
            .ok_or("the areas of the heat are not known yet")?;
        // As many as are told apart at most: whether there are more is not known.
        let left_out = (losses.len() >= MOST_LOSS_AREAS)
            .then(|| format!("areas after the first {MOST_LOSS_AREAS}, if there are more"));
        let mut columns = Vec::new();
        for (name, number) in PLACE {
            columns.push(TypedColumn::numbers(name, losses.iter().map(number).collect()));
        }
        for (name, words) in NODES {
            columns.push(TypedColumn::texts(name, losses.iter().map(words).collect()));
        }
        let steps = losses.iter().map(|loss| loss.call.map(|(step, _)| f64::from(step)));
        columns.push(TypedColumn::numbers("last changed at step", steps.collect()));
        let tools = losses.iter().map(|loss| loss.call.map(|(_, tool)| tool.to_owned()));
        columns.push(TypedColumn::texts("by", tools.collect()));
        let dir = self.library.runs.get(&key.map.run).map(|run| run.dir.display().to_string());
        let made_by = MadeBy {
            command: open_command(self),
            runs: dir.map(|dir| format!("1: {dir}")).unwrap_or_default(),
            choices: vec![
                ("step", key.map.step.to_string()),
                ("share", heat(self).whole_name().to_owned()),
                ("threshold", format!("{} %", key.threshold)),
            ],
            variants: vec![key.map.variant.to_string()],
            left_out: left_out.into_iter().collect(),
        };
        Ok(TypedTable { columns, about: made_by.entries() })
    }
}

/// A table with where it is from, before what it says of itself.
fn described(table: TypedTable, made_by: &MadeBy) -> TypedTable {
    TypedTable { about: [made_by.entries(), table.about].concat(), columns: table.columns }
}
