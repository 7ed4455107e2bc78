import type { GatewayError } from "../../../../src/engine/errors.ts";
import type { WireAnswer, WireHeaders, WireRequest } from "../../../../src/engine/ports/transport.ts";
import type { MaybePromise } from "../../../../src/engine/runtime/maybe-promise.ts";
import { wholeLimit } from "../answer-limits.ts";
import { tooLarge } from "../failure.ts";
import type { InFlightCounter } from "../in-flight.ts";
import { inflateWhole, isEncoded } from "../inflate.ts";
import { DispatchExchange } from "./exchange.ts";

/** Receives how an answer ended, and limits its size. */
export interface WholeOutcome {
  resolve(answer: MaybePromise<WireAnswer>): void;
  reject(error: GatewayError): void;
  /** Bytes of a good answer, decompressed or not; the usual bound without it. */
  readonly limit: number | undefined;
}

const none: WireHeaders = {};

/** An exchange whose answer is read to its end, decompressed and decoded as UTF-8. */
export class WholeExchange extends DispatchExchange {
  readonly #outcome: WholeOutcome;
  readonly #onBegin: (() => void) | undefined;
  #pieces: Buffer[] | undefined = undefined;
  #size = 0;
  #limit = 0;
  #status = 0;
  #headers: WireHeaders = none;

  constructor(request: WireRequest, outcome: WholeOutcome, inFlight: InFlightCounter) {
    super(request, inFlight);
    this.#outcome = outcome;
    this.#onBegin = request.onBegin;
  }

  protected begin(status: number, headers: WireHeaders): void {
    this.phase = "inside a whole answer";
    this.#status = status;
    this.#limit = wholeLimit(status, this.#outcome.limit);
    this.#headers = headers;
    this.arm("gap");
    if (status < 300) this.#onBegin?.();
  }

  protected take(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.fail(tooLarge(this, this.#limit));
    else if (this.#pieces) this.#pieces.push(chunk);
    else this.#pieces = [chunk]; // most answers come in one piece
  }

  protected finish(): void {
    const pieces = this.#pieces ?? [];
    const [first] = pieces;
    this.#outcome.resolve(this.#read(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)));
  }

  protected reject(error: GatewayError): void {
    this.#outcome.reject(error);
  }

  #read(bytes: Buffer): MaybePromise<WireAnswer> {
    const status = this.#status;
    const headers = this.#headers;
    const encoding = headers["content-encoding"];
    if (!isEncoded(encoding)) return { status, headers, body: bytes.toString("utf8") };
    return inflateWhole(bytes, encoding, { peer: this, limit: this.#limit }).then((plain) => {
      return { status, headers, body: Buffer.from(plain).toString("utf8") };
    });
  }
}
