import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../../../src/cli/run-program.ts";
import { createRenewal, openRenewable } from "../../../../../src/server/store/prices/follow-prices.ts";
import { fakeTerminal } from "../../../../cli/support/fake-terminal.ts";

const price = (input: number) => ({ input_cost_per_token: input, output_cost_per_token: 2 * input });
const list = {
  "lab/a": price(1e-6),
  "lab/b": price(2e-6),
  "lab/c": price(3e-6),
  "lab/d": price(4e-6),
  "lab/e": price(5e-6),
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-sync-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server of one document, which the test replaces. */
async function serveDocument(first: unknown) {
  const document = {
    body: JSON.stringify(first),
    status: 200,
    etag: undefined as string | undefined,
    requests: 0,
    sent: 0,
  };
  const server = createServer((request, response) => {
    document.requests += 1;
    if (document.etag !== undefined) response.setHeader("etag", document.etag);
    if (document.etag !== undefined && request.headers["if-none-match"] === document.etag) {
      response.writeHead(304).end();
      return;
    }
    document.sent += 1;
    response.writeHead(document.status, { "content-type": "application/json" }).end(document.body);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { document, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json?token=secret` };
}

async function run(folder: string, ...words: string[]) {
  const terminal = fakeTerminal({ folder, now: () => Date.parse("2026-11-20T12:00:00Z") });
  return { code: await runProgram(["price", ...words], terminal, () => "1"), ...terminal.written };
}

describe("tollgate price sync", () => {
  it("writes the list of an address, and says what has changed since", async () => {
    const folder = newFolder();
    const { document, address } = await serveDocument(list);
    const first = await run(folder, "sync", address);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/^prices\.json: 5 models from http:\S+\/prices\.json; the file is new\. Prices: \S+\n$/);
    expect(first.out).not.toContain("secret");
    const next: Record<string, unknown> = { ...list, "lab/a": price(9e-6), "lab/f": price(1e-6) };
    delete next["lab/e"];
    document.body = JSON.stringify(next);
    expect((await run(folder, "sync", address)).out).toContain("; 1 new, 1 gone, 1 at other prices.");
    expect(JSON.parse(readFileSync(join(folder, "prices.json"), "utf8"))).toEqual(next);
    expect(readdirSync(folder)).toEqual(["prices.json"]);
  });

  it("takes the formats of LiteLLM and models.dev", async () => {
    const folder = newFolder();
    const common = {
      "gpt-x": { litellm_provider: "openai", mode: "chat", ...price(1e-6) },
      rules: { fallback: "gpt-x" },
    };
    writeFileSync(join(folder, "common.json"), JSON.stringify(common));
    const taken = await run(folder, "sync", "common.json");
    expect(taken.out).toContain("1 models");
    expect(taken.err).toContain("left out what is no model: rules");
    const dev = { google: { models: { "gemini-x": { cost: { input: 1, output: 4 } } } } };
    writeFileSync(join(folder, "dev.json"), JSON.stringify(dev));
    expect((await run(folder, "sync", "dev.json", "--file", "other.json")).code).toBe(0);
    writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify({ discover: false, prices: "other.json" }));
    expect((await run(folder, "gemini/gemini-x")).out).toMatch(/output_cost_per_token +\$4 +per million/);
  });

  it.each([
    { what: "no JSON", body: "<html>", words: "holds no JSON" },
    { what: "an array", body: "[]", words: "holds no prices by model" },
    { what: "an error", body: "{}", status: 503, words: "status 503" },
    { what: "a negative price", body: '{"lab/a":{"input_cost_per_token":-1}}', words: "lab/a" },
    { what: "a misspelled rate", body: '{"lab/a":{"input_cost_per_tokens":1}}', words: "did you mean" },
  ])("refuses $what, and leaves the file", async ({ body, status = 200, words }) => {
    const folder = newFolder();
    const { document, address } = await serveDocument(list);
    await run(folder, "sync", address);
    Object.assign(document, { body, status });
    const { code, err } = await run(folder, "sync", address);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toContain("secret");
    expect(JSON.parse(readFileSync(join(folder, "prices.json"), "utf8"))).toEqual(list);
  });

  it("refuses a list that lacks more than a fifth of the models, unless it is forced", async () => {
    const folder = newFolder();
    const { document, address } = await serveDocument(list);
    await run(folder, "sync", address);
    document.body = JSON.stringify({ "lab/a": price(1e-6) });
    const { code, err } = await run(folder, "sync", address);
    expect([code, err.includes("lacks 4 of the 5 models")]).toEqual([2, true]);
    expect((await run(folder, "sync", address, "--force")).code).toBe(0);
  });
});

describe("tollgate price diff", () => {
  it("names each rate that differs, and the models of one list only", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "a.json"), JSON.stringify(list));
    writeFileSync(join(folder, "b.json"), JSON.stringify({ ...list, "lab/a": price(1.5e-6), "lab/z": price(1e-6) }));
    const { code, out } = await run(folder, "diff", "a.json", "b.json");
    expect(code).toBe(1);
    expect(out).toMatch(/lab\/a +input_cost_per_token +0\.000001 +0\.0000015 +\+50 %/);
    expect(out).toContain("2 rates of 1 models differ; 0 models are only in a.json, 1 only in b.json.");
    expect(await run(folder, "diff", "a.json", "a.json")).toMatchObject({ code: 0 });
  });

  it("compares with the built-in prices by default", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "a.json"), JSON.stringify({ "anthropic/claude-sonnet-5": price(1e-6) }));
    const { out } = await run(folder, "diff", "a.json", "--json");
    const { changed, removed } = JSON.parse(out) as { changed: { rate: string }[]; removed: string[] };
    expect(removed).toEqual([]);
    expect(changed.map(({ rate }) => rate)).toContain("cache_read_input_token_cost");
  });
});

describe("prices that are read again", () => {
  const log = () => {
    const lines: string[] = [];
    const write = (level: string) => (_: object, text: string) => void lines.push(`${level}: ${text}`);
    return { lines, log: { info: write("info"), error: write("error") } as never };
  };

  it("apply from the next look on, and facts name the version that they are of", async () => {
    const folder = newFolder();
    const file = join(folder, "prices.json");
    writeFileSync(file, JSON.stringify(list));
    const renewable = await openRenewable({ prices: "prices.json", file: undefined, folder, like: {} }, 30);
    const { prices } = renewable;
    const before = prices.find("lab", "a", 0);
    expect(prices.find("lab", "a", 0)).toBe(before);
    const { lines, log: logger } = log();
    const look = createRenewal(renewable, logger);
    await look();
    expect(lines).toEqual([]);
    const former = prices.version;
    writeFileSync(file, JSON.stringify({ ...list, "lab/a": price(7e-6) }));
    await look();
    expect(lines).toEqual(["info: new prices"]);
    expect(prices.version).not.toBe(former);
    expect(before?.version).toBe(former);
    expect(prices.find("lab", "a", 0)).toMatchObject({ version: prices.version, rates: price(7e-6) });
  });

  it("stay as they are while the source cannot be used, which is logged once", async () => {
    const folder = newFolder();
    const file = join(folder, "prices.json");
    writeFileSync(file, JSON.stringify(list));
    const renewable = await openRenewable({ prices: "prices.json", file: undefined, folder, like: {} }, 30);
    const { lines, log: logger } = log();
    const look = createRenewal(renewable, logger);
    writeFileSync(file, "{");
    await look();
    await look();
    expect(lines).toEqual(["error: the prices stay as they are"]);
    expect(renewable.prices.find("lab", "a", 0)?.rates).toEqual(list["lab/a"]);
    writeFileSync(file, JSON.stringify(list));
    utimesSync(file, 1, 1);
    await look();
    expect(lines).toHaveLength(1); // the same prices: nothing to report
  });

  it("come from an address, which is asked for what is new only", async () => {
    const { document, address } = await serveDocument(list);
    document.etag = '"1"';
    const renewable = await openRenewable(
      { prices: address, file: undefined, folder: newFolder(), like: {} },
      undefined,
    );
    expect(renewable.intervalMs).toBe(3_600_000);
    expect(await renewable.renew()).toBe(false);
    expect(document).toMatchObject({ requests: 2, sent: 1 });
    Object.assign(document, { etag: '"2"', body: JSON.stringify({ "lab/a": price(8e-6) }) });
    expect(await renewable.renew()).toBe(true);
    expect(renewable.prices.find("lab", "a", 0)?.rates).toEqual(price(8e-6));
  });

  it("are never read again where they stand in the configuration or in a module", async () => {
    const folder = newFolder();
    const open = (prices: never, seconds?: number) =>
      openRenewable({ prices, file: undefined, folder, like: {} }, seconds);
    expect((await open(list as never)).intervalMs).toBeUndefined();
    writeFileSync(join(folder, "p.json"), "{}");
    expect((await open("p.json" as never, 0)).intervalMs).toBeUndefined();
    expect((await open("p.json" as never)).intervalMs).toBe(30_000);
  });
});
