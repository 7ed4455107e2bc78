import { useState } from "preact/hooks";
import { useStore } from "../../api/store.ts";
import { prefer, preferences } from "../../app/preferences.ts";
import { go, useLocation } from "../../app/router.ts";
import { readSearch, writeSearch } from "../../app/search.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Select, TextField } from "../../parts/field.tsx";

const mostViews = 30;

/** Filters under a name, on this device. */
export function SavedViews() {
  const { views = [] } = useStore(preferences);
  const { search } = useLocation();
  const [isSaving, setSaving] = useState(false);
  const query = writeSearch(search);
  const current = views.find((view) => view.query === query);
  return (
    <>
      {views.length > 0 && (
        <Select
          label={text("requests.views")}
          value={current?.name ?? ""}
          choices={[["", text("requests.views")], ...views.map(({ name }) => [name, name] as const)]}
          onChange={(name) => go("ai/requests", readSearch(views.find((view) => view.name === name)?.query ?? ""))}
        />
      )}
      {current ? (
        <Button onPress={() => prefer({ views: views.filter((view) => view !== current) })}>
          {text("requests.forget_view")}
        </Button>
      ) : (
        query !== "" && <Button onPress={() => setSaving(true)}>{text("requests.save_view")}</Button>
      )}
      {isSaving && <SaveDialog query={query} onClose={() => setSaving(false)} />}
    </>
  );
}

function SaveDialog({ query, onClose }: { readonly query: string; readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const save = () => {
    const trimmed = name.trim().slice(0, 60);
    if (trimmed === "") return;
    const others = (preferences.get().views ?? []).filter((view) => view.name !== trimmed);
    prefer({ views: [...others, { name: trimmed, query }].slice(-mostViews) });
    onClose();
  };
  return (
    <Dialog title={text("requests.save_view")} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label={text("label.name")} value={name} onInput={setName} isFocused isRequired />
        <div class="form-actions">
          <Button tone="primary" isSubmit>
            {text("action.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
