import { GatewayError } from "../../../src/engine/errors.ts";

/** A place in a list that is ordered by creation, then id. */
export interface CursorPosition {
  readonly created_at: string;
  readonly id: string;
}

/** A place in a list that is ordered by name, then creation, then id. `name` is as the store writes it. */
export interface NamePosition extends CursorPosition {
  readonly name: string;
}

/** A place as text for the next question. */
export function writeCursor({ created_at, id }: CursorPosition, name?: string): string {
  const place = name === undefined ? [created_at, id] : [created_at, id, name];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Reads what {@link writeCursor} wrote; anything else is `invalid_request`. */
export function readCursor(text: string): CursorPosition {
  const value = parse(text);
  const [created_at, id]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof created_at === "string" && typeof id === "string") return { created_at, id };
  throw unreadable();
}

/** Reads a place that has a name. */
export function readNameCursor(text: string): NamePosition {
  const value = parse(text);
  const name: unknown = Array.isArray(value) ? value[2] : undefined;
  if (typeof name === "string") return { ...readCursor(text), name };
  throw unreadable();
}

/** Reads a cursor that is a whole number, as the ledger gives it. */
export function readNumberCursor(text: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw unreadable();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

function unreadable(): GatewayError {
  return new GatewayError("invalid_request", "The page's token is not one that was given out.", { param: "after" });
}
