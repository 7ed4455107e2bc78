import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { Entropy } from "../../engine/ports/clock.ts";

/**
 * Encrypts secrets for the store. Sealing the same text twice returns different results. A sealed text is bound to its `place`, the record
 * and field that it is stored in: in another place it cannot be opened.
 */
export interface Secrets {
  /** Throws `not_implemented` where no secret was configured. */
  seal(plain: string, place: string): string;
  /** Throws `invalid_configuration` for what was not sealed with these secrets, or was changed since; `not_implemented` without one. */
  open(sealed: string, place: string): string;
  /** For lists, which omit what cannot be read: returns undefined where `open` would throw. */
  tryOpen(sealed: string, place: string): string | undefined;
  /** True for what a rotation need not seal anew: it is sealed in the present form with the present secret. */
  isCurrent(sealed: string): boolean;
}

/** The minimum length of a secret in characters. */
const fewest = 16;
const [nonceBytes, tagBytes] = [12, 16];

/** The form of today: `v2.<id of the key>.<nonce, tag and text>`. Before, `v1.<…>` named no key and was bound to no place. */
const versions = { current: "v2.", first: "v1." } as const;

interface SealingKey {
  /** The beginning of the key's SHA-256, which says nothing of the secret. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Seals with AES-256-GCM, under a key derived from the secret; `previous` secrets open what was sealed with them before a rotation.
 * Without a secret nothing can be sealed.
 */
export function createSecrets(secret: string | undefined, entropy: Entropy, previous: readonly string[] = []): Secrets {
  if (secret === undefined) return unsealed;
  const key = keyOf(secret, "secret");
  const keys = [key, ...previous.map((each) => keyOf(each, "previousSecrets"))];
  const prefix = `${versions.current}${key.id}.`;
  const open = (sealed: string, place: string) => {
    const plain = decipherWith(keys, sealed, place);
    if (plain === undefined) throw unreadable();
    return plain;
  };
  return {
    open,
    isCurrent: (sealed) => sealed.startsWith(prefix),
    tryOpen: (sealed, place) => decipherWith(keys, sealed, place),
    seal(plain, place) {
      const nonce = entropy(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(boundTo(key.id, place));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
  };
}

function keyOf(secret: string, param: string): SealingKey {
  if (secret.length < fewest) {
    const message = `\`${param}\`: must have at least ${fewest} characters, e.g. the output of \`openssl rand -hex 32\`.`;
    throw new GatewayError("invalid_configuration", message, { param });
  }
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "tollgate: secrets of the portal", 32));
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 8), bytes };
}

function boundTo(keyId: string, place: string): Uint8Array {
  return Buffer.from(`${versions.current}${keyId}.${place}`, "utf8");
}

/** The text; undefined for what none of the keys has sealed for this place. */
function decipherWith(keys: readonly SealingKey[], sealed: string, place: string): string | undefined {
  const isFirst = sealed.startsWith(versions.first);
  const [, id, current = ""] = /^v2\.([0-9a-f]{8})\.([\w-]*)$/.exec(sealed) ?? [];
  for (const key of keys) {
    if (!isFirst && key.id !== id) continue;
    const text = isFirst ? sealed.slice(versions.first.length) : current;
    const plain = decipher(key, text, isFirst ? undefined : boundTo(key.id, place));
    if (plain !== undefined) return plain;
  }
  return undefined;
}

function decipher({ bytes: key }: SealingKey, text: string, bound: Uint8Array | undefined): string | undefined {
  const bytes = Buffer.from(text, "base64url");
  try {
    const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    if (bound !== undefined) cipher.setAAD(bound);
    return cipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + cipher.final("utf8");
  } catch {
    return undefined;
  }
}

/** Returns the error for a sealed value that the present secret cannot open. It shows neither of them. */
export function unreadable(again = "store the value again"): GatewayError {
  const cause =
    "The store's copy of a secret cannot be read: it was sealed with another TOLLGATE_SECRET, or was changed.";
  const message = `${cause} Give the gateway the TOLLGATE_SECRET of that time, or ${again}.`;
  return new GatewayError("invalid_configuration", message, { param: "secret" });
}

const unsealed: Secrets = { seal: refuse, open: refuse, tryOpen: () => undefined, isCurrent: () => true };

function refuse(): never {
  const message = "Secrets cannot be stored. Pass the portal a `secret`, or set TOLLGATE_SECRET.";
  throw new GatewayError("not_implemented", message);
}
