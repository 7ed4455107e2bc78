import { mintedHider } from "../policy/key.ts";
import type { Environment } from "./terminal.ts";

/** Takes secrets out of a text. */
export type Scrub = (text: string) => string;

/** Variables whose values are nobody's business. */
const secretName = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Values of the environment that must not be seen: those of variables named like a credential, unless too short to be one. */
export function secretsIn(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    return value !== undefined && value.trim().length >= 8 && secretName.test(name) ? [value.trim()] : [];
  });
}

/**
 * Replaces every secret, also where it is written inside of JSON, and, where a prefix of virtual keys is given, whatever looks like one of
 * them or like an access token: a caller may send it where it does not belong, as a path or a model. The last line of defence: nothing
 * should hold one.
 */
export function scrubberOf(secrets: Iterable<string>, keyPrefix?: string): Scrub {
  const written = new Set([...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const longestFirst = [...written].sort((a, b) => b.length - a.length);
  const hideMinted: Scrub = keyPrefix === undefined ? (text) => text : mintedHider(keyPrefix);
  return (text) => hideMinted(longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text));
}
