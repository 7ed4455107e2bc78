import type { ChatResponse } from "../../../src/api/chat.ts";
import type { Annotation } from "../../../src/api/message.ts";
import { asideOf } from "../chat/odd.ts";
import type { WireCitationSource, WireGrounding } from "./wire.ts";

/** One page that the vendor's search found. */
export type SearchResult = NonNullable<ChatResponse["search_results"]>[number];

/** The pages that an answer rests on. */
export function searchResultsOf(grounding: WireGrounding | undefined): SearchResult[] {
  return (grounding?.groundingChunks ?? []).flatMap(({ web }) => pageOf(web) ?? []);
}

/** The sources of a text: pages that support a segment of it, pages without a segment, and works that it recites. */
export function annotationsOf(
  text: string,
  grounding: WireGrounding | undefined,
  recited: readonly WireCitationSource[],
): Annotation[] {
  const pages = (grounding?.groundingChunks ?? []).map(({ web }) => pageOf(web));
  const place = placesIn(text);
  const supported = (grounding?.groundingSupports ?? []).flatMap(({ segment, groundingChunkIndices = [] }) =>
    groundingChunkIndices.flatMap((at) => {
      const page = pages[at];
      return page === undefined ? [] : [citation({ ...place(segment ?? {}), ...page })];
    }),
  );
  const unplaced = pages.flatMap((page) => (page === undefined ? [] : [citation(page)]));
  const works = recited.flatMap((source) => {
    const page = pageOf(source);
    return page === undefined ? [] : [citation({ ...place(source), ...page })];
  });
  return [...(supported.length > 0 ? supported : unplaced), ...works];
}

/** A page by its address; `undefined` of what has none. */
function pageOf(told: Named | undefined): { url: string; title?: string } | undefined {
  const [url, title] = [asideOf(told?.uri), asideOf(told?.title)];
  if (url === undefined) return undefined;
  return title === undefined ? { url } : { url, title };
}

interface Named {
  readonly uri?: string | undefined;
  readonly title?: string | undefined;
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
