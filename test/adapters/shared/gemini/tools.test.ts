import { describe, expect, it } from "vitest";
import { answer, chat, failure, say, stream, tools } from "../../support/local/asking.ts";

describe("tools", () => {
  it.each(["required" as const, { type: "any" as const }, { type: "required" as const }])(
    "are called when %j, the first one if none is named",
    async (tool_choice) => {
      expect(await answer(say("Paris", { tools, tool_choice }))).toMatchObject({
        text: null,
        calls: [["get_weather", { city: "Paris" }]],
        finish: "tool_calls",
      });
      expect((await answer(say("reset it", { tools, tool_choice }))).calls).toEqual([["reset", {}]]);
    },
  );

  it("are called by name", async () => {
    const tool_choice = { type: "function" as const, function: { name: "reset" } };
    expect((await answer(say("get_weather", { tools, tool_choice }))).calls).toEqual([["reset", {}]]);
  });

  it.each([
    ["what does get_weather say?", ["get_weather"]],
    ["Get weather, please", ["get_weather"]],
    ["get time and GET-WEATHER", ["getTime", "get_weather"]],
    ["forget weathering", []],
    ["hello", []],
  ])("are called on auto when the text names them: %s", async (text, names) => {
    const { calls, finish } = await answer(say(text, { tools }));
    expect(calls.map(([name]) => name)).toEqual(names);
    expect(finish).toBe(names.length > 0 ? "tool_calls" : "stop");
  });

  it("are called one at a time when parallel calls are off, and never on none", async () => {
    const text = "get_weather, reset";
    expect((await answer(say(text, { tools, parallel_tool_calls: false }))).calls).toEqual([
      ["get_weather", { city: text }],
    ]);
    expect((await answer(say(text, { tools, tool_choice: "none" }))).calls).toEqual([]);
    expect((await answer(say(text, { tools, tool_choice: { type: "none" } }))).calls).toEqual([]);
  });

  it("are limited to those that are allowed", async () => {
    const allow = (mode: "auto" | "required") => ({
      type: "allowed_tools" as const,
      allowed_tools: { mode, tools: [{ type: "function", function: { name: "reset" } }] },
    });
    expect((await answer(say("get_weather", { tools, tool_choice: allow("auto") }))).calls).toEqual([]);
    expect((await answer(say("get_weather", { tools, tool_choice: allow("required") }))).calls).toEqual([
      ["reset", {}],
    ]);
  });

  it("have their results told, and are not called again for them", async () => {
    const { calls, text } = await answer({
      model: "local/echo",
      tools,
      messages: [
        { role: "user", content: "get_weather and reset" },
        {
          role: "assistant",
          tool_calls: [
            { id: "a", type: "function", function: { name: "get_weather", arguments: "{}" } },
            { id: "b", type: "function", function: { name: "reset", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "21 degrees" },
        { role: "tool", tool_call_id: "b", content: "done" },
      ],
    });
    expect(calls).toEqual([]);
    expect(text).toBe("This is an echo, no model was asked. The tools said: get_weather → 21 degrees; reset → done");
  });

  it("stream with their indices, names first, arguments in pieces", async () => {
    const chunks = await stream(say("get_weather and get time", { tools }));
    const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(deltas[0]).toEqual({
      index: 0,
      id: "call_evt_0-1_0",
      type: "function",
      function: { name: "get_weather", arguments: "" },
    });
    expect(deltas.filter(({ index }) => index === 1)[0]).toMatchObject({
      id: "call_evt_0-1_1",
      function: { name: "getTime" },
    });
    expect(deltas.length).toBeGreaterThan(4);
  });

  it("are cut in the middle of their arguments at the limit", async () => {
    const { choices, usage } = await chat(say("get_weather get_time", { tools, max_completion_tokens: 2 }));
    expect(choices[0]).toMatchObject({
      finish_reason: "length",
      message: { tool_calls: [{ function: { arguments: '{"city":"get_wea' } }] },
    });
    expect(usage?.completion_tokens).toBe(2);
  });

  it.each([
    ["required", { tools: [], tool_choice: "required" as const }],
    ["a name that is not there", { tools, tool_choice: { type: "function" as const, function: { name: "fly" } } }],
    [
      "an allowed tool that is not there",
      {
        tools,
        tool_choice: {
          type: "allowed_tools" as const,
          allowed_tools: { tools: [{ type: "function", function: { name: "fly" } }] },
        },
      },
    ],
  ])("that cannot be chosen are the caller's fault: %s", async (_title, rest) => {
    expect(await failure(chat(say("hi", rest)))).toMatchObject({ code: "invalid_request", param: "tool_choice" });
  });

  it("of the caller's own kind cannot be chosen here", async () => {
    const custom = say("hi", { tools, tool_choice: { type: "custom" as const } });
    expect(await failure(chat(custom))).toMatchObject({ code: "unsupported_operation", param: "tool_choice" });
  });
});
