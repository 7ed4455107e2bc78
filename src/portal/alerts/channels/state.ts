import type { Records } from "../../../engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../../engine/runtime/version-conflict.ts";
import type { StoredAlertChannel, StoredAlertChannelState } from "../../../operations/records/alerts/alerts.ts";
import type { SendOutcome } from "./send.ts";

/** Returns the state of a channel to which nothing was sent. */
export function newState({
  id,
  created_at,
  reseller,
  client_id,
  user_id = null,
}: StoredAlertChannel): StoredAlertChannelState {
  return {
    ...{ id, created_at, reseller, client_id, user_id, last_attempt_at: null, last_success_at: null, last_error: null },
    ...{ failed: 0, dropped: 0, tested_at: null },
  };
}

/** Changes the state of a channel; nothing where the channel was deleted meanwhile. */
export async function changeState(
  records: Records,
  id: string,
  by: (state: StoredAlertChannelState) => StoredAlertChannelState,
): Promise<void> {
  await retryOnConflict(async () => {
    const present = await records.get("alert_channel_state", id);
    if (!present) return undefined;
    const outcome = await records.put("alert_channel_state", by(present.record), present.version);
    return outcome.kind === "moved" && outcome.version > 0 ? versionConflict : undefined;
  });
}

/** An attempt that ended. */
export interface EndedSend {
  readonly outcome: SendOutcome;
  /** True where the message was given up with it. */
  readonly isLast: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the state after an attempt. */
export function afterSend(
  state: StoredAlertChannelState,
  { outcome, isLast, now }: EndedSend,
): StoredAlertChannelState {
  const at = new Date(now).toISOString();
  if (outcome.isDelivered) return { ...state, last_attempt_at: at, last_success_at: at, last_error: null };
  return { ...state, last_attempt_at: at, last_error: outcome.error, failed: state.failed + (isLast ? 1 : 0) };
}
