import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Badge, Facts, Instant } from "../../parts/values.tsx";
import { ShareObject } from "./share-forms.tsx";
import { useProjectNames, useSharedObjects, useSharedUrl } from "./use-store.ts";

type SharedObject = AnswerOf<Areas["objectstore"]["sharedObjects"]>[number];

/** The objects that are shared by an address, each with how long that is good. */
export function SharedAddresses() {
  const wanted = useListSearch();
  const nameOf = useProjectNames();
  const [now] = useState(() => Date.now());
  const [open, setOpen] = useState<"new" | SharedObject>();
  const query = useSharedObjects();
  const shown = query.value?.filter((one) => isFound(wanted, [one.bucket, one.object_key]));
  const share = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("objectstore.shareUrl")} onPress={() => setOpen("new")}>
      {text("objects.share_object")}
    </Button>
  );
  const empty = (
    <EmptyState icon="bucket" title={text("objects.none_addresses")} action={share}>
      {text("objects.none_addresses_about")}
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
          label={text("objects.tab_addresses")}
          query={{ ...query, value: shown }}
          columns={addressColumns({ nameOf, now, open: setOpen })}
          keyOf={({ bucket, object_key }) => `${bucket}/${object_key}`}
          onOpen={setOpen}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open === "new" && <ShareObject onClose={() => setOpen(undefined)} />}
      {typeof open === "object" && <AddressPanel shared={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface ColumnsOf {
  readonly nameOf: (id: string) => string;
  readonly now: number;
  readonly open: (shared: SharedObject) => void;
}

function addressColumns({ nameOf, now, open }: ColumnsOf): readonly Column<SharedObject>[] {
  return [
    {
      id: "key",
      name: text("objects.object"),
      show: ({ object_key, bucket }) => (
        <span class="cell-main">
          {object_key}
          <span class="cell-sub">{bucket}</span>
        </span>
      ),
    },
    { id: "project", name: text("label.project"), show: ({ project_id }) => nameOf(project_id) },
    {
      id: "until",
      name: text("objects.until"),
      show: ({ expire_date }) =>
        Date.parse(expire_date) < now ? (
          <Badge mood="warn">{text("keys.expired")}</Badge>
        ) : (
          <Instant value={expire_date} />
        ),
    },
    {
      id: "acts",
      name: text("label.actions"),
      show: (shared) => (
        <Button
          isSmall
          label={`${text("objects.address")}: ${shared.object_key}`}
          blockedBy={blockedBy("objectstore.sharedUrl")}
          onPress={() => open(shared)}
        >
          {text("objects.address")}
        </Button>
      ),
    },
  ];
}

/** The address of a shared object, to copy or to open. */
function AddressPanel({ shared, onClose }: { readonly shared: SharedObject; readonly onClose: () => void }) {
  const { value, error, isLoading, reload } = useSharedUrl(shared);
  const url = value?.url;
  return (
    <Dialog title={shared.object_key} isPanel onClose={onClose}>
      <div class="stack">
        {isLoading && <Skeleton lines={2} />}
        {error && <ErrorAlert error={error} onRetry={reload} />}
        {url !== undefined && (
          <div class="row">
            <Button isSmall icon="copy" onPress={() => void copyText(url)}>
              {text("action.copy")}
            </Button>
            {/^https?:/.test(url) && (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {text("objects.open_address")}
              </a>
            )}
          </div>
        )}
        <Facts
          rows={[
            [text("objects.bucket"), shared.bucket],
            [text("objects.until"), <Instant key="until" value={shared.expire_date} isExact />],
            [text("objects.address"), url === undefined ? "–" : <code key="url">{url}</code>],
          ]}
        />
        <p class="soft">{text("objects.address_about")}</p>
      </div>
    </Dialog>
  );
}
