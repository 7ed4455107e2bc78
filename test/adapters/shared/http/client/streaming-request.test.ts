import { expect, it } from "vitest";
import { httpClient } from "../../../../../adapters/shared/http/client.ts";
import type { Transport, WireRequest, WireStream } from "../../../../../src/engine/ports/transport.ts";
import { call } from "../../../support/shared/http/client-setup.ts";

/** A client whose streams are answered when the test says so. */
function stalled() {
  const asked: WireRequest[] = [];
  let answer: (stream: WireStream) => void = () => {};
  const answered = new Promise<WireStream>((resolve) => {
    answer = resolve;
  });
  const whole: Transport["whole"] = async (request) => {
    asked.push(request);
    return { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
  };
  const stream: Transport["stream"] = (request) => {
    asked.push(request);
    return answered;
  };
  const transport = { whole, stream, close: async () => {} };
  const client = httpClient({ provider: "acme", baseUrl: "https://a.example", headers: {}, transport });
  return { client, asked, answer };
}

it.each([
  [10, 50, 50],
  [50, 10, 50],
])(
  "a stream whose gap is %d and first content %d may be silent for %d, a whole answer for its gap",
  async (gap, firstContent, silent) => {
    const { client, asked } = stalled();
    const timeouts = { ...call().timeouts, gap, firstContent };
    void client.events("/chat", {}, { ...call(), timeouts }).next();
    await client.post("/chat", {}, { ...call(), timeouts });
    expect(asked.map((request) => request.timeouts)).toEqual([{ ...timeouts, gap: silent }, timeouts]);
  },
);

it("events that are left before they begin let go of their source when it comes", async () => {
  const { client, answer } = stalled();
  const events = client.events("/chat", {}, call());
  const first = events.next();
  await events.return();
  let wasLeft = false;
  const pieces = {
    next: () => Promise.reject(new Error("nobody reads it")),
    async return() {
      wasLeft = true;
      return { done: true as const, value: undefined };
    },
  };
  const body = { [Symbol.asyncIterator]: () => pieces };
  answer({ status: 200, headers: { "content-type": "text/event-stream" }, body });
  expect(await first).toMatchObject({ done: true });
  expect(wasLeft).toBe(true);
});

it.each([
  ["a ping", ["event: ping\ndata: {}\n\n"], 1],
  ["an event in two pieces", ["data: {}", "\n\n"], 1],
  ["a comment", [": OPENROUTER PROCESSING\n\n"], 1],
  ["half an event", ["data: {"], 0],
])("%s is a sign of life once it is whole", async (_, pieces, signs) => {
  const { client, answer } = stalled();
  let alive = 0;
  const events = client.events("/chat", {}, { ...call(), alive: () => void alive++ });
  const first = events.next();
  const atHead: number[] = [];
  async function* body() {
    atHead.push(alive);
    for (const piece of pieces) yield Buffer.from(piece);
    await new Promise(() => {});
  }
  answer({ status: 200, headers: { "content-type": "text/event-stream" }, body: body() });
  await Promise.race([first, new Promise((resolve) => setImmediate(resolve))]);
  expect(atHead).toEqual([1]);
  expect(alive - 1).toBe(signs);
});
