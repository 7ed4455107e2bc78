import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { blockedBy } from "../../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../../app/list-search.tsx";
import { go, hrefOf, setSearch, useLocation } from "../../../app/router.ts";
import type { ScreenProps } from "../../../app/screen.ts";
import { type SearchValues, textOf } from "../../../app/search.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { CheckField } from "../../../parts/field.tsx";
import { Card, Page } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/states.tsx";
import { type Column, ReadTable } from "../../../parts/table.tsx";
import { Count, Instant, Money } from "../../../parts/values.tsx";
import { findLines, type TenantLine, treeOf } from "../tenant-tree.ts";
import { useTenants } from "../use-tenants.ts";
import { NewTenant } from "./tenant-forms.tsx";
import { TenantPanel } from "./tenant-panel.tsx";
import { TenantState } from "./tenant-state.tsx";

/** Resellers and their clients as a tree, with what lies at each and what it costs. */
export function Tenants({ rest: [openId] }: ScreenProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const isBin = textOf(search.status) === "bin";
  const [isCreating, setCreating] = useState(false);
  const query = useTenants(isBin);
  const lines = query.value && treeOf(query.value);
  const shown =
    lines && findLines(lines, ({ name, reseller, client_id }) => isFound(wanted, [name, reseller, client_id]));
  const open = query.value?.find(({ id }) => id === openId);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("tenants.create")} onPress={() => setCreating(true)}>
      {text("tenants.create")}
    </Button>
  );
  const openTenant = (id?: string) => go(id === undefined ? "tenants" : `tenants/${id}`, search);
  return (
    <Page title={text("dashboard.tenants")} about={text("tenants.about")} actions={create}>
      <div class="row">
        <SearchBox />
        <CheckField
          label={text("tenants.bin")}
          isChecked={isBin}
          onChange={(isOn) => setSearch({ status: isOn ? "bin" : undefined })}
        />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.tenants")}
          query={{ ...query, value: shown }}
          columns={tenantColumns(search)}
          keyOf={({ tenant }) => tenant.id}
          selected={openId}
          onOpen={({ tenant }) => openTenant(tenant.id)}
          empty={<NoTenants isBin={isBin} isSearched={wanted !== ""} action={create} />}
        />
      </Card>
      {isCreating && <NewTenant tenants={query.value ?? []} onClose={() => setCreating(false)} />}
      {open && <TenantPanel key={open.id} tenant={open} onClose={() => openTenant()} />}
    </Page>
  );
}

function NoTenants(props: {
  readonly isBin: boolean;
  readonly isSearched: boolean;
  readonly action: ComponentChildren;
}) {
  if (props.isSearched) return <NoMatch />;
  if (props.isBin) return <EmptyState icon="archive" title={text("tenants.bin_empty")} />;
  return (
    <EmptyState icon="building" title={text("tenants.none")} action={props.action}>
      {text("tenants.about")}
    </EmptyState>
  );
}

function tenantColumns(search: SearchValues): readonly Column<TenantLine>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ tenant, depth }) => (
        <a class={depth === 0 ? "cell-main" : "cell-main tree-child"} href={hrefOf(`tenants/${tenant.id}`, search)}>
          {tenant.name}
          <span class="cell-sub">{tenant.client_id ?? tenant.reseller}</span>
        </a>
      ),
    },
    {
      id: "level",
      name: text("label.level"),
      show: ({ tenant }) => text(tenant.level === "client" ? "label.client" : "label.reseller"),
    },
    { id: "state", name: text("label.state"), show: ({ tenant }) => <TenantState tenant={tenant} /> },
    {
      id: "users",
      name: text("dashboard.users"),
      isNumber: true,
      show: ({ tenant }) => <Count value={tenant.users} />,
    },
    {
      id: "keys",
      name: text("dashboard.ai-keys"),
      isNumber: true,
      show: ({ tenant }) => <Count value={tenant.keys} />,
    },
    {
      id: "cost",
      name: text("tenants.cost_this_month"),
      isNumber: true,
      show: ({ tenant }) => <Money value={tenant.cost_this_month} />,
    },
    { id: "created", name: text("label.created_at"), show: ({ tenant }) => <Instant value={tenant.created_at} /> },
  ];
}
