import { afterEach, describe, expect, it } from "vitest";
import { createListener } from "../../../../src/index.ts";
import { open as openWorld } from "../../../engine/support/run-world.ts";
import { post, serve } from "../../support/server.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** The world of runs behind a listener, asked with its key. */
async function open(steps: Parameters<typeof openWorld>[0]) {
  const world = await openWorld(steps);
  const server = await serve(createListener({ engine: world.engine }));
  opened.push(async () => server[Symbol.asyncDispose]());
  const ask = async (path: string, body: object) => {
    const response = await post(`${server.url}${path}`, body, { authorization: `Bearer ${world.key}` });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  const stream = async (path: string, body: object) => {
    const sent = await post(
      `${server.url}${path}`,
      { ...body, stream: true },
      { authorization: `Bearer ${world.key}` },
    );
    const frames = (await sent.text()).split("\n").filter((line) => line.startsWith("data: {"));
    return frames.map((line) => JSON.parse(line.slice(6)));
  };
  return { ...world, ask, stream };
}

const messages = [{ role: "user", content: "What is 2 + 3?" }];
const tool = { type: "mcp", server_label: "calc", require_approval: "never" };
const chat = { model: "m/caller", messages, tools: [tool] };
const steps = [{ text: "Let me see.", calls: [["calc__add", { a: 2, b: 3 }]] as const }, { text: "It is 5." }];

describe.each(["/v1/chat/completions", "/openai/v1/chat/completions"])("%s with a tool of type `mcp`", (path) => {
  it("runs the tools of the server and answers with all of its texts", async () => {
    const { ask, calc, model } = await open(steps);
    const { body } = await ask(path, chat);
    expect(body).toMatchObject({
      choices: [{ finish_reason: "stop", message: { content: "Let me see.\n\nIt is 5." } }],
      usage: { total_tokens: 300 },
    });
    expect(calc.called).toEqual(["add"]);
    expect(model.asked[0]?.tools?.map((each) => each.function?.name)).toEqual([
      "calc__add",
      "calc__fail",
      "calc__hang",
    ]);
    expect(model.asked[0]).not.toHaveProperty("mcp");
  });

  it("streams the same", async () => {
    const { stream, calc } = await open(steps);
    const chunks = await stream(path, chat);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Let me see.\n\nIt is 5.");
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    expect(calc.called).toEqual(["add"]);
  });

  it("takes only the tools that it names", async () => {
    const { ask, model } = await open([{ text: "hello" }]);
    await ask(path, { ...chat, tools: [{ ...tool, allowed_tools: ["fail", "delete_all"] }] });
    await ask(path, { ...chat, tools: [{ ...tool, allowed_tools: { tool_names: ["add"] } }] });
    const names = model.asked.map(({ tools = [] }) => tools.map((each) => each.function?.name));
    expect(names).toEqual([["calc__fail"], ["calc__add"]]);
  });

  it("leaves calls that need approval to the caller, and makes them when they come back", async () => {
    const { ask, calc, model } = await open(steps);
    const tools = [{ type: "mcp", server_label: "calc" }];
    const { body } = await ask(path, { ...chat, tools });
    const [{ message, finish_reason }] = (body as unknown as { choices: [{ message: object; finish_reason: string }] })
      .choices;
    expect(finish_reason).toBe("tool_calls");
    expect(message).toMatchObject({ tool_calls: [{ function: { name: "calc__add" } }] });
    expect(calc.called).toEqual([]);
    await ask(path, { ...chat, tools, messages: [...messages, message] });
    expect(calc.called).toEqual(["add"]);
    expect(model.asked[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "5" });
  });

  it.each([
    [{ ...tool, server_url: "http://169.254.169.254/" }, "tools.1.server_url"],
    [{ ...tool, authorization: "secret" }, "tools.1.authorization"],
    [{ ...tool, headers: { a: "b" } }, "tools.1.headers"],
    [{ type: "mcp", connector_id: "connector_gmail", server_label: "calc" }, "tools.1.connector_id"],
    [{ type: "mcp" }, "tools.1.server_label"],
    [{ ...tool, server_label: "other" }, "tools.1.server_label"],
    [{ ...tool, allowed_tools: ["delete_all"] }, "tools.1.server_label"],
    [{ ...tool, require_approval: "sometimes" }, "tools.1.require_approval"],
  ])("refuses %j by the field", async (asked, param) => {
    const { ask, model, calc } = await open(steps);
    const { status, body } = await ask(path, {
      ...chat,
      tools: [{ type: "function", function: { name: "f" } }, asked],
    });
    expect({ status, param: (body as { error?: { param?: string } }).error?.param }).toEqual({ status: 400, param });
    expect([model.asked.length, calc.called.length]).toEqual([0, 0]);
  });
});

describe("/v1/responses with a tool of type `mcp`", () => {
  const path = "/v1/responses";
  const request = { model: "m/caller", input: "What is 2 + 3?", tools: [tool] };
  type Output = { output: Record<string, unknown>[]; usage: object };

  it("answers with the list of tools, each call, and the texts of the turns", async () => {
    const { ask } = await open(steps);
    const { output, usage } = (await ask(path, request)).body as unknown as Output;
    expect(output).toMatchObject([
      { type: "mcp_list_tools", server_label: "calc", tools: [{ name: "add" }, { name: "fail" }, { name: "hang" }] },
      { type: "message", content: [{ text: "Let me see." }] },
      { type: "mcp_call", server_label: "calc", name: "add", arguments: '{"a":2,"b":3}', output: "5", error: null },
      { type: "message", content: [{ text: "It is 5." }] },
    ]);
    expect(usage).toMatchObject({ total_tokens: 300 });
  });

  it("asks for approval, makes a call that is approved, and tells the model of one that is not", async () => {
    const { ask, calc, model } = await open([steps[0] as object, { text: "5" }, steps[0] as object, { text: "Well." }]);
    const tools = [{ type: "mcp", server_label: "calc" }];
    const decide = async (approve: boolean) => {
      const { output } = (await ask(path, { ...request, tools })).body as unknown as Output;
      const [asked] = output.slice(-1);
      expect(asked).toMatchObject({ type: "mcp_approval_request", server_label: "calc", name: "add" });
      const input = [
        { role: "user", content: "What is 2 + 3?" },
        ...output,
        { type: "mcp_approval_response", approval_request_id: asked?.id, approve, reason: "Not today." },
      ];
      return ((await ask(path, { ...request, tools, input })).body as unknown as Output).output;
    };
    const made = await decide(true);
    expect(made).toMatchObject([{ type: "mcp_call", output: "5" }, { content: [{ text: "5" }] }]);
    expect(made[0]?.approval_request_id).toMatch(/^mcpr_/);
    expect(calc.called).toEqual(["add"]);
    await decide(false);
    expect(model.asked.at(-1)?.messages.at(-1)).toMatchObject({ content: "The call was refused. Not today." });
    expect(calc.called).toEqual(["add"]);
  });

  it("takes an earlier run back, and refuses an approval that was not given", async () => {
    const { ask, model } = await open([...steps, { text: "5 it was." }]);
    const { output } = (await ask(path, request)).body as unknown as Output;
    await ask(path, {
      ...request,
      input: [{ role: "user", content: "2 + 3?" }, ...output, { role: "user", content: "So?" }],
    });
    expect(model.asked.at(-1)?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    const open_ = { type: "mcp_approval_request", id: "mcpr_1", server_label: "calc", name: "add", arguments: "{}" };
    const { status, body } = await ask(path, { ...request, input: [open_] });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { param: "input.0" } } });
  });

  it("streams the events of the whole response", async () => {
    const { stream } = await open(steps);
    const events = await stream(path, request);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, at) => at));
    const types = events.map(({ type }) => type.replace("response.", ""));
    expect(types.slice(0, 2)).toEqual(["created", "in_progress"]);
    expect(types).toContain("mcp_list_tools.completed");
    expect(types).toContain("mcp_call.completed");
    expect(types.at(-1)).toBe("completed");
    expect(events.at(-1).response.output).toEqual(
      events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item),
    );
  });

  it("refuses an address, and what only a vendor could look up", async () => {
    const { ask } = await open(steps);
    const withUrl = await ask(path, { ...request, tools: [{ ...tool, server_url: "http://host" }] });
    expect(withUrl).toMatchObject({ status: 400, body: { error: { param: "tools.0.server_url" } } });
    const stored = await ask(path, { ...request, previous_response_id: "resp_1" });
    expect(stored).toMatchObject({ status: 400, body: { error: { param: "previous_response_id" } } });
  });
});
