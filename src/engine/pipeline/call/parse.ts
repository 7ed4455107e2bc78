import { z } from "zod";
import { findNoJson, isEmptyToSchema } from "../../api/no-json.ts";
import { isRecord } from "../../dialects/wire-values.ts";
import { GatewayError } from "../../errors.ts";
import { describeSchemaFault } from "../../options/schema-fault.ts";
import type { DescribedIssue } from "../../runtime/issues/issues.ts";
import { elementOf, schemaFor } from "./schema-of-value.ts";

/** Reads an unknown value as a request; throws `invalid_request` with the offending field in `param`. */
export type Parser<Request> = (input: unknown) => Request;

/** How a parser departs from its schema. */
interface ParserOptions {
  readonly keepsNulls?: boolean;
  /** Names that are read before the schema: one of them may be what an unknown field was to be. */
  readonly words?: readonly string[];
}

/**
 * A parser over a schema. Optional fields that are `null` count as absent, at any depth, as vendors' own APIs have it; the caller's object
 * is never changed.
 */
export function parserOf<Schema extends z.ZodType>(
  schema: Schema,
  { keepsNulls = false, words = [] }: ParserOptions = {},
): Parser<z.output<Schema>> {
  return (input) => {
    const value = keepsNulls ? input : withoutNulls(input);
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const reduced = keepsNulls ? value : withoutAbsentNulls(schema, value);
    const again = reduced === value ? result : schema.safeParse(reduced); // most requests hold no null: they are looked through once
    if (again.success) return again.data;
    throw invalidRequest(describeSchemaFault(schema, again.error, words));
  };
}

/**
 * A parser of requests to providers: besides what the schema says, JSON must be able to carry all of it, also fields that are
 * unknown here. `usual` parses the usual requests, faster; undefined leaves it to the schema.
 */
export function requestParserOf<Schema extends z.ZodType>(
  schema: Schema,
  usual?: Parser<z.output<Schema> | undefined>,
): Parser<z.output<Schema>> {
  const parse = parserOf(schema);
  return (provided) => {
    const input = withExtra(provided);
    const known = usual?.(input);
    if (known !== undefined) return known;
    const request = parse(input);
    const found = findNoJson(request, input);
    if (found === undefined) return request;
    const param = found.path.join(".");
    throw new GatewayError("invalid_request", `\`${param}\`: ${found.problem}`, { param });
  };
}

/** Fields of `extra` as the request's own. */
function withExtra(input: unknown): unknown {
  const extra = (input as { readonly extra?: unknown } | undefined | null)?.extra;
  if (typeof extra !== "object" || extra === null || Array.isArray(extra)) return input; // a field of this name at a vendor
  const { extra: _extra, ...fields } = input as Record<string, unknown>;
  for (const name in extra) {
    const param = `extra.${name}`;
    if (Object.hasOwn(fields, name))
      throw new GatewayError("invalid_request", `\`${param}\`: the request has \`${name}\`, too`, { param });
  }
  return { ...fields, ...extra };
}

/** What is wrong by a schema as an `invalid_request`. */
function invalidRequest({ param, message }: DescribedIssue): GatewayError {
  const subject = param === undefined ? "The request" : `\`${param}\``;
  return new GatewayError("invalid_request", `${subject}: ${message}`, { param });
}

function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  for (const name in input) {
    if ((input as Record<string, unknown>)[name] === null) {
      return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
    }
  }
  return input;
}

/** A patch of a record, checked. It keeps its nulls: they take a field away. */
export function readPatch<Schema extends z.ZodType>(schema: Schema, patch: unknown): z.output<Schema> {
  if (isEmptyToSchema(patch)) throw refusePatch(patch);
  return parserOf(schema, { keepsNulls: true })(patch);
}

/** A patch from an async function is refused, so its rejection is ignored. */
function refusePatch(patch: unknown): GatewayError {
  if (patch instanceof Promise) patch.catch(() => {});
  const message = "`patch`: must be an object, or a function that returns one; a promise has to be awaited before";
  return new GatewayError("invalid_request", message, { param: "patch" });
}

/**
 * A value without the nulls of fields that its schema has as optional, at whatever depth: clients write one for each field that they do
 * not set. Fields that take null keep it, and so do free maps and unknown fields, such as the `default` of a tool's schema. The value
 * itself is never changed, and is returned where it holds no such null.
 */
export function withoutAbsentNulls(schema: unknown, value: unknown): unknown {
  const known = schemaFor(schema, value);
  if (Array.isArray(value)) return ofList(elementOf(known), value);
  return known instanceof z.ZodObject && isRecord(value) ? ofObject(known.shape, value) : value;
}

function ofList(element: unknown, list: readonly unknown[]): readonly unknown[] {
  const reduced = list.map((entry) => withoutAbsentNulls(element, entry));
  return reduced.some((entry, at) => entry !== list[at]) ? reduced : list;
}

function ofObject(shape: Readonly<Record<string, unknown>>, value: Readonly<Record<string, unknown>>): unknown {
  let isChanged = false;
  const reduced: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    const stays = inner !== null || !isAbsentAsNull(schema);
    const read = typeof inner === "object" && inner !== null ? withoutAbsentNulls(schema, inner) : inner;
    if (stays) reduced[field] = read;
    isChanged ||= !stays || read !== inner;
  }
  return isChanged ? reduced : value;
}

/** True for a field that may be left out and does not take null. */
function isAbsentAsNull(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(undefined).success && !schema.safeParse(null).success;
}
