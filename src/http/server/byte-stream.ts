import { GatewayError } from "../../engine/errors.ts";
import type { Aborter } from "../../engine/runtime/abortable.ts";
import type { HttpResponse } from "../message.ts";
import { keepAliveFrame } from "../response/sse.ts";
import type { KeepAlive } from "./node-stream.ts";

/** True for a body that is there as a whole, so that nothing of it has to be pulled or released. */
export function isWhole(body: HttpResponse["body"]): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" || body instanceof Uint8Array;
}

/** Who reads a streamed answer, and how its silence is bridged. */
interface BodyReader {
  readonly hangUp: Aborter;
  readonly release: () => void;
  readonly keepAlive: KeepAlive;
}

/**
 * Frames as a stream of bytes that pulls one frame per read; an abort fails it, cancelling it ends the frames, and the call where it has no
 * frames yet.
 */
export function toByteStream(body: AsyncIterable<string>, { hangUp, release, keepAlive }: BodyReader): ReadableStream {
  const frames = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let silence: SilenceWatch | undefined;
  let isOver = false;
  const leave = () => {
    silence?.end();
    if (!isOver) release();
    isOver = true;
  };
  const end = () => {
    leave();
    return frames.return?.();
  };
  return new ReadableStream(
    {
      start(controller) {
        silence = watchSilence(keepAlive, (text) => controller.enqueue(encoder.encode(text)));
        hangUp.addEventListener("abort", () => {
          controller.error(hangUp.reason);
          end()?.catch(() => {}); // the reader has its error already
        });
      },
      async pull(controller) {
        silence?.begin();
        const step = await frames.next().catch((thrown) => {
          leave();
          throw thrown;
        });
        silence?.end();
        if (hangUp.aborted) return;
        if (!step.done) return controller.enqueue(encoder.encode(step.value));
        leave();
        controller.close();
      },
      async cancel() {
        await end();
        hangUp.abort(new GatewayError("request_cancelled", "The caller stopped reading the stream."));
      },
    },
    { highWaterMark: 0 },
  );
}

/** Who waits for a piece of a body, and since when. */
interface SilenceWatch {
  /** A reader waits from now on. */
  begin(): void;
  end(): void;
}

/** Sends what bridges a silence whenever a reader has waited for the interval; a body that nobody reads keeps no timer. */
function watchSilence({ clock, keepAliveMs, filler }: KeepAlive, send: (text: string) => void): SilenceWatch {
  let waitingSince: number | undefined;
  let isArmed = keepAliveMs <= 0;
  const arm = (ms: number) => {
    isArmed = true;
    clock.after(ms, () => {
      isArmed = false;
      if (waitingSince === undefined) return;
      const now = clock.now();
      if (now - waitingSince >= keepAliveMs) {
        send(filler?.() ?? keepAliveFrame);
        waitingSince = now;
      }
      arm(Math.max(1, keepAliveMs - (now - waitingSince)));
    });
  };
  return {
    begin() {
      waitingSince = clock.now();
      if (!isArmed) arm(keepAliveMs);
    },
    end() {
      waitingSince = undefined;
    },
  };
}
