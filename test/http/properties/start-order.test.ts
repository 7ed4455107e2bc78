import fc from "fast-check";
import { expect, test } from "vitest";
import { createListener } from "../../../src/http/server/node.ts";
import { leastPerTurn, StartOrder, streamsPerStart } from "../../../src/http/server/start-order.ts";
import { chunkOf, echo, engineDouble } from "../support/engine-double.ts";
import { connectRaw, promised, rawPost, serve, stillClock } from "../support/server.ts";
import { path, streamed } from "../support/streaming.ts";

type Action =
  | { readonly kind: "arrive"; readonly count: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "begin" | "end"; readonly count: number }
  | { readonly kind: "turn" };

const count = fc.integer({ min: 1, max: 300 });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant("arrive" as const), count }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constantFrom("begin" as const, "end" as const), count }),
  fc.record({ kind: fc.constant("turn" as const) }),
);

const startWaitMs = 100;

function shareOf(streams: number): number {
  return Math.max(leastPerTurn, Math.ceil(streams / streamsPerStart));
}

/** A listener's order of starts over turns, time and streams that the test sets. */
class Turns {
  now = 0;
  readonly begun: number[] = [];
  readonly refused: number[] = [];
  readonly #ends: (() => void)[] = [];
  #planned: (() => void)[] = [];
  #arrived = 0;
  readonly order = new StartOrder({
    startWaitMs,
    clock: { now: () => this.now },
    nextTurn: (work) => this.#planned.push(work),
  });
  /** When each waiting request came, the first in line first. */
  readonly waitingSince = new Map<number, number>();
  /** Requests that began in this turn while a stream ran, and the most streams that ran in it. */
  #begunInTurn = 0;
  #mostStreams = 0;

  get streams(): number {
    return this.#ends.length;
  }

  arrive(): number {
    const request = this.#arrived++;
    this.waitingSince.set(request, this.now);
    this.order.begin((fault) => {
      this.waitingSince.delete(request);
      (fault ? this.refused : this.begun).push(request);
    });
    return request;
  }

  beginStream(): void {
    void this.order.whileRunning(new Promise((resolve) => this.#ends.push(resolve)));
  }

  async endStream(): Promise<void> {
    this.#ends.pop()?.();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }

  async play(one: Action): Promise<void> {
    if (one.kind === "pass") this.now += one.ms;
    else if (one.kind === "turn") this.turn();
    else for (let n = 0; n < one.count; n++) await this.#playOnce(one.kind);
    this.#mostStreams = Math.max(this.#mostStreams, this.streams);
  }

  check(): void {
    expect(this.#begunInTurn).toBeLessThanOrEqual(shareOf(this.#mostStreams));
    expect(this.begun).toEqual([...this.begun].sort((one, other) => one - other));
    expect(this.order.waiting).toBe(this.waitingSince.size);
  }

  async #playOnce(kind: "arrive" | "begin" | "end"): Promise<void> {
    if (kind === "begin") this.beginStream();
    else if (kind === "end") await this.endStream();
    else this.#arriveAndCheck();
  }

  #arriveAndCheck(): void {
    const [head] = this.waitingSince.values();
    const before = this.begun.length;
    const request = this.arrive();
    expect(this.refused.includes(request)).toBe(head !== undefined && this.now - head >= startWaitMs);
    if (this.streams > 0) this.#begunInTurn += this.begun.length - before;
    else if (head === undefined) expect(this.begun.at(-1)).toBe(request);
  }

  turn(): void {
    const planned = this.#planned;
    this.#planned = [];
    const [waiting, before] = [this.waitingSince.size, this.begun.length];
    for (const work of planned) work();
    const begun = this.begun.length - before;
    expect(begun).toBe(this.streams === 0 ? waiting : Math.min(waiting, shareOf(this.streams)));
    this.#begunInTurn = this.streams === 0 ? 0 : begun;
    this.#mostStreams = this.streams;
  }
}

test("requests begin in their order, a share of them in each turn while streams run, and none is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40, size: "max" }), async (actions) => {
      const turns = new Turns();
      for (const one of actions) {
        await turns.play(one);
        turns.check();
      }
      for (let turn = 0; turns.waitingSince.size > 0; turn++) {
        expect(turn).toBeLessThan(1_000);
        turns.turn();
      }
    }),
  );
});

test("while a stream runs, 200 requests that come at once are all answered, and the stream goes on", async () => {
  const next = [promised<void>(), promised<void>()];
  async function* parts() {
    yield chunkOf("one");
    await next[0]?.promise;
    yield chunkOf("two");
    await next[1]?.promise;
  }
  const engine = engineDouble({
    chat: echo,
    streamChat: async () => parts(),
  });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  const stream = connectRaw(server.port, rawPost(path, streamed));
  await stream.until("one");
  const others = Array.from({ length: 200 }, () =>
    connectRaw(server.port, rawPost(path, { ...streamed, stream: false })),
  );
  next[0]?.resolve();
  await stream.until("two");
  for (const other of others) await other.until("HTTP/1.1 200");
  next[1]?.resolve();
  await stream.until("[DONE]");
});
