import type { Tokens } from "../engine/ports/tokens.ts";
import type { CheckedConfig } from "./config/shape.ts";
import type { Gathered } from "./gather.ts";
import { needPackages } from "./needed-packages.ts";
import { onlyPresent } from "./present-options.ts";
import { setupHintFor } from "./providers/setup-hint.ts";

export { openGuards } from "./open-guards.ts";

/** The engine's own settings; whether a key is required is a matter of the listener, since who owns this process is trusted. */
export function settingsOf({ timeouts = {}, retry = {}, circuit = {}, concurrency = {}, ...config }: CheckedConfig) {
  const setupHint = setupHintFor(config);
  const { rules, order, recovery, hedge, keyPrefix, unpriced, stablePrompts, gatherMs, mcp } = config;
  const limits = {
    timeouts: onlyPresent(timeouts),
    retry: onlyPresent(retry),
    circuit: onlyPresent(circuit),
    concurrency: onlyPresent(concurrency),
  };
  const knownKeysMs = knownKeysOf(config.storeUnavailable);
  return {
    ...limits,
    knownKeysMs,
    setupHint,
    rules,
    order,
    recovery,
    hedge,
    keyPrefix,
    unpriced,
    stablePrompts,
    gatherMs,
    mcp,
  };
}

function knownKeysOf(setting: CheckedConfig["storeUnavailable"]): number | undefined {
  return setting?.calls === "known_keys" ? (setting.knownFor ?? 10) * 60_000 : undefined;
}

/** What counts tokens, if it is a package; its absence is an error now. */
export async function openTokens(tokens: CheckedConfig["tokens"]): Promise<Tokens | undefined> {
  if (tokens !== "tiktoken") return undefined;
  needPackages("tokens", "tiktoken"); // loaded at the first count only, but its absence is reported now
  return (await import("tollgate/tokens/tiktoken")).tiktoken();
}

/** What tool servers over HTTP are reached over, where the network has settings; the engine closes it. */
export async function openToolTransport({ config, network }: Pick<Gathered, "config" | "network">) {
  const isNeeded = Object.values(config.mcp?.servers ?? {}).some((server) => "url" in server);
  return isNeeded ? network.open() : undefined;
}
