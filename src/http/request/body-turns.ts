import { GatewayError } from "../../engine/errors.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Abortable } from "../../engine/runtime/abortable.ts";
import { turnEnd } from "../../engine/runtime/loop-turn.ts";
import type { MaybePromise } from "../../engine/runtime/maybe-promise.ts";
import { createFairQueue, type Pass } from "../../engine/runtime/queue/fair-queue.ts";
import { type HttpHeaders, readHeader } from "../message.ts";

/** Where requests wait for their bodies to be read and parsed, so that no key takes all of the event loop's turns. */
export interface BodyTurns {
  /**
   * Admits a request, once its key is known and before a byte of its body is read. Throws `concurrency_limited` when too many wait, or
   * this one has waited too long, and `request_cancelled` when the caller hangs up meanwhile.
   */
  admit(key: string, headers: HttpHeaders, signal: Abortable): MaybePromise<BodyTurn>;
}

/** A request whose body is being read. */
export interface BodyTurn {
  /** The body has its value: the next one is admitted in a later turn of the event loop. */
  end(): void;
}

/** Beside its body a request takes as long as so many bytes of a body do. */
const baseCost = 8_192;
/** What a body counts as that does not say its length. */
const unknownLength = 65_536;

/** Bytes that are read and parsed at once; half of them are kept for keys that have none. */
const bounds = { capacity: 524_288, reserve: 262_144, quantum: 65_536, maxWaiting: 16_384, maxWaitMs: 30_000 };

/** Milliseconds after which a slow sender's body counts no more: it takes its time, and not ours. */
const slowBodyMs = 100;

/** Builds the turns of a handler. The cost of a request is its body's length in bytes, since reading and parsing take as long as that. */
export function createBodyTurns(clock: Clock): BodyTurns {
  const queue = createFairQueue({ ...bounds, after: clock.after.bind(clock) });
  const begin = (pass: Pass): BodyTurn => {
    const stopTimer = clock.after(slowBodyMs, pass.leave);
    return {
      end() {
        stopTimer();
        void turnEnd().then(pass.leave);
      },
    };
  };
  return {
    admit(key, headers, signal) {
      const declared = Number(readHeader(headers, "content-length") ?? unknownLength);
      const entered = queue.enter(key, baseCost + (declared >= 0 ? declared : unknownLength));
      if (entered.kind === "pass") return begin(entered);
      const leave = () => entered.cancel(new GatewayError("request_cancelled", "The caller hung up."));
      signal.addEventListener("abort", leave);
      return entered.admitted.finally(() => signal.removeEventListener("abort", leave)).then(begin);
    },
  };
}
