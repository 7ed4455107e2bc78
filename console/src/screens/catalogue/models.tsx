import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { NoMatch, SearchBox } from "../../app/list-search.tsx";
import { setSearch, useLocation } from "../../app/router.ts";
import { listOf, type SearchValues, textOf } from "../../app/search.ts";
import { compact, count } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { CheckField, Select, TextField } from "../../parts/field.tsx";
import { LongTable } from "../../parts/long-table/long-table.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { Money } from "../../parts/values.tsx";
import { useModelNames } from "../models.ts";
import { CompareCard } from "./compare.tsx";
import { PriceLists } from "./price-lists.tsx";
import { findModels, type ModelPrice, priceOf, type Sample } from "./sample.ts";

const mostCompared = 5;

function sampleOf(search: SearchValues): Sample {
  const read = (name: string, fallback: number) => {
    const value = Number(textOf(search[name]) || fallback);
    return Number.isFinite(value) && value >= 0 ? value : fallback;
  };
  return { prompt: read("prompt", 1_000), cached: read("cached", 0), completion: read("completion", 500) };
}

/** Every model of the price list: what it can take, what it costs, and the price of a request of one's own size. */
export function Models() {
  const { search } = useLocation();
  const sample = sampleOf(search);
  const names = useModelNames();
  const query = useQuery({
    key: ["ai.modelPrices"],
    read: (signal) => api.ai.modelPrices({}, signal),
    staleMs: freshFor.catalogue,
  });
  const { value, error, isLoading, reload } = query;
  const filter = {
    q: textOf(search.q),
    provider: textOf(search.provider),
    mode: textOf(search.mode),
    context: Number(textOf(search.context) || 0),
    isPricedOnly: textOf(search.priced) === "1",
  };
  const usable = new Set(names);
  const listed = value?.filter(({ id }) => textOf(search.usable) !== "1" || usable.has(id));
  const shown = listed && findModels(listed, filter, sample);
  const compared = listOf(search.compare);
  const toggle = (id: string, isOn: boolean) => {
    const next = isOn ? [...compared, id].slice(-mostCompared) : compared.filter((one) => one !== id);
    setSearch({ compare: next.length === 0 ? undefined : next });
  };
  return (
    <Page title={text("dashboard.ai-models")} about={text("models.about")}>
      <SampleForm sample={sample} />
      {compared.length > 0 && value && (
        <CompareCard
          models={value.filter(({ id }) => compared.includes(id))}
          {...{ sample }}
          onRemove={(id) => toggle(id, false)}
        />
      )}
      <ModelFilters models={value ?? []} search={search} />
      <Card isFlush>
        {isLoading && <Skeleton />}
        {error && <ErrorAlert error={error} onRetry={reload} />}
        {value?.length === 0 && <EmptyState icon="cpu" title={text("models.none")} />}
        {value && value.length > 0 && shown?.length === 0 && <NoMatch />}
        {shown && shown.length > 0 && (
          <>
            <LongTable
              label={text("dashboard.ai-models")}
              rows={shown}
              keyOf={({ id }) => id}
              columns={modelColumns({ sample, usable, compared, toggle })}
            />
            <p class="table-foot faint" role="status">
              {text("requests.in_all", { count: count(shown.length, language()) })}
            </p>
          </>
        )}
      </Card>
      <PriceLists />
    </Page>
  );
}

/** The size of the request whose price is shown; it lives in the address. */
function SampleForm({ sample }: { readonly sample: Sample }) {
  const field = (name: keyof Sample) => ({
    ...{ type: "number" as const, value: String(sample[name]) },
    onInput: (value: string) => setSearch({ [name]: value || undefined }),
  });
  return (
    <Card title={text("models.sample")}>
      <div class="fields">
        <TextField label={text("label.prompt_tokens")} {...field("prompt")} />
        <TextField label={text("models.cached")} {...field("cached")} />
        <TextField label={text("label.completion_tokens")} {...field("completion")} />
      </div>
    </Card>
  );
}

const contexts = ["32000", "128000", "200000", "1000000"] as const;

function ModelFilters({ models, search }: { readonly models: readonly ModelPrice[]; readonly search: SearchValues }) {
  const distinct = (values: readonly (string | undefined)[]) =>
    [...new Set(values)].flatMap((one) => (one === undefined ? [] : [[one, one] as const])).sort();
  const select = (name: string, label: string, choices: readonly (readonly [string, string])[]) => (
    <Select
      label={label}
      value={textOf(search[name])}
      choices={[["", label], ...choices]}
      onChange={(value) => setSearch({ [name]: value || undefined })}
    />
  );
  const check = (name: string, label: string) => (
    <CheckField
      label={label}
      isChecked={textOf(search[name]) === "1"}
      onChange={(isOn) => setSearch({ [name]: isOn ? "1" : undefined })}
    />
  );
  return (
    <div class="row">
      <SearchBox />
      {select("provider", text("label.provider"), distinct(models.map(({ provider }) => provider)))}
      {select("mode", text("models.mode"), distinct(models.map(({ mode }) => mode)))}
      {select(
        "context",
        text("models.context"),
        contexts.map((size) => [size, `≥ ${compact(Number(size), language())}`] as const),
      )}
      {check("priced", text("models.priced_only"))}
      {check("usable", text("models.usable_only"))}
    </div>
  );
}

interface ColumnsOptions {
  readonly sample: Sample;
  readonly usable: ReadonlySet<string>;
  readonly compared: readonly string[];
  readonly toggle: (id: string, isOn: boolean) => void;
}

function modelColumns({ sample, usable, compared, toggle }: ColumnsOptions): readonly Column<ModelPrice>[] {
  const million = (rate: number | undefined) => <Money value={rate === undefined ? undefined : rate * 1e6} />;
  const size = (tokens: number | undefined) => (tokens === undefined ? "–" : compact(tokens, language()));
  return [
    {
      id: "compare",
      name: text("models.compare"),
      show: ({ id }) => (
        <input
          type="checkbox"
          aria-label={`${text("models.compare")} ${id}`}
          checked={compared.includes(id)}
          onChange={(event) => toggle(id, event.currentTarget.checked)}
        />
      ),
    },
    { id: "model", name: text("label.model"), show: ({ id }) => <span class="cell-main">{id}</span> },
    { id: "mode", name: text("models.mode"), show: ({ mode }) => mode ?? "–" },
    { id: "context", name: text("models.context"), isNumber: true, show: (model) => size(model.context_length) },
    { id: "output", name: text("models.max_output"), isNumber: true, show: (model) => size(model.max_output_tokens) },
    { id: "in", name: text("models.input"), isNumber: true, show: (model) => million(model.input_cost_per_token) },
    { id: "out", name: text("models.output"), isNumber: true, show: (model) => million(model.output_cost_per_token) },
    {
      id: "sample",
      name: text("models.sample_price"),
      isNumber: true,
      show: (model) => <Money value={priceOf(model, sample)} />,
    },
    {
      id: "usable",
      name: text("models.usable"),
      show: ({ id }) => text(usable.has(id) ? "message.yes" : "message.no"),
    },
  ];
}
