import { z } from "zod";
import type { StoredTaskStep } from "../../api/portal/tasks.ts";
import type { Operation } from "../../operations/define.ts";
import { isSecret } from "../../operations/portal/fields.ts";
import { findOperation } from "../../operations/portal/find.ts";

type Step = Pick<StoredTaskStep, "method" | "path">;

/** What is kept of a step's answer: a key's value, a token's and a kubeconfig are in the answer of the run, and nowhere else. */
export function withoutOnce(step: Step, answer: unknown): unknown {
  const { once = [] } = operationOf(step) ?? {};
  return once.length === 0 ? answer : without(once, answer);
}

/**
 * What is shown of a step's answer: no more than who asks now would be answered. What a step was refused with is no answer, and for all;
 * what another had the permission to see in the answer is left out.
 */
export function shownResponse(permissions: ReadonlySet<string>, step: Step, response: string): string | undefined {
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

/** What is shown of the fields that a step sends, as JSON: secrets are left out, and not sent again by who stores the step anew. */
export function withoutSecrets(step: Step, params: string): string {
  const input = operationOf(step)?.input;
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {};
  const hidden = Object.keys(shape).filter((name) => shape[name] && isSecret(shape[name]));
  if (hidden.length === 0) return params;
  return JSON.stringify(without(hidden, JSON.parse(params)));
}

/** The step's operation; none for one that a later version of the portal does not have any more. */
function operationOf({ method, path }: Step): Operation | undefined {
  const found = findOperation(method, path);
  return found.kind === "found" ? found.row.row.operation : undefined;
}
