import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { officialSender } from "../../../adapters/clouds/gardener/client/client.ts";
import { gardener } from "../../../adapters/clouds/gardener/index.ts";
import { upstreamPortal } from "../../../adapters/clouds/http/index.ts";
import { local } from "../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../../src/index.ts";
import { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import { createPortal } from "../../../src/portal/index.ts";
import { expectTranscript } from "../../adapters/contract/transcript.ts";
import { tellClusters } from "../../clouds/contract/clusters.ts";
import { makeNamespace, makeProfile } from "../../clouds/contract/gardener.ts";
import { useServer } from "../../clouds/support/servers.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { makePlaces } from "../support/places.ts";
import { callAt } from "../support/rig.ts";

const kubernetes = useServer("kubernetes");

/** A portal on a socket over a Gardener, with a token of the provider and one of a client. */
async function openPortal(file: string) {
  const store = withPortalKinds(memoryStore());
  const engine = createEngine({ providers: [local()], store });
  const regions = { "eu-1": { clusters: gardener({ kubeconfig: { file } }) } };
  const portal = createPortal({ engine, store, regions, secret: "a secret of the suite" });
  const calls = portal.as(operator);
  const permissions = Object.values(clusters).map(({ access }) => access);
  const role = await calls.users.createRole({ name: "clusters", permissions });
  const tokenAt = async (username: string, place: object) => {
    const user = await calls.users.create({ username, ...place, roles: [role.id] });
    return (await calls.users.createToken({ user_id: user.id, name: "suite", permissions: ["*"] })).value;
  };
  const provider = await tokenAt("provider", { level: "provider" });
  await makePlaces(portal, { reseller: "other", client_id: "other" });
  const stranger = await tokenAt("stranger", { level: "client", reseller: "other", client_id: "other" });
  const server = createServer(createListener({ engine, portal })).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await engine.close();
  };
  return { url, provider, stranger, close };
}

describe("a portal behind a portal", () => {
  it("answers over HTTP what its back end does, field by field and status by status", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const suffix = randomBytes(4).toString("hex").slice(0, 6);
    const file = kubernetes.settings.KUBECONFIG ?? "";
    const api = officialSender({ kubeconfig: { file } });
    const { url, provider, stranger, close } = await openPortal(file);
    const token = ({ scope }: { scope: { reseller?: string | undefined } }) =>
      scope.reseller === undefined ? provider : stranger;
    const upstream = upstreamPortal({ url, token });
    const { records } = withPortalKinds(memoryStore());
    const lines = await tellClusters({
      backend: upstream.area("clusters"),
      suffix,
      profile: await makeProfile(api, suffix),
      provider: callAt(records, {}),
      stranger: callAt(records, { reseller: "other", client_id: "other" }),
      makeNamespace: (name) => makeNamespace(api, name),
    });
    await upstream.close();
    await close();
    await expectTranscript(lines, "clusters");
    expect(lines.length).toBeGreaterThan(80);
  });
});
