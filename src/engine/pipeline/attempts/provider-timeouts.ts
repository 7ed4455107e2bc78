import type { Timeouts } from "../../ports/provider.ts";
import { durationIn } from "../../runtime/duration.ts";
import type { Ports } from "../runtime/ports.ts";

/** The deadlines that a provider has of its own, in milliseconds; `undefined` where it has none. */
export function timeoutsOfProvider(
  { providers }: Pick<Ports, "providers">,
  name: string,
): Partial<Timeouts> | undefined {
  const stated = providers.get(name)?.timeouts;
  if (stated === undefined) return undefined;
  const own: { -readonly [Name in keyof Timeouts]?: number } = {};
  for (const [field, value] of Object.entries(stated))
    if (value !== undefined) own[field as keyof Timeouts] = durationIn("ms", value) ?? 0; // the engine's options are checked
  return own;
}
