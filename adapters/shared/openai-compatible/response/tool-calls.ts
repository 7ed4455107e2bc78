import type { ToolCall, ToolCallDelta } from "../../../../src/engine/api/message.ts";
import { isRecord, optionalText, textOf } from "../../../../src/engine/dialects/wire-values.ts";

/** Watches the text of one JSON object as its pieces come. */
export interface ObjectWatch {
  feed(piece: string): void;
  /** The object has begun and its last brace has come. */
  readonly isWhole: boolean;
}

const codes = { quote: 34, backslash: 92, open: 123, close: 125 } as const;

/** Looks at each character once, however the text is cut. */
function objectWatch(): ObjectWatch {
  let depth = 0;
  let hasBegun = false;
  let isInText = false;
  let isEscaped = false;

  function look(code: number): void {
    if (isEscaped) isEscaped = false;
    else if (isInText) {
      if (code === codes.backslash) isEscaped = true;
      else if (code === codes.quote) isInText = false;
    } else if (code === codes.quote) isInText = true;
    else if (code === codes.open) {
      depth++;
      hasBegun = true;
    } else if (code === codes.close) depth--;
  }

  return {
    feed(piece) {
      for (let at = 0; at < piece.length; at++) look(piece.charCodeAt(at));
    },
    get isWhole() {
      return hasBegun && depth === 0;
    },
  };
}

/** An identifier for the call at a position, for vendors that give none; the same for whole and streamed answers. */
export type CallIds = (index: number) => string;

/**
 * The tool calls of a whole message, in their order; `arguments` is text even where the vendor sends an object. Stumbles over a call of
 * a function that it does not name: no caller could execute it.
 */
export function readToolCalls(raw: readonly unknown[], idAt: CallIds): ToolCall[] {
  return raw.filter(isRecord).map(({ index: _index, id, type, function: called, ...rest }, index) => {
    if (isNameless(type, called)) throw nameless();
    return {
      ...rest,
      id: idOf(id) ?? idAt(index),
      type: optionalText(type) ?? "function",
      ...(isRecord(called) ? { function: readFunction(called) } : {}),
    };
  });
}

/** An id; Mistral writes the word `null` where there is none. */
function idOf(raw: unknown): string | undefined {
  const id = optionalText(raw);
  return id === "null" ? undefined : id;
}

function isNameless(type: unknown, called: unknown): boolean {
  return (optionalText(type) ?? "function") === "function" && !(isRecord(called) && textOf(called.name));
}

function nameless(): TypeError {
  return new TypeError("A tool call names no function.");
}

/** A call whose deltas are coming. */
interface OpenToolCall {
  readonly vendorIndex: number | undefined;
  readonly id: string | undefined;
  /** What it calls has no name yet. */
  isNameless: boolean;
  readonly arguments: ObjectWatch;
  isCustom?: boolean;
}

/** Puts the tool-call deltas of one choice in order. */
export interface ToolCallReader {
  read(raw: readonly unknown[]): ToolCallDelta[];
  /** The choice is over: throws for a call of a function that was never named. */
  end(): void;
}

/**
 * Gives each delta the index of its call. Vendors leave the index out, or give every parallel call the same: then a new identifier
 * with a name begins a new call, and so does a name without an identifier once the arguments of the call before are a whole object.
 */
export function toolCallReader(idAt: CallIds): ToolCallReader {
  const calls: OpenToolCall[] = [];

  function locate(delta: Record<string, unknown>, name: string | undefined): number {
    const id = idOf(delta.id);
    const vendorIndex = typeof delta.index === "number" ? delta.index : undefined;
    const found = calls.findLastIndex((call) =>
      vendorIndex === undefined ? id === undefined || call.id === id : call.vendorIndex === vendorIndex,
    );
    const known = calls[found];
    const isSame = known !== undefined && (id === undefined || name === undefined || known.id === id);
    const startsAnew =
      id === undefined &&
      name !== undefined &&
      known?.isNameless !== true &&
      (vendorIndex === undefined || known?.arguments.isWhole === true);
    if (isSame && !startsAnew) return found;
    return (
      calls.push({ vendorIndex, id, isNameless: isNameless(delta.type, delta.function), arguments: objectWatch() }) - 1
    );
  }

  return {
    read: (raw) =>
      raw.filter(isRecord).map((delta) => {
        const called = isRecord(delta.function) ? delta.function : {};
        const custom = isRecord(delta.custom) ? delta.custom : undefined;
        const name = textOf((custom ?? called).name) || undefined;
        const before = calls.length;
        const index = locate(delta, name);
        const { index: _index, id, type, function: _function, ...rest } = delta;
        const call = calls[index] as OpenToolCall;
        const naming = name !== undefined && (index === before || call.isNameless) ? { name } : {};
        if (name !== undefined) call.isNameless = false;
        const first = index < before ? {} : { id: idOf(id) ?? idAt(index), type: optionalText(type) ?? "function" };
        if (custom || call.isCustom) {
          call.isCustom = true;
          return { ...rest, index, ...first, ...(custom && { custom: { ...custom, ...naming } }) };
        }
        const text = argumentsOf(called);
        call.arguments.feed(text.arguments);
        return { ...rest, index, ...first, function: { ...naming, ...text } };
      }),
    end() {
      if (calls.some((call) => call.isNameless)) throw nameless();
    },
  };
}

function readFunction(called: Record<string, unknown>): NonNullable<ToolCall["function"]> {
  return { ...called, name: textOf(called.name), arguments: argumentsOf(called).arguments };
}

function argumentsOf({ arguments: raw }: Record<string, unknown>): { arguments: string } {
  if (typeof raw === "string") return { arguments: raw };
  return { arguments: raw === undefined || raw === null ? "" : JSON.stringify(raw) };
}
