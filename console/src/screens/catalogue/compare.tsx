import { hrefOf } from "../../app/router.ts";
import { count } from "../../format/numbers.ts";
import { nameOf } from "../../generic/names.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { Money } from "../../parts/values.tsx";
import { type ModelPrice, priceOf, type Sample } from "./sample.ts";

interface CompareProps {
  readonly models: readonly ModelPrice[];
  readonly sample: Sample;
  readonly onRemove: (id: string) => void;
}

const sizes = ["context_length", "max_input_tokens", "max_output_tokens"] as const;

/** Rates per token are read per million of them. */
function isPerToken(rate: string): boolean {
  return /token_cost|per_token|audio_token|image_token/.test(rate);
}

/** Up to five models side by side: every size and rate that one of them has. */
export function CompareCard({ models, sample, onRemove }: CompareProps) {
  const rates = [...new Set(models.flatMap((model) => Object.keys(model).filter((name) => name.includes("cost"))))];
  const value = (model: ModelPrice, name: string) => {
    const found = (model as unknown as Readonly<Record<string, unknown>>)[name]; // seam: fields by names that were just read from it
    return typeof found === "number" ? found : undefined;
  };
  const rows = [
    {
      id: "sample",
      name: text("models.sample_price"),
      show: (model: ModelPrice) => <Money value={priceOf(model, sample)} />,
    },
    ...sizes.map((id) => ({
      ...{ id, name: nameOf(id) },
      show: (model: ModelPrice) => {
        const size = value(model, id);
        return size === undefined ? "–" : count(size, language());
      },
    })),
    ...rates.sort().map((id) => ({
      ...{ id, name: isPerToken(id) ? `${nameOf(id)} ${text("requests.per_million")}` : nameOf(id) },
      show: (model: ModelPrice) => {
        const rate = value(model, id);
        return <Money value={rate !== undefined && isPerToken(id) ? rate * 1e6 : rate} />;
      },
    })),
  ];
  return (
    <Card title={text("models.compared")} isFlush>
      <Table
        label={text("models.compared")}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { id: "field", name: text("label.name"), show: ({ name }) => <span class="cell-main">{name}</span> },
          ...models.map((model) => ({
            id: model.id,
            name: model.id,
            isNumber: true,
            show: ({ show }: (typeof rows)[number]) => show(model),
          })),
        ]}
        foot={<CompareFoot {...{ models, onRemove }} />}
      />
    </Card>
  );
}

/** What can be done with each of the models. */
function CompareFoot({ models, onRemove }: Pick<CompareProps, "models" | "onRemove">) {
  return (
    <tr>
      <td />
      {models.map(({ id }) => (
        <td key={id} class="cell-number">
          <span class="row row-tight row-last">
            <a href={hrefOf("ai/playground", { model: id })}>{text("console.playground")}</a>
            <Button
              isSmall
              tone="quiet"
              icon="close"
              label={`${text("action.remove")} ${id}`}
              onPress={() => onRemove(id)}
            />
          </span>
        </td>
      ))}
    </tr>
  );
}
