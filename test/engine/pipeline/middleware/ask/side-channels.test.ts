import { describe, expect, it } from "vitest";
import { withEvents, withResponse } from "../../../../../src/engine/dialects/openai/native-response.ts";
import type { Provider, ProviderCall } from "../../../../../src/engine/ports/provider.ts";
import { createEngine, type Middleware } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { readUntilEnd } from "../../../../http/support/broken-body.ts";

const mask: Middleware = {
  name: "mask",
  request: (request) => ({ ...request, metadata: { seen: true } }),
  stream: { hold: "sentence", text: (text) => text.replaceAll("bad", "***") },
};

/** A vendor of the Responses API whose own answers go with the gateway's, and what it was called with. */
function native(middleware: readonly Middleware[]) {
  const calls: ProviderCall[] = [];
  const base = { id: "x", created: 1, model: "m" };
  const own = { id: "resp_1", status: "completed", output: [{ type: "message", content: [{ text: "so bad" }] }] };
  const provider: Provider = {
    name: "a",
    speaksResponses: true,
    async chat(_request, call) {
      calls.push(call);
      const message = { role: "assistant" as const, content: "so bad" };
      const answer = { ...base, object: "chat.completion", choices: [{ index: 0, finish_reason: "stop", message }] };
      return withResponse(answer, own);
    },
    async *streamChat(_request, call) {
      calls.push(call);
      const chunk = { ...base, object: "chat.completion.chunk" };
      const delta = { content: "so bad" };
      const events = [{ type: "response.output_text.delta", delta: "so bad" }];
      yield withEvents({ ...chunk, choices: [{ index: 0, finish_reason: null, delta }] }, events);
      yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
    },
  };
  const engine = createEngine({ ...scriptedWorld(), providers: [provider], middleware });
  const ask = async (body: object) => {
    const headers = { "content-type": "application/json", "x-tg-raw": "true" };
    const init = { method: "POST", headers, body: JSON.stringify({ model: "a/m", input: "hi", ...body }) };
    return (await readUntilEnd(await engine.fetch("http://engine/v1/responses", init))).text;
  };
  return { ask, calls, engine };
}

describe("ways around a guard", () => {
  it("a vendor's own response and events do not go with a guarded answer", async () => {
    for (const stream of [false, true]) {
      expect(await native([]).ask({ stream })).toContain("so bad");
      const { ask, calls } = native([mask]);
      const text = await ask({ stream });
      expect(text).toContain("so ***");
      expect(text).not.toContain("bad");
      expect(calls[0]).toMatchObject({ responses: undefined, source: undefined });
    }
  });
  it("nothing is made in the background, where no guard would see its answer", async () => {
    expect(await native([mask]).ask({ background: true, store: true })).toContain("`background` is not offered");
  });
  it("prompts are counted here, not by a vendor", async () => {
    const { engine } = native([mask]);
    const messages = [{ role: "user" as const, content: "hi" }];
    expect(await engine.countTokens({ model: "a/m", messages })).toMatchObject({ is_estimate: true });
  });
  it("decisions and ranked documents pass the same guards", async () => {
    const provider: Provider = {
      name: "a",
      rerank: async () => ({ model: "m", results: [{ index: 0, relevance_score: 1, document: { text: "so bad" } }] }),
    };
    const engine = createEngine({ ...scriptedWorld(), providers: [provider], middleware: [mask] });
    const answer = await engine.rerank({ model: "a/m", query: "q", documents: ["d"] });
    expect(answer.results[0]?.document).toEqual({ text: "so ***" });
    const no: Middleware = { name: "no", request: (_request, context) => context.block("x") };
    const questions = { q: { kind: "noul" as const, instructions: "?" } };
    await expect(
      engine.decide({ model: "a/m", state: { text: "x" }, questions }, { middleware: [no] }),
    ).rejects.toMatchObject({ code: "content_blocked" });
  });
});
