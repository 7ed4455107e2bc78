import { tokenPrefix } from "../policy/key.ts";
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
  const prefixes = keyPrefix === undefined ? [] : [keyPrefix.toLowerCase(), tokenPrefix]; // in lower case, as keys are minted
  const minted = prefixes.map((prefix) => ({ prefix, shape: shapeOf(prefix) }));
  return (text) => {
    const known = longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
    return minted.reduce(
      (clean, { prefix, shape }) => (clean.includes(prefix) ? clean.replace(shape, "$1[redacted]") : clean),
      known,
    );
  };
}

/** A minted value: 43 characters behind its prefix, which may be a single one. */
function shapeOf(prefix: string): RegExp {
  return new RegExp(`(${prefix.replace(/[^0-9A-Za-z]/g, "\\$&")})[0-9A-Za-z]{43}`, "g");
}
