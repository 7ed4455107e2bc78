import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { hrefOf, useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { bytes } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { ShareObject } from "./share-forms.tsx";
import { crumbsOf, nameWithin } from "./store.ts";

interface ObjectsProps {
  readonly bucket: string;
  readonly project_id: string;
  readonly objectstore_url: string;
}

/** The objects of a bucket, folder by folder. */
export function BucketObjects(place: ObjectsProps) {
  const { bucket } = place;
  const { search } = useLocation();
  const prefix = textOf(search.prefix);
  const [shared, setShared] = useState<string>();
  const query = useQuery({
    key: ["objectstore.objects", place, prefix],
    read: (signal) =>
      api.objectstore.objects({ ...place, delimiter: "/", ...(prefix === "" ? {} : { prefix }) }, signal),
  });
  const hrefTo = (to: string) => hrefOf("objects/buckets", { ...search, prefix: to || undefined });
  return (
    <>
      <div class="row crumb">
        <a href={hrefOf("objects/buckets", { ...search, bucket: undefined, prefix: undefined })}>
          {text("objects.tab_buckets")}
        </a>
        <a href={hrefTo("")}>{bucket}</a>
        {crumbsOf(prefix).map((crumb) => (
          <a key={crumb.prefix} href={hrefTo(crumb.prefix)}>
            {crumb.name}
          </a>
        ))}
      </div>
      <Card isFlush>
        <ReadTable
          label={bucket}
          query={query}
          keyOf={({ key }) => key}
          empty={<EmptyState icon="bucket" title={text("objects.no_objects")} />}
          columns={[
            {
              id: "key",
              name: text("objects.object"),
              show: ({ key, is_prefix }) =>
                is_prefix ? (
                  <a class="cell-main" href={hrefTo(key)}>
                    <Icon name="folder" /> {nameWithin(key, prefix)}
                  </a>
                ) : (
                  <span class="cell-main">{nameWithin(key, prefix)}</span>
                ),
            },
            {
              id: "size",
              name: text("backups.size"),
              isNumber: true,
              show: ({ size }) => (size === undefined ? "–" : bytes(size)),
            },
            { id: "at", name: text("infra.updated"), show: ({ last_modified }) => <Instant value={last_modified} /> },
            {
              id: "acts",
              name: text("label.actions"),
              show: ({ key, is_prefix }) => !is_prefix && <ShareButton name={key} onPress={() => setShared(key)} />,
            },
          ]}
        />
      </Card>
      {shared !== undefined && <ShareObject bucket={bucket} object={shared} onClose={() => setShared(undefined)} />}
    </>
  );
}

function ShareButton({ name, onPress }: { readonly name: string; readonly onPress: () => void }) {
  return (
    <Button
      isSmall
      label={`${text("objects.share_object")}: ${name}`}
      blockedBy={blockedBy("objectstore.shareUrl")}
      onPress={onPress}
    >
      {text("objects.share")}
    </Button>
  );
}
