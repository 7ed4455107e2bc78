import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { blockedBy } from "../../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../../app/list-search.tsx";
import { go, hrefOf } from "../../../app/router.ts";
import type { ScreenProps } from "../../../app/screen.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/form-dialog.tsx";
import { Card, Page } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/states.tsx";
import { type Column, ReadTable } from "../../../parts/table.tsx";
import { Count, Instant } from "../../../parts/values.tsx";
import { everything, type Role } from "../permissions.ts";
import { useRoles, useUsers } from "../use-people.ts";
import { ProfileTree } from "./profiles.tsx";
import { RoleForm } from "./role-form.tsx";

/** Roles are named sets of permissions; a user may do what its roles, and the profiles of its place, grant. */
export function Roles({ rest: [openId] }: ScreenProps) {
  const wanted = useListSearch();
  const roles = useRoles();
  const users = useUsers();
  const [act, setAct] = useState<"new" | "delete">();
  const open = roles.value?.find(({ id }) => id === openId);
  const shown = roles.value?.filter(({ name, description }) => isFound(wanted, [name, description]));
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("users.createRole")} onPress={() => setAct("new")}>
      {text("roles.create")}
    </Button>
  );
  const holders = (id: string) => (users.value ?? []).filter((user) => user.roles.includes(id)).length;
  return (
    <Page title={text("dashboard.roles")} about={text("roles.about")} actions={create}>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.roles")}
          query={{ ...roles, value: shown }}
          columns={roleColumns(holders)}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(`roles/${id}`)}
          empty={wanted === "" ? <EmptyState icon="shield" title={text("roles.none")} action={create} /> : <NoMatch />}
        />
      </Card>
      <ProfileTree />
      {act === "new" && <RoleForm onClose={() => setAct(undefined)} />}
      {open && act !== "delete" && (
        <RoleForm key={open.id} role={open} onDelete={() => setAct("delete")} onClose={() => go("roles")} />
      )}
      {open && act === "delete" && <DeleteRole role={open} onClose={() => setAct(undefined)} />}
    </Page>
  );
}

function DeleteRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const change = useChange(async () => (await api.users.deleteRole({ role_id: role.id })) ?? null, ["users"]);
  const done = () => {
    onClose();
    go("roles");
  };
  const action = text("action.delete");
  return (
    <ConfirmDialog title={`${action}: ${role.name}`} {...{ action, change, onClose }} onDone={done}>
      <p>{text("roles.delete_about")}</p>
    </ConfirmDialog>
  );
}

function roleColumns(holders: (id: string) => number): readonly Column<Role>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, description }) => (
        <a class="cell-main" href={hrefOf(`roles/${id}`)}>
          {name}
          {description && <span class="cell-sub">{description}</span>}
        </a>
      ),
    },
    {
      id: "permissions",
      name: text("label.permissions"),
      isNumber: true,
      show: ({ permissions }) =>
        permissions.includes(everything) ? text("permissions.all") : <Count value={permissions.length} />,
    },
    { id: "users", name: text("dashboard.users"), isNumber: true, show: ({ id }) => <Count value={holders(id)} /> },
    {
      id: "place",
      name: text("console.tenant"),
      show: ({ reseller, client_id }) => [reseller, client_id].filter(Boolean).join(" / ") || text("label.provider"),
    },
    { id: "created", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
  ];
}
