import type { Hit } from "./flight.ts";
import { announceCache, type Inquiry, mayRead } from "./inquiry.ts";
import { type Embedded, embedChat, findSimilar } from "./nearest.ts";

/** What was found for a question, and the question as a vector, where it has one. */
export interface Found {
  readonly hit?: Hit | undefined;
  readonly embedded?: Embedded | undefined;
}

/** Looks for the answer to the same question, where that takes time, then for that of a similar one. */
export async function search(inquiry: Inquiry, same: Promise<Hit | undefined> | undefined): Promise<Found> {
  const hit = await same;
  if (hit) return { hit };
  const embedded = await embedChat(inquiry);
  if (!mayRead(inquiry)) return { embedded };
  const similar = embedded && (await findSimilar(inquiry, embedded));
  if (!similar) announceCache(inquiry, () => ({ result: "miss" }));
  return { hit: similar, embedded };
}
