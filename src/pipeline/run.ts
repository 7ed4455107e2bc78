import type { Provider } from "../ports.ts";
import { beginJourney } from "./ask.ts";
import { runCached } from "./cache/cached.ts";
import { assertOpen, openCall, type Question } from "./call.ts";
import { chartRoute } from "./chart.ts";
import { askCandidates } from "./hedge.ts";
import { identify } from "./identify.ts";
import type { Ports } from "./ports.ts";
import { settleFailure } from "./settle.ts";
import type { Routed, Verb } from "./verb.ts";

/** The one pipeline: who calls, what is asked, who may answer; look for a kept answer, or ask in order; deliver and settle. */
export async function run<Request extends Routed, Answer, Result>(
  ports: Ports,
  verb: Verb<Request, Answer, Result>,
  question: Question,
): Promise<Result> {
  const call = openCall(ports, verb.requestType, question);
  try {
    assertOpen(call);
    const identified = identify(call, question.options.key);
    if (identified) await identified;
    const request = verb.parse(question.input);
    call.asked = { kind: verb.requestType, request, bound: (facts) => verb.bound(request, facts) };
    const charted = chartRoute(call, verb.method, request);
    const { targets } = charted instanceof Promise ? await charted : charted;
    const journey = beginJourney(call, targets);
    const ask = (provider: Provider, attempt: Parameters<typeof verb.ask>[2]) =>
      verb.ask(provider as Required<Provider>, request, attempt);
    return await runCached(call, {
      request,
      targets,
      async ask(noteServed) {
        const served = await askCandidates(journey, ask);
        noteServed?.(served.attempt);
        return await verb.deliver(journey, served, request);
      },
    });
  } catch (thrown) {
    throw call.left ?? (await settleFailure(call, thrown));
  }
}
