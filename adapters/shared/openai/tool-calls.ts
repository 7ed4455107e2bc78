import type { ToolCall, ToolCallDelta } from "../../../src/api/message.ts";
import { asideOf, textOf } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";

/** An identifier for the call at a position, for vendors that give none; the same for whole and streamed answers. */
export type CallIds = (index: number) => string;

/** The tool calls of a whole message, in their order; `arguments` is text even where the vendor sends an object. */
export function readToolCalls(told: readonly unknown[], idAt: CallIds): ToolCall[] {
  return told.filter(isRecord).map(({ index: _index, id, type, function: called, ...rest }, index) => ({
    ...rest,
    id: asideOf(id) ?? idAt(index),
    type: asideOf(type) ?? "function",
    ...(isRecord(called) ? { function: readFunction(called) } : {}),
  }));
}

/** A call whose deltas are coming. */
interface OpenCall {
  readonly vendorIndex: number | undefined;
  readonly id: string | undefined;
}

/** Puts the tool-call deltas of one choice in order. */
export interface ToolCallReader {
  read(told: readonly unknown[]): ToolCallDelta[];
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
    return calls.push({ vendorIndex, id }) - 1;
  }

  return {
    read: (told) =>
      told.filter(isRecord).map((delta) => {
        const called = isRecord(delta.function) ? delta.function : {};
        const name = textOf(called.name) || undefined;
        const before = calls.length;
        const index = locate(delta, name);
        const { index: _index, id, type, function: _function, ...rest } = delta;
        if (index < before) return { ...rest, index, function: argumentsOf(called) };
        const first = { id: asideOf(id) ?? idAt(index), type: asideOf(type) ?? "function" };
        return {
          ...rest,
          index,
          ...first,
          function: { ...(name === undefined ? {} : { name }), ...argumentsOf(called) },
        };
      }),
  };
}

function readFunction(called: Record<string, unknown>): NonNullable<ToolCall["function"]> {
  return { ...called, name: textOf(called.name), arguments: argumentsOf(called).arguments };
}

function argumentsOf({ arguments: told }: Record<string, unknown>): { arguments: string } {
  if (typeof told === "string") return { arguments: told };
  return { arguments: told === undefined || told === null ? "" : JSON.stringify(told) };
}
