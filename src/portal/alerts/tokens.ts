import type { Records } from "../../engine/ports/records.ts";
import type { Notify } from "../notify.ts";
import { readAll } from "../tenancy/record-access.ts";

const day = 86_400_000;

/** The time before a token's end at which its owner is notified, in milliseconds. */
const ahead = 7 * day;

/** Notifies of the tokens that end within a week, once for each end. `now` is in milliseconds since the epoch. */
export async function noticeExpiring(records: Records, notify: Notify, now: number): Promise<void> {
  for (const token of await readAll(records, "token")) {
    const { id, name, last4, ends_at } = token;
    if (ends_at === null) continue;
    const left = Date.parse(ends_at) - now;
    if (left <= 0 || left > ahead) continue;
    await notify({
      ...{ type: "token_expiring", subject: id, event: JSON.stringify([id, ends_at]), scope: token },
      ...{ key: "notice.token_expiring", params: { name, last4, ends_at } },
      link: `/users/${token.user_id}/tokens`,
    });
  }
}
