import { createHmac, timingSafeEqual } from "node:crypto";

/** An object that anyone with its address may read until it expires. */
export interface SharedObject {
  readonly bucket: string;
  readonly key: string;
  /** Seconds since the epoch. */
  readonly expires: number;
}

function signatureOf({ bucket, key, expires }: SharedObject, signingKey: Uint8Array): Buffer {
  return createHmac("sha256", signingKey)
    .update(JSON.stringify(["object", bucket, key, expires]))
    .digest();
}

/** The address of a shared object below the endpoint. */
export function signObject(shared: SharedObject, endpoint: string, signingKey: Uint8Array): string {
  const path = shared.key.split("/").map(encodeURIComponent).join("/");
  const signature = signatureOf(shared, signingKey).toString("hex");
  return `${endpoint}/${shared.bucket}/${path}?expires=${shared.expires}&signature=${signature}`;
}

/** What an address shares: path and query behind the endpoint. Nothing for one that was not signed so, or is over; the time that takes says nothing. */
export function readSigned(address: string, { signingKey, now }: { signingKey: Uint8Array; now: number }) {
  const [path = "", query = ""] = address.split("?");
  const [bucket = "", ...segments] = path.replace(/^\//, "").split("/");
  const parameters = new URLSearchParams(query);
  const [end = "", signature = ""] = ["expires", "signature"].map((name) => parameters.get(name) ?? "");
  const key = decode(segments.join("/"));
  if (key === undefined || !/^[1-9]\d{0,11}$/.test(end) || !/^[0-9a-f]{64}$/.test(signature)) return undefined;
  const expires = Number(end);
  const shared = { bucket, key, expires };
  const isGood = timingSafeEqual(Buffer.from(signature, "hex"), signatureOf(shared, signingKey));
  return isGood && now < expires * 1000 ? shared : undefined;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
