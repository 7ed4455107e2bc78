import { randomBytes } from "node:crypto";
import { openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import { type OpenStack, type OpenStackOptions, openstack } from "../../../adapters/clouds/openstack/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import type { ServerSettings } from "../support/servers.ts";
import type { IaasSubject } from "./iaas.ts";

/** The options of the administrator of a cloud of shared/servers. */
export function adminOptions({
  OS_AUTH_URL = "",
  OS_USERNAME = "",
  OS_PASSWORD = "",
  OS_PROJECT_NAME = "",
}: ServerSettings) {
  const credentials = { username: OS_USERNAME, password: OS_PASSWORD };
  return {
    authUrl: OS_AUTH_URL,
    credentials,
    scope: { projectName: OS_PROJECT_NAME },
    pageSize: 2,
  } satisfies OpenStackOptions;
}

/** A subject of the suite over a real cloud. */
export function openstackSubject(options: OpenStackOptions): IaasSubject & { readonly cloud: OpenStack } {
  const suffix = randomBytes(4).toString("hex").slice(0, 7);
  const cloud = openstack(options);
  const { records } = withPortalKinds(memoryStore());
  const reseller = `reseller-${suffix}`;
  const at = (place: object) => callAt(records, place, { eventId: `evt_${suffix}` });
  return {
    cloud,
    backend: cloud.iaas,
    suffix,
    provider: at({}),
    reseller: at({ reseller }),
    owner: at({ reseller, client_id: `client-${suffix}` }),
    stranger: at({ reseller, client_id: `stranger-${suffix}` }),
  };
}

/**
 * Waits until Keystone takes a write. On SQLite a read that ended in "not found" may keep its lock until Python collects the garbage, so
 * that the first writes of the next run are refused as `database is locked`.
 */
export async function awaitWritable(options: OpenStackOptions): Promise<void> {
  const site = openCloudContext({ ...options, timeouts: { whole: 240_000 } });
  await site.run({ signal: new AbortController().signal }, async (work) => {
    const name = `first-${randomBytes(4).toString("hex")}`;
    const body = { project: { name, domain_id: "default" } };
    for (let tries = 0; ; tries++) {
      try {
        const made = await site.cloud.ask({ service: "identity", method: "POST", path: ["projects"], body }, work);
        const path = ["projects", String((made.project as { id?: string }).id)];
        return void (await site.cloud.ask({ service: "identity", method: "DELETE", path }, work));
      } catch (thrown) {
        if (tries === 20) throw thrown;
        await site.cloud.list({ service: "identity", path: ["domains"], key: "domains" }, work);
      }
    }
  });
  await site.close();
}
