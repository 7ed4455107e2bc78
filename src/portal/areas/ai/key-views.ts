import type { InputOf } from "../../../operations/calls.ts";
import type { AiKey } from "../../../operations/portal/resources/ai.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import type { AreaBackend } from "../../regions.ts";
import { readAll } from "../../shelf.ts";
import { readProject } from "./find.ts";
import { readDetail } from "./key-detail.ts";
import { createShow, type Show } from "./list-view.ts";
import { readFamilies } from "./parents.ts";
import { readPeriod } from "./period.ts";
import { readUsage } from "./spent.ts";

type Rows = Areas["ai"];

/** Virtual keys as they are read. */
export function keyViewsOf(tools: AreaTools) {
  const show = createShow(tools.tariff);
  return {
    keys: (input, call) => listKeys({ tools, show }, input, call),
    key: ({ key_id }, call) => readDetail(tools, key_id, call),
  } satisfies AreaBackend<"ai">;
}

interface Listing {
  readonly tools: AreaTools;
  readonly show: Show;
}

async function listKeys({ tools, show }: Listing, input: InputOf<Rows["keys"]>, call: PortalCall): Promise<AiKey[]> {
  const { ai_project_id: project_id } = input;
  const period = readPeriod(input, call.now);
  if (project_id !== undefined) await readProject(call, project_id);
  const keys = await readAll(call.records, "key", whereOf(call, project_id));
  const families = await readFamilies(tools.records, call, keys);
  const ids = keys.map(({ id }) => id);
  const [limited, usageOf] = await Promise.all([
    tools.engine.usage.limited(families),
    readUsage(tools.ledger, { dimension: "key_id", ids, period }),
  ]);
  return families.map((family) => {
    const { id } = family.key;
    return show(family, { is_limited: limited.has(id), tokens_usage: usageOf(id) });
  });
}

/** The narrowest field that the keys are found by. */
function whereOf({ caller: { place } }: PortalCall, project_id: string | undefined) {
  if (project_id !== undefined) return { project_id };
  return place.user_id === undefined ? undefined : { user: place.user_id };
}
