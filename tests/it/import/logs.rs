//! Ways in which programs keep what they asked models and were answered: beginnings that hide the format,
//! transcripts, streams, requests that name what came before, tools that the provider runs.

use pentimento::run::{Outcome, Run};
use serde_json::{Value, json};

use super::{base64, colour, data_uri, imported, record, write, write_lines};

fn calls(run: &Run) -> Vec<&str> {
    run.steps.iter().map(|step| &*step.call.as_ref().unwrap().name).collect()
}

fn texts(run: &Run) -> Vec<&str> {
    run.steps.iter().map(|step| &*step.outcome.as_ref().unwrap().text).collect()
}

/// A question, an answer that calls and its result, the first of more than what is looked at to tell a format.
fn long_chat() -> [Value; 3] {
    [
        json!({"role": "user", "content": "draw ".repeat(300_000)}),
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "draw", "input": {}}]}),
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "drawn"}]}),
    ]
}

#[test]
fn what_is_long_at_the_beginning_hides_neither_the_format_nor_the_lines() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let [asked, called, given] = long_chat();
    let wanted = json!({"messages": [asked, called, given]});
    write(&at("one.json"), wanted.to_string());
    let again = json!({"messages": [{"role": "user", "content": "again"}, called, given]});
    write_lines(&at("lines.jsonl"), &[wanted, again]);
    // Its list was never closed.
    write(&at("open.json"), format!("[\n{asked},\n{called},\n{given},\n"));
    let imported = imported(&[&at("one.json"), &at("lines.jsonl"), &at("open.json")]);
    assert!(imported.report.skipped.is_empty(), "{:#?}", imported.report.skipped);
    let runs = imported.runs();
    let ids: Vec<&str> = runs.iter().map(|run| &*run.manifest.task.id).collect();
    assert_eq!(ids, ["one", "lines", "lines-2", "open"]);
    for run in &runs {
        assert_eq!(
            (&*run.manifest.task.set, calls(run), texts(run)),
            ("anthropic", vec!["draw"], vec!["drawn"])
        );
    }
}

#[test]
fn a_transcript_with_a_line_for_each_block_is_answers_with_their_times() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    let part = |second: u32, block: Value| {
        json!({"type": "assistant", "uuid": second.to_string(), "isSidechain": false, "sessionId": "s",
            "timestamp": format!("2026-01-01T00:00:0{second}.000Z"),
            "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": [block],
                "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 7}}})
    };
    let user = |second: u32, content: Value| {
        json!({"type": "user", "uuid": second.to_string(), "isSidechain": false, "sessionId": "s",
            "timestamp": format!("2026-01-01T00:00:0{second}.000Z"), "message": {"role": "user", "content": content}})
    };
    let mut aside = user(3, json!("Look for it."));
    aside["isSidechain"] = json!(true);
    let lines = [
        json!({"type": "summary", "summary": "A logo", "leafUuid": "9"}),
        json!({"type": "file-history-snapshot", "messageId": "8", "snapshot": {}}),
        user(0, json!("Make a logo.")),
        part(1, json!({"type": "thinking", "thinking": "A circle.", "signature": "x"})),
        part(2, json!({"type": "tool_use", "id": "a", "name": "Write", "input": {"file": "a"}})),
        aside,
        user(4, json!([{"type": "tool_result", "tool_use_id": "a", "content": "written"}])),
        part(5, json!({"type": "tool_use", "id": "b", "name": "Read", "input": {}})),
        user(6, json!([{"type": "tool_result", "tool_use_id": "b", "content": "read"}])),
        user(7, json!("Now a square.")),
        // Whatever its id: it answers something else.
        part(8, json!({"type": "text", "text": "Done."})),
    ];
    write_lines(&path, &lines);
    let imported = imported(&[&path]);
    assert!(imported.report.skipped.is_empty(), "{:#?}", imported.report.skipped);
    let run = imported.run();
    assert_eq!((run.turns.len(), calls(&run)), (2, vec!["Write", "Read"]));
    assert_eq!((&*run.turns[0].thought, texts(&run)), ("A circle.", vec!["written", "read"]));
    // Each part says what the whole answer has used.
    assert_eq!(run.manifest.totals.output_tokens, 14);
    assert_eq!(run.manifest.started, "2026-01-01T00:00:00Z");
    assert_eq!(run.manifest.finished.as_deref(), Some("2026-01-01T00:00:08Z"));
    assert_eq!(record(&run).instruction.as_deref(), Some("Make a logo."));
    let warnings = &imported.report.runs[0].warnings;
    assert!(
        warnings.len() == 1 && warnings[0].contains("other agents are left out: 1"),
        "{warnings:?}"
    );
}

fn exchange(request: &Value, response: &Value) -> Value {
    json!({"request": request, "response": response})
}

#[test]
fn requests_that_name_the_answer_before_or_leave_its_reasoning_out_go_on_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let reasoning =
        json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]});
    let call = json!({"type": "function_call", "call_id": "f", "name": "draw", "arguments": "{}"});
    let given = json!({"type": "function_call_output", "call_id": "f", "output": "drawn"});
    let done = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]});
    let first = json!({"id": "r1", "status": "completed", "output": [reasoning, call], "usage": {"input_tokens": 1, "output_tokens": 2}});
    let last = json!({"id": "r2", "status": "completed", "output": [done]});
    write_lines(
        &at("named.jsonl"),
        &[
            exchange(&json!({"input": "Draw it."}), &first),
            exchange(&json!({"input": [given], "previous_response_id": "r1"}), &last),
        ],
    );
    let asked = json!({"role": "user", "content": "Draw it."});
    write_lines(
        &at("short.jsonl"),
        &[
            exchange(&json!({"input": [asked]}), &first),
            exchange(&json!({"input": [asked, call, given]}), &last),
        ],
    );
    let imported = imported(&[&at("named.jsonl"), &at("short.jsonl")]);
    let runs = imported.runs();
    assert_eq!(runs.len(), 2, "{:#?}", imported.report);
    for run in &runs {
        assert_eq!((run.turns.len(), calls(run), texts(run)), (2, vec!["draw"], vec!["drawn"]));
        assert_eq!((&*run.turns[0].thought, &*run.turns[1].thought), ("Hm.", "Done."));
        assert_eq!(record(run).instruction.as_deref(), Some("Draw it."));
        assert_eq!(
            (run.manifest.totals.output_tokens, &run.manifest.outcome),
            (2, &Outcome::Completed)
        );
    }
    assert!(
        imported.report.runs.iter().all(|run| run.warnings.is_empty()),
        "{:#?}",
        imported.report
    );
}

