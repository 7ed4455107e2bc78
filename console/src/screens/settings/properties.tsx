import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { isReachable } from "../../app/nav.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, type Mood } from "../../parts/values.tsx";
import { PropertyForm } from "./property-form.tsx";
import { type PropertyRow, type PropertySource, propertyRows } from "./property-rows.ts";

type Act = { readonly kind: "new" } | { readonly kind: "edit" | "remove"; readonly row: PropertyRow };

/** Settings of the own level, and those that it inherits. */
export function Properties() {
  const wanted = useListSearch();
  const [act, setAct] = useState<Act>();
  const query = useQuery({ key: ["properties.list"], read: (signal) => api.properties.list({}, signal) });
  const known = useQuery({
    key: ["properties.catalogue"],
    read: (signal) => api.properties.catalogue({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isReachable({ row: "properties.catalogue" }),
  });
  const rows = query.value && propertyRows(query.value, known.value ?? []);
  const shown = rows?.filter((one) => isFound(wanted, [one.property, one.value, one.description]));
  const close = () => setAct(undefined);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("properties.set")} onPress={() => setAct({ kind: "new" })}>
      {text("properties.create")}
    </Button>
  );
  return (
    <Page title={text("dashboard.properties")} about={text("properties.about")} actions={create}>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.properties")}
          query={{ ...query, value: shown }}
          columns={propertyColumns(setAct)}
          keyOf={({ property }) => property}
          empty={wanted === "" ? <EmptyState icon="sliders" title={text("properties.none")} /> : <NoMatch />}
        />
      </Card>
      {act?.kind === "new" && <PropertyForm onClose={close} />}
      {act?.kind === "edit" && <PropertyForm row={act.row} onClose={close} />}
      {act?.kind === "remove" && <RemoveDialog row={act.row} onClose={close} />}
    </Page>
  );
}

const moods: Readonly<Record<PropertySource, Mood>> = { own: "primary", inherited: "plain", default: "plain" };

function propertyColumns(setAct: (act: Act) => void): readonly Column<PropertyRow>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ property, description }) => (
        <span class="cell-main">
          {property}
          <span class="cell-sub">{description}</span>
        </span>
      ),
    },
    { id: "value", name: text("label.value"), show: (row) => <ValueCell row={row} /> },
    {
      id: "source",
      name: text("properties.source"),
      show: ({ source }) => <Badge mood={moods[source]}>{text(`properties.source_${source}`)}</Badge>,
    },
    { id: "acts", name: text("label.actions"), show: (row) => <PropertyActs row={row} onAct={setAct} /> },
  ];
}

/** A value in a line; a picture is shown where the theme is edited. */
function ValueCell({ row: { value, type } }: { readonly row: PropertyRow }) {
  if (value === "") return <span class="faint">–</span>;
  if (type?.type === "picture" || value.startsWith("data:")) return <span>{text("properties.picture")}</span>;
  return (
    <span title={value.length > 60 ? value : undefined}>{value.length > 60 ? `${value.slice(0, 60)} …` : value}</span>
  );
}

function PropertyActs({ row, onAct }: { readonly row: PropertyRow; readonly onAct: (act: Act) => void }) {
  const { property, type, source } = row;
  if (type?.property.startsWith("theme.")) return <a href="theme">{text("properties.in_theme")}</a>;
  return (
    <span class="row">
      <Button
        isSmall
        label={`${text("action.edit")}: ${property}`}
        blockedBy={blockedBy("properties.set")}
        onPress={() => onAct({ kind: "edit", row })}
      >
        {text("action.edit")}
      </Button>
      {source === "own" && (
        <Button
          isSmall
          tone="danger"
          label={`${text("properties.remove")}: ${property}`}
          blockedBy={blockedBy("properties.remove")}
          onPress={() => onAct({ kind: "remove", row })}
        >
          {text("properties.remove")}
        </Button>
      )}
    </span>
  );
}

function RemoveDialog({ row, onClose }: { readonly row: PropertyRow; readonly onClose: () => void }) {
  const { property } = row;
  const change = useChange(async () => (await api.properties.remove({ property })) ?? null, ["properties", "themes"]);
  const action = text("properties.remove");
  return (
    <ConfirmDialog title={`${action}: ${property}`} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("properties.remove_about")}</p>
    </ConfirmDialog>
  );
}
