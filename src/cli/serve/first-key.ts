import { type Engine, systemClock } from "../../index.ts";
import { createTurn } from "../../portal/turn.ts";
import type { Records } from "../../ports/records.ts";
import type { Terminal } from "../terminal.ts";

/** Keys by function. */
type Keys = Pick<Engine["keys"], "list" | "create">;

/**
 * Makes a key that may ask everything, where there is none yet, and resolves with its value, which is kept nowhere; `undefined` when
 * there are keys already. Of several gateways that start at once, one makes it.
 */
export async function makeFirstKey(keys: Keys, records: Records): Promise<string | undefined> {
  if (await isThereOne(keys)) return undefined;
  const turn = createTurn({ records, clock: systemClock }, "first key");
  return turn(async () => {
    if (await isThereOne(keys)) return undefined;
    const everything = [{ provider: "*", allowed_models: ["*"] }];
    const { value } = await keys.create({ name: "first", provider_configs: everything });
    return value;
  });
}

async function isThereOne(keys: Keys): Promise<boolean> {
  return (await keys.list({ limit: 1 })).items.length > 0;
}

/**
 * Keeps a signal waiting: what is shown this once must be shown before the end. The returned function lets go, and tells the signal that
 * came.
 */
export function holdSignal({ onSignal }: Pick<Terminal, "onSignal">): () => Signal | undefined {
  let came: Signal | undefined;
  const forget = onSignal((signal) => {
    came = signal;
  });
  return () => {
    forget();
    return came;
  };
}

type Signal = Parameters<Parameters<Terminal["onSignal"]>[0]>[0];