#[test]
fn the_same_question_again_and_one_that_only_ends_alike_are_other_conversations() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("samples.jsonl");
    let asked = json!({"messages": [{"role": "user", "content": "A?"}]});
    let said = |text: &str| json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]});
    let done = json!({"role": "assistant", "content": "Done."});
    write_lines(
        &path,
        &[
            exchange(&asked, &said("One.")),
            exchange(&asked, &said("Two.")),
            json!({"messages": [{"role": "user", "content": "B?"}, done]}),
            json!({"messages": [{"role": "user", "content": "C?"}, done, {"role": "user", "content": "And?"}, done]}),
        ],
    );
    let imported = imported(&[&path]);
    let turns: Vec<usize> = imported.runs().iter().map(|run| run.turns.len()).collect();
    assert_eq!(turns, [1, 1, 1, 2], "{:#?}", imported.report);
}

/// What somebody asked of a model as a chat, and what it answered.
fn chat_exchange(model: &str, messages: &[Value], answer: &str) -> Value {
    exchange(
        &json!({"model": model, "messages": messages}),
        &json!({"model": model, "choices": [{"message": said("assistant", answer), "finish_reason": "stop"}]}),
    )
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

fn thoughts(run: &Run) -> Vec<&str> {
    run.turns.iter().map(|turn| &*turn.thought).collect()
}

#[test]
fn conversations_that_take_turns_are_runs_of_their_own_in_the_order_they_began() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("workers.jsonl");
    // Of one question and of two: what the model said tells the former apart.
    for questions in [["Draw a cat.", "Draw a dog."], ["Draw it.", "Draw it."]] {
        let mut chats = questions.map(|question| vec![said("user", question)]);
        let mut lines = Vec::new();
        for turn in 0..5 {
            // The second goes on first from its third turn on.
            let order = if turn < 2 { [0, 1] } else { [1, 0] };
            for number in order {
                let answer = format!("{number}-{turn}");
                lines.push(chat_exchange("gpt-x", &chats[number], &answer));
                chats[number].extend([said("assistant", &answer), said("user", "Go on.")]);
            }
        }
        write_lines(&path, &lines);
        let imported = imported(&[&path]);
        let runs = imported.runs();
        let ids: Vec<&str> = runs.iter().map(|run| &*run.manifest.task.id).collect();
        assert_eq!(ids, ["workers", "workers-2"], "{:#?}", imported.report);
        for (number, run) in runs.iter().enumerate() {
            let wanted: Vec<String> = (0..5).map(|turn| format!("{number}-{turn}")).collect();
            assert_eq!(thoughts(run), wanted);
            assert_eq!(record(run).instruction.as_deref(), Some(questions[number]));
        }
    }
}

