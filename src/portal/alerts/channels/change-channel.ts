import { GatewayError } from "../../../engine/errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { AlertChannelCreated } from "../../../operations/portal/console/alerts.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { change, read } from "../../tenancy/record-access.ts";
import { checkReach, reachOf } from "./reach.ts";
import { makeSecret, noSecret } from "./secret.ts";
import { showChannel } from "./show.ts";
import { sealUrl, showUrl, wholeUrl } from "./webhook-url.ts";

type ChannelPatch = InputOf<Areas["alerts"]["changeChannel"]>;

/** Changes a channel. An address that is what readers are shown of it stays as it is. */
export async function changeChannel(
  deps: PortalDeps,
  { alert_channel_id: id, name, enabled, rotate_secret = false, ...patch }: ChannelPatch,
  call: PortalCall,
): Promise<AlertChannelCreated> {
  const present = await read(call.records, "alert_channel", id);
  const { kind } = present;
  const isShown = patch.url !== undefined && patch.url === (present.url && showUrl(present.url));
  const url = isShown ? undefined : patch.url; // a form sends back what it was shown
  const reach = {
    kind,
    ...reachOf({ ...present, url: wholeUrl(deps.secrets, present) }),
    ...reachOf({ ...patch, url }),
  };
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
      ...(reach.url === undefined ? {} : sealUrl(deps.secrets, id, reach.url)),
      ...{ name: name ?? channel.name, enabled: enabled ?? channel.enabled },
    }),
  });
  return { ...(await showChannel(changed, call)), ...shown };
}
