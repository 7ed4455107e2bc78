import type { PortalCall } from "./call/call.ts";

/** Limits of a resource by the quota's name, e.g. `{ "cores": 12 }`; -1 for no limit. */
export type ResourceLimits = Readonly<Record<string, number>>;

/** What a resource uses by the quota's name, e.g. `{ "cores": 12 }`; a missing name counts as 0. */
export type ResourceUsage = Readonly<Record<string, number>>;

/** The quotas of a region's resources, e.g. of its infrastructure projects: what is used of them, and the limits that the services hold. */
export interface QuotaUsage {
  /** Throws `not_found` for an unknown resource. */
  used(resourceId: string, call: PortalCall): Promise<ResourceUsage>;
  /**
   * The limits that the services hold now. Throws `not_found` for an unknown resource. Without this method no project can be created below
   * a level that has limits, because nothing tells what the new project may use.
   */
  limits?(resourceId: string, call: PortalCall): Promise<ResourceLimits>;
  /**
   * Sets limits at the services that hold them: all of them or, when one is refused, none. Throws `invalid_request` for a name that no
   * service has, `not_found` for an unknown resource. Without this method `POST /quota` refuses the limit of a resource.
   */
  set?(resourceId: string, limits: ResourceLimits, call: PortalCall): Promise<void>;
  /** The limits that a quota profile gives to a resource. Throws `invalid_request` for an unknown profile. */
  profile?(name: string, call: PortalCall): Promise<ResourceLimits>;
}
