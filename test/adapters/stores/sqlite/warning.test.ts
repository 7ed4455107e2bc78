import { expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";

// In a file of its own: Node 22 warns once per process, when the module is loaded for the first time.
it("opening a store says nothing of SQLite being experimental, and keeps other warnings", async () => {
  const warnings: string[] = [];
  const listen = (warning: Error) => void warnings.push(warning.message);
  process.on("warning", listen);
  await sqliteStore(":memory:").close();
  process.emitWarning("something else");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listen);
  expect(warnings).toEqual(["something else"]);
});
