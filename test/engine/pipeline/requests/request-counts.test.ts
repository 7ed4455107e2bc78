import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";

it("a request that falls back under an entry for `*` counts once at it, and is not refused by itself", async () => {
  const engine = scriptedEngine(
    { "a/m": [{ kind: "unreachable" }], "b/m": [{ kind: "answer", text: "yes" }] },
    { store: memoryStore(), retry: { retries: 0 } },
  );
  const rate_limits = [{ request_max_limit: 2, request_reset_duration: "1h" as const }];
  const { key, value } = await engine.keys.create({
    name: "k",
    rate_limits,
    provider_configs: [{ provider: "*", allowed_models: ["*"], rate_limits }],
  });
  const ask = () =>
    engine.chat({ model: "a/m", fallbacks: ["b/m"], messages: [{ role: "user", content: "hi" }] }, { key: value });
  for (let count = 1; count <= 2; count++) {
    expect((await ask()).extra_fields?.provider).toBe("b");
    const standing = await engine.usage.limits(key.id);
    expect(standing.map(({ level, used }) => ({ level, used }))).toEqual([
      { level: "entry", used: count },
      { level: "key", used: count },
    ]);
  }
  await expect(ask()).rejects.toMatchObject({ code: "request_limited" });
});
