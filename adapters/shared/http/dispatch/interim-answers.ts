import type { Socket } from "node:net";

const head = Buffer.from("HTTP/1.1 100 ");
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Hides answers `100 Continue` that were not asked for from undici, which closes the connection at them; some servers send one before
 * every answer (RFC 9110, 15.2, lets clients ignore it). Only the first bytes behind a request are looked at.
 */
export function withoutContinue<S extends Socket>(socket: S): S {
  const read: Socket["read"] = socket.read.bind(socket);
  let answered = -1;
  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk) || answered === socket.bytesWritten) return chunk;
      const rest = behindContinue(chunk);
      if (rest.length === 0) continue;
      answered = socket.bytesWritten;
      return rest;
    }
  };
  return socket;
}

/** The bytes behind all interim answers that a chunk begins with. */
function behindContinue(chunk: Buffer): Buffer {
  let rest = chunk;
  while (rest.length >= head.length && rest.subarray(0, head.length).equals(head)) {
    const end = rest.indexOf(headEnd);
    if (end < 0) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}
