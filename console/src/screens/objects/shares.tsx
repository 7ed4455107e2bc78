import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { ShareBucket } from "./share-forms.tsx";
import { useProjectNames } from "./use-store.ts";

type SharedBucket = AnswerOf<Areas["objectstore"]["sharedBuckets"]>[number];
type ReceivedBucket = AnswerOf<Areas["objectstore"]["receivedBuckets"]>[number];

/** The buckets that are shared, each with whom. */
export function SharedBuckets() {
  const wanted = useListSearch();
  const nameOf = useProjectNames();
  const [open, setOpen] = useState<"new" | SharedBucket>();
  const query = useQuery({
    key: ["objectstore.sharedBuckets"],
    read: (signal) => api.objectstore.sharedBuckets({}, signal),
  });
  const shown = query.value?.filter((one) => isFound(wanted, [one.bucket, nameOf(one.project_id)]));
  const share = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("objectstore.shareBucket")} onPress={() => setOpen("new")}>
      {text("objects.share_bucket")}
    </Button>
  );
  const empty = (
    <EmptyState icon="bucket" title={text("objects.none_shared")} action={share}>
      {text("objects.none_shared_about")}
    </EmptyState>
  );
  return (
    <>
      <div class="row">
        <SearchBox />
        {share}
      </div>
      <Card isFlush>
        <ReadTable
          label={text("objects.tab_shared")}
          query={{ ...query, value: shown }}
          columns={sharedColumns(nameOf, setOpen)}
          keyOf={({ bucket, project_id }) => `${bucket} ${project_id}`}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open === "new" && <ShareBucket onClose={() => setOpen(undefined)} />}
      {typeof open === "object" && <Unshare share={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function sharedColumns(
  nameOf: (id: string) => string,
  end: (share: SharedBucket) => void,
): readonly Column<SharedBucket>[] {
  return [
    { id: "bucket", name: text("objects.bucket"), show: ({ bucket }) => <span class="cell-main">{bucket}</span> },
    { id: "project", name: text("objects.shared_with"), show: ({ project_id }) => nameOf(project_id) },
    { id: "user", name: text("label.user"), show: ({ user_id }) => user_id },
    {
      id: "acts",
      name: text("label.actions"),
      show: (share) => (
        <Button
          isSmall
          tone="danger"
          label={`${text("objects.unshare")}: ${share.bucket}`}
          blockedBy={blockedBy("objectstore.unshareBucket")}
          onPress={() => end(share)}
        >
          {text("objects.unshare")}
        </Button>
      ),
    },
  ];
}

function Unshare({ share, onClose }: { readonly share: SharedBucket; readonly onClose: () => void }) {
  const change = useChange(
    async () => (await api.objectstore.unshareBucket({ bucket: share.bucket })) ?? null,
    ["objectstore"],
  );
  const action = text("objects.unshare");
  return (
    <ConfirmDialog title={`${action}: ${share.bucket}`} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("objects.unshare_about")}</p>
    </ConfirmDialog>
  );
}

/** The buckets that others share with projects of the caller. */
export function ReceivedBuckets() {
  const wanted = useListSearch();
  const nameOf = useProjectNames();
  const query = useQuery({
    key: ["objectstore.receivedBuckets"],
    read: (signal) => api.objectstore.receivedBuckets({}, signal),
  });
  const shown = query.value?.filter((one) => isFound(wanted, [one.bucket, nameOf(one.project_id)]));
  const columns: readonly Column<ReceivedBucket>[] = [
    { id: "bucket", name: text("objects.bucket"), show: ({ bucket }) => <span class="cell-main">{bucket}</span> },
    { id: "project", name: text("objects.shared_with"), show: ({ project_id }) => nameOf(project_id) },
    { id: "owner", name: text("objects.owner"), show: ({ owner_project_id }) => <code>{owner_project_id}</code> },
    { id: "at", name: text("objects.shared_at"), show: ({ shared_at }) => <Instant value={shared_at} /> },
  ];
  return (
    <>
      <div class="row">
        <SearchBox />
      </div>
      <Card isFlush>
        <ReadTable
          label={text("objects.tab_received")}
          query={{ ...query, value: shown }}
          columns={columns}
          keyOf={({ bucket, project_id }) => `${bucket} ${project_id}`}
          empty={wanted === "" ? <EmptyState icon="bucket" title={text("objects.none_received")} /> : <NoMatch />}
        />
      </Card>
    </>
  );
}
