import { namingFile } from "../config/origin.ts";
import { misconfigured } from "../config/references.ts";
import type { CheckedConfig } from "../config/shape.ts";
import type { Gathered } from "../gather.ts";
import type { ListenAddress } from "../network/address.ts";
import { refuseSelfAddress } from "../network/self-address.ts";
import { findChanges, type SettingChange } from "./changes.ts";

/** Sections that a running gateway can take over; all others need a restart. */
const reloadable: ReadonlySet<string> = new Set<keyof CheckedConfig>([
  ...(["providers", "discover", "network", "prices", "cache", "logLevel"] as const),
  ...(["rules", "order", "recovery", "hedge", "timeouts", "retry", "circuit"] as const),
  ...(["stablePrompts", "gatherMs", "unpriced"] as const),
]);

/**
 * What differs between two configurations. Throws `invalid_configuration` naming a setting that only a restart can change, or a provider
 * with the address of this server.
 */
export async function checkChanges(
  former: Gathered,
  next: Gathered,
  listenAddress: ListenAddress,
): Promise<readonly SettingChange[]> {
  const changes = findChanges(comparable(former), comparable(next));
  await namingFile(next, () => refuseOthers(changes));
  refuseSelfAddress(next.sources, listenAddress);
  return changes;
}

/** The configuration with what each provider is made of, so that one found in the environment is compared too. */
function comparable({ config, made }: Gathered): unknown {
  const { providers: _declared, ...rest } = config;
  const providers = made.map(({ order, source }) => {
    return [source.name, order ? { ...order.settings, vendor: order.vendor } : source.provider] as const;
  });
  return { ...rest, providers: Object.fromEntries(providers) };
}

function refuseOthers(changes: readonly SettingChange[]): void {
  const fixed = changes.map(({ path }) => path).filter((path) => !reloadable.has(path.split(".")[0] ?? ""));
  const [first] = fixed;
  if (first === undefined) return;
  const others = fixed.length > 1 ? ` (as do ${fixed.slice(1, 6).join(", ")})` : "";
  throw misconfigured(first, `can change only with a restart${others}; nothing was taken over`);
}
