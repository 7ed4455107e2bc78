import { api } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { hrefOf } from "../app/router.ts";
import { useTenantSearch } from "../app/tenant-select.tsx";
import { text } from "../i18n/texts.ts";
import { Card, Page } from "../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../parts/states.tsx";
import { useProjects } from "./keys/key-fields.tsx";
import { useKeys } from "./keys/use-keys.ts";
import { BurnDown } from "./limits/burn-down.tsx";
import { LimitChain, type LimitOwner } from "./limits/limit-chain.tsx";

/** The owners that are shown: each asks the gateway for its limits. */
const mostOwners = 40;

/** Every project's and every limited key's limits, how much of them is used, and when they run out. */
export function Budgets() {
  const { customer_id } = useTenantSearch();
  const projects = useProjects();
  const keys = useKeys();
  const error = projects.error ?? keys.error;
  const limited = (keys.value ?? []).filter(({ budgets, rate_limits }) => budgets.length + rate_limits.length > 0);
  const isOfTenant = (customer: unknown) =>
    customer_id === undefined || (customer as { readonly id?: string } | undefined)?.id === customer_id;
  const owners = [
    ...(projects.value ?? [])
      .filter(({ customer }) => isOfTenant(customer))
      .map(({ id, name }) => ({ id, name, of: { project_id: id }, href: hrefOf("ai/requests", { project_id: id }) })),
    ...limited.map(({ id, name }) => ({ id, name, of: { key_id: id }, href: hrefOf(`ai/keys/${id}`) })),
  ];
  return (
    <Page title={text("console.budgets")} about={text("limits.about")}>
      {error && <ErrorAlert error={error} onRetry={projects.reload} />}
      {projects.isLoading || keys.isLoading ? (
        <Skeleton />
      ) : (
        owners.length === 0 && <EmptyState icon="gauge" title={text("limits.none")} />
      )}
      <div class="columns">
        {owners.slice(0, mostOwners).map(({ id, name, of, href }) => (
          <Card key={id} title={name} actions={<a href={href}>{text("console.requests")}</a>}>
            <div class="stack">
              <OwnBurnDown of={of} />
              <LimitChain of={of} />
            </div>
          </Card>
        ))}
      </div>
    </Page>
  );
}

/** The burn-down of the owner's own budget, where it has one whose window has begun. */
function OwnBurnDown({ of }: { readonly of: LimitOwner }) {
  const limits = useQuery({ key: ["ai.limits", of], read: (signal) => api.ai.limits(of, signal), everyMs: 15_000 });
  const own = of.key_id ?? of.project_id;
  const budget = limits.value?.find(
    ({ owner, unit, resets_at }) => owner.id === own && unit === "cost" && resets_at !== undefined,
  );
  return budget ? <BurnDown limit={budget} of={of} /> : null;
}
