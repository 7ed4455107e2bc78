import type { Annotation } from "../../../api/message.ts";

/** Where a place of the text has its words from, in the vendor's form. */
type Source = Readonly<Record<string, unknown>>;

/** What the places of the text rest on: pages, documents of the request, or what tools answered; not all of them have an address. */
export function writeCitations(annotations: readonly Annotation[], text: string): object[] {
  return annotations.flatMap((annotation) => {
    const sources = sourcesOf(annotation);
    if (sources.length === 0) return [];
    const { start, end } = placeOf(annotation);
    return [{ start, end, text: text.slice(start, end), sources }];
  });
}

/** Vendors write the place beside the citation or inside of it. */
function placeOf(annotation: Annotation): { readonly start: number; readonly end: number } {
  const place = annotation.url_citation ?? annotation;
  const start = countOf(place.start_index) ?? 0;
  return { start, end: countOf(place.end_index) ?? start };
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function sourcesOf({ url_citation: page, file_citation: file }: Annotation): Source[] {
  const told = Array.isArray(page?.sources) ? page.sources.filter(isSource) : [];
  if (told.length > 0) return told;
  if (page?.url !== undefined) return [documentOf(page.url, { url: page.url, title: page.title })];
  return isFields(file) ? [fileOf(file)] : [];
}

/** A source that came from this vendor, and goes back as it came. */
function isSource(source: unknown): source is Source {
  return isFields(source) && (source.type === "document" || source.type === "tool");
}

/** A file of the request, by whatever the vendor that read it calls it. */
function fileOf(file: Readonly<Record<string, unknown>>): Source {
  const title = textOf(file.document_title) ?? textOf(file.title) ?? textOf(file.filename);
  const id = textOf(file.file_id) ?? textOf(file.document_index) ?? title ?? "file";
  return documentOf(id, { title, text: textOf(file.cited_text) });
}

function documentOf(id: string, said: Readonly<Record<string, string | undefined>>): Source {
  const document = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { type: "document", id, document };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
