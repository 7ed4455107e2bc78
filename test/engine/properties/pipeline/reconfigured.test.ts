import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { scriptedProviders } from "../../../../src/testing/index.ts";
import { answer, engineOver, messages, settled, textOf } from "../../support/support.ts";

const request = { model: "a/m", messages, fallbacks: ["b/m"] };

/** Providers of one configuration: `a` always fails, `b` answers with the configuration's number, both when the test lets them. */
class NumberedProviders {
  readonly number: number;
  readonly providers: readonly Provider[];
  underWay = 0;
  closed = 0;
  isClosedEarly = false;
  #held: (() => void)[] = [];

  constructor(number: number) {
    this.number = number;
    const script = {
      "a/m": [{ kind: "fail", status: 404 } as const],
      "b/m": [answer(String(number))],
    };
    this.providers = scriptedProviders(script).providers.map((provider) => this.#gated(provider));
  }

  /** Lets the first `count` calls that wait go on. */
  async release(count: number): Promise<void> {
    for (const resolve of this.#held.splice(0, count)) resolve();
    await settled();
  }

  #gated(provider: Provider): Provider {
    const wait = () => new Promise<void>((resolve) => this.#held.push(resolve));
    return {
      ...provider,
      chat: async (request, call) => {
        await wait();
        return (provider.chat as NonNullable<Provider["chat"]>)(request, call);
      },
      async *streamChat(request, call) {
        await wait();
        yield* (provider.streamChat as NonNullable<Provider["streamChat"]>)(request, call);
      },
      close: async () => {
        this.closed += 1;
        if (this.underWay > 0) this.isClosedEarly = true;
      },
    };
  }
}

type Action =
  | { readonly kind: "chat" | "streamChat" | "reconfigure" | "refused" }
  | { readonly kind: "release"; readonly of: number; readonly count: number }
  | { readonly kind: "pass"; readonly ms: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("chat" as const, "streamChat" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("reconfigure" as const, "refused" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("release" as const),
      of: fc.nat(5),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 3_000 }) }) },
);

/** An engine, its configurations so far and the calls under way. */
class ReconfiguredEngine {
  readonly configurations = [new NumberedProviders(0)];
  readonly calls: Promise<void>[] = [];
  readonly world = engineOver(this.live.providers);

  get live(): NumberedProviders {
    return this.configurations.at(-1) as NumberedProviders;
  }

  async play(one: Action): Promise<void> {
    if (one.kind === "release") await this.configurations[one.of % this.configurations.length]?.release(one.count);
    else if (one.kind === "pass") await this.world.clock.advance(one.ms);
    else if (one.kind === "reconfigure") this.#reconfigure();
    else if (one.kind === "refused") this.#beRefused();
    else this.calls.push(this.#ask(one.kind, this.live));
  }

  async end(): Promise<void> {
    await settled();
    for (const each of this.configurations) {
      await each.release(1_000); // the first candidates
      await each.release(1_000); // the second ones
    }
    await Promise.all(this.calls);
    await this.world.clock.advance(2_000);
  }

  async #ask(verb: "chat" | "streamChat", begunWith: NumberedProviders): Promise<void> {
    const { engine } = this.world;
    begunWith.underWay += 1;
    const text =
      verb === "chat"
        ? (await engine.chat(request)).choices[0]?.message.content
        : await textOf(await engine.streamChat(request));
    begunWith.underWay -= 1;
    expect(text).toBe(String(begunWith.number));
  }

  #reconfigure(): void {
    const next = new NumberedProviders(this.configurations.length);
    this.world.engine.reconfigure({ providers: next.providers });
    this.configurations.push(next);
  }

  #beRefused(): void {
    const twice = [...new NumberedProviders(-1).providers, ...this.live.providers];
    expect(() => this.world.engine.reconfigure({ providers: twice })).toThrow(/twice/);
  }
}

describe("an engine that is configured anew", () => {
  it("answers each call by the options that it began with, and closes what no call uses any more", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 30, size: "max" }), async (actions) => {
        const under = new ReconfiguredEngine();
        for (const one of actions) await under.play(one);
        await under.end();
        const { configurations, live, world } = under;
        const closed = () => configurations.map((each) => each.closed);
        expect(closed()).toEqual(configurations.map((each) => (each === live ? 0 : 2)));
        await world.engine.close();
        expect(closed()).toEqual(configurations.map(() => 2));
        expect(configurations.filter((each) => each.isClosedEarly)).toEqual([]);
      }),
    );
  });

  it("keeps a provider that it is given again, with what it has under way", async () => {
    const first = new NumberedProviders(1);
    const { engine } = engineOver(first.providers);
    engine.reconfigure({ providers: first.providers, order: "price" });
    await settled();
    expect(first.closed).toBe(0);
    await engine.close();
    expect(first.closed).toBe(2);
    expect(() => engine.reconfigure({ providers: first.providers })).toThrow("closing");
  });

  it("cuts calls of former configurations off with the engine, and closes their parts then", async () => {
    const [first, second] = [new NumberedProviders(1), new NumberedProviders(2)];
    const { engine, clock } = engineOver(first.providers);
    const call = engine.chat(request).catch((thrown) => thrown);
    await settled();
    engine.reconfigure({ providers: second.providers });
    const closing = engine.close({ graceMs: 10 });
    await clock.advance(10);
    await closing;
    expect(await call).toMatchObject({ code: "shutting_down" });
    expect([first.closed, second.closed]).toEqual([2, 2]);
  });
});
