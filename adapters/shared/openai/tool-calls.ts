import type { ToolCall, ToolCallDelta } from "../../../src/api/message.ts";
import { asideOf, textOf } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";

/** An identifier for the call at a position, for vendors that give none; the same for whole and streamed answers. */
export type CallIds = (index: number) => string;

/**
 * The tool calls of a whole message, in their order; `arguments` is text even where the vendor sends an object. Stumbles over a call of
 * a function that it does not name: nobody could do it.
 */
export function readToolCalls(told: readonly unknown[], idAt: CallIds): ToolCall[] {
  return told.filter(isRecord).map(({ index: _index, id, type, function: called, ...rest }, index) => {
    if (isNameless(type, called)) throw nameless();
    return {
      ...rest,
      id: asideOf(id) ?? idAt(index),
      type: asideOf(type) ?? "function",
      ...(isRecord(called) ? { function: readFunction(called) } : {}),
    };
  });
}

function isNameless(type: unknown, called: unknown): boolean {
  return (asideOf(type) ?? "function") === "function" && !(isRecord(called) && textOf(called.name));
}

function nameless(): TypeError {
  return new TypeError("A tool call names no function.");
}

/** A call whose deltas are coming. */
interface OpenCall {
  readonly vendorIndex: number | undefined;
  readonly id: string | undefined;
  /** What it calls has no name yet. */
  isNameless: boolean;
}

/** Puts the tool-call deltas of one choice in order. */
export interface ToolCallReader {
  read(told: readonly unknown[]): ToolCallDelta[];
  /** The choice is over: stumbles over a call of a function that it never named. */
  end(): void;
}

/**
 * Gives each delta the index of its call. Vendors leave the index out, or give every parallel call the same: then a new identifier
 * with a name begins a new call.
 */
export function toolCallReader(idAt: CallIds): ToolCallReader {
  const calls: OpenCall[] = [];

  function locate(delta: Record<string, unknown>, name: string | undefined): number {
    const id = asideOf(delta.id);
    const vendorIndex = typeof delta.index === "number" ? delta.index : undefined;
    const found = calls.findLastIndex((call) =>
      vendorIndex === undefined ? id === undefined || call.id === id : call.vendorIndex === vendorIndex,
    );
    const known = calls[found];
    const isSame = known !== undefined && (id === undefined || name === undefined || known.id === id);
    const startsAnew = vendorIndex === undefined && id === undefined && name !== undefined;
    if (isSame && !startsAnew) return found;
    return calls.push({ vendorIndex, id, isNameless: isNameless(delta.type, delta.function) }) - 1;
  }

  return {
    read: (told) =>
      told.filter(isRecord).map((delta) => {
        const called = isRecord(delta.function) ? delta.function : {};
        const name = textOf(called.name) || undefined;
        const before = calls.length;
        const index = locate(delta, name);
        const { index: _index, id, type, function: _function, ...rest } = delta;
        const call = calls[index] as OpenCall;
        const naming = name !== undefined && (index === before || call.isNameless) ? { name } : {};
        if (name !== undefined) call.isNameless = false;
        const first = index < before ? {} : { id: asideOf(id) ?? idAt(index), type: asideOf(type) ?? "function" };
        return { ...rest, index, ...first, function: { ...naming, ...argumentsOf(called) } };
      }),
    end() {
      if (calls.some((call) => call.isNameless)) throw nameless();
    },
  };
}

function readFunction(called: Record<string, unknown>): NonNullable<ToolCall["function"]> {
  return { ...called, name: textOf(called.name), arguments: argumentsOf(called).arguments };
}

function argumentsOf({ arguments: told }: Record<string, unknown>): { arguments: string } {
  if (typeof told === "string") return { arguments: told };
  return { arguments: told === undefined || told === null ? "" : JSON.stringify(told) };
}
