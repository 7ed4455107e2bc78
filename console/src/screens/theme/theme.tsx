import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { Badge } from "../../parts/values.tsx";
import { nameOfColor } from "./color-names.ts";
import { changesOf, contrastBetween, contrastPairs, leastContrast, longColor, type ThemeDraft } from "./contrast.ts";
import { ThemeFields } from "./theme-fields.tsx";

/** The theme of the own level: edited next to what it will look like, and saved only where it can be read. */
export function ThemeEditor() {
  const query = useQuery({ key: ["themes.get"], read: (signal) => api.themes.get({}, signal) });
  const { value, error, isLoading, reload } = query;
  const [isReset, setReset] = useState(false);
  return (
    <Page
      title={text("dashboard.theme")}
      about={text("theme.about")}
      actions={
        <Button
          blockedBy={blockedBy("themes.set") ?? (value?.inherited ? text("theme.is_inherited") : undefined)}
          onPress={() => setReset(true)}
        >
          {text("theme.reset")}
        </Button>
      }
    >
      <div class="row">
        <a href={hrefOf("d/theme")}>{text("console.all_operations")}</a>
      </div>
      {isLoading && <Skeleton />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value && <Editor key={JSON.stringify(value)} counting={{ ...value, logo: value.logo }} />}
      {value && isReset && <ResetDialog colors={Object.keys(value.colors)} onClose={() => setReset(false)} />}
    </Page>
  );
}

function Editor({ counting }: { readonly counting: ThemeDraft }) {
  const [draft, setDraft] = useState(counting);
  const changes = changesOf(draft, counting);
  const change = useChange(() => api.themes.set(changes), ["themes", "properties"]);
  const ratios = contrastPairs.map(([front, back]) => ({
    ...{ front, back },
    ratio: contrastBetween(draft.colors[front] ?? "", draft.colors[back] ?? ""),
  }));
  const isUnfit = ratios.some(({ ratio }) => ratio === undefined || ratio < leastContrast);
  const problem = () => {
    if (Object.keys(changes).length === 0) return text("theme.unchanged");
    if (draft.name.trim() === "") return text("problem.required");
    return isUnfit ? text("theme.unreadable") : undefined;
  };
  const blocked = blockedBy("themes.set") ?? problem();
  const save = async () => {
    if (blocked === undefined && (await change.run(undefined)) !== undefined) toast(text("message.saved"));
  };
  return (
    <div class="columns">
      <Card title={text("theme.values")}>
        <form
          class="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <ThemeFields draft={draft} onChange={setDraft} />
          {change.error && <ErrorAlert error={change.error} />}
          <div class="form-actions">
            <Button onPress={() => setDraft(counting)}>{text("theme.discard")}</Button>
            <Button tone="primary" isSubmit isPending={change.isPending} blockedBy={blocked}>
              {text("action.save")}
            </Button>
          </div>
        </form>
      </Card>
      <Card title={text("theme.preview")}>
        <div class="stack">
          <ThemePreview draft={draft} />
          <Ratios ratios={ratios} />
        </div>
      </Card>
    </div>
  );
}

interface Ratio {
  readonly front: string;
  readonly back: string;
  readonly ratio: number | undefined;
}

/** How well each text can be read on its background. */
function Ratios({ ratios }: { readonly ratios: readonly Ratio[] }) {
  return (
    <ul class="plan" aria-label={text("theme.contrast")}>
      {ratios.map(({ front, back, ratio }) => (
        <li key={`${front} ${back}`}>
          <span>{text("theme.pair", { front: nameOfColor(front), back: nameOfColor(back) })}</span>
          <Badge mood={ratio !== undefined && ratio >= leastContrast ? "good" : "bad"}>
            {ratio === undefined ? text("problem.pattern") : `${(Math.floor(ratio * 100) / 100).toFixed(2)} : 1`}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

interface ResetProps {
  readonly colors: readonly string[];
  readonly onClose: () => void;
}

/** Removes the own values: those of the level above count again. */
function ResetDialog({ colors, onClose }: ResetProps) {
  const none = { name: null, logo: null, favicon: null, colors: Object.fromEntries(colors.map((one) => [one, null])) };
  const change = useChange(async () => (await api.themes.set(none)) ?? null, ["themes", "properties"]);
  const action = text("theme.reset");
  return (
    <ConfirmDialog title={action} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("theme.reset_about")}</p>
    </ConfirmDialog>
  );
}

/** What a page looks like in a theme, while it is edited. */
function ThemePreview({ draft }: { readonly draft: ThemeDraft }) {
  const ref = useRef<HTMLDivElement>(null);
  const { name, colors, logo } = draft;
  useEffect(() => {
    // By the object model: the page's policy refuses style attributes in markup.
    for (const [color, value] of Object.entries(colors)) {
      const long = longColor(value);
      if (long !== undefined && /^[a-z][a-z0-9_-]*$/.test(color))
        ref.current?.style.setProperty(`--theme-${color}`, long);
    }
  }, [colors]);
  return (
    <div ref={ref} class="theme-preview">
      <div class="theme-bar">
        {logo !== undefined && <img src={logo} alt="" height="22" />}
        <strong>{name}</strong>
      </div>
      <div class="theme-page">
        <h3>{text("console.overview")}</h3>
        <p>{text("theme.sample")}</p>
        <div class="row">
          <span class="theme-button">{text("action.save")}</span>
          <span class="theme-link">{text("action.show")}</span>
          <span class="theme-danger">{text("action.delete")}</span>
        </div>
      </div>
    </div>
  );
}
