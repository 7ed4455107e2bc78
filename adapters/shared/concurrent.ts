import { isGatewayError } from "../../src/engine/errors.ts";
import type { AnsweredPart, ProviderCall, RawExchange } from "../../src/engine/ports/provider.ts";
import { abortError } from "./http/failure.ts";

/** Parts of one attempt that are asked at the same time. */
const atOnce = 4;

type Request = AnsweredPart["request"];

/** Parts whose answers have begun but are not complete, and those of them that were reported as answered. */
type Begun = Map<Request, "begun" | "reported">;

/** Asks for one part, in a call of its own. */
type PartRequest<Part, Answer> = (part: Part, call: ProviderCall) => Promise<Answer>;

/**
 * Sends every part of an attempt, a few at a time, and returns the answers in the order of the parts. The first failure fails the
 * attempt: it is thrown, and the other parts' calls end with it; those whose answers had begun by then, or cannot be used, are
 * reported as answered. Each warning is reported once; the raw exchange lists the parts' exchanges.
 */
export async function askParts<Part extends Request, Answer>(
  parts: readonly Part[],
  call: ProviderCall,
  ask: PartRequest<Part, Answer>,
): Promise<Answer[]> {
  const begun: Begun = new Map();
  const ended = followed(call, () => reportBegun(begun, call));
  const raws = parts.map((): RawExchange => ({}));
  const warn = warnOnce(call);
  const answers: Answer[] = [];
  const queue = parts.entries();
  const work = async () => {
    for (const [at, part] of queue) {
      if (ended.signal.aborted) throw abortError(ended.signal);
      const raw = call.raw && raws[at];
      const own = { ...call, warn, raw, signal: ended.signal, cancellation: ended.signal };
      answers[at] = await ask(part, noting(begun, part, own)).catch((thrown) => {
        if (isRefusal(thrown)) begun.delete(part);
        throw thrown;
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, work));
    return answers;
  } catch (error) {
    reportBegun(begun, call);
    ended.abort(error);
    throw error;
  } finally {
    if (call.raw) reportRaw(call.raw, raws);
  }
}

/** The call of a part; records that its answer has begun until the answer is reported. */
function noting(begun: Begun, part: Request, call: ProviderCall): ProviderCall {
  return {
    ...call,
    begun() {
      begun.set(part, "begun");
      call.begun?.();
    },
    answered(raw) {
      if (begun.get(part) === "reported") return; // another part has failed just now, so that this one was counted already
      begun.delete(part);
      call.answered?.(raw);
    },
  };
}

/** True for an error that the vendor wrote into a good answer: it is not billed, as any other error of its own. */
function isRefusal(thrown: unknown): boolean {
  return isGatewayError(thrown) && thrown.code === "upstream_error";
}

/** The vendor has read those whose answers it has begun; what they used is not known, so that it is counted. */
function reportBegun(begun: Begun, call: ProviderCall): void {
  for (const [request, state] of begun) {
    if (state === "begun") call.answered?.({ request, usage: undefined });
    begun.set(request, "reported");
  }
}

/** A controller that aborts with the call, after `onEnd`: the call is billed by what was reported until then. */
function followed({ cancellation, signal }: ProviderCall, onEnd: () => void): AbortController {
  const outer = cancellation ?? signal;
  const controller = new AbortController();
  const end = () => {
    onEnd();
    controller.abort(outer.reason);
  };
  if (outer.aborted) end();
  else outer.addEventListener("abort", end);
  return controller;
}

/** Gives each warning once, however many parts have it. */
function warnOnce(call: ProviderCall): (warning: string) => void {
  const raw = new Set<string>();
  return (warning) => {
    if (raw.has(warning)) return;
    raw.add(warning);
    call.warn(warning);
  };
}

function reportRaw(raw: RawExchange, parts: readonly RawExchange[]): void {
  raw.request = parts.map(({ request }) => request);
  raw.response = parts.map(({ response }) => response);
}
