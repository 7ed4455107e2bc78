import type { z } from "zod";
import { GatewayError, isGatewayError, withDetails } from "../errors.ts";
import { describeIssues, type Issue } from "../issues.ts";
import { checkOutput } from "./answer.ts";
import type { Operation } from "./define.ts";

/** One call of an operation. */
export interface Invocation {
  /** `area.name`, for messages. */
  readonly name: string;
  readonly operation: Operation;
  /** The path's parameters and the fields of the input, in one object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the caller may do. */
  readonly permissions: ReadonlySet<string>;
  /** Where the operation is called, for the message of a missing method. */
  readonly region: string;
}

/** Does the work of an operation, over input that its schema has accepted. */
export type Method = (input: never) => unknown;

/**
 * Calls an operation: permission, input, method, output. Throws `permission_denied`, `invalid_request` naming the field,
 * `not_implemented` where there is no method, what the method throws, and `internal` for an answer that breaks its schema. The answer is
 * what the schema knows; fields that it does not have are left out.
 */
export async function invoke(invocation: Invocation, method: Method | undefined): Promise<unknown> {
  const { operation, permissions } = invocation;
  if (!permissions.has(operation.access)) throw denied(operation.access);
  const input = readInvocation(invocation);
  if (!method) throw notImplemented(invocation);
  try {
    return checkAnswer(invocation, await method(input as never)); // the method's own type says what its row's schema gives
  } catch (thrown) {
    throw namedAsAsked(thrown, input);
  }
}

/** What looks for a record knows it by `id` alone: the caller is told by which of the fields it was named. */
function namedAsAsked(thrown: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (!isGatewayError(thrown) || thrown.param !== "id" || "id" in input) return thrown;
  const named = Object.keys(input).find((name) => thrown.message.includes(`\`${input[name]}\``));
  return named === undefined ? thrown : withDetails(thrown, { param: named });
}

function readInvocation({ operation, input }: Invocation): Record<string, unknown> {
  const isParameter = (name: string) => operation.params.includes(name);
  const params = Object.fromEntries(operation.params.map((name) => [name, readParameter(name, input[name])]));
  const fields = Object.entries(input).filter(([name, value]) => value !== undefined && !isParameter(name));
  if (!operation.input) {
    const [unknown] = fields;
    if (unknown) throw invalid(unknown[0], "is not a known field: this operation takes none");
    return params;
  }
  const checked = operation.input.safeParse(Object.fromEntries(fields));
  if (!checked.success) throw toInvalid(checked.error.issues);
  return { ...(checked.data as object), ...params };
}

/** Identifiers and names in paths: anything else would be looked for in vain. */
function readParameter(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && value.length <= longestParameter) return value;
  throw invalid(name, `must be a text of 1 to ${longestParameter} characters`);
}

const longestParameter = 1_000;

/** What the schemas found, as an error that names the field. */
function toInvalid(issues: readonly Issue[]): GatewayError {
  const { param, message } = describeIssues(issues);
  return invalid(param, message);
}

function invalid(param: string | undefined, problem: string): GatewayError {
  const subject = param === undefined ? "The input" : `\`${param}\``;
  return new GatewayError("invalid_request", `${subject}: ${problem}.`, { param });
}

function denied(permission: string): GatewayError {
  const message = `The token does not carry the permission \`${permission}\`; give it to the token, and to its owner by a role or a profile.`;
  return new GatewayError("permission_denied", message, { param: permission });
}

function notImplemented({ name, region }: Invocation): GatewayError {
  const where = region === "" ? "here" : `in the region \`${region}\``;
  return new GatewayError("not_implemented", `Nothing does \`${name}\` ${where}: its area has no back end for it.`);
}

/** The answer as its schema has it. What breaks it is a defect of ours: the log says which field, the caller is not told. */
function checkAnswer({ name, operation }: Invocation, answer: unknown): unknown {
  const { output } = operation;
  if (!output) return undefined;
  const checked = checkOutput(output, answer);
  if (checked.success) return checked.data;
  const { param, message } = describeIssues(checked.error.issues as z.core.$ZodIssue[]);
  const cause = new Error(`the answer of ${name} breaks its schema at ${param ?? "its top"}: ${message}`);
  throw new GatewayError("internal", "The gateway failed to handle this request.", { cause });
}
