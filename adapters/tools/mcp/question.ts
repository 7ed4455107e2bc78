import type { OpenClient } from "./connection.ts";

/** One question to a server, over a connection that stands. */
export interface McpQuestion extends OpenClient {
  /** Milliseconds that the answer may take. */
  readonly timeout: number;
}

/** Pages of a list that are read of one server. */
const mostPages = 100;

/** One page of a list, and where the next one begins. */
interface ReadPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/** Reads a list page by page, up to so many items. */
export async function readPages<Item>(
  most: number,
  read: (params: { cursor?: string }) => Promise<ReadPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && items.length < most; page++) {
    const answer = await read(cursor === undefined ? {} : { cursor });
    items.push(...answer.items);
    cursor = answer.next;
    if (cursor === undefined) break;
  }
  return items.slice(0, most);
}
