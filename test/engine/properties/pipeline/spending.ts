import fc from "fast-check";
import { type Engine, type GatewayError, isGatewayError } from "../../../../src/index.ts";

/** As many tokens as characters, and ten for a prompt of a chat. */
export const tokens = { countText: (said: string) => said.length, countChat: () => 10 };

/** How a try of a vendor may end: well, without telling what was used, never, or by one of the failures. */
export function anyEnd<Failure extends string>(failures: Readonly<Record<Failure, () => Error>>) {
  return fc.constantFrom("well", "well", "well", "silent", "hangs", ...(Object.keys(failures) as Failure[]));
}

/** A key's entries for both targets of {@link route}. */
export const bothProviders = ["a", "b"].map((provider) => ({ provider, allowed_models: ["*"] }));

export const route = { model: "a/m", fallbacks: ["b/m"] };
export const chat = { ...route, messages: [{ role: "user" as const, content: "hi" }] };
export const embedding = { ...route, input: ["one", "three", "seventeen"] };

/** How a call is made: with a second target beside the first, and by a caller who leaves after so many milliseconds. */
interface Manner {
  readonly isHedged: boolean;
  readonly abortAfter: number | null;
}

/** The options of such a call. */
export function optionsOf(engine: Engine, key: string, { isHedged, abortAfter }: Manner) {
  const controller = new AbortController();
  if (abortAfter !== null) engine.clock.after(abortAfter, () => controller.abort());
  return { key, signal: controller.signal, ...(isHedged ? { hedge: { after_ms: 200 } } : {}) };
}

/** Lets a call fail as calls do, and gives the error; what is none of the table is a defect. */
export async function failureOf(call: Promise<unknown>): Promise<GatewayError | undefined> {
  try {
    await call;
    return undefined;
  } catch (thrown) {
    if (isGatewayError(thrown)) return thrown;
    throw thrown;
  }
}

/** What `settled` events tell that calls cost, in nano-dollars, by their ids. */
export function toldCosts(engine: Engine): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  engine.on("settled", ({ event_id, cost = 0 }) => costs.set(event_id, Math.round(cost * 1e9)));
  return costs;
}

/** What the ledger has for each call that it cost. */
export function bookedCosts({ entries }: Pick<Awaited<ReturnType<typeof readBooks>>, "entries">) {
  return new Map(entries.map(({ id, attempts }) => [id, attempts.reduce((sum, { cost_nano }) => sum + cost_nano, 0)]));
}

/** What the books say of all calls of a key. */
export async function readBooks(engine: Engine, keyId: string) {
  const { entries } = await engine.usage.entries({ limit: 100 });
  const standing = await engine.usage.limits(keyId);
  return { entries, lines: entries.flatMap(({ attempts }) => attempts), standing };
}
