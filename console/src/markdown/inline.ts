/** A piece of a line of Markdown. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "em"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly parts: readonly Inline[] };

/** The protocols that a link may have; every other one stays text. */
const protocols = new Set(["http:", "https:", "mailto:"]);

/** The address of a link; undefined for one that is relative, or whose protocol is not allowed. */
export function safeHref(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return protocols.has(url.protocol) ? url.href : undefined;
}

/** Code, bold, italics and links, tried in this order at each place. An image is a link with its description. */
const patterns = [
  ["code", /`([^`\n]+)`/y],
  ["link", /!?\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000})\)/y],
  ["strong", /\*\*(?=\S)([^*\n]+?)\*\*/y],
  ["em", /\*(?=\S)([^*\n]+?)\*/y],
] as const;

/** The characters at which something may begin. */
const starts = /[`![*]/g;

/** The most levels of one thing inside another. */
const deepest = 4;

/** Reads a line. What begins something and does not end it is text. */
export function parseInline(line: string, depth = 0): readonly Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  let at = 0;
  const flush = (to: number) => {
    if (to > from) parts.push({ kind: "text", text: line.slice(from, to) });
  };
  while (depth < deepest) {
    starts.lastIndex = at;
    const start = starts.exec(line);
    if (!start) break;
    const found = readAt(line, start.index, depth);
    at = found?.end ?? start.index + 1;
    if (!found) continue;
    flush(start.index);
    parts.push(found.part);
    from = found.end;
  }
  flush(line.length);
  return parts;
}

function readAt(line: string, at: number, depth: number): { part: Inline; end: number } | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const [whole, inner = "", address = ""] = pattern.exec(line) ?? [];
    if (whole === undefined) continue;
    const end = at + whole.length;
    if (kind === "code") return { part: { kind, text: inner }, end };
    const parts = parseInline(inner, depth + 1);
    if (kind !== "link") return { part: { kind, parts }, end };
    const href = safeHref(address);
    return { part: href === undefined ? { kind: "text", text: whole } : { kind, href, parts }, end };
  }
  return undefined;
}
