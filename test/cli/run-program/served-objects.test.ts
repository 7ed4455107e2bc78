import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { runProgram } from "../../../src/cli/run-program.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { openLocal } from "../../clouds/support/local.ts";
import { callAt, noon } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { type FakeTerminal, fakeTerminal } from "../support/fake-terminal.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-objects-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Serves on any free port, asks, and stops. */
async function whileServed<Result>(ask: (address: string, token: string) => Promise<Result>): Promise<Result> {
  let running: Promise<number> | undefined;
  const terminal = await new Promise<FakeTerminal>((resolve, reject) => {
    const onOut = (text: string) => text.includes('"listening"') && resolve(terminal);
    const terminal = fakeTerminal({ folder, env: { TOLLGATE_DISCOVER: "false" }, now: Date.now, onOut });
    running = runProgram(["serve", "--port", "0"], terminal, () => "1.2.3");
    running.then((code) => reject(new Error(`It ended with ${code}: ${terminal.written.err}`)), reject);
  });
  const [, address = ""] = /Listening on (http:\S+)\. /.exec(terminal.written.err) ?? [];
  const token = readFileSync(join(folder, "tollgate.db.first-token"), "utf8").trim();
  try {
    return await ask(address, token);
  } finally {
    terminal.send("SIGTERM");
    await running;
  }
}

describe("the address of the embedded cloud's objects", () => {
  it("has the port that was found where any free one was asked for", async () => {
    const known = await whileServed(async (address, token) => {
      const body = JSON.stringify({ bucket: "pictures", key: "cat", expire: 3_600, url: "http://elsewhere.test" });
      const headers = { "content-type": "application/json", "auth-token": token, region: "local" };
      const response = await fetch(`${address}/api/objectstore/shared_url`, { method: "POST", headers, body });
      const { error } = (await response.json()) as { error: { param: string; message: string } };
      expect(error.param).toBe("url");
      return { address, message: error.message };
    });
    expect(known.address).toMatch(/:[1-9]\d*$/);
    expect(known.message).toContain(`${known.address}/objects/local.`);
  });

  it("follows a gateway that moves: what is shared is read where it is now", async () => {
    const { records } = withPortalKinds(memoryStore());
    let endpoint = "http://127.0.0.1:8080/objects";
    const cloud = await openLocal({ records, endpoint: () => endpoint });
    const call = callAt(records, { reseller: "acme", client_id: "one" });
    const made = { id: "p-1", created_at: new Date(noon).toISOString(), reseller: "acme", client_id: "one" };
    await records.put(
      "keypair",
      { ...made, access_key: "AK", sealed_secret_key: call.secrets.seal("hush", keyPairPlace("p-1")) },
      0,
    );
    await cloud.objects.makeBucket({ name: "pictures", project_id: "p-1", isVersioned: false });
    await cloud.objects.put("pictures", "cat", Buffer.from("meow"));
    await cloud.objectstore.shareUrl({ bucket: "pictures", key: "cat", expire: 3_600, url: endpoint }, call);
    endpoint = "http://127.0.0.1:9000/objects/";
    const { url } = await cloud.objectstore.sharedUrl({ bucket: "pictures", key: "cat" }, call);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:9000\/objects\/pictures\/cat\?/);
    const { body } = await cloud.serve("GET", url.slice("http://127.0.0.1:9000/objects".length));
    expect(Buffer.from(body).toString()).toBe("meow");
  });
});
