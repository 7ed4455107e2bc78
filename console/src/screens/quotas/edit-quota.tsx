import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { count } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { aboveOf, type QuotaEntry, type QuotaPlace, type Quotas } from "./matrix.ts";

/** What is edited: a quota of a place, or a new one where there is no place yet. */
export interface EditedQuota {
  readonly name: string;
  readonly place: QuotaPlace | undefined;
  readonly entry: QuotaEntry | undefined;
}

interface EditProps {
  readonly edited: EditedQuota;
  readonly quotas: Quotas;
  readonly onClose: () => void;
}

/** Sets a limit, next to what is used of it and what the place above has left to give. */
export function EditQuota({ edited: { name: known, place, entry }, quotas, onClose }: EditProps) {
  const [name, setName] = useState(known);
  const [reseller, setReseller] = useState(place?.reseller ?? "");
  const [client_id, setClient] = useState(place?.client_id ?? "");
  const [limit, setLimit] = useState(entry === undefined ? "" : String(entry.limit));
  const at = { reseller, client_id, resource_id: place?.resource_id ?? "" };
  const above = aboveOf(quotas[name] ?? [], at);
  const change = useChange(() => api.quotas.set({ ...at, quota: name.trim(), limit: Number(limit) }), ["quotas"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  const isNumber = /^\d{1,15}$/.test(limit);
  const isTooMuch = isNumber && above !== undefined && Number(limit) > above.left;
  const left =
    above && text("quotas.left_above", { left: count(above.left, language()), all: count(above.limit, language()) });
  return (
    <FormDialog
      title={text("quotas.set")}
      {...{ change, onClose }}
      blockedBy={isNumber && name.trim() !== "" ? undefined : text("problem.number")}
      onSubmit={() => void submit()}
    >
      <div class="fields">
        <TextField
          label={text("label.name")}
          {...{ value: name, onInput: setName, suggestions: Object.keys(quotas) }}
        />
        {place === undefined && (
          <>
            <TextField label={text("label.reseller")} value={reseller} onInput={setReseller} />
            <TextField label={text("label.client")} value={client_id} onInput={setClient} />
          </>
        )}
        <TextField
          label={text("label.limit")}
          {...{ type: "number", value: limit, onInput: setLimit, isFocused: true }}
          hint={left}
          error={isTooMuch ? left : undefined}
        />
      </div>
      {entry && <p class="soft">{text("quotas.in_use", { used: count(entry.used, language()) })}</p>}
    </FormDialog>
  );
}
