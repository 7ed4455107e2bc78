import { useState } from "preact/hooks";
import { api } from "../../../api/client.ts";
import { useChange } from "../../../api/query.ts";
import { blockedBy } from "../../../app/blocked.ts";
import { isReachable } from "../../../app/nav.ts";
import { go, hrefOf } from "../../../app/router.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { IdCopy } from "../../../parts/copy.tsx";
import { ConfirmDialog } from "../../../parts/form-dialog.tsx";
import { Card, Page } from "../../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../../parts/states.tsx";
import { Facts, Instant } from "../../../parts/values.tsx";
import { type User, useUsers } from "../use-people.ts";
import { EffectivePermissions } from "./effective.tsx";
import { TokenCard } from "./tokens.tsx";
import { EditUser, SetPassword } from "./user-forms.tsx";
import { UserRoles } from "./user-roles.tsx";
import { UserState } from "./user-state.tsx";

/** One user: roles, access tokens, and each permission with where it comes from. */
export function UserPage({ id }: { readonly id: string }) {
  const users = useUsers();
  const user = users.value?.find((one) => one.id === id);
  return (
    <Page
      title={user?.username ?? text("label.user")}
      crumb={<a href={hrefOf("users")}>{text("dashboard.users")}</a>}
      about={<IdCopy value={id} />}
      actions={user && <UserActions user={user} />}
    >
      {users.error && <ErrorAlert error={users.error} onRetry={users.reload} />}
      {user ? (
        <UserParts user={user} />
      ) : users.isLoading ? (
        <Skeleton />
      ) : (
        !users.error && <EmptyState icon="user" title={text("users.gone")} />
      )}
    </Page>
  );
}

function UserParts({ user }: { readonly user: User }) {
  return (
    <>
      <div class="columns">
        <Card title={text("requests.facts")}>
          <Facts
            rows={[
              [text("label.state"), <UserState key="state" isEnabled={user.enabled} />],
              [text("label.level"), text(`label.${user.level}`)],
              [text("console.tenant"), [user.reseller, user.client_id].filter(Boolean).join(" / ") || "–"],
              [text("label.first_name"), user.first_name ?? "–"],
              [text("label.last_name"), user.last_name ?? "–"],
              [text("label.email"), user.email ?? "–"],
              [text("label.created_at"), <Instant key="created" value={user.created_at} isExact />],
              ...(isReachable({ row: "users.audit" })
                ? [
                    [
                      text("dashboard.audit"),
                      <span key="audit" class="row">
                        <a href={hrefOf("audit", { user_id: user.id })}>{text("audit.did")}</a>
                        <a href={hrefOf("audit", { target: user.id })}>{text("audit.who_changed")}</a>
                      </span>,
                    ] as const,
                  ]
                : []),
            ]}
          />
        </Card>
        <UserRoles user={user} />
      </div>
      <TokenCard user={user} />
      <EffectivePermissions user={user} />
    </>
  );
}

type Act = "edit" | "password" | "switch" | "delete";

function UserActions({ user }: { readonly user: User }) {
  const { id: user_id, username, enabled } = user;
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const calls = {
    switch: () => (enabled ? api.users.disable({ user_id }) : api.users.enable({ user_id })),
    delete: () => api.users.delete({ user_id }),
  } as const;
  const change = useChange(
    async () => (await calls[act === "delete" ? "delete" : "switch"]()) ?? null,
    ["users", "tenants"],
  );
  const action = act === "delete" ? text("action.delete") : text(enabled ? "action.disable" : "action.enable");
  return (
    <>
      <Button blockedBy={blockedBy("users.change")} onPress={() => setAct("edit")}>
        {text("action.edit")}
      </Button>
      <Button blockedBy={blockedBy("users.setPassword")} onPress={() => setAct("password")}>
        {text("users.password")}
      </Button>
      <Button blockedBy={blockedBy(enabled ? "users.disable" : "users.enable")} onPress={() => setAct("switch")}>
        {text(enabled ? "action.disable" : "action.enable")}
      </Button>
      <Button tone="danger" blockedBy={blockedBy("users.delete")} onPress={() => setAct("delete")}>
        {text("action.delete")}
      </Button>
      {act === "edit" && <EditUser user={user} onClose={close} />}
      {act === "password" && <SetPassword user={user} onClose={close} />}
      {(act === "switch" || act === "delete") && (
        <ConfirmDialog
          title={`${action}: ${username}`}
          {...{ action, change, onClose: close }}
          tone={act === "switch" && !enabled ? "primary" : "danger"}
          {...(act === "delete" && { word: username })}
          onDone={() => {
            close();
            if (act === "delete") go("users");
          }}
        >
          <p>
            {text(act === "delete" ? "users.delete_about" : enabled ? "users.disable_about" : "users.enable_about")}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
