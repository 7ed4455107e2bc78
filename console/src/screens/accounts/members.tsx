import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/field.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { useUsers } from "../tenancy/use-people.ts";

/** The users of a project: they see its keys and what it spends. */
export function Members({ projectId }: { readonly projectId: string }) {
  const isAllowed = isReachable({ row: "ai.users" });
  const [chosen, setChosen] = useState("");
  const members = useQuery({
    key: ["ai.users", projectId],
    read: (signal) => api.ai.users({ ai_project_id: projectId }, signal),
    isEnabled: isAllowed,
  });
  const users = useUsers();
  const input = (id: string) => ({ ai_project_id: projectId, users_ids: [id] });
  const add = useChange(async (id: string) => (await api.ai.addUsers(input(id))) ?? null, ["ai.users"]);
  const remove = useChange(async (id: string) => (await api.ai.removeUsers(input(id))) ?? null, ["ai.users"]);
  if (!isAllowed) return null;
  const known = new Set(members.value?.map(({ id }) => id));
  const others = (users.value ?? []).filter(({ id }) => !known.has(id));
  const error = add.error ?? remove.error;
  const actions = (
    <span class="row">
      <Select
        label={text("label.user")}
        value={chosen}
        choices={[["", text("projects.choose_user")], ...others.map(({ id, username }) => [id, username] as const)]}
        onChange={setChosen}
      />
      <Button
        isSmall
        icon="plus"
        blockedBy={blockedBy("ai.addUsers") ?? (chosen === "" ? text("problem.required") : undefined)}
        isPending={add.isPending}
        onPress={() => void add.run(chosen).then(() => setChosen(""))}
      >
        {text("projects.add_member")}
      </Button>
    </span>
  );
  return (
    <Card title={text("projects.members")} actions={actions} isFlush>
      {error && <ErrorAlert error={error} />}
      <ReadTable
        label={text("projects.members")}
        query={members}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="users" title={text("projects.no_members")} />}
        columns={memberColumns((id) => void remove.run(id))}
      />
    </Card>
  );
}

type Member = AnswerOf<Areas["ai"]["users"]>[number];

function memberColumns(onRemove: (id: string) => void): readonly Column<Member>[] {
  return [
    { id: "name", name: text("label.username"), show: ({ username }) => <span class="cell-main">{username}</span> },
    { id: "email", name: text("label.email"), show: ({ email }) => email ?? "–" },
    {
      id: "acts",
      name: text("label.actions"),
      show: ({ id, username }) => (
        <Button
          isSmall
          blockedBy={blockedBy("ai.removeUsers")}
          label={`${text("action.remove")}: ${username}`}
          onPress={() => onRemove(id)}
        >
          {text("action.remove")}
        </Button>
      ),
    },
  ];
}
