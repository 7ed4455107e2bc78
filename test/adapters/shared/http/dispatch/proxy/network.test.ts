import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { beforeAll, describe, expect, it } from "vitest";
import { openai } from "../../../../../../adapters/providers/openai.ts";
import { proxyFinder } from "../../../../../../adapters/shared/http/dispatch/proxy.ts";
import { type NetworkOptions, network } from "../../../../../../adapters/transports/undici.ts";
import { createEngine } from "../../../../../../src/index.ts";
import { startProxy } from "../../../../../http/support/connect-proxy.ts";
import { turns } from "../../../../../http/support/server.ts";
import { type Certificate, makeCertificate } from "../../../../../support/certificate.ts";
import { closedAfter, failure, portOf, post, says } from "../../../../support/shared/http/setup.ts";

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});

const transportOf = (options: NetworkOptions) => closedAfter(network(options));
const authority = () => readFileSync(certificate.authority, "utf8");
const pair = () => ({ key: readFileSync(certificate.key), cert: readFileSync(certificate.certificate) });

describe("a proxy", () => {
  it.each(["http", "https"] as const)(
    "is asked for a tunnel to an %s address, once for several calls",
    async (scheme) => {
      const { url, tunnels } = await startProxy();
      const server = scheme === "http" ? createServer(says("well")) : createTlsServer(pair(), says("well"));
      const port = await portOf(server as Server);
      const transport = transportOf({ proxy: { http: url, https: url }, ca: authority() });
      const target = `${scheme}://vendor.test:${port}/chat`;
      expect((await transport.whole(post(target))).body).toBe("well");
      await turns(5); // until the connection is idle again
      let streamed = "";
      for await (const piece of (await transport.stream(post(target))).body) streamed += Buffer.from(piece).toString();
      expect(streamed).toBe("well");
      expect(tunnels).toEqual([[`vendor.test:${port}`, undefined]]);
    },
  );

  it("gets the user name and the password of its address", async () => {
    const { url, tunnels } = await startProxy();
    const port = await portOf(createServer(says("well")));
    const transport = transportOf({ proxy: { http: url.replace("//", "//me:p%40ss@") } });
    await transport.whole(post(`http://vendor.test:${port}/`));
    expect(tunnels).toEqual([[`vendor.test:${port}`, `Basic ${Buffer.from("me:p@ss").toString("base64")}`]]);
  });

  it("that refuses is named by its status, and its address and password are not", async () => {
    const { url } = await startProxy(407);
    const transport = transportOf({ proxy: { http: url.replace("//", "//me:topsecret@") } });
    const error = await failure(transport.whole(post("http://vendor.test/")));
    expect(error).toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringContaining("PROXY_ANSWERED_407"),
    });
    expect(JSON.stringify([error.message, String(error.cause)])).not.toMatch(/topsecret|127\.0\.0\.1/);
  });

  it("is not asked for what is excepted, and the call is then direct", async () => {
    const { url, tunnels } = await startProxy();
    const port = await portOf(createServer(says("well")));
    const transport = transportOf({ proxy: { http: url, except: "vendor.test" } });
    expect(await failure(transport.whole(post("http://vendor.test:1/")))).toMatchObject({
      code: "upstream_unreachable",
    });
    expect((await transport.whole(post(`http://127.0.0.1:${port}/`))).body).toBe("well"); // of this machine: never
    expect(tunnels).toEqual([]);
  });

  it("is one engine's and not the other's, with its private authority, in one process", async () => {
    const { url, tunnels } = await startProxy();
    const model = { id: "m", object: "model" };
    const port = await portOf(createTlsServer(pair(), says(JSON.stringify({ data: [model] }))) as Server);
    const plain = await portOf(createServer(says(JSON.stringify({ data: [{ ...model, id: "direct" }] }))));
    const transport = network({ environment: { https_proxy: url }, ca: authority() });
    const behind = createEngine({
      providers: [openai({ apiKey: "sk-test", baseUrl: `https://vendor.test:${port}/v1` })],
      transport,
    });
    const direct = createEngine({
      providers: [
        openai({ apiKey: "sk-test", baseUrl: `http://127.0.0.1:${plain}/v1` }),
        openai({ apiKey: "sk-test", baseUrl: `https://localhost:${port}/v1`, name: "private" }),
      ],
    });
    expect((await behind.models()).data.map(({ id }) => id)).toEqual(["openai/m"]);
    expect(tunnels).toEqual([[`vendor.test:${port}`, undefined]]);
    expect((await direct.models()).data.map(({ id }) => id)).toEqual(["openai/direct"]); // the other one's authority is not trusted
    expect(tunnels).toHaveLength(1);
    await Promise.all([behind.close(), direct.close()]);
    await expect(transport.whole(post(`https://vendor.test:${port}/`))).rejects.toThrow();
  });

  it("of an engine is not asked by a provider with a transport of its own", async () => {
    const { url, tunnels } = await startProxy();
    const port = await portOf(createTlsServer(pair(), says(JSON.stringify({ data: [] }))) as Server);
    const own = transportOf({ ca: authority() });
    const baseUrl = `https://localhost:${port}/v1`;
    const engine = createEngine({
      providers: [openai({ apiKey: "sk-test", baseUrl, transport: own })],
      transport: network({ proxy: { https: url } }),
    });
    await engine.models();
    expect(tunnels).toEqual([]);
    await engine.close();
  });

  it("serves the calls of an engine's provider", async () => {
    const { url, tunnels } = await startProxy();
    const answer = {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    };
    const port = await portOf(
      createTlsServer(pair(), (request, response) => {
        response.setHeader("content-type", "application/json");
        says(JSON.stringify(answer))(request, response);
      }) as Server,
    );
    const transport = transportOf({ proxy: { https: url }, ca: authority() });
    const baseUrl = `https://vendor.test:${port}/v1`;
    const engine = createEngine({ providers: [openai({ apiKey: "sk-test", baseUrl, transport })] });
    const { choices } = await engine.chat({ model: "openai/m", messages: [{ role: "user", content: "Hi" }] });
    expect(choices[0]?.message.content).toBe("Hello");
    expect(tunnels).toHaveLength(1);
    await engine.close();
  });
});

