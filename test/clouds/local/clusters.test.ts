import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { serveClusters } from "../../../src/server/shared-clusters.ts";
import { afterFile } from "../../after-file.ts";
import { callAt, noon, stores } from "../../portal/support/rig.ts";
import { needKubernetesClient } from "../../support/kubernetes-client.ts";
import { openLocal } from "../support/local.ts";

const client = { reseller: "acme", client_id: "c-1" };

interface Shown {
  readonly status: {
    readonly lastOperation: { readonly type: string; readonly state: string; readonly progress: number };
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly lastErrors?: readonly { readonly description: string }[];
    readonly hibernated: boolean;
  };
}

describe.each(stores)("clusters of the embedded cloud pass through states: %s", (_name, open) => {
  async function rig(secret?: string) {
    const { records } = await open();
    let now = noon;
    const clock = { now: () => now, after: () => () => {} };
    let origin = "http://127.0.0.1:1";
    const options = { records, clock, clusterEndpoint: () => `${origin}/kube/eu-1` };
    const cloud = await openLocal(secret === undefined ? options : { ...options, secret });
    const owner: PortalCall = callAt(records, client);
    const { project } = await cloud.iaas.createProject({ name: "shop", quota_profile: "default" }, owner);
    const calls = cloud.clusters as Required<typeof cloud.clusters>;
    const made = await calls.createProject(
      { project_id: String(project.id), purpose: "production", description: "", reseller_prefix: "ac" },
      owner,
    );
    const namespace = String(made.spec?.namespace);
    const credential = { app_credential_id: "a", app_credential_name: "a", app_credential_secret: "s" };
    await calls.createSecret(
      { namespace, secret_name: "cloud", ...credential, domain_name: "d", project_name: "p" },
      owner,
    );
    await calls.createSecretBinding({ namespace, secret_name: "cloud", secretbinding_name: "cloud" }, owner);
    const name = { namespace, shoot_name: "web" };
    const create = () =>
      calls.createShoot(
        {
          ...name,
          ...{ cloud_profile_name: "local", kubernetes_version: "1.31.4", region: "local", purpose: "testing" },
          ...{ secret_binding_name: "cloud", zones: ["nova"], iaas_flavor: "m1.medium", image_name: "ubuntu" },
          image_version: "24.4.0",
        },
        owner,
      );
    const pass = (seconds: number) => {
      now += seconds * 1_000;
    };
    const shown = async () => (await calls.shoot(name, owner))[0] as unknown as Shown;
    const listen = async () => {
      const clouds = new Map([["eu-1", cloud]]);
      const server = createServer(serveClusters((_request, response) => void response.writeHead(418).end(), clouds));
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      afterFile(() => new Promise<void>((resolve) => void server.close(() => resolve())));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    return { cloud, calls, owner, name, create, pass, shown, listen, records };
  }

  it("a cluster is made by and by: its progress counts up, then its conditions are true", async () => {
    const { create, pass, shown, calls, name, owner } = await rig();
    await create();
    const seen: number[] = [];
    for (let step = 0; step < 12; step += 1) {
      const { status } = await shown();
      seen.push(status.lastOperation.progress);
      expect(status.lastOperation).toMatchObject({ type: "Create", state: "Processing" });
      expect(status.conditions.find(({ type }) => type === "EveryNodeReady")?.status).toBe("Progressing");
      if (step < 5) await expect(calls.adminKubeconfig(name, owner)).rejects.toMatchObject({ code: "conflict" });
      pass(5);
    }
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(new Set(seen).size).toBe(12);
    const { status } = await shown();
    expect(status.lastOperation).toMatchObject({ state: "Succeeded", progress: 100 });
    expect(status.conditions.every((one) => one.status === "True")).toBe(true);
    expect(JSON.stringify(await shown())).not.toContain("tollgate:");
  });

  it("a change of its workers takes time, a change of nothing takes none, and what is shown is not stored", async () => {
    const { create, pass, shown, calls, name, owner, cloud } = await rig();
    await create();
    pass(60);
    await calls.changeShoot({ ...name, minimum_workers: 3, maximum_workers: 3 }, owner);
    expect((await shown()).status.lastOperation).toMatchObject({ type: "Reconcile", progress: 0 });
    pass(10);
    expect((await shown()).status.lastOperation).toMatchObject({ type: "Reconcile", progress: 50 });
    pass(10);
    expect((await shown()).status.lastOperation).toMatchObject({ state: "Succeeded", progress: 100 });
    await calls.changeShoot({ ...name, purpose: "testing" }, owner);
    expect((await shown()).status.lastOperation.state).toBe("Succeeded");
    const [stored] = await cloud.inventory.list("kube.shoots");
    expect(stored).not.toHaveProperty("status");
  });

  it("a deletion is seen until it is over; the binding stays as long", async () => {
    const { create, pass, shown, calls, name, owner } = await rig();
    await create();
    pass(60);
    await calls.deleteShoot({ ...name, force: false }, owner);
    expect((await shown()).status.lastOperation).toMatchObject({ type: "Delete", state: "Processing", progress: 0 });
    pass(15);
    await calls.deleteShoot({ ...name, force: false }, owner);
    expect((await shown()).status.lastOperation.progress).toBe(50);
    const binding = { namespace: name.namespace, secret_binding_name: "cloud" };
    await expect(calls.deleteSecretBinding(binding, owner)).rejects.toMatchObject({ code: "conflict" });
    pass(15);
    await expect(calls.shoot(name, owner)).rejects.toMatchObject({ code: "not_found" });
    expect(await calls.shoots({ namespace: name.namespace }, owner)).toEqual([]);
    await calls.deleteSecretBinding(binding, owner);
  });

  it("operations fail only where that was planned, the same ones for a seed, with a cause, and end well when tried again", async () => {
    const failures = async (seed: string | undefined) => {
      const { create, pass, shown, calls, name, owner, cloud } = await rig();
      if (seed !== undefined) await cloud.planFaults({ seed, one_in: 2 });
      const states: string[] = [];
      for (let turn = 0; turn < 8; turn += 1) {
        await create();
        pass(30);
        const { status } = await shown();
        states.push(status.lastOperation.state);
        if (status.lastOperation.state === "Error") {
          expect(status.lastErrors?.[0]?.description).toContain("no free host");
          pass(60);
          expect((await shown()).status.lastOperation).toMatchObject({ state: "Succeeded", progress: 100 });
        }
        await calls.deleteShoot({ ...name, force: true }, owner);
      }
      return states;
    };
    const first = await failures("a seed");
    expect(new Set(first)).toEqual(new Set(["Error", "Processing"]));
    expect(await failures("a seed")).toEqual(first);
    expect(new Set(await failures(undefined))).toEqual(new Set(["Processing"]));
  });

  async function clientOf(kubeconfig: string) {
    const { CoreV1Api, KubeConfig, VersionApi } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const { server } = config.getCurrentCluster() ?? {};
    const { token } = config.getCurrentUser() ?? {};
    const ask = (path: string, method = "GET", body?: unknown) =>
      fetch(`${server}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    return { core: config.makeApiClient(CoreV1Api), version: config.makeApiClient(VersionApi), ask };
  }

  it("a kubeconfig reaches the cluster's API with Kubernetes' own client: the admin writes, the viewer only reads", async (context) => {
    needKubernetesClient(context);
    const { create, pass, listen, calls, name, owner } = await rig();
    await listen();
    await create();
    pass(60);
    const admin = await clientOf((await calls.adminKubeconfig(name, owner)).kubeconfig);
    const viewer = await clientOf((await calls.viewerKubeconfig(name, owner)).kubeconfig);
    expect((await admin.version.getCode()).gitVersion).toBe("v1.31.4");
    expect((await viewer.core.listNode()).items.map(({ metadata }) => metadata?.name)).toEqual(["default-1"]);
    expect((await viewer.core.listNamespace()).items.map(({ metadata }) => metadata?.name)).toContain("kube-system");
    expect((await viewer.core.listPodForAllNamespaces()).items).toHaveLength(2);
    const body = { metadata: { name: "settings" }, data: { colour: "blue" } };
    const refused = await viewer.core
      .createNamespacedConfigMap({ namespace: "default", body })
      .catch((thrown) => thrown);
    expect(refused.code).toBe(403);
    expect(JSON.parse(refused.body)).toMatchObject({
      kind: "Status",
      status: "Failure",
      reason: "Forbidden",
      code: 403,
    });
    await admin.core.createNamespacedConfigMap({ namespace: "default", body });
    const place = { namespace: "default", name: "settings" };
    expect((await viewer.core.readNamespacedConfigMap(place)).data).toEqual({ colour: "blue" });
    await admin.core.replaceNamespacedConfigMap({ ...place, body: { ...body, data: { colour: "red" } } });
    expect((await viewer.core.listNamespacedConfigMap({ namespace: "default" })).items[0]?.data).toEqual({
      colour: "red",
    });
    expect((await viewer.ask("/api/v1/namespaces/default/configmaps/settings", "DELETE")).status).toBe(403);
    await admin.core.deleteNamespacedConfigMap(place);
    await expect(admin.core.readNamespacedConfigMap(place)).rejects.toMatchObject({ code: 404 });
    expect((await admin.ask("/api/v1/secrets")).status).toBe(404);
    expect((await admin.ask("/api/v1/namespaces/%/configmaps/%", "PUT", {})).status).toBe(404);
  });

  it("a token that is over, another cluster's, or signed with a key of before is refused", async (context) => {
    needKubernetesClient(context);
    const { create, pass, listen, calls, name, owner } = await rig();
    await listen();
    await create();
    pass(60);
    const old = await clientOf((await calls.adminKubeconfig({ ...name, expiration_seconds: 600 }, owner)).kubeconfig);
    expect((await old.ask("/version")).status).toBe(200);
    pass(600);
    expect((await old.ask("/version")).status).toBe(401);
    const lost = await clientOf((await calls.adminKubeconfig(name, owner)).kubeconfig);
    expect((await lost.ask("/version")).status).toBe(200);
    await calls.deleteShoot({ ...name, force: true }, owner);
    expect((await lost.ask("/version")).status).toBe(401);
    await create();
    pass(60);
    expect((await lost.ask("/version")).status).toBe(401);
    const other = await rig("another secret of the suite");
    await other.listen();
    await other.create();
    other.pass(60);
    const { kubeconfig } = await other.calls.adminKubeconfig(other.name, other.owner);
    const { clusters } = parse(kubeconfig) as { clusters: [{ cluster: { server: string } }] };
    const forged = (await calls.adminKubeconfig(name, owner)).kubeconfig.replace(
      /server: .*/,
      `server: ${clusters[0].cluster.server}`,
    );
    expect((await (await clientOf(forged)).ask("/version")).status).toBe(401);
    expect((await fetch(`${clusters[0].cluster.server}/version`)).status).toBe(401);
  });
});
