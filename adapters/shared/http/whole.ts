import { GatewayError } from "../../../src/errors.ts";
import { Exchange } from "./exchange.ts";
import { hostOf } from "./failure.ts";
import type { Traffic } from "./traffic.ts";
import type { WireHeaders, WireRequest } from "./transport.ts";

/** A whole body, still compressed. */
export interface Collected {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Buffer;
}

/** What an answer's reader is told: how it ended, and how large it may become. */
export interface WholeOutcome {
  resolve(answer: Collected): void;
  reject(error: GatewayError): void;
  readonly limit: number;
}

const none: WireHeaders = {};

/** An exchange whose answer is read to its end. */
export class WholeExchange extends Exchange {
  readonly #outcome: WholeOutcome;
  #pieces: Buffer[] | undefined = undefined;
  #size = 0;
  #status = 0;
  #headers: WireHeaders = none;

  constructor(request: WireRequest, outcome: WholeOutcome, traffic: Traffic) {
    super(request, traffic);
    this.#outcome = outcome;
  }

  protected begin(status: number, headers: WireHeaders): void {
    this.phase = "inside a whole answer";
    this.#status = status;
    this.#headers = headers;
    this.arm("gap");
    this.request.onBegin?.();
  }

  protected take(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#outcome.limit) this.fail(tooLarge(this.request.url, this.#outcome.limit));
    else if (this.#pieces) this.#pieces.push(chunk);
    else this.#pieces = [chunk]; // most answers come in one piece
  }

  protected finish(): void {
    const pieces = this.#pieces ?? [];
    const [first] = pieces;
    const body = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
    this.#outcome.resolve({ status: this.#status, headers: this.#headers, body });
  }

  protected reject(error: GatewayError): void {
    this.#outcome.reject(error);
  }
}

/** The error of an answer that passes its bound in bytes. */
export function tooLarge(url: string, limit: number): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${hostOf(url)} is larger than ${limit} bytes.`);
}
