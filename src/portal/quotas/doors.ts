import type { RowInput, RowKey } from "../../operations/portal/table.ts";
import { quotasLease } from "./apply.ts";
import type { Door, DoorCall } from "./door.ts";
import { createWithin } from "./new-project.ts";
import { changeWithin } from "./project-limits.ts";

/** The operations of `/iaas` that set the limits of a project: they keep to the same tree as `POST /quota`. */
const doors = {
  "iaas.createProject": createWithin,
  "iaas.setProjectQuota": changeWithin,
} satisfies { readonly [Key in RowKey]?: Door<RowInput<Key>> };

/** Runs the work of a row through its door, if it has one. One after the other, with the other changes of limits. */
export function throughDoor(key: RowKey, doorCall: DoorCall<never>, work: () => Promise<unknown>): Promise<unknown> {
  const all: Readonly<Partial<Record<RowKey, Door<never>>>> = doors;
  const door = all[key];
  return door ? doorCall.call.withLease(quotasLease, () => door(doorCall, work)) : work();
}
