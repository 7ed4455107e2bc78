import type { PortalRecord } from "./record.ts";

/**
 * The portal's own data of an infrastructure project: its tenant, and when the portal last changed it. `id` is the project's id in the
 * cloud, which knows no tenants.
 */
export interface StoredCloudProject extends PortalRecord {
  /** The code of the region that the project is in. */
  readonly region: string;
  readonly quota_profile?: string | undefined;
  /** RFC 3339 in UTC with milliseconds. */
  readonly updated_at: string;
}

/** The portal's own data of a project's credential. `id` is the credential's id in the cloud; the secret is not here. */
export interface StoredCloudCredential extends PortalRecord {
  /** The id of the infrastructure project. */
  readonly project_id: string;
  readonly description: string;
  /** True for a credential of the user who created it, false for one of the project's own user. */
  readonly user_bound: boolean;
}
