import type { PortalRecord } from "./record.ts";

/**
 * One thing of the embedded cloud: a project, a server, a cluster. It lies at the provider's level, as everything in a cloud does
 * that knows nothing of the portal's tenants.
 */
export interface StoredLocalThing extends PortalRecord {
  /** `<region>/<kind>`, by which things are listed. */
  readonly shelf: string;
  /** The thing as its service shows it; secrets in it are sealed. */
  readonly body: Readonly<Record<string, unknown>>;
}
