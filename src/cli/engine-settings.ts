import type { GatewayConfig } from "../config/shape.ts";
import type { Tokens } from "../ports/tokens.ts";
import { needPackages } from "./program/needed-packages.ts";
import { onlyPresent } from "./program/present-options.ts";
import { setupHintFor } from "./providers/setup-hint.ts";

/** The engine's own settings; whether a key is required is a matter of the listener, since who owns this process is trusted. */
export function settingsOf({ timeouts = {}, retry = {}, circuit = {}, concurrency = {}, ...config }: GatewayConfig) {
  const setupHint = setupHintFor(config);
  const { rules, order, recovery, hedge, keyPrefix, unpriced, stablePrompts, gatherMs, mcp } = config;
  const limits = {
    timeouts: onlyPresent(timeouts),
    retry: onlyPresent(retry),
    circuit: onlyPresent(circuit),
    concurrency: onlyPresent(concurrency),
  };
  return { ...limits, setupHint, rules, order, recovery, hedge, keyPrefix, unpriced, stablePrompts, gatherMs, mcp };
}

/** What counts tokens, if it is a package; its absence is an error now. */
export async function openTokens(tokens: GatewayConfig["tokens"]): Promise<Tokens | undefined> {
  if (tokens !== "tiktoken") return undefined;
  needPackages("tokens", "tiktoken"); // loaded at the first count only, but its absence is reported now
  return (await import("tollgate/tokens/tiktoken")).tiktoken();
}
