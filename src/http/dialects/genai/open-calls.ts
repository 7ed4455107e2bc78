import type { ToolCall } from "../../../engine/api/message.ts";

/** The calls of an answer for which no result has come yet, by id and by the name of the function, each in the order of the calls. */
export interface OpenCalls {
  readonly byId: ReadonlyMap<string, CallQueue>;
  readonly byName: ReadonlyMap<string | undefined, CallQueue>;
}

/** One call; it is in two queues, and left in the other when it is closed through one. */
interface OpenCall {
  readonly id: string;
  isOpen: boolean;
}

/** Calls of which those before `next` are closed. */
interface CallQueue {
  readonly calls: OpenCall[];
  next: number;
}

/** All calls of an answer; several may have one id. */
export function openCallsOf(calls: readonly ToolCall[]): OpenCalls {
  const byId = new Map<string, CallQueue>();
  const byName = new Map<string | undefined, CallQueue>();
  for (const { id = "", function: called } of calls) {
    const call = { id, isOpen: true };
    enqueue(byId, id, call);
    enqueue(byName, called?.name, call);
  }
  return { byId, byName };
}

function enqueue<Key>(queues: Map<Key, CallQueue>, key: Key, call: OpenCall): void {
  const queue = queues.get(key);
  if (queue) queue.calls.push(call);
  else queues.set(key, { calls: [call], next: 0 });
}

/** Which call a result answers. */
interface ResultOrigin {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** Closes the call that a result answers and gives its id: its own, or that of the first open call of its name; `undefined` for none. */
export function takeCall({ byId, byName }: OpenCalls, { id, name }: ResultOrigin): string | undefined {
  if (id === undefined) return closeFirst(byName.get(name))?.id;
  closeFirst(byId.get(id));
  return id;
}

function closeFirst(queue: CallQueue | undefined): OpenCall | undefined {
  while (queue && queue.next < queue.calls.length) {
    const call = queue.calls[queue.next++] as OpenCall;
    if (!call.isOpen) continue;
    call.isOpen = false;
    return call;
  }
  return undefined;
}
