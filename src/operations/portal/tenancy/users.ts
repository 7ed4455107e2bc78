import { z } from "zod";
import { op } from "../../define.ts";
import { flag, id, ids, instant, language, newPassword, note, text, title, words } from "../fields.ts";

/** The levels of the tree of tenants; a user belongs to one of them. */
const level = z.enum(["provider", "reseller", "client", "user"]);

/** A user with its level in the tree of tenants and its roles. Levels above its own are set, those below are null. */
export const User = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  /** The code of the language of its notifications and errors; absent where it has chosen none. */
  language: z.string().optional(),
  enabled: flag,
  level,
  reseller: z.string().nullable(),
  client_id: z.string().nullable(),
  roles: z.array(z.string()),
  created_at: instant,
});
export type User = z.output<typeof User>;

/** A role: a named set of permissions. */
export const Role = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  permissions: z.array(z.string()),
  reseller: z.string().nullable(),
  client_id: z.string().nullable(),
  created_at: instant,
});
export type Role = z.output<typeof Role>;

/** An access token without its value. It is valid from `starts_at` to before `ends_at`. */
export const PortalToken = z.object({
  id: z.string(),
  name: z.string(),
  last4: z.string(),
  user_id: z.string(),
  permissions: z.array(z.string()),
  starts_at: instant.nullable(),
  ends_at: instant.nullable(),
  created_at: instant,
});
export type PortalToken = z.output<typeof PortalToken>;

/** A new access token with its value, which is shown only once and never stored. */
export const TokenCreated = PortalToken.extend({ value: z.string() });
export type TokenCreated = z.output<typeof TokenCreated>;

/** A link by which a user sets its password once. It and its secret are shown only once and never stored. */
export const PasswordLink = z.object({
  /** Below the gateway's own address; the secret stands behind `#`. */
  link: z.string(),
  /** What `POST /password/redeem` takes. */
  secret: z.string(),
  ends_at: instant,
  /** True where the link was mailed to the user: mails and `publicUrl` are configured, and the user has an address. */
  mailed: flag,
});
export type PasswordLink = z.output<typeof PasswordLink>;

/** A permission and the operation that requires it. */
export const PermissionEntry = z.object({
  name: z.string(),
  area: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
});
export type PermissionEntry = z.output<typeof PermissionEntry>;

/**
 * A requested change, its caller, and its outcome: `ok` or the code of the error. `count` refusals of one token on one day are one entry.
 * `target_id` is the id of what was made or changed, `changed` the names of the fields that were written, and `reseller` and `client_id` the
 * tenant whose thing it is.
 */
export const AuditRecord = z.object({
  id: z.string(),
  created_at: instant,
  user_id: z.string().nullable(),
  token_id: z.string().nullable(),
  operation: z.string(),
  target: z.record(z.string(), z.string()),
  target_id: z.string().nullish(),
  actor: z.object({ username: z.string(), token_name: z.string().nullable() }).optional(),
  changed: z.array(z.string()).optional(),
  /** Why, where the change asks for it. */
  reason: z.string().optional(),
  reseller: z.string().nullish(),
  client_id: z.string().nullish(),
  region: z.string(),
  outcome: z.string(),
  event_id: z.string(),
  count: z.int().optional(),
});
export type AuditRecord = z.output<typeof AuditRecord>;

const username = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/, "must be letters, digits, `.`, `_`, `@`, `+` or `-`");
/** What a user is called, and how it is reached. */
export const person = {
  email: z.email().max(254).optional(),
  first_name: title.optional(),
  last_name: title.optional(),
  language: language.optional(),
};
/** At most 30 days. */
const hours = z.int().min(1).max(720);
const isExtension = true;

