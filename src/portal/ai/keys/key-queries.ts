import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiKeyExport } from "../../../operations/portal/tenancy/ai/keys.ts";
import type { AiKey } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import type { AreaBackend } from "../../regions.ts";
import { readPeriod } from "../costs/period.ts";
import { readUsage } from "../costs/spending.ts";
import { readProject } from "../find.ts";
import { readFamilies } from "../parents.ts";
import { readDetail } from "./key-detail.ts";
import { createShow, type Show } from "./list-view.ts";
import { showExported } from "./show-key.ts";

type AiQueryRows = Areas["ai"];

/** The queries of virtual keys. */
export function keyQueriesOf(deps: PortalDeps) {
  const show = createShow(deps.tariff);
  return {
    keys: (input, call) => listKeys({ deps, show }, input, call),
    exportKeys: (input, call) => exportKeys(input, call),
    key: ({ key_id }, call) => readDetail(deps, key_id, call),
  } satisfies AreaBackend<"ai">;
}

interface KeyListing {
  readonly deps: PortalDeps;
  readonly show: Show;
}

async function listKeys(
  { deps, show }: KeyListing,
  input: InputOf<AiQueryRows["keys"]>,
  call: PortalCall,
): Promise<AiKey[]> {
  const { ai_project_id: project_id } = input;
  const period = readPeriod(input, call.now);
  if (project_id !== undefined) await readProject(call, project_id);
  const keys = await readListed(call, "key", whereOf(call, project_id));
  const families = await readFamilies(deps.records, call, keys);
  const ids = keys.map(({ id }) => id);
  const [limited, usageOf, used] = await Promise.all([
    deps.engine.usage.limited(families),
    readUsage(deps.ledger, { dimension: "key_id", ids, period }),
    deps.ledger.lastUsed(ids),
  ]);
  return families.map((family) => {
    const { id } = family.key;
    return show(family, { is_limited: limited.has(id), tokens_usage: usageOf(id), used: used.get(id) });
  });
}

async function exportKeys(
  { ai_project_id: project_id }: InputOf<AiQueryRows["exportKeys"]>,
  call: PortalCall,
): Promise<AiKeyExport[]> {
  if (project_id !== undefined) await readProject(call, project_id);
  const keys = await readListed(call, "key", whereOf(call, project_id));
  return keys.map(showExported);
}

/** Returns the most selective field to list the keys by. */
function whereOf({ caller: { scope } }: PortalCall, project_id: string | undefined) {
  if (project_id !== undefined) return { project_id };
  return scope.user_id === undefined ? undefined : { user: scope.user_id };
}
