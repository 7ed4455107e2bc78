import { describe, expect, it } from "vitest";
import type { Region } from "../../../src/portal/regions.ts";
import { type Gateway, openGateway } from "../support/gateway.ts";
import { makePlaces } from "../support/places.ts";
import { stores } from "../support/rig.ts";

interface Shown {
  readonly state: string;
  readonly steps: readonly { readonly params: string; readonly response?: string }[];
}

type Step = readonly [method: string, step_path: string, params: object];

/** Makes a task of these steps and runs it: what the run answers, and what its steps show from then on. */
async function runTask({ ask }: Gateway, steps: readonly Step[]) {
  const { id } = (await ask({ method: "POST", path: "/task", body: { name: "once" } })).body as { id: string };
  for (const [method, step_path, params] of steps) {
    const body = { description: "", method, step_path, params: JSON.stringify(params) };
    expect(await ask({ method: "POST", path: `/task/${id}/step`, body })).toMatchObject({ status: 200 });
  }
  const ran = (await ask({ method: "POST", path: `/task/${id}/run` })).body as Shown;
  const later = (await ask({ method: "GET", path: `/task/${id}/step` })).body as Shown["steps"];
  return { ran, later };
}

/** The steps of the only task, as they are shown to a token with these permissions. */
async function stepsSeenBy({ ask }: Gateway, permissions: readonly string[]) {
  const [task] = (await ask({ method: "GET", path: "/task" })).body as { id: string }[];
  const body = { name: permissions.join(), permissions };
  const { body: token } = await ask({ method: "POST", path: "/users/usr_admin/tokens", body });
  const headers = { "auth-token": (token as { value: string }).value };
  return (await ask({ method: "GET", path: `/task/${task?.id}/step`, headers })).body as Shown["steps"];
}

const cluster = "/cluster/garden-x/shoots/s/adminkubeconfig";
const config = { expirationSeconds: 600, expirationTimestamp: "2026-11-20T12:10:00Z", kubeconfig: "users: [cert]" };
const region: Region = { clusters: { adminKubeconfig: async () => config } };

