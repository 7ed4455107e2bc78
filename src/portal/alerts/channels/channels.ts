import { GatewayError } from "../../../engine/errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { AlertChannelCreated } from "../../../operations/portal/console/alerts.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import { type PortalCall, scopeAt } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { add, read, readAll } from "../../tenancy/record-access.ts";
import { checkRoom } from "../room.ts";
import { changeChannel } from "./change-channel.ts";
import { checkReach, reachOf } from "./reach.ts";
import { makeSecret, noSecret } from "./secret.ts";
import { listChannels, showChannel } from "./show.ts";
import { newState } from "./state.ts";
import { testChannel } from "./test-channel.ts";
import { sealUrl } from "./webhook-url.ts";

/** Channels at one place in the tree of tenants. */
const mostChannels = 50;

type ChannelInput = InputOf<Areas["alerts"]["createChannel"]>;

/** Creates a channel at the caller's place. */
async function createChannel(
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

/** The channels of alerts. */
export function channelsOf(deps: PortalDeps) {
  return {
    channels: (_input, call) => listChannels(call),
    createChannel: (input, call) => createChannel(deps, input, call),
    changeChannel: (input, call) => changeChannel(deps, input, call),
    deleteChannel: ({ alert_channel_id: id }, call) => deleteChannel(id, call),
    testChannel: ({ alert_channel_id: id }, call) => testChannel(deps, id, call),
  } satisfies Partial<AreaBackend<"alerts">>;
}

/** Deletes a channel and what waits for it. */
async function deleteChannel(id: string, call: PortalCall): Promise<undefined> {
  await read(call.records, "alert_channel", id);
  const users = (await readAll(call.allRecords, "alert_rule")).filter(({ channels }) => channels.includes(id));
  if (users.length > 0) {
    const names = users.slice(0, 5).map(({ name }) => `\`${name}\``);
    throw new GatewayError("conflict", `The channel is used by ${users.length} rules: ${names.join(", ")}.`);
  }
  for (const waiting of await readAll(call.records, "alert_delivery", { channel_id: id }))
    await call.records.remove("alert_delivery", waiting.id);
  await call.records.remove("alert_channel_state", id);
  await call.records.remove("alert_channel", id);
}
