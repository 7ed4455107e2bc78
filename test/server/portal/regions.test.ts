import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { areas } from "../../../src/operations/portal/table.ts";
import type { TenantScope } from "../../../src/portal/tenancy/tenant-scope.ts";
import { addressOf } from "../../../src/server/network/address.ts";
import { openRegions } from "../../../src/server/portal/regions.ts";
import { failure, readText } from "../../cli/support/config-folder.ts";
import { callAt } from "../../portal/support/rig.ts";

const beside = {
  storeFile: "tollgate.db",
  secret: "a secret of the test",
  previousSecrets: [],
  origin: () => "http://127.0.0.1:8080",
};
const ground = { terminal: { folder: "/work", env: {} }, store: memoryStore(), ...beside };

/** Opens the regions of a configuration file. */
async function open(text: string, env: Record<string, string> = {}) {
  const { config } = await readText(text, "tollgate.config.yaml", env);
  return openRegions(config, ground);
}

const wholeRegion = `
regions:
  eu-1:
    openstack: { authUrl: "https://cloud.example/v3", username: tollgate, password: env:OS_PASSWORD, projectName: admin, timeouts: { whole: 5000 } }
    gardener: { kubeconfig: garden.yaml, shoots: { floatingPool: public } }
    s3: { endpoints: ["https://s3.example"], principal: "arn:aws:iam:::user/{project_id}" }
  eu-2:
    http: { url: "https://portal.example/api", token: env:UPSTREAM, service: { token: t0k3n }, areas: [iaas, clusters] }
    s3: { endpoints: ["https://s3.example"] }
`;

describe("regions of a configuration", () => {
  it("share a Keystone by name, and a region that names nothing else is the embedded cloud's", async () => {
    const regions = await open('regions: { a: { identity: "shared" }, b: { identity: shared, local: {} }, c: {} }');
    expect(Object.values(regions).map(({ identity }) => identity)).toEqual(["shared", "shared", undefined]);
    for (const region of Object.values(regions)) expect(region.iaas).toBeDefined();
    const error = await failure(open("regions: { a: { identity: { name: shared } } }"));
    expect(error.message).toContain("`regions.a.identity` must be a name: regions of one name share a Keystone");
  });

  it("are opened with every operation of their back ends, and nobody is asked for that", async () => {
    const regions = await open(wholeRegion, { OS_PASSWORD: "hush", UPSTREAM: "tg_at_up" });
    expect(Object.keys(regions)).toEqual(["eu-1", "eu-2"]);
    for (const [code, region] of Object.entries(regions)) {
      for (const name of ["iaas", "clusters", "objectstore"] as const) {
        const canPurge = name === "objectstore" || (name === "iaas" && code === "eu-1"); // eu-2 is another portal's
        const purges = canPurge ? ["listContents", "removeContents"] : [];
        expect(Object.keys(region[name] ?? {}).toSorted()).toEqual([...Object.keys(areas[name]), ...purges].toSorted());
      }
    }
    expect(regions["eu-1"]?.backups?.create).toBeTypeOf("function");
    expect(regions["eu-1"]?.quotas?.used).toBeTypeOf("function");
    expect(regions["eu-2"]?.backups).toBeUndefined();
  });

  it("is one, local, where none is named, and the embedded cloud serves all of it", async () => {
    const regions = await open("{}");
    expect(Object.keys(regions)).toEqual(["local"]);
    const served = Object.keys(regions.local ?? {}).toSorted();
    expect(served).toEqual(["backups", "clusters", "iaas", "objectstore", "quotas", "rollbacks"]);
  });

  it.each(["127.0.0.1", "0.0.0.0", "::1", "::", "gateway.example"])("are opened on the host %s", async (host) => {
    const { config } = await readText("{}", "tollgate.config.yaml");
    expect(await openRegions(config, { ...ground, origin: () => addressOf({ host, port: 8080 }) })).toHaveProperty(
      "local",
    );
  });

  it("have the embedded cloud for the rest where they name it, and for nothing where they name others alone", async () => {
    const s3 = '{ endpoints: ["https://s3.example"] }';
    const { mixed, alone } = await open(`regions: { mixed: { s3: ${s3}, local: {} }, alone: { s3: ${s3} } }`);
    expect(Object.keys(mixed ?? {}).toSorted()).toEqual([
      "backups",
      "clusters",
      "iaas",
      "objectstore",
      "quotas",
      "rollbacks",
    ]);
    expect(Object.keys(alone ?? {})).toEqual(["objectstore"]);
  });

  it.each([
    ["an unknown kind", "eu-1: { openstak: {} }", "regions.eu-1.openstak", "did you mean `openstack`?"],
    [
      "an unknown setting",
      "eu-1: { s3: { endpoint: x, endpoints: [a] } }",
      "regions.eu-1.s3.endpoint",
      "did you mean `endpoints`?",
    ],
    ["a missing setting", 'eu-1: { http: { url: "https://x" } }', "regions.eu-1.http.token", "is missing"],
    [
      "half of a service credential",
      'eu-1: { http: { url: "https://x", token: t, service: { user: a } } }',
      "regions.eu-1.http.service.password",
      "is required with `user`",
    ],
    [
      "an OpenStack without a user",
      'eu-1: { openstack: { authUrl: "https://x" } }',
      "regions.eu-1.openstack",
      "username",
    ],
    ["a Gardener without an identity", "eu-1: { gardener: {} }", "regions.eu-1.gardener", "kubeconfig"],
    [
      "a principal of all projects",
      'eu-1: { s3: { endpoints: ["https://x"], principal: "*" } }',
      "regions.eu-1.s3.principal",
      "{project_id}",
    ],
    [
      "an area that is no object of a program",
      "eu-1: { iaas: { kind: openstack } }",
      "regions.eu-1.iaas",
      "name its kind",
    ],
    ["a code that is none", '"eu 1": {}', "regions.eu 1", "is not a valid region code"],
    [
      "an area that two serve",
      'eu-1: { s3: { endpoints: ["https://x"] }, http: { url: "https://x", token: t } }',
      "regions.eu-1.http",
      "serves `objectstore`, which another",
    ],
  ])("%s is named by its field", async (...[, region, param, words]) => {
    const thrown = await failure(open(`regions: { ${region} }`));
    expect(thrown.param).toBe(param);
    expect(thrown.message).toContain(words);
  });

  it("takes the objects of a TypeScript file", async () => {
    const servers = () => [];
    const regions = await openRegions({ regions: { "eu-1": { iaas: { servers } } } }, ground);
    expect(regions["eu-1"]?.iaas?.servers).toBe(servers);
  });

  it("sends callers of a reseller to another portal with their own token, and nobody else", async () => {
    const tokens: unknown[] = [];
    const server = createServer((request, response) => {
      tokens.push(request.headers["auth-token"]);
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { a } = await open(`regions: { a: { http: { url: "${url}", token: all, resellerTokens: { acme: own } } } }`);
    const ask = async (place: TenantScope) => a?.iaas?.servers?.({}, callAt(ground.store.records, place));
    await ask({});
    await ask({ reseller: "acme" });
    await expect(ask({ reseller: "globex" })).rejects.toMatchObject({ code: "not_implemented" });
    await expect(ask({ reseller: "acme", client_id: "one" })).rejects.toMatchObject({ code: "not_implemented" });
    server.closeAllConnections();
    server.close();
    expect(tokens).toEqual(["all", "own"]);
  });
});
