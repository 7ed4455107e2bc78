import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { IdCopy } from "../../parts/copy.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Count } from "../../parts/values.tsx";
import { LimitChain } from "../limits/limit-chain.tsx";
import { EditCustomer } from "./edit-customer.tsx";
import { limitsInWords } from "./limit-draft.ts";
import { OwnerSpend } from "./owner-spend.tsx";

/** A customer as the list has it. */
export type Customer = AnswerOf<Areas["ai"]["customers"]>[number];

/** Customers: the top of the chain of limits. */
export function Customers({ rest: [id] }: ScreenProps) {
  const customers = useQuery({
    key: ["ai.customers"],
    read: (signal) => api.ai.customers({}, signal),
    staleMs: freshFor.list,
  });
  return id === undefined ? <CustomerList customers={customers} /> : <CustomerPage {...{ id, customers }} />;
}

interface CustomersProps {
  readonly customers: Parameters<typeof ReadTable<Customer>>[0]["query"];
}

function CustomerList({ customers }: CustomersProps) {
  const wanted = useListSearch();
  const shown = customers.value?.filter(({ id, name }) => isFound(wanted, [id, name]));
  return (
    <Page title={text("customers.title")} about={text("customers.about")}>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("customers.title")}
          query={{ ...customers, value: shown }}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(`ai/customers/${id}`)}
          empty={wanted === "" ? <EmptyState icon="building" title={text("customers.none")} /> : <NoMatch />}
          columns={[
            {
              id: "name",
              name: text("label.name"),
              show: ({ id, name }) => (
                <a class="cell-main" href={hrefOf(`ai/customers/${id}`)}>
                  {name}
                </a>
              ),
            },
            {
              id: "projects",
              name: text("dashboard.ai-projects"),
              isNumber: true,
              show: ({ teams }) => <Count value={teams.length} />,
            },
            { id: "limits", name: text("label.limit"), show: (row) => limitsInWords(row) || text("limits.none") },
          ]}
        />
      </Card>
    </Page>
  );
}

function CustomerPage({ id, customers }: CustomersProps & { readonly id: string }) {
  const [isEditing, setEditing] = useState(false);
  const customer = customers.value?.find((one) => one.id === id);
  return (
    <Page
      title={customer?.name ?? text("label.customer")}
      crumb={<a href={hrefOf("ai/customers")}>{text("customers.title")}</a>}
      about={<IdCopy value={id} />}
      actions={
        customer && (
          <Button blockedBy={blockedBy("ai.changeCustomer")} onPress={() => setEditing(true)}>
            {text("action.edit")}
          </Button>
        )
      }
    >
      {customers.error && <ErrorAlert error={customers.error} onRetry={customers.reload} />}
      {customer ? (
        <>
          <div class="columns">
            <Card title={text("limits.chain")}>
              <LimitChain of={{ customer_id: id }} />
            </Card>
            <CustomerProjects customer={customer} />
          </div>
          <OwnerSpend filters={{ customer_id: [id] }} />
          {isEditing && <EditCustomer customer={customer} onClose={() => setEditing(false)} />}
        </>
      ) : customers.isLoading ? (
        <Skeleton />
      ) : (
        !customers.error && <EmptyState icon="building" title={text("customers.gone")} />
      )}
    </Page>
  );
}

function CustomerProjects({ customer }: { readonly customer: Customer }) {
  const teams = customer.teams as readonly { readonly id: string; readonly name: string }[]; // seam: the specification leaves their shape open
  return (
    <Card title={text("dashboard.ai-projects")}>
      {teams.length === 0 && <p class="soft">{text("projects.none")}</p>}
      <ul class="stack">
        {teams.map(({ id, name }) => (
          <li key={id}>
            <a href={hrefOf(`ai/projects/${id}`)}>{name}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
