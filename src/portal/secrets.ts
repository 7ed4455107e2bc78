import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { GatewayError } from "../errors.ts";
import type { Entropy } from "../ports.ts";

/** Keeps secrets in the store unreadable. Sealing the same twice gives different texts. */
export interface Secrets {
  /** Throws `not_implemented` where no secret was configured. */
  seal(plain: string): string;
  /** Throws `invalid_configuration` for what was not sealed with this secret, or was changed since; `not_implemented` without one. */
  open(sealed: string): string;
  /** For lists, which tell the rest without it: undefined for what `open` would refuse. */
  tryOpen(sealed: string): string | undefined;
}

/** Characters that a secret must have at least. */
const fewest = 16;
const [nonceBytes, tagBytes] = [12, 16];
const version = "v1.";

/** Seals with AES-256-GCM, under a key derived from the secret. Without a secret nothing can be sealed. */
export function createSecrets(secret: string | undefined, entropy: Entropy): Secrets {
  if (secret === undefined) return unsealed;
  if (secret.length < fewest) {
    const message = `\`secret\`: must have at least ${fewest} characters, e.g. the output of \`openssl rand -hex 32\`.`;
    throw new GatewayError("invalid_configuration", message, { param: "secret" });
  }
  const key = Buffer.from(hkdfSync("sha256", secret, "", "tollgate: secrets of the portal", 32));
  const tryOpen = (sealed: string) => {
    try {
      return decipher(key, sealed);
    } catch {
      return undefined;
    }
  };
  return {
    tryOpen,
    seal(plain) {
      const nonce = entropy(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed) {
      const plain = tryOpen(sealed);
      if (plain === undefined) throw unreadable();
      return plain;
    },
  };
}

/** Throws for what was not sealed with this key. */
function decipher(key: Uint8Array, sealed: string): string {
  if (!sealed.startsWith(version)) throw unreadable();
  const bytes = Buffer.from(sealed.slice(version.length), "base64url");
  const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return cipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + cipher.final("utf8");
}

/** What a lost or changed secret does to what was kept under it, and what helps. Says nothing of either. */
export function unreadable(again = "store the value again"): GatewayError {
  const cause = "The store's copy of a secret cannot be read: it was sealed with another TOLLGATE_SECRET, or changed.";
  const message = `${cause} Give the gateway the TOLLGATE_SECRET of that time, or ${again}.`;
  return new GatewayError("invalid_configuration", message, { param: "secret" });
}

const unsealed: Secrets = { seal: refuse, open: refuse, tryOpen: () => undefined };

function refuse(): never {
  const message = "Secrets cannot be kept: give the portal a `secret`, or set TOLLGATE_SECRET.";
  throw new GatewayError("not_implemented", message);
}
