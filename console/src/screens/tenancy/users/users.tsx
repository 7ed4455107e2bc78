import { useState } from "preact/hooks";
import { blockedBy } from "../../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../../app/list-search.tsx";
import { go, hrefOf } from "../../../app/router.ts";
import type { ScreenProps } from "../../../app/screen.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { Card, Page } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/states.tsx";
import { type Column, ReadTable } from "../../../parts/table.tsx";
import { Instant } from "../../../parts/values.tsx";
import { type User, useRoles, useUsers } from "../use-people.ts";
import { NewUser } from "./user-forms.tsx";
import { UserPage } from "./user-page.tsx";
import { UserState } from "./user-state.tsx";

/** Who may sign in, where they stand in the tree of tenants, and what they may do. */
export function Users({ rest: [id] }: ScreenProps) {
  return id === undefined ? <UserList /> : <UserPage key={id} id={id} />;
}

function UserList() {
  const wanted = useListSearch();
  const [isCreating, setCreating] = useState(false);
  const users = useUsers();
  const roles = useRoles();
  const shown = users.value?.filter(({ username, email, first_name, last_name, reseller, client_id }) =>
    isFound(wanted, [username, email, first_name, last_name, reseller, client_id]),
  );
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("users.create")} onPress={() => setCreating(true)}>
      {text("users.create")}
    </Button>
  );
  const nameOfRole = (id: string) => roles.value?.find((role) => role.id === id)?.name ?? id;
  return (
    <Page title={text("dashboard.users")} about={text("users.about")} actions={create}>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.users")}
          query={{ ...users, value: shown }}
          columns={userColumns(nameOfRole)}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(`users/${id}`)}
          empty={wanted === "" ? <EmptyState icon="users" title={text("users.none")} action={create} /> : <NoMatch />}
        />
      </Card>
      {isCreating && <NewUser onClose={() => setCreating(false)} onDone={(id) => go(`users/${id}`)} />}
    </Page>
  );
}

/** First and last name, as far as they are known. */
function fullName({ first_name, last_name }: Pick<User, "first_name" | "last_name">): string {
  return [first_name, last_name].filter(Boolean).join(" ");
}

function userColumns(nameOfRole: (id: string) => string): readonly Column<User>[] {
  return [
    {
      id: "name",
      name: text("label.username"),
      show: (user) => (
        <a class="cell-main" href={hrefOf(`users/${user.id}`)}>
          {user.username}
          {fullName(user) && <span class="cell-sub">{fullName(user)}</span>}
        </a>
      ),
    },
    { id: "state", name: text("label.state"), show: ({ enabled }) => <UserState isEnabled={enabled} /> },
    { id: "level", name: text("label.level"), show: ({ level }) => text(`label.${level}`) },
    {
      id: "place",
      name: text("console.tenant"),
      show: ({ reseller, client_id }) => [reseller, client_id].filter(Boolean).join(" / ") || "–",
    },
    { id: "roles", name: text("dashboard.roles"), show: ({ roles }) => roles.map(nameOfRole).join(", ") || "–" },
    { id: "email", name: text("label.email"), show: ({ email }) => email ?? "–" },
    { id: "created", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
  ];
}
