import { GatewayError } from "../../../../src/engine/errors.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";

/** The part of a bucket's objects that a caller asks for. */
export interface ObjectPage {
  /** 1 to 1,000. */
  readonly limit: number;
  /** The store's own marker; undefined for the first page. */
  readonly marker: string | undefined;
}

/** The most objects of a page, also where none is asked for. */
const mostObjects = 1_000;

/**
 * Returns the page that a list of objects is asked for. Throws `invalid_request` for `search` and `sort`: a store lists in the order of its
 * keys, and finds by prefix alone.
 */
export function readPage({ page = {} }: Pick<PortalCall, "page">): ObjectPage {
  for (const param of ["search", "sort"] as const) {
    if (page[param] === undefined) continue;
    const message = `\`${param}\`: objects are listed in the order of their keys; use \`prefix\` to find some of them.`;
    throw new GatewayError("invalid_request", message, { param });
  }
  return { limit: page.limit ?? mostObjects, marker: readMarker(page.after) };
}

/** Returns a store's marker as the `x-tg-next` of a list: a marker may be a key, which no header can carry. */
export function writeMarker(marker: string | undefined): string | undefined {
  return marker === undefined ? undefined : Buffer.from(marker, "utf8").toString("base64url");
}

function readMarker(after: string | undefined): string | undefined {
  if (after === undefined) return undefined;
  const marker = Buffer.from(after, "base64url").toString("utf8");
  if (marker !== "" && writeMarker(marker) === after) return marker;
  throw new GatewayError("invalid_request", "`after`: is no `x-tg-next` of this list.", { param: "after" });
}
