import { describe, expect, it } from "vitest";
import { writeParameters } from "../../support/anthropic/written.ts";

const tools = [
  {
    type: "function",
    function: { name: "f", description: "F", parameters: { properties: { a: { type: "string" } } } },
  },
];

describe("the bound on the answer", () => {
  it.each([
    [{}, "claude-sonnet-4-6", 32_000],
    [{}, "claude-3-5-haiku-20241022", 8_192],
    [{}, "claude-3-opus-20240229", 4_096],
    [{}, "kimi-k3", 8_192],
    [{ max_completion_tokens: 5 }, "claude-sonnet-4-6", 5],
    [{ max_tokens: 6 }, "claude-sonnet-4-6", 6],
  ])("%j for %s is %d", (parameters, model, expected) => {
    expect(writeParameters(parameters, model)).toMatchObject({ wire: { max_tokens: expected }, warnings: [] });
  });

  it("is the provider's option where the caller gives none", () => {
    expect(writeParameters({}, "claude-sonnet-4-6", { maxTokens: 99 }).wire.max_tokens).toBe(99);
    expect(writeParameters({ max_completion_tokens: 5 }, "claude-sonnet-4-6", { maxTokens: 99 }).wire.max_tokens).toBe(
      5,
    );
  });
});

describe("sampling", () => {
  it.each([
    [
      "claude-3-opus-20240229",
      { temperature: 0.3, top_p: 0.9, top_k: 4 },
      { temperature: 0.3, top_p: 0.9, top_k: 4 },
      [],
    ],
    ["claude-haiku-4-5", { temperature: 0.3, top_p: 0.9 }, { temperature: 0.3 }, ["top_p"]],
    ["claude-haiku-4-5", { top_p: 0.9 }, { top_p: 0.9 }, []],
    ["claude-opus-4-7", { temperature: 0.3, top_p: 0.9, top_k: 4 }, {}, ["temperature", "top_p", "top_k"]],
    ["claude-sonnet-5-5", { temperature: 1, top_p: 1 }, {}, []],
    ["claude-haiku-4-5", { temperature: 1.5 }, { temperature: 1 }, ["temperature"]],
  ])("%s: %j", (...[model, parameters, sent, named]) => {
    const { wire, warnings } = writeParameters(parameters, model);
    expect(wire).toEqual({ max_tokens: wire.max_tokens, ...sent });
    expect(warnings.map((warning) => /`(\w+)`/.exec(warning)?.[1])).toEqual(named);
  });

  it("is gone with version 2026-10-21", () => {
    const { wire, warnings } = writeParameters({ temperature: 0.3 }, "claude-haiku-4-5", { version: "2026-10-21" });
    expect(wire.temperature).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("`temperature` is not sent")]);
  });

  it("gives way to thinking, except a top_p of 0.95 and more", () => {
    const asked = { temperature: 0.3, top_k: 4, reasoning: { max_tokens: 2_000 } };
    expect(writeParameters({ ...asked, top_p: 0.5 }, "claude-haiku-4-5").warnings).toHaveLength(3);
    const { wire, warnings } = writeParameters({ ...asked, top_p: 0.97 }, "claude-haiku-4-5");
    expect(wire).toMatchObject({ top_p: 0.97, thinking: { type: "enabled", budget_tokens: 2_000 } });
    expect(warnings).toHaveLength(2);
  });
});

