import { createStore, useStore } from "../api/store.ts";

interface Toast {
  readonly id: number;
  readonly message: string;
}

const toasts = createStore<readonly Toast[]>([]);
let nextId = 0;

/** Says something for a few seconds; read out by screen readers. */
export function toast(message: string): void {
  const id = nextId++;
  toasts.set([...toasts.get(), { id, message }]);
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), 4_000);
}

/** Where they are shown; once per page. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, message }) => (
        <div key={id} class="toast">
          {message}
        </div>
      ))}
    </div>
  );
}
