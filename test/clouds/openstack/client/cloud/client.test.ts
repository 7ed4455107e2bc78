import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CloudRequest } from "../../../../../adapters/clouds/openstack/client/cloud.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import { patient, type Scripted, scripted, tokenSaid } from "../../../support/openstack/scripted.ts";

const servers: CloudRequest = { service: "compute", path: ["servers"] };
const ask = ({ site }: Scripted, request = servers, call: { signal: AbortSignal } = patient) =>
  site.run(call, (work) => site.cloud.ask(request, work));
const tokenOf = (request: { headers: Readonly<Record<string, string>> } | undefined) =>
  request?.headers["x-auth-token"];

describe("tokens", () => {
  it("one serves all requests of a scope, also those that begin together", async () => {
    const open = scripted(() => ({ body: {} }));
    await Promise.all([ask(open), ask(open), ask(open)]);
    await ask(open);
    expect(open.tokens).toHaveLength(1);
    await ask(open, { ...servers, scope: { projectId: "p2" } });
    await ask(open, { ...servers, scope: { projectId: "p2" } });
    expect(open.tokens).toHaveLength(2);
    expect(JSON.parse(String(open.tokens[1]?.body)).auth.scope).toEqual({ project: { id: "p2" } });
  });

  it("is renewed before it expires, by our own clock", async () => {
    const open = scripted(() => ({ body: {} }));
    await ask(open);
    await open.clock.advance(54 * 60_000);
    await ask(open);
    expect(open.tokens).toHaveLength(1);
    await open.clock.advance(2 * 60_000);
    await ask(open);
    expect(open.tokens).toHaveLength(2);
    expect(open.requests.map(tokenOf)).toEqual(["token-1", "token-1", "token-2"]);
  });

  it("a 401 is asked once more with a new one, and never twice", async () => {
    const once = scripted((_request, place) => (place === 0 ? { status: 401 } : { body: { ok: true } }));
    expect(await ask(once)).toEqual({ ok: true });
    expect(once.requests.map(tokenOf)).toEqual(["token-1", "token-2"]);
    const always = scripted(() => ({
      status: 401,
      body: { error: { message: "The request requires authentication." } },
    }));
    await expect(ask(always)).rejects.toMatchObject({ code: "backend_error", status: 502 });
    expect([always.requests.length, always.tokens.length]).toEqual([2, 2]);
  });

  it("a caller who leaves takes the token from nobody else", async () => {
    let give: (() => void) | undefined;
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    const open = scripted(() => ({ body: {} }), { onToken: async () => given.then(() => tokenSaid("late")) });
    const leaving = new AbortController();
    const left = ask(open, servers, leaving);
    const waiting = ask(open);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "request_cancelled" });
    give?.();
    expect(await waiting).toEqual({});
    expect(open.tokens).toHaveLength(1);
  });

  it("a refusal of Keystone is told without the password, and is not remembered", async () => {
    const refused = { status: 400, body: { error: { message: "'hush-hush-hush' is not valid" } } };
    const open = scripted(() => ({ body: {} }), {
      onToken: (_request, place) => (place === 0 ? refused : tokenSaid("t")),
    });
    const error = await ask(open).catch((thrown: GatewayError) => thrown);
    expect((error as GatewayError).message).not.toContain("hush");
    expect(await ask(open)).toEqual({});
  });
});

