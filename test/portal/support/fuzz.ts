import fc from "fast-check";
import { ErrorBody } from "../../../src/engine/api/error.ts";
import { portalTable } from "../../../src/operations/portal/table.ts";
import { type Components, type Schema, valuesOf } from "./from-schema.ts";
import type { Answer, Asked } from "./gateway.ts";

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** What is read of an operation of an OpenAPI document. */
interface Described {
  readonly "x-operation": string;
  readonly description?: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** What is read of an OpenAPI document. */
export interface ReadDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Components };
}

/** One request of a fuzzing run, and the operation that it was made from. */
export interface FuzzRequest extends Asked {
  readonly operationId: string;
}

/** Identifiers that earlier answers held: what exists is asked for too. */
export type Seen = readonly string[];

const nasty = fc.oneof(
  fc.constantFrom(null, "", " ", 0, -1, 1e21, true, [], {}, [[]], "\u0000", "../..", "%2e", "__proto__", "2026-13-45"),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constant("x".repeat(70_000)),
);

const strangeSegment = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: "binary" }).map(encodeURIComponentSafely),
  fc.constantFrom("..", "%00", "%E0%A4%A", "constructor", "__proto__", "a%2Fb", "x".repeat(3_000)),
);

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()) || "x";
}

interface Requested {
  readonly method: string;
  readonly path: string;
  readonly described: Described;
  readonly input: fc.Arbitrary<unknown>;
}

/** The operations of the portal that a document describes. */
function operationsOf({ paths, components }: ReadDocument): readonly Requested[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, described]) => described["x-operation"] in portalTable)
      .map(([method, described]) => ({
        method: method.toUpperCase(),
        path,
        described,
        input: inputOf(described, components.schemas),
      })),
  );
}

/** A request that the document calls sound, made when it is known what exists, and what the document tells beyond the form of its fields. */
export interface SoundRequest {
  made(seen: Seen): FuzzRequest;
  /** True where the description of the operation, or of a field of this name, states what a value must be. */
  tells(field: string): boolean;
}

/** Requests of a document that it calls sound, some of each operation. */
export function soundRequests(document: ReadDocument, runs: { seed: number; each: number }): SoundRequest[] {
  const { schemas } = document.components;
  return operationsOf(document).flatMap(({ method, path, described, input }) => {
    const operationId = described["x-operation"];
    const stated = fieldTexts(described, schemas);
    const tells = (field: string) =>
      described.description?.includes(`\`${field}\``) === true ||
      stated.some(([name, text]) => name === field && /must|future/.test(text));
    return fc.sample(input, { numRuns: runs.each, seed: runs.seed }).map((drawn, nth) => ({
      tells,
      made(seen: Seen) {
        const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponentSafely(seen[nth % seen.length] ?? "x"));
        return { operationId, method, path: filled, body: useSeen(drawn as Record<string, unknown>, seen, nth) };
      },
    }));
  });
}

/** The descriptions of an operation's fields, at any depth. */
function fieldTexts({ parameters = [], requestBody }: Described, schemas: Components): [name: string, text: string][] {
  const texts: [string, string][] = parameters.map(({ name, description = "" }) => [name, description]);
  const visited = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    const { $ref, properties = {} } = value as Schema;
    if ($ref !== undefined) walk(schemas[$ref.split("/").at(-1) ?? ""]);
    for (const [name, { description = "" }] of Object.entries(properties)) texts.push([name, description]);
    for (const part of Object.values(value)) walk(part);
  };
  walk([requestBody, parameters]);
  return texts;
}

/** Requests of a document, valid ones and broken ones, each from one number. */
export function createFuzzer(document: ReadDocument, mount: string): (seed: number, seen: Seen) => FuzzRequest {
  const operations = operationsOf(document);
  const query = fc.record({
    operation: fc.nat(operations.length - 1),
    how: fc.nat(9),
    nth: fc.nat(1 << 20),
    nasty,
    segment: strangeSegment,
  });
  return (seed, seen) => {
    const [drawn] = fc.sample(query, { numRuns: 1, seed });
    const chosen = operations[drawn?.operation ?? 0];
    if (!drawn || !chosen) throw new TypeError("the document has no operation");
    const [valid] = fc.sample(chosen.input, { numRuns: 1, seed });
    const body = useSeen(valid as Record<string, unknown>, seen, drawn.nth);
    const path = mount + chosen.path.replaceAll(/\{\w+\}/g, () => segmentOf(drawn, seen));
    return { operationId: chosen.described["x-operation"], ...spoil({ method: chosen.method, path, body }, drawn) };
  };
}

