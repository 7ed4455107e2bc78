import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { isReachable } from "../../app/nav.ts";
import { text } from "../../i18n/texts.ts";
import { TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { isWeightValid, readUse, toUse } from "./credential.ts";
import { UseFields } from "./use-fields.tsx";

const word = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The names of the providers that there are. */
function useProviders(): readonly string[] {
  const { value } = useQuery({
    key: ["ai.credentials"],
    read: (signal) => api.ai.credentials({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isReachable({ row: "ai.credentials" }),
  });
  return [...new Set(value?.map(({ provider }) => provider))];
}

/** A credential of a provider: one that is there, or one that is made of a kind and an address. */
export function NewCredential({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState({ provider: "", name: "", value: "", kind: "", base_url: "" });
  const [use, setUse] = useState(toUse());
  const providers = useProviders();
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const { provider, name, value, kind, base_url } = draft;
  const change = useChange(() => {
    const place = { ...(kind.trim() && { kind: kind.trim() }), ...(base_url.trim() && { base_url: base_url.trim() }) };
    return api.ai.addCredential({ provider, name, value, ...place, ...readUse(use) });
  }, ["ai"]);
  const submit = async () => {
    if (!(await change.run(undefined))) return;
    toast(text("message.saved"));
    onClose();
  };
  const ruleOf = (typed: string) => (typed === "" || word.test(typed) ? undefined : text("credentials.name_rule"));
  const isMissing = provider === "" || name === "" || value === "";
  const wrong = ruleOf(provider) ?? ruleOf(name) ?? (isWeightValid(use.weight) ? undefined : text("problem.number"));
  return (
    <FormDialog
      title={text("credentials.create")}
      action={text("action.create")}
      {...{ change, onClose }}
      blockedBy={isMissing ? text("problem.required") : wrong}
      onSubmit={() => void submit()}
    >
      <div class="fields">
        <TextField
          {...{ label: text("label.provider"), value: provider, suggestions: providers, error: ruleOf(provider) }}
          isRequired
          isFocused
          onInput={(next) => set({ provider: next })}
        />
        <TextField
          {...{ label: text("label.name"), value: name, error: ruleOf(name), isRequired: true }}
          onInput={(next) => set({ name: next })}
        />
      </div>
      <TextField
        {...{ label: text("label.value"), hint: text("credentials.value_hint"), type: "password", value }}
        autoComplete="new-password"
        onInput={(next) => set({ value: next })}
      />
      <details>
        <summary>{text("credentials.more")}</summary>
        <div class="form">
          <TextField
            {...{ label: text("credentials.kind"), hint: text("credentials.kind_hint"), value: kind }}
            onInput={(next) => set({ kind: next })}
          />
          <TextField
            {...{ label: text("credentials.address"), value: base_url, placeholder: "https://api.example.com/v1" }}
            onInput={(next) => set({ base_url: next })}
          />
          <UseFields draft={use} onChange={(part) => setUse({ ...use, ...part })} />
        </div>
      </details>
    </FormDialog>
  );
}