describe("addresses", () => {
  it("add the version of an API where the catalogue leaves it out, and not twice", async () => {
    const asked = async (type: string, url: string, request: CloudRequest) => {
      const open = scripted(() => ({ body: {} }), { onToken: () => tokenSaid("t", { [type]: url }) });
      await ask(open, request);
      return open.requests[0]?.url;
    };
    const networks: CloudRequest = { service: "network", path: ["networks"] };
    expect(await asked("network", "http://n.test:9696", networks)).toBe("http://n.test:9696/v2.0/networks");
    expect(await asked("network", "http://n.test/networking/v2.0/", networks)).toBe(
      "http://n.test/networking/v2.0/networks",
    );
    const pools: CloudRequest = { service: "loadBalancer", path: ["pools"] };
    expect(await asked("load-balancer", "http://n.test/lb", pools)).toBe("http://n.test/lb/v2.0/lbaas/pools");
    expect(await asked("load-balancer", "http://n.test/lb/v2.0", pools)).toBe("http://n.test/lb/v2.0/lbaas/pools");
    const volumes: CloudRequest = { service: "volume", path: ["volumes"] };
    expect(await asked("block-storage", "http://v.test/v3/p", volumes)).toBe("http://v.test/v3/p/volumes");
  });

  it("are of the region that was chosen; without one there the service is not implemented", async () => {
    const open = scripted(() => ({ body: {} }), { region: "R2" });
    await expect(ask(open)).rejects.toMatchObject({ code: "not_implemented", status: 501 });
    const given = scripted(() => ({ body: {} }), {
      region: "R2",
      endpoints: { compute: "http://own.test/{project_id}" },
    });
    await ask(given);
    expect(given.requests[0]?.url).toBe("http://own.test/p-own/servers");
  });

  it("an id of a caller stays one segment of the path, or is not found", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }).map((id) => id.replaceAll(/[\ud800-\udfff]/gu, "")),
        async (id) => {
          const open = scripted(() => ({ body: {} }));
          const failure = await ask(open, { service: "identity", path: ["projects", id] }).catch(
            (thrown: GatewayError) => thrown,
          );
          if (id === "" || id === "." || id === "..") {
            expect(failure).toMatchObject({ code: "not_found" });
            expect(open.requests).toHaveLength(0);
            return;
          }
          const { pathname, host } = new URL(String(open.requests[0]?.url));
          const segments = pathname.split("/");
          expect([host, segments.length, decodeURIComponent(segments[3] ?? "")]).toEqual(["identity.test", 4, id]);
        },
      ),
    );
  });

  it("every request says the microversion, as the options have it", async () => {
    const open = scripted(() => ({ body: {} }), { microversions: { volume: "3.70" } });
    await ask(open);
    await ask(open, { service: "volume", path: ["volumes"] });
    await ask(open, { service: "network", path: ["networks"] });
    const versions = open.requests.map(({ headers }) => headers["openstack-api-version"]);
    expect(versions).toEqual(["compute 2.87", "volume 3.70", undefined]);
  });
});

describe("pages", () => {
  const list = ({ site }: Scripted, pathless = servers) =>
    site.run(patient, (work) => site.cloud.list({ ...pathless, key: "servers", query: { all_tenants: "1" } }, work));

  it("are read to the end, whatever their size, at our own address whatever host the links name", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uuid(), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (ids, pageSize) => {
          const open = scripted(
            ({ url }) => {
              const query = new URL(url).searchParams;
              const from = Number(query.get("marker") ?? 0);
              const to = from + Number(query.get("limit"));
              query.set("marker", String(to));
              const next = [{ rel: "next", href: `http://inside.example/v2.1/servers?${query}` }];
              const page = ids.slice(from, to).map((id) => ({ id }));
              return { body: { servers: page, ...(to < ids.length ? { servers_links: next } : {}) } };
            },
            { pageSize },
          );
          expect((await list(open)).map(({ id }) => id)).toEqual(ids);
          for (const { url } of open.requests)
            expect(url).toMatch(/^http:\/\/compute\.test\/v2\.1\/servers\?all_tenants=1&limit=/);
        },
      ),
    );
  });

  it("that lead in a circle are a fault of the back end", async () => {
    const next = [{ rel: "next", href: "http://x.test/?marker=m" }];
    const open = scripted(() => ({ body: { servers: [{ id: "1" }], servers_links: next } }));
    await expect(list(open)).rejects.toMatchObject({ code: "backend_error" });
    expect(open.requests.length).toBeLessThan(4);
  });

  it("without the list are a fault of the back end", async () => {
    await expect(list(scripted(() => ({ body: {} })))).rejects.toMatchObject({ code: "backend_error" });
  });
});

describe("what is no answer", () => {
  it("is a fault of the back end: HTML, a redirect, JSON that is no object", async () => {
    const html = { headers: { "content-type": "text/html" }, text: "<html>Sorry</html>" };
    const bad = [
      html,
      { ...html, status: 502 },
      { status: 302 },
      { status: 300, body: { choices: [] } },
      { text: "[1]" },
      { text: "{" },
    ];
    for (const said of bad) {
      const failure = ask(scripted(() => said));
      await expect(failure, JSON.stringify(said)).rejects.toMatchObject({ code: "backend_error", status: 502 });
      await expect(failure).rejects.toMatchObject({ cause: { message: expect.stringContaining("(request req-7)") } });
    }
    await expect(ask(scripted(() => ({}), { onToken: () => html }))).rejects.toMatchObject({ code: "backend_error" });
  });

  it("is told by whose fault it was", async () => {
    const fails = (code: "upstream_unreachable" | "upstream_timeout") => () => {
      throw new GatewayError(code, "compute.test failed.");
    };
    const down = { code: "backend_unreachable", status: 502 };
    const slow = { code: "backend_timeout", status: 504 };
    await expect(ask(scripted(fails("upstream_unreachable")))).rejects.toMatchObject(down);
    await expect(ask(scripted(fails("upstream_timeout")))).rejects.toMatchObject(slow);
    await expect(ask(scripted(() => ({}), { onToken: fails("upstream_unreachable") }))).rejects.toMatchObject(down);
  });
});
