//! Tools that move, copy, resize, delete, group and order.

use pentimento::environment::FailureClass;
use serde_json::json;

use super::*;

#[test]
fn a_moved_node_lies_where_the_page_says_and_its_children_come_with_it() {
    let mut canvas = blank();
    let outer = frame(&mut canvas, [20.0, 100.0, 200.0, 200.0], None);
    let inner = frame(&mut canvas, [30.0, 110.0, 100.0, 100.0], Some(&outer));
    let leaf = rectangle(&mut canvas, [35.0, 115.0, 10.0, 10.0], Some(&inner));
    let reply = good(&mut canvas, "move_node", json!({"nodeId": inner, "x": 60, "y": 130}));
    assert_eq!(
        (&reply["oldX"], &reply["newX"], &reply["newY"]),
        (&json!(30), &json!(60), &json!(130))
    );
    assert_eq!(reply["parentId"], outer);
    assert_near(box_of(&canvas, &leaf), 65.0, 135.0, 10.0, 10.0);
}

#[test]
fn a_group_moves_with_its_children_and_refits_when_one_leaves() {
    let mut canvas = blank();
    let a = rectangle(&mut canvas, [10.0, 10.0, 20.0, 20.0], None);
    let b = rectangle(&mut canvas, [50.0, 40.0, 20.0, 20.0], None);
    let reply = good(&mut canvas, "group_nodes", json!({"nodeIds": [a, b], "groupName": "Pair"}));
    let group = reply["groupId"].as_str().unwrap().to_owned();
    assert_eq!((&reply["name"], &reply["containedIds"]), (&json!("Pair"), &json!([a, b])));
    good(&mut canvas, "move_node", json!({"nodeId": group, "x": 110, "y": 110}));
    assert_near(box_of(&canvas, &a), 110.0, 110.0, 20.0, 20.0);
    assert_near(box_of(&canvas, &b), 150.0, 140.0, 20.0, 20.0);
    let main = main_id(&canvas);
    good(&mut canvas, "move_node", json!({"nodeId": b, "x": 0, "y": 0, "parentId": main}));
    assert_near(box_of(&canvas, &group), 110.0, 110.0, 20.0, 20.0);
    good(&mut canvas, "move_node", json!({"nodeId": a, "x": 0, "y": 0, "parentId": main}));
    bad(&mut canvas, "get_node_info", json!({"nodeIds": [group]}), FailureClass::UnknownNode);
}

#[test]
fn move_node_puts_into_another_parent_and_refuses_what_cannot_be() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let b = frame(&mut canvas, [200.0, 200.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [25.0, 25.0, 10.0, 10.0], Some(&a));
    let reply =
        good(&mut canvas, "move_node", json!({"nodeId": leaf, "x": 210, "y": 220, "parentId": b}));
    assert_eq!(reply["parentId"], b);
    assert_near(box_of(&canvas, &leaf), 210.0, 220.0, 10.0, 10.0);
    assert_eq!((children(&canvas, &a).len(), children(&canvas, &b)), (0, vec![leaf.clone()]));
    let into =
        |node: &str, parent: &str| json!({"nodeId": node, "x": 0, "y": 0, "parentId": parent});
    bad(&mut canvas, "move_node", into(&leaf, "7:7"), FailureClass::UnknownNode);
    bad(&mut canvas, "move_node", into("7:7", &a), FailureClass::UnknownNode);
    bad(&mut canvas, "move_node", into(&a, &leaf), FailureClass::WrongNodeType);
    bad(&mut canvas, "move_node", into(&a, &a), FailureClass::Refused);
    let to_page = good(&mut canvas, "move_node", into(&leaf, "0:1"));
    assert_eq!(to_page["parentId"], "0:1");
    assert_near(box_of(&canvas, &leaf), 0.0, 0.0, 10.0, 10.0);
}

