import type { WorkerChannel } from "../../../../src/server/worker-store/messages.ts";

/** Both ends of a channel in one process, and how it breaks. Messages are cloned as Node's channel does, and come a turn later. */
export interface FakeChannel {
  readonly worker: WorkerChannel;
  readonly supervisor: WorkerChannel;
  /** The worker dies: what it has sent still comes, nothing else does. */
  kill(): void;
}

export function fakeChannel(): FakeChannel {
  const [toWorker, toSupervisor] = [new Set<(message: unknown) => void>(), new Set<(message: unknown) => void>()];
  const closing: (() => void)[] = [];
  let isAlive = true;
  const deliver = (listeners: Set<(message: unknown) => void>, message: unknown, isOpen: () => boolean) => {
    const copy = structuredClone(message);
    setImmediate(() => {
      if (isOpen()) for (const listener of listeners) listener(copy);
    });
  };
  const listen = (listeners: Set<(message: unknown) => void>) => (listener: (message: unknown) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    worker: {
      send: (message) => isAlive && deliver(toSupervisor, message, () => true),
      onMessage: listen(toWorker),
      onClose: () => {},
    },
    supervisor: {
      send: (message) => deliver(toWorker, message, () => isAlive),
      onMessage: listen(toSupervisor),
      onClose: (listener) => void closing.push(listener),
    },
    kill() {
      isAlive = false;
      setImmediate(() => setImmediate(() => closing.forEach((listener) => void listener())));
    },
  };
}
