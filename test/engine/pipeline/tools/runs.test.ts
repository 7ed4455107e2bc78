import { describe, expect, it } from "vitest";
import type { ToolRunEvent, ToolRunOptions } from "../../../../src/index.ts";
import { type ModelStep, turnCost } from "../../../fixtures/mcp/calling-model.ts";
import { call, codeOf, open, request } from "../../support/run-world.ts";

describe("a run of tools", () => {
  it("asks, calls, and asks again until there is an answer; all of it is listed, summed up and in the ledger", async () => {
    const { engine, model, calc, key, keyId } = await open([
      { text: "Let me see.", calls: [["calc__add", { a: 2, b: 3 }]] },
      { text: "It is 5." },
    ]);
    const events: ToolRunEvent[] = [];
    const run = await engine.runTools(request, { key, onEvent: (event) => events.push(event) });
    expect(run.answer.choices[0]?.message.content).toBe("It is 5.");
    expect(run.answer.usage).toMatchObject({ prompt_tokens: 200, completion_tokens: 100, total_tokens: 300 });
    expect(run.answer.usage?.cost?.total_cost).toBeCloseTo(2 * turnCost);
    expect(run.cost).toBeCloseTo(0.01 + 2 * turnCost);
    expect(run).toMatchObject({
      ended: "completed",
      turns: [
        {
          text: "Let me see.",
          calls: [{ name: "calc__add", server: "calc", tool: "add", outcome: "answered", output: "5", cost: 0.01 }],
        },
        { text: "It is 5.", calls: [] },
      ],
    });
    expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(model.asked[0]?.tools?.map((tool) => tool.function?.name)).toEqual([
      "calc__add",
      "calc__fail",
      "calc__hang",
    ]);
    expect(model.asked[1]?.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "call_0_0", content: "5" });
    expect(calc.called).toEqual(["add"]);
    expect(events.map(({ type }) => type)).toEqual(["call", "result", "turn", "turn"]);
    const { entries } = await engine.usage.entries({ filters: { key_id: keyId }, limit: 10 } as never);
    expect(entries.map(({ request_type }) => request_type).sort()).toEqual([
      "chat_completion",
      "chat_completion",
      "tool_call",
    ]);
  });

  it("calls functions of this process, whose failure is an answer that the model reads", async () => {
    const { engine, model } = await open([call("twice", { n: 4 }), call("broken"), { text: "8" }]);
    const tools = [
      {
        name: "twice",
        parameters: { type: "object" },
        run: ({ n }: Record<string, unknown>) => ({ n: Number(n) * 2 }),
      },
      { name: "broken", run: () => Promise.reject(new Error("no disk")) },
    ];
    const { turns } = await engine.runTools({ ...request, mcp: [], tools });
    expect(turns.flatMap(({ calls }) => calls)).toMatchObject([
      { outcome: "answered", output: '{"n":8}', cost: 0 },
      { outcome: "failed", output: "no disk" },
    ]);
    expect(model.asked[2]?.messages.at(-1)).toMatchObject({ content: "no disk", is_error: true });
  });

  it("answers unknown tools, arguments that are none and defects of a server with an error that the model reads", async () => {
    const calls: ModelStep["calls"] = [["calc__delete_all"], ["other__add"], ["calc__add", "[1"], ["calc__fail"]];
    const { engine, calc, key } = await open([{ calls }, { text: "done" }]);
    const { turns, messages } = await engine.runTools(request, { key });
    expect(turns[0]?.calls.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "failed", "failed"]);
    expect(turns[0]?.calls.at(-1)?.output).not.toContain("defect");
    expect(messages.filter(({ is_error }) => is_error)).toHaveLength(4);
    expect(calc.called).toEqual(["fail"]);
  });

  it.each<[Partial<ToolRunOptions>, string, number, number]>([
    [{ maxTurns: 3 }, "max_turns", 3, 2],
    [{ maxCalls: 1 }, "max_calls", 2, 1],
    [{ maxCalls: 0 }, "max_calls", 1, 0],
    [{ maxCost: 0.015 }, "max_cost", 2, 2],
    [{ maxCost: 0 }, "max_cost", 1, 0],
    [{}, "max_turns", 10, 9],
  ])("ends within %j", async (options, ...expected) => {
    const { engine, model, calc, key } = await open([call("calc__add", { a: 1, b: 1 })]);
    const run = await engine.runTools(request, { key, ...options });
    expect([run.ended, model.asked.length, calc.called.length]).toEqual(expected);
  });

  it.each(["calc__hang", "local"])(
    "ends with its time while %s hangs, also one that ignores its signal",
    async (name) => {
      const { engine, key } = await open([call(name)]);
      const tools = [{ name: "local", run: () => new Promise(() => {}) }];
      expect(await codeOf(engine.runTools({ ...request, tools }, { key, timeoutMs: 100 }))).toBe("upstream_timeout");
      expect(engine.inFlight).toBe(0);
    },
  );

  it("ends with its caller", async () => {
    const { engine, calc, key } = await open([call("calc__hang")]);
    const giveUp = new AbortController();
    const run = codeOf(engine.runTools(request, { key, signal: giveUp.signal }));
    while (calc.called.length < 1) await new Promise((resolve) => setImmediate(resolve));
    giveUp.abort();
    expect(await run).toBe("request_cancelled");
    expect(engine.inFlight).toBe(0);
    expect(await codeOf(engine.runTools(request, { key, signal: AbortSignal.abort() }))).toBe("request_cancelled");
  });

  it("is refused like any other call once the budget of its key is spent", async () => {
    const budgets = [{ max_limit: 0.012, reset_duration: "1M", enforcement: "hard" }];
    const { engine, calc, key } = await open([call("calc__add", { a: 1, b: 1 })], { budgets });
    expect(await codeOf(engine.runTools({ ...request, max_completion_tokens: 100 }, { key, maxTurns: 100 }))).toBe(
      "budget_exceeded",
    );
    expect(calc.called).toEqual(["add"]);
  });

  it("asks for approval before each call; what is refused says so to the model", async () => {
    const calls: ModelStep["calls"] = [["calc__add", { a: 1, b: 2 }], ["calc__fail"], ["calc__hang"]];
    const { engine, calc, key } = await open([{ calls }, { text: "done" }]);
    const events: ToolRunEvent[] = [];
    const { turns } = await engine.runTools(request, {
      key,
      approve: ({ tool }) => tool?.tool === "add" || (tool?.tool === "fail" ? { refused: "Not today." } : false),
      onEvent: (event) => event.type === "approval" && events.push(event),
    });
    expect(turns[0]?.calls).toMatchObject([
      { outcome: "answered", output: "3" },
      { outcome: "refused", output: "Not today." },
      { outcome: "refused", output: "The call was refused." },
    ]);
    expect(calc.called).toEqual(["add"]);
    expect(events).toHaveLength(3);
    const failing = () => Promise.reject(new TypeError("a defect of the hook"));
    expect(await codeOf(engine.runTools(request, { key, approve: failing }))).toBe("served"); // no call any more
  });

  it("ends with an approval that fails, and makes no call", async () => {
    const { engine, calc, key } = await open([call("calc__add")]);
    const approve = () => Promise.reject(new TypeError("a defect of the hook"));
    expect(await codeOf(engine.runTools(request, { key, approve }))).toBe("internal");
    expect(calc.called).toEqual([]);
  });

  it("leaves a turn with a call of the caller's alone, and makes its other calls when it is sent again", async () => {
    const calls: ModelStep["calls"] = [["mine"], ["calc__add", { a: 2, b: 2 }]];
    const { engine, model, calc, key } = await open([{ calls }, { text: "4" }]);
    const tools = [{ type: "function" as const, function: { name: "mine" } }];
    const left = await engine.runTools({ ...request, tools }, { key });
    expect(left).toMatchObject({ ended: "tool_calls", turns: [{ calls: [{ outcome: "left" }, { outcome: "left" }] }] });
    expect(calc.called).toEqual([]);
    const messages = [...left.messages, { role: "tool" as const, tool_call_id: "call_0_0", content: "my own" }];
    const seen: boolean[] = [];
    const run = await engine.runTools(
      { ...request, tools, messages },
      { key, approve: ({ isResumed }) => seen.push(isResumed) > 0 },
    );
    expect(run).toMatchObject({ ended: "completed", turns: [{ calls: [{ output: "4" }] }, { text: "4" }] });
    expect(model.asked[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(["my own", "4"]);
    expect(seen).toEqual([true]);
  });

  it("demands a call once", async () => {
    const { engine, model, key } = await open([call("calc__add"), { text: "done" }]);
    await engine.runTools({ ...request, tool_choice: "required", temperature: 0.5 }, { key });
    expect(model.asked.map(({ tool_choice, temperature }) => [tool_choice, temperature])).toEqual([
      ["required", 0.5],
      [undefined, 0.5],
    ]);
  });

  it.each<[object, object, string]>([
    [{ mcp: ["calk__*"] }, {}, "mcp.0"],
    [{ mcp: ["calc__add", { server: "calc", tools: ["delete_all"] }] }, {}, "mcp.1"],
    [{ mcp: [{ server: "calc", url: "http://host" }] }, {}, "mcp.0"],
    [{ n: 2 }, {}, "n"],
    [{ tools: [{ name: "calc__add", run: () => 1 }] }, {}, "tools.0.name"],
    [{}, { maxTurns: 0 }, "maxTurns"],
    [{}, { maxTurns: 101 }, "maxTurns"],
    [{}, { timeoutMs: 0 }, "timeoutMs"],
    [{}, { maxTurn: 1 }, "maxTurn"],
  ])("%j with %j is refused by the field", async (more, options, param) => {
    const { engine, model, key } = await open([{ text: "hello" }]);
    const thrown = await engine.runTools({ ...request, ...more }, { key, ...options }).catch((error) => error);
    expect({ code: thrown.code, param: thrown.param }).toMatchObject({
      code: "invalid_request",
      param: expect.stringContaining(param),
    });
    expect(model.asked).toEqual([]);
  });
});
