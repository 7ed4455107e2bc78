import type { InputOf } from "../../../operations/calls.ts";
import type { AlertChannelCreated } from "../../../operations/portal/console/alerts.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import { type PortalCall, scopeAt } from "../../call/call.ts";
import { add } from "../../tenancy/record-access.ts";
import { checkRoom } from "../room.ts";
import { checkReach, reachOf } from "./reach.ts";
import { makeSecret, noSecret } from "./secret.ts";
import { showChannel } from "./show.ts";
import { newState } from "./state.ts";
import { sealUrl } from "./webhook-url.ts";

/** Channels at one place in the tree of tenants. */
const mostChannels = 50;

type ChannelInput = InputOf<Areas["alerts"]["createChannel"]>;

/** Creates a channel at the caller's place. */
export async function createChannel(
  deps: PortalDeps,
  { name, enabled = true, ...reach }: ChannelInput,
  call: PortalCall,
): Promise<AlertChannelCreated> {
  checkReach(deps, reach);
  await checkRoom(call, { kind: "alert_channel", most: mostChannels });
  const id = deps.newId("alc");
  const own = { id, created_at: new Date(call.now).toISOString(), ...scopeAt(call.caller.scope) };
  const { shown, sealed } = reach.kind === "webhook" ? makeSecret(deps, id) : noSecret;
  const channel: StoredAlertChannel = {
    ...{ ...own, name, kind: reach.kind, enabled, ...reachOf(reach) },
    ...sealed,
    ...(reach.url === undefined ? {} : sealUrl(deps.secrets, id, reach.url)),
  };
  await add(call.records, "alert_channel", channel);
  await add(call.records, "alert_channel_state", newState(channel));
  return { ...(await showChannel(channel, call)), ...shown };
}
