import { GatewayError } from "../../../engine/errors.ts";
import type { AlertTest } from "../../../operations/portal/console/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { change, read } from "../../tenancy/record-access.ts";
import { checkReach } from "./reach.ts";
import { sendMessage } from "./send.ts";
import { wholeUrl } from "./webhook-url.ts";

/** Milliseconds between two tests of a channel. */
const testPauseMs = 10_000;

/** Sends a test message at once. A channel that is disabled is tested too. */
export async function testChannel(deps: PortalDeps, id: string, call: PortalCall): Promise<AlertTest> {
  const channel = await read(call.records, "alert_channel", id);
  checkReach(deps, { ...channel, url: wholeUrl(deps.secrets, channel) });
  const at = new Date(call.now).toISOString();
  await change(call.records, "alert_channel_state", {
    id,
    by(state) {
      if (state.tested_at !== null && call.now - Date.parse(state.tested_at) < testPauseMs) throw tooSoon();
      return { ...state, tested_at: at };
    },
  });
  const alert = {
    id: "alr_test",
    rule_id: "alrl_test",
    rule: channel.name,
    kind: "circuit_open",
    subject: "test",
  } as const;
  const times = { occurrence: 1, opened_at: at, resolved_at: null, params: { name: channel.name } };
  const message = { type: "alert.test", created_at: at, alert: { ...alert, ...times } } as const;
  const outcome = await sendMessage(deps, { channel, deliveryId: deps.newId("ald"), message });
  const { status } = outcome;
  return {
    delivered: outcome.isDelivered,
    ...(status === undefined ? {} : { status }),
    ...(outcome.isDelivered ? {} : { error: outcome.error }),
  };
}

function tooSoon(): GatewayError {
  return new GatewayError("request_limited", "The channel was tested less than ten seconds ago.");
}
