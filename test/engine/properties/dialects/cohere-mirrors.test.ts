import fc from "fast-check";
import { expect, test } from "vitest";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import * as cohereCitations from "../../../../src/engine/dialects/cohere/citations.ts";
import * as cohereFinish from "../../../../src/engine/dialects/cohere/finish-reasons.ts";
import * as cohereLogProbs from "../../../../src/engine/dialects/cohere/log-probs.ts";
import * as cohereChoice from "../../../../src/engine/dialects/cohere/tool-choice.ts";
import * as cohereUsage from "../../../../src/engine/dialects/cohere/usage.ts";
import type { FinishReason } from "../../../../src/engine/dialects/finish-reason.ts";
import { functionChoice } from "../../../../src/engine/dialects/tool-choice.ts";

/** What the dialect writes, it reads back unchanged; and it maps every value of the vendor's sets. */

const whole = ["stop", "length", "tool_calls", "content_filter"] as const satisfies readonly FinishReason[];
const anyCount = fc.nat({ max: 100_000 });
const anyName = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const anyLogprob = fc.double({ max: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // JSON.stringify writes -0 as 0
const anyLogProbs = fc
  .array(fc.record({ token: fc.string(), logprob: anyLogprob }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((content) => ({ content }));

function total(prompt: number, completion: number): Usage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

test.each(["stop", "length", "tool_calls"] as const)("the finish reason %s is read as it was written", (reason) => {
  expect(cohereFinish.readFinishReason(cohereFinish.writeFinishReason(reason))).toBe(reason);
});

test.each(["content_filter", "error"] as const)("%s is a failure", (reason) => {
  expect(cohereFinish.failureStatus(cohereFinish.writeFinishReason(reason))).toBe(500);
});

test.each(cohereFinish.cohereFinishReasons)("the vendor's %s is either an end or a failure", (vendors) => {
  const reason = cohereFinish.readFinishReason(vendors);
  expect(reason === undefined).toBe(cohereFinish.failureStatus(vendors) !== undefined);
  if (reason !== undefined) expect(whole).toContain(reason);
});

test("usage is read as it was written", () => {
  fc.assert(
    fc.property(anyCount, anyCount, fc.option(anyCount, { nil: undefined }), (prompt, completion, cached) => {
      const details = cached === undefined ? {} : { cached_read_tokens: Math.min(cached, prompt) };
      const usage: Usage = {
        ...total(prompt, completion),
        ...(cached === undefined ? {} : { prompt_tokens_details: details }),
      };
      expect(cohereUsage.readUsage(cohereUsage.writeUsage(usage))).toEqual(usage);
    }),
  );
});

test.each(["REQUIRED", "NONE"] as const)("the tool choice %s is written as it was read", (choice) => {
  expect(cohereChoice.writeToolChoice(cohereChoice.readToolChoice(choice))).toEqual({ choice });
});

test("a named function is the only one offered", () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(cohereChoice.writeToolChoice(functionChoice(name))).toEqual({
        choice: "REQUIRED",
        names: new Set([name]),
      });
    }),
  );
});

test("log probabilities are read as they were written", () => {
  fc.assert(
    fc.property(anyLogProbs, (logProbs) => {
      expect(cohereLogProbs.readLogProbs(cohereLogProbs.writeLogProbs(logProbs.content))).toEqual(logProbs);
    }),
  );
});

test("a citation is written as it was read", () => {
  const sources = [{ type: "document", id: "d", document: { url: "https://x.test/", title: "X" } }];
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (text, one, other) => {
      const [start = 0, end = 0] = [one, other].map((at) => at % (text.length + 1)).sort((a, b) => a - b);
      const citation = { start, end, text: text.slice(start, end), sources };
      const annotation = cohereCitations.readCitation(citation, { blocks: new Map() });
      expect(annotation && cohereCitations.writeCitations([annotation], text)).toEqual([citation]);
    }),
  );
});
