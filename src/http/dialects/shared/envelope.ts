import { ReasoningDetail } from "../../../engine/api/message.ts";

/** Nine bytes, so that what follows begins a new group of base64. */
const mark = Buffer.from("tollgate1").toString("base64");

/**
 * Packs a reasoning detail into one opaque text, so that it can travel where a dialect has room for a signature of its own vendor only.
 * Clients hand such a text back as it is. The alphabet is that of base64; the order of the detail's fields does not matter.
 */
export function packDetail(detail: ReasoningDetail): string {
  const fields = Object.entries(detail).sort(([one], [other]) => (one < other ? -1 : 1));
  return mark + Buffer.from(JSON.stringify(Object.fromEntries(fields))).toString("base64");
}

/** True for a text that {@link packDetail} made, or that looks like it. */
export function isPacked(text: string): boolean {
  return text.startsWith(mark);
}

/** The packed detail with `content` as its text; `undefined` when {@link packDetail} did not make `text`. */
export function unpackDetail(text: string, content: string): ReasoningDetail | undefined {
  if (!isPacked(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text.slice(mark.length), "base64").toString("utf8"));
    const detail = ReasoningDetail.safeParse(value).data;
    return detail === undefined ? undefined : withText(detail, content);
  } catch {
    return undefined; // not ours after all: the text is then a signature like any other
  }
}

/** A detail with its text where its type has it; no text changes nothing. */
export function withText(detail: ReasoningDetail, text: string): ReasoningDetail {
  if (text === "") return detail;
  return detail.type === "reasoning.summary" ? { ...detail, summary: text } : { ...detail, text };
}

/** True for a detail without text that holds no more than a format, and so need not come back. `own` is the format of the dialect itself. */
export function isBare({ type, index: _index, format, ...rest }: ReasoningDetail, own?: string): boolean {
  const isOwn = format === undefined || format === own;
  return (
    isOwn && type === "reasoning.text" && Object.values(rest).every((value) => value === undefined || value === null)
  );
}
