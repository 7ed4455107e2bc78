import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { AnswerOf, InputOf } from "../../../src/operations/calls.ts";
import { iaas } from "../../../src/operations/portal/iaas.ts";
import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { listAbove, type Place, scopedRecords } from "../../../src/portal/scope.ts";
import type { Records } from "../../../src/ports/records.ts";

type Rows = typeof iaas;

/** The operations of `/iaas` as one caller has them; every answer is held against its row's schema. */
export type IaasCalls = {
  readonly [Name in keyof Rows]: (input?: Partial<InputOf<Rows[Name]>>) => Promise<AnswerOf<Rows[Name]>>;
};

/** Who calls, on which records. */
export interface TestCaller {
  readonly place?: Place;
  readonly records?: Records;
  readonly region?: string;
  readonly permissions?: readonly string[];
  readonly signal?: AbortSignal;
  readonly userId?: string;
}

let calls = 0;

/** A call of the portal as the portal itself makes it, for back ends that are asked directly. */
export function portalCall({ place = {}, records = memoryStore().records, ...rest }: TestCaller = {}): PortalCall {
  calls += 1;
  return {
    caller: {
      user: { id: rest.userId ?? "usr_test", username: "tester" },
      place,
      permissions: new Set(rest.permissions ?? []),
      token_id: null,
    },
    region: rest.region ?? "eu-1",
    now: Date.now(),
    signal: rest.signal ?? new AbortController().signal,
    eventId: `evt_${process.pid}_${Date.now().toString(36)}_${calls}`,
    records: scopedRecords(records, place),
    listAbove: (kind, where) => listAbove(records, place, { kind, where }),
  };
}

/** The back end as a caller sees it: input through the row's schema, answer held against it. */
export function callsOf(backend: AreaBackend<"iaas">, caller: TestCaller = {}): IaasCalls {
  const entries = Object.entries(iaas).map(([name, row]) => {
    const method = backend[name as keyof Rows] as unknown as (input: unknown, call: PortalCall) => Promise<unknown>;
    const run = async (given: Record<string, unknown> = {}) => {
      const own = Object.fromEntries(Object.entries(given).filter(([field]) => !row.params.includes(field as never)));
      const path = Object.fromEntries(Object.entries(given).filter(([field]) => row.params.includes(field as never)));
      const input = { ...(row.input === undefined ? {} : (row.input.parse(own) as object)), ...path };
      const answer = await method(input, portalCall(caller));
      if (row.output !== undefined) row.output.parse(answer);
      return answer;
    };
    return [name, run];
  });
  return Object.fromEntries(entries) as IaasCalls;
}
