import { expect, it } from "vitest";
import { type Script, scriptedEngine, scriptedProviders } from "../../src/testing/index.ts";

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

it("a script decides natively, each kind of question by its name, in either form of the request", async () => {
  const decided: Script = {
    "a/d": [
      {
        kind: "decisions",
        answers: { refund: 0.9, team: "shipping", anger: { calm: 0.25, furious: 0.75 }, spam: null },
      },
    ],
  };
  const questions = {
    refund: { kind: "noul" },
    team: { kind: "choice", criteria: { billing: null, shipping: null } },
    anger: { kind: "score", criteria: ["calm", "annoyed", "furious"] },
    spam: { kind: "noul" },
  } satisfies Parameters<ReturnType<typeof scriptedEngine>["decide"]>[0]["questions"];
  const { answers, usage } = await scriptedEngine(decided).decide({ model: "a/d", state: "Twice!", questions });
  expect(answers).toMatchObject({
    refund: { kind: "noul", value: 0.9, method: "native" },
    team: { kind: "choice", value: "shipping", probabilities: { billing: 0, shipping: 1 } },
    anger: { kind: "score", value: 1.5, probabilities: { 0: 0.25, 1: 0, 2: 0.75 } },
    spam: { kind: "refusal" },
  });
  expect(usage?.prompt_tokens).toBeGreaterThan(0);
  const listed = await scriptedEngine({
    "a/d": [{ kind: "decisions", answers: { sure: true, level: 1, open: false } }],
  }).decide({
    model: "a/d",
    input: "Twice!",
    questions: [
      { type: "predicate", name: "sure" },
      { type: "score", name: "level", levels: [{ label: "low" }, { label: "high" }] },
      { type: "choice", name: "open", choices: [{ value: true }, { value: false }] },
    ],
  });
  expect(listed.answers).toMatchObject([{ probability: 1 }, { score: 1 }, { choice: false }]);
});

it.each([
  [{ refnd: true }, "`a/d.0.answers` of the script has no `refund`, which the request asks for; did you mean `refnd`?"],
  [{ refund: "yes" }, "`a/d.0.answers.refund` of the script has `yes`, which is no option of the question."],
  [{ refund: { ture: 1 } }, "has `ture`, which is no option of the question; did you mean `true`?"],
  [
    { refund: { true: 0.5 } },
    "`a/d.0.answers.refund` of the script must have probabilities from 0 to 1 that sum to 1.",
  ],
  [{ refund: 1.5 }, "must have probabilities from 0 to 1 that sum to 1."],
])("a decision without an answer for the question says which: %j", async (answers, message) => {
  const engine = scriptedEngine({ "a/d": [{ kind: "decisions", answers }] });
  const asked = engine.decide({ model: "a/d", state: "Twice!", questions: { refund: { kind: "noul" } } });
  await expect(asked).rejects.toMatchObject({ code: "upstream_error", message: expect.stringContaining(message) });
});

it("a model without decisions is asked by chat, next to one that decides", async () => {
  const engine = scriptedEngine({
    "a/chat": [{ kind: "answer", calls: [{ name: "answer", arguments: { A: 0.25, B: 0.75 } }] }],
    "a/d": [
      { kind: "fail", status: 503 },
      { kind: "decisions", answers: { refund: true } },
    ],
  });
  const ask = (model: string) =>
    engine.decide({ model, state: "x", questions: { refund: { kind: "noul" } }, method: "tool" });
  expect((await ask("a/chat")).answers).toMatchObject({ refund: { method: "tool" } });
  const { answers } = await engine.decide({ model: "a/d", state: "x", questions: { refund: { kind: "noul" } } });
  expect(answers).toMatchObject({ refund: { method: "native", value: 1 } });
});

it("a scripted engine remembers what its models were sent, by the verb", async () => {
  const engine = scriptedEngine({
    "a/m": [{ kind: "answer", text: "x" }],
    "a/e": [{ kind: "vectors", vectors: [[1]] }],
  });
  await engine.chat({ model: "a/m", messages });
  await engine.embed({ model: "a/e", input: "x" });
  for await (const _chunk of await engine.streamChat({ model: "a/m", messages }));
  expect(engine.requests.map(({ verb }) => verb)).toEqual(["chat", "embed", "streamChat"]);
  expect(engine.requests).toMatchObject([{ request: { messages } }, { request: { input: "x" } }, {}]);
});

