import type { Engine } from "../../index.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Makes a key that may ask everything, where there is none yet, and resolves with its value, which is kept nowhere; `undefined` when
 * there are keys already.
 */
export async function makeFirstKey(engine: Pick<Engine, "keys">): Promise<string | undefined> {
  const { items } = await engine.keys.list({ limit: 1 });
  if (items.length > 0) return undefined;
  const everything = [{ provider: "*", allowed_models: ["*"] }];
  const { value } = await engine.keys.create({ name: "first", provider_configs: everything });
  return value;
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
