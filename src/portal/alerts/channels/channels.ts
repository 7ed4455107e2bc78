import { GatewayError } from "../../../errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { AlertChannelCreated } from "../../../operations/portal/console/alerts.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { change, read } from "../../tenancy/record-access.ts";
import { createChannel } from "./create-channel.ts";
import { deleteChannel } from "./delete-channel.ts";
import { checkReach, reachOf } from "./reach.ts";
import { makeSecret, noSecret } from "./secret.ts";
import { listChannels, showChannel } from "./show.ts";
import { testChannel } from "./test-channel.ts";

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

type ChannelPatch = InputOf<Areas["alerts"]["changeChannel"]>;

async function changeChannel(
  deps: PortalDeps,
  { alert_channel_id: id, name, enabled, rotate_secret = false, ...patch }: ChannelPatch,
  call: PortalCall,
): Promise<AlertChannelCreated> {
  const present = await read(call.records, "alert_channel", id);
  const { kind } = present;
  const reach = { kind, ...reachOf(present), ...reachOf(patch) };
  checkReach(deps, reach);
  if (rotate_secret && kind !== "webhook") {
    const message = "`rotate_secret`: a channel of the kind `mail` has no signing secret.";
    throw new GatewayError("invalid_request", message, { param: "rotate_secret" });
  }
  const { shown, sealed } = rotate_secret ? makeSecret(deps, id) : noSecret;
  const changed = await change(call.records, "alert_channel", {
    id,
    by: (channel) => ({
      ...{ ...channel, ...reachOf(reach), ...sealed },
      ...{ name: name ?? channel.name, enabled: enabled ?? channel.enabled },
    }),
  });
  return { ...(await showChannel(changed, call)), ...shown };
}
