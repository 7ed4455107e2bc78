import { useState } from "preact/hooks";
import { text } from "../../../i18n/texts.ts";
import { CheckField } from "../../../parts/field.tsx";
import { Card } from "../../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../../parts/states.tsx";
import { Table } from "../../../parts/table.tsx";
import { Badge } from "../../../parts/values.tsx";
import { groupByArea, type Permission } from "../permissions.ts";
import { type User, useGrants } from "../use-people.ts";

/** What a user may do, and which role grants it. */
export function EffectivePermissions({ user }: { readonly user: User }) {
  const { all, origins, granted, isLoading, error } = useGrants(user);
  const [typed, setTyped] = useState("");
  const [isAll, setAll] = useState(false);
  const listed = isAll ? all : all.filter(({ name }) => granted.has(name));
  const rows = [...groupByArea(listed, typed.trim().toLowerCase()).values()].flat();
  return (
    <Card
      title={text("permissions.effective")}
      isFlush
      actions={
        <span class="soft" role="status">
          {text("permissions.chosen", { count: granted.size, all: all.length })}
        </span>
      }
    >
      <div class="card-body row">
        <input
          class="input input-small"
          type="search"
          aria-label={text("action.search")}
          placeholder={text("action.search")}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <CheckField label={text("permissions.show_missing")} isChecked={isAll} onChange={setAll} />
        <span class="faint">{text("permissions.profiles_note")}</span>
      </div>
      {error && <ErrorAlert error={error} />}
      {isLoading && <Skeleton />}
      {!isLoading && rows.length === 0 && <p class="card-body soft">{text("message.no_match")}</p>}
      {rows.length > 0 && (
        <div class="table-short">
          <Table
            label={text("permissions.effective")}
            rows={rows}
            keyOf={({ name }) => name}
            columns={columnsOf((name) => origins.get(name) ?? [])}
          />
        </div>
      )}
    </Card>
  );
}

function columnsOf(rolesOf: (name: string) => readonly string[]) {
  return [
    {
      id: "what",
      name: text("label.permission"),
      show: ({ summary, name }: Permission) => (
        <span class="cell-main">
          {summary}
          <span class="cell-sub mono">{name}</span>
        </span>
      ),
    },
    { id: "area", name: text("label.area"), show: ({ area }: Permission) => area },
    {
      id: "path",
      name: text("label.operation"),
      show: ({ method, path }: Permission) => <code>{`${method} ${path}`}</code>,
    },
    {
      id: "from",
      name: text("permissions.from"),
      show: ({ name }: Permission) => {
        const roles = rolesOf(name);
        if (roles.length === 0) return <Badge>{text("permissions.not_granted")}</Badge>;
        return roles.map((role) => (
          <Badge key={role} mood="primary">
            {role}
          </Badge>
        ));
      },
    },
  ];
}
