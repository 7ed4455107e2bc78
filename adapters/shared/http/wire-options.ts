import type { Transport } from "../../../src/engine/ports/transport.ts";

/** What the options of all providers over HTTP have in common. */
export interface WireOptions {
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Capability headers of callers that the vendor is sent, e.g. `["openai-beta"]`; the others are named in warnings. Unless given: those
   * that the vendor has and that change no prices.
   */
  readonly callerHeaders?: readonly string[] | undefined;
  /** A `fetch` to send with, in place of undici. */
  readonly fetch?: typeof fetch | undefined;
  /** Sends in place of undici; not closed by the provider. */
  readonly transport?: Transport | undefined;
  /** The part before `/` in model names; the vendor's own name unless given. */
  readonly name?: string | undefined;
}
