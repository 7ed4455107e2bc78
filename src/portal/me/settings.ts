import { GatewayError } from "../../engine/errors.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { read, write } from "../tenancy/record-access.ts";

/** The most bytes of a user's settings as JSON. */
const mostBytes = 32_768;

/** What the console remembers for its users, one record for each. */
export const ownSettings = {
  async settings(_input, { records, caller }) {
    const stored = await records.get("user_settings", caller.user.id);
    return { settings: stored ? { ...stored.record.settings } : {} };
  },
  async setSettings({ settings }, call: PortalCall) {
    const bytes = Buffer.byteLength(JSON.stringify(settings));
    if (bytes > mostBytes) {
      const message = `\`settings\`: has ${bytes} bytes of JSON, of ${mostBytes} at most.`;
      throw new GatewayError("invalid_request", message, { param: "settings" });
    }
    const { id, reseller, client_id } = await read(call.records, "user", call.caller.user.id);
    const own = { id, ...scopeAt({ reseller: reseller ?? undefined, client_id: client_id ?? undefined }), user_id: id };
    const created_at = new Date(call.now).toISOString();
    await write(call.records, "user_settings", {
      id,
      by: (present) => ({ ...own, created_at: present?.created_at ?? created_at, settings }),
    });
  },
} satisfies Partial<AreaBackend<"me">>;
