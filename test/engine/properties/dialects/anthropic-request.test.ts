import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toWire } from "../../../../adapters/shared/anthropic/to-wire.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { readUsage } from "../../../../src/engine/dialects/anthropic/usage.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { recordedCall } from "../../../fixtures/native.ts";
import { anyConversation, anyParameters, askingValues, deepFreeze } from "../../../fixtures/requests.ts";

const models = [
  "claude-opus-5-5",
  "claude-sonnet-5",
  "claude-opus-4-8",
  "claude-sonnet-4-6",
  "claude-haiku-4-5",
  "claude-3-opus-20240229",
  "kimi-k3",
];

function translate(request: ChatRequest, model: string) {
  const call = recordedCall(model);
  const wire = toWire(request, {
    provider: "anthropic",
    call,
    maxTokens: undefined,
    version: "2023-06-01",
    isStream: false,
  });
  return { body: JSON.stringify(wire), wire, warnings: call.warnings };
}

/** What a translation may throw, by name: the caller's fault, or what the model does not take and a fallback may. */
function attempt(request: ChatRequest, model: string): void {
  try {
    translate(request, model);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    if (error.code === "unsupported_operation") expect(error.param).toBe("response_format");
    else expect(error).toMatchObject({ code: "invalid_request", param: expect.any(String) });
  }
}

describe("a request", () => {
  it("is left as it is, whatever it holds", () => {
    fc.assert(
      fc.property(anyConversation, anyParameters, fc.constantFrom(...models), (messages, parameters, model) => {
        const request = deepFreeze({ model: `anthropic/${model}`, messages, ...parameters } as unknown as ChatRequest);
        const before = JSON.stringify(request);
        attempt(request, model);
        expect(JSON.stringify(request)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("has turns that alternate between user and assistant, whatever the order of its messages", () => {
    fc.assert(
      fc.property(anyConversation, (messages) => {
        const { wire } = translate(
          { model: "anthropic/claude-haiku-4-5", messages } as ChatRequest,
          "claude-haiku-4-5",
        );
        const users = wire.messages.filter(({ role }, at) => role === "user" && wire.messages[at + 1]?.role === "user");
        expect(users).toEqual([]);
        expect(wire.messages.every(({ role }) => role === "user" || role === "assistant")).toBe(true);
      }),
    );
  });

  it("has system turns only after a user turn and before an assistant's", () => {
    fc.assert(
      fc.property(anyConversation, (messages) => {
        const { wire } = translate({ model: "anthropic/claude-opus-5-5", messages } as ChatRequest, "claude-opus-5-5");
        for (const [at, { role }] of wire.messages.entries()) {
          if (role !== "system") continue;
          expect(wire.messages[at - 1]?.role).toBe("user");
          expect([undefined, "assistant"]).toContain(wire.messages[at + 1]?.role);
        }
      }),
    );
  });

  it("keeps every text of its messages", () => {
    fc.assert(
      fc.property(anyConversation, fc.constantFrom(...models), (messages, model) => {
        const { body } = translate({ model: `anthropic/${model}`, messages } as ChatRequest, model);
        for (const { content } of messages) {
          const texts =
            typeof content === "string"
              ? [content]
              : (content ?? []).flatMap((part) => ("text" in part ? [part.text] : []));
          // The vendor refuses texts of white space alone, so those are not sent.
          const visible = texts.filter((text) => `${text}`.trim() !== "");
          for (const text of visible) expect(body).toContain(JSON.stringify(text).slice(1, -1));
        }
      }),
    );
  });
});

describe("nothing is dropped in silence", () => {
  const base: ChatRequest = {
    model: "anthropic/claude-sonnet-4-6",
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
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "seed",
    "prediction",
    "n",
    "store",
    "verbosity",
    "modalities",
    "prompt_cache_key",
    "prompt_cache_retention",
    "truncation",
    "a_field_of_tomorrow",
  ])("`%s` is named in a warning and not sent", (field) => {
    const { body, warnings } = translate({ ...base, [field]: askingValues[field] } as ChatRequest, "claude-sonnet-4-6");
    expect(warnings).toEqual([`\`${field}\` is not supported by anthropic`]);
    expect(body).toBe(translate(base, "claude-sonnet-4-6").body);
  });

  it("values that ask for nothing make no noise", () => {
    const quiet = {
      frequency_penalty: 0,
      presence_penalty: 0,
      logprobs: false,
      top_logprobs: 0,
      logit_bias: {},
      metadata: {},
      n: 1,
      store: false,
      modalities: ["text"],
      truncation: "disabled",
      parallel_tool_calls: true,
      stream_options: { include_usage: true },
      stream: true,
      fallbacks: ["openai/gpt-5"],
    };
    expect(translate({ ...base, ...quiet } as ChatRequest, "claude-sonnet-4-6").warnings).toEqual([]);
  });
});

describe("usage", () => {
  const count = fc.option(fc.nat(1_000_000), { nil: null });
  const wireUsage = fc.record(
    {
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      cache_creation: fc.option(fc.record({ ephemeral_1h_input_tokens: count }), { nil: null }),
      output_tokens_details: fc.option(fc.record({ thinking_tokens: count }), { nil: null }),
      server_tool_use: fc.option(fc.record({ web_search_requests: count }), { nil: null }),
    },
    { requiredKeys: [] },
  );

  it("total is prompt plus completion, and there is none where neither is told", () => {
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const usage = readUsage(wire);
        if (usage === undefined) expect([wire.input_tokens ?? null, wire.output_tokens ?? null]).toEqual([null, null]);
        else expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
      }),
    );
  });

  it("cached reads and writes are inside the prompt tokens, the hour's writes inside the writes", () => {
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const { prompt_tokens = 0, prompt_tokens_details: details = {} } = readUsage(wire) ?? {};
        const {
          cached_read_tokens: read = 0,
          cached_write_tokens: written = 0,
          cached_write_tokens_1h: hourly = 0,
        } = details;
        expect(read + written).toBeLessThanOrEqual(prompt_tokens);
        expect(prompt_tokens - read - written).toBe(wire.input_tokens ?? 0);
        expect(hourly).toBeLessThanOrEqual(written);
      }),
    );
  });

  it("reasoning tokens are inside the completion tokens", () => {
    fc.assert(
      fc.property(wireUsage, (wire) => {
        const usage = readUsage(wire);
        expect(usage?.completion_tokens_details?.reasoning_tokens ?? 0).toBeLessThanOrEqual(
          usage?.completion_tokens ?? 0,
        );
      }),
    );
  });
});
