import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { blockedBy } from "../../../app/blocked.ts";
import { hrefOf } from "../../../app/router.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { Select } from "../../../parts/field.tsx";
import { Card } from "../../../parts/page.tsx";
import { ErrorAlert } from "../../../parts/states.tsx";
import { type User, useRoles } from "../use-people.ts";

/** The roles of a user: each can be taken, others can be given. */
export function UserRoles({ user }: { readonly user: User }) {
  const roles = useRoles();
  const [chosen, setChosen] = useState("");
  const user_id = user.id;
  const assign = useChange(
    async (role_id: string) => (await api.users.assignRole({ role_id, user_id })) ?? null,
    ["users"],
  );
  const take = useChange(
    async (role_id: string) => (await api.users.unassignRole({ role_id, user_id })) ?? null,
    ["users"],
  );
  const others = (roles.value ?? []).filter(({ id }) => !user.roles.includes(id));
  const error = assign.error ?? take.error;
  return (
    <Card title={text("dashboard.roles")}>
      <div class="stack">
        {user.roles.length === 0 && <p class="soft">{text("users.no_role")}</p>}
        <ul class="stack">
          {user.roles.map((id) => (
            <li key={id} class="row">
              <a href={hrefOf(`roles/${id}`)}>{roles.value?.find((role) => role.id === id)?.name ?? id}</a>
              <span class="row-end">
                <Button
                  isSmall
                  tone="quiet"
                  blockedBy={blockedBy("users.unassignRole")}
                  isPending={take.isPending}
                  onPress={() => void take.run(id)}
                >
                  {text("action.remove")}
                </Button>
              </span>
            </li>
          ))}
        </ul>
        {others.length > 0 && (
          <div class="row">
            <Select
              label={text("label.role")}
              value={chosen}
              choices={[["", text("users.choose_role")], ...others.map(({ id, name }) => [id, name] as const)]}
              onChange={setChosen}
            />
            <Button
              isSmall
              blockedBy={blockedBy("users.assignRole") ?? (chosen === "" ? text("problem.required") : undefined)}
              isPending={assign.isPending}
              onPress={() => void assign.run(chosen).then((done) => done === null && setChosen(""))}
            >
              {text("roles.assign")}
            </Button>
          </div>
        )}
        {error && <ErrorAlert error={error} />}
      </div>
    </Card>
  );
}
