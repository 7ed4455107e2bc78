import { GatewayError } from "../errors.ts";
import type { Backend } from "../operations/calls.ts";
import type { Areas } from "../operations/portal/table.ts";
import type { BackupDriver } from "./backup-driver.ts";
import type { PortalCall } from "./call.ts";
import type { QuotaUsage } from "./quotas/usage.ts";

/** What serves an area of the portal: one method per operation; a missing one is answered with `not_implemented`. */
export type AreaBackend<Name extends keyof Areas> = Backend<Areas[Name], PortalCall>;

/** The back ends of a region. What is not given is answered with `not_implemented`. */
export interface Region {
  readonly iaas?: AreaBackend<"iaas"> | undefined;
  readonly clusters?: AreaBackend<"clusters"> | undefined;
  readonly objectstore?: AreaBackend<"objectstore"> | undefined;
  /** Does the work of backups; their policies, states and schedule are the portal's own. */
  readonly backups?: BackupDriver | undefined;
  /** Tells how much of their quotas the region's resources use; without it only what the portal keeps itself is counted. */
  readonly quotas?: QuotaUsage | undefined;
}

/** Regions by their codes, e.g. `eu-1`. */
export type Regions = Readonly<Record<string, Region>>;

/** The region of a code. Throws `region_required` or `region_unknown`. */
export function findRegion(regions: Regions, code: string | undefined): Region {
  const known = Object.keys(regions).join(", ") || "none";
  if (code === undefined || code === "")
    throw new GatewayError("region_required", `Send the region's code in \`region\`; known are: ${known}.`, {
      param: "region",
    });
  const region = Object.hasOwn(regions, code) ? regions[code] : undefined;
  if (region) return region;
  throw new GatewayError("region_unknown", `There is no region \`${code.slice(0, 100)}\`; known are: ${known}.`, {
    param: "region",
  });
}
