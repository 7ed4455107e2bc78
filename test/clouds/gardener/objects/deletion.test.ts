import { expect, it } from "vitest";
import { deletionStatus } from "../../../../adapters/clouds/gardener/objects.ts";

const target = { resource: "shoot", name: "one" } as const;
const own = { name: "one", group: "core.gardener.cloud", kind: "shoots" };

it.each<[string, unknown, object]>([
  [
    "its own Status",
    { kind: "Status", details: { name: "one", kind: "shoots", uid: "u" } },
    { name: "one", kind: "shoots", uid: "u" },
  ],
  ["a Status without details", { kind: "Status" }, own],
  [
    "the object, which goes later",
    { kind: "Shoot", metadata: { uid: "u" }, details: { secret: "x" } },
    { ...own, uid: "u" },
  ],
  ["nothing", undefined, own],
])("a deletion that is answered with %s is a Status", (_name, answer, details) => {
  const status = { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", details };
  expect(deletionStatus(answer, target)).toEqual(status);
});
