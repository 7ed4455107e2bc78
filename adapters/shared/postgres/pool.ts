import type { Check } from "../../../src/engine/runtime/checks.ts";

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

/** Sends one statement. */
export type SendQuery = (query: PostgresQuery) => Promise<PostgresAnswer>;

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
  /** Connections, those of them that are idle, and who waits for one. */
  readonly totalCount?: number;
  readonly idleCount?: number;
  readonly waitingCount?: number;
}

/** Of one that may have as many connections as somebody needs. */
export const poolCheck: Check = [(value) => isPool(value, 1), "a `Pool` of pg"];
export const largerPoolCheck: Check = [
  (value) => isPool(value, 2),
  "a `Pool` of pg that may have two connections or more",
];

export const schemaCheck: Check = [
  (value) => typeof value === "string" && /^[a-z_][a-z0-9_]{0,39}$/.test(value),
  "1 to 40 small letters, digits and underscores, and not begin with a digit",
];

function isPool(value: unknown, least: number): boolean {
  const { connect, on, options } = Object(value) as Partial<PostgresPool>;
  return typeof connect === "function" && typeof on === "function" && !((options?.max ?? 10) < least);
}
