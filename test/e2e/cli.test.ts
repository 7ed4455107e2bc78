import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBroken } from "../http/support/broken-body.ts";
import { canary, endAll, everythingPrinted, type RunOptions, start } from "./command-line.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-cli-"));

/** A vendor that refuses every key, and repeats it in its words. */
const vendor = createServer((request, response) => {
  response.writeHead(401, { "content-type": "application/json" });
  const message = `Incorrect API key provided: ${request.headers.authorization}`;
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: "invalid_api_key" } }));
});
let vendorUrl = "";

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  endAll();
  vendor.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

async function run(line: readonly string[], options: Omit<RunOptions, "folder"> = {}) {
  const started = start(line, { folder, ...options });
  const exitCode = await started.ended;
  return { exitCode, out: started.out(), err: started.err(), pieces: started.pieces() };
}

/** A server that is ready, and its address. */
async function serve(...line: string[]) {
  const server = start(["serve", "--port", "0", "--no-store", ...line], {
    folder,
    env: { OPENAI_API_KEY: canary, OPENAI_BASE_URL: vendorUrl },
  });
  const [, address = ""] = await server.until(/Listening on (http:\S+)\. /);
  return { ...server, address };
}

function ask(address: string, stream: boolean, model = "local/echo"): Promise<Response> {
  return fetch(`${address}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "one two three four five" }] }),
  });
}

const modelsOf = (name: string) => `${name}/bm25\n${name}/echo\n${name}/hybrid\n${name}/minilm-l6-v2\n`;

describe("tollgate serve", () => {
  it("prints what it found and a curl line that answers, logs JSON, and ends with 0 at SIGTERM", async () => {
    const server = await serve();
    expect(server.err()).toMatch(
      / {2}openai +OPENAI_API_KEY, OPENAI_BASE_URL +http:\S+ +…t-me +chat stream embed decide models\n {2}local /,
    );
    const [curl = ""] = await server.until(/^ {2}curl .*$/m);
    const answer = JSON.parse(execFileSync("sh", ["-c", curl], { encoding: "utf8" }));
    expect(answer.choices[0].message.content).toContain("You said: Hello there");
    expect((await ask(server.address, false, "openai/gpt-5")).status).toBe(502);
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const lines = server
      .out()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg, status }) => [msg, status])).toEqual([
      ["listening", undefined],
      ["chat_completion", 200],
      ["chat_completion", 502],
      ["draining", undefined],
      ["stopped", undefined],
    ]);
  });

  it("finishes a stream that is under way at SIGTERM, and takes nothing new", async () => {
    const server = await serve("--config", write("slow.yaml", "providers: { local: { pauseMs: 40 } }"));
    const response = await ask(server.address, true);
    server.process.kill("SIGTERM");
    await server.until(/Finishing 1 request/);
    await expect(fetch(`${server.address}/health`)).rejects.toThrow();
    const text = await response.text();
    expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
    expect(await server.ended).toBe(0);
  });

  it("ends a stream with an error, never as if it were whole, when the grace is over", async () => {
    const config = write("slower.yaml", "providers: { local: { pauseMs: 2000 } }");
    const server = await serve("--config", config, "--grace", "100ms");
    const response = await ask(server.address, true);
    server.process.kill("SIGINT");
    const text = await readBroken(response);
    expect(text).toContain('"type":"shutting_down"');
    expect(text).not.toContain("[DONE]");
    expect(await server.ended).toBe(0);
  });

  it("ends at once at a second signal", async () => {
    const server = await serve("--config", "slower.yaml");
    const response = await ask(server.address, true);
    server.process.kill("SIGTERM");
    await server.until(/Finishing 1 request/);
    const again = setInterval(() => server.process.kill("SIGTERM"), 100);
    expect(await server.ended).toBe(143);
    clearInterval(again);
    await expect(response.text()).rejects.toThrow();
  });

  it("says in a sentence that its port is taken", async () => {
    const { port } = vendor.address() as AddressInfo;
    const { exitCode, out, err } = await run(["serve", "--port", String(port)]);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
    expect(err).toMatch(new RegExp(`^tollgate: Port ${port} on 127.0.0.1 is taken\\. Choose another one.*\\n$`));
  });

  it("warns when others can reach it", async () => {
    const server = await serve("--host", "0.0.0.0", "--log-level", "silent");
    expect(server.err()).toContain("WARNING: inference is open without a key");
    expect((await ask(server.address, false)).status).toBe(200);
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.out()).toBe("");
  });
});

describe("tollgate chat, models, plan", () => {
  it("streams to stdout, tells the usage on stderr", async () => {
    write("tollgate.config.json", '{ "providers": { "local": { "pauseMs": 20 } } }');
    const { exitCode, out, err, pieces } = await run(["chat", "local/echo", "Hello there"]);
    rmSync(join(folder, "tollgate.config.json"));
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: "This is an echo, no model was asked. You said: Hello there\n",
    });
    expect(err).toMatch(/^\[local\/echo, 2 tokens in, 12 out \(estimated\), \$0, \d+ ms\]\n$/);
    expect(pieces).toBeGreaterThan(5);
  });

  it("reads a prompt from a pipe", async () => {
    expect((await run(["chat", "local/echo", "--no-stream"], { input: "piped" })).out).toContain("You said: piped\n");
  });

  it("fails with 1 and the reason, in words of ours, without the key that the vendor repeats", async () => {
    const env = { OPENAI_API_KEY: canary, OPENAI_BASE_URL: vendorUrl };
    const { exitCode, err } = await run(["chat", "openai/gpt-5", "Hi"], { env });
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /^tollgate: openai.*Every credential of openai was refused.* \(502 upstream_credentials_exhausted\)\n$/,
    );
  });

  it("lists models, and names the provider that fails", async () => {
    const { exitCode, out, err } = await run(["models"], {
      env: { OPENAI_API_KEY: canary, OPENAI_BASE_URL: vendorUrl },
    });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: modelsOf("local") });
    expect(err).toMatch(/^tollgate: The models of openai are missing: .*$/m);
  });

  it("plans", async () => {
    const { exitCode, out } = await run(["plan", "openai/gpt-5", "-f", "local/echo"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Candidates, in order:\n  1.  local/echo\n");
  });

  it("ends quietly when nobody reads on", () => {
    const bin = join(root, "dist/bin.js");
    const shell = `"${process.execPath}" "${bin}" models --json | true`;
    const { stderr } = spawnSync("sh", ["-c", shell], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
  });
});

describe("configuration files in TypeScript", () => {
  const project = join(folder, "project");

  it("are read by Node itself, with providers as objects", async () => {
    mkdirSync(join(project, "node_modules"), { recursive: true });
    symlinkSync(root, join(project, "node_modules/tollgate"));
    write(
      "project/tollgate.config.ts",
      'import { local } from "tollgate/providers/local";\nconst name: string = "mine";\nexport default { providers: [local({ name })] };',
    );
    const { process: _child, ...models } = start(["models"], { folder: project });
    expect({ exitCode: await models.ended, out: models.out(), err: models.err() }).toEqual({
      exitCode: 0,
      out: modelsOf("local") + modelsOf("mine"),
      err: "",
    });
  });

  it.each([
    [
      "import.ts",
      'import { local } from "tollgate/providers/local"; export default { providers: [local()] };',
      /imports tollgate, which is not installed in its folder: run npm install tollgate there\./,
    ],
    ["enum.ts", "enum A { b } export default { server: { port: A.b } };", /^tollgate: enum\.ts fails: .*enum/],
    ["throws.ts", "throw new Error(process.env.CANARY_API_KEY)", /^tollgate: throws\.ts fails: \[redacted\]\.$/m],
  ])("that fail say so in a line: %s", async (name, text, message) => {
    const { exitCode, err } = await run(["plan", "local/echo", "-c", write(name, text)]);
    expect(exitCode).toBe(1);
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("and the others of examples/ work", async () => {
    const env = Object.fromEntries(
      ["OPENAI_API_KEY", "OPENAI_BATCH_KEY", "ANTHROPIC_API_KEY", "GROQ_API_KEY"].map((name) => [name, canary]),
    );
    const plans = { ts: "clock/utc", yaml: "openai-batch/gpt-5", json: "anthropic/claude-sonnet-5" };
    for (const [ending, model] of Object.entries(plans)) {
      const { exitCode, out, err } = await run(
        ["plan", model, "-c", join(root, `examples/tollgate.config.${ending}`)],
        { env },
      );
      expect({ exitCode, out, err }).toEqual({ exitCode: 0, out: `Candidates, in order:\n  1.  ${model}\n`, err: "" });
    }
  });
});

it("--help loads little more than what it prints", () => {
  const tell = "(url, context, next) => (console.error(url), next(url, context))";
  const hook = `import { registerHooks } from "node:module"; registerHooks({ load: ${tell} });`;
  const line = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, join(root, "dist/bin.js"), "--help"];
  const { status, stderr } = spawnSync(process.execPath, line, { encoding: "utf8" });
  const files = stderr.split("\n").filter((url) => url.startsWith("file:"));
  const bytes = files.map((url) => statSync(new URL(url)).size).reduce((sum, size) => sum + size, 0);
  expect([status, files.length > 5]).toEqual([0, true]);
  expect(bytes).toBeLessThan(200_000); // 135 KB; zod alone has 500
});

it("no run printed the key", () => {
  expect(everythingPrinted()).toContain("[redacted]");
  expect(everythingPrinted()).not.toContain(canary);
});
