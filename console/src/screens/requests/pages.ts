import { useEffect, useState } from "preact/hooks";
import { callRow } from "../../api/client.ts";
import { toApiError } from "../../api/errors.ts";
import { type QueryState, useQuery } from "../../api/query.ts";
import type { AiRequest } from "./columns.tsx";

/** What is asked of the list of requests: filters as the address holds them, and a span of time. */
export type RequestQuestion = Readonly<Record<string, string | readonly string[]>>;

interface RequestPage {
  readonly rows: readonly AiRequest[];
  readonly next: string | undefined;
}

const pageSize = 200;

/** More than this is not kept in a page: a narrower question finds the rest. */
const mostRows = 100_000;

async function readPage(
  question: RequestQuestion,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<RequestPage> {
  const { value, headers } = await callRow("ai.requests", { ...question, limit: pageSize, after }, signal);
  const rows = value as readonly AiRequest[];
  return { rows, next: rows.length === 0 ? undefined : (headers.get("x-tg-next") ?? undefined) };
}

/** The pages that were read so far, as one list; `more` reads the next. */
interface RequestPages extends QueryState<readonly AiRequest[]> {
  readonly more: () => void;
  readonly hasMore: boolean;
}

/** Reads requests page by page, as somebody scrolls. Another question begins anew. */
export function useRequestPages(question: RequestQuestion): RequestPages {
  const first = useQuery({ key: ["ai.requests", question], read: (signal) => readPage(question, undefined, signal) });
  const [rest, setRest] = useState<RequestPage & { of: RequestPage | undefined; isReading: boolean }>(nothing);
  const isOwn = rest.of === first.value;
  const rows = [...(first.value?.rows ?? []), ...(isOwn ? rest.rows : [])];
  const next = isOwn ? rest.next : first.value?.next;
  useEffect(() => setRest({ ...nothing, of: first.value, next: first.value?.next }), [first.value]);
  const more = async () => {
    if (!isOwn || rest.isReading || next === undefined || rows.length >= mostRows) return;
    setRest({ ...rest, isReading: true });
    const page = await readPage(question, next).catch(() => undefined);
    const add = page ?? { rows: [], next };
    // Two scrolls before a render ask for one page: it is added once.
    setRest((known) =>
      known.of === rest.of && known.next === next
        ? { of: known.of, rows: [...known.rows, ...add.rows], next: add.next, isReading: false }
        : known,
    );
  };
  return {
    ...first,
    value: first.value && rows,
    more: () => void more(),
    hasMore: next !== undefined && rows.length < mostRows,
  };
}

const nothing = { rows: [], next: undefined, of: undefined, isReading: false };

/** Reads all requests of a question, `mostRows` at most. */
export async function readAllRequests(question: RequestQuestion, signal?: AbortSignal): Promise<readonly AiRequest[]> {
  const rows: AiRequest[] = [];
  let after: string | undefined;
  do {
    const page = await readPage(question, after, signal).catch((thrown) => Promise.reject(toApiError(thrown)));
    rows.push(...page.rows);
    after = page.next;
  } while (after !== undefined && rows.length < mostRows);
  return rows;
}
