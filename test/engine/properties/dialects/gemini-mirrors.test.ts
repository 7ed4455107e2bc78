import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolChoice } from "../../../../src/engine/api/tools.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import type { FinishReason } from "../../../../src/engine/dialects/finish-reason.ts";
import * as geminiFinish from "../../../../src/engine/dialects/gemini/finish-reasons.ts";
import * as geminiLogProbs from "../../../../src/engine/dialects/gemini/log-probs.ts";
import * as geminiSources from "../../../../src/engine/dialects/gemini/sources.ts";
import * as geminiChoice from "../../../../src/engine/dialects/gemini/tool-choice.ts";
import * as geminiUsage from "../../../../src/engine/dialects/gemini/usage.ts";
import { allowedToolsChoice, functionChoice } from "../../../../src/engine/dialects/tool-choice.ts";

/** What the dialect writes, it reads back unchanged; and it maps every value of the vendor's sets. */

const whole = ["stop", "length", "tool_calls", "content_filter"] as const satisfies readonly FinishReason[];
const ended = [...whole, "error"] as const satisfies readonly FinishReason[];
const anyCount = fc.nat({ max: 100_000 });
const anyName = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const anyNames = fc.uniqueArray(anyName, { minLength: 1, maxLength: 4 });
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

test.each(ended)("the finish reason %s is read as it was written", (reason) => {
  const hasCalls = reason === "tool_calls";
  expect(geminiFinish.readFinishReason(geminiFinish.writeFinishReason(reason, false), hasCalls)).toBe(reason);
});

test.each(geminiFinish.geminiFinishReasons)("the vendor's %s has a finish reason that keeps its meaning", (vendors) => {
  const reason = geminiFinish.readFinishReason(vendors, false);
  expect(whole).toContain(reason);
  const hasCalls = reason === "tool_calls";
  expect(geminiFinish.readFinishReason(geminiFinish.writeFinishReason(reason, false), hasCalls)).toBe(reason);
});

test("a call whose arguments are lost is an error to whoever reads it", () => {
  expect(geminiFinish.readFinishReason(geminiFinish.writeFinishReason("tool_calls", true), true)).toBe("error");
});

test("usage is read as it was written", () => {
  const anyUsage = fc
    .record({ prompt: anyCount, output: anyCount, cached: anyCount, thought: anyCount })
    .map(({ prompt, output, cached, thought }): Usage => {
      const read = Math.min(cached, prompt);
      return {
        ...total(prompt, output),
        ...(read === 0 ? {} : { prompt_tokens_details: { cached_read_tokens: read } }),
        completion_tokens_details: { reasoning_tokens: Math.min(thought, output) },
      };
    });
  fc.assert(
    fc.property(anyUsage, (usage) => {
      const { usageMetadata } = geminiUsage.writeUsage(usage, undefined);
      expect(geminiUsage.readUsage(usageMetadata)).toEqual(usage);
    }),
  );
  expect(geminiUsage.writeUsage(undefined, undefined)).toEqual({});
});

test("a tool choice is read as it was written", () => {
  const anyChoice = fc.oneof(fc.constantFrom<ToolChoice>("none", "auto", "required"), anyName.map(functionChoice));
  fc.assert(
    fc.property(anyChoice, fc.boolean(), (choice, isStrict) => {
      const config = geminiChoice.writeToolChoice(choice, isStrict);
      expect(config && geminiChoice.readToolChoice(config, "mode")).toEqual(choice);
    }),
  );
});

test("names of allowed functions are read in every mode", () => {
  fc.assert(
    fc.property(anyNames, (names) => {
      const free = { mode: "AUTO", allowedFunctionNames: names };
      expect(geminiChoice.readToolChoice(free, "mode")).toEqual(allowedToolsChoice("auto", names));
      const forced = geminiChoice.readToolChoice({ ...free, mode: "ANY" }, "mode");
      const [only = ""] = names;
      expect(forced).toEqual(names.length === 1 ? functionChoice(only) : allowedToolsChoice("required", names));
    }),
  );
});

test("log probabilities are read as they were written", () => {
  fc.assert(
    fc.property(anyLogProbs, (logProbs) => {
      expect(geminiLogProbs.readLogProbs(geminiLogProbs.writeLogProbs(logProbs).logprobsResult)).toEqual(logProbs);
    }),
  );
});

test("sources are read with the ranges that they were written with", () => {
  const anyText = fc.array(fc.constantFrom("a", "é", "日", " "), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (letters, one, other) => {
      const text = letters.join("");
      const [start_index = 0, end_index = 0] = [one, other].map((at) => at % (text.length + 1)).sort((a, b) => a - b);
      const annotations = [
        { type: "url_citation", url_citation: { url: "https://x.test/", title: "X", start_index, end_index } },
      ];
      const { groundingMetadata } = geminiSources.writeGrounding(annotations, text);
      expect(geminiSources.annotationsOf(text, groundingMetadata, [])).toEqual(annotations);
    }),
  );
});
