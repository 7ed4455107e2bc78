import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { session } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { blockedBy } from "../../app/blocked.ts";
import { count } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Facts, Instant } from "../../parts/values.tsx";
import { EditProfile, SetOwnPassword } from "./forms.tsx";
import { OwnTokens } from "./own-tokens.tsx";
import { Sessions } from "./sessions.tsx";

/** The caller as `GET /me` answers it. */
export type Profile = AnswerOf<Areas["me"]["get"]>;

/** The own account: name, password, sessions and access tokens. */
export function Me() {
  const query = useQuery({ key: ["me.get"], read: (signal) => api.me.get({}, signal) });
  const { value, error, isLoading, reload } = query;
  return (
    <Page title={text("dashboard.me")} about={text("me.about")}>
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {isLoading && <Skeleton />}
      {value && (
        <>
          <ProfileCard profile={value} />
          <Standing />
          <Sessions />
          <OwnTokens profile={value} />
        </>
      )}
    </Page>
  );
}

/** Where the caller stands in this session: the region, what serves it, and what it may do. */
function Standing() {
  const state = useStore(session);
  if (!("context" in state)) return null;
  const { region, permissions } = state.context;
  const names = Object.keys(permissions).sort();
  return (
    <Card title={text("me.standing")}>
      <Facts
        rows={[
          [text("label.region"), region.code],
          [text("me.back_ends"), region.backends.join(", ") || "–"],
          [
            text("label.permissions"),
            <details key="permissions">
              <summary>{count(names.length, language())}</summary>
              <p>{names.join(", ")}</p>
            </details>,
          ],
        ]}
      />
    </Card>
  );
}

function ProfileCard({ profile }: { readonly profile: Profile }) {
  const [act, setAct] = useState<"edit" | "password">();
  const { username, first_name, last_name, email, level, reseller, client_id, has_password, created_at } = profile;
  const actions = (
    <span class="row">
      <Button isSmall blockedBy={blockedBy("me.change")} onPress={() => setAct("edit")}>
        {text("action.edit")}
      </Button>
      <Button isSmall blockedBy={blockedBy("me.setPassword")} onPress={() => setAct("password")}>
        {text("users.password")}
      </Button>
    </span>
  );
  return (
    <Card title={username} actions={actions}>
      <Facts
        rows={[
          [text("label.first_name"), first_name ?? "–"],
          [text("label.last_name"), last_name ?? "–"],
          [text("label.email"), email ?? "–"],
          [text("label.level"), text(`label.${level}`)],
          [text("console.tenant"), [reseller, client_id].filter(Boolean).join(" / ") || "–"],
          [text("console.password"), text(has_password ? "me.has_password" : "me.no_password")],
          [text("label.created_at"), <Instant key="created" value={created_at} isExact />],
        ]}
      />
      {act === "edit" && <EditProfile profile={profile} onClose={() => setAct(undefined)} />}
      {act === "password" && <SetOwnPassword profile={profile} onClose={() => setAct(undefined)} />}
    </Card>
  );
}
