import { describe, expect, it } from "vitest";
import { base, on, type Reply, rig, shootPath, status } from "../support/gardener/rig.ts";

const input = { namespace: "garden-p1", shoot_name: "web" };
const shoots = `${base}/namespaces/garden-p1/shoots`;

/** What a caller is told when the list of clusters is answered like this. */
async function told(reply: Reply) {
  const { backend, call } = rig([on("GET", shoots, reply)]);
  return Promise.resolve(backend.shoots?.({ namespace: "garden-p1" }, call)).then(
    () => expect.fail("was not refused"),
    (thrown: { code: string; message: string }) => thrown,
  );
}

// Messages as a kube-apiserver 1.20.2 and a gardener-apiserver 1.83.3 wrote them (shared/servers/traces).
const rbac =
  'shoots.core.gardener.cloud is forbidden: User "alice" cannot list resource "shoots" in API group "core.gardener.cloud" in the namespace "garden-p1"';
const values =
  'shoots.core.gardener.cloud "s2" is forbidden: [spec.provider.workers[0].machine.type: Unsupported value: "nope": supported values: "m1.large"]';
const unconfirmed =
  'shoots.core.gardener.cloud "s1" is forbidden: must have a "confirmation.gardener.cloud/deletion" annotation to delete';
const ending =
  'shoots "s3" is forbidden: unable to create new content in namespace garden-p1 because it is being terminated';
const noAddresses =
  'AdminKubeconfigRequest.authentication.gardener.cloud "s1" is invalid: status.status: Invalid value: []core.ShootAdvertisedAddress(nil): no kube-apiserver advertised addresses in Shoot .status.advertisedAddresses';

describe("refusals of Gardener in the portal's words", () => {
  it.each([
    ["our own missing right", status(403, rbac, { reason: "Forbidden" }), "backend_error"],
    ["values that are not allowed", status(403, values, { reason: "Forbidden" }), "invalid_request"],
    ["a deletion without confirmation", status(403, unconfirmed, { reason: "Forbidden" }), "conflict"],
    [
      "a namespace that is going",
      status(403, ending, { reason: "Forbidden", details: { causes: [{ reason: "NamespaceTerminating" }] } }),
      "conflict",
    ],
    [
      "a used-up quota",
      status(403, 'shoots "x" is forbidden: quota limits exceeded', { reason: "Forbidden" }),
      "quota_exceeded",
    ],
    ["unknown credentials", status(401, "Unauthorized", { reason: "Unauthorized" }), "backend_error"],
    ["a name that is taken", status(409, 'shoots "s1" already exists', { reason: "AlreadyExists" }), "conflict"],
    ["a version that moved", status(409, "the object has been modified", { reason: "Conflict" }), "conflict"],
    ["a cluster that is not ready", status(422, noAddresses), "conflict"],
    [
      "too many requests",
      status(429, "slow down", { reason: "TooManyRequests", details: { retryAfterSeconds: 3 } }),
      "backend_error",
    ],
    ["a defect over there", status(500, "etcd: leader changed", { reason: "InternalError" }), "backend_error"],
    ["HTML with a bad status", [502, "<html>Bad gateway</html>"] as const, "backend_error"],
    ["HTML with a good status", [200, "<html>Welcome</html>"] as const, "backend_error"],
    ["JSON that is no list", [200, { hello: "world" }] as const, "backend_error"],
  ])("%s", async (_title, reply, code) => {
    expect((await told(reply)).code).toBe(code);
  });

  it("says nothing of our own identity and rights", async () => {
    const { message } = await told(status(403, rbac, { reason: "Forbidden" }));
    expect(message).not.toMatch(/alice|core\.gardener|cannot list/);
  });

  it("says which values are allowed", async () => {
    expect((await told(status(403, values, { reason: "Forbidden" }))).message).toBe(
      'Gardener refuses this cluster: `spec.provider.workers[0].machine.type` is unsupported; supported values: "m1.large".',
    );
  });

  it("says when to ask again", async () => {
    const busy = status(429, "slow down", { reason: "TooManyRequests", details: { retryAfterSeconds: 3 } });
    expect(await told(busy)).toMatchObject({ retryAfterMs: 3_000 });
  });

  it("quotes nothing of a refused secret", async () => {
    const quoted =
      'Secret in version "v1" cannot be handled as a Secret: bigger context |"stringData":{"x":"hush-hush"}|';
    const secrets = "/api/v1/namespaces/garden-p1/secrets";
    const { backend, call } = rig([on("POST", secrets, status(400, quoted, { reason: "BadRequest" }))]);
    const fields = {
      secret_name: "s",
      app_credential_id: "i",
      app_credential_name: "n",
      app_credential_secret: "hush-hush",
      domain_name: "d",
      project_name: "p",
    };
    const creating = Promise.resolve(backend.createSecret?.({ namespace: "garden-p1", ...fields }, call));
    const thrown = await creating.catch((reason: Error) => reason);
    expect(thrown).toMatchObject({ code: "invalid_request" });
    expect(JSON.stringify([(thrown as Error).message, String((thrown as Error).cause)])).not.toContain("hush-hush");
  });
});