/** Users, roles and tokens: areas that the specification names and does not show (portal-resolved.md, section 2). */
export const users = {
  list: op("GET /users", "users-get", "List users", { out: z.array(User), isExtension }),
  create: op("POST /users", "users-post", "Create a user at the caller's place or below", {
    in: {
      ...person,
      username,
      level: level.optional(),
      reseller: text.optional(),
      client_id: id.optional(),
      roles: ids.optional(),
    },
    out: User,
    isExtension,
    rules: ["`reseller` is required with `client_id`, and `level` must be the one that these name."],
  }),
  get: op("GET /users/{user_id}", "user-get", "Read one user", { out: User, isExtension }),
  change: op("PATCH /users/{user_id}", "user-patch", "Change a user", {
    in: { ...person, username: username.optional() },
    out: User,
    isExtension,
  }),
  disable: op("PATCH /users/{user_id}/disable", "user_disable-patch", "Disable a user and all its tokens", {
    isExtension,
  }),
  enable: op("PATCH /users/{user_id}/enable", "user_enable-patch", "Enable a user", { isExtension }),
  setPassword: op("PUT /users/{user_id}/password", "user_password-put", "Set a user's password; ends its sessions", {
    in: { password: newPassword },
    isExtension,
  }),
  invite: op(
    "POST /users/{user_id}/invite",
    "user_invite-post",
    "Make a link by which a user without a password sets its first one; good once, for 72 hours unless given",
    { in: { hours: hours.optional() }, out: PasswordLink, once: ["link", "secret"], isExtension },
  ),
  resetPassword: op(
    "POST /users/{user_id}/password/reset",
    "user_password_reset-post",
    "Make a link by which a user sets a new password; good once, for one hour unless given",
    { in: { hours: hours.optional() }, out: PasswordLink, once: ["link", "secret"], isExtension },
  ),
  delete: op("DELETE /users/{user_id}", "user-delete", "Delete a user with its tokens", { isExtension }),
  disableTotp: op("DELETE /users/{user_id}/totp", "user_totp-delete", "Disable a user's one-time codes", {
    isExtension,
  }),
  roles: op("GET /roles", "roles-get", "List roles", { out: z.array(Role), isExtension }),
  createRole: op("POST /roles", "roles-post", "Create a role", {
    in: { name: title, description: note.optional(), permissions: words },
    out: Role,
    isExtension,
  }),
  changeRole: op("PATCH /roles/{role_id}", "role-patch", "Change a role", {
    in: { name: title.optional(), description: note.optional(), permissions: words.optional() },
    out: Role,
    isExtension,
  }),
  deleteRole: op("DELETE /roles/{role_id}", "role-delete", "Delete a role that nobody has", { isExtension }),
  assignRole: op("POST /roles/{role_id}/assign", "role_assign-post", "Give a role to a user", {
    in: { user_id: id },
    isExtension,
  }),
  unassignRole: op("DELETE /roles/{role_id}/assign", "role_assign-delete", "Take a role from a user", {
    in: { user_id: id },
    isExtension,
  }),
  tokens: op("GET /users/{user_id}/tokens", "user_tokens-get", "List the access tokens of a user", {
    out: z.array(PortalToken),
    isExtension,
  }),
  createToken: op(
    "POST /users/{user_id}/tokens",
    "user_tokens-post",
    "Create an access token; its value is shown this once",
    {
      in: { name: title, starts_at: instant.optional(), ends_at: instant.optional(), permissions: words.optional() },
      out: TokenCreated,
      once: ["value"],
      isExtension,
    },
  ),
  setPermissions: op(
    "PATCH /users/{user_id}/tokens/{token_id}",
    "user_token-patch",
    "Change a token: its permissions (`*` is all its owner has), its name, or its end, which `null` removes",
    {
      in: { permissions: words.optional(), name: title.optional(), ends_at: instant.nullable().optional() },
      out: PortalToken,
      isExtension,
    },
  ),
  revokeToken: op("DELETE /users/{user_id}/tokens/{token_id}", "user_token-delete", "Revoke a token", { isExtension }),
  permissions: op("GET /permissions", "permissions-get", "List all permissions and what asks for them", {
    out: z.array(PermissionEntry),
    isExtension,
  }),
  audit: op("GET /audit", "audit-get", "Read the log of changes, page by page, the newest first", {
    in: {
      user_id: id.optional(),
      operation: text.optional(),
      outcome: text.optional(),
      target: text.optional(),
      from: instant.optional(),
      to: instant.optional(),
      order: z.enum(["newest", "oldest"]).optional(),
      after: text.optional(),
      limit: z.int().min(1).max(1_000).optional(),
    },
    out: z.object({ entries: z.array(AuditRecord), next: z.string().optional() }),
    isExtension,
  }),
};
