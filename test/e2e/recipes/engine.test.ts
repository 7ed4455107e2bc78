import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { memoryStore } from "tollgate/stores/memory";
import { scriptedEngine } from "tollgate/testing";
import { describe, expect, it } from "vitest";
import * as rag from "../../../examples/recipes/rag.ts";
import { readInvoice } from "../../../examples/recipes/structured.ts";
import { addTenant, askAs, bill } from "../../../examples/recipes/tenants.ts";
import { askWithTools } from "../../../examples/recipes/tools.ts";
import { buildIfNeeded, root } from "../packed.ts";
import { model, question, script } from "./serving.ts";

describe("recipes of the engine", () => {
  it("tools: the model's call is run, and what the tool throws is read by the model", async () => {
    const engine = scriptedEngine({
      [model]: [
        { kind: "answer", calls: [{ name: "weather", arguments: { city: "Paris" } }] },
        { kind: "answer", calls: [{ name: "weather", arguments: { city: "Rome" } }] },
        { kind: "answer", text: "It is 21 degrees." },
      ],
    });
    expect(await askWithTools(engine, "How warm is it in Rome?")).toMatchObject({
      text: "It is 21 degrees.",
      ended: "completed",
    });
    expect(engine.calls).toEqual([model, model, model]);
  });

  it("tools: a model that calls for ever is stopped", async () => {
    const engine = scriptedEngine({ [model]: [{ kind: "answer", calls: [{ name: "weather", arguments: {} }] }] });
    expect(await askWithTools(engine, "How warm is it?")).toMatchObject({ ended: "max_turns" });
    expect(engine.calls).toHaveLength(5);
  });

  it("structured output: a value that does not fit is repaired, or is a failure", async () => {
    const wrong = { kind: "answer", text: JSON.stringify({ number: "7", total: -1, currency: "EUR" }) } as const;
    const right = { kind: "answer", text: JSON.stringify({ number: "7", total: 12.5, currency: "EUR" }) } as const;
    const engine = scriptedEngine({ [model]: [wrong, right] });
    expect(await readInvoice(engine, "Invoice 7: 12.50 euros")).toEqual({ number: "7", total: 12.5, currency: "EUR" });
    expect(engine.calls).toEqual([model, model]);
    const hopeless = scriptedEngine({ [model]: [wrong] });
    await expect(readInvoice(hopeless, "Invoice 7")).rejects.toMatchObject({ code: "upstream_invalid_response" });
  });

  it("retrieval: embeds, takes the nearest, reranks them, and answers from the best", async () => {
    const engine = scriptedEngine({
      "openai/text-embedding-3-small": [
        {
          kind: "vectors",
          vectors: [
            [1, 0],
            [0.9, 0.1],
            [0, 1],
            [0.8, 0.2],
            [0.7, 0.3],
          ],
        }, // prettier than lines of one
        { kind: "vectors", vectors: [[1, 0]] },
      ],
      "cohere/rerank-v3.5": [{ kind: "scores", scores: [0.1, 0.9, 0.5, 0.7, 0] }],
      ...script,
    });
    const passages = await rag.index(engine, ["a", "b", "c", "d", "e"]);
    const { text, sources } = await rag.answer(engine, passages, question);
    expect(text).toBe("A fee for the road.");
    expect(sources).toEqual(["b", "e", "d"]); // near are a b d e c; the reranker's scores are of that order
  });

  it("retrieval: more texts than one call takes are embedded in order", async () => {
    const steps = [0, 1].map((step) => ({ kind: "vectors" as const, vectors: [[step, 1 - step]] }));
    const engine = scriptedEngine({ "openai/text-embedding-3-small": steps });
    const passages = await rag.index(
      engine,
      Array.from({ length: 150 }, (_each, at) => `${at}`),
    );
    expect(passages.map(({ vector }) => vector[0])).toEqual([...Array(100).fill(0), ...Array(50).fill(1)]);
    expect(engine.calls).toHaveLength(2);
  });

  it("tenants: each has its key, its budget and its bill", async () => {
    const engine = scriptedEngine(script, { store: memoryStore() });
    const from = engine.clock.now();
    const [one, other] = [await addTenant(engine, "one"), await addTenant(engine, "other")];
    expect(await askAs(engine, one.value, question)).toEqual({ text: "A fee for the road." });
    expect(await askAs(engine, "sk-tg-wrong", question)).toEqual({ refused: "virtual_key_not_found" });
    await engine.customers.update(other.customerId, {
      budgets: [{ max_limit: 0.000_000_001, reset_duration: "1M", enforcement: "hard" }],
    });
    expect(await askAs(engine, other.value, question)).toEqual({ refused: "budget_exceeded" });
    const bills = await bill(engine, from, engine.clock.now() + 1);
    expect(bills.find(({ customer }) => customer === one.customerId)).toMatchObject({ requests: 1 });
    expect(bills.find(({ customer }) => customer === other.customerId)?.cost ?? 0).toBe(0);
  });

  it.each([
    ["unit-test", 2],
    ["test-tools", 3],
    ["test-fallback", 3],
    ["test-decision", 3],
  ])("%s: runs under Node's own runner, without waiting", (name, count) => {
    buildIfNeeded();
    const { NODE_OPTIONS, VITEST, ...env } = process.env;
    const line = ["--test", "--test-reporter=tap", join(root, `examples/recipes/${name}.ts`)];
    const { stdout, status } = spawnSync(process.execPath, line, { cwd: root, env, encoding: "utf8", timeout: 60_000 });
    expect(stdout).toContain(`# pass ${count}`);
    expect(stdout).toContain("# fail 0");
    expect(status).toBe(0);
  });
});
