import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { type QueryState, useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, setSearch, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { textOf } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Select, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { type Task, taskStates } from "./task.ts";
import { TaskPage } from "./task-page.tsx";
import { TaskBadge } from "./task-state.tsx";

/** Tasks: lists of operations that run one after the other, at once or by a schedule. */
export function Tasks({ rest: [id] }: ScreenProps) {
  const [isBusy, setBusy] = useState(false);
  const query = useQuery({
    key: ["tasks.list"],
    read: async (signal) => {
      const all = await api.tasks.list({}, signal);
      setBusy(all.some(({ state }) => state === "running"));
      return all;
    },
    everyMs: isBusy ? 2_000 : 30_000,
  });
  return id === undefined ? <TaskList query={query} /> : <TaskPage key={id} id={id} tasks={query} />;
}

function TaskList({ query }: { readonly query: QueryState<readonly Task[]> }) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const [isNew, setNew] = useState(false);
  const state = textOf(search.state);
  const shown = query.value
    ?.filter((one) => (state === "" || one.state === state) && isFound(wanted, [one.name, one.id]))
    .sort((one, other) => (other.start_at ?? "9").localeCompare(one.start_at ?? "9"));
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("tasks.create")} onPress={() => setNew(true)}>
      {text("tasks.create")}
    </Button>
  );
  const empty = (
    <EmptyState icon="list" title={text("tasks.none")} action={create}>
      {text("tasks.none_about")}
    </EmptyState>
  );
  return (
    <Page title={text("dashboard.tasks")} about={text("tasks.about")} actions={create}>
      <div class="row">
        <SearchBox />
        <Select
          label={text("label.state")}
          value={state}
          choices={[["", text("label.state")], ...taskStates.map((one) => [one, text(`tasks.state_${one}`)] as const)]}
          onChange={(value) => setSearch({ state: value || undefined })}
        />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.tasks")}
          query={{ ...query, value: shown }}
          columns={taskColumns()}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(`tasks/${id}`)}
          empty={wanted === "" && state === "" ? empty : <NoMatch />}
        />
      </Card>
      {isNew && <NewTask onClose={() => setNew(false)} />}
    </Page>
  );
}

function taskColumns(): readonly Column<Task>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, ended_at, read_at }) => (
        <a class="cell-main" href={hrefOf(`tasks/${id}`)}>
          {name}
          {ended_at !== null && read_at === null && <span class="cell-sub">{text("message.unread")}</span>}
        </a>
      ),
    },
    { id: "state", name: text("label.state"), show: ({ state }) => <TaskBadge state={state} /> },
    {
      id: "steps",
      name: text("tasks.steps"),
      isNumber: true,
      show: ({ steps_done, steps_total }) => `${steps_done} / ${steps_total}`,
    },
    { id: "next", name: text("tasks.next_run"), show: ({ next_run_at }) => <Instant value={next_run_at ?? ""} /> },
    { id: "start", name: text("tasks.started"), show: ({ start_at }) => <Instant value={start_at ?? ""} /> },
    { id: "end", name: text("tasks.ended"), show: ({ ended_at }) => <Instant value={ended_at ?? ""} /> },
  ];
}

function NewTask({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const change = useChange(() => api.tasks.create({ name: name.trim() }), ["tasks"]);
  const submit = async () => {
    const made = await change.run(undefined);
    if (made) go(`tasks/${made.id}`);
  };
  return (
    <FormDialog
      title={text("tasks.create")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={name.trim() === "" ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <TextField label={text("label.name")} value={name} onInput={setName} isRequired isFocused />
    </FormDialog>
  );
}
