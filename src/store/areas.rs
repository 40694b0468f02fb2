//! Areas of pictures that people have differences leave out.

use rusqlite::params;

use super::{Store, StoreError};

/// An area as it is kept, in ten-thousandths of a picture's width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredArea {
    /// The id of the task's set, as its file says it.
    pub task_set: String,
    /// The id of the task.
    pub task: String,
    /// Left and top.
    pub min: [u32; 2],
    /// Right and bottom.
    pub max: [u32; 2],
}

impl Store {
    /// All areas, by task, each in the order they were drawn.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn areas(&self) -> Result<Vec<StoredArea>, StoreError> {
        self.with(|connection| {
            let mut statement = connection.prepare(
                "SELECT task_set, task, x_min, y_min, x_max, y_max FROM ignored_area
                 ORDER BY task_set, task, place",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(StoredArea {
                    task_set: row.get(0)?,
                    task: row.get(1)?,
                    min: [row.get(2)?, row.get(3)?],
                    max: [row.get(4)?, row.get(5)?],
                })
            })?;
            rows.collect()
        })
    }

    /// Puts areas in the place of those that a task had, all or none; each is a left, a top, a right and a bottom.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn put_areas(
        &self,
        task_set: &str,
        task: &str,
        areas: &[[u32; 4]],
    ) -> Result<(), StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            let delete = "DELETE FROM ignored_area WHERE task_set = ?1 AND task = ?2";
            transaction.execute(delete, params![task_set, task])?;
            for (place, [left, top, right, bottom]) in (0_u32..).zip(areas) {
                transaction.execute(
                    "INSERT INTO ignored_area VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    params![task_set, task, place, left, top, right, bottom],
                )?;
            }
            transaction.commit()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_come_back_in_another_connection_and_new_ones_take_the_place_of_old() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("workspace.sqlite");
        let store = Store::open(&path).unwrap();
        store.put_areas("screens", "login", &[[0, 0, 10, 10], [5, 5, 100, 200]]).unwrap();
        store.put_areas("screens", "cart", &[[1, 2, 3, 4]]).unwrap();
        store.put_areas("screens", "login", &[[5, 5, 100, 200]]).unwrap();
        store.put_areas("screens", "gone", &[]).unwrap();
        let area = |task: &str, min, max| StoredArea {
            task_set: "screens".into(),
            task: task.into(),
            min,
            max,
        };
        let expected = [area("cart", [1, 2], [3, 4]), area("login", [5, 5], [100, 200])];
        assert_eq!(Store::open(&path).unwrap().areas().unwrap(), expected);
    }
}
