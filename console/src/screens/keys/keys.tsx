import { useState } from "preact/hooks";
import { blockedBy } from "../../app/blocked.ts";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { textOf } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { KeyPage } from "./key-page.tsx";
import { type AiKey, budgetInWords, KeyState } from "./key-state.tsx";
import { KeyWizard } from "./key-wizard.tsx";
import { useKeys } from "./use-keys.ts";

/** Virtual keys: who may call, with what, and how much. */
export function Keys({ rest: [id] }: ScreenProps) {
  return id === undefined ? <KeyList /> : <KeyPage key={id} id={id} />;
}

function KeyList() {
  const { search } = useLocation();
  const isAsked = textOf(search.create) === "1";
  const [isCreating, setCreating] = useState(false);
  const keys = useKeys();
  const close = () => {
    setCreating(false);
    if (isAsked) go("ai/keys", {}, { replace: true });
  };
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("ai.createKey")} onPress={() => setCreating(true)}>
      {text("keys.create")}
    </Button>
  );
  return (
    <Page title={text("dashboard.ai-keys")} about={text("keys.about")} actions={create}>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.ai-keys")}
          query={keys}
          columns={keyColumns()}
          keyOf={({ id }) => id}
          onOpen={({ id }) => go(`ai/keys/${id}`)}
          empty={
            <EmptyState icon="key" title={text("keys.none")} action={create}>
              {text("keys.about")}
            </EmptyState>
          }
        />
      </Card>
      {(isCreating || isAsked) && (
        <Dialog title={text("keys.create")} onClose={close}>
          <KeyWizard
            onDone={(id) => {
              setCreating(false);
              go(`ai/keys/${id}`);
            }}
          />
        </Dialog>
      )}
    </Page>
  );
}

function keyColumns(): readonly Column<AiKey>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, description }) => (
        <a class="cell-main" href={hrefOf(`ai/keys/${id}`)}>
          {name}
          {description && <span class="cell-sub">{description}</span>}
        </a>
      ),
    },
    { id: "state", name: text("label.state"), show: (row) => <KeyState row={row} /> },
    { id: "project", name: text("label.project"), show: ({ project }) => project ?? <span class="faint">–</span> },
    { id: "user", name: text("label.user"), show: ({ user }) => user ?? <span class="faint">–</span> },
    { id: "budgets", name: text("label.budget"), show: ({ budgets }) => budgets.map(budgetInWords).join(", ") || "–" },
    { id: "last4", name: text("label.value"), show: ({ last4 }) => <code class="soft">{`…${last4}`}</code> },
    { id: "created", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
    {
      id: "expires",
      name: text("keys.expires"),
      show: ({ expires_at }) => (expires_at ? <Instant value={expires_at} /> : <span class="faint">–</span>),
    },
  ];
}
