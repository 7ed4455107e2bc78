import { expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { removeMembers } from "../../../../src/portal/ai/projects/members.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";
import { callAt } from "../../support/rig.ts";

it("a project has no users any more once they are told to be removed, however slow the store is", async () => {
  const { records } = withPortalKinds(memoryStore());
  const placed = { created_at: "2026-11-20T00:00:00.000Z", reseller: null, client_id: null };
  for (const user_id of ["u1", "u2"])
    await records.put("project_user", { id: user_id, ...placed, user_id, project_id: "p1" }, 0);
  const slow: typeof records = {
    ...records,
    async remove(...asked) {
      await new Promise((resolve) => setImmediate(resolve));
      return records.remove(...asked);
    },
  };
  await removeMembers(callAt(slow, {}), "p1");
  expect((await records.list("project_user", { limit: 9 })).records).toEqual([]);
});