describe("secrets of a namespace", () => {
  const secret = (name: string, data: object) => ({ metadata: { name }, data, type: "Opaque" });
  const own = secret("infra", {
    tenantName: "dA==",
    domainName: "ZA==",
    applicationCredentialSecret: "aHVzaA==",
    password: "cHc=",
  });
  const kubeconfig = secret("web.kubeconfig", { kubeconfig: "aHVzaA==" });

  it("shows the credentials of infrastructure only, and no secret part of them", async () => {
    const list = on("GET", "/api/v1/namespaces/garden-p1/secrets", [200, { items: [own, kubeconfig] }]);
    const { backend, call } = rig([list]);
    const shown = await backend.secrets?.({ namespace: "garden-p1" }, call);
    expect(shown).toEqual([
      { data: { tenantName: "dA==", domainName: "ZA==" }, metadata: { name: "infra" }, type: "Opaque" },
    ]);
  });

  it.each(["secret", "deleteSecret", "changeSecret"] as const)(
    "%s does not know a cluster's own secrets",
    async (operation) => {
      const { backend, asked, call } = rig([
        on("GET", "/api/v1/namespaces/garden-p1/secrets/web.kubeconfig", [200, kubeconfig]),
      ]);
      const asking = Promise.resolve(
        backend[operation]?.({ namespace: "garden-p1", secret_name: "web.kubeconfig" }, call),
      );
      await expect(asking).rejects.toMatchObject({ code: "not_found" });
      expect(asked.every(({ method }) => method === "GET")).toBe(true);
    },
  );
});

describe("kubeconfigs", () => {
  const text = "apiVersion: v1\nkind: Config\n";
  const made: Reply = [
    201,
    {
      kind: "AdminKubeconfigRequest",
      apiVersion: "authentication.gardener.cloud/v1alpha1",
      spec: { expirationSeconds: 3_600 },
      status: { kubeconfig: Buffer.from(text).toString("base64"), expirationTimestamp: "2026-11-20T05:05:30Z" },
    },
  ];

  it("are asked for with the subresource of their role, an hour unless told, and decoded", async () => {
    const { backend, asked, call } = rig([on("POST", `${shootPath}/viewerkubeconfig`, made)]);
    const answer = await backend.viewerKubeconfig?.(input, call);
    expect(answer).toEqual({ expirationSeconds: 3_600, expirationTimestamp: "2026-11-20T05:05:30Z", kubeconfig: text });
    expect(asked.at(-1)?.body).toMatchObject({ kind: "ViewerKubeconfigRequest", spec: { expirationSeconds: 3_600 } });
  });

  const missing = status(404, 'shoots "web" not found', {
    reason: "NotFound",
    details: { name: "web", kind: "shoots" },
  });

  it("of a Gardener that makes none are 501, although it says that the cluster is missing", async () => {
    const found = on("GET", shootPath, [200, { metadata: { name: "web" } }]);
    const { backend, call } = rig([on("POST", `${shootPath}/viewerkubeconfig`, missing), found]);
    await expect(backend.viewerKubeconfig?.(input, call)).rejects.toMatchObject({ code: "not_implemented" });
  });

  it("of a missing cluster are 404", async () => {
    const { backend, call } = rig([on("POST", `${shootPath}/adminkubeconfig`, missing), on("GET", shootPath, missing)]);
    await expect(backend.adminKubeconfig?.(input, call)).rejects.toMatchObject({ code: "not_found" });
  });

  it("that cannot be read are an error which holds none of it", async () => {
    const odd: Reply = [201, { status: { kubeconfig: "not base64: hush-hush", expirationTimestamp: "soon" } }];
    const { backend, call } = rig([on("POST", `${shootPath}/adminkubeconfig`, odd)]);
    const thrown = await Promise.resolve(backend.adminKubeconfig?.(input, call)).catch((reason: Error) => reason);
    expect(thrown).toMatchObject({ code: "backend_error" });
    expect((thrown as Error).cause).toBeUndefined();
  });
});

describe("lists", () => {
  const item = (name: string) => ({ metadata: { name, namespace: "garden-p1" } });

  it("are read to their last page, and begun anew when a page has expired", async () => {
    let calls = 0;
    const replies: Reply[] = [
      [200, { metadata: { continue: "more" }, items: [item("a")] }],
      status(410, "The provided continue parameter is too old", { reason: "Expired" }),
      [200, { metadata: { continue: "more" }, items: [item("a")] }],
      [200, { metadata: {}, items: [item("b")] }],
    ];
    const { backend, asked, call } = rig([on("GET", shoots, () => replies[calls++] as Reply)], { pageSize: 1 });
    const shown = await backend.shoots?.({ namespace: "garden-p1" }, call);
    expect(shown?.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect(asked.slice(1).map(({ path }) => path.split("?")[1])).toEqual([
      "limit=1",
      "limit=1&continue=more",
      "limit=1",
      "limit=1&continue=more",
    ]);
  });

  it("of a kind that the server does not know are empty", async () => {
    const { backend, call } = rig([
      on("GET", `${base}/namespaces/garden-p1/secretbindings`, [200, { items: [] }]),
      on("GET", /credentialsbindings/, [404, "404 page not found\n"]),
    ]);
    expect(await backend.secretBindings?.({ namespace: "garden-p1" }, call)).toEqual([]);
  });
});
