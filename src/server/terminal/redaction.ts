import { mintedHider } from "../../engine/policy/key.ts";
import { createRedactor, type Redact } from "../../engine/runtime/redaction.ts";
import type { Environment } from "./terminal.ts";

/** Takes secrets out of a text. */
export type Scrub = Redact;

/** Names of variables whose values are secret. */
const secretName = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** The secret values of the environment: those of variables named like a credential, unless they are too short to be one. */
export function secretsIn(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    return value !== undefined && value.trim().length >= 8 && secretName.test(name) ? [value.trim()] : [];
  });
}

/**
 * Replaces every secret, also in JSON, percent-encoded and in base64. With a prefix of virtual keys it also replaces text that looks like a key or an
 * access token, since a caller may send one as a path or a model. This is a last line of defence; no log record should contain a secret.
 */
export function scrubberOf(secrets: Iterable<string>, keyPrefix?: string): Scrub {
  const hide = createRedactor(secrets);
  const hideMinted: Scrub = keyPrefix === undefined ? (text) => text : mintedHider(keyPrefix);
  return (text) => hideMinted(hide(text));
}
