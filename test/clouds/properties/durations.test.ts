import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { upstreamPortal } from "../../../adapters/clouds/http/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { OptionsShape } from "../../../src/engine/options/shape.ts";
import { readOptions } from "../../../src/engine/options.ts";
import { readCallOptions } from "../../../src/engine/pipeline/call/read-options.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { durationIn, readDuration } from "../../../src/engine/runtime/duration.ts";
import { ConfigShape } from "../../../src/server/config/shape.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;

/** A duration of at most a quarter of an hour, as its number of milliseconds and as text of some unit that says the same. */
const anyDuration = fc
  .tuple(fc.constantFrom<Unit>("ms", "s", "m"), fc.integer({ min: 1, max: 15 }))
  .map(([unit, count]) => ({ ms: count * unitMs[unit], text: `${count}${unit}` as Duration }));

/** The durations of an engine's options, each with what it is read as. */
const ofEngine = {
  "timeouts.connect": (value: Duration) => read({ timeouts: { connect: value } }).timeouts.connect,
  "timeouts.firstContentMax": (value: Duration) =>
    read({ timeouts: { firstContentMax: value } }).timeouts.firstContentMax,
  "retry.baseMs": (value: Duration) => read({ retry: { baseMs: value } }).retry.baseMs,
  "retry.patienceMs": (value: Duration) => read({ retry: { patienceMs: value } }).retry.patienceMs,
  "circuit.openMs": (value: Duration) => read({ circuit: { openMs: value } }).circuit.openMs,
  "hedge.after_ms": (value: Duration) => read({ hedge: { after_ms: value } }).hedge?.after_ms,
  "concurrency.maxWaitMs": (value: Duration) => read({ concurrency: { maxWaitMs: value } }).concurrency.maxWaitMs,
  "timeouts.gap of a call": (value: Duration) => readCallOptions({ timeouts: { gap: value } }).timeouts?.gap,
  "hedge of a call": (value: Duration) => readCallOptions({ hedge: { after_ms: value } }).hedge?.after_ms,
};

function read(options: Parameters<typeof readOptions>[0] extends infer Options ? Partial<Options> : never) {
  return readOptions({ providers: [{ name: "a" }], ...options });
}

/** The durations of a configuration file, in milliseconds, with the unit of their numbers. */
const ofFile: Readonly<Record<string, readonly [unit: Unit, read: (value: Duration) => number | undefined]>> = {
  "timeouts.whole": ["ms", (value) => ConfigShape.parse({ timeouts: { whole: value } }).timeouts?.whole],
  "server.keepAliveMs": ["ms", (value) => ConfigShape.parse({ server: { keepAliveMs: value } }).server?.keepAliveMs],
  "network.keepAlive": ["ms", (value) => ConfigShape.parse({ network: { keepAlive: value } }).network?.keepAlive],
  "network.dns.most": ["s", (value) => ConfigShape.parse({ network: { dns: { most: value } } }).network?.dns?.most],
  "cache.ttl": ["s", (value) => ConfigShape.parse({ cache: { ttl: value } }).cache?.ttl],
  pricesInterval: ["s", (value) => ConfigShape.parse({ pricesInterval: value }).pricesInterval],
  "ledger.keepDays": ["d", (value) => ConfigShape.parse({ ledger: { keepDays: value } }).ledger?.keepDays],
};

it.each(Object.entries(ofEngine))("%s of options says the same as a number and as text", (_, readField) => {
  fc.assert(
    fc.property(anyDuration, ({ ms, text }) => {
      expect(readField(text)).toBe(readField(ms));
      expect(readField(text)).toBe(ms);
    }),
  );
});

/** Answers nothing, until it is ended. */
const silent: Transport = {
  whole: ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  stream: () => new Promise(() => {}),
  close: async () => {},
};

/** An operation of another portal that never answers: it ends at its deadline, by the clock. */
it("a deadline of a back end says the same as a number and as text", async () => {
  await fc.assert(
    fc.asyncProperty(anyDuration, async ({ ms, text }) => {
      for (const whole of [ms, text]) {
        const clock = fakeClock();
        const call = callAt(withPortalKinds(memoryStore()).records, {});
        const upstream = upstreamPortal({ url: "http://x", token: "t", timeouts: { whole }, transport: silent, clock });
        let outcome = "waits";
        const asked = upstream.area("users").list?.({}, call);
        Promise.resolve(asked).catch(({ code }) => {
          outcome = code;
        });
        await setImmediate(); // the request is on its way
        await clock.advance(ms - 1);
        expect(outcome).toBe("waits");
        await clock.advance(1);
        expect(outcome).toBe("backend_timeout");
      }
    }),
    { numRuns: 20 },
  );
});

it.each(Object.entries(ofFile))("%s of a file says the same as a number and as text", (_, [unit, readField]) => {
  fc.assert(
    fc.property(anyDuration, ({ ms, text }) => {
      expect(readField(text)).toBeCloseTo(ms / unitMs[unit], 9);
      expect(readField((ms / unitMs[unit]) as Duration)).toBeCloseTo(ms / unitMs[unit], 9);
    }),
  );
});

it("text that is no duration is refused with the name of its field", () => {
  const noDuration = fc.string({ maxLength: 12 }).filter((text) => readDuration(text) === undefined);
  fc.assert(
    fc.property(noDuration, (text) => {
      const { error } = OptionsShape.safeParse({ providers: [{ name: "a" }], timeouts: { gap: text } });
      expect(error?.issues).toMatchObject([
        { path: ["timeouts", "gap"], message: expect.stringContaining('like "10s"') },
      ]);
      expect(() => readCallOptions({ timeouts: { gap: text as Duration } })).toThrow(
        /^`timeouts\.gap`: must be a positive/,
      );
    }),
  );
});

it("text is read back in any unit", () => {
  const count = fc.integer({ min: 0, max: 999_999 });
  const unit = fc.constantFrom<Unit>("ms", "s", "m", "h", "d");
  fc.assert(
    fc.property(count, unit, unit, (number, stated, other) => {
      expect(durationIn(other, `${number}${stated}`)).toBeCloseTo((number * unitMs[stated]) / unitMs[other], 6);
      expect(durationIn(other, `${number}`)).toBe(number);
    }),
  );
});
