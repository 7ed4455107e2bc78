import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { officialSender } from "../../../adapters/clouds/gardener/client/client.ts";
import { gardener, type KubeAnswer } from "../../../adapters/clouds/gardener/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { callAt } from "../../portal/support/rig.ts";
import { withPortalKinds } from "../../portal-kinds.ts";
import { useServer } from "../support/servers.ts";

const kubernetes = useServer("kubernetes");
const core = "core.gardener.cloud/v1beta1";
const names = () => `t${randomBytes(3).toString("hex")}`;

/** A back end, and the API behind it with all rights. */
function open() {
  const file = kubernetes.settings.KUBECONFIG ?? "";
  const api = officialSender({ kubeconfig: { file } });
  const { signal } = new AbortController();
  const send = (method: "GET" | "POST" | "PATCH", path: string, body?: object) => {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : undefined;
    return api({ method, path, body, contentType }, signal);
  };
  return {
    file,
    send,
    backend: gardener({ kubeconfig: { file } }),
    call: callAt(withPortalKinds(memoryStore()).records, {}),
  };
}

type Open = ReturnType<typeof open>;

/** A cluster with the worker groups `default` and `other`; gives its place. */
async function makeShoot({ send }: Open) {
  const name = names();
  const namespace = `garden-${name}`;
  const created = (answer: KubeAnswer) => expect(answer.status).toBe(201);
  created(
    await send("POST", `/apis/${core}/projects`, {
      apiVersion: core,
      kind: "Project",
      metadata: { name },
      spec: { namespace },
    }),
  );
  created(
    await send("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }),
  );
  const group = (title: string) => ({ name: title, machine: { type: "m1" }, minimum: 1, maximum: 2, zones: ["z1"] });
  const spec = { provider: { workers: [group("default"), group("other")] } };
  const shoots = `/apis/${core}/namespaces/${namespace}/shoots`;
  created(await send("POST", shoots, { apiVersion: core, kind: "Shoot", metadata: { name: "web" }, spec }));
  return { namespace, shoot_name: "web", path: `${shoots}/web` };
}

const fields = {
  image_name: "ubuntu",
  image_version: "1",
  iaas_flavor: "m1",
  zones: ["z1"],
  minimum_workers: 1,
  maximum_workers: 1,
};

describe("what a real Kubernetes API does in silence", () => {
  it("changes of worker groups at the same time: each is there or was refused, and none is lost", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const opened = open();
    const { backend, call } = opened;
    const { path: _, ...at } = await makeShoot(opened);
    const wanted = ["a1", "a2", "a3", "a4", "a5", "a6"];
    const outcomes = await Promise.allSettled(
      wanted.map((worker_name) => backend.createWorkerGroup?.({ ...at, ...fields, worker_name }, call)),
    );
    const made = wanted.filter((_name, n) => outcomes[n]?.status === "fulfilled");
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "conflict" });
    }
    const present = (await backend.workerGroups?.(at, call))?.map(({ name }) => name);
    expect(made.length).toBeGreaterThan(0);
    expect(present?.toSorted()).toEqual([...made, "default", "other"].toSorted());
  });

  it("a deletion that waits for a finalizer is answered with the object: callers get the status all the same", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const opened = open();
    const { path, ...at } = await makeShoot(opened);
    await opened.send("PATCH", path, { metadata: { finalizers: ["suite/waits"] } });
    const answer = await opened.backend.deleteShoot?.({ ...at, force: true }, opened.call);
    expect(answer).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "web", group: "core.gardener.cloud", kind: "shoots" },
    });
    const left = JSON.parse((await opened.send("GET", path)).body).metadata;
    expect(left.deletionTimestamp).toBeTypeOf("string");
    expect(left.annotations).toEqual({
      "confirmation.gardener.cloud/deletion": "true",
      "confirmation.gardener.cloud/force-deletion": "true",
    });
    await opened.send("PATCH", path, { metadata: { finalizers: null } });
  });

  it("a user without rights, and one without an account, are our fault: nothing of them is told", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const { file, call } = open();
    for (const token of [kubernetes.settings.KUBE_USER_TOKEN ?? "", "nobodys-token"]) {
      const text = readFileSync(file, "utf8").replace("token: admintoken", `token: ${token}`);
      const failing = Promise.resolve(gardener({ kubeconfig: { text } }).cloudProfiles?.({}, call));
      const thrown: Error = await failing.then(
        () => expect.fail("was answered"),
        (reason) => reason,
      );
      expect(thrown).toMatchObject({ code: "backend_error", status: 502 });
      expect(thrown.message).not.toMatch(/alice|cloudprofiles|token/);
    }
  });

  it("a server that presents another certificate is not talked to", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const { file, call } = open();
    const text = readFileSync(file, "utf8").replace(/, certificate-authority-data: [^}]*/, "");
    const failing = Promise.resolve(gardener({ kubeconfig: { text } }).cloudProfiles?.({}, call));
    await expect(failing).rejects.toMatchObject({ code: "backend_unreachable" });
  });

  it("bindings of both kinds are listed in one shape, and a cluster names each in its own field", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const opened = open();
    const { backend, call, send } = opened;
    const { namespace } = await makeShoot(opened);
    const security = "security.gardener.cloud/v1alpha1";
    const credentialsRef = { apiVersion: "v1", kind: "Secret", name: "infra", namespace };
    const provider = { type: "openstack" };
    await send("POST", `/apis/${security}/namespaces/${namespace}/credentialsbindings`, {
      apiVersion: security,
      kind: "CredentialsBinding",
      metadata: { name: "newer" },
      credentialsRef,
      provider,
    });
    const secretRef = { name: "infra", namespace };
    const older = { apiVersion: core, kind: "SecretBinding", metadata: { name: "older" }, secretRef, provider };
    await send("POST", `/apis/${core}/namespaces/${namespace}/secretbindings`, older);
    const listed = await backend.secretBindings?.({ namespace }, call);
    expect(listed?.map(({ credentialsRef: ref }) => ref)).toEqual([credentialsRef, credentialsRef]);
    const at = { namespace, shoot_name: "web" };
    const first = await backend.changeShoot?.({ ...at, secret_binding_name: "newer" }, call);
    expect(first?.spec).toMatchObject({ credentialsBindingName: "newer" });
    const second = await backend.changeShoot?.(
      { ...at, secret_binding_name: "older", kubernetes_version: "1.33.9" },
      call,
    );
    expect(second?.spec).toMatchObject({ secretBindingName: "older", kubernetes: { version: "1.33.9" } });
    expect(second?.spec).not.toHaveProperty("credentialsBindingName");
    const third = Promise.resolve(
      backend.changeShoot?.({ ...at, secret_binding_name: "older", kubernetes_version: "1.34.0" }, call),
    );
    await expect(third).rejects.toMatchObject({ code: "invalid_request", param: "secret_binding_name" });
  });

  it("lists are read page by page, and a kubeconfig that is not made here is 501", async (context) => {
    if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
    const opened = open();
    const { path: _, ...at } = await makeShoot(opened);
    const paged = gardener({ kubeconfig: { file: opened.file }, pageSize: 1 });
    const whole = await opened.backend.projects?.({}, opened.call);
    expect(whole?.length).toBeGreaterThan(1);
    expect(await paged.projects?.({}, opened.call)).toEqual(whole);
    await expect(opened.backend.adminKubeconfig?.(at, opened.call)).rejects.toMatchObject({ code: "not_implemented" });
  });
});
