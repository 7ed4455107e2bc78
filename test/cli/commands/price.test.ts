import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

/** What `tollgate price` says, and its exit code, where a server of one's own has one price for all of its models. */
async function priceOf(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-price-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const rates = "{ input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }";
  const half =
    "lab/half: { input_cost_per_token: 1e-6 }, lab/free: { input_cost_per_token: 1e-6, output_cost_per_token: 0 }";
  const other = "lab/cached: { cache_read_input_token_cost: 1e-7 }, lab/by-request: { input_cost_per_request: 0.01 }";
  const rare =
    "lab/rare: { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6, input_cost_per_character: 3.125e-8, " +
    "input_cost_per_audio_per_second_above_128k_tokens: 0.0000625, input_cost_per_token_above_128k_tokens: 4e-6 }";
  const text = `discover: false\nprices: { lab/*: ${rates}, lab/own: ${rates}, ${half}, ${other}, ${rare} }`;
  writeFileSync(join(folder, "tollgate.config.yaml"), text);
  const terminal = fakeTerminal({ folder });
  return { code: await runProgram(["price", name], terminal, () => "1"), ...terminal.written };
}

describe("a price for all models of a provider", () => {
  it("is that of any name at this provider, and of a name without one", async () => {
    for (const name of ["lab/any", "lab/deep/any", "any"]) {
      const { code, out } = await priceOf(name);
      expect([name, code, out.includes("$1  per million tokens")]).toEqual([name, 0, true]);
    }
  });

  it("is not that of a model at another provider, whose bills say that it has none", async () => {
    const { code, out, err } = await priceOf("lab2/any");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("No price of lab2/any is known.");
  });

  it("leaves a name with a slash to the providers that list it", async () => {
    const { code, out } = await priceOf("meta-llama/Llama-3.3-70B-Instruct-Turbo");
    expect([code, out.includes("together/meta-llama"), out.includes("lab/")]).toEqual([0, true, false]);
  });
});

it("half a price of a chat model is told as what bills make of it: none", async () => {
  const { code, out, err } = await priceOf("lab/half");
  expect([code, out.includes("$1  per million tokens")]).toEqual([1, true]);
  expect(err).toContain("lab/half has no output_cost_per_token: chats of it are unpriced");
  expect(await priceOf("lab/free")).toMatchObject({ code: 0, err: "" });
});

it("a chat model with other rates than those of its tokens is told as unpriced, as its bills have it", async () => {
  const { code, err } = await priceOf("lab/cached");
  expect(code).toBe(1);
  expect(err).toContain(
    "lab/cached has no input_cost_per_token and no output_cost_per_token: chats of it are unpriced",
  );
  expect(await priceOf("lab/by-request")).toMatchObject({ code: 0, err: "" });
});

it("rates are told to the last digit, and with the unit that they are for", async () => {
  const { out } = await priceOf("lab/rare");
  expect(out).toMatch(/^ {2}input_cost_per_character +\$0\.00000003125 +each$/m);
  expect(out).toMatch(/^ {2}input_cost_per_audio_per_second_above_128k_tokens +\$0\.0000625 +each$/m);
  expect(out).toMatch(/^ {2}input_cost_per_token_above_128k_tokens +\$4 +per million tokens$/m);
});

describe("price list", () => {
  async function list(...words: string[]) {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-price-list-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const rates = (input: number) => `{ mode: chat, input_cost_per_token: ${input}, output_cost_per_token: 2e-6 }`;
    const own = `{ lab/a: ${rates(3e-6)}, lab/b: ${rates(1e-6)}, lab/c: { mode: embedding } }`;
    writeFileSync(join(folder, "tollgate.config.yaml"), `discover: false\nprices: ${own}`);
    const terminal = fakeTerminal({ folder });
    return { code: await runProgram(["price", "list", ...words], terminal, () => "1"), ...terminal.written };
  }
  const namesIn = (out: string) => [...out.matchAll(/^ +(\S+\/\S+)/gm)].map(([, name]) => name);

  it("prints the models of the price list by name, with the rates of text", async () => {
    const { code, out, err } = await list("--provider", "lab");
    expect({ code, err, names: namesIn(out) }).toEqual({ code: 0, err: "", names: ["lab/a", "lab/b", "lab/c"] });
    expect(out).toMatch(/lab\/a +chat +3 +2\n/);
    expect(out).toMatch(/lab\/c +embedding +- +-\n/);
  });

  it("takes filters, search, order and pages, and says how to go on", async () => {
    expect(namesIn((await list("--provider", "lab", "--unpriced")).out)).toEqual(["lab/c"]);
    expect(namesIn((await list("--provider", "lab", "--mode", "chat")).out)).toEqual(["lab/a", "lab/b"]);
    expect(namesIn((await list("--provider", "lab", "--search", "EMB")).out)).toEqual(["lab/c"]);
    const first = await list("--provider", "lab", "--sort=-input_cost_per_token", "--limit", "1");
    expect(namesIn(first.out)).toEqual(["lab/a"]);
    const after = /--after (\S+)/.exec(first.err)?.[1] ?? "";
    const second = await list("--provider", "lab", "--sort=-input_cost_per_token", "--limit", "1", "--after", after);
    expect(namesIn(second.out)).toEqual(["lab/b"]);
    const { out } = await list("--provider", "lab", "--json", "--limit", "1");
    expect(JSON.parse(out)).toMatchObject([{ id: "lab/a", is_priced: true, input_cost_per_token: 3e-6 }]);
  });

  it("refuses an order by what no model has, and a page that is none", async () => {
    expect(await list("--sort", "colour")).toMatchObject({ code: 1, err: expect.stringContaining("colour") });
    expect(await list("--after", "x")).toMatchObject({ code: 1, err: expect.stringContaining("after") });
  });
});
