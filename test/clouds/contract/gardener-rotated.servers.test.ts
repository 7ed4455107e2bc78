import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { officialSender } from "../../../adapters/clouds/gardener/client/client.ts";
import { gardener, type KubeAnswer } from "../../../adapters/clouds/gardener/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { openGateway } from "../../portal/support/gateway.ts";
import { useServer } from "../support/servers.ts";
import { makeProfile } from "./gardener.ts";

const kubernetes = useServer("kubernetes");

/** The API with all rights, apart from the portal. */
function openAdmin() {
  const api = officialSender({ kubeconfig: { file: kubernetes.settings.KUBECONFIG ?? "" } });
  const send = (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
    api({ method, path, body }, new AbortController().signal);
  const make = async (path: string, body: object): Promise<KubeAnswer> => {
    const answer = await send("POST", path, body);
    expect(answer.status, path).toBe(201);
    return answer;
  };
  return { api, send, make };
}

type Admin = ReturnType<typeof openAdmin>;

/** A service account with all rights, and a token of it. */
async function makeAccount({ make }: Admin): Promise<{ name: string; token: string }> {
  const name = `portal-${randomBytes(3).toString("hex")}`;
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await make(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
  const rbac = "rbac.authorization.k8s.io";
  await make(`/apis/${rbac}/v1/clusterrolebindings`, {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", name, namespace: "default" }],
  });
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { body } = await make(`${accounts}/${name}/token`, request);
  return { name, token: (JSON.parse(String(body)) as { status: { token: string } }).status.token };
}

/** Takes an account away, and asks with its token until the API server, which remembers tokens for seconds, refuses it. */
async function removeAccount({ send }: Admin, account: { name: string; token: string }): Promise<void> {
  await send("DELETE", `/api/v1/namespaces/default/serviceaccounts/${account.name}`);
  const api = officialSender({ kubeconfig: { text: kubeconfigOf(account.token) } });
  const look = async () =>
    (await api({ method: "GET", path: "/api/v1/namespaces" }, new AbortController().signal)).status;
  await expect.poll(look, { timeout: 30_000, interval: 250 }).toBe(401);
}

function kubeconfigOf(token: string): string {
  const text = readFileSync(kubernetes.settings.KUBECONFIG ?? "", "utf8");
  return text.replace(`token: ${kubernetes.settings.KUBE_TOKEN}`, `token: ${token}`);
}

/** A portal whose kubeconfig names a service account. */
async function openPortal(context: TestContext) {
  if (kubernetes.missing !== undefined) return context.skip(kubernetes.missing);
  const admin = openAdmin();
  const folder = mkdtempSync(join(tmpdir(), "tollgate-kubeconfig-"));
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "kubeconfig");
  const account = await makeAccount(admin);
  writeFileSync(file, kubeconfigOf(account.token));
  const profile = await makeProfile(admin.api, randomBytes(3).toString("hex"));
  const { ask } = await openGateway(memoryStore(), { "eu-1": { clusters: gardener({ kubeconfig: { file } }) } });
  const profiles = () => ask({ method: "GET", path: "/cluster/cloudprofiles" });
  return { admin, file, account, profile, profiles };
}

describe("a kubeconfig that is rotated at a real Kubernetes", () => {
  it("is read again at the first 401: nobody notices; until it is written the answer is 502, not an empty list", async (context) => {
    const { admin, file, account, profile, profiles } = await openPortal(context);
    const has = expect.arrayContaining([
      expect.objectContaining({ metadata: expect.objectContaining({ name: profile }) }),
    ]);
    expect(await profiles()).toMatchObject({ status: 200, body: has });
    const second = await makeAccount(admin);
    writeFileSync(file, kubeconfigOf(second.token));
    await removeAccount(admin, account);
    const answers = await Promise.all([profiles(), profiles(), profiles()]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: has });

    await removeAccount(admin, second); // the file is not written yet
    const refused = await profiles();
    expect(refused).toMatchObject({ status: 502, body: { error: { code: "backend_error" } } });
    expect(JSON.stringify(refused.body)).not.toContain(second.token);
    writeFileSync(file, kubeconfigOf((await makeAccount(admin)).token));
    expect(await profiles()).toMatchObject({ status: 200, body: has });
  });
});
