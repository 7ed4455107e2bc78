import { describe, expect, test } from "vitest";
import type { Delta } from "../../../../src/api/message.ts";
import type { Tool } from "../../../../src/api/tools.ts";
import { writeAnswer } from "../../../../src/http/dialects/responses/answer.ts";
import { readRequest } from "../../../../src/http/dialects/responses/request.ts";
import { streamWriter } from "../../../../src/http/dialects/responses/stream.ts";
import { newNotes } from "../../../../src/http/dialects/shared/translation-warnings.ts";
import { answerOf, chunksOf } from "../../../http/dialects/answers.ts";
import { readEvents } from "../../../http/dialects/frames.ts";

const read = (body: object) => readRequest({ model: "a/m", input: [], ...body });

const nameOf = ({ function: fn, custom }: Tool) => fn?.name ?? custom?.name;

const exec = {
  type: "custom",
  name: "exec",
  description: "Runs a script.",
  format: { type: "grammar", syntax: "lark", definition: "start: x" },
};
const closeAgent = { type: "function", name: "close", strict: false, parameters: { type: "object" } };
const search = {
  type: "tool_search",
  execution: "client",
  description: "Finds tools.",
  parameters: { type: "object" },
};
const ofCodex = { tools: [exec, search, { type: "namespace", name: "agents", description: "", tools: [closeAgent] }] };

/** The calls that a model makes of each of them. */
const calls = [
  { id: "c1", type: "function" as const, function: { name: "exec", arguments: '{"input":"ls -l"}' } },
  { id: "c2", type: "function" as const, function: { name: "tool_search", arguments: '{"query":"git"}' } },
  { id: "c3", type: "function" as const, function: { name: "agents__close", arguments: '{"id":1}' } },
];
const restored = [
  { type: "custom_tool_call", call_id: "c1", name: "exec", input: "ls -l" },
  { type: "tool_search_call", call_id: "c2", execution: "client", arguments: { query: "git" } },
  { type: "function_call", call_id: "c3", name: "close", namespace: "agents", arguments: '{"id":1}' },
];

describe("tools of the Responses API that a chat does not have", () => {
  test("a custom tool stays one, with its grammar; every other becomes one function", () => {
    const { request } = read(ofCodex);
    expect(request.tools?.map(nameOf)).toEqual(["exec", "tool_search", "agents__close"]);
    const grammar = { syntax: "lark", definition: "start: x" };
    expect(request.tools?.[0]?.custom).toMatchObject({ description: "Runs a script.", format: { grammar } });
  });

  test("tools of `additional_tools` and of a search's result count as well", () => {
    const { request } = read({
      input: [
        {
          type: "additional_tools",
          role: "developer",
          tools: [{ type: "namespace", name: "functions", tools: [exec] }],
        },
        { type: "tool_search_call", call_id: "s", execution: "client", arguments: { query: "x" } },
        { type: "tool_search_output", call_id: "s", tools: [closeAgent] },
      ],
    });
    expect(request.tools?.map(nameOf)).toEqual(["functions__exec", "close"]);
  });

  test("calls come back in the caller's form, whole", () => {
    const answer = answerOf({ role: "assistant", content: null, tool_calls: calls }, "tool_calls");
    const { output } = writeAnswer(answer, read(ofCodex).parsed, newNotes());
    expect(output).toMatchObject(restored);
  });

  test("calls come back in the caller's form, streamed in pieces of any size", () => {
    for (const size of [1, 4, 99]) {
      const deltas = calls.flatMap(({ id, type, function: { name, arguments: text } }, index): Partial<Delta>[] => {
        const pieces = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
        return [
          { tool_calls: [{ index, id, type, function: { name, arguments: "" } }] },
          ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ] as Partial<Delta>[];
      });
      const writer = streamWriter(read(ofCodex).parsed);
      const text =
        chunksOf(deltas as never)
          .map((chunk) => writer.write(chunk))
          .join("") + writer.end();
      const events = readEvents(text).map(({ data }) => data as { type: string; item?: object; input?: string });
      const done = events.filter(({ type }) => type === "response.output_item.done");
      expect(done.map(({ item }) => item)).toMatchObject(restored);
      expect(events.find(({ type }) => type === "response.custom_tool_call_input.done")?.input).toBe("ls -l");
    }
  });

  test("calls of an earlier turn go back to the model as it made them", () => {
    const outputs = [
      { type: "custom_tool_call_output", call_id: "c1", output: "done" },
      { type: "tool_search_output", call_id: "c2", tools: [] },
      { type: "function_call_output", call_id: "c3", output: "closed" },
    ];
    const { request } = read({ ...ofCodex, input: [...restored, ...outputs] });
    const custom = { id: "c1", type: "custom", custom: { name: "exec", input: "ls -l" } };
    expect(request.messages[0]?.tool_calls).toEqual([custom, ...calls.slice(1)]);
    expect(request.messages.slice(1)).toMatchObject([
      { role: "tool", tool_call_id: "c1", content: "done" },
      { role: "tool", tool_call_id: "c2" },
      { role: "tool", tool_call_id: "c3", content: "closed" },
    ]);
  });

  test("an item of an unknown type is left out with a warning", () => {
    const { request, notes } = read({ input: [{ type: "of_tomorrow" }, { role: "user", content: "go" }] });
    expect(request.messages).toHaveLength(1);
    expect(notes.warnings.join()).toContain("input.0");
  });

  test.each([
    [{ tools: [{ type: "custom" }] }, "tools.0.name"],
    [{ tools: [{ type: "namespace", name: "n", tools: [{ type: "function" }] }] }, "tools.0.tools.0.name"],
    [{ tools: [{ type: "namespace", name: "n", tools: "x" }] }, "tools.0.tools"],
    [{ input: [{ type: "custom_tool_call", call_id: "c", name: "n" }] }, "input.0.input"],
  ])("%j is refused and the field is named: %s", (body, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });

  test("a namespace inside another is for the vendor alone", () => {
    const inner = { type: "namespace", tools: "x" };
    const { refusal } = read({ tools: [{ type: "namespace", name: "n", tools: [inner] }] }).native;
    expect(refusal).toMatchObject({ code: "invalid_request", param: "tools.0.tools.0.type" });
  });
});
