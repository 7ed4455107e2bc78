// Written by `node scripts/dashboards.ts`.
import type { DashboardPath } from "./catalogue.ts";

/** The version of each dashboard's definition, and a digest of what it is. A version grows when the digest changes. */
export const dashboardVersions: Readonly<Record<string, readonly [version: number, digest: string]>> = {
  context: [2, "f9dbefa187f04b47"],
  me: [3, "7b2c14dd432d2c11"],
  notifications: [4, "5d835e30118ec0a4"],
  alerts: [2, "838c5822d2a3f3f1"],
  tasks: [5, "a3ed7314c94e12a3"],
  "ai-keys": [8, "08affbde3ec9c3b3"],
  "ai-projects": [7, "f814ea1e29351d89"],
  "ai-requests": [8, "3fda6a76fa75860b"],
  "ai-cache": [1, "99aac23a206ea619"],
  "ai-credentials": [2, "02b14d1039304b80"],
  "ai-tools": [1, "b7107ae050151c8b"],
  "ai-models": [6, "5974b16cbaa2b60a"],
  "iaas-projects": [5, "f672af165b09fb40"],
  "iaas-servers": [5, "e8cfcf56a2db4b7e"],
  "iaas-volumes": [5, "9d44de178b10ccf9"],
  "iaas-networks": [4, "d63f802c21d0dc39"],
  keypair: [2, "e85f23e6e61d93ec"],
  clusters: [4, "4cef3a8c8996de38"],
  "cluster-projects": [4, "738a33f88e54a737"],
  "cluster-profiles": [2, "bc9eb9618079fa93"],
  backups: [5, "8618618baa6fe25e"],
  "backup-resources": [3, "7247265f950311b6"],
  objectstore: [5, "41922669d6163437"],
  tenants: [2, "81cdc18b6c4314da"],
  profiles: [3, "56d6ddce81429259"],
  quotas: [2, "424e4d4318b81ee2"],
  users: [6, "ba4ee85b6931da35"],
  roles: [2, "409af528395598c0"],
  audit: [2, "22ca0bfb0454c72b"],
  properties: [3, "e20fd1b4a000734c"],
  system: [2, "1afb8a5266b09b7b"],
  theme: [4, "50057b578674e176"],
  languages: [2, "08942c49d6464122"],
};

/** Returns the version of a dashboard's definition as text. */
export function versionOf(path: DashboardPath): string {
  return String(dashboardVersions[path]?.[0] ?? 1);
}
