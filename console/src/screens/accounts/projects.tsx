import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { useTenantSearch } from "../../app/tenant-select.tsx";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Count, Money } from "../../parts/values.tsx";
import { useProjects } from "../keys/key-fields.tsx";
import { limitsInWords } from "./limit-draft.ts";
import { NewProject } from "./new-project.tsx";
import { ProjectPage } from "./project-page.tsx";

type Project = AnswerOf<Areas["ai"]["projects"]>[number];

/** Projects: keys that share limits, members and a bill. */
export function Projects({ rest: [id] }: ScreenProps) {
  return id === undefined ? <ProjectList /> : <ProjectPage key={id} id={id} />;
}

function ProjectList() {
  const wanted = useListSearch();
  const { customer_id } = useTenantSearch();
  const [isCreating, setCreating] = useState(false);
  const projects = useProjects();
  const shown = projects.value?.filter(
    ({ name, description, customer }) =>
      isFound(wanted, [name, description, String(customer?.name ?? "")]) &&
      (customer_id === undefined || customer?.id === customer_id),
  );
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("ai.createProject")} onPress={() => setCreating(true)}>
      {text("projects.create")}
    </Button>
  );
  return (
    <Page title={text("dashboard.ai-projects")} about={text("projects.about")} actions={create}>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.ai-projects")}
          query={{ ...projects, value: shown }}
          columns={projectColumns()}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(`ai/projects/${id}`)}
          empty={
            projects.value?.length === 0 ? (
              <EmptyState icon="folder" title={text("projects.none")} action={create}>
                {text("projects.about")}
              </EmptyState>
            ) : (
              <NoMatch />
            )
          }
        />
      </Card>
      {isCreating && <NewProject onClose={() => setCreating(false)} onDone={(id) => go(`ai/projects/${id}`)} />}
    </Page>
  );
}

function projectColumns(): readonly Column<Project>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, description }) => (
        <a class="cell-main" href={hrefOf(`ai/projects/${id}`)}>
          {name}
          {description && <span class="cell-sub">{description}</span>}
        </a>
      ),
    },
    {
      id: "state",
      name: text("label.state"),
      show: ({ disabled }) => (
        <Badge mood={disabled ? "bad" : "good"}>{text(disabled ? "keys.disabled" : "label.active")}</Badge>
      ),
    },
    { id: "customer", name: text("label.customer"), show: ({ customer }) => String(customer?.name ?? "–") },
    { id: "keys", name: text("dashboard.ai-keys"), isNumber: true, show: ({ keys }) => <Count value={keys.length} /> },
    { id: "limits", name: text("label.limit"), show: (project) => limitsInWords(project) || "–" },
    {
      id: "requests",
      name: text("label.requests"),
      isNumber: true,
      show: ({ tokens_usage }) => <Count value={numberOf(tokens_usage?.requests)} />,
    },
    {
      id: "cost",
      name: text("label.cost"),
      isNumber: true,
      show: ({ tokens_usage }) => <Money value={numberOf(tokens_usage?.cost)} />,
    },
  ];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
