import { GatewayError } from "../../engine/errors.ts";
import type { SettledBounds } from "./bounds.ts";

/** The bytes of one body that are buffered at the moment. */
export interface BufferedBody {
  /** Sets how many they are. Throws `overloaded` when more would pass a bound on what is buffered at once; they are as before then. */
  resize(bytes: number): void;
  /** The body was parsed, or given up. */
  release(): void;
}

/** Opens the account of a body that `owner` sends, a key or `undefined` for callers without one. */
export type OpenBuffer = (owner: string | undefined) => BufferedBody;

/**
 * Counts the bytes of bodies that are buffered at once, by key and in all. Beyond a bound a body is refused, so that many callers, or one
 * key from many machines, cannot fill the memory with bodies that are each within their limit. One body always finds room.
 */
export function createBodyBuffers({ buffered, bufferedPerKey }: SettledBounds): OpenBuffer {
  let total = 0;
  const byOwner = new Map<string | undefined, number>();
  return (owner) => {
    let size = 0;
    return {
      resize(bytes) {
        const others = total - size;
        const own = (byOwner.get(owner) ?? 0) - size;
        if (bytes > size) {
          if (own > 0 && own + bytes > bufferedPerKey) throw overloaded("bufferedPerKey", bufferedPerKey);
          if (others > 0 && others + bytes > buffered) throw overloaded("buffered", buffered);
        }
        total = others + bytes;
        if (own + bytes === 0) byOwner.delete(owner);
        else byOwner.set(owner, own + bytes);
        size = bytes;
      },
      release() {
        this.resize(0);
      },
    };
  };
}

function overloaded(bound: string, bytes: number): GatewayError {
  const message = `More than ${bytes} bytes of requests would be buffered at once (\`${bound}\`); try again in a moment.`;
  return new GatewayError("overloaded", message, { retryAfterMs: 1_000 });
}
