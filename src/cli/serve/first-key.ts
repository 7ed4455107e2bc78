import type { Engine } from "../../index.ts";

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
