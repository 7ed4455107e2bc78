import { createAborter } from "../abortable.ts";
import type { Calls } from "../operations/calls.ts";
import type { Table } from "../operations/define.ts";
import { type Areas, type PortalRow, portalRows, portalSchemas, portalTable } from "../operations/portal/table.ts";
import { checkOptions } from "../ports/checks.ts";
import type { Abortable } from "../ports.ts";
import type { PortalRequest } from "./area.ts";
import { assemble } from "./assemble.ts";
import type { Caller } from "./call.ts";
import { type DutyReport, dutiesOf, startDuties } from "./duties.ts";
import { type FirstStart, startFirst } from "./first-start.ts";
import { type PortalOptions, portalChecks } from "./options.ts";
import type { RowCall } from "./run.ts";
import { type Authenticate, callerOf, createAuthenticator } from "./tokens.ts";

/** The operations of each area as functions. */
export type PortalCalls = { readonly [Area in keyof Areas]: Calls<Areas[Area]> };

/** How the functions of {@link Portal.as} are called. */
export interface AsOptions {
  /** May be left out where there is only one region. */
  readonly region?: string | undefined;
  readonly signal?: Abortable | undefined;
}

/** The management of a gateway, as functions. Everything throws only `GatewayError`. */
export interface Portal {
  /** The operations as a caller may use them: `portal.as(caller).backups.extend({ backup_id: "b-1", ttl: "30d" })`. */
  as(caller: Caller, options?: AsOptions): PortalCalls;
  /** Calls an operation by its method and path, with all its checks. */
  call(request: PortalRequest): Promise<unknown>;
  /** Calls the operation of a row. */
  run(call: RowCall): Promise<unknown>;
  readonly rows: readonly PortalRow[];
  /** The rows by `area.name`, and their resources by name: what the OpenAPI document is made of. */
  readonly table: Table;
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Who sent an access token; throws the 401s. */
  readonly authenticate: Authenticate;
  /** A user as a caller of this process: it may do all that its roles and profiles grant. Throws `not_found`. */
  callerOf(userId: string): Promise<Caller>;
  /** Makes the first user and its token where there is no user yet; undefined where there is. */
  startFirst(): Promise<FirstStart | undefined>;
  /**
   * Begins what a portal does of itself, e.g. the schedule of backups, and goes on until the returned function is called, which waits for
   * what is under way. `report` is told of what fails. Any number of processes may do it over one store.
   */
  start(report: DutyReport): () => Promise<void>;
}

/** Builds the management of a gateway: over HTTP with `createListener({ engine, portal })`, or by function with `portal.as(caller)`. */
export function createPortal(options: PortalOptions): Portal {
  checkOptions(options ?? {}, portalChecks, { of: "createPortal", needs: ["engine", "store"] });
  const { tools, run } = assemble(options);
  const { engine, records, clock, grantors, regions } = tools;
  const codes = Object.keys(regions);
  const only = codes.length === 1 ? codes[0] : undefined;
  return {
    run,
    rows: portalRows,
    table: portalTable,
    schemas: portalSchemas,
    call: tools.call,
    authenticate: createAuthenticator({ records, clock, grantors, keyPrefix: engine.keyPrefix }),
    callerOf: (userId) => callerOf(userId, records, grantors),
    startFirst: () => startFirst(tools),
    start: (report) => startDuties(dutiesOf(tools), clock, report),
    as(caller, { region = only, signal = createAborter() } = {}) {
      return toFunctions((row, input) => run({ row, input, caller, region, signal, eventId: engine.newEventId() }));
    },
  };
}

type RunRow = (row: PortalRow, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The table as functions. The cast is the seam: each function takes and gives what its row says, as the types have it. */
function toFunctions(runRow: RunRow): PortalCalls {
  const functions: Record<string, Record<string, unknown>> = {};
  for (const row of portalRows) {
    functions[row.area] = { ...functions[row.area], [row.name]: (input = {}) => runRow(row, input) };
  }
  return functions as unknown as PortalCalls;
}
