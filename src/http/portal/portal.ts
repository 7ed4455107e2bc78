import { GatewayError } from "../../engine/errors.ts";
import { coerceQuery } from "../../operations/coerce.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import type { Portal } from "../../portal/portal.ts";
import type { HttpContext } from "../context.ts";
import { writeWarnings } from "../dialects/shared/translation-warnings.ts";
import { type HttpRequest, type HttpResponse, readHeader } from "../message.ts";
import { readOptionalJson } from "../request/body.ts";
import { parseQuery } from "../request/query.ts";
import type { RequestContext } from "../response/request-context.ts";
import { eventStreamHeaders } from "../response/sse.ts";
import { authenticateRequest, credentialOf, refuseVirtualKey } from "./authenticate.ts";
import { type KnownReader, localizeFailure } from "./localized.ts";
import { writeValue } from "./row-value.ts";

/** A row of the portal, as it is served. */
interface ServedRow {
  readonly portal: Portal;
  readonly row: PortalRow;
  readonly context: HttpContext;
}

/** Answers a request for a row: token, region, permission, input, in this order. */
export function answerRow(served: ServedRow, requestContext: RequestContext): Promise<HttpResponse> {
  return localizeFailure({ portal: served.portal, exchange: requestContext }, (known) =>
    answer(served, requestContext, known),
  );
}

async function answer(
  { portal, row, context }: ServedRow,
  requestContext: RequestContext,
  known: KnownReader,
): Promise<HttpResponse> {
  const { request, eventId } = requestContext;
  const { headers, signal } = request;
  refuseVirtualKey(request, context.keyPrefix);
  const caller = await authenticateRequest(portal, request);
  known.caller = caller;
  const region = readHeader(headers, "region");
  const input = await readFields(row, requestContext, context);
  const shown: Record<string, string> = {};
  const onVersion = (seen: string) => {
    shown.etag = `"${seen}"`;
  };
  const onNext = (next: string) => {
    shown["x-tg-next"] = next;
  };
  const onJob = (id: string) => {
    shown["x-tg-job"] = id;
  };
  const onWarnings = (warnings: readonly string[]) => void Object.assign(shown, writeWarnings(warnings));
  const version = readMatch(readHeader(headers, "if-match"));
  const { accepts } = known;
  const reporting = { onVersion, onNext, onJob, onWarnings };
  const value = await portal.run({ row, input, caller, region, signal, eventId, version, accepts, ...reporting });
  if (row.operation.stream) return toEventStream(value as Parameters<typeof toEventStream>[0]); // the row's own events
  return writeValue({ row, value, headers: shown }, request);
}

/** Returns the version in `if-match`: the one that the caller got as `etag`. `*` means any. */
function readMatch(header: string | undefined): string | undefined {
  return header === undefined || header.trim() === "*" ? undefined : header.trim().replace(/^"(.*)"$/, "$1");
}

/** Path wins over body, body over query (portal-resolved.md, section 1). */
async function readFields({ operation }: PortalRow, { request, params }: RequestContext, { reading }: HttpContext) {
  const body = (await readOptionalJson(request, reading, { key: credentialOf(request) })) ?? {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new GatewayError("invalid_request", "The body must be a JSON object.");
  const query = request.query === "" ? {} : coerceQuery(operation, parseQuery(request.query));
  return { ...(operation.stream ? readLastEventId(request) : {}), ...query, ...body, ...params };
}

/** One event of a stream of the portal. */
interface PortalEvent {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/** Returns the field of the input that `Last-Event-ID` stands for. */
function readLastEventId({ headers }: HttpRequest): { readonly last_event_id?: string } {
  const id = readHeader(headers, "last-event-id");
  return id === undefined ? {} : { last_event_id: id };
}

/** Returns the events of an operation as an event stream. */
function toEventStream(events: AsyncIterable<PortalEvent>): HttpResponse {
  return { status: 200, headers: { ...eventStreamHeaders }, body: { [Symbol.asyncIterator]: () => frames(events) } };
}

function frames(events: AsyncIterable<PortalEvent>): AsyncIterator<string, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  const write = (step: IteratorResult<PortalEvent>): IteratorResult<string, undefined> =>
    step.done ? { done: true, value: undefined } : { done: false, value: toFrame(step.value) };
  return {
    next: async () => write(await iterator.next()),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** JSON escapes line breaks, so that the data is one line; ids and names are our own. */
function toFrame({ id, event, data }: PortalEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
