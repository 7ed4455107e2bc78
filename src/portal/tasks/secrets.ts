import { z } from "zod";
import type { Operation } from "../../operations/define.ts";
import { isSecret } from "../../operations/portal/fields.ts";
import { findOperation } from "../../operations/portal/find.ts";
import type { StoredTaskStep } from "../../operations/records/tasks.ts";

export { stepPlace } from "../call/sealed-places.ts";

type StepRequest = Pick<StoredTaskStep, "method" | "path">;

/** Returns what is stored of a step's answer. The values of keys and tokens and kubeconfigs are only in the answer of the run. */
export function withoutOnce(step: StepRequest, answer: unknown): unknown {
  const { once = [] } = operationOf(step) ?? {};
  return once.length === 0 ? answer : without(once, answer);
}

/**
 * Returns what a caller may see of a step's answer: no more than the operation would answer that caller now. An error is shown to all;
 * fields that need a permission which the caller lacks are left out.
 */
export function shownResponse(
  permissions: ReadonlySet<string>,
  step: StepRequest,
  response: string,
): string | undefined {
  const answer: unknown = JSON.parse(response);
  if ("error" in Object(answer)) return response;
  const { access = "", guarded = {} } = operationOf(step) ?? {};
  if (!permissions.has(access)) return undefined;
  const hidden = Object.keys(guarded).filter((name) => !permissions.has(guarded[name] ?? ""));
  if (hidden.length === 0) return response;
  return JSON.stringify(Array.isArray(answer) ? answer.map((each) => without(hidden, each)) : without(hidden, answer));
}

function without(names: readonly string[], answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)));
}

/** Returns the fields that a step sends, as JSON without secrets. */
export function withoutSecrets(step: StepRequest, params: string): string {
  const input = operationOf(step)?.input;
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {};
  const hidden = Object.keys(shape).filter((name) => shape[name] && isSecret(shape[name]));
  if (hidden.length === 0) return params;
  return JSON.stringify(without(hidden, JSON.parse(params)));
}

/** Returns the step's operation; undefined for one that this version of the portal no longer has. */
function operationOf({ method, path }: StepRequest): Operation | undefined {
  const found = findOperation(method, path);
  return found.kind === "found" ? found.row.row.operation : undefined;
}
