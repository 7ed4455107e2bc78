export type { LoginClaims, LoginFlow, LoginProvider } from "../engine/ports/identity/login-provider.ts";
export type { Calls } from "../operations/calls.ts";
export type { OperationTable } from "../operations/define.ts";
export type { AreaName, Areas, PortalRow } from "../operations/portal/table.ts";
export type {
  BackupDriver,
  BackupJob,
  BackupMade,
  BackupSource,
  DriverCall,
  RestoreTarget,
} from "./backup-driver.ts";
export type { BackupPolicySettings } from "./backups/planning/policy.ts";
export type { BackupPlaces } from "./backups/runs/run-queue.ts";
export type { Caller, PortalCall } from "./call/call.ts";
export { operator } from "./call/operator.ts";
export type {
  ConfiguredCredential,
  CredentialSource,
  CredentialTest,
  ProviderCredential,
} from "./credentials/credential-source.ts";
export type { PortalOptions } from "./options.ts";
export { createPortal, type Portal, type PortalCalls } from "./portal.ts";
export type { ProcessFacts } from "./process-facts.ts";
export type { Belonging, LookedProject, ProjectContents, ProjectKey, Undeletable } from "./project-contents.ts";
export type { QuotaUsage } from "./quota-usage.ts";
export type { AreaBackend, Region, Regions, RollbackBackend } from "./regions.ts";
export type { OwnPrices, PriceSource, PriceState } from "./tariff/price-source.ts";
