import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { go, setSearch, useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { ReadTable } from "../../parts/table.tsx";
import { Instant } from "../../parts/values.tsx";
import { useProjects } from "../infrastructure/read.ts";
import { BucketObjects } from "./bucket-objects.tsx";
import { ShareBucket } from "./share-forms.tsx";
import { useStoreAddress } from "./use-store.ts";

/** The buckets of a project, and what they hold. */
export function Buckets() {
  const { search } = useLocation();
  const projects = useProjects();
  const objectstore_url = useStoreAddress();
  const [typed, setTyped] = useState<string>();
  const project_id = textOf(search.project, projects.value?.[0]?.id);
  const bucket = textOf(search.bucket);
  const choices = (projects.value ?? []).map(({ id, name }) => [id, name] as const);
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({ store: typed?.trim() || undefined, bucket: undefined, prefix: undefined });
        }}
      >
        <SelectField
          label={text("label.project")}
          value={project_id}
          choices={choices}
          onChange={(project) => go("objects/buckets", { store: search.store, project })}
        />
        <TextField
          label={text("objects.store")}
          {...{ value: typed ?? objectstore_url, onInput: setTyped, placeholder: "https://s3.example.com" }}
        />
        <Button isSubmit>{text("action.show")}</Button>
      </form>
      {objectstore_url === "" || project_id === "" ? (
        <EmptyState icon="bucket" title={text("objects.which_store")}>
          {text("objects.store_hint")}
        </EmptyState>
      ) : bucket === "" ? (
        <BucketList {...{ project_id, objectstore_url }} />
      ) : (
        <BucketObjects key={bucket} {...{ bucket, project_id, objectstore_url }} />
      )}
    </>
  );
}

interface ListProps {
  readonly project_id: string;
  readonly objectstore_url: string;
}

function BucketList({ project_id, objectstore_url }: ListProps) {
  const [act, setAct] = useState<{ readonly kind: "share" | "empty"; readonly bucket: string }>();
  const query = useQuery({
    key: ["objectstore.buckets", project_id, objectstore_url],
    read: (signal) => api.objectstore.buckets({ project_id, objectstore_url }, signal),
  });
  const close = () => setAct(undefined);
  const open = (bucket: string) =>
    setSearch({ bucket, project: project_id, store: objectstore_url }, { replace: false });
  return (
    <Card isFlush>
      <ReadTable
        label={text("objects.tab_buckets")}
        query={query}
        keyOf={({ name }) => name}
        onOpen={({ name }) => open(name)}
        empty={<EmptyState icon="bucket" title={text("objects.no_buckets")} />}
        columns={[
          { id: "name", name: text("objects.bucket"), show: ({ name }) => <span class="cell-main">{name}</span> },
          { id: "at", name: text("label.created_at"), show: ({ created_at }) => <Instant value={created_at} /> },
          {
            id: "acts",
            name: text("label.actions"),
            show: ({ name }) => <BucketActs name={name} onAct={(kind) => setAct({ kind, bucket: name })} />,
          },
        ]}
      />
      {act?.kind === "share" && <ShareBucket bucket={act.bucket} onClose={close} />}
      {act?.kind === "empty" && (
        <DeleteVersions {...{ project_id, objectstore_url, bucket: act.bucket }} onClose={close} />
      )}
    </Card>
  );
}

interface ActsProps {
  readonly name: string;
  readonly onAct: (kind: "share" | "empty") => void;
}

function BucketActs({ name, onAct }: ActsProps) {
  return (
    <span class="row">
      <Button
        isSmall
        label={`${text("objects.share")}: ${name}`}
        blockedBy={blockedBy("objectstore.shareBucket")}
        onPress={() => onAct("share")}
      >
        {text("objects.share")}
      </Button>
      <Button
        isSmall
        tone="danger"
        label={`${text("objects.delete_versions")}: ${name}`}
        blockedBy={blockedBy("objectstore.deleteVersions")}
        onPress={() => onAct("empty")}
      >
        {text("objects.delete_versions")}
      </Button>
    </span>
  );
}

interface DeleteProps extends ListProps {
  readonly bucket: string;
  readonly onClose: () => void;
}

function DeleteVersions({ onClose, ...place }: DeleteProps) {
  const change = useChange(async () => (await api.objectstore.deleteVersions(place)) ?? null, ["objectstore"]);
  const action = text("objects.delete_versions");
  return (
    <ConfirmDialog
      title={`${action}: ${place.bucket}`}
      word={place.bucket}
      {...{ action, change, onClose }}
      onDone={onClose}
    >
      <p>{text("objects.delete_versions_about")}</p>
    </ConfirmDialog>
  );
}
