import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../../src/index.ts";
import { gather } from "../../../src/server/gather.ts";
import type { Environment } from "../../../src/server/terminal/terminal.ts";
import { startUpstream } from "../../../src/testing/conformance/provider/upstream.ts";
import { failure, ownFolder, readText } from "../../cli/support/config-folder.ts";
import { startProxy } from "../../http/support/connect-proxy.ts";

const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
};

/** The environment of a vendor that only a proxy can reach. */
async function vendorBehindProxy() {
  const upstream = await startUpstream((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
  onTestFinished(() => upstream.close());
  const { url, tunnels } = await startProxy();
  const authority = `vendor.test:${new URL(upstream.url).port}`;
  const env = { OPENAI_API_KEY: "sk-of-the-environment", OPENAI_BASE_URL: `http://${authority}/v1` };
  return { env, proxy: url, tunnels, authority };
}

async function ask({ sources }: Awaited<ReturnType<typeof gather>>) {
  const engine = createEngine({ providers: sources.map(({ provider }) => provider) });
  try {
    const { choices } = await engine.chat({ model: "openai/m", messages: [{ role: "user", content: "Hi" }] });
    return choices[0]?.message.content;
  } finally {
    await engine.close();
  }
}

const gatherIn = (env: Environment) =>
  gather({ env, folder: "/nowhere", file: undefined, probe: async () => undefined });

describe("the network of outgoing calls", () => {
  it.each(["HTTP_PROXY", "http_proxy"])("is what %s says", async (variable) => {
    const { env, proxy, tunnels, authority } = await vendorBehindProxy();
    expect(await ask(await gatherIn({ ...env, [variable]: proxy }))).toBe("Hello");
    expect(tunnels).toEqual([[authority, undefined]]);
  });

  it("is what the file says, before the environment", async () => {
    const { env, proxy, tunnels } = await vendorBehindProxy();
    const other = { ...env, HTTP_PROXY: "http://nowhere.invalid:1" };
    expect(await ask(await readText(`network: { proxy: { http: "${proxy}" } }`, "a.yaml", other))).toBe("Hello");
    expect(tunnels).toHaveLength(1);
  });

  it.each(["network: { proxy: false }", "network: { noProxy: vendor.test }", "network: { noProxy: [a.test, .test] }"])(
    "asks nobody else with %s",
    async (text) => {
      const { env, proxy, tunnels } = await vendorBehindProxy();
      const gathered = await readText(text, "a.yaml", { ...env, HTTP_PROXY: proxy });
      await expect(ask(gathered)).rejects.toMatchObject({ code: "upstream_unreachable" });
      expect(tunnels).toEqual([]);
    },
  );

  it("keeps the password of a proxy out of every output", async () => {
    const { secrets } = await gatherIn({ HTTPS_PROXY: "http://me:top%20secret@proxy.test:3128" });
    expect(secrets).toEqual(expect.arrayContaining(["top%20secret", "top secret"]));
  });

  it.each([
    ["network: { proxy: { https: 'socks5://a' } }", "network.proxy.https", "HTTPS_PROXY counts"],
    ["network: { noProxy: 10.0.0.0/77, proxy: 'http://a' }", "network.noProxy", "prefix"],
    ["network: { ca: ./nothing.pem }", "network.ca", "cannot be read: ENOENT"],
    ["network: { ca: env:PEM }", "network.ca", "certificates as PEM text"],
    ["network: { proxies: a }", "network.proxies", "proxy"],
  ])("refuses %s", async (text, param, words) => {
    const error = await failure(readText(text, "a.yaml", { PEM: "-----BEGIN NOTHING-----" }));
    expect(error).toMatchObject({ param, message: expect.stringContaining(words) });
  });

  it("reads an authority from the working folder", async () => {
    const folder = ownFolder();
    writeFileSync(join(folder, "ca.pem"), "-----BEGIN CERTIFICATE-----\n");
    writeFileSync(join(folder, "tollgate.config.yaml"), "network: { ca: ca.pem }");
    const gathered = await gather({ env: {}, folder, file: undefined, probe: async () => undefined });
    expect(gathered.config.network).toEqual({ ca: "ca.pem" });
  });
});
