import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { useProjects } from "../infrastructure/read.ts";
import { useStoreAddress } from "./use-store.ts";

interface ShareProps {
  readonly bucket?: string;
  readonly object?: string;
  readonly onClose: () => void;
}

/** What was typed as the address of the store; what is known of it until then. */
function useStoreField() {
  const known = useStoreAddress();
  const [typed, setTyped] = useState<string>();
  const store = typed ?? known;
  const field = (
    <TextField
      label={text("objects.store")}
      hint={text("objects.store_hint")}
      {...{ value: store, onInput: setTyped, isRequired: true }}
    />
  );
  return { store, field };
}

/** Shares a bucket with a project. */
export function ShareBucket({ bucket: first = "", onClose }: ShareProps) {
  const [bucket, setBucket] = useState(first);
  const [project_id, setProject] = useState("");
  const projects = useProjects().value ?? [];
  const { store, field } = useStoreField();
  const change = useChange(async () => {
    const input = { bucket: bucket.trim(), project_id: project_id.trim(), objectstore_url: store.trim() };
    return (await api.objectstore.shareBucket(input)) ?? null;
  }, ["objectstore"]);
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  const isMissing = [bucket, project_id, store].some((one) => one.trim() === "");
  return (
    <FormDialog
      title={text("objects.share_bucket")}
      action={text("objects.share")}
      {...{ change, onClose }}
      blockedBy={isMissing ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <TextField label={text("objects.bucket")} value={bucket} onInput={setBucket} isRequired isFocused />
      <TextField
        label={text("objects.shared_with")}
        hint={text("objects.project_hint")}
        suggestions={projects.map(({ id }) => id)}
        {...{ value: project_id, onInput: setProject, isRequired: true }}
      />
      {field}
    </FormDialog>
  );
}

const spans = ["3600", "86400", "604800", "2592000"] as const;

/** Shares an object by an address that anybody can read until it ends. */
export function ShareObject({ bucket: firstBucket = "", object = "", onClose }: ShareProps) {
  const [bucket, setBucket] = useState(firstBucket);
  const [key, setKey] = useState(object);
  const [span, setSpan] = useState<string>("86400");
  const { store, field } = useStoreField();
  const change = useChange(async () => {
    const input = { bucket: bucket.trim(), key, expire: Number(span), url: store.trim() };
    return (await api.objectstore.shareUrl(input)) ?? null;
  }, ["objectstore"]);
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    toast(text("message.saved"));
    onClose();
  };
  const isMissing = [bucket, key, store].some((one) => one.trim() === "");
  return (
    <FormDialog
      title={text("objects.share_object")}
      action={text("objects.share")}
      {...{ change, onClose }}
      blockedBy={isMissing ? text("problem.required") : undefined}
      onSubmit={() => void submit()}
    >
      <p class="soft">{text("objects.address_about")}</p>
      <div class="fields">
        <TextField label={text("objects.bucket")} value={bucket} onInput={setBucket} isRequired isFocused />
        <TextField label={text("objects.object")} value={key} onInput={setKey} isRequired />
      </div>
      <SelectField
        label={text("objects.good_for")}
        value={span}
        choices={spans.map((seconds) => [seconds, text(`objects.span_${seconds}`)] as const)}
        onChange={setSpan}
      />
      {field}
    </FormDialog>
  );
}
