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

/** Replaces every secret, also where it is written inside of JSON. The last line of defence: nothing should hold one. */
export function scrubberOf(secrets: Iterable<string>): Scrub {
  const written = new Set([...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const longestFirst = [...written].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}
