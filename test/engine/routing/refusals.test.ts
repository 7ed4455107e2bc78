import { describe, expect, it } from "vitest";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { defaultRetryPolicy, judge } from "../../../src/engine/routing/index.ts";
import { createEngine } from "../../../src/index.ts";
import { scriptedWorld } from "../../../src/testing/index.ts";

const verdictOf = (upstream: GatewayError["upstream"], hasOtherCredential = false) =>
  judge({
    error: new GatewayError("upstream_error", upstream?.message ?? "", { upstream }),
    ...{ tries: 1, policy: defaultRetryPolicy, remainingMs: 600_000, draw: 0, hasOtherCredential },
  }).kind;

describe("a conversation too long for one model is taken to the next, as worded by", () => {
  it.each([
    ["llama.cpp", "the request exceeds the available context size (8192 tokens), try increasing it"],
    ["Anthropic", "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ["Moonshot", "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"],
    ["Z.ai", "Prompt exceeds max length"],
    ["Qwen", "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 258048]"],
    ["TGI", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens"],
    ["vLLM", "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."],
  ])("%s", (_, message) => {
    expect(verdictOf({ status: 400, message })).toBe("next");
  });
  it("its type alone", () => {
    expect(verdictOf({ status: 400, message: "too big", type: "exceed_context_size_error" })).toBe("next");
  });
  it.each(["`temperature` must be at most 2", "messages must not be empty", "max_tokens is too large"])(
    "but not another fault of the caller: %s",
    (message) => {
      expect(verdictOf({ status: 400, message })).toBe("stop");
    },
  );
});

describe("a 400 that means the credential", () => {
  const words = [
    { message: "API key not valid. Please pass a valid API key." },
    { message: "API key expired. Please renew the API key." },
    { message: "Incorrect API key provided: xa***yz.", code: "Client specified an invalid argument" },
    { message: "no", code: "invalid_api_key" },
  ];
  it.each(words)("leads to the next credential, then to the next target: $message", (fault) => {
    expect(verdictOf({ status: 400, ...fault }, true)).toBe("rotate");
    expect(verdictOf({ status: 400, ...fault })).toBe("next");
  });
  it("is not one that speaks of keys in passing", () => {
    expect(verdictOf({ status: 400, message: "tools[0]: the api key parameter is invalid" }, true)).toBe("stop");
  });
  it("reaches no caller: another key, another target, or the gateway's own words", async () => {
    const error = { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" };
    const good = { candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP" }] };
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const isDead = new Headers(init?.headers).get("x-goog-api-key")?.startsWith("dead");
      return Response.json(isDead ? { error } : good, { status: isDead ? 400 : 200 });
    };
    const second: Provider = {
      name: "b",
      chat: async ({ model }, { id }) => ({ id, object: "chat.completion", created: 1, model, choices: [] }),
    };
    const messages = [{ role: "user" as const, content: "x" }];
    const engineOf = (...ids: string[]) =>
      createEngine({
        ...scriptedWorld(),
        providers: [gemini({ credentials: ids.map((id) => ({ id, apiKey: `${id}-key` })), fetch }), second],
      });
    const both = engineOf("dead", "live");
    for (let n = 0; n < 12; n++) {
      const { choices } = await both.chat({ model: "gemini/m", messages });
      expect(choices[0]?.message.content).toBe("ok");
    }
    const dead = engineOf("dead");
    const answer = await dead.chat({ model: "gemini/m", messages, fallbacks: ["b/m"] });
    expect(answer.extra_fields?.provider).toBe("b");
    const refused = await dead.chat({ model: "gemini/m", messages }).catch((thrown: GatewayError) => thrown);
    expect(refused).toMatchObject({ code: "upstream_credentials_exhausted", status: 502 });
    expect((refused as GatewayError).message).not.toContain("valid API key");
  });
});
