import { toGatewayError } from "../../engine/errors.ts";
import type { Caller } from "../../portal/call/call.ts";
import type { Portal } from "../../portal/portal.ts";
import { type HttpResponse, readHeader } from "../message.ts";
import type { RequestContext } from "../response/request-context.ts";

/** What is known of the reader of an answer. */
export interface KnownReader {
  /** The value of `Accept-Language`. */
  readonly accepts: string | undefined;
  /** To be set once the caller is known. */
  caller: Caller | undefined;
}

/** A request of a portal. */
interface PortalExchange {
  readonly portal: Pick<Portal, "localize">;
  readonly exchange: RequestContext;
}

/** Answers a request; a failure gets its text in the reader's language. One whose texts cannot be read stays as it is. */
export async function localizeFailure(
  { portal, exchange }: PortalExchange,
  answer: (known: KnownReader) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const known: KnownReader = { accepts: readHeader(exchange.request.headers, "accept-language"), caller: undefined };
  try {
    return await answer(known);
  } catch (thrown) {
    exchange.localized = await portal.localize(toGatewayError(thrown), known).catch(() => undefined);
    throw thrown;
  }
}
