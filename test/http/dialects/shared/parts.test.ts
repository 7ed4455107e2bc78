import { expect, test } from "vitest";
import type { Delta } from "../../../../src/engine/api/message.ts";
import { type PartStep, partReader, partsOf } from "../../../../src/http/dialects/shared/parts.ts";

/** The steps as short words: `+text`, `text:hello`, `-text`. */
function told(deltas: readonly Delta[]): string[] {
  const reader = partReader();
  const steps = deltas.flatMap((delta) => reader.read(delta));
  return [...steps, ...reader.end()].map(word);
}

function word(step: PartStep): string {
  if (step.kind === "cite") return `cite ${step.annotations.length}`;
  const { kind, name } = step.part;
  const what = kind === "call" ? name : kind;
  if (step.kind === "grow") return `${what}:${step.delta}`;
  return step.kind === "open" ? `+${what}` : `-${what}`;
}

const begin = (index: number, name: string, text = ""): Delta => ({
  tool_calls: [{ index, id: `id_${name}`, function: { name, arguments: text } }],
});
const more = (index: number, text: string): Delta => ({ tool_calls: [{ index, function: { arguments: text } }] });

test("thoughts, text, refusal and calls of one delta are told in this order", () => {
  const delta: Delta = { ...begin(0, "f", "{}"), refusal: "no", content: "hi", reasoning: "hm" };
  expect(told([delta])).toEqual([
    ...["+thought", "thought:hm", "-thought", "+text", "text:hi", "-text", "+refusal", "refusal:no", "-refusal"],
    ...["+f", "f:{}", "-f"],
  ]);
});

test("a part is closed when another begins, and text that goes on is a part of its own", () => {
  expect(told([{ content: "a" }, begin(0, "f", "{}"), { content: "b" }, { content: "c" }])).toEqual([
    ...["+text", "text:a", "-text", "+f", "f:{}", "-f", "+text", "text:b", "text:c", "-text"],
  ]);
});

test("the first call is told as it grows; a second one waits until the first is a whole object", () => {
  const reader = partReader();
  const words = (delta: Delta) => reader.read(delta).map(word);
  expect(words(begin(0, "f", '{"a"'))).toEqual(["+f", 'f:{"a"']);
  expect(words(begin(1, "g", "{"))).toEqual([]);
  expect(words(more(1, "}"))).toEqual([]);
  expect(words(more(0, ":1}"))).toEqual(["f::1}", "-f", "+g", "g:{}"]);
  expect(reader.end().map(word)).toEqual(["-g"]);
});

test("a call that is never whole is told at the end, before what waited for it", () => {
  expect(told([begin(0, "f", '{"a'), { content: "text" }, begin(1, "g", "{}")])).toEqual([
    ...["+f", 'f:{"a', "-f", "+text", "text:text", "-text", "+g", "g:{}", "-g"],
  ]);
});

test("braces inside of strings end no call", () => {
  expect(told([begin(0, "f", '{"a":"}'), begin(1, "g", "{}"), more(0, '"}')])).toEqual([
    ...["+f", 'f:{"a":"}', 'f:"}', "-f", "+g", "g:{}", "-g"],
  ]);
});

test("a call opens when its name is there", () => {
  const nameless: Delta = { tool_calls: [{ index: 0, id: "id", function: { arguments: "{" } }] };
  const named: Delta = { tool_calls: [{ index: 0, function: { name: "f", arguments: "}" } }] };
  expect(told([nameless, named])).toEqual(["+f", "f:{}", "-f"]);
});

test("white space that comes for a call after it was closed is nothing new", () => {
  expect(told([begin(0, "f", "{}"), begin(1, "g", "{}"), more(0, "\n")])).toEqual([
    "+f",
    "f:{}",
    "-f",
    "+g",
    "g:{}",
    "-g",
  ]);
});

test("details of one thought are one part: its text grows, its signature is known when it closes", () => {
  const reader = partReader();
  const steps = [
    ...reader.read({
      reasoning: "a",
      reasoning_details: [{ type: "reasoning.text", index: 0, format: "x", text: "a" }],
    }),
    ...reader.read({ reasoning_details: [{ type: "reasoning.text", index: 0, signature: "sig" }] }),
    ...reader.read({ reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "d" }] }),
    ...reader.read({ reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "e" }] }),
    ...reader.end(),
  ];
  const closed = steps.flatMap((step) => (step.kind === "close" ? [step.part] : []));
  expect(closed).toMatchObject([
    { text: "a", detail: { type: "reasoning.text", index: 0, format: "x", signature: "sig" } },
    { text: "", detail: { type: "reasoning.encrypted", index: 1, data: "de" } },
  ]);
});

test("reasoning that is told as text and as details is told once", () => {
  const detail = { type: "reasoning.text" as const, index: 0, text: "hm" };
  expect(told([{ reasoning: "hm", reasoning_details: [detail] }])).toEqual(["+thought", "thought:hm", "-thought"]);
  const signature = { type: "reasoning.text" as const, index: 0, signature: "s" };
  expect(told([{ reasoning: "hm", reasoning_details: [signature] }])).toEqual(["+thought", "thought:hm", "-thought"]);
});

test("sources are told behind the text of their delta", () => {
  const annotations = [{ type: "url_citation", url_citation: { url: "https://x.test" } }];
  expect(told([{ content: "a", annotations }])).toEqual(["+text", "text:a", "cite 1", "-text"]);
});

test("parts of a whole message stand where the index of its thoughts puts them", () => {
  const call = (name: string) => ({ id: name, type: "function", function: { name, arguments: "{}" } });
  const parts = partsOf({
    role: "assistant",
    content: [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    tool_calls: [call("f"), call("g")],
    reasoning_details: [
      { type: "reasoning.text", index: 0, text: "first" },
      { type: "reasoning.text", index: 3, text: "second" },
    ],
  });
  expect(parts.map(({ kind, text, name, at }) => [at, kind, name || text])).toEqual([
    [0, "thought", "first"],
    [1, "text", "ab"],
    [2, "call", "f"],
    [3, "thought", "second"],
    [4, "call", "g"],
  ]);
});
