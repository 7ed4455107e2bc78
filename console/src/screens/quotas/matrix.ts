/** A quota of a place in the tree of tenants, as `GET /quota` lists it. */
export interface QuotaEntry {
  readonly reseller: string;
  readonly client_id: string;
  readonly resource_id: string;
  readonly limit: number;
  readonly used: number;
}

/** The quotas by name, as `GET /quota` answers them. */
export type Quotas = Readonly<Record<string, readonly QuotaEntry[]>>;

/** A place and its quotas by name. */
export interface QuotaPlace {
  readonly id: string;
  readonly reseller: string;
  readonly client_id: string;
  readonly resource_id: string;
  readonly cells: Readonly<Record<string, QuotaEntry>>;
}

type Place = Pick<QuotaEntry, "reseller" | "client_id" | "resource_id">;

/** The place as a text that sorts a reseller before its clients, and a client before its resources. */
function placeId({ reseller, client_id, resource_id }: Place): string {
  return [reseller, client_id, resource_id].join("\n");
}

/** The matrix: a line for each place that has a quota, in the order of the tree. */
export function placesOf(quotas: Quotas): readonly QuotaPlace[] {
  const places = new Map<string, QuotaPlace>();
  for (const [name, entries] of Object.entries(quotas))
    for (const entry of entries) {
      const { reseller, client_id, resource_id } = entry;
      const id = placeId(entry);
      const known = places.get(id) ?? { id, reseller, client_id, resource_id, cells: {} };
      places.set(id, { ...known, cells: { ...known.cells, [name]: entry } });
    }
  return [...places.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The place above: of a resource its client, of a client its reseller, of a reseller the provider. */
export function placeAbove({ reseller, client_id, resource_id }: Place): Place | undefined {
  if (resource_id !== "") return { reseller, client_id, resource_id: "" };
  if (client_id !== "") return { reseller, client_id: "", resource_id: "" };
  return reseller === "" ? undefined : { reseller: "", client_id: "", resource_id: "" };
}

/** What the place above has, what of it is given to other places, and what is left to give. */
export interface QuotaAbove {
  readonly limit: number;
  readonly given: number;
  readonly left: number;
}

/** What a place may be given at most; undefined where nothing above bounds it. */
export function aboveOf(entries: readonly QuotaEntry[], place: Place): QuotaAbove | undefined {
  const above = placeAbove(place);
  if (!above) return undefined;
  const bound = entries.find((entry) => placeId(entry) === placeId(above));
  if (!bound) return undefined;
  const others = entries.filter((entry) => {
    const over = placeAbove(entry);
    return over && placeId(over) === placeId(above) && placeId(entry) !== placeId(place);
  });
  const given = others.reduce((sum, { limit }) => sum + limit, 0);
  return { limit: bound.limit, given, left: bound.limit - given };
}
