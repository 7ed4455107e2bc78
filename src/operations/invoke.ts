import { z } from "zod";
import { GatewayError, isGatewayError, withDetails } from "../engine/errors.ts";
import { describeSchemaFault } from "../engine/options/schema-fault.ts";
import { freezeAll } from "../engine/runtime/freeze.ts";
import { type DescribedIssue, describeIssues } from "../engine/runtime/issues/issues.ts";
import type { Operation } from "./define.ts";

/** The checked elements of frozen lists, by schema. */
const known = new WeakMap<z.ZodType, WeakMap<object, unknown>>();

/**
 * Returns an answer as its schema has it. A frozen element of a list is checked only once, the first time it is answered, so that areas
 * which cache their views do not pay for the check again.
 */
export function checkOutput(output: z.ZodType, answer: unknown): z.ZodSafeParseResult<unknown> {
  if (!(output instanceof z.ZodArray) || !Array.isArray(answer) || hasRules(output)) return output.safeParse(answer);
  const seen = knownBy(output);
  const fresh = answer.filter((element) => !seen.has(element));
  const checked = output.safeParse(fresh);
  if (!checked.success) return output.safeParse(answer); // again, for the right position in the message
  const created = checked.data.values();
  const data = answer.map((element) => {
    if (seen.has(element)) return seen.get(element);
    const value = created.next().value;
    if (Object.isFrozen(element) && typeof element === "object") seen.set(element, freezeAll(value));
    return value;
  });
  return { success: true, data };
}

/** True for rules about the list as a whole. */
function hasRules({ def }: z.ZodArray): boolean {
  return (def.checks?.length ?? 0) > 0;
}

function knownBy(output: z.ZodType): WeakMap<object, unknown> {
  const seen = known.get(output) ?? new WeakMap<object, unknown>();
  known.set(output, seen);
  return seen;
}

/** One call of an operation. */
export interface Invocation {
  /** `area.name`, for messages. */
  readonly name: string;
  readonly operation: Operation;
  /** The path's parameters and the fields of the input, in one object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the caller may do. */
  readonly permissions: ReadonlySet<string>;
  /** The region of the call, for the message about a missing method. */
  readonly region: string;
}

/** Implements an operation. Its input is what the row's schema has accepted. */
export type OperationMethod = (input: never) => unknown;

/**
 * Calls an operation: permission, input, method, output. Throws `permission_denied`, `invalid_request` naming the field,
 * `not_implemented` where there is no method, what the method throws, and `internal` for an answer that breaks its schema. Returns the
 * fields of the answer that the schema has, without any others.
 */
export async function invoke(invocation: Invocation, method: OperationMethod | undefined): Promise<unknown> {
  const { operation, permissions } = invocation;
  if (!permissions.has(operation.access)) throw denied(operation.access);
  const input = readInput(operation, invocation.input);
  if (!method) throw notImplemented(invocation);
  try {
    return checkAnswer(invocation, await method(input as never)); // the method's own type is derived from the row's schema
  } catch (thrown) {
    throw withFieldName(thrown, input);
  }
}

/** A look-up of a record knows it as `id` only: names the input field that held the id instead. */
function withFieldName(thrown: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (!isGatewayError(thrown) || thrown.param !== "id" || "id" in input) return thrown;
  const named = Object.keys(input).find((name) => thrown.message.includes(`\`${input[name]}\``));
  return named === undefined ? thrown : withDetails(thrown, { param: named });
}

/** Returns the input of an operation as its schema accepts it, with the path's parameters. Throws `invalid_request` naming the field. */
export function readInput(operation: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isParameter = (name: string) => operation.params.includes(name);
  const params = Object.fromEntries(operation.params.map((name) => [name, readParameter(name, input[name])]));
  const fields = Object.entries(input).filter(([name, value]) => value !== undefined && !isParameter(name));
  if (!operation.input) {
    const [unknown] = fields;
    if (unknown) throw invalid(unknown[0], "is not a known field: this operation takes no fields");
    return params;
  }
  const { input: schema } = operation;
  const checked = schema.safeParse(Object.fromEntries(fields));
  if (!checked.success) throw toInvalid(describeSchemaFault(schema, checked.error));
  return { ...(checked.data as object), ...params };
}

/** Ids and names in paths. Nothing could be found under anything else. */
function readParameter(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && value.length <= longestParameter) return value;
  throw invalid(name, `must be a string of 1 to ${longestParameter} characters`);
}

const longestParameter = 1_000;

function toInvalid({ param, message }: DescribedIssue): GatewayError {
  return invalid(param, message);
}

function invalid(param: string | undefined, problem: string): GatewayError {
  const subject = param === undefined ? "The input" : `\`${param}\``;
  return new GatewayError("invalid_request", `${subject}: ${problem}.`, { param });
}

function denied(permission: string): GatewayError {
  const message = `The token lacks the permission \`${permission}\`. Grant it to the token, and to its owner through a role or a profile. Whoever gave it to the token must still have it too.`;
  return new GatewayError("permission_denied", message, { param: permission });
}

function notImplemented({ name, region }: Invocation): GatewayError {
  const where = region === "" ? "here" : `in the region \`${region}\``;
  return new GatewayError("not_implemented", `\`${name}\` is not available ${where}: no back end implements it.`);
}

/** Returns the answer as its schema has it. An answer that breaks its schema is a defect of ours: only the log names the field. */
function checkAnswer({ name, operation }: Invocation, answer: unknown): unknown {
  const { output, stream } = operation;
  if (!output) return stream ? answer : undefined; // events are written one by one, as they come
  const checked = checkOutput(output, answer);
  if (checked.success) return checked.data;
  const { param, message } = describeIssues(checked.error.issues as z.core.$ZodIssue[]);
  const cause = new Error(`the answer of ${name} breaks its schema at ${param ?? "its top"}: ${message}`);
  throw new GatewayError("internal", "The gateway failed to handle this request.", { cause });
}
