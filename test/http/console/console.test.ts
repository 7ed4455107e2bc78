import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConsoleFiles } from "../../../src/http/console/index.ts";
import { createListener } from "../../../src/http/server/node.ts";
import { engineDouble } from "../support/engine-double.ts";
import { express } from "../support/express.ts";
import { connectRaw, serve, stillClock } from "../support/server.ts";

const script = "export const answer = 42;\n".repeat(40);
const page =
  '<!doctype html><base href="/__base__/"><meta name="tollgate-api" content="__api__"><script type="module" src="./assets/main-abc.js"></script>';
let files: ConsoleFiles;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "console-"));
  const put = (name: string, text: string, type: string) => {
    const path = join(folder, name.replace("assets/", "assets-"));
    writeFileSync(`${path}.br`, brotliCompressSync(text));
    writeFileSync(`${path}.gz`, gzipSync(text));
    const sha256 = createHash("sha256").update(text).digest("hex");
    return { path: name.replace("assets/", "assets-"), type, size: text.length, sha256 };
  };
  writeFileSync(join(folder, "secret.txt.gz"), gzipSync("not listed"));
  files = {
    folder,
    manifest: [
      put("index.html", page, "text/html; charset=utf-8"),
      put("assets/main-abc.js", script, "text/javascript; charset=utf-8"),
    ],
  };
});
afterAll(() => rmSync(files.folder, { recursive: true }));

const listener = (options: { prefix?: string; portalAtRoot?: boolean } = {}) =>
  createListener({ engine: engineDouble({}), clock: stillClock, console: files, ...options });
const asset = "/console/assets-main-abc.js";

test("the page is asked for each time, runs only its own scripts and makes no markup of texts", async () => {
  await using server = await serve(listener());
  const answer = await fetch(`${server.url}/console/`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
    expect(policy.split("; ")).toContain(rule);
  expect(policy).not.toMatch(/unsafe|\*|http/);
  expect(await answer.text()).toContain('<base href="/console/"><meta name="tollgate-api" content="../">');
});

test("a path of the app without an ending gets the page, a file that there is not gets 404", async () => {
  await using server = await serve(listener());
  for (const path of ["/console", "/console/", "/console/ai/requests", "/console/ai/requests/evt_1?tab=bill"])
    expect((await fetch(server.url + path)).headers.get("content-type"), path).toContain("text/html");
  for (const path of ["/console/assets-gone.js", "/console/secret.txt", "/console/ai/x.css"])
    expect((await fetch(server.url + path)).status, path).toBe(404);
});

test("a file is kept for a year and is the same whatever compression the client takes", async () => {
  await using server = await serve(listener());
  for (const [accepted, coding] of [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["identity", null],
  ] as const) {
    const answer = await fetch(server.url + asset, { headers: { "accept-encoding": accepted } });
    expect(answer.headers.get("content-encoding"), accepted).toBe(coding);
    expect(await answer.text(), accepted).toBe(script);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(20);
  }
});

test("a client that has the file gets 304 without a body", async () => {
  await using server = await serve(listener());
  const headers = { "accept-encoding": "br" };
  const etag = (await fetch(server.url + asset, { headers })).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}-br"$/);
  const again = await fetch(server.url + asset, { headers: { ...headers, "if-none-match": `"x", W/${etag}` } });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  const other = await fetch(server.url + asset, { headers: { "accept-encoding": "gzip", "if-none-match": etag } });
  expect(other.status).toBe(200);
});

test("HEAD tells what GET would send", async () => {
  await using server = await serve(listener());
  const headers = { "accept-encoding": "br" };
  const head = await fetch(server.url + asset, { method: "HEAD", headers });
  const get = await fetch(server.url + asset, { headers });
  for (const name of ["etag", "content-type", "content-length", "cache-control"])
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
});

test.each([
  "/console/../package.json",
  "/console/%2e%2e/package.json",
  "/console/..%2f..%2fetc%2fpasswd",
  "/console/assets-main-abc.js%00.js",
  "/console//etc/passwd.txt",
])("nothing outside the manifest is read: %s", async (path) => {
  await using server = await serve(listener());
  const { over } = connectRaw(server.port, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  expect(await over).toMatch(/^HTTP\/1\.1 (?:404|400) /);
});

test("the page knows where it is mounted: a prefix, and what Express takes off", async () => {
  await using prefixed = await serve(listener({ prefix: "/a/b" }));
  expect(await (await fetch(`${prefixed.url}/a/b/console/ai/keys`)).text()).toContain('<base href="/a/b/console/">');
  const app = express();
  app.use("/ai", listener());
  app.get("/", (_req, res) => void res.send("home"));
  await using mounted = await serve(app);
  expect(await (await fetch(`${mounted.url}/ai/console/`)).text()).toContain('<base href="/ai/console/">');
  expect(await (await fetch(`${mounted.url}/`)).text()).toBe("home");
});

test("the page of a portal under /api only calls it there", async () => {
  await using server = await serve(listener({ portalAtRoot: false }));
  expect(await (await fetch(`${server.url}/console/`)).text()).toContain('content="../api/"');
});

test("the gateway's address sends a browser to the console, and nobody else", async () => {
  await using server = await serve(listener({ prefix: "/gw" }));
  const browser = { headers: { accept: "text/html,application/xhtml+xml" }, redirect: "manual" } as const;
  const answer = await fetch(`${server.url}/gw/`, browser);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/gw/console/"]);
  expect((await fetch(`${server.url}/gw/`)).status).toBe(404);
});

test("without `console` there is none", async () => {
  await using server = await serve(createListener({ engine: engineDouble({}), clock: stillClock }));
  for (const path of ["/console", "/console/", "/"])
    expect((await fetch(server.url + path, { headers: { accept: "text/html" } })).status).toBe(404);
});
