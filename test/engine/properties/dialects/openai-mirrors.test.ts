import fc from "fast-check";
import { expect, test } from "vitest";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import type { FinishReason } from "../../../../src/engine/dialects/finish-reason.ts";
import * as openaiFinish from "../../../../src/engine/dialects/openai/finish-reasons.ts";
import * as openaiUsage from "../../../../src/engine/dialects/openai/usage.ts";

/** What the dialect writes, it reads back unchanged; and it maps every value of the vendor's sets. */

const whole = ["stop", "length", "tool_calls", "content_filter"] as const satisfies readonly FinishReason[];
const anyCount = fc.nat({ max: 100_000 });

function total(prompt: number, completion: number): Usage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

test.each(whole)("the finish reason %s is read as it was written", (reason) => {
  expect(openaiFinish.readFinishReason(openaiFinish.writeFinishReason(reason, false))).toBe(reason);
});

test("an answer that ended by an error has no finish reason", () => {
  expect(openaiFinish.writeFinishReason("error", false)).toBeUndefined();
});

test("usage is read as it was written", () => {
  const anyUsage = fc
    .record({ prompt: anyCount, output: anyCount, read: anyCount, written: anyCount, thought: anyCount })
    .map(({ prompt, output, read, written, thought }): Usage => {
      return {
        ...total(prompt, output),
        prompt_tokens_details: {
          cached_read_tokens: Math.min(read, prompt),
          cached_write_tokens: Math.min(written, prompt),
        },
        completion_tokens_details: { reasoning_tokens: Math.min(thought, output) },
      };
    });
  fc.assert(
    fc.property(anyUsage, (usage) => {
      expect(openaiUsage.readUsage(openaiUsage.writeUsage(usage))).toEqual(usage);
    }),
  );
});

test("the Responses API has the same totals under its own names", () => {
  const usage: Usage = { ...total(5, 7), prompt_tokens_details: { cached_read_tokens: 2 } };
  expect(openaiUsage.writeResponseUsage(usage)).toMatchObject({
    input_tokens: 5,
    input_tokens_details: { cached_tokens: 2 },
    output_tokens: 7,
    total_tokens: 12,
  });
});
