import { GatewayError } from "../../errors.ts";
import type { Middleware, MiddlewareContext, MiddlewareVerb } from "../../ports/middleware/middleware.ts";
import { readDuration } from "../../runtime/duration.ts";
import type { Call } from "../call/call.ts";
import { type ModelAccess, modelAccess } from "./ask.ts";

export { openHold } from "../call/middleware-hold.ts";

/** One hook of a middleware while it runs. */
export interface HookRun {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly controller: AbortController;
  isOver: boolean;
  facts: Record<string, string | number | boolean> | undefined;
}

/** A middleware that takes part in a call. */
export interface ActiveMiddleware {
  readonly call: Call;
  readonly middleware: Middleware;
  readonly context: MiddlewareContext;
  readonly models: ModelAccess;
  readonly timeoutMs: number;
  /** Warnings of the call's middleware, for the answer. */
  readonly warnings: string[];
  run: HookRun | undefined;
}

/** Milliseconds that a hook may take, where it says nothing. */
const defaultTimeoutMs = 10_000;

/** The middleware of a call, engine's first, that concerns its verb, key and request. */
export function activeFor(
  call: Call,
  verb: MiddlewareVerb,
  request: { readonly metadata?: unknown },
): ActiveMiddleware[] {
  const models = modelAccess(call);
  const warnings: string[] = [];
  const all = [...(call.ports.middleware ?? []), ...(call.options.middleware ?? [])];
  return all
    .filter(({ verbs }) => verbs === undefined || verbs.includes(verb))
    .map((middleware) => open({ call, verb, request, models, warnings }, middleware))
    .filter(({ middleware, context }) => middleware.applies?.(context) !== false);
}

interface ActiveInput {
  readonly call: Call;
  readonly verb: MiddlewareVerb;
  readonly request: { readonly metadata?: unknown };
  readonly models: ModelAccess;
  readonly warnings: string[];
}

function open({ call, verb, request, models, warnings }: ActiveInput, middleware: Middleware): ActiveMiddleware {
  const timeoutMs = readDuration(middleware.timeout ?? defaultTimeoutMs) ?? defaultTimeoutMs;
  const { access, requestType } = call;
  const running = (): HookRun => {
    const { run } = active;
    if (run && !run.isOver) return run;
    throw new GatewayError("invalid_request", `The hook of the middleware \`${middleware.name}\` is over.`);
  };
  const context: MiddlewareContext = {
    verb,
    isStream: requestType === "chat_completion_stream",
    eventId: call.id,
    model: call.modelRequested,
    keyId: access?.keyId,
    projectId: access?.projectId,
    customerId: access?.customerId,
    metadata: { ...(request.metadata as object | undefined) },
    get signal() {
      return (active.run?.controller ?? new AbortController()).signal;
    },
    state: {},
    block(reason, message = "The content was refused.") {
      throw new GatewayError("content_blocked", message, { blocked: { middleware: middleware.name, reason } });
    },
    chat: async (asked) => models.chat(asked, running().deadline),
    decide: async (asked) => models.decide(asked, running().deadline),
    note(facts) {
      const run = running();
      run.facts = { ...run.facts, ...facts };
    },
  };
  const active: ActiveMiddleware = { call, middleware, context, models, timeoutMs, warnings, run: undefined };
  return active;
}
