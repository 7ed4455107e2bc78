import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { language, loadTenantTexts, text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { missingNames } from "./placeholders.ts";

interface FormProps {
  readonly lang: string;
  readonly row: { readonly key: string; readonly value: string };
  readonly onClose: () => void;
}

/** The language that texts are translated from. */
const original = "en";

/** Sets a text for the own level and those below it. */
export function TextForm({ lang, row: { key, value: first }, onClose }: FormProps) {
  const [value, setValue] = useState(first);
  const source = useQuery({
    key: ["i18n.tokens", original],
    read: (signal) => api.i18n.tokens({ lang: original }, signal),
    staleMs: freshFor.catalogue,
    isEnabled: lang !== original,
  });
  const change = useChange(async () => (await api.i18n.setToken({ lang, key, value })) ?? null, ["i18n"]);
  const submit = async () => {
    if ((await change.run(undefined)) === undefined) return;
    if (lang === language()) await loadTenantTexts();
    toast(text("message.saved"));
    onClose();
  };
  const plain = source.value?.[key] ?? first;
  const missing = missingNames(plain, value);
  return (
    <FormDialog
      title={key}
      {...{ change, onClose }}
      blockedBy={blockedBy("i18n.setToken") ?? (value === first ? text("theme.unchanged") : undefined)}
      onSubmit={() => void submit()}
    >
      {lang !== original && <p class="soft">{plain}</p>}
      <TextField
        {...{ label: text("texts.text"), lines: 4, value, onInput: setValue, isFocused: true }}
        hint={missing.length > 0 ? text("texts.missing_names", { names: missing.join(", ") }) : text("texts.level")}
      />
    </FormDialog>
  );
}
