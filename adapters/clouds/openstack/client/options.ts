import type { Clock } from "../../../../src/engine/ports/clock.ts";
import type { Transport } from "../../../../src/engine/ports/transport.ts";
import type { Duration } from "../../../../src/engine/runtime/duration.ts";
import {
  type Checks,
  type Deadlines,
  durations,
  list,
  object,
  oneOf,
  positive,
  text,
} from "../../../shared/options.ts";
import type { QuotaProfiles } from "../../shared/quota-profile.ts";
import type { ServiceName } from "./apis.ts";

/** A user of Keystone. Its tokens can be scoped to every project on which it has a role. */
export interface PasswordCredentials {
  readonly username: string;
  readonly password: string;
  /** The id of the user's domain; `default` unless given. */
  readonly userDomainId?: string | undefined;
}

/** An application credential; its tokens have the one project that it was made for. */
export interface ApplicationCredential {
  readonly applicationCredentialId: string;
  readonly applicationCredentialSecret: string;
}

/** What proves who we are to Keystone. */
export type CloudCredentials = PasswordCredentials | ApplicationCredential;

/** What a token is for: a project (by id, or by name and domain), a domain, or the whole system. */
export type Scope =
  | { readonly projectId: string }
  | { readonly projectName: string; readonly projectDomainId?: string | undefined }
  | { readonly domainId: string }
  | { readonly system: true };

/** How to reach a cloud, and with what rights. */
export interface OpenStackOptions {
  /** Keystone's address with its version, e.g. `https://cloud.example/identity/v3`. */
  readonly authUrl: string;
  /** A function is called whenever a token is asked for, so that a secret that was changed is read at the first 401. */
  readonly credentials: CloudCredentials | (() => CloudCredentials | Promise<CloudCredentials>);
  /** The scope of our own token, which must be an administrator's for what only administrators may; the user's default project unless given. */
  readonly scope?: Scope | undefined;
  /** Roles whose holder sees every project; `admin` unless given. */
  readonly adminRoles?: readonly string[] | undefined;
  /** The region of the service catalogue; any unless given. */
  readonly region?: string | undefined;
  /** Which addresses of the catalogue are used; `public` unless given. */
  readonly interface?: "public" | "internal" | "admin" | undefined;
  /** Addresses in place of the catalogue's, without a trailing slash; `{project_id}` stands for the token's own project. */
  readonly endpoints?: Partial<Record<ServiceName, string>> | undefined;
  /** Microversions by service; `2.87` for compute and `3.64` for volume unless given. */
  readonly microversions?: { readonly compute?: string | undefined; readonly volume?: string | undefined } | undefined;
  /** The id of the domain that new projects belong to; the domain of our own token's project unless given. */
  readonly domainId?: string | undefined;
  /** Quota profiles by name: limits by the services' own quota names. `default`, the cloud's own limits, is always there. */
  readonly quotaProfiles?: QuotaProfiles | undefined;
  /** Roles that a caller may give to the user of a credential; `member`, `reader`, `creator` and `load-balancer_member` unless given. */
  readonly grantableRoles?: readonly string[] | undefined;
  /**
   * The role that our own user is given on a project when work has to be done in its name (backups, restored volumes); `member`
   * unless given, `null` for never.
   */
  readonly projectRole?: string | null | undefined;
  /** Entries per page of a list; 1,000 unless given. */
  readonly pageSize?: number | undefined;
  /** Deadlines, in milliseconds or as text such as `"10s"`: `connect` 5,000, `firstContent` 30,000, `gap` 15,000, `whole` (one operation) 60,000 unless given. */
  readonly timeouts?: Deadlines | undefined;
  /** Cinder's container by the portal's backup zone; a zone that is not named here is the container's name. */
  readonly backupContainers?: Readonly<Record<string, string>> | undefined;
  /** How long making or restoring one backup may take, and between two looks at it, in milliseconds or as text; `"6h"` and `"2s"` unless given. */
  readonly backupTimes?: { readonly whole?: Duration | undefined; readonly poll?: Duration | undefined } | undefined;
  /** How requests are sent; undici of its own unless given. */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
}

/** Roles that open nothing but a project: `admin` on one project would be admin of the whole cloud. */
export const defaultGrantableRoles = ["member", "reader", "creator", "load-balancer_member"] as const;

export const defaultAdminRoles = ["admin"] as const;

export const openstackChecks: Checks<OpenStackOptions> = {
  authUrl: text,
  credentials: [
    (value) => typeof value === "function" || (typeof value === "object" && value !== null),
    "an object or a function",
  ],
  scope: object,
  adminRoles: list,
  region: text,
  interface: oneOf("public", "internal", "admin"),
  endpoints: object,
  microversions: object,
  domainId: text,
  quotaProfiles: object,
  grantableRoles: list,
  projectRole: [(role) => typeof role === "string" || role === null, "a string or null"],
  pageSize: positive,
  timeouts: durations,
  backupContainers: object,
  backupTimes: durations,
  transport: object,
  clock: object,
};