#[test]
fn a_clone_has_new_ids_and_lies_where_it_is_told() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [25.0, 25.0, 10.0, 10.0], Some(&a));
    let copy = id_of(&good(&mut canvas, "clone_node", json!({"nodeId": a, "x": 200})));
    assert_near(box_of(&canvas, &copy), 200.0, 20.0, 100.0, 100.0);
    let copied = children(&canvas, &copy);
    assert_ne!(copied[0], leaf);
    assert_near(box_of(&canvas, &copied[0]), 205.0, 25.0, 10.0, 10.0);
    assert_near(box_of(&canvas, &leaf), 25.0, 25.0, 10.0, 10.0);
    assert_eq!(children(&canvas, &main_id(&canvas)), [a.clone(), copy.clone()]);
    let inside = good(&mut canvas, "clone_node", json!({"nodeId": leaf, "parentId": copy}));
    assert_eq!(inside["parentId"], copy);
    assert_near(box_of(&canvas, &id_of(&inside)), 25.0, 25.0, 10.0, 10.0);
    bad(&mut canvas, "clone_node", json!({"nodeId": "7:7"}), FailureClass::UnknownNode);
    let cycle = json!({"nodeId": a, "parentId": "7:7"});
    bad(&mut canvas, "clone_node", cycle, FailureClass::UnknownNode);
}

#[test]
fn resizing_keeps_the_corner_and_stretches_only_groups() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [30.0, 30.0, 10.0, 10.0], Some(&a));
    let reply = good(&mut canvas, "resize_node", json!({"nodeId": a, "width": 50, "height": 200}));
    assert_eq!((&reply["width"], &reply["height"]), (&json!(50), &json!(200)));
    assert_near(box_of(&canvas, &a), 20.0, 20.0, 50.0, 200.0);
    assert_near(box_of(&canvas, &leaf), 30.0, 30.0, 10.0, 10.0);
    let other = rectangle(&mut canvas, [50.0, 30.0, 10.0, 10.0], Some(&a));
    let group = good(&mut canvas, "group_nodes", json!({"nodeIds": [leaf, other]}));
    let group = group["groupId"].as_str().unwrap().to_owned();
    good(&mut canvas, "resize_node", json!({"nodeId": group, "width": 60, "height": 30}));
    assert_near(box_of(&canvas, &group), 30.0, 30.0, 60.0, 30.0);
    assert_near(box_of(&canvas, &leaf), 30.0, 30.0, 20.0, 30.0);
    assert_near(box_of(&canvas, &other), 70.0, 30.0, 20.0, 30.0);
    bad(
        &mut canvas,
        "resize_node",
        json!({"nodeId": "x", "width": 1, "height": 1}),
        FailureClass::UnknownNode,
    );
    bad(
        &mut canvas,
        "resize_node",
        json!({"nodeId": a, "width": 0.5, "height": 1}),
        FailureClass::BadArguments,
    );
}

#[test]
fn of_a_line_only_the_length_is_resized() {
    let mut canvas = blank();
    let line = json!({"startX": 0, "startY": 9, "endX": 10, "endY": 9, "name": "l"});
    let id = id_of(&good(&mut canvas, "create_line", line));
    let reply = good(&mut canvas, "resize_node", json!({"nodeId": id, "width": 50, "height": 7}));
    assert_eq!((&reply["width"], &reply["height"]), (&json!(50), &json!(0)));
}

#[test]
fn deleting_says_what_went_and_what_was_not_there() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [30.0, 30.0, 10.0, 10.0], Some(&a));
    let reply = good(&mut canvas, "delete_node", json!({"nodeIds": [a, leaf, "7:7"]}));
    assert_eq!(reply["deleted"], json!([{"id": a, "name": "Frame", "type": "FRAME"}]));
    assert_eq!(reply["summary"], json!({"total": 3, "deleted": 1, "errors": 2}));
    assert_eq!(reply["errors"][1]["id"], "7:7");
    assert_eq!(canvas.document().len(), 1);
    bad(&mut canvas, "delete_node", json!({"nodeIds": [leaf]}), FailureClass::UnknownNode);
    bad(&mut canvas, "delete_node", json!({"nodeIds": []}), FailureClass::BadArguments);
}

