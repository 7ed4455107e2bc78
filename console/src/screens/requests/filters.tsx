import { setSearch } from "../../app/router.ts";
import { nameOf } from "../../generic/names.ts";
import { text } from "../../i18n/texts.ts";
import { Select } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { AiRequest } from "./columns.tsx";

type Filters = Readonly<Record<string, readonly string[]>>;

/** What can be filtered by, and how a row's value reads. */
const facets = [
  { name: "status", value: (row: AiRequest) => String(row.status), label: (row: AiRequest) => String(row.status) },
  { name: "reason", value: (row: AiRequest) => row.reason, label: (row: AiRequest) => row.reason },
  { name: "model", value: (row: AiRequest) => row.model, label: (row: AiRequest) => row.model },
  { name: "key_id", value: (row: AiRequest) => row.key?.id, label: (row: AiRequest) => row.key?.name ?? row.key?.id },
  {
    name: "project_id",
    value: (row: AiRequest) => row.project?.id,
    label: (row: AiRequest) => row.project?.name ?? row.project?.id,
  },
] as const;

/** The filters that are set, and the values of the rows that are shown, to add. They live in the address. */
export function FilterBar({ filters, rows }: { readonly filters: Filters; readonly rows: readonly AiRequest[] }) {
  return (
    <div class="row">
      {facets.map(({ name, value, label }) => {
        const counts = new Map<string, { label: string; count: number }>();
        for (const row of rows) {
          const id = value(row);
          if (id === undefined || filters[name]?.includes(id)) continue;
          const known = counts.get(id) ?? { label: label(row) ?? id, count: 0 };
          counts.set(id, { ...known, count: known.count + 1 });
        }
        const found = [...counts].sort(([, one], [, other]) => other.count - one.count);
        const choices = found.map(([id, { label: shown, count }]) => [id, `${shown} (${count})`] as const);
        return (
          <Select
            key={name}
            label={nameOf(name)}
            value=""
            choices={[["", nameOf(name)], ...choices]}
            onChange={(id) => setSearch({ [name]: [...(filters[name] ?? []), id], after: undefined })}
          />
        );
      })}
      {Object.entries(filters).flatMap(([name, values]) =>
        values.map((value) => (
          <Chip key={`${name} ${value}`} name={name} value={value} rest={values.filter((one) => one !== value)} />
        )),
      )}
    </div>
  );
}

function Chip({
  name,
  value,
  rest,
}: {
  readonly name: string;
  readonly value: string;
  readonly rest: readonly string[];
}) {
  return (
    <span class="chip">
      {nameOf(name)}: {value}
      <button
        type="button"
        aria-label={`${text("action.remove_filter")} ${nameOf(name)} ${value}`}
        onClick={() => setSearch({ [name]: rest.length === 0 ? undefined : rest, after: undefined })}
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}
