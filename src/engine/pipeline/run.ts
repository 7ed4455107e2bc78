import type { Provider } from "../ports/provider.ts";
import { settleFailure } from "./accounting/settle.ts";
import { askInOrder, fittedRequest, openCandidates } from "./attempts/candidates.ts";
import { withHedging } from "./attempts/hedge.ts";
import { withCache } from "./cache/with-cache.ts";
import { admit } from "./call/admit.ts";
import { authenticate } from "./call/authenticate.ts";
import { assertOpen, openCall } from "./call/call.ts";
import type { CallOptions } from "./call/options.ts";
import type { CallHandler } from "./call/routed-call.ts";
import { resolveRoute } from "./routing/resolve.ts";
import type { Ports } from "./runtime/ports.ts";
import type { Routed, Verb } from "./verbs/verb.ts";

/** True for a request with a field that is not documented. */
function hasOtherFields(fields: object | undefined, input: unknown): fields is object {
  if (fields) for (const name in input as object) if (!(name in fields)) return true;
  return false;
}

/** Asks the candidates of a call, two at once where it is hedged, and delivers the answer. */
function askAndDeliver<Request extends Routed, Answer, Result>(
  verb: Verb<Request, Answer, Result>,
): CallHandler<Request, Result> {
  const askCandidates = withHedging<Answer>(verb.discard)(askInOrder);
  return async (routed) => {
    const { call, request, targets, onServed } = routed;
    const own = verb.serve?.(routed, askCandidates);
    if (own) return own;
    const candidates = openCandidates(call, targets);
    const served = await askCandidates(candidates, (provider, attempt) =>
      verb.ask(provider as Required<Provider>, call.fitted ? fittedRequest(call, request, attempt) : request, attempt),
    );
    onServed?.(served.attempt);
    return verb.deliver(candidates, served, request);
  };
}

/**
 * The one pipeline, composed once for each verb of an engine: authenticate, read the request, resolve the route, look into the cache,
 * ask the candidates, deliver, settle. Every call settles exactly once; what it rejects with is a `GatewayError`.
 */
export function pipelineOf<Request extends Routed, Answer, Result>(
  ports: Ports,
  verb: Verb<Request, Answer, Result>,
): (input: unknown, options: CallOptions) => Promise<Result> {
  const handle = withCache<Request, Result>(verb.requestType)(askAndDeliver(verb));
  return async (input, options) => {
    const call = openCall(ports, verb.requestType, { input, options });
    try {
      assertOpen(call);
      await authenticate(call, options.key);
      const admitted = admit(call);
      if (admitted) await admitted;
      const request = verb.parse(input);
      if (hasOtherFields(verb.fields, input))
        call.warnings = (await import("./call/other-fields.ts")).warnOfOthers(verb.fields, input);
      call.facts = { kind: verb.requestType, request, bound: (facts) => verb.bound(request, facts) };
      if (ports.middleware || options.middleware)
        return await (await import("./middleware/with-middleware.ts")).withMiddleware(call, { request, verb, handle });
      const { targets } = await resolveRoute(call, verb.route, request);
      return await handle({ call, request, targets });
    } catch (thrown) {
      throw call.leftBecause ?? (await settleFailure(call, thrown));
    }
  };
}
