import type { PortalRecord } from "./record.ts";

/** What a profile is a set of: permissions, dashboards, quotas, or other profiles. */
export type ProfileType = "permission" | "dashboard" | "quota" | "profile";

/** One thing that a profile says something of. */
export interface ProfilePart {
  /** The name of a permission, the path of a dashboard, the name of a quota, or the id of a profile; `*` is all permissions or dashboards. */
  readonly name: string;
  /** False takes away what is inherited. */
  readonly enabled: boolean;
  /** How much of a quota. */
  readonly limit?: number | undefined;
}

/** A named set (portal-resolved.md, section 6). It belongs to a client or a level above it, never to a user. */
export interface StoredProfile extends PortalRecord {
  readonly name: string;
  /** SHA-256 of the place and the name in lower case: no two profiles of a place have the same. */
  readonly hash: string;
  readonly type: ProfileType;
  readonly description?: string | undefined;
  /** Its children, and the tenants below its own, inherit it. */
  readonly inheritable: boolean;
  /** Ids of the profiles of the same type that it inherits from: of its own place or above. */
  readonly parents: readonly string[];
  readonly entries: readonly ProfilePart[];
}

/** A profile that somebody has: the user, or the whole level that its place names. */
export interface StoredProfileAssignment extends PortalRecord {
  /** The place as one text, by which assignments are found. */
  readonly holder: string;
  readonly profile_id: string;
  readonly type: ProfileType;
}
