//! Which items are whose.

use super::item::{Item, ItemId};
use super::queue::seed;

/// Whether each item, in their order, is one that this person labels.
///
/// Each item that is no practice and no qualification goes to `labels_per_item` of the people, as evenly as can be:
/// dealt round by round, in an order that the project's seed shuffles anew every round. Those are everybody's, and so
/// is every item where the project names nobody, or no more people than labels, or not this one.
pub fn assigned(
    project: &str,
    (people, person): (&[String], &str),
    items: &[Item],
    labels_per_item: u32,
) -> Vec<bool> {
    assigned_to_each(project, (people, &[person]), items, labels_per_item).pop().unwrap_or_default()
}

/// What [`assigned`] says of each of several persons, in their order: items are dealt once for all of them.
pub fn assigned_to_each(
    project: &str,
    (people, persons): (&[String], &[&str]),
    items: &[Item],
    labels_per_item: u32,
) -> Vec<Vec<bool>> {
    let per_item = labels_per_item.max(1) as usize;
    let is_dealt: Vec<bool> = persons
        .iter()
        .map(|person| per_item < people.len() && people.iter().any(|known| known == person))
        .collect();
    let mut lists: Vec<Vec<bool>> =
        is_dealt.iter().map(|is_dealt| vec![!is_dealt; items.len()]).collect();
    if !is_dealt.contains(&true) {
        return lists;
    }
    // Dealt in an order of their own, so that no run of the file's items goes to the same people.
    let mut dealt: Vec<(u64, usize)> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if !item.role.comes_first() {
            dealt.push((seed(project, "", &item.id, "deal"), index));
        }
    }
    dealt.sort_unstable();
    let (mut round, mut rounds): (Vec<&str>, usize) = (Vec::new(), 0);
    for (_, index) in dealt {
        let mut taken: Vec<&str> = Vec::with_capacity(per_item);
        while taken.len() < per_item {
            // Nobody is given an item twice; there are more people than are taken.
            if let Some(place) = round.iter().position(|name| !taken.contains(name)) {
                taken.push(round.remove(place));
            } else {
                round.extend(shuffled(project, people, rounds));
                rounds += 1;
            }
        }
        // Of who has them all nothing is taken away.
        for (list, person) in lists.iter_mut().zip(persons) {
            list[index] |= taken.contains(person);
        }
    }
    for list in &mut lists {
        for (mine, item) in list.iter_mut().zip(items) {
            *mine |= item.role.comes_first();
        }
    }
    lists
}

fn shuffled<'a>(project: &str, people: &'a [String], round: usize) -> Vec<&'a str> {
    let key = ItemId(round.to_string());
    let mut order: Vec<(u64, &str)> =
        people.iter().map(|name| (seed(project, name, &key, "round"), name.as_str())).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::label::{ItemKind, ItemRole};

    fn items(count: usize) -> Vec<Item> {
        let items = (0..count).map(|at| Item {
            role: if at == 0 { ItemRole::Practice } else { ItemRole::Plain },
            ..Item::bare(ItemId(format!("item-{at}")), ItemKind::Run)
        });
        items.collect()
    }

    #[test]
    fn every_item_goes_to_as_many_people_and_every_person_has_as_many() {
        let items = items(1_001);
        for (count, per_item) in [(5, 3), (4, 1), (20, 5), (3, 2)] {
            let people: Vec<String> = (0..count).map(|at| format!("person-{at}")).collect();
            let lists: Vec<Vec<bool>> = people
                .iter()
                .map(|person| assigned("study", (&people, person), &items, per_item))
                .collect();
            assert!(lists.iter().all(|list| list[0]), "practice is everybody's");
            for at in 1..items.len() {
                let labels = lists.iter().filter(|list| list[at]).count();
                assert_eq!(labels, per_item as usize, "item {at}");
            }
            let loads: Vec<usize> =
                lists.iter().map(|list| list.iter().filter(|mine| **mine).count() - 1).collect();
            let even = 1_000 * per_item as usize / count;
            assert!(loads.iter().all(|load| load.abs_diff(even) <= 2), "{loads:?}");
        }
    }

    #[test]
    fn dealt_to_several_at_once_everybody_has_what_they_have_alone() {
        let items = items(200);
        let people: Vec<String> = (0..6).map(|at| format!("person-{at}")).collect();
        let persons = ["person-4", "nobody of them", "person-0"];
        for per_item in [1, 2, 5, 6, 9] {
            let lists = assigned_to_each("study", (&people, &persons), &items, per_item);
            assert_eq!(lists.len(), 3);
            for (list, person) in lists.iter().zip(persons) {
                assert_eq!(*list, assigned("study", (&people, person), &items, per_item));
            }
            assert!(lists[1].iter().all(|mine| *mine), "who is not named has them all");
            assert_eq!(lists[0].iter().all(|mine| *mine), per_item >= 6);
        }
    }

    #[test]
    fn who_is_not_named_or_not_needed_fewer_has_them_all() {
        let (items, people) = (items(9), ["ada".to_owned(), "bo".to_owned()]);
        for (people, person, per_item) in
            [(&people[..], "cy", 1), (&people[..], "ada", 2), (&[][..], "ada", 3)]
        {
            assert!(assigned("study", (people, person), &items, per_item).iter().all(|it| *it));
        }
        let mine = assigned("study", (&people, "ada"), &items, 1);
        let theirs = assigned("study", (&people, "bo"), &items, 1);
        assert!((1..9).all(|at| mine[at] != theirs[at]));
    }
}
