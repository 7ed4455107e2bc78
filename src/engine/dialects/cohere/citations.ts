import type { Annotation } from "../../api/message.ts";
import { isRecord, optionalText } from "../wire-values.ts";

/** A source of a citation: a document of the request, or what a tool returned. */
export interface WireSource {
  readonly type?: string;
  readonly id?: string;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly tool_output?: Readonly<Record<string, unknown>>;
}

/** The sources of a range of the text. */
export interface CohereWireCitation {
  readonly start?: number;
  readonly end?: number;
  readonly text?: string;
  /** The block of the content that the range is in. */
  readonly content_index?: number;
  /** `TEXT_CONTENT`, `THINKING_CONTENT`, `PLAN`. */
  readonly type?: string;
  readonly sources?: readonly WireSource[];
}

/** Where the blocks of the content begin in the message's text, by their index; the plan begins it. */
export interface TextStarts {
  readonly blocks: ReadonlyMap<number, number>;
}

/** A citation in our form, its range counted in the whole text; `undefined` for one of thoughts, which are not part of the text. */
export function readCitation(citation: CohereWireCitation, { blocks }: TextStarts): Annotation | undefined {
  if (citation.type === "THINKING_CONTENT") return undefined;
  const { sources = [], content_index: block = 0, start = 0, end = start } = citation;
  const from = citation.type === "PLAN" ? 0 : (blocks.get(block) ?? 0);
  const isScoped = Number.isSafeInteger(start) && Number.isSafeInteger(end);
  const pages = sources.map(({ document, tool_output: output }) => document ?? output ?? {});
  const url = firstText(pages.map((page) => page.url));
  const title = firstText(pages.map((page) => page.title));
  const range = isScoped ? { start_index: from + start, end_index: from + end } : {};
  const named = { ...(url === undefined ? {} : { url }), ...(title === undefined ? {} : { title }) };
  return { type: "url_citation", url_citation: { ...range, sources, ...named } };
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.map(optionalText).find((text) => text !== undefined);
}

/** A source that goes out, in the vendor's form. */
type CitationSource = Readonly<Record<string, unknown>>;

/** The citations of a text in the vendor's form: pages, documents of the request, or what tools returned; not all have an address. */
export function writeCitations(annotations: readonly Annotation[], text: string): object[] {
  return annotations.flatMap((annotation) => {
    const sources = sourcesOf(annotation);
    if (sources.length === 0) return [];
    const { start, end } = rangeOf(annotation);
    return [{ start, end, text: text.slice(start, end), sources }];
  });
}

/** The range of an annotation. Vendors write it beside the citation or inside of it. */
function rangeOf(annotation: Annotation): { readonly start: number; readonly end: number } {
  const range = annotation.url_citation ?? annotation;
  const start = indexOf(range.start_index) ?? 0;
  return { start, end: indexOf(range.end_index) ?? start };
}

function indexOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function sourcesOf({ url_citation: page, file_citation: file }: Annotation): CitationSource[] {
  const sources = Array.isArray(page?.sources) ? page.sources.filter(isSource) : [];
  if (sources.length > 0) return sources;
  if (page?.url !== undefined) return [documentOf(page.url, { url: page.url, title: page.title })];
  return isRecord(file) ? [fileOf(file)] : [];
}

/** True for a source that came from this vendor, and goes back unchanged. */
function isSource(value: unknown): value is CitationSource {
  return isRecord(value) && (value.type === "document" || value.type === "tool");
}

/** A file of the request, by the first name and id that the vendor who read it gives. */
function fileOf(file: Readonly<Record<string, unknown>>): CitationSource {
  const title = nameOf(file.document_title) ?? nameOf(file.title) ?? nameOf(file.filename);
  const id = nameOf(file.file_id) ?? nameOf(file.document_index) ?? title ?? "file";
  return documentOf(id, { title, text: nameOf(file.cited_text) });
}

function documentOf(id: string, content: Readonly<Record<string, string | undefined>>): CitationSource {
  const document = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
  return { type: "document", id, document };
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
