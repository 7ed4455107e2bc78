import { expect, it } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import { local } from "../../../adapters/providers/local/index.ts";
import { embeddedVectors } from "../../../adapters/vectors/embedded/index.ts";
import { createEngine } from "../../../src/index.ts";

/** More words than `minilm-l6-v2` reads: what stands behind them is not in the vector. */
const long =
  "The lighthouse stood on the northern cliff above the harbour and its keeper lit the lamp every evening while ships passed below. ".repeat(
    18,
  );

it("two orders behind one text that the embedding model cannot read whole are two questions", async () => {
  const cache = { answers: memoryCache(), vectors: embeddedVectors(), embed: "local/minilm-l6-v2", threshold: 0.999 };
  const engine = createEngine({ providers: [local()], cache });
  const ask = async (text: string) => {
    const { choices, extra_fields } = await engine.chat({
      model: "local/echo",
      messages: [{ role: "user", content: long + text }],
    });
    return [extra_fields?.cache_debug?.cache_hit, choices[0]?.message.content];
  };
  await ask("Delete it.");
  const [isHit, content] = await ask("Publish it.");
  expect(isHit).not.toBe(true);
  expect(content).toContain("Publish it.");
  await engine.close();
});

it("a text that the embedding model does not read whole is named in a warning, or refused", async () => {
  const engine = createEngine({ providers: [local()] });
  const asked = { model: "local/minilm-l6-v2", input: [long + long, "short"] };
  const { extra_fields } = await engine.embed(asked);
  expect(extra_fields?.warnings?.join()).toMatch(/`input(\.|\[)?0/);
  await expect(engine.embed({ ...asked, truncate: "none" })).rejects.toMatchObject({ code: "invalid_request" });
  await engine.close();
});
