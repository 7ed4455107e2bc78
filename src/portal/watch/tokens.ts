import type { Records } from "../../ports/records.ts";
import type { Notify } from "../notices.ts";
import { readAll } from "../shelf.ts";

const day = 86_400_000;

/** How long before its end a token's owner is told. */
const ahead = 7 * day;

/** Tells of the tokens that will end within a week, each end once. `now` is milliseconds since the epoch. */
export async function noticeExpiring(records: Records, notify: Notify, now: number): Promise<void> {
  for (const token of await readAll(records, "token")) {
    const { id, name, last4, ends_at } = token;
    if (ends_at === null) continue;
    const left = Date.parse(ends_at) - now;
    if (left <= 0 || left > ahead) continue;
    const text = `The access token \`${name}\` (…${last4}) is good until ${ends_at}: make another in time.`;
    await notify({ type: "token_expiring", subject: JSON.stringify([id, ends_at]), text, place: token });
  }
}
