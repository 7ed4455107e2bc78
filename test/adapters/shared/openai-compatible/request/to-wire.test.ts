import { describe, expect, it } from "vitest";
import type { CompatibilityProfile } from "../../../../../adapters/shared/openai-compatible/compatibility-profile.ts";
import { chatToWire } from "../../../../../adapters/shared/openai-compatible/request/to-wire.ts";
import type { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import { frozen } from "../../../../../src/testing/conformance/provider/play.ts";
import { plain } from "../../../support/shared/openai/setup.ts";

function write(fields: Partial<ChatRequest>, dialect: Partial<CompatibilityProfile> = {}, isStream = false) {
  const warnings: string[] = [];
  const request = frozen<ChatRequest>({ model: "acme/m", messages: [{ role: "user", content: "Hi" }], ...fields });
  const to = {
    provider: "acme",
    dialect: { ...plain, ...dialect },
    warn: (text: string) => void warnings.push(text),
    isStream,
  };
  const { model, messages, ...rest } = chatToWire(request, "m", to);
  expect(model).toBe("m");
  return { messages, rest, warnings };
}

const message = (fields: object, dialect: Partial<CompatibilityProfile> = {}) => {
  const { messages, warnings } = write({ messages: [fields as ChatRequest["messages"][number]] }, dialect);
  return { message: (messages as unknown[])[0], warnings };
};

describe("a request in OpenAI's dialect", () => {
  it("leaves out what is the gateway's, and keeps what nobody knows", () => {
    const fields = {
      fallbacks: ["b/m"],
      stream: false,
      stream_options: { include_usage: false },
      x: { y: [1] },
      temperature: 0,
    };
    expect(write(fields)).toMatchObject({ rest: { x: { y: [1] }, temperature: 0 }, warnings: [] });
    expect(Object.keys(write(fields).rest)).toEqual(["x", "temperature"]);
  });

  it.each(["constructor", "toString", "hasOwnProperty"])(
    "keeps a field that nobody knows under its name: %s",
    (name) => {
      expect(write({ [name]: 1 }).rest).toEqual({ [name]: 1 });
      expect(write({ [name]: 1 }, { renamed: { user: "user_id" } }).rest).toEqual({ [name]: 1 });
    },
  );

  it("has the vendors' word for prompts that are kept in memory, and the vendor's own words of effort", () => {
    expect(write({ prompt_cache_retention: "in-memory" }).rest).toEqual({ prompt_cache_retention: "in_memory" });
    expect(write({ prompt_cache_retention: "24h" }).rest).toEqual({ prompt_cache_retention: "24h" });
    expect(write({ reasoning_effort: "max" })).toMatchObject({ rest: { reasoning_effort: "max" }, warnings: [] });
  });

  it("always asks a stream for its usage, where the vendor lets itself be asked", () => {
    const options = { stream_options: { include_usage: false, include_obfuscation: false } };
    const stream = (streamOptions: CompatibilityProfile["streamOptions"]) => write(options, { streamOptions }, true);
    expect(stream("all").rest).toEqual({
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    });
    expect(stream("usage").rest).toEqual({ stream: true, stream_options: { include_usage: true } });
    expect(stream("none").rest).toEqual({ stream: true });
    expect(stream("all").warnings).toEqual([]);
    expect(stream("none").warnings).toEqual(["`stream_options.include_obfuscation` is not supported by acme"]);
  });

  it("drops what the vendor refuses, with a warning unless it is null", () => {
    const dialect = { unsupported: ["seed", "user"], unsupportedBy: { models: /^m/, fields: ["stop"] } };
    const { rest, warnings } = write({ seed: 1, user: null as never, stop: "x", top_p: 1 }, dialect);
    expect(rest).toEqual({ top_p: 1 });
    expect(warnings).toEqual(["`seed` is not supported by acme", "`stop` is not supported by acme"]);
    expect(write({ stop: "x" }, { unsupportedBy: { models: /^n/, fields: ["stop"] } }).rest).toEqual({ stop: "x" });
  });

  it("writes tool choices of ours as words where OpenAI has words", () => {
    const choose = (tool_choice: ChatRequest["tool_choice"]) => write({ tool_choice }).rest.tool_choice;
    expect(choose("auto")).toBe("auto");
    expect(choose({ type: "any" })).toBe("required");
    expect(choose({ type: "required" })).toBe("required");
    expect(choose({ type: "none" })).toBe("none");
    const named = { type: "function" as const, function: { name: "f" } };
    expect(choose(named)).toEqual(named);
    const allowed = { type: "allowed_tools" as const, allowed_tools: { mode: "auto" as const, tools: [] } };
    expect(choose(allowed)).toEqual(allowed);
  });

  it("asks for reasoning in the vendor's style", () => {
    const ask = (
      reasoning: CompatibilityProfile["reasoning"],
      effort: "none" | "high",
      efforts?: Record<string, string>,
    ) => write({ reasoning: { effort, max_tokens: 9 } }, { reasoning, ...(efforts ? { efforts } : {}) });
    const tokens = "`reasoning.max_tokens` is not supported by acme";
    expect(ask("effort", "high")).toMatchObject({ rest: { reasoning_effort: "high" }, warnings: [tokens] });
    expect(ask("effort", "high", { high: "max" })).toMatchObject({
      rest: { reasoning_effort: "max" },
      warnings: [tokens, '`reasoning.effort` "high" is "max" at acme'],
    });
    expect(ask("object", "high")).toMatchObject({
      rest: { reasoning: { effort: "high", max_tokens: 9 } },
      warnings: [],
    });
    expect(ask("thinking", "high").rest).toEqual({ thinking: { type: "enabled" }, reasoning_effort: "high" });
    expect(ask("thinking", "none").rest).toEqual({ thinking: { type: "disabled" } });
    expect(ask("switch", "none").rest).toEqual({ reasoning: { enabled: false } });
    expect(ask("switch", "high").rest).toEqual({ reasoning_effort: "high" });
    expect(ask("unsupported", "high")).toMatchObject({
      rest: {},
      warnings: [tokens, "`reasoning.effort` is not supported by acme"],
    });
    expect(write({ reasoning: {} })).toMatchObject({ rest: {}, warnings: [] });
    const unsaid = { effort: "low", max_tokens: null, exclude: undefined } as never;
    expect(write({ reasoning: unsaid })).toMatchObject({ rest: { reasoning_effort: "low" }, warnings: [] });
  });

  it("puts the parts of a place directly into the location where the vendor has them there", () => {
    const approximate = { city: "Bern", country: "CH", region: "BE", timezone: "Europe/Zurich" };
    const options = { search_context_size: "low" as const, user_location: { type: "approximate", approximate } };
    const { rest, warnings } = write({ web_search_options: options }, { hasFlatLocation: true });
    const place = { city: "Bern", country: "CH", region: "BE" };
    expect(rest).toEqual({ web_search_options: { search_context_size: "low", user_location: place } });
    expect(warnings).toEqual([expect.stringContaining("approximate.timezone")]);
    expect(write({ web_search_options: options }).rest).toEqual({ web_search_options: options });
    expect(write({ web_search_options: {} }, { hasFlatLocation: true }).rest).toEqual({ web_search_options: {} });
  });

  it("counts log probabilities where the vendor counts them", () => {
    const count = (fields: Partial<ChatRequest>) => write(fields, { countsLogprobs: true }).rest;
    expect(count({ logprobs: true, top_logprobs: 4 })).toEqual({ logprobs: 4 });
    expect(count({ logprobs: true })).toEqual({ logprobs: 1 });
    expect(count({ logprobs: true, top_logprobs: 0 })).toEqual({ logprobs: 1 });
    expect(count({ logprobs: false })).toEqual({});
    expect(count({})).toEqual({});
  });
});

describe("a message in OpenAI's dialect", () => {
  it("loses fields that say nothing, and nothing else", () => {
    const nothing = {
      refusal: null,
      audio: null,
      reasoning: null,
      tool_calls: [],
      annotations: [],
      reasoning_details: [],
    };
    expect(message({ role: "assistant", content: "Hi", ...nothing, function_call: null, name: null, x: 1 })).toEqual({
      message: { role: "assistant", content: "Hi", x: 1 },
      warnings: [],
    });
  });

  it("of a model that neither said nor called anything has an empty text, which vendors take, in place of null", () => {
    for (const silent of [{ content: null }, {}, { content: null, reasoning: "hm" }, { content: null, tool_calls: [] }])
      expect(message({ role: "assistant", ...silent }).message).toEqual({ role: "assistant", content: "" });
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const calling = { role: "assistant", content: null, tool_calls: calls };
    expect(message(calling).message).toEqual(calling);
    expect(message({ role: "tool", content: null, tool_call_id: "c" }).message).toHaveProperty("content", null);
  });

  it("of a tool that failed says so in its text", () => {
    const failed = { role: "tool", tool_call_id: "c", is_error: true };
    const told = { role: "tool", tool_call_id: "c", content: "The tool failed:\n42" };
    expect(message({ ...failed, content: "42" })).toEqual({ message: told, warnings: [] });
    const { message: parts } = message({ ...failed, content: [{ type: "text", text: "42" }] });
    expect((parts as { content: object[] }).content).toHaveLength(2);
  });

  it("takes earlier reasoning back in the vendor's style", () => {
    const told = {
      role: "assistant",
      content: "Hi",
      reasoning: "hm",
      reasoning_details: [{ type: "reasoning.text", text: "hm" }],
    };
    const style = (history: CompatibilityProfile["history"]) => message(told, { history });
    const bare = { role: "assistant", content: "Hi" };
    expect(style("kept").message).toEqual(told);
    expect(style("reasoning").message).toEqual({ ...bare, reasoning: "hm" });
    expect(style("reasoning_content").message).toEqual({ ...bare, reasoning_content: "hm" });
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] };
    expect(style("thinking").message).toEqual({ ...bare, content: [thinking, { type: "text", text: "Hi" }] });
    expect(style("dropped")).toEqual({ message: bare, warnings: ["`messages[].reasoning` is not supported by acme"] });
  });

  it("warns of reasoning that only its vendor can read", () => {
    const told = { role: "assistant", content: null, reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] };
    for (const history of ["dropped", "reasoning", "reasoning_content", "thinking"] as const) {
      expect(message(told, { history }).warnings).toEqual(["`messages[].reasoning_details` is not supported by acme"]);
    }
    expect(message(told, { history: "kept" })).toEqual({ message: told, warnings: [] });
  });

  it("puts a thinking part before the parts of the content, or alone", () => {
    const dialect = { history: "thinking" as const };
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] };
    const part = { type: "text", text: "Hi" };
    expect(message({ role: "assistant", content: [part], reasoning: "hm" }, dialect).message).toMatchObject({
      content: [thinking, part],
    });
    expect(message({ role: "assistant", content: null, reasoning: "hm" }, dialect).message).toMatchObject({
      content: [thinking],
    });
  });

  it("loses cache marks unless the vendor hands them on", () => {
    const marked = {
      role: "user",
      content: [
        { type: "text", text: "a", cache_control: { type: "ephemeral" } },
        { type: "text", text: "b" },
      ],
    };
    const bare = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(message(marked)).toEqual({
      message: { role: "user", content: bare },
      warnings: ["`cache_control` is not supported by acme"],
    });
    expect(message(marked, { keepsCacheControl: true })).toEqual({ message: marked, warnings: [] });
  });
});
