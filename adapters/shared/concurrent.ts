import type { ProviderCall, RawExchange } from "../../src/ports.ts";
import { abortError } from "./http/failure.ts";

/** Parts of one attempt that are asked at the same time. */
const atOnce = 4;

/** Asks for one part, in a call of its own. */
type Ask<Part, Answer> = (part: Part, call: ProviderCall) => Promise<Answer>;

/**
 * Asks for every part of an attempt, a few at a time, and gives the answers in the order of the parts. The first failure is that of the
 * attempt: it is thrown, and the other parts' calls end with it. What parts warn of is told once; the raw exchange lists theirs.
 */
export async function askParts<Part, Answer>(
  parts: readonly Part[],
  call: ProviderCall,
  ask: Ask<Part, Answer>,
): Promise<Answer[]> {
  const ended = followed(call);
  const raws = parts.map((): RawExchange => ({}));
  const warn = warnOnce(call);
  const answers: Answer[] = [];
  const queue = parts.entries();
  const work = async () => {
    for (const [at, part] of queue) {
      if (ended.signal.aborted) throw abortError(ended.signal);
      const raw = call.raw && raws[at];
      answers[at] = await ask(part, { ...call, warn, raw, signal: ended.signal, cancellation: ended.signal });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, work));
    return answers;
  } catch (error) {
    ended.abort(error);
    throw error;
  } finally {
    if (call.raw) tellRaw(call.raw, raws);
  }
}

/** A controller that ends with the call. */
function followed({ cancellation, signal }: ProviderCall): AbortController {
  const outer = cancellation ?? signal;
  const controller = new AbortController();
  if (outer.aborted) controller.abort(outer.reason);
  else outer.addEventListener("abort", () => controller.abort(outer.reason));
  return controller;
}

/** Gives each warning once, however many parts have it. */
function warnOnce(call: ProviderCall): (warning: string) => void {
  const told = new Set<string>();
  return (warning) => {
    if (told.has(warning)) return;
    told.add(warning);
    call.warn(warning);
  };
}

function tellRaw(raw: RawExchange, parts: readonly RawExchange[]): void {
  raw.request = parts.map(({ request }) => request);
  raw.response = parts.map(({ response }) => response);
}
