import type { PortalRecord } from "./record.ts";

/**
 * One resource of the embedded cloud: a project, a server, a cluster. It belongs to the provider's level, because the cloud knows none
 * of the portal's tenants.
 */
export interface StoredLocalThing extends PortalRecord {
  /** `<region>/<kind>`, by which resources are listed. */
  readonly collection: string;
  /** The resource as its service shows it; secrets in it are sealed. */
  readonly body: Readonly<Record<string, unknown>>;
}
