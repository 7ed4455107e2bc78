import type { RollbackBackend } from "../../../../src/portal/regions.ts";
import type { CloudContext } from "../cloud-context.ts";
import { takeStep } from "./steps.ts";

/** Takes back what failed operations have left in a cloud. */
export function rollbacksOf({ cloud, run }: CloudContext): RollbackBackend {
  return {
    async takeBack({ steps, state }, { records, signal }) {
      const isWanted = async (id: string) =>
        state === "pending" && (await records.get("cloud_project", id)) !== undefined;
      for (const step of steps)
        await run({ signal }, async (deadline) => {
          const { removed } = await takeStep(cloud, step, { deadline, isWanted });
          if (removed !== undefined) await records.remove("cloud_project", removed);
        });
    },
  };
}