interface Drawn {
  readonly how: number;
  readonly nth: number;
  readonly nasty: unknown;
  readonly segment: string;
}

function inputOf({ parameters = [], requestBody }: Described, schemas: Components): fc.Arbitrary<unknown> {
  const body = requestBody?.content["application/json"]?.schema;
  if (body) return valuesOf(body, schemas);
  const asked = parameters.filter((parameter) => parameter.in === "query");
  const properties = Object.fromEntries(asked.map(({ name, schema }) => [name, schema] as const));
  const required = asked.filter((parameter) => parameter.required).map(({ name }) => name);
  return valuesOf({ type: "object", properties, required, additionalProperties: false }, schemas);
}

function segmentOf({ how, nth, segment }: Drawn, seen: Seen): string {
  const known = seen[nth % Math.max(1, seen.length)];
  return how % 2 === 0 && known !== undefined ? encodeURIComponentSafely(known) : segment;
}

/** Puts identifiers that exist where identifiers are asked for. */
function useSeen(fields: Record<string, unknown>, seen: Seen, nth: number): Record<string, unknown> {
  if (seen.length === 0) return fields;
  const filled = Object.entries(fields).map(([name, value], position) =>
    /(^|_)id$/.test(name) && typeof value === "string" ? [name, seen[(nth + position) % seen.length]] : [name, value],
  );
  return Object.fromEntries(filled);
}

interface Sound {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Four of ten requests stay as they are; the others are broken in one way each. */
function spoil({ method, path, body }: Sound, { how, nth, nasty: value }: Drawn): Asked {
  const names = Object.keys(body);
  const victim = names[nth % Math.max(1, names.length)] ?? "surprise";
  if (how === 4) return { method, path, body: { ...body, [victim]: value } };
  if (how === 5)
    return { method, path, body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== victim)) };
  if (how === 6) return { method, path: `${path}?${toQuery({ ...body, [victim]: value })}` };
  if (how === 7) return { method, path, body: nth % 2 === 0 ? value : `{"broken": ` };
  if (how === 8) return { method, path, body, headers: headersOf(nth) };
  if (how === 9)
    return {
      method,
      path: `${path}?${toQuery(body)}`,
      ...(nth % 2 === 0 ? { body: { ...body, __proto__x: value } } : {}),
    };
  return method === "GET" && nth % 2 === 0 ? { method, path: `${path}?${toQuery(body)}` } : { method, path, body };
}

function headersOf(nth: number): NonNullable<Asked["headers"]> {
  const odd: readonly NonNullable<Asked["headers"]>[] = [
    { "content-type": "text/plain" },
    { "auth-token": undefined },
    { "auth-token": "tg_at_wrong" },
    { region: "nowhere" },
    { region: undefined },
    { "content-type": undefined },
  ];
  return odd[nth % odd.length] ?? {};
}

function toQuery(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return items.map(
      (item) =>
        `${encodeURIComponentSafely(name)}=${encodeURIComponentSafely(typeof item === "string" ? item : (JSON.stringify(item) ?? ""))}`,
    );
  });
  return parts.join("&").slice(0, 6_000);
}

/** What is wrong with an answer: a failure of ours, or a body that its schema does not have; undefined when nothing is. */
export function judge({ operationId }: FuzzRequest, { status, body }: Answer): string | undefined {
  if (status >= 500 && status !== 501) return `answers ${status} ${JSON.stringify(body)}`;
  if (status >= 400) return ErrorBody.safeParse(body).success ? undefined : `answers ${status} with another body`;
  const { output, stream } = portalTable[operationId] ?? {};
  if (stream) return status === 200 ? undefined : `answers ${status}`; // its events are tested one by one
  if (status === 204) return output ? "answers 204 where the table shows a body" : undefined;
  if (status !== 200 || !output) return `answers ${status}`;
  const checked = output.safeParse(body);
  return checked.success ? undefined : `breaks its schema: ${checked.error.message}`;
}

/** The identifiers in an answer, up to a few. */
export function collectIds(answer: unknown, seen: string[]): void {
  if (typeof answer !== "object" || answer === null || seen.length > 500) return;
  for (const [name, value] of Object.entries(answer)) {
    if (
      /(^|_)ids?$|^name$/.test(name) &&
      typeof value === "string" &&
      value !== "" &&
      value.length < 100 &&
      !seen.includes(value)
    )
      seen.push(value);
    collectIds(value, seen);
  }
}
