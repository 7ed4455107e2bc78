import { z } from "zod";
import type { StoredTaskStep } from "../../api/portal/tasks.ts";
import type { Operation } from "../../operations/define.ts";
import { isSecret } from "../../operations/portal/fields.ts";
import { findOperation } from "../../operations/portal/find.ts";

type Step = Pick<StoredTaskStep, "method" | "path">;

/** What is kept of a step's answer: a key's value, a token's and a kubeconfig are in the answer of the run, and nowhere else. */
export function withoutOnce(step: Step, answer: unknown): unknown {
  const { once = [] } = operationOf(step) ?? {};
  if (once.length === 0 || typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !once.includes(name)));
}

/** True for who could ask for a step's answer itself; what a step was refused with is no answer, and for all. */
export function mayRead(permissions: ReadonlySet<string>, step: Step, response: string): boolean {
  const { access = "" } = operationOf(step) ?? {};
  return permissions.has(access) || "error" in Object(JSON.parse(response));
}

/** What is shown of the fields that a step sends, as JSON: secrets are left out, and not sent again by who stores the step anew. */
export function withoutSecrets(step: Step, params: string): string {
  const input = operationOf(step)?.input;
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {};
  const hidden = Object.keys(shape).filter((name) => shape[name] && isSecret(shape[name]));
  if (hidden.length === 0) return params;
  const fields = JSON.parse(params) as Readonly<Record<string, unknown>>;
  return JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name))));
}

/** The step's operation; none for one that a later version of the portal does not have any more. */
function operationOf({ method, path }: Step): Operation | undefined {
  const found = findOperation(method, path);
  return found.kind === "found" ? found.row.row.operation : undefined;
}
