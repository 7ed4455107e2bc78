import { expect, it } from "vitest";
import { type Script, scriptedEngine, scriptedProviders } from "../../../src/testing/index.ts";

const messages = [{ role: "user" as const, content: "Hi" }];

it("a script calls tools, whole and streamed, and a run of tools ends with the answer after them", async () => {
  const call = { name: "clock", arguments: { zone: "UTC" } };
  const script: Script = {
    "a/m": [
      { kind: "answer", calls: [call] },
      { kind: "answer", text: "It is noon." },
    ],
  };
  const whole = await scriptedEngine(script).chat({ model: "a/m", messages });
  expect(whole.choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: {
      content: null,
      tool_calls: [{ id: "call_0", function: { name: "clock", arguments: '{"zone":"UTC"}' } }],
    },
  });
  const calls = [];
  for await (const { choices } of await scriptedEngine(script).streamChat({ model: "a/m", messages }))
    calls.push(...(choices[0]?.delta.tool_calls ?? []));
  expect(calls).toMatchObject([{ index: 0, function: { name: "clock", arguments: '{"zone":"UTC"}' } }]);
  const seen: unknown[] = [];
  const tools = [{ name: "clock", run: (provided: object) => void seen.push(provided) }];
  const run = await scriptedEngine(script).runTools({ model: "a/m", messages, tools });
  expect({ ended: run.ended, seen }).toEqual({ ended: "completed", seen: [{ zone: "UTC" }] });
});

it("a script embeds and reranks", async () => {
  const engine = scriptedEngine({
    "a/e": [
      {
        kind: "vectors",
        vectors: [
          [1, 0],
          [0, 1],
        ],
      },
    ],
    "a/r": [{ kind: "scores", scores: [0.1, 0.9] }],
  });
  const { data } = await engine.embed({ model: "a/e", input: ["x", "y", "z"] });
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  const { results } = await engine.rerank({ model: "a/r", query: "q", documents: ["x", "y", "z"], top_n: 2 });
  expect(results.map(({ index }) => index)).toEqual([1, 0]);
  await expect(engine.chat({ model: "a/e", messages })).rejects.toMatchObject({ code: "upstream_error" });
});

it("pauses of a stream pass on the engine's own clock, and a deadline ends them", async () => {
  const script: Script = { "a/m": [{ kind: "answer", text: "one two three", pauseMs: 1_000 }] };
  const engine = scriptedEngine(script);
  const start = engine.clock.now();
  let text = "";
  for await (const { choices } of await engine.streamChat({ model: "a/m", messages }))
    text += choices[0]?.delta.content ?? "";
  expect({ text, ms: engine.clock.now() - start }).toEqual({ text: "one two three", ms: 6_000 });
  const late = engine.chat({ model: "a/m", messages }, { timeouts: { whole: 500 } });
  await expect(late).rejects.toMatchObject({ code: "upstream_timeout" });
});

it.each([
  ["m", { m: [{ kind: "defect" }] }],
  ["a/m", { "a/m": "defect" }],
  ["a/m.0.kind", { "a/m": [{ kind: "anwser", text: "x" }] }],
  ["a/m.1.tetx", { "a/m": [{ kind: "defect" }, { kind: "answer", tetx: "x" }] }],
  ["a/m.0.status", { "a/m": [{ kind: "fail", status: 200 }] }],
  ["a/m.0.status", { "a/m": [{ kind: "fail" }] }],
  ["a/m.0.calls", { "a/m": [{ kind: "answer", calls: [{}] }] }],
  ["a/m.0.vectors", { "a/m": [{ kind: "vectors", vectors: [["x"]] }] }],
  ["a/m.0.pauseMs", { "a/m": [{ kind: "answer", text: "x", pauseMs: 5 }] }],
])("a script that cannot be acted out is refused with `%s`", (param, script) => {
  expect(() => scriptedProviders(script as never)).toThrow(
    expect.objectContaining({ code: "invalid_configuration", param }),
  );
});
