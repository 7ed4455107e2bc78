import type { AnswerOf } from "../../../src/operations/calls.ts";
import type { Areas } from "../../../src/operations/portal/table.ts";
import { api } from "../api/client.ts";
import { useChange, useQuery } from "../api/query.ts";
import { blockedBy } from "../app/blocked.ts";
import { setSearch, useLocation } from "../app/router.ts";
import { textOf } from "../app/search.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { CheckField } from "../parts/field.tsx";
import { Card, Page } from "../parts/page.tsx";
import { EmptyState, ErrorAlert } from "../parts/states.tsx";
import { type Column, ReadTable } from "../parts/table.tsx";
import { Badge, Instant, type Mood } from "../parts/values.tsx";

type Notification = AnswerOf<Areas["notifications"]["list"]>[number];

const moods: Readonly<Record<Notification["severity"], Mood>> = { info: "primary", warning: "warn", error: "bad" };

/** What the system has told the caller, the newest first; each is read or not. */
export function Notifications() {
  const { search } = useLocation();
  const isUnreadOnly = textOf(search.unread) === "1";
  const query = useQuery({
    key: ["notifications.list", isUnreadOnly],
    read: (signal) => api.notifications.list(isUnreadOnly ? { unread: true } : {}, signal),
    everyMs: 30_000,
  });
  const markAll = useChange(async () => (await api.notifications.markAllRead({})) ?? null, ["notifications"]);
  const mark = useChange(async (id: string) => (await api.notifications.markRead({ id })) ?? null, ["notifications"]);
  const error = markAll.error ?? mark.error;
  const sorted = query.value && [...query.value].sort((one, other) => other.timestamp.localeCompare(one.timestamp));
  return (
    <Page
      title={text("dashboard.notifications")}
      actions={
        <>
          <CheckField
            label={text("notifications.unread_only")}
            isChecked={isUnreadOnly}
            onChange={(isOn) => setSearch({ unread: isOn ? "1" : undefined })}
          />
          <Button
            icon="check"
            blockedBy={blockedBy("notifications.markAllRead")}
            isPending={markAll.isPending}
            onPress={() => void markAll.run(undefined)}
          >
            {text("notifications.mark_all")}
          </Button>
        </>
      }
    >
      {error && <ErrorAlert error={error} />}
      <Card isFlush>
        <ReadTable
          label={text("dashboard.notifications")}
          query={{ ...query, value: sorted }}
          keyOf={({ id }) => id}
          columns={columnsOf((id) => void mark.run(id))}
          empty={
            <EmptyState icon="bell" title={text(isUnreadOnly ? "notifications.none_unread" : "notifications.none")} />
          }
        />
      </Card>
    </Page>
  );
}

function columnsOf(markRead: (id: string) => void): readonly Column<Notification>[] {
  return [
    { id: "at", name: text("label.time"), show: ({ timestamp }) => <Instant value={timestamp} /> },
    {
      id: "severity",
      name: text("label.state"),
      show: ({ severity }) => <Badge mood={moods[severity]}>{severity}</Badge>,
    },
    {
      id: "text",
      name: text("dashboard.notifications"),
      show: ({ notification, subject, read }) => (
        <span class={read === "" ? "cell-main" : ""}>
          {notification}
          {subject && <span class="cell-sub">{subject}</span>}
        </span>
      ),
    },
    {
      id: "read",
      name: text("message.unread"),
      show: ({ id, read }) =>
        read === "" ? (
          <Button isSmall onPress={() => markRead(id)}>
            {text("notifications.mark_read")}
          </Button>
        ) : (
          <Instant value={read} />
        ),
    },
  ];
}
