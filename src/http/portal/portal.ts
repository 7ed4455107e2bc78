import type { PortalRow } from "../../operations/portal/table.ts";
import type { Portal } from "../../portal/portal.ts";
import type { HttpContext } from "../context.ts";
import { writeWarnings } from "../dialects/shared/translation-warnings.ts";
import { type HttpResponse, readHeader } from "../message.ts";
import type { RequestContext } from "../response/request-context.ts";
import { authenticateRequest, refuseVirtualKey } from "./authenticate.ts";
import { toEventStream } from "./event-stream.ts";
import { type KnownReader, localizeFailure } from "./localized.ts";
import { readFields } from "./row-input.ts";
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
