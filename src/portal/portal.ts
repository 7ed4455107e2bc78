import type { Abortable } from "../engine/runtime/abortable.ts";
import { createAborter } from "../engine/runtime/abortable.ts";
import { checkOptions } from "../engine/runtime/checks.ts";
import type { Calls } from "../operations/calls.ts";
import type { OperationTable } from "../operations/define.ts";
import type { SessionOperations } from "../operations/portal/sessions.ts";
import { type Areas, type PortalRow, portalRows, portalSchemas, portalTable } from "../operations/portal/table.ts";
import type { PortalRequest } from "./area.ts";
import { assemble } from "./assemble.ts";
import type { Caller } from "./call/call.ts";
import { type FirstStart, startFirst } from "./first-start.ts";
import type { Localize } from "./i18n/error-texts.ts";
import type { Authenticate } from "./identity/authenticator.ts";
import { backgroundJobsOf, type JobReport, startBackgroundJobs } from "./jobs/background-jobs.ts";
import { type PortalOptions, portalChecks } from "./options.ts";
import type { RowCall } from "./run/run.ts";
import { openAccess } from "./sessions/access.ts";
import type { Boot } from "./sessions/boot.ts";
import type { ProviderLogins } from "./sessions/logins/logins.ts";
import type { ConsoleSessions } from "./sessions/sessions.ts";
import type { SignInCode } from "./sessions/sign-in-codes.ts";

/** The operations of each area as functions. */
export type PortalCalls = { readonly [Area in keyof Areas]: Calls<Areas[Area]> };

/** The options of {@link Portal.as}. */
export interface AsOptions {
  /** The region of the calls. Optional where there is only one region. */
  readonly region?: string | undefined;
  readonly signal?: Abortable | undefined;
  /** The languages that the caller accepts, as in `Accept-Language`; what its user has chosen goes before. */
  readonly accepts?: string | undefined;
  /** The version of the thing that was looked at, e.g. of a task that is to run. Rejects with `conflict` for another one. */
  readonly version?: string | undefined;
  /** Receives the version of what an answer shows, e.g. of the steps of a task. */
  readonly onVersion?: ((version: string) => void) | undefined;
  /** Receives the id of the work that goes on after the answer, e.g. of a restore. */
  readonly onJob?: ((id: string) => void) | undefined;
  /** Receives where the next page of a list begins; not called on the last one. */
  readonly onNext?: ((next: string) => void) | undefined;
  /** Receives what is probably a mistake, e.g. a pattern that matches no known model; not called without any. */
  readonly onWarnings?: ((warnings: readonly string[]) => void) | undefined;
}

/** The management of a gateway as functions. Every function throws only `GatewayError`. */
export interface Portal {
  /** Returns the operations for a caller: `portal.as(caller).backups.extend({ backup_id: "b-1", ttl: "30d" })`. */
  as(caller: Caller, options?: AsOptions): PortalCalls;
  /** Calls an operation by its method and path, with all its checks. */
  call(request: PortalRequest): Promise<unknown>;
  /** Calls the operation of a row. */
  run(call: RowCall): Promise<unknown>;
  readonly rows: readonly PortalRow[];
  /** The rows by `area.name`, and their resources by name: what the OpenAPI document is made of. */
  readonly table: OperationTable;
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Returns the caller who sent an access token. Throws the 401 errors. */
  readonly authenticate: Authenticate;
  /** Returns an error in the language of its reader. */
  readonly localize: Localize;
  /** Returns a user as a caller of this process, with all permissions of its roles and profiles. Throws `not_found`. */
  callerOf(userId: string): Promise<Caller>;
  /** The operations of the console's sessions and of its boot: they are open and therefore no rows. */
  readonly sessionOperations: SessionOperations;
  /** The sessions of the console. */
  readonly sessions: ConsoleSessions;
  /** Logins at OpenID providers. */
  readonly logins: ProviderLogins;
  /** The address of the gateway as its users reach it, where that is known. */
  readonly publicUrl: string | undefined;
  /** Returns what the console needs before a login. */
  readonly boot: Boot;
  /** Creates the first user and its token. Returns undefined where there is a user already. */
  startFirst(): Promise<FirstStart | undefined>;
  /** Has the engine take what was set for it in the portal: prices and credentials. To be awaited before the first call; jobs follow later changes. */
  loadSettings(): Promise<void>;
  /**
   * Makes a code that signs the user of the first start in to the console once, within ten minutes, in this process and from this machine:
   * `/console/#sign-in=<code>`. Undefined where that user is gone or disabled, or has a password or one-time codes.
   */
  issueSignInCode(): Promise<SignInCode | undefined>;
  /**
   * Starts the background jobs, e.g. the schedule of backups. The returned function stops them and waits for the running ones. `report`
   * receives the errors. Any number of processes may run them on one store.
   */
  start(report: JobReport): () => Promise<void>;
}

/** Builds the management of a gateway: over HTTP with `createListener({ engine, portal })`, or by function with `portal.as(caller)`. */
export function createPortal(options: PortalOptions): Portal {
  checkOptions(options ?? {}, portalChecks, { of: "createPortal", needs: ["engine", "store"] });
  const { deps, run: runNow } = assemble(options);
  const { engine, clock, regions } = deps;
  const { ready, authenticate, sessionOperations, sessions, logins, issueSignInCode, boot, callerOf, localize } =
    openAccess(deps, options);
  const run = (call: RowCall) => ready().then(() => runNow(call));
  const codes = Object.keys(regions);
  const only = codes.length === 1 ? codes[0] : undefined;
  return {
    run,
    rows: portalRows,
    table: portalTable,
    schemas: portalSchemas,
    call: (request) => ready().then(() => deps.call(request)),
    authenticate,
    sessionOperations,
    ...{ sessions, logins, publicUrl: options.publicUrl, boot },
    localize,
    callerOf,
    startFirst: () => startFirst(deps),
    async loadSettings() {
      await deps.credentials.follow();
      await deps.ownPrices.follow();
    },
    issueSignInCode,
    start: (report) => startBackgroundJobs(backgroundJobsOf(deps), clock, report),
    as(caller, { region = only, signal = createAborter(), accepts, version, ...reporting } = {}) {
      const { onVersion, onNext, onJob, onWarnings } = reporting;
      const shared = { caller, region, signal, accepts, version, onVersion, onNext, onJob, onWarnings };
      return toFunctions((row, input) => run({ row, input, ...shared, eventId: engine.newEventId() }));
    },
  };
}

type RunRow = (row: PortalRow, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The table as functions. The cast is the seam: the types say that each function takes and returns what its row does. */
function toFunctions(runRow: RunRow): PortalCalls {
  const functions: Record<string, Record<string, unknown>> = {};
  for (const row of portalRows) {
    functions[row.area] = { ...functions[row.area], [row.name]: (input = {}) => runRow(row, input) };
  }
  return functions as unknown as PortalCalls;
}
