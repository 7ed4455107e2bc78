import { describe, it } from "vitest";
import { mayRead } from "../../../adapters/clouds/local/objectstore/objects.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { callAt, noon, stores } from "../../portal/support/rig.ts";
import { openLocal } from "../support/local.ts";
import { tellObjectStore } from "./objectstore.ts";

const suffix = "a1b2c3";
const endpoint = "http://gateway.test/objects";
const projects = { owner: "p-owner", reader: "p-reader", other: "p-other" };

describe.each(stores)("sharing of the embedded cloud: %s", (_name, open) => {
  it("answers as a real Ceph does, and lets in whom it says and nobody else", async () => {
    const { records } = await open();
    const { objects, objectstore, serve } = await openLocal({ records, endpoint });
    const client = callAt(records, { reseller: "acme", client_id: "one" });
    const stranger = callAt(records, { reseller: "globex", client_id: "two" });
    const add = async ({ caller, secrets }: PortalCall, id: string, hasPair = true) => {
      const { reseller = "", client_id = "" } = caller.scope;
      const placed = { id, created_at: new Date(noon).toISOString(), reseller, client_id };
      await records.put("cloud_project", { ...placed, region: "eu-1", updated_at: placed.created_at }, 0);
      const pair = { access_key: `AK${id}`, sealed_secret_key: secrets.seal("hush", keyPairPlace(id)) };
      if (hasPair) await records.put("keypair", { ...placed, ...pair }, 0);
    };
    await add(client, projects.owner);
    await add(client, projects.reader, false);
    await add(stranger, projects.other);
    for (const name of ["plain", "many"].map((kind) => `${kind}-${suffix}`)) {
      await objects.makeBucket({ name, project_id: projects.owner, isVersioned: name.startsWith("many") });
    }
    await objects.makeBucket({ name: `foreign-${suffix}`, project_id: projects.other, isVersioned: false });
    for (const key of ["a", "b", "list/a", "list/b/c"])
      await objects.put(`plain-${suffix}`, key, Buffer.from(`text of ${key}`));
    for (const key of [..."xxxxxyyz", "a b", "c/d"]) await objects.put(`many-${suffix}`, key, Buffer.from(key));
    await objects.remove(`many-${suffix}`, "x");
    await objects.remove(`many-${suffix}`, "y");
    const lines = await tellObjectStore({
      backend: objectstore,
      suffix,
      endpoint,
      client,
      stranger,
      projects,
      async read(project, name, key) {
        const bucket = await objects.findBucket(name);
        const isThere = (await objects.find(name, key)) !== undefined;
        return bucket && mayRead(bucket, project) && isThere ? 200 : 403;
      },
      write: async (project, name) => ((await objects.findBucket(name))?.project_id === project ? 200 : 403),
      async fetch(url) {
        const { status, body } = await serve("GET", url.slice(endpoint.length));
        return { status, body: Buffer.from(body).toString("utf8") };
      },
      countVersions: async (name) => (await objects.versions(name)).length,
    });
    await expectTranscript(lines, "objectstore");
  });
});
