import { describe, expect, it } from "vitest";
import { type ErrorCode, errorTable, GatewayError } from "../../../src/engine/errors.ts";
import {
  admitCircuit,
  type Circuit,
  type CircuitOutcome,
  type CircuitPass,
  circuitOutcome,
  describeCircuit,
  newCircuit,
  recordCircuit,
} from "../../../src/engine/routing/index.ts";

const start = 1_000_000;

function admit(circuit: Circuit, now: number): CircuitPass {
  const ticket = admitCircuit(circuit, now);
  if (!ticket) throw new Error("was not admitted");
  return ticket;
}

function ask(circuit: Circuit, outcomes: string, now = start): void {
  const words: Record<string, CircuitOutcome> = { s: "success", F: "failure", n: "neutral" };
  for (const letter of outcomes) recordCircuit(admit(circuit, now), words[letter] as CircuitOutcome, now);
}

function opened(now = start): Circuit {
  const circuit = newCircuit();
  ask(circuit, "FFFFF", now);
  return circuit;
}

describe("a circuit opens", () => {
  it.each([
    ["FFFFF", "five failures in a row"],
    ["ssFFFFF", "five failures in a row after successes"],
    ["FFnFFnF", "failures in a row, whatever says nothing in between"],
    ["FsFsFsFsFsFsFsFsFsFF", "eleven failures of twenty"],
    ["ssssssssssFFFFsFFFsFFFF", "more than half of the last twenty, older ones forgotten"],
  ])("%s: %s", (outcomes) => {
    const circuit = newCircuit();
    ask(circuit, outcomes);
    expect(circuit.state).toBe("open");
  });
  it.each([
    ["FFFF", "four failures in a row"],
    ["FFFFsFFFF", "a success between failures, and too few outcomes for a share"],
    ["FsFsFsFsFsFsFsFsFsFs", "exactly half of the last twenty"],
    ["FFFFsFFFFsFFFs", "eleven failures before twenty outcomes are known"],
    ["nnnnnnnnnnnnnnnnnnnnnnnn", "outcomes that say nothing"],
  ])("%s: not by %s", (outcomes) => {
    const circuit = newCircuit();
    ask(circuit, outcomes);
    expect(circuit.state).toBe("closed");
  });
  it("tells that it opened, once", () => {
    const circuit = newCircuit();
    const tickets = Array.from({ length: 8 }, () => admit(circuit, start));
    const changes = tickets.map((ticket) => recordCircuit(ticket, "failure", start));
    expect(changes.filter(Boolean)).toEqual(["opened"]);
    expect(changes[4]).toBe("opened");
  });
});

describe("an open circuit", () => {
  it("stays open for 5, 10, 11.5 and 11.5 seconds when every probe fails", () => {
    const circuit = opened();
    let now = start;
    for (const seconds of [5, 10, 11.5, 11.5]) {
      expect(admitCircuit(circuit, now + seconds * 1_000 - 1)).toBeUndefined();
      now += seconds * 1_000;
      expect(recordCircuit(admit(circuit, now), "failure", now)).toBe("opened");
    }
  });
  it("begins at five seconds again after a probe that went well", () => {
    const circuit = opened();
    recordCircuit(admit(circuit, start + 10_000), "failure", start + 10_000);
    expect(recordCircuit(admit(circuit, start + 30_000), "success", start + 30_000)).toBe("closed");
    ask(circuit, "FFFFF", start + 40_000);
    expect(admitCircuit(circuit, start + 44_999)).toBeUndefined();
    expect(admitCircuit(circuit, start + 45_000)).toMatchObject({ isProbe: true });
  });
  it("lets exactly one of many through when its time is over", () => {
    const circuit = opened();
    const admitted = Array.from({ length: 100 }, () => admitCircuit(circuit, start + 10_000)).filter(Boolean);
    expect(admitted).toHaveLength(1);
  });
  it("does not take a request that began while it was closed for its probe", () => {
    const circuit = newCircuit();
    const [slowWell, slowIll] = [admit(circuit, start), admit(circuit, start)];
    ask(circuit, "FFFFF");
    const probe = admit(circuit, start + 10_000);
    recordCircuit(slowIll, "failure", start + 10_001);
    recordCircuit(slowWell, "success", start + 10_002);
    expect(circuit.state).toBe("half_open");
    expect(admitCircuit(circuit, start + 10_003)).toBeUndefined();
    recordCircuit(probe, "success", start + 10_004);
    expect(circuit.state).toBe("closed");
  });
  it("does not count in its new life what began in its old one", () => {
    const circuit = newCircuit();
    const old = admit(circuit, start);
    ask(circuit, "FFFFF");
    recordCircuit(admit(circuit, start + 10_000), "success", start + 10_000);
    recordCircuit(old, "failure", start + 10_001);
    expect(describeCircuit(circuit, start)).toMatchObject({ state: "closed", inARow: 0, samples: 0 });
  });
  it("gives the place of a cancelled probe to the next request at once, for no longer time open", () => {
    const circuit = opened();
    recordCircuit(admit(circuit, start + 10_000), "neutral", start + 10_500);
    const probe = admit(circuit, start + 10_500);
    expect(probe.isProbe).toBe(true);
    recordCircuit(probe, "failure", start + 11_000);
    expect(admitCircuit(circuit, start + 20_999)).toBeUndefined();
    expect(admitCircuit(circuit, start + 21_000)).toBeDefined();
  });
  it("gives the place of a probe that was never heard of to the next at the asker's deadline", () => {
    const circuit = opened();
    const lost = admitCircuit(circuit, start + 10_000, start + 15_000) as CircuitPass;
    expect(admitCircuit(circuit, start + 14_999)).toBeUndefined();
    const second = admit(circuit, start + 15_000);
    expect(recordCircuit(lost, "failure", start + 15_001)).toBeUndefined();
    expect(recordCircuit(second, "success", start + 15_002)).toBe("closed");
  });
  it("is not shut for hours by a clock that is set back", () => {
    const circuit = opened();
    expect(admitCircuit(circuit, start - 3_600_000)).toMatchObject({ isProbe: true });
  });
});

