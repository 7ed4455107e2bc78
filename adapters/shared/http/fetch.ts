import type { GatewayError } from "../../../src/engine/errors.ts";
import type {
  Transport,
  WireAnswer,
  WireHeaders,
  WireRequest,
  WireStream,
} from "../../../src/engine/ports/transport.ts";
import { longestTimer } from "../timer.ts";
import { wholeLimit } from "./answer-limits.ts";
import { abortError, type ExchangePhase, networkError, timeoutError, tooLarge } from "./failure.ts";

/** One call through a given `fetch`: our deadlines and the caller's signal joined in one controller. */
interface FetchAttempt {
  readonly signal: AbortSignal;
  /** The promise, or the rejection of our own if that comes first: some `fetch` do not mind the signal. */
  wait<T>(promise: Promise<T>, phase: ExchangePhase): Promise<T>;
  /** Starts a deadline in place of the one that runs. */
  arm(ms: number, missing: string): void;
  /** Stops the deadline while nobody waits for the network. */
  pause(): void;
  /** Lets go of timer and listener. */
  end(): void;
}

/** A transport over any `fetch`. Connecting is no step of its own there: headers must come within `connect` + `firstContent`. */
export function fetchTransport(send: typeof fetch): Transport {
  function open(request: WireRequest, trial: FetchAttempt): Promise<Response> {
    const { method, url, headers, body } = request;
    const { connect, firstContent } = request.timeouts;
    trial.arm(connect + firstContent, "sent nothing");
    const init = { method, headers, body: body ?? null, signal: trial.signal, redirect: "manual" };
    return trial.wait(send(url, init as RequestInit), "before the answer");
  }

  return {
    async whole(request): Promise<WireAnswer> {
      const trial = start(request);
      try {
        const response = await open(request, trial);
        trial.arm(request.timeouts.gap, "sent no further bytes");
        if (response.ok) request.onBegin?.();
        const limit = wholeLimit(response.status);
        const pieces: Uint8Array[] = [];
        let size = 0;
        for await (const piece of piecesOf(response, { request, trial, phase: "inside a whole answer" })) {
          size += piece.length;
          if (size > limit) throw tooLarge(request, limit);
          pieces.push(piece);
        }
        return { status: response.status, headers: headersOf(response), body: Buffer.concat(pieces).toString("utf8") };
      } finally {
        trial.end();
      }
    },
    async stream(request): Promise<WireStream> {
      const trial = start(request);
      try {
        const response = await open(request, trial);
        const body = piecesOf(response, { request, trial, phase: "inside a stream" });
        return { status: response.status, headers: headersOf(response), body };
      } catch (thrown) {
        trial.end();
        throw thrown;
      }
    },
    close: async () => {},
  };
}

function headersOf(response: Response): WireHeaders {
  return Object.fromEntries(response.headers);
}

interface BodyReading {
  readonly request: WireRequest;
  readonly trial: FetchAttempt;
  readonly phase: ExchangePhase;
}

/** No generator: one that never began skips its `finally`. */
function piecesOf(response: Response, { request, trial, phase }: BodyReading): AsyncIterableIterator<Uint8Array> {
  const reader = response.body?.getReader();
  let hasBegun = false;
  async function end(): Promise<IteratorReturnResult<undefined>> {
    trial.end();
    reader?.cancel().catch(() => {}); // the caller wants no more, and no more is wanted of the network either
    return { done: true, value: undefined };
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (hasBegun) trial.arm(request.timeouts.gap, "sent no further bytes");
      try {
        const step = reader === undefined ? undefined : await trial.wait(reader.read(), phase);
        if (step === undefined || step.done) return await end();
        hasBegun = true;
        trial.pause();
        return { done: false, value: step.value };
      } catch (thrown) {
        await end();
        throw thrown;
      }
    },
    return: end,
  };
}

function start(request: WireRequest): FetchAttempt {
  if (request.signal.aborted) throw abortError(request.signal);
  const controller = new AbortController();
  let own: GatewayError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  const disarm = () => {
    turn += 1;
    clearTimeout(timer);
  };
  const stop = (error: GatewayError) => {
    own ??= error;
    controller.abort(own);
    giveUp?.(own);
  };
  // One slot, for one wait at a time: a race against one lasting promise would keep every piece of a stream until that one settles.
  let giveUp: ((error: GatewayError) => void) | undefined;
  const onAbort = () => stop(abortError(request.signal));
  request.signal.addEventListener("abort", onAbort);
  return {
    signal: controller.signal,
    wait: (promise, phase) =>
      new Promise((resolve, reject) => {
        if (own) reject(own);
        giveUp = reject;
        promise.then(resolve, (thrown) => reject(own ?? networkError(thrown, request, phase)));
      }),
    arm(ms, missing) {
      disarm();
      const armed = turn;
      const expire = () => {
        if (armed === turn) stop(timeoutError(request, missing, ms));
      };
      // A busy event loop runs timers before it reads sockets.
      timer = setTimeout(() => setImmediate(expire), Math.min(ms, longestTimer));
    },
    pause: disarm,
    end() {
      disarm();
      request.signal.removeEventListener("abort", onAbort);
    },
  };
}
