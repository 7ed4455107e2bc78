import type { HttpRequest } from "../../http/message.ts";

/** A trace id of `traceparent` (W3C Trace Context). */
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;
const noTrace = "0".repeat(32);

/** A caller's own name for its request: what can be read, and fits a line. */
const requestId = /^[\x21-\x7e]{1,128}$/;

/** Returns what the log says of a caller: its address, and the ids by which it knows its request and its trace. */
export function describeCaller({
  headers,
  address,
}: Pick<HttpRequest, "headers" | "address">): Readonly<Record<string, string>> {
  const [, trace] = traceparent.exec(textOf(headers.traceparent)) ?? [];
  const [id] = requestId.exec(textOf(headers["x-request-id"])) ?? [];
  return {
    ...(address === undefined ? {} : { client_address: address }),
    ...(id === undefined ? {} : { request_id: id }),
    ...(trace === undefined || trace === noTrace ? {} : { trace_id: trace }),
  };
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" ? header : "";
}
