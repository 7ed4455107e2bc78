import { z } from "zod";
import { type Operation, type OperationTable, op } from "../define.ts";
import { documentedAs } from "../document/json-schema.ts";
import { Theme } from "./console/themes.ts";
import { instant, newPassword, secret } from "./fields.ts";

/** Who is logged in, and until when. */
export const Session = z.object({
  user: z.object({ id: z.string(), username: z.string() }),
  /** The absolute end: 12 hours after the login, or the end of the token, whichever is first. */
  ends_at: instant,
  /** The end if the session is not used until then. */
  idle_ends_at: instant,
  /** Sent in `x-csrf` with every change. */
  csrf: z.string(),
});
export type Session = z.output<typeof Session>;

/** What the console needs before a login. */
export const ConsoleBoot = z.object({
  version: z.string(),
  regions: z.array(z.object({ code: z.string(), name: z.string() })),
  languages: z.array(z.object({ lang: z.string(), name: z.string(), default: z.boolean() })),
  login: z.object({
    token: z.boolean(),
    password: z.boolean(),
    /** The OpenID providers; `GET /session/oidc/{name}` begins a login in the browser. */
    oidc: z.array(z.object({ name: z.string(), label: z.string() })),
  }),
  theme: Theme,
  /** The texts of the login page in the requested language. */
  texts: z.record(z.string(), z.string()),
});
export type ConsoleBoot = z.output<typeof ConsoleBoot>;

const name = z.string().min(1).max(128);
const byToken = z.strictObject({ token: secret });
/** `otp` is the one-time code, or a recovery code, of a user who has confirmed such codes. */
const byPassword = z.strictObject({ username: name, password: secret, otp: secret.optional() });

/** From the link that the first start prints; it is good once, and from the gateway's own machine only. */
const byCode = z.strictObject({ code: secret });

/** The credentials of a login: an access token, username and password, or the code of a sign-in link. */
export const Credentials = documentedAs(
  z.union([byToken, byPassword, byCode]),
  z.strictObject({ ...byToken.shape, ...byPassword.shape, ...byCode.shape }).partial(),
);
export type Credentials = z.output<typeof Credentials>;

const isExtension = true;
export type SessionOperationName = "login" | "read" | "renew" | "logout" | "boot" | "redeem";
/** The operations of sessions by name. */
export type SessionOperations = Readonly<Record<SessionOperationName, Operation>>;

/** Sessions of the console, our extension. They are open: the cookie is the credential (portal-resolved.md, section 2). */
export const sessions: SessionOperations = {
  login: op("POST /session", "open", "Log in to the console; sets an HttpOnly cookie", {
    in: Credentials,
    out: Session,
    isExtension,
  }),
  read: op("GET /session", "open", "Read the session of the cookie", { out: Session, isExtension }),
  renew: op("POST /session/renew", "open", "Replace the cookie by a new one and reset the idle end", {
    out: Session,
    isExtension,
  }),
  logout: op("DELETE /session", "open", "Log out: the session ends at once", { isExtension }),
  redeem: op(
    "POST /password/redeem",
    "open",
    "Set the password of the user of a link; ends the link and the sessions",
    {
      in: { secret, password: newPassword },
      isExtension,
    },
  ),
  boot: op("GET /console/boot", "open", "Read what the console needs before a login", {
    in: { tenant: z.string().min(1).max(512).optional(), lang: z.string().min(1).max(35).optional() },
    out: ConsoleBoot,
    isExtension,
  }),
};

/** The rows by `sessions.name`, for the document. */
export const sessionTable: OperationTable = Object.fromEntries(
  Object.entries(sessions).map(([name, operation]) => [`sessions.${name}`, operation]),
);

/** Their resources by name. */
export const sessionSchemas: Readonly<Record<string, unknown>> = { Session, ConsoleBoot };
