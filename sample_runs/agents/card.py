"""An agent of your own in some twenty lines: draws a card with a title, rounds it, looks, and is done."""
import json
import sys


def ask(thought, *calls):
    calls = [{"name": name, "arguments": arguments} for name, arguments in calls]
    print(json.dumps({"type": "answer", "thought": thought, "calls": calls}), flush=True)
    return json.loads(sys.stdin.readline())["outcomes"]


hello = json.loads(sys.stdin.readline())
width = hello["canvas_size"]["width"]
place = {"x": 16, "y": 96, "width": width - 32, "height": 160, "parentId": hello["main_frame"]}
fill = {"fillColor": {"r": 0.16, "g": 0.36, "b": 0.86}}
card = ask("A card first.", ("create_frame", {**place, **fill, "name": "Card"}))[0]
if "failure" in card:
    print(json.dumps({"type": "error", "message": card["text"]}), flush=True)
    sys.exit(1)
title = {"x": 20, "y": 20, "width": width - 72, "height": 32, "name": "Title"}
title.update(text=hello["task"]["id"], parentId=card["structured"]["id"])
corners = {"nodeId": card["structured"]["id"], "radius": 16}
ask("A title, and round corners.", ("create_text", title), ("set_corner_radius", corners))
seen = ask("Let me see it.", ("get_result_image", {}))[0]["picture"]
print(json.dumps({"type": "done", "thought": f"{seen['width']} × {seen['height']} pixels."}))
