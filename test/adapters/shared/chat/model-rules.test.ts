import { describe, expect, it } from "vitest";
import { openrouter, xai } from "../../../../adapters/providers/compatible/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { type ModelRulesOption, rulesIn } from "../../../../adapters/shared/chat/rules-option.ts";
import type { ChatInterface } from "../../../../adapters/shared/openai-responses/interface-choice.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { createEngine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";

const messages = [{ role: "user" as const, content: "Hi" }];
const makers = { openai, xai, openrouter };

interface Asking {
  readonly upstream?: ChatInterface;
  readonly modelRules?: ModelRulesOption;
  readonly request: Partial<ChatRequest>;
  readonly isStream?: boolean;
}

/** What a vendor is sent for a request by a configuration, where, and what the caller is told. */
async function sent(model: string, { upstream, modelRules, request, isStream = false }: Asking) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const send: typeof fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    const body = JSON.parse(await new Response(init?.body).text());
    asked.push({ path: pathname.replace(/^.*\/v1/, ""), body });
    return isStream ? streamed() : Response.json(pathname.endsWith("/responses") ? response : completion);
  };
  const make = makers[model.split("/")[0] as keyof typeof makers];
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [make({ apiKey: "k", fetch: send, upstream, modelRules })],
  });
  const full = { model, messages, ...request };
  if (isStream) for await (const _chunk of await engine.streamChat(full));
  const answer = isStream ? undefined : await engine.chat(full);
  const [{ path, body } = { path: "", body: {} }] = asked;
  return { path, body, warnings: answer?.extra_fields?.warnings ?? [] };
}

const completion = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const response = {
  id: "r",
  object: "response",
  status: "completed",
  model: "m",
  output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "hello", annotations: [] }] }],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
const streamed = () => {
  const chunk = { id: "c", model: "m", choices: [{ index: 0, delta: { content: "hello" }, finish_reason: "stop" }] };
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
};

const rules = {
  efforts: { xhigh: "max" },
  tiers: { flex: "batch" },
  parameters: { temperature: false, "text.verbosity": false },
} as const;
const request = { reasoning: { effort: "xhigh" }, service_tier: "flex", temperature: 0.5, top_p: 0.5 } as const;

describe("what a model takes, by the configuration", () => {
  it.each([false, true])("holds at chat, streamed: %s", async (isStream) => {
    const modelRules = { "gpt-9*": rules };
    const asking = { upstream: "chat", modelRules, request, isStream } as const;
    const { path, body, warnings } = await sent("openai/gpt-9", asking);
    expect(path).toBe("/chat/completions");
    expect(body).toMatchObject({ reasoning_effort: "max", service_tier: "batch", top_p: 0.5 });
    expect(body).not.toHaveProperty("temperature");
    if (isStream) return;
    expect(warnings).toEqual([
      "`temperature` is not supported by gpt-9 of openai",
      '`reasoning_effort` "xhigh" is "max" at gpt-9 of openai',
      '`service_tier` "flex" is "batch" at gpt-9 of openai',
    ]);
  });

  it("holds at the Responses interface, also within fields", async () => {
    const modelRules = { "gpt-9*": rules };
    const wordy = { ...request, verbosity: "low" } as const;
    const { path, body, warnings } = await sent("openai/gpt-9", {
      ...({ upstream: "responses", modelRules } as const),
      request: wordy,
    });
    expect(path).toBe("/responses");
    expect(body).toMatchObject({ reasoning: { effort: "max" }, service_tier: "batch", text: {} });
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("text.verbosity");
    expect(warnings).toContain("`text.verbosity` is not supported by gpt-9 of openai");
  });

  it("outweighs what this release says, both ways", async () => {
    const asked = { ...request, stop: "x", seed: 1 };
    const usual = await sent("xai/grok-9", { upstream: "chat", request: asked });
    expect(usual.body).toMatchObject({ reasoning_effort: "high", seed: 1 });
    expect(usual.body).not.toHaveProperty("stop");
    const parameters = { stop: true, seed: false };
    const modelRules = { "grok-9": { efforts: { xhigh: "xhigh" }, parameters } };
    const { body, warnings } = await sent("xai/grok-9", { upstream: "chat", modelRules, request: asked });
    expect(body).toMatchObject({ reasoning_effort: "xhigh", stop: "x" });
    expect(body).not.toHaveProperty("seed");
    expect(warnings).toEqual(["`seed` is not supported by grok-9 of xai"]);
  });

  it("leaves other models, and the interface where it names none, as they are", async () => {
    const modelRules = { "openai/gpt-9": rules };
    const other = await sent("openrouter/openai/gpt-5", { modelRules, request });
    expect(other).toMatchObject({ path: "/chat/completions", body: { temperature: 0.5 } });
    const own = await sent("openrouter/openai/gpt-9", { modelRules, request });
    expect(own).toMatchObject({ path: "/chat/completions", body: { reasoning: { effort: "max" } } });
  });

  it("costs nothing where nothing is said", () => {
    expect([undefined, {}].map(rulesIn)).toEqual([undefined, undefined]);
  });

  it.each<[string, unknown]>([
    ["an unknown word", { effort: {} }],
    ["an interface", { interface: "chat" }],
    ["no words", { efforts: ["max"] }],
    ["a word that is none", { tiers: { flex: 5 } }],
    ["neither taken nor refused", { parameters: { stop: "no" } }],
    ["a question without its messages", { parameters: { messages: false } }],
    ["an answer without a bound", { parameters: { max_output_tokens: false } }],
  ])("is refused by name: %s", (_what, setting) => {
    const make = () => openai({ apiKey: "k", modelRules: { "gpt-9": setting } } as never);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_configuration", param: "modelRules" }));
  });
});
