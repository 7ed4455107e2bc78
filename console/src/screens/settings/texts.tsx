import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { setSearch, useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { count } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { download } from "../../parts/download.ts";
import { CheckField, Select } from "../../parts/field.tsx";
import { LongTable } from "../../parts/long-table/long-table.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { Badge } from "../../parts/values.tsx";
import { TextForm } from "./text-form.tsx";

type TextRow = AnswerOf<Areas["i18n"]["table"]>[number];

function useLanguages() {
  return useQuery({
    key: ["i18n.languages"],
    read: (signal) => api.i18n.languages({}, signal),
    staleMs: freshFor.catalogue,
  });
}

/** The texts of the console by language: what is not translated comes first, and each can be set for the own level. */
export function Texts() {
  const { search } = useLocation();
  const languages = useLanguages();
  const lang = textOf(search.lang, language());
  const isDefault = languages.value?.find((one) => one.lang === lang)?.default ?? false;
  const query = useQuery({ key: ["i18n.table", lang], read: (signal) => api.i18n.table({ lang }, signal) });
  const { value, error, isLoading, reload } = query;
  const save = () => {
    const texts = Object.fromEntries((value ?? []).map((row) => [row.key, row.value]));
    download(`texts-${lang}.json`, JSON.stringify(texts, null, 2), "application/json");
  };
  return (
    <Page
      title={text("dashboard.languages")}
      about={text("texts.about")}
      actions={
        <Button icon="download" blockedBy={value ? undefined : text("message.loading")} onPress={save}>
          {text("action.download")}
        </Button>
      }
    >
      <div class="row">
        <SearchBox />
        <Select
          label={text("label.language")}
          value={lang}
          choices={(languages.value ?? []).map((one) => [one.lang, one.name] as const)}
          onChange={(next) => setSearch({ lang: next })}
        />
        {!isDefault && (
          <CheckField
            label={text("texts.untranslated_only")}
            isChecked={textOf(search.untranslated) === "1"}
            onChange={(isOn) => setSearch({ untranslated: isOn ? "1" : undefined })}
          />
        )}
      </div>
      {isLoading && <Skeleton />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value && <TextTable key={lang} {...{ lang, isDefault, rows: value }} />}
    </Page>
  );
}

interface TableProps {
  readonly lang: string;
  /** The default language is where the others are translated from. */
  readonly isDefault: boolean;
  readonly rows: readonly TextRow[];
}

function TextTable({ lang, isDefault, rows }: TableProps) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const [open, setOpen] = useState<TextRow>();
  const isMissing = ({ translated }: TextRow) => !isDefault && !translated;
  const isUntranslatedOnly = !isDefault && textOf(search.untranslated) === "1";
  const shown = rows
    .filter((row) => (!isUntranslatedOnly || isMissing(row)) && isFound(wanted, [row.key, row.value]))
    .sort((one, other) => Number(isMissing(other)) - Number(isMissing(one)) || (one.key < other.key ? -1 : 1));
  const translated = rows.filter((row) => !isMissing(row)).length;
  return (
    <Card isFlush>
      {shown.length === 0 ? (
        <NoMatch />
      ) : (
        <LongTable
          label={text("texts.title")}
          rows={shown}
          columns={textColumns(isMissing, setOpen)}
          keyOf={({ key }) => key}
          onOpen={setOpen}
        />
      )}
      <p class="table-foot faint" role="status">
        {text("texts.so_many", { shown: count(shown.length, language()), translated: count(translated, language()) })}
      </p>
      {open && <TextForm {...{ lang, row: open }} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function textColumns(isMissing: (row: TextRow) => boolean, open: (row: TextRow) => void): readonly Column<TextRow>[] {
  return [
    { id: "key", name: text("texts.key"), show: ({ key }) => <code>{key}</code> },
    { id: "value", name: text("texts.text"), show: ({ value }) => <span title={value}>{value}</span> },
    {
      id: "state",
      name: text("label.state"),
      show: (row) =>
        isMissing(row) ? (
          <Badge mood="warn">{text("texts.untranslated")}</Badge>
        ) : (
          <Badge mood="good">{text("texts.translated")}</Badge>
        ),
    },
    {
      id: "acts",
      name: text("label.actions"),
      show: (row) => (
        <Button
          isSmall
          label={`${text("action.edit")}: ${row.key}`}
          blockedBy={blockedBy("i18n.setToken")}
          onPress={() => open(row)}
        >
          {text("action.edit")}
        </Button>
      ),
    },
  ];
}
