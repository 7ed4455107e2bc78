import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../src/cli/run-program.ts";
import { fakeTerminal } from "../cli/support/fake-terminal.ts";

const name = "tollgate.config.yaml";

/** Checks a configuration in a folder of its own: the exit code, what was said, and what is in the folder afterwards. */
async function check(text: string, env: Record<string, string> = {}, ...line: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  const terminal = fakeTerminal({ folder, env });
  const code = await runProgram(["serve", "--check", ...line], terminal, () => "1");
  return { code, ...terminal.written, files: readdirSync(folder) };
}

const secret = { TOLLGATE_SECRET: "0123456789abcdef0123456789abcdef" };

describe("serve --check", () => {
  it("tells the providers of a good configuration, where it would listen and keep, and makes nothing", async () => {
    const { code, out, err, files } = await check("discover: false\nserver: { port: 9000 }");
    expect({ code, err, files }).toEqual({ code: 0, err: "", files: [name] });
    expect(out.split("\n")).toEqual([
      "tollgate has 1 provider (settings from tollgate.config.yaml):",
      "  PROVIDER  FOUND IN  ADDRESS  KEY  OFFERS",
      "  local     built in  -        -    chat stream embed rerank decide models",
      "",
      "The configuration is valid. tollgate would listen on http://127.0.0.1:9000; keys and ledger would be in tollgate.db.",
      "No provider, database, Redis server or back end was contacted.",
      "",
    ]);
  });

  it("finds the example good, whose keys are in the environment, and shows none of them", async () => {
    const example = readFileSync(new URL("../../examples/tollgate.config.yaml", import.meta.url), "utf8");
    const env = { OPENAI_API_KEY: "sk-example-0123456789", OPENAI_BATCH_KEY: "sk-batch-0123456789" };
    const { code, out, err } = await check(example, env);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("…6789");
    expect(out).not.toContain("sk-example");
    expect((await check(example, { OPENAI_API_KEY: "sk-example-0123456789" })).err).toContain("OPENAI_BATCH_KEY");
  });

  it("asks no server: those of a good configuration need not be there", async () => {
    const shared = [
      "discover: false",
      'store: "postgres://u:hush-hush@127.0.0.1:1/gateway"',
      'counters: "redis://127.0.0.1:1"',
      'cache: { answers: "redis://127.0.0.1:1", vectors: "postgres://127.0.0.1:1/gateway", embed: local/embed }',
      'regions: { eu-1: { openstack: { authUrl: "http://127.0.0.1:1/v3", username: a, password: b } } }',
    ].join("\n");
    const { code, out, err } = await check(shared, secret);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("keys and ledger would be in postgres://u@127.0.0.1:1/gateway.");
    expect(out).not.toContain("hush-hush");
    expect((await check(shared)).err).toContain("TOLLGATE_SECRET");
  });

  it("looks at no port: the gateway may be running", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await check(`discover: false\nmetrics: { port: ${port} }`, {}, "--port", `${port}`)).toMatchObject({
      code: 0,
    });
  });

  it("says nothing of what is good where the place to listen at is not", async () => {
    const { code, out, err } = await check("discover: false", {}, "--host", "bad host");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^tollgate: Unknown host bad host\./);
  });

  it.each([
    ["prot: 1", "`prot` is not a setting"],
    ["server: { port: env:NOBODY }", "`server.port` refers to the environment variable NOBODY, which is not set."],
    ["rules: [{ name: a, use: { model: nobody } }]", "`rules.0.use.model`"],
    ['prices: { lab/m: { input_cost_per_token: "free" } }', "The price of lab/m cannot be used"],
    ["providers: { openai: {} }", "`providers.openai.apiKey` is missing"],
    [
      "regions: { eu-1: { opnstack: {} } }",
      "`regions.eu-1.opnstack` is not a kind of back end; did you mean `openstack`?",
    ],
    ["regions: { eu-1: { local: { seed: none.json } } }", "`regions.eu-1.local.seed` names"],
    ["backupPolicies: { daily: { schedule: now } }", "`backupPolicies.daily"],
    ["requireKey: true\nstore: false", "`requireKey` requires a store."],
  ])("names the file and the field of what is wrong: %s", async (line, problem) => {
    const { code, out, err, files } = await check(`discover: false\n${line}`);
    expect({ code, out, files }).toEqual({ code: 1, out: "", files: [name] });
    expect(err).toMatch(/^tollgate: tollgate\.config\.yaml: /);
    expect(err).toContain(problem);
  });
});
