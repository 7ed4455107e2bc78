import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../../src/operations/calls.ts";
import type { Areas } from "../../../../../src/operations/portal/table.ts";
import { api, rowOf } from "../../../api/client.ts";
import { useChange, useQuery } from "../../../api/query.ts";
import { isPermitted } from "../../../api/session.ts";
import { blockedBy } from "../../../app/blocked.ts";
import { text } from "../../../i18n/texts.ts";
import { Button } from "../../../parts/button.tsx";
import { ConfirmDialog } from "../../../parts/form-dialog.tsx";
import { Card } from "../../../parts/page.tsx";
import { EmptyState } from "../../../parts/states.tsx";
import { type Column, ReadTable } from "../../../parts/table.tsx";
import { Instant } from "../../../parts/values.tsx";
import { everything } from "../permissions.ts";
import type { User } from "../use-people.ts";
import { NewToken, TokenPermissions } from "./token-forms.tsx";

type Token = AnswerOf<Areas["users"]["tokens"]>[number];

/** The access tokens of a user; none of them shows its value again. */
export function TokenCard({ user }: { readonly user: User }) {
  const [open, setOpen] = useState<"new" | { readonly act: "permissions" | "revoke"; readonly token: Token }>();
  const isAllowed = isPermitted(rowOf("users.tokens")[2]);
  const tokens = useQuery({
    key: ["users.tokens", user.id],
    read: (signal) => api.users.tokens({ user_id: user.id }, signal),
    isEnabled: isAllowed,
  });
  const close = () => setOpen(undefined);
  if (!isAllowed) return null;
  const create = (
    <Button isSmall icon="plus" blockedBy={blockedBy("users.createToken")} onPress={() => setOpen("new")}>
      {text("tokens.create")}
    </Button>
  );
  return (
    <Card title={text("tokens.title")} actions={create} isFlush>
      <ReadTable
        label={text("tokens.title")}
        query={tokens}
        keyOf={({ id }) => id}
        columns={tokenColumns((act, token) => setOpen({ act, token }))}
        empty={<EmptyState icon="key" title={text("tokens.none")} />}
      />
      {open === "new" && <NewToken user={user} onClose={close} />}
      {typeof open === "object" && open.act === "permissions" && (
        <TokenPermissions user={user} token={open.token} onClose={close} />
      )}
      {typeof open === "object" && open.act === "revoke" && <RevokeToken token={open.token} onClose={close} />}
    </Card>
  );
}

function RevokeToken({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const { user_id, id: token_id, name } = token;
  const change = useChange(async () => (await api.users.revokeToken({ user_id, token_id })) ?? null, ["users"]);
  const action = text("tokens.revoke");
  return (
    <ConfirmDialog title={`${action}: ${name}`} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("tokens.revoke_about")}</p>
    </ConfirmDialog>
  );
}

function tokenColumns(onAct: (act: "permissions" | "revoke", token: Token) => void): readonly Column<Token>[] {
  return [
    { id: "name", name: text("label.name"), show: ({ name }) => <span class="cell-main">{name}</span> },
    { id: "last4", name: text("label.value"), show: ({ last4 }) => <code class="soft">{`…${last4}`}</code> },
    {
      id: "permissions",
      name: text("label.permissions"),
      show: ({ permissions }) =>
        permissions.includes(everything) ? text("permissions.all_of_owner") : String(permissions.length),
    },
    { id: "starts", name: text("label.start"), show: ({ starts_at }) => <Instant value={starts_at ?? undefined} /> },
    {
      id: "ends",
      name: text("label.end"),
      show: ({ ends_at }) => (ends_at === null ? text("keys.never") : <Instant value={ends_at} />),
    },
    { id: "created", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
    {
      id: "acts",
      name: text("label.actions"),
      show: (token) => (
        <span class="row row-tight">
          <Button
            isSmall
            blockedBy={blockedBy("users.setPermissions")}
            onPress={() => onAct("permissions", token)}
            label={`${text("label.permissions")}: ${token.name}`}
          >
            {text("label.permissions")}
          </Button>
          <Button
            isSmall
            tone="danger"
            blockedBy={blockedBy("users.revokeToken")}
            onPress={() => onAct("revoke", token)}
            label={`${text("tokens.revoke")}: ${token.name}`}
          >
            {text("tokens.revoke")}
          </Button>
        </span>
      ),
    },
  ];
}
