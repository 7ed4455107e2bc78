import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { operator } from "../../../src/portal/call/operator.ts";
import { createPortal } from "../../../src/portal/index.ts";
import { openEngine } from "../../../src/server/open-engine.ts";
import { openLiveConfiguration } from "../../../src/server/reload/live-configuration.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

/** A vendor of OpenAI's interface that knows some keys, and remembers those that chats came with. */
async function openVendor(known: ReadonlySet<string>) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const isChat = request.url?.endsWith("/chat/completions") ?? false;
    if (isChat) seen.push(key);
    const answer = !known.has(key)
      ? { error: { message: "Incorrect API key provided." } }
      : isChat
        ? {
            id: "c",
            model: "m",
            choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
          }
        : { object: "list", data: [{ id: "m", object: "model" }] };
    request.resume().on("end", () => {
      response.writeHead(known.has(key) ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const first = "sk-configured-000000000001";

/** A gateway as `tollgate serve` opens it, over a file that configures one vendor. */
async function openGateway(store: Store, address: string, secret: string | undefined = "a".repeat(32)) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-credentials-"));
  const credentials = [{ id: "main", apiKey: first, weight: 0 }]; // a last resort
  const settings = { discover: false, providers: { vendor: { kind: "openai", baseUrl: address, credentials } } };
  writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify(settings));
  const terminal = fakeTerminal({ folder });
  const opened = await openEngine(terminal, undefined, async () => store);
  onTestFinished(async () => {
    await opened.engine.close({ graceMs: 0 });
    rmSync(folder, { recursive: true, force: true });
  });
  const listenAddress = () => ({ host: "127.0.0.1", port: 1 }) as never;
  const configuration = openLiveConfiguration({ opened, requested: undefined, listenAddress, terminal });
  const { engine } = opened;
  const { credentialSource } = configuration;
  const portal = createPortal({ engine, store, secret, entropy: randomBytes, credentialSource });
  await portal.loadSettings();
  const chat = (model = "vendor/m") => engine.chat({ model, messages: [{ role: "user", content: "hello" }] });
  return { ai: portal.as(operator).ai, portal, configuration, chat };
}

describe("credentials of vendors in the portal", () => {
  it("are used at once, rotated, disabled and removed, and survive reloads and restarts", async () => {
    const known = new Set([first, "sk-second-00000000000002", "sk-third-000000000000003"]);
    const { seen, address } = await openVendor(known);
    const store = memoryStore();
    const { ai, configuration, chat, portal } = await openGateway(store, address);
    await chat();
    const draft = { provider: "vendor", name: "second", value: " sk-second-00000000000002\n" };
    const added = await ai.addCredential(draft);
    expect(added).toMatchObject({
      name: "second",
      source: "portal",
      key_end: "0002",
      enabled: true,
      is_readable: true,
    });
    await chat();
    expect(configuration.opened.secrets).toContain("sk-second-00000000000002"); // the log hides it
    const credential_id = added.id ?? "";
    await ai.changeCredential({ credential_id, value: "sk-third-000000000000003" });
    await chat();
    await configuration.reload();
    await chat();
    const restarted = await openGateway(store, address);
    await restarted.chat();
    await ai.changeCredential({ credential_id, enabled: false });
    await chat();
    await restarted.portal.loadSettings();
    await restarted.chat();
    await ai.changeCredential({ credential_id, enabled: true, weight: 0, models: ["other"] });
    expect(await ai.credentials({})).toMatchObject([
      { provider: "vendor", name: "main", source: "configuration", key_end: "0001" },
      { id: credential_id, weight: 0, models: ["other"] },
    ]);
    await ai.changeCredential({ credential_id, weight: null, models: null });
    expect((await ai.credentials({}))[1]).not.toHaveProperty("weight");
    await chat();
    await ai.removeCredential({ credential_id });
    await chat();
    const [third, fourth] = ["sk-second-00000000000002", "sk-third-000000000000003"];
    expect(seen).toEqual([first, third, fourth, fourth, fourth, first, first, fourth, first]);
    const audit = await portal.as(operator).users.audit({ limit: 1_000 });
    for (const text of [JSON.stringify(audit), JSON.stringify(await ai.credentials({}))])
      for (const value of known) expect(text).not.toContain(value);
  });

  it("make a provider of their own where the configuration has none", async () => {
    const { seen, address } = await openVendor(new Set(["sk-new-0000000000000001"]));
    const { ai, chat } = await openGateway(memoryStore(), address);
    const draft = { provider: "lab", kind: "openai", base_url: address, name: "a", value: "sk-new-0000000000000001" };
    const { id } = await ai.addCredential(draft);
    expect((await chat("lab/m")).choices[0]?.message.content).toBe("hi");
    expect(seen).toEqual(["sk-new-0000000000000001"]);
    await ai.removeCredential({ credential_id: id ?? "" });
    await expect(chat("lab/m")).rejects.toMatchObject({ code: "provider_not_found" });
  });

  it("are tested by asking the vendor for its models", async () => {
    const { address } = await openVendor(new Set(["sk-good-000000000000001"]));
    const { ai } = await openGateway(memoryStore(), address);
    const test = async (name: string, value: string) => {
      const { id } = await ai.addCredential({ provider: "vendor", name, value });
      return ai.testCredential({ credential_id: id ?? "" });
    };
    expect(await test("good", "sk-good-000000000000001")).toEqual({ outcome: "valid", models: 1 });
    const refused = await test("bad", "sk-bad-0000000000000001");
    expect(refused.outcome).toBe("refused");
    expect(refused.message).not.toContain("sk-bad");
    const { id } = await ai.addCredential({
      provider: "gone",
      kind: "openai",
      base_url: "http://127.0.0.1:9/v1",
      name: "a",
      value: "sk-x",
    });
    expect(await ai.testCredential({ credential_id: id ?? "" })).toMatchObject({ outcome: "failed" });
  });

  it("that cannot be used are refused by field, and nothing of them is stored", async () => {
    const { address } = await openVendor(new Set([first]));
    const { ai, chat, portal } = await openGateway(memoryStore(), address);
    const value = "sk-any-0000000000000001";
    const tries: readonly [object, string][] = [
      [{ provider: "vendor", name: "main", value }, "name"],
      [{ provider: "vendor", name: "a", value, base_url: address }, "base_url"],
      [{ provider: "vendor", name: "A b", value }, "name"],
      [{ provider: "local", name: "a", value }, "provider"],
      [{ provider: "none-such", name: "a", value }, "provider"],
      [{ provider: "lab", kind: "none-such", name: "a", value }, "kind"],
      [{ provider: "lab", kind: "openai", name: "a", value, base_url: "file:///etc" }, "base_url"],
      [{ provider: "vendor", name: "a", value, weight: -1 }, "weight"],
    ];
    for (const [input, param] of tries)
      await expect(ai.addCredential(input as never)).rejects.toMatchObject({ code: "invalid_request", param });
    expect(await ai.credentials({})).toHaveLength(1);
    await chat();
    const caller = { ...operator, scope: { reseller: "r" } } as typeof operator;
    const tenant = portal.as(caller).ai;
    expect(await tenant.credentials({})).toEqual([]);
    await expect(tenant.addCredential({ provider: "vendor", name: "b", value })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  it("that cannot be opened any more are shown as such and not used", async () => {
    const { address } = await openVendor(new Set([first]));
    const store = memoryStore();
    const draft = { provider: "vendor", name: "a", value: "sk-any-0000000000000001" };
    const { ai } = await openGateway(store, address);
    await ai.addCredential(draft);
    const other = await openGateway(store, address, "b".repeat(32));
    await other.chat();
    expect((await other.ai.credentials({}))[1]).toMatchObject({ name: "a", is_readable: false });
  });
});
