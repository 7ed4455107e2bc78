import { GatewayError } from "../../../engine/errors.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";
import { setterTags } from "../ceilings.ts";

/** The tags by which the portal knows what a key belongs to and who set its limits: no caller sets them, and no view shows them. */
const portalTags: ReadonlySet<string> = new Set([
  "reseller",
  "client_id",
  "tier",
  "original_name",
  "apply_keys",
  ...setterTags,
]);

type Tags = Readonly<Record<string, string>>;

/** Returns the tags of a key that its callers gave it; undefined without one. */
export function ownTags({ metadata }: Pick<StoredKey, "metadata">): Record<string, string> | undefined {
  const own = Object.entries(metadata).filter(([name]) => !portalTags.has(name));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/**
 * Returns metadata with a caller's tags in place of those it has; without any where they are null. Throws `invalid_request` for a tag of
 * the portal.
 */
export function replaceTags(metadata: Tags, tags: Tags | null | undefined): Record<string, string> {
  if (tags === undefined) return { ...metadata };
  const taken = Object.keys(tags ?? {}).find((name) => portalTags.has(name));
  if (taken !== undefined) {
    const message = `\`metadata.${taken}\`: is a tag that the portal sets. Choose another name.`;
    throw new GatewayError("invalid_request", message, { param: `metadata.${taken}` });
  }
  const fixed = Object.entries(metadata).filter(([name]) => portalTags.has(name));
  return { ...Object.fromEntries(fixed), ...tags };
}
