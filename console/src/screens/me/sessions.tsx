import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/page.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Badge, Instant } from "../../parts/values.tsx";

/** Where the caller is signed in; each session but this one can be ended. */
export function Sessions() {
  const isAllowed = isReachable({ row: "me.sessions" });
  const query = useQuery({
    key: ["me.sessions"],
    read: (signal) => api.me.sessions({}, signal),
    isEnabled: isAllowed,
  });
  const end = useChange(async (session_id: string) => (await api.me.endSession({ session_id })) ?? null, ["me"]);
  const endOthers = useChange(async () => (await api.me.endOtherSessions({})) ?? null, ["me"]);
  if (!isAllowed) return null;
  const error = end.error ?? endOthers.error;
  const others = (
    <Button
      isSmall
      blockedBy={blockedBy("me.endOtherSessions")}
      isPending={endOthers.isPending}
      onPress={() => void endOthers.run(undefined)}
    >
      {text("me.end_others")}
    </Button>
  );
  return (
    <Card title={text("me.sessions")} actions={others} isFlush>
      {error && <ErrorAlert error={error} />}
      <ReadTable
        label={text("me.sessions")}
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { id: "begun", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
          { id: "seen", name: text("me.seen"), show: ({ seen_at }) => <Instant value={seen_at} /> },
          { id: "ends", name: text("label.end"), show: ({ ends_at }) => <Instant value={ends_at} /> },
          {
            id: "by",
            name: text("me.opened_by"),
            show: ({ token_id }) => text(token_id === null ? "console.password" : "label.token"),
          },
          {
            id: "acts",
            name: text("label.actions"),
            show: ({ id, current }) =>
              current ? (
                <Badge mood="primary">{text("me.this_session")}</Badge>
              ) : (
                <Button isSmall blockedBy={blockedBy("me.endSession")} onPress={() => void end.run(id)}>
                  {text("me.end_session")}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}
