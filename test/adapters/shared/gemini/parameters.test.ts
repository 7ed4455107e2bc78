import { describe, expect, it } from "vitest";
import { askingValues } from "../../../fixtures/requests.ts";
import { writeParameters } from "../../support/cohere/written.ts";

const tool = (name: string, more: object = {}) => ({ type: "function", function: { name, ...more } });
const refusal = (param: string, code = "invalid_request") => expect.objectContaining({ code, param });
const unfit = (param: string) => refusal(param, "unsupported_operation");

describe("nothing is dropped in silence", () => {
  const base = { tools: [tool("f")] };

  it.each(Object.entries(askingValues))("`%s` changes what is sent or is named in a warning", (field, value) => {
    const { body, warnings } = writeParameters({ ...base, [field]: value });
    const isNamed = warnings.some((warning) => warning.includes(`\`${field}`));
    expect(body !== writeParameters(base).body || isNamed).toBe(true);
  });

  it("values that ask for nothing make no noise", () => {
    const quiet = { logprobs: false, n: 1, store: false, parallel_tool_calls: true, stream: true, metadata: {} };
    const { body, warnings } = writeParameters({ ...base, ...quiet, fallbacks: ["openai/gpt-5"] });
    expect([body, warnings]).toEqual([writeParameters(base).body, []]);
  });
});

describe("values outside of the vendor's bounds", () => {
  it.each([
    ["top_p", 0, "p", 0.01],
    ["top_p", 1, "p", 0.99],
    ["frequency_penalty", 2, "frequency_penalty", 1],
    ["presence_penalty", -1, "presence_penalty", 0],
    ["top_k", 1000, "k", 500],
  ])("are sent as the nearest inside: %s %d", (...[field, value, name, sent]) => {
    const { wire, warnings } = writeParameters({ [field]: value });
    expect(wire[name]).toBe(sent);
    expect(warnings).toEqual([`\`${field}\` ${value} is sent to cohere as ${sent}`]);
  });
});

describe("tools", () => {
  const tools = [tool("f"), tool("g")];
  const names = ({ wire }: ReturnType<typeof writeParameters>) =>
    wire.tools?.map(({ function: f }: { function: { name: string } }) => f.name);

  it.each([
    ["auto", undefined],
    ["none", "NONE"],
    ["required", "REQUIRED"],
    [{ type: "any" }, "REQUIRED"],
  ])("chosen by %j are all offered", (tool_choice, sent) => {
    const written = writeParameters({ tools, tool_choice });
    expect([names(written), written.wire.tool_choice]).toEqual([["f", "g"], sent]);
  });

  it("of which one is named are that one, and it is required", () => {
    const written = writeParameters({ tools, tool_choice: tool("g") });
    expect([names(written), written.wire.tool_choice]).toEqual([["g"], "REQUIRED"]);
  });

  it("of which some are allowed are those", () => {
    const allowed = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools: [tool("g")] } });
    for (const [mode, sent] of [
      ["auto", undefined],
      ["required", "REQUIRED"],
    ] as const) {
      const written = writeParameters({ tools, tool_choice: allowed(mode) });
      expect([names(written), written.wire.tool_choice]).toEqual([["g"], sent]);
    }
  });

  it("that are not functions are named in a warning, choices of them refused", () => {
    const { wire, warnings } = writeParameters({ tools: [{ type: "custom", custom: {} }] });
    expect([wire.tools, warnings]).toEqual([undefined, ["`tools.0` of type custom is not supported by cohere"]]);
    expect(() => writeParameters({ tools, tool_choice: { type: "custom" } })).toThrow(unfit("tool_choice"));
    expect(() => writeParameters({ tools, tool_choice: { type: "function" } })).toThrow(
      refusal("tool_choice.function.name"),
    );
  });

  it("are strict all together or not at all, which is said where only some are", () => {
    const strict = writeParameters({ tools: [tool("f", { strict: true })] });
    expect([strict.wire.strict_tools, strict.warnings]).toEqual([true, []]);
    const mixed = writeParameters({ tools: [tool("f", { strict: true }), tool("g")] });
    expect(mixed.wire.strict_tools).toBe(true);
    expect(mixed.warnings).toHaveLength(1);
  });
});

describe("a response format", () => {
  it.each([
    [{ type: "text" }, undefined],
    [{ type: "json_object" }, { type: "json_object" }],
  ])("%j is %j", (response_format, sent) => {
    expect(writeParameters({ response_format }).wire.response_format).toEqual(sent);
  });

  it("that is none is refused by name", () => {
    expect(() => writeParameters({ response_format: { type: "xml" } })).toThrow(unfit("response_format.type"));
    expect(() => writeParameters({ response_format: { type: "json_schema" } })).toThrow(
      refusal("response_format.json_schema.schema"),
    );
  });
});

describe("thinking", () => {
  it.each([
    [{ effort: "none" }, { type: "disabled" }, 0],
    [{ enabled: true }, { type: "enabled" }, 0],
    [{ max_tokens: 9 }, { type: "enabled", token_budget: 9 }, 0],
    [{ effort: "low" }, { type: "enabled" }, 1],
    [{ enabled: true, exclude: true }, { type: "enabled" }, 1],
  ])("%j is %j", (reasoning, sent, count) => {
    const { wire, warnings } = writeParameters({ reasoning });
    expect([wire.thinking, warnings.length]).toEqual([sent, count]);
  });
});
