import { session } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { text } from "../../i18n/texts.ts";
import type { Column } from "../../parts/table.tsx";

/** A place in the tree of tenants; nulls for the provider and for a reseller itself. */
export interface Place {
  readonly reseller: string | null;
  readonly client_id: string | null;
}

/** Where the caller is. */
export function useOwnPlace(): Place {
  const state = useStore(session);
  if (!("context" in state)) return { reseller: null, client_id: null };
  return { reseller: state.context.reseller.name, client_id: state.context.client.id };
}

/** True for two things of one place: a rule uses the channels of its own only. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.reseller === other.reseller && one.client_id === other.client_id;
}

/** What a place is called. */
function nameOf({ reseller, client_id }: Place): string {
  return [reseller, client_id].filter((level) => level !== null).join(" / ") || text("label.provider");
}

/** A column with the place of each row, where there are several. */
export function placeColumns<Row extends Place>(rows: readonly Row[] | undefined): readonly Column<Row>[] {
  if (new Set(rows?.map(nameOf)).size < 2) return [];
  return [{ id: "place", name: text("alerts.place"), show: nameOf }];
}
