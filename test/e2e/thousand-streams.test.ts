import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { memoryStore } from "../../adapters/stores/memory/index.ts";
import { createEngine, createListener, type Engine } from "../../src/index.ts";
import { readUntilEnd } from "../http/support/broken-body.ts";

/** 1,000 streams at once through the listener; one in twenty is cut by the provider, one in twenty stalls. */
const streams = 1_000;
const words = 20;

const piece = (content: string, finish: string | null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: content === "" ? {} : { content }, finish_reason: finish }] })}\n\n`;

const open = new Set<ServerResponse>();
const upstream = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => {
    open.add(response);
    response.on("close", () => open.delete(response));
    const model: string = JSON.parse(body).model;
    response.writeHead(200, { "content-type": "text/event-stream" });
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < words / 2) response.write(piece("word ", null));
      else if (model === "cut") response.destroy();
      else if (model === "stall") clearInterval(timer);
      else if (sent <= words) response.write(piece("word ", null));
      else response.end(`${piece("", "stop")}data: [DONE]\n\n`);
    }, 20);
    response.on("close", () => clearInterval(timer));
  });
});

let engine: Engine;
let key: string;
let keyId: string;
const server = createServer((request, response) => createListener({ engine })(request, response));
const portOf = (of: typeof server) => (of.address() as AddressInfo).port;

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", 2_048, resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 2_048, resolve));
  engine = createEngine({
    providers: [custom("up", { baseUrl: `http://127.0.0.1:${portOf(upstream)}/v1` })],
    store: memoryStore(),
    timeouts: { gap: 1_500 },
    circuit: { consecutive: 1_000, minimumSample: 30, window: 30, share: 1 },
  });
  const limits = {
    budgets: [{ max_limit: 1_000, reset_duration: "1d" as const }],
    rate_limits: [{ request_max_limit: 100_000, request_reset_duration: "1d" as const }],
  };
  const made = await engine.keys.create({
    name: "k",
    ...limits,
    provider_configs: [{ provider: "up", allowed_models: ["*"] }],
  });
  key = made.value;
  keyId = made.key.id;
});

afterAll(async () => {
  server.closeAllConnections();
  upstream.closeAllConnections();
  server.close();
  upstream.close();
  await engine.close({ graceMs: 0 });
});

/** How one stream ended, as its caller saw it. */
async function readStream(model: string): Promise<"whole" | "failed"> {
  const response = await fetch(`http://127.0.0.1:${portOf(server)}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tg-key": key },
    body: JSON.stringify({ model: `up/${model}`, stream: true, messages: [{ role: "user", content: "hi" }] }),
  });
  const { text } = await readUntilEnd(response);
  return text.endsWith("data: [DONE]\n\n") ? "whole" : "failed";
}

async function round(): Promise<Record<string, number>> {
  const kinds = Array.from({ length: streams }, (_, n) => (n % 20 === 0 ? "cut" : n % 20 === 10 ? "stall" : "fine"));
  const ends = await Promise.all(kinds.map(readStream));
  const counts: Record<string, number> = {};
  for (const [position, kind] of kinds.entries()) {
    const name = `${kind} ${ends[position]}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function heapAfterCollection(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc: the heap cannot be judged without it");
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

it("leaves no request, reservation or upstream connection behind, and the heap as it was", async () => {
  const expected = { "fine whole": 900, "cut failed": 50, "stall failed": 50 };
  expect(await round()).toEqual(expected);
  const before = heapAfterCollection();
  expect(await round()).toEqual(expected);
  expect(await round()).toEqual(expected);
  const grown = heapAfterCollection() - before;
  expect(engine.inFlight).toBe(0);
  for (const { reserved } of await engine.usage.limits(keyId)) expect(reserved).toBe(0);
  await expect.poll(() => open.size, { timeout: 2_000 }).toBe(0);
  const { entries } = await engine.usage.entries({ limit: 1 });
  expect(entries).toHaveLength(1);
  const [sums] = await engine.usage.query({ from: 0, to: Date.now() + 1 });
  expect(sums).toMatchObject({ requests: 3 * streams, failures: 3 * 100 });
  expect(grown / (2 * streams)).toBeLessThan(6_000); // what the store in memory keeps of a request, and nothing else
});
