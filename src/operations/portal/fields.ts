import { z } from "zod";
import { bucketNameForm } from "../../engine/runtime/bucket-name.ts";
import { documentedAs } from "../document/json-schema.ts";
import { languageCodes } from "../records/users.ts";

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

/** A language that the gateway has texts in. */
export const language = z.enum(languageCodes);

/** A secret, which logs, tasks and the audit log never show. */
export const secret = z.string().min(1).max(10_000);

/** A password that is set (NIST SP 800-63B asks for 8 characters at least, and 64 at most to be accepted). */
const [minLength, maxLength] = [12, 256];
export const newPassword = z
  .string()
  .refine((text) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength;
  }, `must have ${minLength} to ${maxLength} characters`)
  .meta({ minLength, maxLength });

/** True for a field that takes a secret. */
export function isSecret(field: z.ZodType): boolean {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return inner === secret || inner === newPassword;
}

/** A name in a cluster: of a worker group, of a secret, of a binding. */
export function clusterName(most: number): z.ZodType<string, string> {
  return z
    .string()
    .min(1)
    .max(most)
    .regex(
      /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
      "must be lower-case letters, digits and single hyphens, beginning with a letter",
    );
}

/** The name of a bucket, as S3 has it. */
export const bucketName = z
  .string()
  .min(3)
  .max(63)
  .regex(
    bucketNameForm,
    "must be lower-case letters, digits, hyphens and single dots, with a letter or digit at both ends",
  );

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
export const lifetime = z
  .union([z.string().regex(/^[1-9]\d{0,4}[dh]$/, "must be like `30d` or `12h`"), instant])
  .describe("How long it is valid: days or hours, or the instant of its end; must be in the future.");

const seconds = z.int().positive().max(31_536_000);
const secondsAsText = z.string().regex(/^[1-9]\d{0,7}$/, "must be seconds from now, or an instant");
/** Seconds from now, as a number or as text, or an instant. */
export const expiry = documentedAs(z.union([seconds, secondsAsText, instant]), seconds);

/**
 * The validity of a kubeconfig in seconds (portal-resolved.md, section 7). Clusters give none for less than ten minutes, which is refused and
 * not raised: a credential must never live longer than its owner asked for.
 */
export const expiration = z.int().min(600).max(86_400);

/** A number of workers in a group. */
export const workers = z.int().nonnegative().max(10_000);

/** An amount of a quota. */
export const amount = z.int().nonnegative().max(1_000_000_000_000);

/** The address of a service. */
export const address = z.url({ protocol: /^https?$/ }).max(2_048);
