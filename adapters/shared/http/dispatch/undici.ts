import type { Transport, WireStream } from "../../../../src/engine/ports/transport.ts";
import { inflateStream, isEncoded } from "../inflate.ts";
import { requireDispatch } from "./can-dispatch.ts";
import type { PieceGathering } from "./gathering.ts";
import { type OriginPoolsOptions, originPools } from "./origin-pools.ts";
import { StreamExchange } from "./streamed.ts";
import { WholeExchange } from "./whole.ts";

export interface UndiciTransportOptions extends OriginPoolsOptions {
  /** Bytes that a whole answer may have, decoded. */
  readonly bodyLimit?: number;
  /** When and how pieces of streams are gathered; that of this thread unless given. */
  readonly gathering?: PieceGathering;
}

/** A transport over undici's `dispatch`: one keep-alive pool per origin, made when it is first needed. */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const pools = originPools(options);
  const { bodyLimit: limit, gathering } = options;
  return {
    whole: (request) =>
      new Promise((resolve, reject) => {
        pools.check(request);
        pools.dispatch(request, new WholeExchange(request, { resolve, reject, limit }, pools.inFlight));
      }),
    async stream(request): Promise<WireStream> {
      pools.check(request);
      const stream = await new Promise<WireStream>((resolve, reject) => {
        pools.dispatch(request, new StreamExchange(request, { gathering, resolve, reject }, pools.inFlight));
      });
      const encoding = stream.headers["content-encoding"];
      if (!isEncoded(encoding)) return stream;
      try {
        return { ...stream, body: inflateStream(stream.body, encoding, request) };
      } catch (thrown) {
        await stream.body[Symbol.asyncIterator]().return?.();
        throw thrown;
      }
    },
    close: () => pools.close(),
  };
}

/** The same with a user's own settings. Throws `invalid_configuration` where they would be ignored in silence (Bun). */
export function configuredTransport(options: UndiciTransportOptions): Transport {
  requireDispatch("network");
  return undiciTransport(options);
}
