import { useState } from "preact/hooks";
import { hrefOf, setSearch, useLocation } from "../../../app/router.ts";
import { nameOf } from "../../../generic/names.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { Select } from "../../../parts/field.tsx";
import { Icon } from "../../../parts/icon.tsx";
import type { AuditEntry } from "./audit-panel.tsx";

/** What the log can be narrowed to, as the row takes it. */
export const filterNames = ["user_id", "operation", "outcome", "target"] as const;

interface FilterProps {
  readonly filters: Readonly<Record<string, string>>;
  readonly entries: readonly AuditEntry[];
}

/** The values of the entries that are shown, to narrow to, and the filters that are set. */
export function AuditFilters({ filters, entries }: FilterProps) {
  const { path } = useLocation();
  const [typed, setTyped] = useState("");
  const actors = new Map(entries.map(({ user_id, actor }) => [user_id ?? "", actor?.username ?? user_id ?? ""]));
  const choices = {
    user_id: [...actors].filter(([id]) => id !== ""),
    operation: distinct(entries.map(({ operation }) => operation)),
    outcome: distinct(entries.map(({ outcome }) => outcome)),
  } as const;
  return (
    <div class="row">
      {(["user_id", "operation", "outcome"] as const).map((name) => (
        <Select
          key={name}
          label={labelOf(name)}
          value=""
          choices={[["", labelOf(name)], ...choices[name]]}
          onChange={(value) => setSearch({ [name]: value || undefined, after: undefined })}
        />
      ))}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({ target: typed.trim() || undefined, after: undefined });
          setTyped("");
        }}
      >
        <input
          class="input input-small"
          aria-label={text("audit.target_id")}
          placeholder={text("audit.target_id")}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button isSmall isSubmit icon="search" label={text("action.search")} />
      </form>
      {Object.entries(filters).map(([name, value]) => (
        <span key={name} class="chip">
          {labelOf(name)}: {actors.get(value) ?? value}
          <button
            type="button"
            aria-label={`${text("action.remove_filter")} ${labelOf(name)}`}
            onClick={() => setSearch({ [name]: undefined, after: undefined })}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {Object.keys(filters).length > 1 && <a href={hrefOf(path)}>{text("action.clear_filters")}</a>}
    </div>
  );
}

function distinct(values: readonly string[]): readonly (readonly [string, string])[] {
  return [...new Set(values)].sort().map((value) => [value, value] as const);
}

function labelOf(name: string): string {
  if (name === "user_id") return text("audit.actor");
  if (name === "outcome") return text("audit.outcome");
  return name === "target" ? text("audit.target_id") : nameOf(name);
}
