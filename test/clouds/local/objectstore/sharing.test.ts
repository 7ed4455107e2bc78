import { expect, it } from "vitest";
import { openInventory } from "../../../../adapters/clouds/local/inventory.ts";
import { openObjects } from "../../../../adapters/clouds/local/objectstore/objects.ts";
import { noon, stores } from "../../../portal/support/rig.ts";

it.each(stores)("readers that are added to a bucket at the same time all stand in it: %s", async (_name, open) => {
  const { records } = await open();
  const objects = openObjects(openInventory(records, "eu-1", { now: () => noon }), "/nowhere", { now: () => noon });
  await objects.makeBucket({ name: "pictures", project_id: "p-1", isVersioned: false });
  const projects = ["p-2", "p-3", "p-4"];
  await Promise.all(projects.map((id) => objects.changeReaders("pictures", (readers) => [...readers, id])));
  expect([...((await objects.findBucket("pictures"))?.readers ?? [])].sort()).toEqual(projects);
  await expect(objects.changeReaders("none", (readers) => readers)).rejects.toMatchObject({ code: "not_found" });
});
