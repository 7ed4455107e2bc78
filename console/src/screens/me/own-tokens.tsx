import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { everything } from "../tenancy/permissions.ts";
import { NewToken, type TokenOwner } from "../tenancy/users/token-forms.tsx";

/** The caller's own access tokens. */
export function OwnTokens({ profile }: { readonly profile: TokenOwner }) {
  const [open, setOpen] = useState<"new" | { readonly id: string; readonly name: string }>();
  const isAllowed = isReachable({ row: "me.tokens" });
  const query = useQuery({ key: ["me.tokens"], read: (signal) => api.me.tokens({}, signal), isEnabled: isAllowed });
  if (!isAllowed) return null;
  const close = () => setOpen(undefined);
  const create = (
    <Button isSmall icon="plus" blockedBy={blockedBy("me.createToken")} onPress={() => setOpen("new")}>
      {text("tokens.create")}
    </Button>
  );
  return (
    <Card title={text("tokens.title")} actions={create} isFlush>
      <ReadTable
        label={text("tokens.title")}
        query={query}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="key" title={text("me.no_tokens")} />}
        columns={[
          { id: "name", name: text("label.name"), show: ({ name }) => <span class="cell-main">{name}</span> },
          { id: "last4", name: text("label.value"), show: ({ last4 }) => <code class="soft">{`…${last4}`}</code> },
          {
            id: "permissions",
            name: text("label.permissions"),
            show: ({ permissions }) =>
              permissions.includes(everything) ? text("permissions.all") : String(permissions.length),
          },
          {
            id: "ends",
            name: text("label.end"),
            show: ({ ends_at }) => (ends_at === null ? text("keys.never") : <Instant value={ends_at} />),
          },
          {
            id: "acts",
            name: text("label.actions"),
            show: ({ id, name }) => (
              <Button
                isSmall
                tone="danger"
                blockedBy={blockedBy("me.revokeToken")}
                label={`${text("tokens.revoke")}: ${name}`}
                onPress={() => setOpen({ id, name })}
              >
                {text("tokens.revoke")}
              </Button>
            ),
          },
        ]}
      />
      {open === "new" && <NewToken user={{ ...profile, isSelf: true }} onClose={close} />}
      {typeof open === "object" && <RevokeOwn token={open} onClose={close} />}
    </Card>
  );
}

interface RevokeProps {
  readonly token: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

function RevokeOwn({ token, onClose }: RevokeProps) {
  const change = useChange(async () => (await api.me.revokeToken({ token_id: token.id })) ?? null, ["me", "users"]);
  const action = text("tokens.revoke");
  return (
    <ConfirmDialog title={`${action}: ${token.name}`} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("tokens.revoke_about")}</p>
    </ConfirmDialog>
  );
}
