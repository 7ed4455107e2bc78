import type { ServerResponse } from "node:http";
import type { Clock } from "../../engine/ports/clock.ts";

/** Milliseconds, and bytes, for which a closed connection is still read. */
const lingerMs = 1_000;
const lingerBytes = 4 * 1024 * 1024;

/**
 * Closes the connection of an answer without a reset. A socket that closes with bytes unread is reset, and the client loses the answer
 * that it has not read yet (RFC 9112, 9.6). So our side ends first, and what still comes is thrown away until the client ends too, or
 * a bound is passed.
 */
export function lingerAfter(res: ServerResponse, clock: Clock): void {
  const { socket } = res;
  if (!socket) return;
  socket.destroySoon = () => {
    const begun = socket.bytesRead;
    const stop = clock.after(lingerMs, () => socket.destroy());
    socket.on("data", () => {
      if (socket.bytesRead - begun > lingerBytes) socket.destroy();
    });
    socket.on("end", () => socket.destroy());
    socket.on("close", stop);
    socket.end();
    res.req.resume();
    socket.resume();
  };
}
