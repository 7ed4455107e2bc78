import { z } from "zod";
import { documentedAs } from "../document/json-schema.ts";

/** An identifier of the portal or of a back end. */
export const id = z.string().min(1).max(256);
export const ids = z.array(id).max(1_000);

/** The name of a reseller or a client; empty for the level above. */
export const level = z.string().max(256);

/** A word or a line: names, codes, kinds. */
export const text = z.string().min(1).max(1_000);
export const words = z.array(text).max(1_000);

/** A name that becomes a field of an answer. `__proto__` is refused, because it could be read as an object's prototype. */
export const fieldName = text.refine((name) => name !== "__proto__", "is not a valid name");

/** A display name. */
export const title = z.string().trim().min(1).max(200);

/** A description; may be empty. */
export const note = z.string().max(2_000);

export const flag = z.boolean();

/** A secret, which logs, tasks and the audit log never show. */
export const secret = z.string().min(1).max(10_000);

/** True for a field that takes a secret. */
export function isSecret(field: z.ZodType): boolean {
  return field === secret || (field instanceof z.ZodOptional && field.unwrap() === secret);
}

/** An object whose fields the specification leaves open. */
export const obj = z.record(z.string(), z.unknown());

const [first, last] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].map(Date.parse) as [number, number];

/** RFC 3339, with `Z` or an offset on the way in; answers are in UTC, where the year must have four digits too. */
export const instant = z.iso.datetime({ offset: true }).refine((text) => {
  const at = Date.parse(text);
  return at >= first && at <= last;
}, "must be in the years 0000 to 9999 in UTC");

/** The hour of a day in UTC: 0 to 23, or as text, `3`, `03` or `03:00`. */
const hourText = z.string().regex(/^(?:[01]?\d|2[0-3])(?::00)?$/, "must be an hour of the day, 0 to 23");
export const hour = documentedAs(z.union([z.int().min(0).max(23), hourText]), hourText);

/** A lifetime: `30d`, `12h`, or the instant of its end. */
export const lifetime = z.union([z.string().regex(/^[1-9]\d{0,4}[dh]$/, "must be like `30d` or `12h`"), instant]);

const seconds = z.int().positive().max(31_536_000);
const secondsAsText = z.string().regex(/^[1-9]\d{0,7}$/, "must be seconds from now, or an instant");
/** Seconds from now, as a number or as text, or an instant. */
export const expiry = documentedAs(z.union([seconds, secondsAsText, instant]), seconds);

/** The validity of a kubeconfig in seconds (portal-resolved.md, section 7). */
export const expiration = z.int().positive().max(86_400);

/** A number of workers in a group. */
export const workers = z.int().nonnegative().max(10_000);

/** An amount of a quota. */
export const amount = z.int().nonnegative().max(1_000_000_000_000);

/** The address of a service. */
export const address = z.url({ protocol: /^https?$/ }).max(2_048);
