import { describe, expect, it } from "vitest";
import { defaultTimeouts, readOptions } from "../../src/engine/options.ts";
import { createEngine, type EngineOptions } from "../../src/index.ts";

const provider = { name: "a" };
const refusalOf = (options: unknown) => {
  try {
    createEngine(options as EngineOptions);
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was refused");
};

describe("createEngine", () => {
  it.each([
    [{}, "providers"],
    [{ providers: [] }, "providers"],
    [{ providers: [provider, { name: "A b" }] }, "providers.1.name"],
    [{ providers: [provider, { name: "a" }] }, "providers.1.name"],
    [{ providers: [{ name: "a", chat: "yes" }] }, "providers.0.chat"],
    [{ providers: [{ name: "a", timeouts: { gap: 0 } }] }, "providers.0.timeouts.gap"],
    [{ providers: [provider], timeouts: { whole: -1 } }, "timeouts.whole"],
    [{ providers: [provider], timeouts: { total: 1 } }, "timeouts.total"],
    [{ providers: [provider], retry: { retries: 1.5 } }, "retry.retries"],
    [{ providers: [provider], fallback: [] }, "fallback"],
    [{ providers: [provider], keyPrefix: "schlüssel-" }, "keyPrefix"],
    [{ providers: [provider], keyPrefix: "sk tg-" }, "keyPrefix"],
    [{ providers: [provider], keyPrefix: "sk-tg-\n" }, "keyPrefix"],
    [{ providers: [provider], clock: { now: 1 } }, "clock.now"],
    [{ providers: [provider], clock: {} }, "clock.now"],
    [{ providers: [provider], clock: { now: () => 0 } }, "clock.after"],
    [undefined, undefined],
  ])("refuses %j naming the field", (options, param) => {
    expect(refusalOf(options)).toMatchObject({ code: "invalid_configuration", param });
  });
  it("fills what is left out with the defaults of the specification", () => {
    const { timeouts, retry } = readOptions({ providers: [provider], timeouts: { gap: 5 } });
    expect(timeouts).toEqual({ ...defaultTimeouts, gap: 5 });
    expect(retry).toEqual({ retries: 2, baseMs: 500, maxMs: 5_000, patienceMs: 2_000 });
  });
});

describe("a field that is there but undefined", () => {
  it.each(["timeouts", "retry", "circuit"] as const)("takes no default of %s away", (name) => {
    const { [name]: defaults } = readOptions({ providers: [provider] });
    const undefinedOnes = Object.fromEntries(Object.keys(defaults).map((field) => [field, undefined]));
    expect(readOptions({ providers: [provider], [name]: undefinedOnes })[name]).toEqual(defaults);
  });
});
