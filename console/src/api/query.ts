import { QueryClient, type QueryKey, QueryObserver } from "@tanstack/query-core";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type ApiError, toApiError } from "./errors.ts";

/** Milliseconds for which an answer counts as fresh. */
export const freshFor = { live: 0, list: 5_000, catalogue: 60_000 } as const;

/** What has been read, by its key. Answers of a caller are dropped when it signs out. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshFor.list,
      gcTime: 300_000,
      retry: (count, thrown) => count < 2 && toApiError(thrown).status === 0,
      refetchOnWindowFocus: true,
    },
  },
});

/** How a screen reads. */
export interface Reading<Value> {
  /** Begins with the row's key, so that a change can drop all that it concerns. */
  readonly key: QueryKey;
  readonly read: (signal: AbortSignal) => Promise<Value>;
  readonly staleMs?: number;
  /** Milliseconds between two reads while the screen is open; none by default. */
  readonly everyMs?: number;
  /** False while something that the read needs is missing. */
  readonly isEnabled?: boolean;
}

/** What a screen has of it: the last value stays while the next one comes. */
export interface QueryState<Value> {
  readonly value: Value | undefined;
  readonly error: ApiError | undefined;
  /** True on the first load only. */
  readonly isLoading: boolean;
  readonly isFetching: boolean;
  /** Milliseconds since 1970 of the last value; 0 before. */
  readonly updatedAt: number;
  readonly reload: () => void;
}

/** Reads, shares the answer with other screens, and renders again when it changes. */
export function useQuery<Value>({ key, read, staleMs, everyMs, isEnabled = true }: Reading<Value>): QueryState<Value> {
  const options = {
    queryKey: key,
    queryFn: ({ signal }: { signal: AbortSignal }) => read(signal),
    enabled: isEnabled,
    placeholderData: (previous: Value | undefined) => previous,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  };
  const observer = useMemo(() => new QueryObserver(queries, options as never), []);
  const [, render] = useState(0);
  const hash = JSON.stringify([key, isEnabled, everyMs]);
  useEffect(() => observer.setOptions(options as never), [hash]);
  useEffect(() => observer.subscribe(() => render((count) => count + 1)), [observer]);
  const result = observer.getOptimisticResult(queries.defaultQueryOptions(options as never));
  return {
    value: result.data as Value | undefined,
    error: result.error ? toApiError(result.error) : undefined,
    isLoading: result.isLoading,
    isFetching: result.isFetching,
    updatedAt: result.dataUpdatedAt,
    reload: () => void observer.refetch(),
  };
}

/** Drops what was read by rows of these areas or keys, so that open screens read it again. */
function invalidate(...prefixes: readonly string[]): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === "string" && prefixes.some((prefix) => first === prefix || first.startsWith(`${prefix}.`)),
  });
}

/** A change under way: what it failed with, and how it is begun. */
export interface Change<Input, Value> {
  readonly isPending: boolean;
  readonly error: ApiError | undefined;
  /** Resolves with the answer, or undefined when it failed. */
  readonly run: (input: Input) => Promise<Value | undefined>;
  readonly reset: () => void;
}

/** Sends a change and drops what it concerns. */
export function useChange<Input, Value>(
  change: (input: Input) => Promise<Value>,
  concerns: readonly string[] = [],
): Change<Input, Value> {
  const [state, setState] = useState<{ isPending: boolean; error: ApiError | undefined }>(idle);
  return {
    ...state,
    reset: () => setState(idle),
    async run(input) {
      setState({ isPending: true, error: undefined });
      try {
        const value = await change(input);
        setState(idle);
        invalidate(...concerns);
        return value;
      } catch (thrown) {
        setState({ isPending: false, error: toApiError(thrown) });
        return undefined;
      }
    },
  };
}

const idle = { isPending: false, error: undefined };
