import fc from "fast-check";
import type { Dispatcher } from "undici";
import { describe, expect, test } from "vitest";
import { custom } from "../../../adapters/providers/compatible/index.ts";
import { createGathering } from "../../../adapters/shared/http/dispatch/gathering.ts";
import { StreamExchange } from "../../../adapters/shared/http/dispatch/streamed.ts";
import { undiciTransport } from "../../../adapters/shared/http/dispatch/undici.ts";
import { inFlightCounter } from "../../../adapters/shared/http/in-flight.ts";
import { createListener } from "../../../src/http/server/node.ts";
import { createEngine } from "../../../src/index.ts";
import { post, serve, stillClock } from "../support/server.ts";

const gatherMs = 40;
/** Streams that are due within so many milliseconds share a timer. */
const toleranceMs = 3;

type Action =
  | { readonly kind: "bytes"; readonly text: string }
  | { readonly kind: "lag"; readonly isOn: boolean }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "content" | "full" | "drained" };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("bytes" as const), text: fc.string({ minLength: 1, maxLength: 8 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("lag" as const), isOn: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("content" as const, "full" as const, "drained" as const) }),
  },
);
const ending = fc.constantFrom("end", "failure", "last event", "cancel");

/** One stream over a time and a load that the test sets, and a reader that may stop reading. */
class GatheredStream {
  now = 0;
  isLagging = false;
  readonly pace = { gatherMs: 0 };
  readonly handed: string[] = [];
  outcome: string | undefined;
  isReading = true;
  #isWaiting = false;
  #timers: { readonly at: number; readonly work: () => void }[] = [];
  readonly exchange: StreamExchange;
  readonly #controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;

  constructor() {
    const clock = {
      now: () => this.now,
      after: (ms: number, work: () => void) => void this.#timers.push({ at: this.now + ms, work }),
      nextTurn: (work: () => void) => void this.#timers.push({ at: this.now, work }),
    };
    const never = { connect: 2 ** 30, firstContent: 2 ** 30, gap: 2 ** 30, whole: 2 ** 30 };
    const request = {
      method: "POST",
      url: "http://vendor/",
      headers: {},
      signal: new AbortController().signal,
    } as const;
    this.exchange = new StreamExchange(
      { ...request, timeouts: never, pace: this.pace },
      { gathering: createGathering(() => this.isLagging, clock), resolve: () => {}, reject: () => {} },
      inFlightCounter(),
    );
    this.exchange.onRequestStart(this.#controller);
    this.exchange.onResponseStart(this.#controller, 200, {});
    this.read();
  }

  /** Reads what is there, and waits for the rest. */
  readonly read = (): void => {
    while (this.isReading && !this.#isWaiting && this.outcome === undefined) {
      const step = this.#tryTo(() => this.exchange.poll(this.#reader));
      this.#isWaiting = step === undefined && this.outcome === undefined;
      if (step) this.#reader.take(step);
    }
  };

  readonly #reader = {
    take: (step: IteratorResult<Uint8Array, undefined>) => {
      this.#isWaiting = false;
      if (step.done) this.outcome = "end";
      else this.handed.push(Buffer.from(step.value).toString());
    },
    fail: () => {
      this.#isWaiting = false;
      this.outcome = "failure";
    },
  };

  #tryTo<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch {
      this.outcome = "failure";
      return undefined;
    }
  }

  bytes(text: string): void {
    this.exchange.onResponseData(this.#controller, Buffer.from(text));
    this.read();
  }

  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.now = Math.max(this.now, next.at);
      next.work();
      this.read();
    }
    this.now = until;
  }

  close(how: string): void {
    if (how === "end") this.exchange.onResponseEnd();
    else if (how === "failure") this.exchange.onResponseError(this.#controller, new Error("reset"));
    else if (how === "last event") this.bytes("data: [DONE]\n\n");
    else void this.exchange.return();
    this.read();
  }
}

describe("the pieces of a stream", () => {
  test("come in order, none lost, none held longer than a moment, nor while the loop keeps up or nothing was handed over, and ends never wait", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), ending, (actions, how) => {
        const stream = new GatheredStream();
        let sent = "";
        let oldestHeldAt: number | undefined;
        const handed = () => stream.handed.join("");
        for (const each of actions) {
          if (each.kind === "lag") stream.isLagging = each.isOn;
          else if (each.kind === "content") stream.pace.gatherMs = gatherMs;
          else if (each.kind === "full") stream.isReading = false;
          else if (each.kind === "drained") {
            stream.isReading = true;
            stream.read();
          } else if (each.kind === "pass") stream.pass(each.ms);
          else if (each.kind === "bytes") {
            stream.bytes(each.text);
            sent += each.text;
            const mayWait = stream.isLagging && stream.pace.gatherMs > 0;
            if (stream.isReading && !mayWait) expect(handed()).toBe(sent);
          }
          const isBehind = handed() !== sent && stream.isReading;
          oldestHeldAt = isBehind ? (oldestHeldAt ?? stream.now) : undefined;
          if (oldestHeldAt !== undefined) expect(stream.now - oldestHeldAt).toBeLessThanOrEqual(gatherMs + toleranceMs);
          expect(sent.startsWith(handed())).toBe(true);
        }
        stream.isReading = true;
        stream.read();
        stream.close(how);
        if (how === "cancel") return;
        const last = how === "last event" ? "data: [DONE]\n\n" : "";
        expect(handed()).toBe(sent + last);
        if (how !== "last event") expect(stream.outcome).toBe(how);
      }),
      { numRuns: 500 },
    );
  });

  test("are no more than a socket's worth, however long the loop lags", () => {
    const stream = new GatheredStream();
    stream.pace.gatherMs = gatherMs;
    stream.isLagging = true;
    for (let n = 0; n < 40; n++) stream.bytes("x".repeat(10_000));
    expect(stream.handed.join("").length).toBeGreaterThanOrEqual(260_000);
  });
});

/** A vendor whose events come one by one. */
const words = Array.from({ length: 30 }, (_, n) => `word${n} `);
const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const bodies = {
  "/v1/chat/completions": { model: "far/m", stream: true, messages: [{ role: "user", content: "hi" }] },
  "/v1/responses": { model: "far/m", stream: true, input: "hi" },
  "/anthropic/v1/messages": {
    ...{ model: "far/m", stream: true, max_tokens: 100 },
    messages: [{ role: "user", content: "hi" }],
  },
  "/genai/v1beta/models/far%2Fm:streamGenerateContent?alt=sse": {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
  },
  "/cohere/v2/chat": { model: "far/m", stream: true, messages: [{ role: "user", content: "hi" }] },
};

test.each(Object.entries(bodies))("%s says the same, gathered or not", async (path, body) => {
  await using vendor = await serve((request, response) => {
    request.resume().on("end", async () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const content of words) {
        response.write(chunk({ content }, null));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
    });
  });
  const answers: string[] = [];
  let looks = 0;
  for (const isDue of [() => false, () => ++looks > 0]) {
    const transport = undiciTransport({ gathering: createGathering(isDue) });
    const engine = createEngine({
      providers: [custom("far", { baseUrl: `${vendor.url}/v1`, transport })],
      clock: stillClock,
      ids: () => "id-1",
    });
    await using server = await serve(createListener({ engine, clock: stillClock }));
    const answer = await post(server.url + path, body);
    answers.push(await answer.text());
    await engine.close();
    await transport.close();
  }
  expect(answers[0]).toContain("word29");
  expect(answers[1]).toBe(answers[0]);
  expect(looks).toBeGreaterThan(0);
});
