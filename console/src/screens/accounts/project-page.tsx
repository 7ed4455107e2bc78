import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { isReachable } from "../../app/nav.ts";
import { go, hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { IdCopy } from "../../parts/copy.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { useProjects } from "../keys/key-fields.tsx";
import { type AiKey, KeyState } from "../keys/key-state.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { LimitChain } from "../limits/limit-chain.tsx";
import { limitsInWords } from "./limit-draft.ts";
import { Members } from "./members.tsx";
import { OwnerSpend } from "./owner-spend.tsx";
import { ProjectActions } from "./project-actions.tsx";

type Project = AnswerOf<Areas["ai"]["projects"]>[number];

/** One project: its limits, keys, members and spend. */
export function ProjectPage({ id }: { readonly id: string }) {
  const projects = useProjects();
  const keys = useKeys();
  const project = projects.value?.find((one) => one.id === id);
  const own = keys.value?.filter(({ project_id }) => project_id === id);
  return (
    <Page
      title={project?.name ?? text("label.project")}
      crumb={<a href={hrefOf("ai/projects")}>{text("dashboard.ai-projects")}</a>}
      about={<IdCopy value={id} />}
      actions={project && <ProjectActions project={project} keys={own ?? []} onDeleted={() => go("ai/projects")} />}
    >
      {projects.error && <ErrorAlert error={projects.error} onRetry={projects.reload} />}
      {project ? (
        <>
          <div class="columns">
            <ProjectFacts project={project} />
            <Card title={text("limits.chain")}>
              <LimitChain of={{ project_id: id }} />
            </Card>
          </div>
          <OwnerSpend filters={{ project_id: [id] }} />
          <OwnKeys query={{ ...keys, value: own }} />
          <Members projectId={id} />
        </>
      ) : projects.isLoading ? (
        <Skeleton />
      ) : (
        !projects.error && <EmptyState icon="folder" title={text("projects.gone")} />
      )}
    </Page>
  );
}

function ProjectFacts({ project }: { readonly project: Project }) {
  const { id, customer, llm, description, disabled } = project;
  const customerId = typeof customer?.id === "string" ? customer.id : undefined;
  return (
    <Card title={text("requests.facts")}>
      <Facts
        rows={[
          [text("label.state"), text(disabled ? "keys.disabled" : "label.active")],
          [text("label.description"), description || "–"],
          [
            text("label.customer"),
            customerId === undefined ? (
              "–"
            ) : (
              <a key="customer" href={hrefOf(`ai/customers/${customerId}`)}>
                {String(customer?.name ?? customerId)}
              </a>
            ),
          ],
          [text("keys.models"), llm?.map(String).join(", ") || text("keys.all_models")],
          [text("label.limit"), limitsInWords(project) || text("limits.none")],
          ...(isReachable({ row: "users.audit" })
            ? [
                [
                  text("dashboard.audit"),
                  <a key="audit" href={hrefOf("audit", { target: id })}>
                    {text("audit.who_changed")}
                  </a>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/** The keys of a project or a customer. */
function OwnKeys({ query }: { readonly query: Parameters<typeof ReadTable<AiKey>>[0]["query"] }) {
  return (
    <Card title={text("dashboard.ai-keys")} isFlush>
      <ReadTable
        label={text("dashboard.ai-keys")}
        query={query}
        keyOf={({ id }) => id}
        onOpen={({ id }) => go(`ai/keys/${id}`)}
        empty={<EmptyState icon="key" title={text("projects.no_keys")} />}
        columns={[
          {
            id: "name",
            name: text("label.name"),
            show: ({ id, name }) => (
              <a class="cell-main" href={hrefOf(`ai/keys/${id}`)}>
                {name}
              </a>
            ),
          },
          { id: "state", name: text("label.state"), show: (row) => <KeyState row={row} /> },
          { id: "user", name: text("label.user"), show: ({ user }) => user ?? "–" },
          { id: "limits", name: text("label.limit"), show: (row) => limitsInWords(row) || "–" },
          { id: "created", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
        ]}
      />
    </Card>
  );
}
