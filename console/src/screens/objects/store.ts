/**
 * The address of the object store that an object's shared address leads to: the part before the bucket and the key. The bucket is in the
 * path or in front of the host's name. Undefined for an address that has neither.
 */
export function storeOf({ url, bucket, object_key }: StoredAddress): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const key = `/${object_key.split("/").map(encodeURIComponent).join("/")}`;
  const path = parsed.pathname;
  if (path.endsWith(`/${bucket}${key}`)) return `${parsed.origin}${path.slice(0, -`/${bucket}${key}`.length)}`;
  if (!path.endsWith(key) || !parsed.host.startsWith(`${bucket}.`)) return undefined;
  return `${parsed.protocol}//${parsed.host.slice(bucket.length + 1)}${path.slice(0, -key.length)}`;
}

interface StoredAddress {
  readonly url: string;
  readonly bucket: string;
  readonly object_key: string;
}

/** The last part of a key: what an object or a folder is called within its folder. */
export function nameWithin(key: string, prefix: string): string {
  return key.startsWith(prefix) && key.length > prefix.length ? key.slice(prefix.length) : key;
}

/** The folders that lead to a prefix, from the outermost: each with its name and its own prefix. */
export function crumbsOf(prefix: string): readonly { readonly name: string; readonly prefix: string }[] {
  const parts = prefix.split("/").slice(0, -1);
  return parts.map((name, position) => ({ name, prefix: `${parts.slice(0, position + 1).join("/")}/` }));
}