it("a step of another verb, and a model that is not there, are named", async () => {
  const engine = scriptedEngine({ "a/model": [{ kind: "vectors", vectors: [[1]] }] });
  await expect(engine.chat({ model: "a/model", messages })).rejects.toThrow(
    "`a/model.0` of the script is a step `vectors`, which answers an embedding request only.",
  );
  await expect(engine.chat({ model: "a/modle", messages })).rejects.toThrow(
    "no model a/modle; did you mean `a/model`?",
  );
});

it("every step may pause, also one that fails or breaks off", async () => {
  const pauseMs = 1_000;
  const engine = scriptedEngine({
    "a/fail": [{ kind: "fail", status: 400, pauseMs }],
    "a/break": [{ kind: "break", text: "one two three", after: 2, pauseMs }],
    "a/d": [{ kind: "decisions", answers: { q: true }, pauseMs }],
    "a/e": [{ kind: "vectors", vectors: [[1]], pauseMs }],
  });
  const passed = async (work: Promise<unknown>) => {
    const start = engine.clock.now();
    await work.catch(() => {});
    return engine.clock.now() - start;
  };
  const stream = async (model: string) => {
    for await (const _chunk of await engine.streamChat({ model, messages }));
  };
  expect(await passed(engine.chat({ model: "a/fail", messages }))).toBe(1_000);
  expect(await passed(stream("a/fail"))).toBe(1_000);
  expect(await passed(stream("a/break"))).toBe(3_000);
  expect(await passed(engine.embed({ model: "a/e", input: "x" }))).toBe(1_000);
  expect(await passed(engine.decide({ model: "a/d", state: "x", questions: { q: { kind: "noul" } } }))).toBe(1_000);
});

it.each([
  ["script", undefined, "object"],
  ["m", { m: [{ kind: "defect" }] }, "provider/model"],
  ["a/m", { "a/m": "defect" }, "list of steps"],
  ["a/m.0", { "a/m": ["defect"] }, "`kind`"],
  ["a/m.0.kind", { "a/m": [{ kind: "anwser", text: "x" }] }, "did you mean `answer`?"],
  ["a/m.0.kind", { "a/m": [{ kind: "toString" }] }, "must be one of"],
  ["a/m.1.tetx", { "a/m": [{ kind: "defect" }, { kind: "answer", tetx: "x" }] }, "did you mean `text`?"],
  ["a/m.0.status", { "a/m": [{ kind: "fail", status: 200 }] }, "400 to 599"],
  ["a/m.0.status", { "a/m": [{ kind: "fail" }] }, "required"],
  ["a/m.0.calls", { "a/m": [{ kind: "answer", calls: {} }] }, "list of calls"],
  ["a/m.0.calls.0.name", { "a/m": [{ kind: "answer", calls: [{}] }] }, "required"],
  [
    "a/m.0.calls.1.argument",
    { "a/m": [{ kind: "answer", calls: [{ name: "f" }, { name: "f", argument: {} }] }] },
    "did you mean `arguments`?",
  ],
  [
    "a/m.0.calls.0.arguments",
    { "a/m": [{ kind: "answer", calls: [{ name: "f", arguments: 5 }] }] },
    "text or an object",
  ],
  [
    "a/m.0.usage.prompt_token",
    { "a/m": [{ kind: "answer", usage: { prompt_token: 5 } }] },
    "did you mean `prompt_tokens`?",
  ],
  [
    "a/m.0.usage.total_tokens",
    { "a/m": [{ kind: "answer", usage: { prompt_tokens: 5, completion_tokens: 1 } }] },
    "is missing",
  ],
  ["a/m.0.vectors", { "a/m": [{ kind: "vectors", vectors: [["x"]] }] }, "numbers"],
  ["a/m.0.answers", { "a/m": [{ kind: "decisions" }] }, "required"],
  ["a/m.0.answer", { "a/m": [{ kind: "decisions", answer: {} }] }, "did you mean `answers`?"],
  ["a/m.0.answers.q", { "a/m": [{ kind: "decisions", answers: { q: { yes: 2 } } }] }, "0 to 1"],
  ["a/m.0.pauseMs", { "a/m": [{ kind: "answer", text: "x", pauseMs: 5 }] }, "second argument"],
  ["a/m.0.pausMs", { "a/m": [{ kind: "unreachable", pausMs: 5 }] }, "did you mean `pauseMs`?"],
])("a script that cannot be acted out is refused with `%s`", (param, script, message) => {
  expect(() => scriptedProviders(script as never)).toThrow(
    expect.objectContaining({ code: "invalid_configuration", param, message: expect.stringContaining(message) }),
  );
});
