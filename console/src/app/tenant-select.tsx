import { api, hasRow, rowOf } from "../api/client.ts";
import { freshFor, useQuery } from "../api/query.ts";
import { isPermitted } from "../api/session.ts";
import { text } from "../i18n/texts.ts";
import { Select } from "../parts/field.tsx";
import { setSearch, useLocation } from "./router.ts";
import { textOf } from "./search.ts";

/** The part of the address that narrows the screens of a menu to one tenant; it goes along from screen to screen. */
export function useTenantSearch(): { readonly customer_id?: string } {
  const { search } = useLocation();
  const chosen = textOf(search.customer_id);
  return chosen === "" ? {} : { customer_id: chosen };
}

/** Narrows what is shown to one tenant, where the caller sees several. */
export function TenantSelect() {
  const { customer_id = "" } = useTenantSearch();
  const isAllowed = hasRow("ai.customers") && isPermitted(rowOf("ai.customers")[2]);
  const customers = useQuery({
    key: ["ai.customers"],
    read: (signal) => api.ai.customers({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isAllowed,
  });
  const known = customers.value ?? [];
  if (known.length < 2) return null;
  return (
    <Select
      label={text("console.tenant")}
      value={customer_id}
      choices={[["", text("console.all_tenants")], ...known.map(({ id, name }) => [id, name] as const)]}
      onChange={(id) => setSearch({ customer_id: id === "" ? undefined : id, after: undefined })}
    />
  );
}
