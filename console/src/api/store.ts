import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** Calls the listener after each change; returns what ends that. */
  subscribe(listener: () => void): () => void;
}

/** Returns a store that holds a value. */
export function createStore<Value>(first: Value): Store<Value> {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders again whenever the store changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = () => setValue(() => store.get());
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
