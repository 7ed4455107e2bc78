import { createAborter } from "../abortable.ts";
import { GatewayError } from "../errors.ts";
import { portalRows } from "../operations/portal/table.ts";
import { createRouter } from "../operations/router.ts";
import type { AreaTools } from "./area.ts";
import { ownBackends } from "./backends.ts";
import { grantors } from "./grantors.ts";
import { createNotify } from "./notices.ts";
import type { PortalOptions, PortalWorld } from "./options.ts";
import { type RowCall, run } from "./run.ts";
import { createSecrets } from "./secrets.ts";

/** What a portal works with. */
interface Assembled {
  readonly tools: AreaTools;
  run(call: RowCall): Promise<unknown>;
}

/** Puts a portal's parts together: the options' where they say something, the world's where they do not. */
export function assemble(options: PortalOptions, world: PortalWorld): Assembled {
  const { engine, store, regions = { local: {} } } = options;
  const { clock = world.clock, entropy = world.entropy } = options;
  const find = createRouter(portalRows.map((row) => ({ row, method: row.operation.method, path: row.operation.path })));
  const tools: AreaTools = {
    ...{ engine, records: store.records, ledger: store.ledger, clock, entropy, regions, grantors },
    newId: (prefix) => `${prefix}_${Buffer.from(entropy(10)).toString("hex")}`,
    secrets: createSecrets(options.secret, entropy),
    notify: createNotify({ records: store.records, clock }),
    async call({ method, path, input: fields = {}, caller, region }) {
      const found = find(method, path);
      if (found.kind !== "found") throw new GatewayError("not_found", `There is no operation ${method} ${path}.`);
      const input = { ...fields, ...found.params };
      const { row } = found.row;
      return runRow({ row, input, caller, region, signal: createAborter(), eventId: engine.newEventId() });
    },
  };
  const own = ownBackends(tools);
  const runRow = (call: RowCall) => run({ tools, own }, call);
  return { tools, run: runRow };
}
