import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Instant } from "../../parts/values.tsx";
import type { Credential } from "./credential.ts";
import { CredentialPanel } from "./credential-panel.tsx";
import { CredentialState } from "./credential-state.tsx";
import { NewCredential } from "./new-credential.tsx";

const keyOf = ({ id, provider, name }: Credential) => id ?? `${provider} ${name}`;

/** The credentials by which the gateway calls providers: those of the configuration, and those that were set here. */
export function Credentials({ rest: [openId] }: ScreenProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const [isNew, setNew] = useState(false);
  const query = useQuery({ key: ["ai.credentials"], read: (signal) => api.ai.credentials({}, signal) });
  const shown = query.value?.filter((one) => isFound(wanted, [one.provider, one.name, one.kind, one.base_url]));
  const open = query.value?.find((one) => keyOf(one) === openId);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("ai.addCredential")} onPress={() => setNew(true)}>
      {text("credentials.create")}
    </Button>
  );
  const empty = (
    <EmptyState icon="lock" title={text("credentials.none")}>
      {text("credentials.none_about")}
    </EmptyState>
  );
  return (
    <Page title={text("dashboard.ai-credentials")} about={text("credentials.about")} actions={create}>
      <div class="row">
        <SearchBox />
        <a href={hrefOf("ai/health")}>{text("console.health")}</a>
      </div>
      <Card isFlush>
        <ReadTable
          label={text("dashboard.ai-credentials")}
          query={{ ...query, value: shown }}
          columns={credentialColumns()}
          keyOf={keyOf}
          selected={openId}
          onOpen={(one) => go(`ai/credentials/${encodeURIComponent(keyOf(one))}`, search)}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open && <CredentialPanel key={openId} credential={open} onClose={() => go("ai/credentials", search)} />}
      {isNew && <NewCredential onClose={() => setNew(false)} />}
    </Page>
  );
}

function credentialColumns(): readonly Column<Credential>[] {
  return [
    {
      id: "provider",
      name: text("label.provider"),
      show: (one) => (
        <a class="cell-main" href={hrefOf(`ai/credentials/${encodeURIComponent(keyOf(one))}`)}>
          {one.provider}
          <span class="cell-sub">{one.name}</span>
        </a>
      ),
    },
    { id: "state", name: text("label.state"), show: (one) => <CredentialState credential={one} /> },
    {
      id: "source",
      name: text("credentials.source"),
      show: ({ source }) => <Badge>{text(`credentials.source_${source}`)}</Badge>,
    },
    {
      id: "end",
      name: text("label.value"),
      show: ({ key_end }) => (key_end === undefined ? "–" : <code class="soft">{`…${key_end}`}</code>),
    },
    { id: "weight", name: text("credentials.weight"), isNumber: true, show: ({ weight }) => weight ?? 1 },
    {
      id: "models",
      name: text("keys.models"),
      show: ({ models }) => models?.join(", ") ?? text("credentials.all_models"),
    },
    { id: "set", name: text("credentials.set_at"), show: ({ set_at }) => <Instant value={set_at} /> },
  ];
}