#[test]
fn grouping_keeps_places_and_order_and_ungrouping_undoes_it() {
    let mut canvas = blank();
    let ids: Vec<String> = (0..4)
        .map(|i| rectangle(&mut canvas, [f64::from(i) * 30.0, 10.0, 20.0, 20.0], None))
        .collect();
    let before = canvas.document().clone();
    // Named from the top down, grouped in the order they lie in.
    let reply = good(&mut canvas, "group_nodes", json!({"nodeIds": [ids[2], ids[1]]}));
    let group = reply["groupId"].as_str().unwrap().to_owned();
    assert_eq!(children(&canvas, &group), [ids[1].clone(), ids[2].clone()]);
    assert_eq!(
        children(&canvas, &main_id(&canvas)),
        [ids[0].clone(), group.clone(), ids[3].clone()]
    );
    assert_eq!(reply["parentId"], main_id(&canvas));
    let reply = good(&mut canvas, "ungroup_nodes", json!({"groupId": group}));
    assert_eq!(reply["releasedIds"], json!([ids[1], ids[2]]));
    assert_eq!(reply["removedGroupId"], group);
    assert!(*canvas.document() == before, "grouping and ungrouping left a trace");
}

#[test]
fn nodes_of_several_parents_are_grouped_in_that_of_the_first() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let inside = rectangle(&mut canvas, [30.0, 30.0, 10.0, 10.0], Some(&a));
    let outside = rectangle(&mut canvas, [200.0, 200.0, 10.0, 10.0], None);
    let reply = good(&mut canvas, "group_nodes", json!({"nodeIds": [inside, outside]}));
    assert_eq!(reply["parentId"], a);
    assert_near(box_of(&canvas, &outside), 200.0, 200.0, 10.0, 10.0);
    assert_near(box_of(&canvas, reply["groupId"].as_str().unwrap()), 30.0, 30.0, 180.0, 180.0);
}

#[test]
fn what_cannot_be_grouped_is_refused() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let leaf = rectangle(&mut canvas, [30.0, 30.0, 10.0, 10.0], Some(&a));
    bad(&mut canvas, "group_nodes", json!({"nodeIds": [leaf]}), FailureClass::BadArguments);
    bad(&mut canvas, "group_nodes", json!({"nodeIds": [leaf, leaf]}), FailureClass::BadArguments);
    bad(&mut canvas, "group_nodes", json!({"nodeIds": [leaf, a]}), FailureClass::BadArguments);
    bad(&mut canvas, "group_nodes", json!({"nodeIds": [leaf, "7:7"]}), FailureClass::UnknownNode);
    bad(&mut canvas, "ungroup_nodes", json!({"groupId": a}), FailureClass::WrongNodeType);
    bad(&mut canvas, "ungroup_nodes", json!({"groupId": "7:7"}), FailureClass::UnknownNode);
}

#[test]
fn a_node_is_renamed() {
    let mut canvas = blank();
    let a = frame(&mut canvas, [20.0, 20.0, 100.0, 100.0], None);
    let reply = good(&mut canvas, "rename_node", json!({"nodeId": a, "newName": "Card"}));
    assert_eq!(reply, json!({"id": a, "oldName": "Frame", "newName": "Card"}));
    assert_eq!(node(&canvas, &a).name, "Card");
    bad(
        &mut canvas,
        "rename_node",
        json!({"nodeId": "7:7", "newName": "x"}),
        FailureClass::UnknownNode,
    );
}

#[test]
fn reordering_moves_among_siblings_and_stops_at_the_ends() {
    let mut canvas = blank();
    let ids: Vec<String> =
        (0..3).map(|_| rectangle(&mut canvas, [0.0, 0.0, 5.0, 5.0], None)).collect();
    let main = main_id(&canvas);
    let mut order = |node: usize, direction: &str| {
        let arguments = json!({"nodeId": ids[node], "direction": direction});
        let reply = good(&mut canvas, "reorder_node", arguments);
        let now = children(&canvas, &main);
        assert_eq!(now[reply["newIndex"].as_u64().unwrap() as usize], ids[node]);
        now.iter().map(|id| ids.iter().position(|i| i == id).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(order(0, "FORWARD"), [1, 0, 2]);
    assert_eq!(order(0, "TOP"), [1, 2, 0]);
    assert_eq!(order(0, "FORWARD"), [1, 2, 0]);
    assert_eq!(order(0, "BACKWARD"), [1, 0, 2]);
    assert_eq!(order(2, "BOTTOM"), [2, 1, 0]);
    assert_eq!(order(2, "BACKWARD"), [2, 1, 0]);
    bad(
        &mut blank(),
        "reorder_node",
        json!({"nodeId": "7:7", "direction": "TOP"}),
        FailureClass::UnknownNode,
    );
}
