import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../../../src/index.ts";
import { serve } from "../../support/server.ts";

const answer = {
  id: "x",
  object: "chat.completion" as const,
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant" as const, content: "hello" } }],
};

/** The head of an answer to a key with two windows, as it came over the socket. */
async function readHead(wrap: (listener: RequestListener) => RequestListener): Promise<Record<string, string>> {
  const engine = createEngine({ providers: [{ name: "p", chat: async () => answer }], store: memoryStore() });
  const rate_limits = [
    { request_max_limit: 5, request_reset_duration: "1m" as const },
    { token_max_limit: 1e6, token_reset_duration: "1h" as const },
  ];
  const { value } = await engine.keys.create({
    name: "k",
    rate_limits,
    provider_configs: [{ provider: "p", allowed_models: ["*"] }],
  });
  await using server = await serve(wrap(createListener({ engine })));
  const body = JSON.stringify({ model: "p/m", messages: [{ role: "user", content: "hi" }] });
  const headers = { "content-type": "application/json", "x-tg-key": value };
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body });
  expect(await response.json()).toMatchObject({ object: "chat.completion" });
  await engine.close();
  return Object.fromEntries(response.headers);
}

const expected = {
  "x-ratelimit-limit-requests": "5",
  "x-ratelimit-remaining-requests": "4",
  "x-ratelimit-reset-requests": "60",
  "x-ratelimit-limit-tokens": "1000000",
  "x-ratelimit-remaining-tokens": expect.stringMatching(/^99\d{4}$/),
  "x-ratelimit-reset-tokens": "3600",
  "content-type": "application/json",
  "content-length": expect.stringMatching(/^\d+$/),
  connection: "keep-alive",
};

describe("where a key stands in its windows", () => {
  it("is told in the head of its answers", async () => {
    const head = await readHead((listener) => listener);
    expect(head).toMatchObject(expected);
  });

  it("is told beside headers that were set before", async () => {
    const head = await readHead((listener) => (req, res) => {
      res.setHeader("x-before", "1");
      res.setHeader("x-ratelimit-limit-requests", "of another one");
      listener(req, res);
    });
    expect(head).toMatchObject({ ...expected, "x-before": "1" });
  });

  it("is told through who wraps `writeHead`", async () => {
    const seen: unknown[] = [];
    const head = await readHead((listener) => (req, res) => {
      const own = res.writeHead.bind(res);
      res.writeHead = ((status: number, headers: Record<string, string>) => {
        seen.push(headers["x-ratelimit-limit-requests"]);
        return own(status, headers);
      }) as typeof res.writeHead;
      listener(req, res);
    });
    expect(head).toMatchObject(expected);
    expect(seen).toEqual(["5"]);
  });
});
