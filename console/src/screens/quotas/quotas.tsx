import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { hrefOf } from "../../app/router.ts";
import { count } from "../../format/numbers.ts";
import { nameOf } from "../../generic/names.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { type EditedQuota, EditQuota } from "./edit-quota.tsx";
import { placesOf, type Quotas as QuotaLists, type QuotaPlace } from "./matrix.ts";

/** Quotas as a matrix: a line for each place in the tree, a column for each quota, used of limit in each cell. */
export function Quotas() {
  const wanted = useListSearch();
  const [edited, setEdited] = useState<EditedQuota>();
  const query = useQuery({
    key: ["quotas.list"],
    read: async (signal) => (await api.quotas.list({}, signal)) as unknown as QuotaLists, // seam: the specification leaves the shape of the entries open
  });
  const quotas = query.value ?? {};
  const names = Object.keys(quotas).sort();
  const places = query.value && placesOf(query.value);
  const shown = places?.filter((place) => isFound(wanted, [place.reseller, place.client_id, place.resource_id]));
  const create = (
    <Button
      tone="primary"
      icon="plus"
      blockedBy={blockedBy("quotas.set")}
      onPress={() => setEdited({ name: names[0] ?? "", place: undefined, entry: undefined })}
    >
      {text("quotas.set")}
    </Button>
  );
  return (
    <Page title={text("dashboard.quotas")} about={text("quotas.about")} actions={create}>
      <div class="row">
        <SearchBox />
        <a href={hrefOf("d/quotas")}>{text("quotas.profiles")}</a>
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.quotas")}
          query={{ ...query, value: shown }}
          keyOf={({ id }) => id}
          columns={quotaColumns(names, setEdited)}
          empty={
            places?.length === 0 ? (
              <EmptyState icon="gauge" title={text("quotas.none")} action={create}>
                {text("quotas.about")}
              </EmptyState>
            ) : (
              <NoMatch />
            )
          }
        />
      </Card>
      {edited && <EditQuota {...{ edited, quotas }} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

/** A place in words: reseller, client and resource, or the provider. */
function placeInWords({ reseller, client_id, resource_id }: QuotaPlace): string {
  return [reseller, client_id, resource_id].filter(Boolean).join(" / ") || text("label.provider");
}

function quotaColumns(names: readonly string[], onEdit: (edited: EditedQuota) => void): readonly Column<QuotaPlace>[] {
  return [
    {
      id: "place",
      name: text("console.tenant"),
      show: (place) => (
        <span class={place.client_id === "" ? "cell-main" : "cell-main tree-child"}>{placeInWords(place)}</span>
      ),
    },
    ...names.map(
      (name): Column<QuotaPlace> => ({
        ...{ id: name, name: nameOf(name) },
        show: (place) => <QuotaCell {...{ name, place }} onEdit={onEdit} />,
      }),
    ),
  ];
}

interface CellProps {
  readonly name: string;
  readonly place: QuotaPlace;
  readonly onEdit: (edited: EditedQuota) => void;
}

function QuotaCell({ name, place, onEdit }: CellProps) {
  const entry = place.cells[name];
  const label = `${nameOf(name)}: ${placeInWords(place)}`;
  const shown = entry ? `${count(entry.used, language())} / ${count(entry.limit, language())}` : "–";
  return (
    <div class="quota">
      <Button
        isSmall
        tone="quiet"
        label={`${shown} · ${label}`}
        blockedBy={blockedBy("quotas.set")}
        onPress={() => onEdit({ name, place, entry })}
      >
        {shown}
      </Button>
      {entry && <Meter used={entry.used} max={entry.limit} label={label} />}
    </div>
  );
}
