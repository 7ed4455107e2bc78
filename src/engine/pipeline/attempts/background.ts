import type { ChatResponse } from "../../api/chat.ts";
import { withResponse } from "../../dialects/openai/native-response.ts";
import { isUnderWay } from "../../dialects/openai/response-status.ts";
import { type GatewayError, toGatewayError } from "../../errors.ts";
import { listen } from "../../events.ts";
import type { BackgroundWork } from "../../ports/provider.ts";
import { type Call, unlisten } from "../call/call.ts";
import { responseName } from "../runtime/held/awaited-responses.ts";
import { sealResponse } from "../stored-ids/answers.ts";
import type { Attempt } from "./attempt.ts";

type VendorResponse = Readonly<Record<string, unknown>>;

/** Milliseconds until the vendor is first asked how far it is; the wait doubles with each look, up to the longest. */
const firstLookMs = 1_000;
const longestLookMs = 15_000;

/** Work in the background, and what becomes of it. */
export interface OpenBackground extends BackgroundWork {
  /** A response that the caller knows of has failed: no other target is asked for it, and this vendor not again. */
  failed(thrown: unknown): void;
  /** The attempt is over. */
  end(): void;
}

/**
 * The wait of an attempt for a response that its vendor makes in the background. The caller's part ends when the vendor has queued it: from
 * then on it neither ends with its caller nor is given to another candidate.
 */
export function openBackground(attempt: Attempt): OpenBackground {
  const { call, target } = attempt;
  const { awaited } = call.ports;
  const looks = lookTimes(attempt);
  let id: string | undefined;
  const name = () => responseName(target.provider, id ?? "");
  return {
    next: looks.next,
    accepted(response) {
      if (id !== undefined) return;
      id = `${response.id}`;
      awaited.set(name(), { observe: (found) => observe(call, looks, found) });
      unlisten(call);
      call.options.onQueued?.(queuedAnswer(attempt, response));
    },
    failed(thrown) {
      if (id === undefined) return;
      call.cancelled ??= toGatewayError(thrown);
      if (attempt.failure?.code === "upstream_timeout") cancelAtVendor(attempt, id);
    },
    end() {
      if (id !== undefined) awaited.delete(name());
    },
  };
}

async function observe(call: Call, looks: LookTimes, found: VendorResponse): Promise<void> {
  if (isUnderWay(found) || call.isSettled) return;
  const settled = untilSettled(call);
  looks.show(found);
  await settled;
}

interface LookTimes {
  next(): Promise<VendorResponse | undefined>;
  /** Ends the waits, now and later, with the response. */
  show(response: VendorResponse): void;
}

function lookTimes(attempt: Attempt): LookTimes {
  const { clock } = attempt.call.ports;
  let seen: VendorResponse | undefined;
  let wake: (() => void) | undefined;
  let lookMs = firstLookMs;
  const next = () =>
    new Promise<VendorResponse | undefined>((resolve, reject) => {
      const cancelTimer = clock.after(lookMs, () => resolve(undefined));
      lookMs = Math.min(2 * lookMs, longestLookMs);
      wake = () => {
        cancelTimer();
        resolve(seen);
      };
      attempt.cancellation?.addEventListener("abort", () => {
        cancelTimer();
        reject(attempt.failure);
      });
    });
  return {
    next: () => (seen ? Promise.resolve(seen) : next()),
    show(response) {
      seen = response;
      wake?.();
    },
  };
}

function untilSettled(call: Call): Promise<void> {
  return new Promise((resolve) => {
    const stop = listen(call.ports.events, "settled", ({ event_id }) => {
      if (event_id !== call.id) return;
      stop();
      resolve();
    });
  });
}

/** The caller no longer waits for the response: the vendor need not go on with it. */
function cancelAtVendor(attempt: Attempt, id: string): void {
  const { id: name, model, credential, startedAt, timeouts } = attempt;
  const { signal } = new AbortController();
  const provider = attempt.call.ports.providers.get(attempt.target.provider);
  const detached = { id: name, model, credential, startedAt, timeouts, signal, raw: undefined, warn: () => {} };
  provider?.storedResponse?.({ action: "cancel", id, query: "" }, detached).catch((_thrown: GatewayError) => {}); // it ends by itself
}

function queuedAnswer(attempt: Attempt, response: VendorResponse): ChatResponse {
  const { call, target, credential, model, warnings } = attempt;
  const holder = { provider: target.provider, credential, model: target.model };
  const own = call.ids ? sealResponse(response, call.ids, holder) : response;
  const answer: ChatResponse = {
    id: `${own.id}`,
    object: "chat.completion",
    created: Math.floor(call.startedAt / 1_000),
    model: target.model,
    choices: [],
    extra_fields: {
      request_type: call.requestType,
      provider: target.provider,
      model_requested: call.modelRequested,
      model_deployment: model,
      latency: Math.max(0, call.ports.clock.now() - call.startedAt),
      ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    },
  };
  return withResponse(answer, own);
}
