// Written by `node scripts/dashboards.ts`.
import type { DashboardPath } from "./catalogue.ts";

/** The version of each dashboard's definition, and a digest of what it is. A version grows when the digest changes. */
export const dashboardVersions: Readonly<Record<string, readonly [version: number, digest: string]>> = {
  context: [2, "f9dbefa187f04b47"],
  me: [2, "0bbacc305c3432e7"],
  notifications: [4, "5d835e30118ec0a4"],
  alerts: [1, "2e20c01ddf3ffd06"],
  tasks: [4, "03cf64aabae8f9b4"],
  "ai-keys": [5, "917d21dedbe804a0"],
  "ai-projects": [4, "73239c2ce18065ee"],
  "ai-requests": [5, "2ea7bda3f0e5d956"],
  "ai-cache": [1, "99aac23a206ea619"],
  "ai-credentials": [2, "02b14d1039304b80"],
  "ai-models": [4, "baa2e61a104d3d51"],
  "iaas-projects": [3, "5de7eb950ad3b8a4"],
  "iaas-servers": [5, "e8cfcf56a2db4b7e"],
  "iaas-volumes": [5, "9d44de178b10ccf9"],
  "iaas-networks": [2, "214ba0429f18b266"],
  keypair: [2, "e85f23e6e61d93ec"],
  clusters: [2, "90f838f2eb43f072"],
  "cluster-projects": [3, "10844a944bad78c7"],
  "cluster-profiles": [2, "bc9eb9618079fa93"],
  backups: [3, "5ec9c9974cfac7e7"],
  "backup-resources": [2, "461521e1032dacc3"],
  objectstore: [3, "bc2ee9fe3d3ed51d"],
  tenants: [2, "81cdc18b6c4314da"],
  profiles: [2, "e727662c9c3e334c"],
  quotas: [2, "424e4d4318b81ee2"],
  users: [5, "2c2a85f1a6cf6bb9"],
  roles: [2, "409af528395598c0"],
  audit: [2, "22ca0bfb0454c72b"],
  properties: [3, "e20fd1b4a000734c"],
  system: [1, "6de2cc1f9a9d9d9a"],
  theme: [3, "38572777c2dcfc96"],
  languages: [2, "08942c49d6464122"],
};

/** Returns the version of a dashboard's definition as text. */
export function versionOf(path: DashboardPath): string {
  return String(dashboardVersions[path]?.[0] ?? 1);
}
