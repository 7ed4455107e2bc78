import { describe, expect, it } from "vitest";
import { untilStopped } from "../../../src/server/drain.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

describe("a signal", () => {
  function stoppable(more: { readonly delayMs?: number } = {}) {
    let now = 0;
    const drained = Promise.withResolvers<void>();
    const graces: (number | undefined)[] = [];
    const announced: string[] = [];
    const terminal = fakeTerminal({ now: () => now });
    const stopped = untilStopped({
      engine: {
        inFlight: 1,
        announceClose: () => void announced.push("engine"),
        close(options) {
          graces.push(options?.graceMs);
          return drained.promise;
        },
      },
      server: {
        announceClose: () => void announced.push("server"),
        stopListening: () => void announced.push("port"),
        close: async () => {},
      },
      log: { info: () => {} },
      terminal,
      graceMs: 5_000,
      ...more,
    });
    const moveTo = (time: number) => {
      now = time;
    };
    return { terminal, stopped, drained, graces, announced, moveTo };
  }

  it("ends with 0 once all is finished, within the grace", async () => {
    const { terminal, stopped, drained, graces } = stoppable();
    terminal.send("SIGTERM");
    drained.resolve();
    expect(await stopped).toBe(0);
    expect(graces).toEqual([5_000]);
    expect(terminal.written.err).toBe("Finishing 1 request; a second signal stops immediately.\n");
  });

  it("is announced before the port closes, where a delay is wanted", async () => {
    const { terminal, stopped, drained, graces, announced } = stoppable({ delayMs: 1 });
    terminal.send("SIGTERM");
    expect([announced, graces]).toEqual([["engine", "server"], []]);
    drained.resolve();
    expect(await stopped).toBe(0);
    expect([announced, graces]).toEqual([["engine", "server", "port"], [5_000]]);
  });

  it("is not announced where none is", async () => {
    const { terminal, stopped, drained, announced } = stoppable();
    terminal.send("SIGTERM");
    drained.resolve();
    await stopped;
    expect(announced).toEqual([]);
  });

  it.each([
    ["SIGINT" as const, 130],
    ["SIGTERM" as const, 143],
  ])("that is the second one ends at once: %s", async (signal, exitCode) => {
    const { terminal, stopped, moveTo } = stoppable();
    terminal.send("SIGTERM");
    moveTo(501);
    terminal.send(signal);
    expect(await stopped).toBe(exitCode);
  });

  it("that comes twice, from the terminal and from npm, is one", async () => {
    const { terminal, stopped, drained, graces, moveTo } = stoppable();
    terminal.send("SIGINT");
    moveTo(499);
    terminal.send("SIGINT");
    drained.resolve();
    expect(await stopped).toBe(0);
    expect(graces).toHaveLength(1);
  });
});

it("listens for signals before the hold of the start ends, so that none comes in between", async () => {
  const order: string[] = [];
  const stopped = untilStopped({
    engine: { inFlight: 0, announceClose: () => {}, close: async () => {} },
    server: { announceClose: () => {}, stopListening: () => {}, close: async () => {} },
    ...{ log: { info: () => {} }, graceMs: 0 },
    terminal: {
      onSignal() {
        order.push("listens");
        return () => {};
      },
      ...{ err: () => {}, now: () => 0 },
    },
    stoppedBy() {
      order.push("lets go");
      return "SIGTERM";
    },
  });
  expect(await stopped).toBe(0);
  expect(order).toEqual(["listens", "lets go"]);
});
