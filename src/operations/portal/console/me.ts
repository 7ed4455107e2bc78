import { z } from "zod";
import { op } from "../../define.ts";
import { fieldName, flag, instant, newPassword, secret, title, words } from "../fields.ts";
import { PortalToken, person, TokenCreated, User } from "../tenancy/users.ts";

/** The caller's own user. */
export const Me = User.extend({
  /** True where it can log in with a password. */
  has_password: flag,
  /** True where such a login needs a one-time code too. */
  has_totp: flag,
});
export type Me = z.output<typeof Me>;

/** A session of the console, of the caller. */
export const OwnSession = z.object({
  id: z.string(),
  created_at: instant,
  /** Its last use, exact to a minute. */
  seen_at: instant,
  /** The instant at which it ends if it is not used again. */
  idle_ends_at: instant,
  /** Its absolute end. */
  ends_at: instant,
  /** The access token that opened it; null for a password. */
  token_id: z.string().nullable(),
  /** True for the session of this call. */
  current: flag,
});
export type OwnSession = z.output<typeof OwnSession>;

/** The secret of one-time codes, in base32 and as the address that apps read from a picture. */
export const TotpSecret = z.object({ secret: z.string(), otpauth_uri: z.string() });
export type TotpSecret = z.output<typeof TotpSecret>;

/** Codes that stand in for one of the app, each once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

/** What a console remembers for its user: at most 32 KiB of JSON. */
export const UserSettings = z.object({ settings: z.record(fieldName, z.unknown()) });
export type UserSettings = z.output<typeof UserSettings>;

const isExtension = true;

/** What a user may do with its own account, our extension. */
export const me = {
  get: op("GET /me", "me-get", "Read the own user", { out: Me, isExtension }),
  change: op("PATCH /me", "me-patch", "Change the own name, e-mail or language; `null` removes one", {
    in: {
      email: person.email.nullable(),
      first_name: person.first_name.nullable(),
      last_name: person.last_name.nullable(),
      language: person.language.nullable(),
    },
    out: Me,
    isExtension,
  }),
  setPassword: op(
    "PUT /me/password",
    "me_password-put",
    "Set the own password; needs the old one where there is one, and ends the other sessions",
    { in: { old_password: secret.optional(), password: newPassword }, isExtension },
  ),
  enrolTotp: op(
    "POST /me/totp",
    "me_totp-post",
    "Make a secret of one-time codes (RFC 6238), shown this once; it counts once a code has confirmed it",
    { out: TotpSecret, once: ["secret", "otpauth_uri"], isExtension },
  ),
  confirmTotp: op(
    "POST /me/totp/confirm",
    "me_totp_confirm-post",
    "Confirm the one-time codes with one of them: from then on a login with a password needs one",
    { in: { otp: secret }, out: RecoveryCodes, once: ["recovery_codes"], isExtension },
  ),
  disableTotp: op("DELETE /me/totp", "me_totp-delete", "Disable the own one-time codes, with one of them", {
    in: { otp: secret },
    isExtension,
  }),
  tokens: op("GET /me/tokens", "me_tokens-get", "List the own access tokens", {
    out: z.array(PortalToken),
    isExtension,
  }),
  createToken: op(
    "POST /me/tokens",
    "me_tokens-post",
    "Create an access token of the own user; its value is shown this once",
    {
      in: { name: title, starts_at: instant.optional(), ends_at: instant.optional(), permissions: words.optional() },
      out: TokenCreated,
      once: ["value"],
      isExtension,
    },
  ),
  revokeToken: op("DELETE /me/tokens/{token_id}", "me_token-delete", "Revoke an own token", { isExtension }),
  settings: op("GET /me/settings", "me_settings-get", "Read what the console remembers for the user", {
    out: UserSettings,
    isExtension,
  }),
  setSettings: op(
    "PUT /me/settings",
    "me_settings-put",
    "Store what the console remembers for the user, at most 32 KiB of JSON; replaces what was there",
    { in: { settings: UserSettings.shape.settings }, isExtension },
  ),
  sessions: op("GET /me/sessions", "me_sessions-get", "List the own sessions of the console", {
    out: z.array(OwnSession),
    isExtension,
  }),
  endOtherSessions: op("DELETE /me/sessions", "me_sessions-delete", "End all own sessions but the one of this call", {
    isExtension,
  }),
  endSession: op("DELETE /me/sessions/{session_id}", "me_session-delete", "End an own session", { isExtension }),
};