describe.each(stores)("tasks over HTTP: %s", (_name, open) => {
  it("what is shown once is in the answer of the run, and never again", async () => {
    const gateway = await openGateway(await open(), { "eu-1": region });
    const { ran, later } = await runTask(gateway, [
      ["POST", "/ai/keys", { name: "k", description: "", tier: "standard", user_bound: false }],
      ["POST", "/users/usr_admin/tokens", { name: "t" }],
      ["GET", cluster, {}],
    ]);
    expect(ran.state).toBe("done");
    const answers = ran.steps.map(({ response = "{}" }) => JSON.parse(response) as Record<string, unknown>);
    expect(answers).toMatchObject([
      { value: expect.stringMatching(/^sk-tg-/) },
      { value: expect.stringMatching(/^tg_at_/) },
      { kubeconfig: config.kubeconfig },
    ]);
    const kept = later.map(({ response = "{}" }) => JSON.parse(response) as Record<string, unknown>);
    for (const [at, name] of (["value", "value", "kubeconfig"] as const).entries()) {
      const { [name]: _once, ...others } = answers[at] ?? {};
      expect(kept[at]).toEqual(others);
    }
  });

  it("an ended task is copied with its steps and their secrets into a draft, and deleted", async () => {
    const gateway = await openGateway(await open());
    const { ask } = gateway;
    const pair = { resource_id: "p-1", access_key: "AK-1", secret_key: "the secret of the pair" };
    await runTask(gateway, [["PATCH", "/keypair", pair]]);
    const [first] = (await ask({ method: "GET", path: "/task" })).body as { id: string }[];
    const copy = await ask({ method: "POST", path: `/task/${first?.id}/duplicate`, body: {} });
    const { id } = copy.body as { id: string };
    expect((await ask({ method: "GET", path: `/task/${id}` })).body).toMatchObject({ state: "draft", name: "once" });
    expect(await ask({ method: "DELETE", path: `/task/${first?.id}` })).toMatchObject({ status: 204 });
    expect(await ask({ method: "GET", path: `/task/${first?.id}` })).toMatchObject({ status: 404 });
    await ask({ method: "PATCH", path: "/keypair", body: { ...pair, secret_key: "another" } });
    const ran = (await ask({ method: "POST", path: `/task/${id}/run` })).body as Shown;
    expect(ran).toMatchObject({ state: "done", steps: [{ params: JSON.stringify({ resource_id: "p-1" }) }] });
    expect((await ask({ method: "GET", path: "/keypair?resource_id=p-1" })).body).toMatchObject(pair);
    expect(await ask({ method: "DELETE", path: "/task/none" })).toMatchObject({ status: 404 });
  });

  it("a secret that a step sends is sent, and not shown again", async () => {
    const gateway = await openGateway(await open());
    const pair = { resource_id: "p-1", access_key: "AK-1", secret_key: "the secret of the pair" };
    const { ran, later } = await runTask(gateway, [["PATCH", "/keypair", pair]]);
    expect(ran.state).toBe("done");
    for (const steps of [ran.steps, later]) expect(steps[0]?.params).toBe(JSON.stringify({ resource_id: "p-1" }));
    const shown = await gateway.ask({ method: "GET", path: "/keypair?resource_id=p-1" });
    expect(shown.body).toMatchObject(pair);
  });

  it("an answer is shown to who may ask for it; what a step was refused with, to all who see the task", async () => {
    const gateway = await openGateway(await open());
    const { ask } = gateway;
    const pair = { resource_id: "p-1", access_key: "AK-1", secret_key: "the secret of the pair" };
    await ask({ method: "PATCH", path: "/keypair", body: pair });
    const { ran } = await runTask(gateway, [
      ["GET", "/keypair", { resource_id: "p-1" }],
      ["GET", "/keypair", { resource_id: "p-2" }],
    ]);
    expect(ran.steps[0]?.response).toContain(pair.secret_key);
    expect((await stepsSeenBy(gateway, ["task_step-get", "keypair-get"]))[0]?.response).toContain(pair.secret_key);
    const [hidden, refused] = await stepsSeenBy(gateway, ["task_step-get"]);
    expect(hidden).toMatchObject({ path: "/keypair" });
    expect(hidden).not.toHaveProperty("response");
    expect(refused?.response).toContain("not_found");
  });

  it("secrets that its runner had another permission for are left out of an answer for those who lack it", async () => {
    const credentials = [{ id: "c-1", active: true, blob: JSON.stringify({ access: "AK-1", secret: "hush-hush" }) }];
    const gateway = await openGateway(await open(), { "eu-1": { iaas: { credentials: async () => credentials } } });
    const { ran, later } = await runTask(gateway, [["GET", "/iaas/credentials/p-1", {}]]);
    for (const steps of [ran.steps, later]) expect(JSON.parse(steps[0]?.response ?? "")).toEqual(credentials);
    const [step] = await stepsSeenBy(gateway, ["task_step-get", "iaas_credentials-get"]);
    expect(JSON.parse(step?.response ?? "")).toEqual([{ id: "c-1", active: true }]);
  });

  it("answers that were given to somebody above are not shown to whose task it is", async () => {
    const gateway = await openGateway(await open());
    const { ask } = gateway;
    const place = { reseller: "acme", client_id: "c-1", roles: ["role_administrator"] };
    const join = async (username: string, level: string) => {
      await makePlaces(gateway.portal, place);
      const { body: user } = await ask({ method: "POST", path: "/users", body: { username, level, ...place } });
      const path = `/users/${(user as { id: string }).id}/tokens`;
      const { body } = await ask({ method: "POST", path, body: { name: "t", permissions: ["*"] } });
      return { "auth-token": (body as { value: string }).value };
    };
    const [ann, boss] = [await join("ann", "user"), await join("boss", "client")];
    const { body } = await ask({ method: "POST", path: "/task", headers: ann, body: { name: "all users" } });
    const path = `/task/${(body as { id: string }).id}`;
    const step = { description: "", method: "GET", step_path: "/users", params: "{}" };
    await ask({ method: "POST", path: `${path}/step`, headers: boss, body: step }); // those above an owner change its draft
    const ran = await ask({ method: "POST", path: `${path}/run`, headers: boss });
    expect((ran.body as Shown).steps[0]?.response).toContain("boss");
    const seen = async (headers: object) =>
      ((await ask({ method: "GET", path: `${path}/step`, headers: { ...headers } })).body as Shown["steps"])[0];
    expect((await seen(boss))?.response).toContain("boss");
    expect(await seen(ann)).toMatchObject({ path: "/users" });
    expect(await seen(ann)).not.toHaveProperty("response");
  });
});
