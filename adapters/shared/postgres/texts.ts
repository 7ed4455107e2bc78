import { hash } from "node:crypto";

/**
 * PostgreSQL keeps no U+0000 and no half of a surrogate pair in a text. The first is written with U+001A before it, as is that
 * character itself; the second becomes U+FFFD, as in every text that leaves as UTF-8.
 */
export function writeText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!whole.includes("\u0000") && !whole.includes("\u001a")) return whole;
  return whole.replaceAll("\u001a", "\u001a1").replaceAll("\u0000", "\u001a0");
}

/** Reads what {@link writeText} wrote. */
export function readText(text: string): string {
  if (!text.includes("\u001a")) return text;
  return text.replaceAll("\u001a0", "\u0000").replaceAll("\u001a1", "\u001a");
}

/** Characters up to which an index holds a text itself; its pages hold nothing longer than 2,700 bytes. */
const longestIndexed = 256;

/** A text as an index holds it: a long one by its SHA-256. */
export function writeIndexed(text: string): string {
  const written = writeText(text);
  return written.length <= longestIndexed ? written : `sha256:${hash("sha256", written)}`;
}
