import { z } from "zod";

/** An identifier, whoever made it. */
export const id = z.string().min(1).max(256);
export const ids = z.array(id).max(1_000);

/** The name of a reseller or a client; empty where the level above is meant. */
export const level = z.string().max(256);

/** A word or a line: names, codes, kinds. */
export const text = z.string().min(1).max(1_000);
export const words = z.array(text).max(1_000);

/** What an answer has as the name of a field: a text that JSON's readers would take for an object's prototype is none. */
export const fieldName = text.refine((name) => name !== "__proto__", "is no name");

/** The name that a person gives to something. */
export const title = z.string().trim().min(1).max(200);

/** What a person writes about something; may be empty. */
export const note = z.string().max(2_000);

export const flag = z.boolean();

/** A secret: nothing shows it that is not made for it. */
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
}, "must be of the years 0000 to 9999 in UTC");

/** The hour of a day in UTC: 0 to 23, or as text, `3`, `03` or `03:00`. */
export const hour = z.union([
  z.int().min(0).max(23),
  z.string().regex(/^(?:[01]?\d|2[0-3])(?::00)?$/, "must be an hour of the day, 0 to 23"),
]);

/** How long something lives: `30d`, `12h`, or the instant of its end. */
export const lifetime = z.union([z.string().regex(/^[1-9]\d{0,4}[dh]$/, "must be like `30d` or `12h`"), instant]);

/** Seconds from now, or an instant. */
export const expiry = z.union([z.int().positive().max(31_536_000), instant]);

/** Seconds for which a kubeconfig is good (portal-resolved.md, section 7). */
export const expiration = z.int().positive().max(86_400);

/** How many workers a group may have. */
export const workers = z.int().nonnegative().max(10_000);

/** How much of a quota. */
export const amount = z.int().nonnegative().max(1_000_000_000_000);

/** Where a service listens. */
export const address = z.url({ protocol: /^https?$/ }).max(2_048);
