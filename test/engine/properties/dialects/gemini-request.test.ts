import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toWire } from "../../../../adapters/shared/gemini/to-wire.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { readUsage } from "../../../../src/engine/dialects/gemini/usage.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { recordedCall } from "../../../fixtures/native.ts";
import { anyConversation, anyParameters, askingValues, deepFreeze } from "../../../fixtures/requests.ts";

const models = [
  "gemini-3.8-flash",
  "gemini-3.1-pro-preview",
  "gemini-2.5-flash",
  "gemini-2.5-pro",
  "gemini-2.0-flash",
  "gemma-3-27b-it",
];

function translate(request: ChatRequest, model: string) {
  const call = recordedCall(model);
  const wire = toWire(request, { provider: "gemini", call, filesUrl: "https://files.example/" });
  return { body: JSON.stringify(wire), wire, warnings: call.warnings };
}

/** What a translation may throw: the caller's fault, by name. */
function attempt(request: ChatRequest, model: string): void {
  try {
    translate(request, model);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    expect(error).toMatchObject({ code: "invalid_request", param: expect.any(String) });
  }
}

describe("a request", () => {
  it("is left as it is, whatever it holds", () => {
    fc.assert(
      fc.property(anyConversation, anyParameters, fc.constantFrom(...models), (messages, parameters, model) => {
        const request = deepFreeze({ model: `gemini/${model}`, messages, ...parameters } as unknown as ChatRequest);
        const before = JSON.stringify(request);
        attempt(request, model);
        expect(JSON.stringify(request)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps every text of its messages", () => {
    fc.assert(
      fc.property(anyConversation, fc.constantFrom(...models), (messages, model) => {
        const { body } = translate({ model: `gemini/${model}`, messages } as ChatRequest, model);
        for (const { content } of messages) {
          const texts =
            typeof content === "string"
              ? [content]
              : (content ?? []).flatMap((part) => ("text" in part ? [part.text] : []));
          for (const text of texts) expect(body).toContain(JSON.stringify(text).slice(1, -1));
        }
      }),
    );
  });

  it("has as many results in the turn after calls as there were calls", () => {
    fc.assert(
      fc.property(anyConversation, (messages) => {
        const { wire } = translate({ model: "gemini/gemini-2.5-flash", messages } as ChatRequest, "gemini-2.5-flash");
        for (const [at, { parts }] of wire.contents.entries()) {
          const calls = parts.flatMap(({ functionCall }) => functionCall?.id ?? []);
          const results = (wire.contents[at + 1]?.parts ?? []).flatMap(
            ({ functionResponse }) => functionResponse?.id ?? [],
          );
          if (calls.length > 0) expect(results).toEqual(calls);
        }
      }),
    );
  });

  it("for the third generation has a signature on the first call of every turn", () => {
    fc.assert(
      fc.property(anyConversation, (messages) => {
        const { wire } = translate({ model: "gemini/gemini-3.8-flash", messages } as ChatRequest, "gemini-3.8-flash");
        for (const { parts } of wire.contents) {
          const [first] = parts.filter(({ functionCall }) => functionCall !== undefined);
          if (first) expect(first.thoughtSignature).toEqual(expect.any(String));
        }
      }),
    );
  });
});

describe("nothing is dropped in silence", () => {
  const base: ChatRequest = {
    model: "gemini/gemini-3.8-flash",
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", function: { name: "f" } }],
  };

  it.each(Object.entries(askingValues))("`%s` changes what is sent or is named in a warning", (field, value) => {
    for (const model of models) {
      const plain = translate(base, model);
      const { body, warnings } = translate({ ...base, [field]: value } as ChatRequest, model);
      const isNamed = warnings.some((warning) => warning.includes(`\`${field}`));
      expect([model, body !== plain.body || isNamed]).toEqual([model, true]);
    }
  });

  it.each([
    ..."logit_bias metadata parallel_tool_calls prompt_cache_key prompt_cache_retention safety_identifier user".split(
      " ",
    ),
    ..."store prediction truncation verbosity n a_field_of_tomorrow".split(" "),
  ])("`%s` is named in a warning and not sent", (field) => {
    const { body, warnings } = translate({ ...base, [field]: askingValues[field] } as ChatRequest, "gemini-3.8-flash");
    expect(warnings).toEqual([`\`${field}\` is not supported by gemini`]);
    expect(body).toBe(translate(base, "gemini-3.8-flash").body);
  });
});

describe("usage", () => {
  const count = fc.nat(1_000_000);
  const details = fc.array(
    fc.record({ modality: fc.constantFrom("TEXT", "IMAGE", "AUDIO", "VIDEO", "DOCUMENT", "SMELL"), tokenCount: count }),
    { maxLength: 4 },
  );
  const wireUsage = fc.record(
    {
      promptTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
      toolUsePromptTokenCount: count,
      cachedContentTokenCount: count,
      totalTokenCount: count,
      promptTokensDetails: details,
      toolUsePromptTokensDetails: details,
      candidatesTokensDetails: details,
    },
    { requiredKeys: [] },
  );

  it("total is prompt plus completion, whatever total the vendor gives", () => {
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const usage = readUsage(wire);
        if (usage) expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
      }),
    );
  });

  it("tokens of the vendor's own tools are inside the prompt, thoughts inside the completion", () => {
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const usage: Partial<Usage> = readUsage(wire) ?? { prompt_tokens: 0, completion_tokens: 0 };
        expect(usage.prompt_tokens).toBe((wire.promptTokenCount ?? 0) + (wire.toolUsePromptTokenCount ?? 0));
        expect(usage.completion_tokens).toBe((wire.candidatesTokenCount ?? 0) + (wire.thoughtsTokenCount ?? 0));
        expect(usage.completion_tokens_details?.reasoning_tokens).toBe(wire.thoughtsTokenCount);
      }),
    );
  });

  it("cached tokens are at most the prompt's", () => {
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const usage = readUsage(wire);
        expect(usage?.prompt_tokens_details?.cached_read_tokens ?? 0).toBeLessThanOrEqual(usage?.prompt_tokens ?? 0);
      }),
    );
  });

  it("tokens by modality are together at most their parent's", () => {
    const kinds = ["text_tokens", "image_tokens", "audio_tokens", "video_tokens", "document_tokens"];
    const sum = (parts: Record<string, unknown> = {}) =>
      kinds.reduce((total, kind) => total + Number(parts[kind] ?? 0), 0);
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const usage = readUsage(wire);
        expect(sum(usage?.prompt_tokens_details)).toBeLessThanOrEqual(usage?.prompt_tokens ?? 0);
        expect(sum(usage?.completion_tokens_details)).toBeLessThanOrEqual(usage?.completion_tokens ?? 0);
      }),
    );
  });
});
