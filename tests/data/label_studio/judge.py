"""Has Label Studio's own library read a labeling config and tasks, and export them.

python judge.py CONFIG.xml
python judge.py CONFIG.xml TASKS.json OUT_DIR

Prints what it made of them as JSON: the controls by name, how many annotations it read and what it finds wrong with
them. Into OUT_DIR go json.json, json_min.json, csv.csv and tsv.tsv, as Label Studio exports them.
"""

import json
import pathlib
import shutil
import sys

from label_studio_sdk.converter.converter import Converter
from label_studio_sdk.label_interface import LabelInterface

config = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
interface = LabelInterface(config)
interface.validate()
converter = Converter(config, project_dir=None)
found = {
    "controls": {control.name: control.tag for control in interface.controls},
    # By the library's other parser, which its exports go by.
    "outputs": {name: tag["type"] for name, tag in converter._schema.items()},
    "choices": {name: tag["labels"] for name, tag in converter._schema.items() if tag["type"] == "Choices"},
    "annotations": 0,
    "wrong": [],
}
if len(sys.argv) > 2:
    tasks, out = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for task in json.loads(tasks.read_text(encoding="utf-8")):
        if not interface.validate_task({"data": task["data"]}):
            found["wrong"].append(f"the data of task {task['id']}")
        for annotation in task["annotations"]:
            found["annotations"] += 1
            # It looks at both alike, and says of predictions what is wrong with them.
            found["wrong"] += interface.validate_prediction(annotation, return_errors=True)
            if not interface.validate_annotation(annotation):
                found["wrong"].append(f"an annotation of task {task['id']}")
    for name, written in [("JSON", "json"), ("JSON_MIN", "json"), ("CSV", "csv"), ("TSV", "csv")]:
        folder = out / name
        converter.convert(str(tasks), str(folder), name, is_dir=False)
        extension = "tsv" if name == "TSV" else written
        shutil.move(folder / f"result.{written}", out / f"{name.lower()}.{extension}")
print(json.dumps(found))