describe("reasoning", () => {
  it.each([
    // the first generations: a budget
    ["claude-haiku-4-5", { effort: "high" }, { thinking: { type: "enabled", budget_tokens: 25_600 } }, 0],
    ["claude-haiku-4-5", { effort: "minimal" }, { thinking: { type: "enabled", budget_tokens: 3_200 } }, 0],
    ["claude-haiku-4-5", { max_tokens: 4_000 }, { thinking: { type: "enabled", budget_tokens: 4_000 } }, 0],
    ["claude-haiku-4-5", { max_tokens: 10 }, { thinking: { type: "enabled", budget_tokens: 1_024 } }, 1],
    ["claude-haiku-4-5", { max_tokens: 90_000 }, { thinking: { type: "enabled", budget_tokens: 31_999 } }, 1],
    ["claude-haiku-4-5", { effort: "none" }, {}, 0],
    ["claude-3-5-haiku-latest", { effort: "low" }, {}, 1],
    // 4.6 takes both
    [
      "claude-sonnet-4-6",
      { effort: "medium" },
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "medium" } },
      0,
    ],
    [
      "claude-sonnet-4-6",
      { effort: "xhigh" },
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
      1,
    ],
    ["claude-sonnet-4-6", { max_tokens: 2_000 }, { thinking: { type: "enabled", budget_tokens: 2_000 } }, 0],
    // later ones decide by themselves
    [
      "claude-opus-4-8",
      { effort: "xhigh" },
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "xhigh" } },
      0,
    ],
    [
      "claude-opus-4-8",
      { effort: "minimal" },
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
      1,
    ],
    ["claude-opus-4-8", { max_tokens: 2_000 }, { thinking: { type: "adaptive", display: "summarized" } }, 1],
    [
      "claude-opus-4-8",
      { effort: "high", exclude: true },
      { thinking: { type: "adaptive", display: "omitted" }, output_config: { effort: "high" } },
      0,
    ],
    // and are switched off each in their way
    ["claude-opus-4-8", { effort: "none" }, {}, 0],
    ["claude-opus-5", { effort: "none" }, { thinking: { type: "disabled" } }, 0],
    ["claude-haiku-5-5", { enabled: false }, { thinking: { type: "disabled" } }, 0],
    ["claude-sonnet-5-5", { effort: "none" }, { thinking: { type: "between_tools" } }, 0],
    ["claude-opus-5-5", { effort: "none" }, { output_config: { effort: "low" } }, 1],
    ["claude-fable-5-1", { effort: "none" }, { output_config: { effort: "low" } }, 1],
    ["claude-of-tomorrow", { effort: "none" }, { output_config: { effort: "low" } }, 1],
  ])("%s: %j", (...[model, reasoning, sent, warned]) => {
    const { wire, warnings } = writeParameters({ reasoning }, model);
    expect(wire).toEqual({ max_tokens: wire.max_tokens, ...sent });
    expect(warnings).toHaveLength(warned);
  });

  it("is `max` where the model has it, else the next below, with a warning", () => {
    const { wire, warnings } = writeParameters({ reasoning_effort: "max" }, "claude-opus-4-8");
    expect(wire.output_config).toEqual({ effort: "max" });
    expect(warnings).toEqual([]);
    const beside = writeParameters({ reasoning: { exclude: true }, reasoning_effort: "max" }, "claude-opus-4-8");
    expect(beside.wire.output_config).toEqual({ effort: "max" });
    const older = writeParameters({ reasoning_effort: "max" }, "claude-opus-4-5");
    expect(older.wire.output_config ?? older.wire.thinking).toBeDefined();
    expect(older.wire.output_config?.effort).not.toBe("max");
  });
  it("is `reasoning_effort` for clients that speak so", () => {
    expect(writeParameters({ reasoning_effort: "high" }, "claude-opus-4-8").wire.output_config).toEqual({
      effort: "high",
    });
  });

  it("with a budget needs room below the caller's bound, which is never raised", () => {
    const { wire, warnings } = writeParameters(
      { reasoning: { effort: "high" }, max_completion_tokens: 1_000 },
      "claude-haiku-4-5",
    );
    expect(wire).toEqual({ max_tokens: 1_000 });
    expect(warnings).toEqual([expect.stringContaining("`max_completion_tokens` must be over 1024")]);
  });

  it("gives way to a tool choice that forces a call", () => {
    const { wire, warnings } = writeParameters(
      { reasoning: { effort: "high" }, tools, tool_choice: "required" },
      "claude-sonnet-4-6",
    );
    expect(wire).toMatchObject({ tool_choice: { type: "any" } });
    expect(wire.thinking).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("`reasoning` is not sent")]);
  });

  it("with a budget gives way to a tool loop whose thinking is not there, which the vendor refuses", () => {
    const loop = [
      { role: "user", content: "Hi" },
      { role: "assistant", tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "a", content: "A" },
    ];
    const asked = { reasoning: { max_tokens: 2_000 } };
    expect(writeParameters({ ...asked, messages: loop }, "claude-haiku-4-5").wire.thinking).toBeUndefined();
    const signed = loop.with(1, {
      ...loop[1],
      reasoning_details: [{ type: "reasoning.text", text: "", signature: "s" }],
    } as never);
    expect(writeParameters({ ...asked, messages: signed }, "claude-haiku-4-5").wire.thinking).toBeDefined();
  });
});
