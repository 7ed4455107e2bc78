import { ErrorBody } from "../../engine/api/error.ts";
import { errorTable } from "../../engine/errors.ts";
import type { Operation } from "../define.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { TwoSides } from "./two-sides.ts";

const json = "application/json";
const text = { type: "string" };
const count = { type: "integer", format: "int64" };

/** Headers of answers, as components of a document. */
export const headerComponents = {
  EventId: { description: "Identifier of this request, as in logs and events", schema: text },
  RetryAfter: { description: "Seconds to wait before the next attempt", schema: { ...count, minimum: 1 } },
  RetryAfterMs: { description: "Milliseconds to wait before the next attempt", schema: { ...count, minimum: 1 } },
  ShouldRetry: { description: "`false` where a retry cannot change the result", schema: text },
  Allow: { description: "The methods that the path supports; of 405", schema: text },
  Authenticate: { description: "The credentials that are missing or wrong", schema: text },
  RateLimitLimit: { description: "The limit of the tightest window", schema: count },
  RateLimitRemaining: { description: "What is left in the tightest window", schema: count },
  RateLimitReset: { description: "Seconds until the tightest window begins anew", schema: count },
};

const refer = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** The header of every answer. */
export const eventIdHeader = { "x-tg-event-id": refer("EventId") };

const waitHeaders = { "retry-after": refer("RetryAfter"), "retry-after-ms": refer("RetryAfterMs") };

/** The position of the caller in its tightest windows; on answers and refusals of inference. */
export const rateHeaders = Object.fromEntries(
  ["requests", "tokens"].flatMap((unit) => [
    [`x-ratelimit-limit-${unit}`, refer("RateLimitLimit")],
    [`x-ratelimit-remaining-${unit}`, refer("RateLimitRemaining")],
    [`x-ratelimit-reset-${unit}`, refer("RateLimitReset")],
  ]),
);

/** The body of failures, by its name. */
export const failureSchemas = { ErrorBody };

/** The codes of errors are an open list: a client that knows them all meets a new one some day. */
export function withOpenCodes({ ErrorBody: body, ...schemas }: TwoSides["components"]): Record<string, JsonSchema> {
  const type = { type: "string" as const, "x-extensible-enum": Object.keys(errorTable), examples: ["invalid_request"] };
  return { ...schemas, ErrorBody: { ...body, properties: { ...body?.properties, type } } };
}

interface FailureClass {
  readonly name: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Whether an operation can fail so; without it every one can. */
  readonly isOf?: (row: Operation) => boolean;
}

const isInference = ({ access }: Operation) => access === "virtual_key";
const isGuarded = ({ access }: Operation) => access !== "open";
const isPortal = (row: Operation) => isGuarded(row) && !isInference(row);
const hasBody = ({ input, method }: Operation) => input !== undefined && method !== "GET" && method !== "DELETE";
const lasting = { "x-should-retry": refer("ShouldRetry") };

/** Failures by status, beyond the ones of the server itself, which are `default`. */
const classes: Readonly<Record<number, FailureClass>> = {
  400: { name: "BadRequest", description: "The request is not valid.", headers: lasting },
  401: {
    name: "Unauthorized",
    description: "The credentials are missing, wrong or expired.",
    headers: { ...lasting, "www-authenticate": refer("Authenticate") },
    isOf: isGuarded,
  },
  402: { name: "BudgetExceeded", description: "A budget is used up.", headers: lasting, isOf: isInference },
  403: { name: "Forbidden", description: "The credentials do not allow this.", headers: lasting, isOf: isGuarded },
  404: { name: "NotFound", description: "There is nothing of this name.", headers: lasting, isOf: isGuarded },
  409: {
    name: "Conflict",
    description: "The present state does not permit the change.",
    isOf: (row) => isPortal(row) && row.method !== "GET",
  },
  413: { name: "ContentTooLarge", description: "The body is too large.", headers: lasting, isOf: hasBody },
  415: { name: "UnsupportedMediaType", description: "The body is not JSON.", headers: lasting, isOf: hasBody },
  429: {
    name: "TooManyRequests",
    description: "A limit is used up for now.",
    headers: { ...waitHeaders, ...rateHeaders },
    isOf: isInference,
  },
};

const otherFailure: FailureClass = {
  name: "Failure",
  description: "Any other failure.",
  headers: { ...waitHeaders, ...lasting, allow: refer("Allow") },
};

function responseOf(status: number | undefined, { description, headers }: FailureClass, schema: JsonSchema) {
  const rows = Object.entries(errorTable)
    .filter(([, row]) => (status === undefined ? !(row.status in classes) : row.status === status))
    .map(([code, row]) => `- ${status === undefined ? `${row.status} ` : ""}\`${code}\`: ${row.meaning}`);
  return {
    description: [description, ...(rows.length > 0 ? ["", ...rows] : [])].join("\n"),
    headers: { ...eventIdHeader, ...headers },
    content: { [json]: { schema } },
  };
}

/** The failures that have the common body, as components. */
export function failureComponents(schemas: TwoSides): Record<string, unknown> {
  const schema = schemas.answer(ErrorBody);
  const rows = Object.entries(classes).map(([status, row]) => [row.name, responseOf(Number(status), row, schema)]);
  return { ...Object.fromEntries(rows), [otherFailure.name]: responseOf(undefined, otherFailure, schema) };
}

/** The failures of an operation by status, `default` for all others. */
export function failuresOf(row: Operation, schemas: TwoSides): Record<string, unknown> {
  const { failure } = row;
  const write = (status: number | undefined, kind: FailureClass) =>
    failure ? responseOf(status, kind, schemas.answer(failure)) : { $ref: `#/components/responses/${kind.name}` };
  const own = Object.entries(classes).filter(([, { isOf }]) => isOf?.(row) ?? true);
  return {
    ...Object.fromEntries(own.map(([status, kind]) => [status, write(Number(status), kind)])),
    default: write(undefined, otherFailure),
  };
}
