import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { officialSender } from "../../../../../adapters/clouds/gardener/client/client.ts";
import { createAborter } from "../../../../../src/engine/runtime/abortable.ts";
import { needKubernetesClient } from "../../../../support/kubernetes-client.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An API that knows one token at a time, and a kubeconfig file that names it. */
async function rig() {
  const state = { token: "first", seen: [] as string[] };
  const server = createServer((request, response) => {
    const sent = request.headers.authorization ?? "";
    state.seen.push(sent);
    response.writeHead(sent === `Bearer ${state.token}` ? 200 : 401, { "content-type": "application/json" });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  const folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
  ends.push(() => rm(folder, { recursive: true }));
  const file = join(folder, "kubeconfig.json");
  const write = (token: string) => {
    const cluster = {
      "insecure-skip-tls-verify": true,
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    };
    const config = {
      ...{ apiVersion: "v1", kind: "Config", "current-context": "c", clusters: [{ name: "k", cluster }] },
      ...{ users: [{ name: "u", user: { token } }], contexts: [{ name: "c", context: { cluster: "k", user: "u" } }] },
    };
    return writeFile(file, JSON.stringify(config));
  };
  await write("first");
  const sender = officialSender({ kubeconfig: { file } });
  const ask = async () => (await sender({ method: "GET", path: "/api" }, createAborter())).status;
  return { state, write, ask };
}

it("a kubeconfig that was changed is read again at the first 401, once, and the request is repeated", async (context) => {
  needKubernetesClient(context);
  const { state, write, ask } = await rig();
  expect(await ask()).toBe(200);
  state.token = "second";
  await write("second");
  expect(await ask()).toBe(200);
  expect(state.seen).toEqual(["Bearer first", "Bearer first", "Bearer second"]);
  state.token = "third"; // the file is not changed yet: the refusal is the answer
  expect(await ask()).toBe(401);
  await write("third");
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
});
