import { describe, expect, test } from "vitest";
import type { Delta } from "../../../../../src/engine/api/message.ts";
import type { Tool } from "../../../../../src/engine/api/tools.ts";
import { writeAnswer } from "../../../../../src/http/dialects/responses/answer.ts";
import { readRequest } from "../../../../../src/http/dialects/responses/request.ts";
import { streamWriter } from "../../../../../src/http/dialects/responses/stream.ts";
import { newNotes } from "../../../../../src/http/dialects/shared/translation-warnings.ts";
import { answerOf, chunksOf } from "../../../support/dialects/answers.ts";
import { readEvents } from "../../../support/dialects/frames.ts";

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

  const ofVendor = { tools: [{ type: "local_shell" }, { type: "shell" }, { type: "apply_patch" }] };
  const run = { type: "exec", command: ["ls", "-l"], env: {}, working_directory: "/w" };
  const vendorCalls = [
    { id: "c1", name: "local_shell", text: '{"command":["ls","-l"],"env":{},"working_directory":"/w"}' },
    { id: "c2", name: "shell", text: '{"commands":["ls"],"timeout_ms":9,"max_output_length":null}' },
    { id: "c3", name: "apply_patch", text: '{"type":"update_file","path":"a.txt","diff":"-a\\n+b"}' },
  ];
  const asCalls = vendorCalls.map(({ id, name, text }) => {
    return { id, type: "function" as const, function: { name, arguments: text } };
  });
  const vendorItems = [
    { type: "local_shell_call", call_id: "c1", status: "completed", action: run },
    { type: "shell_call", call_id: "c2", action: { commands: ["ls"], timeout_ms: 9, max_output_length: null } },
    { type: "apply_patch_call", call_id: "c3", operation: { type: "update_file", path: "a.txt", diff: "-a\n+b" } },
  ];

  test("tools of the vendor's that the caller runs are functions, and their calls its items, whole and streamed", () => {
    const { request, native, parsed, notes } = read(ofVendor);
    expect(request.tools?.map(nameOf)).toEqual(["local_shell", "shell", "apply_patch"]);
    expect([native.refusal, native.isRicher, notes.warnings]).toEqual([undefined, true, []]);
    const answer = answerOf({ role: "assistant", content: null, tool_calls: asCalls }, "tool_calls");
    expect(writeAnswer(answer, parsed, newNotes()).output).toMatchObject(vendorItems);
    const writer = streamWriter(parsed);
    const chunks = chunksOf(
      vendorCalls.flatMap(({ id, name, text }, index) =>
        [
          { id, type: "function", function: { name, arguments: "" } },
          ...[...text].map((arguments_) => ({ function: { arguments: arguments_ } })),
        ].map((call) => ({ tool_calls: [{ index, ...call }] })),
      ) as never,
    );
    const events = readEvents(chunks.map((chunk) => writer.write(chunk)).join("") + writer.end());
    const items = events.map(({ data }) => data as { type: string; item?: object });
    const done = items.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
    expect(done).toMatchObject(vendorItems);
    expect(items.some(({ type }) => type.startsWith("response.function_call_arguments"))).toBe(false);
  });

  test("their calls and outputs of an earlier turn go to a chat as calls and results", () => {
    const outcome = { type: "exit", exit_code: 0 };
    const outputs = [
      { type: "local_shell_call_output", id: "c1", output: "total 0" },
      { type: "shell_call_output", call_id: "c2", output: [{ stdout: "a", stderr: "", outcome }] },
      { type: "apply_patch_call_output", call_id: "c3", status: "failed", output: "no such file" },
    ];
    const { request, notes } = read({ input: [...vendorItems, ...outputs] });
    expect(notes.warnings).toEqual([]);
    expect(request.messages[0]?.tool_calls?.map((call) => call.function?.name)).toEqual([
      "local_shell",
      "shell",
      "apply_patch",
    ]);
    expect(request.messages[0]?.tool_calls).toEqual(asCalls);
    expect(request.messages.slice(1)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "total 0" },
      { role: "tool", tool_call_id: "c2", content: JSON.stringify(outputs[1]?.output) },
      { role: "tool", tool_call_id: "c3", content: "no such file", is_error: true },
    ]);
  });

  test.each(["shell", "apply_patch"])("the choice of %s is that of its function", (type) => {
    const choice = { type: "function", function: { name: type } };
    expect(read({ ...ofVendor, tool_choice: { type } }).request.tool_choice).toEqual(choice);
    const allowed = { type: "allowed_tools", mode: "required", tools: [{ type }] };
    expect(read({ ...ofVendor, tool_choice: allowed }).request.tool_choice).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [choice] },
    });
  });

  test("a shell in a container of the vendor's runs there only", () => {
    const { native } = read({ tools: [{ type: "shell", environment: { type: "container_auto" } }] });
    expect(native.refusal).toMatchObject({ code: "invalid_request", param: "tools.0.type" });
  });

  test("a compaction, which only its vendor can read, goes there and is left out elsewhere, by name", () => {
    const compaction = { type: "compaction", encrypted_content: "gAAAA" };
    const { request, notes, native } = read({ input: [compaction, { role: "user", content: "go" }] });
    expect(request.messages).toHaveLength(1);
    expect(notes.warnings).toEqual(["`input.0` has no counterpart and is left out"]);
    expect(native).toMatchObject({ isRicher: true, body: { input: [compaction, {}] } });
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
