import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReasoningDetail } from "../../../../src/engine/api/message.ts";
import type { ToolChoice } from "../../../../src/engine/api/tools.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import * as anthropicContent from "../../../../src/engine/dialects/anthropic/content.ts";
import * as anthropicErrors from "../../../../src/engine/dialects/anthropic/error-types.ts";
import * as anthropicReasoning from "../../../../src/engine/dialects/anthropic/reasoning.ts";
import * as anthropicStops from "../../../../src/engine/dialects/anthropic/stop-reasons.ts";
import * as anthropicChoice from "../../../../src/engine/dialects/anthropic/tool-choice.ts";
import * as anthropicUsage from "../../../../src/engine/dialects/anthropic/usage.ts";
import { readInlineFile } from "../../../../src/engine/dialects/content.ts";
import type { FinishReason } from "../../../../src/engine/dialects/finish-reason.ts";
import { functionChoice } from "../../../../src/engine/dialects/tool-choice.ts";

/** What the dialect writes, it reads back unchanged; and it maps every value of the vendor's sets. */

const whole = ["stop", "length", "tool_calls", "content_filter"] as const satisfies readonly FinishReason[];
const ended = [...whole, "error"] as const satisfies readonly FinishReason[];
const anyCount = fc.nat({ max: 100_000 });
const anyName = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);

function total(prompt: number, completion: number): Usage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

test.each(whole)("the finish reason %s is read as it was written", (reason) => {
  expect(anthropicStops.readStopReason(anthropicStops.writeStopReason(reason))).toBe(reason);
});

test.each(anthropicStops.anthropicStopReasons)(
  "the stop reason %s has a finish reason that keeps its meaning",
  (stop) => {
    const reason = anthropicStops.readStopReason(stop);
    expect(ended).toContain(reason);
    if (reason === undefined || reason === "error") return;
    expect(anthropicStops.readStopReason(anthropicStops.writeStopReason(reason))).toBe(reason);
  },
);

test.each(["constructor", "toString", "", "later"])("the stop reason %j is unknown", (stop) => {
  expect(anthropicStops.readStopReason(stop)).toBeUndefined();
});

test.each(anthropicErrors.anthropicErrorTypes)("the error type %s is that of its status", (type) => {
  expect(anthropicErrors.errorTypeOfStatus(anthropicErrors.statusOfErrorType(type))).toBe(type);
  expect(anthropicErrors.isAnthropicErrorType(type)).toBe(true);
});

test("every status has an error type of the vendor", () => {
  for (let status = 400; status < 600; status++)
    expect(anthropicErrors.anthropicErrorTypes).toContain(anthropicErrors.errorTypeOfStatus(status));
});

test("usage is read as it was written", () => {
  const anyUsage = fc
    .record({
      fresh: anyCount,
      read: anyCount,
      written: anyCount,
      output: anyCount,
      hour: anyCount,
      thought: anyCount,
    })
    .map(({ fresh, read, written, output, hour, thought }): Usage => {
      const hourly = Math.min(hour, written);
      return {
        ...total(fresh + read + written, output),
        prompt_tokens_details: {
          cached_read_tokens: read,
          cached_write_tokens: written,
          ...(hourly === 0 ? {} : { cached_write_tokens_1h: hourly }),
        },
        completion_tokens_details: { reasoning_tokens: Math.min(thought, output), num_search_queries: 1 },
      };
    });
  fc.assert(
    fc.property(anyUsage, (usage) => {
      expect(anthropicUsage.readUsage(anthropicUsage.writeUsage(usage, undefined))).toEqual(usage);
    }),
  );
});

test.each(["standard", "priority", "batch"])("the service tier %s is the vendor's", (tier) => {
  expect(anthropicUsage.writeUsage(total(1, 1), tier).service_tier).toBe(tier);
});

test("a tool choice is read as it was written", () => {
  const anyChoice = fc.oneof(fc.constantFrom<ToolChoice>("none", "auto", "required"), anyName.map(functionChoice));
  fc.assert(
    fc.property(anyChoice, (choice) => {
      expect(anthropicChoice.readToolChoice(anthropicChoice.writeToolChoice(choice))).toEqual(choice);
    }),
  );
});

test("a thought is read as it was written", () => {
  const anyThought = fc.oneof(
    fc.record({ thinking: fc.string(), signature: fc.string({ minLength: 1 }) }).map((thought) => {
      return { type: "thinking" as const, ...thought };
    }),
    fc.string({ minLength: 1 }).map((data) => ({ type: "redacted_thinking" as const, data })),
  );
  fc.assert(
    fc.property(anyThought, fc.nat({ max: 9 }), (thought, index) => {
      expect(anthropicReasoning.writeThought(anthropicReasoning.readThought(thought, index))).toEqual(thought);
    }),
  );
  const unsigned: ReasoningDetail = { type: "reasoning.text", text: "a" };
  expect(anthropicReasoning.writeThought(unsigned)).toBeUndefined();
});

test("inline documents and images are read as they were written", () => {
  const anyInline = fc.record({
    mediaType: fc.constantFrom("image/png", "application/pdf", "text/plain"),
    base64: fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text, "utf8").toString("base64")),
  });
  fc.assert(
    fc.property(anyInline, (inline) => {
      const block = anthropicContent.writeInline(inline);
      expect(block).toBeDefined();
      const { file_data = "" } = block === undefined ? {} : anthropicContent.readDocumentSource(block.source);
      expect(readInlineFile(file_data, "none")).toEqual(inline);
    }),
  );
  expect(anthropicContent.writeInline({ mediaType: "video/mp4", base64: "" })).toBeUndefined();
});
