export type { Calls } from "../operations/calls.ts";
export type { Table } from "../operations/define.ts";
export type { AreaName, Areas, PortalRow } from "../operations/portal/table.ts";
export type {
  BackupDriver,
  BackupJob,
  BackupMade,
  BackupSource,
  DriverCall,
  RestoreTarget,
} from "./backup-driver.ts";
export type { BackupPolicySettings } from "./backups/policy.ts";
export type { Caller, PortalCall } from "./call.ts";
export { operator } from "./operator.ts";
export type { PortalOptions } from "./options.ts";
export { createPortal, type Portal, type PortalCalls } from "./portal.ts";
export type { QuotaUsage } from "./quotas/usage.ts";
export type { AreaBackend, Region, Regions } from "./regions.ts";
