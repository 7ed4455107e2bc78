import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { gardener } from "../../../adapters/clouds/gardener/index.ts";
import { upstreamPortal } from "../../../adapters/clouds/http/index.ts";
import { openstack } from "../../../adapters/clouds/openstack/index.ts";
import { s3 } from "../../../adapters/clouds/s3/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { type FakeClock, fakeClock } from "../../../src/testing/clock.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { freePort } from "../../support/free-port.ts";
import { needKubernetesClient } from "../../support/kubernetes-client.ts";

/** Milliseconds by the fake clock that an operation may take. */
const whole = 20_000;

/** An operation over the network, against a server at an address. */
type Ask = (url: string, clock: FakeClock, parts?: Partial<PortalCall>) => Promise<unknown>;

const askGardener: Ask = (server, clock, parts) => {
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { token: "hush-hush" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
  const backend = gardener({ kubeconfig: { text }, clock, timeout: whole });
  return Promise.resolve(backend.cloudProfiles?.({}, callAt(withPortalKinds(memoryStore()).records, {}, parts)));
};

const askS3: Ask = async (url, clock, parts) => {
  const { records } = withPortalKinds(memoryStore());
  const call = callAt(records, {}, parts);
  const sealed_secret_key = call.secrets.seal("hush-hush", keyPairPlace("p1"));
  const pair = {
    id: "p1",
    created_at: "2026-11-20T00:00:00.000Z",
    reseller: null,
    client_id: null,
    access_key: "AK",
    sealed_secret_key,
  };
  await records.put("keypair", pair, 0);
  const backend = s3({ endpoints: [url], clock, deletionTimeout: whole });
  await backend.deleteVersions?.({ bucket: "a-bucket", project_id: "p1", objectstore_url: url }, call);
};

const askPortal: Ask = (url, clock, parts) => {
  const backend = upstreamPortal({ url, token: "hush-hush", clock, timeouts: { whole } }).area("iaas");
  return Promise.resolve(backend.servers?.({}, callAt(withPortalKinds(memoryStore()).records, {}, parts)));
};

const askOpenstack: Ask = (url, clock, parts) => {
  const credentials = { username: "admin", password: "hush-hush" };
  const { iaas } = openstack({ authUrl: `${url}/v3`, credentials, clock, timeouts: { whole } });
  return Promise.resolve(iaas.domains({}, callAt(withPortalKinds(memoryStore()).records, {}, parts)));
};

const backends: readonly (readonly [name: string, ask: Ask])[] = [
  ["gardener", askGardener],
  ["s3", askS3],
  ["openstack", askOpenstack],
  ["http", askPortal],
];

function skipOld(context: TestContext, name: string): void {
  if (name === "gardener") needKubernetesClient(context);
}

let answer: RequestListener = () => {};
let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function failureOf(asking: Promise<unknown>): Promise<Error> {
  const failure = await asking.then(
    () => expect.fail("was answered"),
    (thrown: Error) => thrown,
  );
  expect(failure.message).not.toContain("hush-hush");
  return failure;
}

describe.each(backends)("%s", (name, ask) => {
  it("says backend_unreachable of a server that is down", async (context) => {
    skipOld(context, name);
    const port = await freePort();
    const clock = fakeClock({ startAt: Date.now(), runsByItself: false });
    expect(await failureOf(ask(`http://127.0.0.1:${port}`, clock))).toMatchObject({ code: "backend_unreachable" });
    expect(clock.pending).toBe(0);
  });

  it("says backend_unreachable of a server that hangs up", async (context) => {
    skipOld(context, name);
    answer = (request) => request.socket.destroy();
    expect(await failureOf(ask(url, fakeClock()))).toMatchObject({ code: "backend_unreachable" });
  });

  it("says backend_timeout of a server that is silent, when the operation's deadline has passed", async (context) => {
    skipOld(context, name);
    const clock = fakeClock();
    const asked = new Promise<void>((resolve) => {
      answer = () => resolve();
    });
    const failing = failureOf(ask(url, clock));
    await asked;
    await clock.advance(whole);
    expect(await failing).toMatchObject({ code: "backend_timeout" });
    expect(clock.pending).toBe(0);
  });

  it("says backend_timeout of an answer that does not come to its end", async (context) => {
    skipOld(context, name);
    const clock = fakeClock();
    const asked = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.write("{", () => resolve());
      };
    });
    const failing = failureOf(ask(url, clock));
    await asked;
    await clock.advance(whole);
    expect(await failing).toMatchObject({ code: "backend_timeout" });
  });

  it("says backend_error of HTML, whatever its status", async (context) => {
    skipOld(context, name);
    for (const status of [200, 404, 502]) {
      answer = (_request, response) => {
        response.writeHead(status, { "content-type": "text/html" }).end("<html><body>It works!</body></html>");
      };
      expect(await failureOf(ask(url, fakeClock()))).toMatchObject({ code: "backend_error" });
    }
  });

  it("ends when the caller hangs up", async (context) => {
    skipOld(context, name);
    const hangup = new AbortController();
    answer = () => hangup.abort();
    const asking = ask(url, fakeClock(), { signal: hangup.signal });
    expect(await failureOf(asking)).toMatchObject({ code: "request_cancelled" });
  });
});