#[test]
fn more_conversations_than_are_kept_open_come_in_whole_as_far_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.jsonl");
    let asked = |number: usize| said("user", &format!("Draw {number}."));
    let mut lines: Vec<Value> =
        (0..260).map(|number| chat_exchange("gpt-x", &[asked(number)], "Done.")).collect();
    let again = [asked(259), said("assistant", "Done."), said("user", "Again.")];
    lines.push(chat_exchange("gpt-x", &again, "Done."));
    write_lines(&path, &lines);
    let imported = imported(&[&path]);
    let turns: Vec<u32> = imported.report.runs.iter().map(|run| run.turns).collect();
    assert_eq!(turns, [vec![1; 259], vec![2]].concat());
    let first = &imported.report.runs[0].task.id;
    let last = &imported.report.runs[259].task.id;
    assert_eq!((&**first, &**last), ("many", "many-260"));
}

#[test]
fn the_same_question_with_examples_is_another_conversation_of_each_model_and_sample() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("examples.jsonl");
    let asked = [said("user", "An example"), said("assistant", "Its answer"), said("user", "Now?")];
    let longer = [&asked[..], &[said("assistant", "A."), said("user", "And?")]].concat();
    write_lines(
        &path,
        &[
            chat_exchange("gpt-a", &asked, "A."),
            chat_exchange("gpt-b", &asked, "B."),
            chat_exchange("gpt-b", &asked, "C."),
            // What another model is asked goes on from no run, although it repeats one.
            chat_exchange("gpt-c", &longer, "D."),
            chat_exchange("gpt-a", &longer, "E."),
        ],
    );
    let imported = imported(&[&path]);
    let runs = imported.runs();
    let all: Vec<(&str, Vec<&str>)> =
        runs.iter().map(|run| (&*run.manifest.agent.name, thoughts(run))).collect();
    let wanted = [
        ("gpt-a", vec!["Its answer", "A.", "E."]),
        ("gpt-b", vec!["Its answer", "B."]),
        ("gpt-b", vec!["Its answer", "C."]),
        ("gpt-c", vec!["Its answer", "A.", "D."]),
    ];
    assert_eq!(all, wanted, "{:#?}", imported.report);
}

#[test]
fn a_request_that_failed_and_came_once_more_is_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("retry.jsonl");
    let asked = [said("user", "An example"), said("assistant", "Its answer"), said("user", "Now?")];
    let failed = json!({"error": {"message": "Overloaded"}});
    write_lines(
        &path,
        &[
            exchange(&json!({"model": "gpt-a", "messages": asked}), &failed),
            chat_exchange("gpt-a", &asked, "A."),
        ],
    );
    let run = imported(&[&path]).run();
    assert_eq!(thoughts(&run), ["Its answer", "A."]);
}

#[test]
fn the_model_is_the_one_that_was_asked_where_the_answer_names_none() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let chat =
        [said("user", "Hi"), json!({"role": "assistant", "content": "Hello", "tool_calls": []})];
    write(&at("a.json"), json!({"model": "gpt-z", "messages": chat}).to_string());
    let claude = json!([
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "draw", "input": {}}]},
    ]);
    write(&at("b.json"), json!({"model": "claude-z", "messages": claude}).to_string());
    let contents = json!([
        {"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": [{"text": "Hello"}]},
    ]);
    write(&at("c.json"), json!({"model": "models/gemini-z", "contents": contents}).to_string());
    let address = "https://example.com/v1beta/models/gemini-z:generateContent?key=x";
    let answer =
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello"}]}}]});
    let sent = json!({"url": address, "body": {"contents": [contents[0]]}});
    write(&at("d.json"), exchange(&sent, &answer).to_string());
    // The name that an answer has says more.
    let mut line = chat_exchange("gpt-z", &[said("user", "Hi")], "Hello");
    line["response"]["model"] = json!("gpt-z-2026");
    write(&at("e.json"), line.to_string());
    let imported = imported(&[dir.path()]);
    let agents: Vec<&str> = imported.report.runs.iter().map(|run| &*run.agent).collect();
    assert_eq!(agents, ["gpt-z", "claude-z", "gemini-z", "gemini-z", "gpt-z-2026"]);
}

