import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import { scriptedEngine } from "../../../src/testing/index.ts";
import { ask } from "../support/caching.ts";

it("a key that is switched off while what is above it is still read is not kept ready as it was", async () => {
  const store = memoryStore();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const get: Records["get"] = async (kind, id) => {
    if (kind === "project") await gate;
    return store.records.get(kind, id);
  };
  const engine = scriptedEngine(
    { "a/m": [{ kind: "answer", text: "yes" }] },
    { store: { ...store, records: { ...store.records, get } } },
  );
  const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
  const project = await engine.projects.create({ name: "p" });
  const { key, value } = await engine.keys.create({ name: "k", project_id: project.id, provider_configs });
  const other = await engine.keys.create({ name: "other", provider_configs });
  const first = engine.chat(ask("hi"), { key: value });
  await engine.keys.update(key.id, { active: false });
  await engine.chat(ask("hi"), { key: other.value }); // sees that records changed
  open();
  await first;
  await expect(engine.chat(ask("hi"), { key: value })).rejects.toMatchObject({ code: "virtual_key_blocked" });
});
