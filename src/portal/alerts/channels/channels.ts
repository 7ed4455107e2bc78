import type { PortalDeps } from "../../area.ts";
import type { AreaBackend } from "../../regions.ts";
import { changeChannel } from "./change-channel.ts";
import { createChannel } from "./create-channel.ts";
import { deleteChannel } from "./delete-channel.ts";
import { listChannels } from "./show.ts";
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