describe("which proxy an address has", () => {
  const find = proxyFinder({
    http: "plain.proxy:3128",
    https: "http://tls.proxy:3128",
    except: ".inner.test, *.corp.test other.test:8443 10.0.0.0/8 2001:db8::/32 192.0.2.7",
  });
  it.each([
    ["https://api.vendor.test", "tls.proxy:3128"],
    ["http://api.vendor.test", "plain.proxy:3128"],
    ["https://inner.test", undefined],
    ["https://a.b.inner.test", undefined],
    ["https://notinner.test", "tls.proxy:3128"],
    ["https://x.corp.test", undefined],
    ["https://other.test", "tls.proxy:3128"],
    ["https://other.test:8443", undefined],
    ["https://10.1.2.3", undefined],
    ["https://11.1.2.3", "tls.proxy:3128"],
    ["https://[2001:db8::1]", undefined],
    ["https://192.0.2.7", undefined],
    ["http://localhost:11434", undefined],
    ["http://127.0.0.1:8000", undefined],
    ["http://[::1]:8000", undefined],
  ])("%s: %s", (origin, proxy) => {
    expect(find(origin)?.host).toBe(proxy);
  });
  it("none at all with *", () => {
    expect(proxyFinder({ https: "http://p", except: "*" })("https://api.vendor.test")).toBeUndefined();
  });
  it.each([
    [{ https: "socks5://p:1" }, "proxy.https"],
    [{ http: "http://" }, "proxy.http"],
    [{ except: ["10.0.0.0/99"] }, "proxy.except"],
  ])("%j is refused by name", (options, param) => {
    expect(() => proxyFinder(options)).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
  });
});

describe("a private authority", () => {
  it("is trusted when its certificate is given, and not else", async () => {
    const port = await portOf(createTlsServer(pair(), says("well")) as Server);
    const target = post(`https://localhost:${port}/`);
    const error = await failure(transportOf({}).whole(target));
    expect(error).toMatchObject({ code: "upstream_unreachable" });
    expect((await transportOf({ ca: [authority()] }).whole(target)).body).toBe("well");
  });
  it("is refused by name where it is no certificate", () => {
    expect(() => network({ ca: "./ca.pem" })).toThrow(expect.objectContaining({ param: "ca" }));
  });
});
