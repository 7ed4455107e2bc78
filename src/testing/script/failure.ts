import { GatewayError } from "../../engine/errors.ts";
import { asSentence } from "../../engine/runtime/did-you-mean.ts";
import type { ScriptStep, StepOf } from "./step.ts";

/** A step at its place in the script, such as `a/m.0`. */
export interface ScriptTurn<Step extends ScriptStep = ScriptStep> {
  readonly step: Step;
  readonly place: string;
}

/** What a step of this kind answers. */
const answered: Readonly<Partial<Record<ScriptStep["kind"], string>>> = {
  answer: "a chat",
  vectors: "an embedding request",
  scores: "a rerank request",
  decisions: "a decision",
};

/** What a step throws that does not answer the request; for a step of another verb, an error that names its place. */
export function failureOf({ step, place }: ScriptTurn): Error {
  if (step.kind === "defect") return new TypeError("a scripted defect");
  if (step.kind === "unreachable") return new GatewayError("upstream_unreachable", "No connection.");
  if (step.kind === "fail") return vendorFailure(step);
  if (step.kind in answered)
    return misfit(place, `is a step \`${step.kind}\`, which answers ${answered[step.kind]} only`);
  return new GatewayError("upstream_unreachable", "The connection was lost.");
}

/** The error of a script that has no answer to the request. */
export function misfit(place: string, problem: string): GatewayError {
  const message = describeFault(place, problem);
  return new GatewayError("upstream_error", message, { upstream: { status: 400, message } });
}

/** A sentence about a place in the script. */
export function describeFault(place: string, problem: string): string {
  return asSentence(`\`${place}\` of the script ${problem}`);
}

function vendorFailure({ status, code, message = `scripted ${status}`, retryAfterMs }: StepOf<"fail">): GatewayError {
  return new GatewayError("upstream_error", message, { upstream: { status, code, message }, retryAfterMs });
}
