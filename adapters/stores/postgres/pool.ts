import type { Check } from "../../../src/ports/checks.ts";

/** What is used of an answer. */
export interface PostgresAnswer {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** What is asked: SQL with its parameters, under a name where the connection shall prepare it once. */
export interface PostgresQuery {
  text: string;
  values?: unknown[];
  name?: string;
  /** Milliseconds. */
  query_timeout?: number;
}

/** What is used of a client of a pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresAnswer>;
  /** Gives the client back; with `true`, its connection is closed. */
  release(isBroken?: boolean): void;
  /** Whether the connection keeps the process alive. */
  ref?(): void;
  unref?(): void;
  on(event: "notification", listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
}

/** What is used of a `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  readonly options?: { readonly max?: number | undefined } | undefined;
}

export const poolCheck: Check = [isPool, "a `Pool` of pg that may have two connections or more"];

function isPool(value: unknown): boolean {
  const { connect, on, options } = Object(value) as Partial<PostgresPool>;
  return typeof connect === "function" && typeof on === "function" && !((options?.max ?? 10) < 2);
}
