import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { GatewayError } from "../errors.ts";
import type { Entropy } from "../ports.ts";

/** Keeps secrets in the store unreadable. Sealing the same twice gives different texts. */
export interface Secrets {
  /** Throws `not_implemented` where no secret was configured. */
  seal(plain: string): string;
  /** Throws `internal` for what was not sealed with this secret, or was changed since. */
  open(sealed: string): string;
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
  return {
    seal(plain) {
      const nonce = entropy(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed) {
      try {
        return decipher(key, sealed);
      } catch {
        throw new GatewayError("internal", "The gateway failed to handle this request.", { cause: unreadable });
      }
    },
  };
}

function decipher(key: Uint8Array, sealed: string): string {
  if (!sealed.startsWith(version)) throw unreadable;
  const bytes = Buffer.from(sealed.slice(version.length), "base64url");
  const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return cipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + cipher.final("utf8");
}

/** Says nothing of the secret. */
const unreadable = new Error(
  "a secret of the store cannot be read: it was sealed with another TOLLGATE_SECRET, or changed",
);

const unsealed: Secrets = { seal: refuse, open: refuse };

function refuse(): never {
  const message = "Secrets cannot be kept: give the portal a `secret`, or set TOLLGATE_SECRET.";
  throw new GatewayError("not_implemented", message);
}
