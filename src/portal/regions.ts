import { GatewayError } from "../engine/errors.ts";
import type { Records } from "../engine/ports/records.ts";
import type { Abortable } from "../engine/runtime/abortable.ts";
import type { Backend } from "../operations/calls.ts";
import type { Areas } from "../operations/portal/table.ts";
import type { StoredCloudRollback } from "../operations/records/cloud.ts";
import type { BackupDriver } from "./backup-driver.ts";
import type { PortalCall } from "./call/call.ts";
import type { ProjectContents } from "./project-contents.ts";
import type { QuotaUsage } from "./quota-usage.ts";

/** The back end of an area: one method per operation. Calling an operation without a method throws `not_implemented`. */
export type AreaBackend<Name extends keyof Areas> = Backend<Areas[Name], PortalCall>;

/** Takes back what failed operations have left in a region's cloud. */
export interface RollbackBackend {
  /**
   * Takes all steps of a record, of which some may have been taken before. A `pending` record's project stays where the portal has a record
   * of it: its creation succeeded. Rejects where something is still left.
   */
  takeBack(
    rollback: StoredCloudRollback,
    context: { readonly records: Records; readonly signal: Abortable },
  ): Promise<void>;
}

/** The back ends of a region. An operation without one throws `not_implemented`. */
export interface Region {
  readonly iaas?: (AreaBackend<"iaas"> & Partial<ProjectContents>) | undefined;
  readonly clusters?: AreaBackend<"clusters"> | undefined;
  readonly objectstore?: (AreaBackend<"objectstore"> & Partial<ProjectContents>) | undefined;
  /** Creates, restores and removes backups. The portal keeps their policies, states and schedule. */
  readonly backups?: BackupDriver | undefined;
  /** Reports the quota usage of the region's resources. Without it, only what the portal counts itself is known. */
  readonly quotas?: QuotaUsage | undefined;
  /** Ends what failed operations of `iaas` began. Without it their records stay as they are. */
  readonly rollbacks?: RollbackBackend | undefined;
  /** The Keystone that the region shares: regions that name the same one have the same projects. Absent for one of its own. */
  readonly identity?: string | undefined;
}

/** Regions by their codes, e.g. `eu-1`. */
export type Regions = Readonly<Record<string, Region>>;

/** Returns the region with that code. Throws `region_required` or `region_unknown`. */
export function findRegion(regions: Regions, code: string | undefined): Region {
  const known = Object.keys(regions).join(", ") || "none";
  if (code === undefined || code === "")
    throw new GatewayError("region_required", `\`region\` is required. Known regions: ${known}.`, {
      param: "region",
    });
  const region = Object.hasOwn(regions, code) ? regions[code] : undefined;
  if (region) return region;
  throw new GatewayError("region_unknown", `Unknown region \`${code.slice(0, 100)}\`. Known regions: ${known}.`, {
    param: "region",
  });
}

/** The codes of the regions that have the same projects as one of them, which is the first. */
export function sharingRegions(regions: Regions, code: string): string[] {
  const identity = regions[code]?.identity;
  const others = Object.keys(regions).filter((other) => other !== code && regions[other]?.identity === identity);
  return identity === undefined ? [code] : [code, ...others];
}
