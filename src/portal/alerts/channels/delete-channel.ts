import { GatewayError } from "../../../engine/errors.ts";
import type { PortalCall } from "../../call/call.ts";
import { read, readAll } from "../../tenancy/record-access.ts";

/** Deletes a channel and what waits for it. */
export async function deleteChannel(id: string, call: PortalCall): Promise<undefined> {
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