describe("an outage of a minute", () => {
  /** What is seen of it by a target that is asked once each `ms`: tries that failed, and when it is used again. */
  function outage(ms: number) {
    const circuit = newCircuit();
    let tries = 0;
    for (let now = 0; ; now += ms) {
      const pass = admitCircuit(circuit, now);
      if (!pass) continue;
      if (now >= 60_000) return { tries, usedAgainAt: now };
      tries++;
      recordCircuit(pass, "failure", now);
    }
  }

  it.each([50, 100, 500, 2_000, 4_000])("asked each %d ms: at most ten tries, used again within 5 s", (ms) => {
    const { tries, usedAgainAt } = outage(ms);
    expect(tries).toBeLessThanOrEqual(10);
    expect(usedAgainAt).toBeLessThanOrEqual(65_000);
  });
  it.each([1_000, 1_500, 3_000])("asked each %d ms: used again within the longest time open", (ms) => {
    expect(outage(ms).usedAgainAt).toBeLessThanOrEqual(60_000 + 11_500 + ms);
    expect(outage(ms).tries).toBeLessThanOrEqual(10);
  });
});

describe("describeCircuit", () => {
  it("counts down the time open, and never more than one time open for a probe", () => {
    const circuit = opened();
    expect(describeCircuit(circuit, start + 4_000)).toMatchObject({ state: "open", retryAfterMs: 1_000, inARow: 5 });
    expect(describeCircuit(circuit, start + 10_000)).toMatchObject({ state: "half_open", retryAfterMs: 0 });
    admit(circuit, start + 10_000);
    expect(describeCircuit(circuit, start + 10_001)).toMatchObject({ state: "half_open", retryAfterMs: 5_000 });
  });
  it("changes nothing", () => {
    const circuit = opened();
    const before = { ...circuit };
    describeCircuit(circuit, start + 20_000);
    expect(circuit).toEqual(before);
  });
});

describe("circuitOutcome", () => {
  const upstream = (status: number) =>
    new GatewayError("upstream_error", "no", { upstream: { status, message: "no" } });
  it("no error is a success", () => expect(circuitOutcome()).toBe("success"));
  it.each([408, 500, 502, 503, 504, 520, 529])("%i is a failure", (status) => {
    expect(circuitOutcome(upstream(status))).toBe("failure");
  });
  it.each([400, 401, 402, 403, 404, 409, 413, 422, 429, 501])("%i says nothing of the target's health", (status) => {
    expect(circuitOutcome(upstream(status))).toBe("neutral");
  });
  it("of the gateway's own codes, lost connections, timeouts, unreadable answers and broken streams are failures", () => {
    const failing = (Object.keys(errorTable) as ErrorCode[]).filter(
      (code) => circuitOutcome(new GatewayError(code, "no")) === "failure",
    );
    expect(failing).toEqual([
      "upstream_unreachable",
      "upstream_timeout",
      "upstream_stream_broken",
      "upstream_invalid_response",
    ]);
  });
});
