/** A block of Markdown; lines are read by `parseInline`. */
export type Block =
  | { readonly kind: "paragraph" | "quote"; readonly lines: readonly string[] }
  | { readonly kind: "heading"; readonly level: number; readonly line: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" };

const fence = /^ {0,3}(```|~~~)\s*([\w+#.-]*)\s*$/;
const heading = /^ {0,3}(#{1,6}) +(.*)$/;
const item = /^ {0,6}(?:([-*+])|(\d{1,9})[.)]) +(.*)$/;
const quote = /^ {0,3}> ?(.*)$/;
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;

/** Reads a text line by line; a fence that is not closed yet, as while an answer comes in, holds all that follows. */
export function parseBlocks(text: string): readonly Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = readBlock(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number): readonly [block: Block | undefined, next: number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const opened = fence.exec(line);
  if (opened) return readCode(lines, at, opened);
  const titled = heading.exec(line);
  if (titled) return [{ kind: "heading", level: titled[1]?.length ?? 1, line: titled[2] ?? "" }, at + 1];
  if (rule.test(line)) return [{ kind: "rule" }, at + 1];
  if (item.test(line)) return readList(lines, at);
  const isQuote = quote.test(line);
  let next = at + 1;
  while (next < lines.length && isMore(lines[next] ?? "", isQuote)) next++;
  const own = lines.slice(at, next);
  if (!isQuote) return [{ kind: "paragraph", lines: own }, next];
  return [{ kind: "quote", lines: own.map((one) => quote.exec(one)?.[1] ?? one) }, next];
}

/** True for a line that goes on with the paragraph or the quotation above it. */
function isMore(line: string, isQuote: boolean): boolean {
  if (line.trim() === "" || quote.test(line) !== isQuote) return false;
  return isQuote || ![fence, heading, rule, item].some((pattern) => pattern.test(line));
}

function readCode(lines: readonly string[], at: number, [, mark, language = ""]: RegExpExecArray): [Block, number] {
  let end = at + 1;
  while (end < lines.length && lines[end]?.trim() !== mark) end++;
  return [{ kind: "code", language, text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function readList(lines: readonly string[], at: number): [Block, number] {
  const isOrdered = item.exec(lines[at] ?? "")?.[2] !== undefined;
  const items: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    const [, , number, content = ""] = item.exec(line) ?? [];
    if (item.test(line)) {
      if ((number !== undefined) !== isOrdered) break;
      items.push(content);
    } else if (/^ {2,}\S/.test(line) && items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    else break;
  }
  return [{ kind: "list", isOrdered, items }, next];
}
