import { Buffer, isUtf8 } from "node:buffer";
import { GatewayError } from "../../engine/errors.ts";
import { findDuplicate } from "../../engine/runtime/json/json-duplicates.ts";
import { countFields, measureJson } from "../../engine/runtime/json/json-scan.ts";
import { type JsonSource, sourceOf } from "../../engine/runtime/json/json-source.ts";
import { tooManyValues, unreadable } from "./body-errors.ts";
import type { SettledBounds } from "./bounds.ts";

/** What a body was read from; nothing where an earlier middleware has read it. */
export interface BodyText {
  readonly text?: string;
  /** Its long members as they were written. */
  readonly source?: JsonSource | undefined;
}

/** Checks a body's value and its text; throws what is wrong with them. */
export type InspectBody = (value: unknown, written: BodyText) => void;

/**
 * The value of a body. One pass measures the text before a value is made of it. Throws `request_too_large` or `invalid_request` by the
 * bounds, and for a field that an object has twice: a parser keeps the last of the two in silence.
 */
export function parseBody(bytes: Uint8Array, bounds: SettledBounds, inspect: InspectBody | undefined): unknown {
  const buffer = bufferOf(bytes);
  const text = withoutMark(buffer.toString("utf8"));
  if (text.includes(replacement) && !isUtf8(bytes)) throw unreadable("is not valid UTF-8");
  const { depth, values, fields, longParts } = measureJson(text, bounds);
  if (depth > bounds.depth) throw unreadable(`is nested deeper than ${bounds.depth} levels (\`depth\`)`);
  if (values > bounds.values) throw tooManyValues(bounds);
  const value = toValue(text);
  if (countFields(value) < fields) refuseDuplicate(text);
  inspect?.(value, { text, source: sourceOf(value, { text, bytes: buffer, parts: longParts }) });
  return value;
}

function refuseDuplicate(text: string): void {
  const param = findDuplicate(text);
  if (param === undefined) return;
  throw new GatewayError("invalid_request", `\`${param}\`: is there twice.`, { param });
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What stands for bytes that are no UTF-8, and may have been sent as it is. */
const replacement = "\ufffd";

/** Editors and shells of Windows put a byte-order mark before what they save as UTF-8; a reader may ignore it (RFC 8259, 8.1). */
function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable("is not readable JSON", cause);
  }
}
