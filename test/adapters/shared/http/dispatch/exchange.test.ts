import type { Dispatcher } from "undici";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { StreamExchange } from "../../../../../adapters/shared/http/dispatch/streamed.ts";
import { WholeExchange } from "../../../../../adapters/shared/http/dispatch/whole.ts";
import { inFlightCounter } from "../../../../../adapters/shared/http/in-flight.ts";
import type { GatewayError } from "../../../../../src/engine/errors.ts";
import { post } from "../../../support/shared/http/setup.ts";

/** One exchange with undici's part played by the test, at a time that stands still unless told. */
function begin(timeouts: Partial<ReturnType<typeof post>["timeouts"]>) {
  const failures: [number, GatewayError][] = [];
  const request = post("http://127.0.0.1:1/", {
    timeouts: { connect: 100, firstContent: 100, gap: 100, ...timeouts },
  });
  const reject = (error: GatewayError) => void failures.push([performance.now(), error]);
  const exchange = new WholeExchange(request, { resolve: () => {}, reject, limit: 1_000 }, inFlightCounter());
  const controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
  return {
    failures,
    start: () => exchange.onRequestStart(controller),
    head: () => exchange.onResponseStart(controller, 200, {}),
    bytes: () => exchange.onResponseData(controller, Buffer.from("x")),
  };
}

/** Lets time pass, and what is due happen. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

describe("the deadline of an exchange", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    return () => vi.useRealTimers();
  });

  it("is the one of the phase, though the timer of a shorter one is left to ring", async () => {
    const { failures, start } = begin({ connect: 30, firstContent: 120 });
    await pass(10);
    start();
    await pass(119);
    expect(failures).toEqual([]);
    await pass(2);
    expect(failures.map(([, error]) => error.code)).toEqual(["upstream_timeout"]);
  });

  it("is kept when it is shorter than the one before", async () => {
    const { failures, start, head } = begin({ connect: 500, firstContent: 300, gap: 20 });
    start();
    head();
    await pass(21);
    expect(failures).toHaveLength(1);
  });

  it("counts from the last bytes", async () => {
    const { failures, start, head, bytes } = begin({});
    start();
    head();
    for (let n = 0; n < 5; n++) {
      await pass(90);
      bytes();
    }
    await pass(99);
    expect(failures).toEqual([]);
    await pass(2);
    expect(failures).toHaveLength(1);
  });

  it("goes on when bytes came while it rang, and is kept after that", async () => {
    let bytes = () => {};
    setTimeout(() => setImmediate(() => bytes()), 100); // rings before the exchange's, which looks once more after the sockets were read
    const exchange = begin({ connect: 1_000, firstContent: 1_000 });
    exchange.start();
    exchange.head();
    bytes = exchange.bytes;
    await pass(199);
    expect(exchange.failures).toEqual([]);
    await pass(5);
    expect(exchange.failures).toHaveLength(1);
  });

  it("does not run while the reader is slow, also when it rang as the bytes came that are too many", async () => {
    let bytes = () => {};
    setTimeout(() => setImmediate(() => bytes()), 100); // as above
    const failures: unknown[] = [];
    const request = post("http://127.0.0.1:1/", {
      timeouts: { connect: 1_000, firstContent: 1_000, gap: 100 },
    });
    const exchange = new StreamExchange(request, { resolve: () => {}, reject: () => {} }, inFlightCounter());
    const controller = { abort: () => failures.push("closed"), pause() {}, resume() {} };
    const given = controller as unknown as Dispatcher.DispatchController;
    exchange.onRequestStart(given);
    exchange.onResponseStart(given, 200, {});
    exchange.onResponseData(given, Buffer.from("x"));
    bytes = () => exchange.onResponseData(given, Buffer.alloc(300_000));
    await pass(1_000);
    expect(failures).toEqual([]);
    expect((await exchange.next()).value).toHaveLength(300_001);
    await pass(101);
    expect(failures).toEqual(["closed"]);
  });

  it("without end is no timer that rings all the time", async () => {
    const { start, failures } = begin({ connect: Number.POSITIVE_INFINITY, firstContent: 2 ** 31 });
    const timers = vi.spyOn(globalThis, "setTimeout");
    start();
    await pass(50);
    const count = timers.mock.calls.length;
    timers.mockRestore();
    expect([count, failures]).toEqual([0, []]);
  });
});
