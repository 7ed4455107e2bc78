import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** One request with its attempts and its bill. */
export type RequestDetail = AnswerOf<Areas["ai"]["request"]>;

/** `provider/model` of an attempt, whose model may have the provider in front already. */
export function targetOf({ provider, model }: { readonly provider: string; readonly model: string }): string {
  return model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
}

/** One target of a route, and what became of it. */
export interface RouteStep {
  readonly target: string;
  /** `spare`: it was planned, and another one answered before its turn. */
  readonly kind: "skipped" | "failed" | "answered" | "spare";
  readonly reason?: string;
  readonly message?: string | undefined;
  readonly status?: number;
  readonly latency?: number;
}

/** The route of a request, step by step: what was skipped, what was asked, what was left. */
export function routeOf({ attempts, plan, skipped }: Pick<RequestDetail, "attempts" | "plan" | "skipped">) {
  const asked = attempts.map(({ provider, model, status, reason, latency }): RouteStep => {
    const kind = status < 400 ? "answered" : "failed";
    return { target: targetOf({ provider, model }), kind, status, latency, ...(kind === "failed" ? { reason } : {}) };
  });
  const known = new Set([...asked.map(({ target }) => target), ...skipped.map(({ entry }) => entry)]);
  const left = plan.filter((target) => !known.has(target)).map((target): RouteStep => ({ target, kind: "spare" }));
  const passed = skipped.map(({ entry, reason, message }): RouteStep => {
    return { target: entry, kind: "skipped", reason, message };
  });
  return [...passed, ...asked, ...left];
}
