import { sampleOfPattern } from "./pattern.ts";
import type { SampledSchema, SchemaWalk } from "./sampling.ts";
import { unsupported } from "./sampling.ts";

/** One valid text of each usual `format`. */
const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  duration: "PT1S",
  email: "echo@example.com",
  "idn-email": "echo@example.com",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  iri: "https://example.com/",
  "uri-reference": "/echo",
  "iri-reference": "/echo",
  uuid: "00000000-0000-4000-8000-000000000000",
  "json-pointer": "/echo",
  regex: "echo",
};

/** Longest text that is written for a `minLength`, and how much of the user's words a text takes at most. */
const longestText = 10_000;
const mostWords = 200;

/**
 * A text for a string schema: its format's example, else the shortest text of its pattern, else the user's words, cut or repeated to
 * fit. `undefined` when none can be.
 */
export function sampleText(schema: SampledSchema, path: string, sampling: SchemaWalk): string | undefined {
  const { format, pattern } = schema;
  const example = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (example !== undefined) return example;
  const [least, most] = lengthsOf(schema);
  if (typeof pattern === "string") {
    const text = sampleOfPattern(pattern);
    if (text !== undefined && text.length >= least && text.length <= most) return text;
    unsupported(sampling, path, "pattern");
  }
  if (least > most || least > longestText) return undefined;
  return fitText(sampling.words, least, most);
}

function lengthsOf({ minLength, maxLength }: SampledSchema): [least: number, most: number] {
  const least = typeof minLength === "number" ? minLength : 0;
  return [least, Math.min(typeof maxLength === "number" ? maxLength : Infinity, Math.max(least, mostWords))];
}

/** Lengths count code points in JSON Schema and UTF-16 units elsewhere: the text fits by both. */
function fitText(words: string, least: number, most: number): string {
  const cut =
    words.length <= most
      ? words
      : words
          .slice(0, most)
          .replace(/[\ud800-\udbff]$/, "")
          .trim();
  if ([...cut].length >= least) return cut;
  const filled = `${cut} `.repeat(Math.ceil(least / (cut.length + 1)) + 1).slice(0, Math.max(least, 1));
  return [...filled].length === filled.length && !filled.endsWith(" ") ? filled : "x".repeat(least);
}
