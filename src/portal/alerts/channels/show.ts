import type { AlertChannel } from "../../../operations/portal/console/alerts.ts";
import type { StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import type { PortalCall } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import { newState } from "./state.ts";
import { showUrl } from "./webhook-url.ts";

/** Returns a channel with the state of its deliveries; never its secret, nor the path of its address. */
export async function showChannel(channel: StoredAlertChannel, { records }: PortalCall): Promise<AlertChannel> {
  const { id, created_at, name, kind, enabled, url, to, language, reseller, client_id } = channel;
  const state = (await records.get("alert_channel_state", id))?.record ?? newState(channel);
  const { failed, dropped, last_attempt_at, last_success_at, last_error } = state;
  return {
    ...{ id, created_at, name, kind, enabled },
    ...(url === undefined ? {} : { url: showUrl(url) }),
    ...(to === undefined ? {} : { to: [...to] }),
    ...(language === undefined ? {} : { language }),
    ...{ pending: await records.count("alert_delivery", { channel_id: id }), failed, dropped },
    ...{ last_attempt_at, last_success_at, last_error, reseller, client_id },
  };
}

/** Returns the caller's channels. */
export async function listChannels(call: PortalCall): Promise<AlertChannel[]> {
  return Promise.all((await readListed(call, "alert_channel")).map((channel) => showChannel(channel, call)));
}
