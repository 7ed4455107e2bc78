import type { ChatResponse } from "../../../src/api/chat.ts";
import type { Annotation } from "../../../src/api/message.ts";
import type { WireCitationSource, WireGrounding } from "./wire.ts";

/** One page that the vendor's search found. */
export type SearchResult = NonNullable<ChatResponse["search_results"]>[number];

/** The pages that an answer rests on. */
export function searchResultsOf(grounding: WireGrounding | undefined): SearchResult[] {
  return (grounding?.groundingChunks ?? []).flatMap(({ web }) => (web?.uri ? [pageOf(web.uri, web.title)] : []));
}

/** The sources of a text: pages that support a segment of it, pages without a segment, and works that it recites. */
export function annotationsOf(
  text: string,
  grounding: WireGrounding | undefined,
  recited: readonly WireCitationSource[],
): Annotation[] {
  const pages = (grounding?.groundingChunks ?? []).map(({ web }) => web);
  const place = placesIn(text);
  const supported = (grounding?.groundingSupports ?? []).flatMap(({ segment, groundingChunkIndices = [] }) =>
    groundingChunkIndices.flatMap((at) => {
      const page = pages[at];
      return page?.uri ? [citation({ ...place(segment ?? {}), ...pageOf(page.uri, page.title) })] : [];
    }),
  );
  const unplaced = pages.flatMap((page) => (page?.uri ? [citation(pageOf(page.uri, page.title))] : []));
  const works = recited.flatMap(({ uri, title, ...segment }) =>
    uri ? [citation({ ...place(segment), ...pageOf(uri, title) })] : [],
  );
  return [...(supported.length > 0 ? supported : unplaced), ...works];
}

function pageOf(url: string, title: string | undefined): { url: string; title?: string } {
  return title ? { url, title } : { url };
}

function citation(source: NonNullable<Annotation["url_citation"]>): Annotation {
  return { type: "url_citation", url_citation: source };
}

interface Segment {
  readonly startIndex?: number | undefined;
  readonly endIndex?: number | undefined;
}

/** Places in a string for the vendor's, which count bytes of UTF-8; an absent start is the beginning. */
function placesIn(text: string): (segment: Segment) => { start_index?: number; end_index?: number } {
  let bytes: Buffer | undefined;
  const characters = (offset: number): number => {
    bytes ??= Buffer.from(text, "utf8");
    return bytes.subarray(0, offset).toString("utf8").length;
  };
  return ({ startIndex, endIndex }) => {
    if (endIndex === undefined) return {};
    return { start_index: characters(startIndex ?? 0), end_index: characters(endIndex) };
  };
}