#[test]
fn of_several_answers_to_one_question_the_first_is_taken_and_the_others_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let choice = |number: u32| json!({"index": number, "message": said("assistant", &format!("Choice {number}")), "finish_reason": "stop"});
    let chunk = |number: u32| {
        json!({"id": "c", "object": "chat.completion.chunk", "model": "gpt-q", "choices": [
        {"index": number, "delta": {"role": "assistant", "content": format!("Choice {number}")}, "finish_reason": "stop"}]})
    };
    let asked = json!({"model": "gpt-q", "n": 3, "messages": [said("user", "Draw it.")]});
    let answer = json!({"model": "gpt-q", "choices": [choice(0), choice(1), choice(2)]});
    write(&at("whole.json"), exchange(&asked, &answer).to_string());
    let events: Vec<String> = (0..3).map(|number| format!("data: {}\n\n", chunk(number))).collect();
    write(&at("stream.sse"), events.concat());
    for name in ["whole.json", "stream.sse"] {
        let imported = imported(&[&at(name)]);
        assert_eq!(thoughts(&imported.run()), ["Choice 0"], "{name}");
        let warnings = &imported.report.runs[0].warnings;
        assert!(
            warnings.len() == 1 && warnings[0].contains("2 more answers"),
            "{name}: {warnings:?}"
        );
    }
}

#[test]
fn what_the_provider_ran_itself_is_calls_with_what_came_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answer.json");
    let answer = json!({"id": "r", "object": "response", "model": "gpt-x", "status": "completed", "output": [
        {"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "cats"}},
        {"type": "mcp_call", "id": "m", "name": "get_file", "server_label": "figma", "arguments": "{\"key\": 1}", "output": null, "error": {"message": "no such file"}},
        {"type": "code_interpreter_call", "id": "c", "code": "1 + 1", "outputs": [{"type": "logs", "logs": "2"}]},
        {"type": "image_generation_call", "id": "i", "status": "completed", "result": base64([7, 0, 0])},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A cat."}]},
        {"type": "mcp_list_tools", "id": "l", "tools": []},
    ], "usage": {"input_tokens": 3, "output_tokens": 4}});
    write(&path, answer.to_string());
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!((run.turns.len(), &*run.turns[0].thought), (1, "A cat."));
    assert_eq!(calls(&run), ["web_search", "get_file", "code_interpreter", "image_generation"]);
    let arguments: Vec<&Value> =
        run.steps.iter().map(|it| &it.call.as_ref().unwrap().arguments).collect();
    assert_eq!(
        arguments[..3],
        [
            &json!({"type": "search", "query": "cats"}),
            &json!({"key": 1}),
            &json!({"code": "1 + 1"}),
        ]
    );
    assert!(run.steps[0].outcome.is_none(), "what a search found is not in the answer");
    let failed = run.steps[1].outcome.as_ref().unwrap().failure.as_ref().unwrap();
    assert_eq!(
        (&*failed.message, &*run.steps[2].outcome.as_ref().unwrap().text),
        ("no such file", "2")
    );
    assert_eq!(colour(&run, 4), Some([7, 0, 0]));
    assert_eq!(
        (run.manifest.totals.output_tokens, &run.manifest.outcome),
        (4, &Outcome::Completed)
    );
}

#[test]
fn a_stream_of_gemini_is_one_answer_and_what_it_drew_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("stream.json");
    let piece = |parts: Value, thoughts: u32| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}], "responseId": "q", "modelVersion": "gemini-x",
            "usageMetadata": {"promptTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": thoughts}})
    };
    let call = json!({"functionCall": {"name": "draw", "args": {"x": 1}}});
    let picture = json!({"inlineData": {"mimeType": "image/png", "data": base64([6, 0, 0])}});
    let pieces = json!([
        piece(json!([{"text": "I dr"}]), 1),
        piece(json!([{"text": "aw a cat."}]), 2),
        piece(json!([call, picture]), 5),
    ]);
    write(&path, pieces.to_string());
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!(
        (run.turns.len(), &*run.turns[0].thought, calls(&run)),
        (1, "I draw a cat.", vec!["draw"])
    );
    assert_eq!(colour(&run, 1), Some([6, 0, 0]));
    // Once, with what it thought.
    assert_eq!((run.manifest.totals.input_tokens, run.manifest.totals.output_tokens), (4, 7));
}

#[test]
fn several_messages_before_the_first_answer_are_all_what_was_asked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("asked.jsonl");
    write_lines(
        &path,
        &[
            json!({"role": "user", "content": "Draw a cat."}),
            json!({"role": "user", "content": [{"type": "text", "text": "In blue."}, {"type": "image_url", "image_url": {"url": data_uri([1, 0, 0])}}]}),
            json!({"role": "assistant", "content": "Done.", "tool_calls": []}),
        ],
    );
    let run = imported(&[&path]).run();
    assert_eq!(record(&run).instruction.as_deref(), Some("Draw a cat.\n\nIn blue."));
    assert!(record(&run).start_picture.is_some());
}
