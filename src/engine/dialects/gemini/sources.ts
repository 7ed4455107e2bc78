import type { ChatResponse } from "../../api/chat.ts";
import type { Annotation } from "../../api/message.ts";
import { optionalText } from "../wire-values.ts";

/** `groundingMetadata` of a candidate. */
export interface WireGrounding {
  readonly groundingChunks?: readonly { readonly web?: { readonly uri?: string; readonly title?: string } }[];
  readonly groundingSupports?: readonly {
    readonly segment?: { readonly startIndex?: number; readonly endIndex?: number };
    readonly groundingChunkIndices?: readonly number[];
  }[];
  readonly webSearchQueries?: readonly string[];
}

/** A work that an answer recites. */
export interface WireCitationSource {
  readonly uri?: string;
  readonly title?: string;
  readonly startIndex?: number;
  readonly endIndex?: number;
}

/** One page that the vendor's search found. */
export type GroundingResult = NonNullable<ChatResponse["search_results"]>[number];

/** The pages that an answer rests on. */
export function searchResultsOf(grounding: WireGrounding | undefined): GroundingResult[] {
  return (grounding?.groundingChunks ?? []).flatMap(({ web }) => pageOf(web) ?? []);
}

/** The sources of a text: pages that support a segment of it, pages without a segment, and works that it recites. */
export function annotationsOf(
  text: string,
  grounding: WireGrounding | undefined,
  recited: readonly WireCitationSource[],
): Annotation[] {
  const pages = (grounding?.groundingChunks ?? []).map(({ web }) => pageOf(web));
  const positionOf = positionsIn(text);
  const supported = (grounding?.groundingSupports ?? []).flatMap(({ segment, groundingChunkIndices = [] }) =>
    groundingChunkIndices.flatMap((at) => {
      const page = pages[at];
      return page === undefined ? [] : [citation({ ...positionOf(segment ?? {}), ...page })];
    }),
  );
  const withoutPosition = pages.flatMap((page) => (page === undefined ? [] : [citation(page)]));
  const fromWorks = recited.flatMap((source) => {
    const page = pageOf(source);
    return page === undefined ? [] : [citation({ ...positionOf(source), ...page })];
  });
  return [...(supported.length > 0 ? supported : withoutPosition), ...fromWorks];
}

/** A page by its address; `undefined` without one. */
function pageOf(raw: SourcePage | undefined): { url: string; title?: string } | undefined {
  const [url, title] = [optionalText(raw?.uri), optionalText(raw?.title)];
  if (url === undefined) return undefined;
  return title === undefined ? { url } : { url, title };
}

interface SourcePage {
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

/** Converts the vendor's offsets, which count bytes of UTF-8, to indexes of the string; an absent start is the beginning. */
function positionsIn(text: string): (segment: Segment) => { start_index?: number; end_index?: number } {
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

/** The pages that a text rests on, in the vendor's form, with offsets in bytes of UTF-8; no field without any. */
export function writeGrounding(annotations: readonly Annotation[], text: string) {
  const pages = annotations.flatMap(({ url_citation: page }) =>
    page?.url === undefined ? [] : [{ ...page, url: page.url }],
  );
  if (pages.length === 0) return {};
  const bytes = (end: number) => Buffer.byteLength(text.slice(0, end), "utf8");
  const supports = pages.flatMap(({ start_index: start = 0, end_index: end }, at) =>
    end === undefined
      ? []
      : [
          {
            segment: { startIndex: bytes(start), endIndex: bytes(end), text: text.slice(start, end) },
            groundingChunkIndices: [at],
          },
        ],
  );
  const chunks = pages.map(({ url, title }) => ({ web: { uri: url, ...(title === undefined ? {} : { title }) } }));
  return {
    groundingMetadata: { groundingChunks: chunks, ...(supports.length === 0 ? {} : { groundingSupports: supports }) },
  };
}
