import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, GatewayError } from "../engine/errors.ts";
import { toErrorBody } from "../http/response/errors.ts";
import type { FailureReport } from "../http/response/request-context.ts";

/** Bytes of a request's line and headers together: 1,000 identifiers in a query and the usual headers (Node's own limit is 16 KiB). */
export const headLimit = 128 * 1024;

/** What answers heads that no listener gets to see. */
export interface HeadFaults {
  readonly newEventId: () => string;
  /** Receives every rejected head. */
  readonly onFailure: FailureReport;
}

/** What Node's parser found, by its code; all else is a head that is no HTTP. */
const faults: Readonly<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "request_too_large", `The request's line and headers exceed ${headLimit} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "request_too_large", "The extensions of a chunk of the body are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "request_timeout", "The request did not arrive in time."],
};

const unreadable = [400, "invalid_request", "The request is no HTTP that can be read."] as const;

/**
 * Answers requests that Node's parser refuses, with the body of every other error, an event id and a line of the log. A connection on
 * which an answer is under way is cut off: it can carry no other.
 */
export function answerHeadFaults(
  server: Server,
  isAnswering: (socket: Socket) => boolean,
  { newEventId, onFailure }: HeadFaults,
): void {
  server.on("clientError", (fault: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket; // what the server listens on is TCP
    if (!socket.writable || fault.code === "ECONNRESET" || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const [status, code, message] = faults[fault.code ?? ""] ?? unreadable;
    const eventId = newEventId();
    const error = new GatewayError(code, message, { cause: fault });
    onFailure(error, { eventId, method: "unreadable", path: "head" });
    const failed = { eventId, requestType: undefined, model: undefined };
    const body = JSON.stringify({ ...toErrorBody(error, failed), status_code: status });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`, "x-should-retry: false"],
      ...[`x-tg-event-id: ${eventId}`, `x-request-id: ${eventId}`, "x-content-type-options: nosniff"],
      "connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}
