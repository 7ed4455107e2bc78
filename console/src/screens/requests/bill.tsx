import { toNano } from "../../format/money.ts";
import { nameOf } from "../../generic/names.ts";
import { text } from "../../i18n/texts.ts";
import { Icon } from "../../parts/icon.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { Badge, Count, Money } from "../../parts/values.tsx";
import { type RequestDetail, targetOf } from "./detail.ts";

/** Sums are compared in nano-dollars; each line may be rounded by half of one. */
function addsUp(request: RequestDetail): boolean {
  const lines = request.attempts.flatMap(({ items }) => items);
  const sum = lines.reduce((total, { amount }) => total + toNano(amount), 0n);
  const gap = sum - toNano(request.cost);
  return (gap < 0n ? -gap : gap) <= BigInt(lines.length);
}

/** What each part of the cost is: quantity × rate, attempt by attempt, and whether the lines add up to the total. */
export function Bill({ request }: { readonly request: RequestDetail }) {
  const lines = request.attempts.flatMap(({ items, provider, model, is_estimated, price_version }) =>
    items.map((item) => ({ ...item, target: targetOf({ provider, model }), is_estimated, price_version })),
  );
  if (lines.length === 0)
    return (
      <Card>
        <EmptyState icon="chart" title={text("requests.no_lines")}>
          {text(request.is_unpriced ? "requests.unpriced" : request.cache ? "requests.from_cache" : "requests.free")}
        </EmptyState>
      </Card>
    );
  return (
    <Card title={text("requests.bill")} isFlush actions={<SumCheck isRight={addsUp(request)} />}>
      <Table
        label={text("requests.bill")}
        rows={lines}
        keyOf={({ target, unit, basis }) => `${target} ${unit} ${basis}`}
        columns={[
          {
            id: "unit",
            name: text("label.line_item"),
            show: ({ unit }) => <span class="cell-main">{nameOf(unit)}</span>,
          },
          { id: "target", name: text("label.model"), show: ({ target }) => target },
          {
            id: "basis",
            name: text("label.basis"),
            show: ({ basis, is_estimated }) => <BasisCell {...{ basis, is_estimated }} />,
          },
          {
            id: "quantity",
            name: text("label.quantity"),
            isNumber: true,
            show: ({ quantity }) => <Count value={quantity} />,
          },
          { id: "rate", name: text("label.rate"), isNumber: true, show: ({ rate }) => <Rate value={rate} /> },
          { id: "amount", name: text("label.amount"), isNumber: true, show: ({ amount }) => <Money value={amount} /> },
        ]}
        foot={
          <tr class="bill-total">
            <td colSpan={5}>{text("label.total")}</td>
            <td class="cell-number">
              <Money value={request.cost} />
            </td>
          </tr>
        }
      />
    </Card>
  );
}

function SumCheck({ isRight }: { readonly isRight: boolean }) {
  return (
    <span class={isRight ? "badge badge-good" : "badge badge-bad"}>
      <Icon name={isRight ? "check" : "alert"} size={13} />
      {text(isRight ? "requests.adds_up" : "requests.does_not_add_up")}
    </span>
  );
}

function BasisCell({ basis, is_estimated }: { readonly basis: string; readonly is_estimated: boolean }) {
  return is_estimated ? <Badge mood="warn">{text("requests.estimated")}</Badge> : <span class="soft">{basis}</span>;
}

/** Rates per token are small: per million reads better; the tooltip has the rate itself. */
function Rate({ value }: { readonly value: number }) {
  const isSmall = value !== 0 && Math.abs(value) < 0.001;
  return (
    <span title={`$${value.toFixed(12).replace(/0+$/, "")}`}>
      <Money value={isSmall ? value * 1_000_000 : value} />
      {isSmall && <span class="faint"> {text("requests.per_million")}</span>}
    </span>
  );
}
