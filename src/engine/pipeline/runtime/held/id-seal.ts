import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";

/** Where a vendor holds something: the provider and the credential that reach it, and the model that it was made with. */
export interface Holder {
  readonly provider: string;
  /** The id of the credential; absent for a provider without any. */
  readonly credential?: string | undefined;
  /** The model as the caller names it, without the provider. */
  readonly model: string;
}

/** A vendor's id and where it holds. */
export interface HeldId extends Holder {
  readonly id: string;
}

/** Turns the ids of what vendors hold into ids that only their owner can use, and back. */
export interface IdSeal {
  /** The id that the owner gets. The same input gives the same id; it begins as the vendor's does, e.g. with `resp_`. */
  seal(held: HeldId, owner: string): string;
  /** What was sealed for this owner; `undefined` for every other text, be it another owner's id or none. */
  open(id: string, owner: string): HeldId | undefined;
}

/** Bytes of the secret. */
export const sealSecretBytes = 32;

/** Bytes of the synthetic initialisation vector, which authenticates the id. */
const ivBytes = 16;
/** Characters of the longest id that is read. */
const longestId = 4_096;
/** Prefix of the vendor's, our mark, base64url, and a letter at the end: ids of items that end in `_` and digits are made elsewhere. */
const shape = /^((?:[a-z]+_)?)tg1([\w-]+)s$/;

/**
 * Seals under a secret: AES-256-CTR under a synthetic initialisation vector (the construction of RFC 5297), which is an HMAC over the
 * owner, the prefix and what is sealed. Nothing has to be stored for an id, and each process with the secret reads it.
 */
export function idSeal(secret: Uint8Array): IdSeal {
  const subkey = (use: string) => createHmac("sha256", secret).update(use).digest();
  const cipherKey = subkey("encrypt");
  const macKey = subkey("authenticate");
  const vectorOf = (text: string, prefix: string, owner: string) =>
    createHmac("sha256", macKey)
      .update(JSON.stringify([owner, prefix, text]))
      .digest()
      .subarray(0, ivBytes);
  return {
    seal({ provider, credential, model, id }, owner) {
      const prefix = /^[a-z]+_/.exec(id)?.[0] ?? "";
      const text = JSON.stringify([id.slice(prefix.length), provider, model, ...(credential ? [credential] : [])]);
      const vector = vectorOf(text, prefix, owner);
      const cipher = createCipheriv("aes-256-ctr", cipherKey, vector);
      const sealed = Buffer.concat([vector, cipher.update(text, "utf8"), cipher.final()]);
      return `${prefix}tg1${sealed.toString("base64url")}s`;
    },
    open(id, owner) {
      const [, prefix = "", body = ""] = (id.length > longestId ? undefined : shape.exec(id)) ?? [];
      const sealed = Buffer.from(body, "base64url");
      if (sealed.length <= ivBytes || sealed.toString("base64url") !== body) return undefined;
      const vector = sealed.subarray(0, ivBytes);
      const cipher = createDecipheriv("aes-256-ctr", cipherKey, vector);
      const text = Buffer.concat([cipher.update(sealed.subarray(ivBytes)), cipher.final()]).toString("utf8");
      if (!timingSafeEqual(vectorOf(text, prefix, owner), vector)) return undefined;
      const [rest, provider, model, credential] = JSON.parse(text) as [string, string, string, string?]; // sealed above
      return { id: prefix + rest, provider, model, ...(credential === undefined ? {} : { credential }) };
    },
  };
}
