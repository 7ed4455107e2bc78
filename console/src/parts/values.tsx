import type { ComponentChildren } from "preact";
import { preferences } from "../app/preferences.ts";
import { exactMoney, money } from "../format/money.ts";
import { count } from "../format/numbers.ts";
import { exactTime, relativeTime, toMs } from "../format/time.ts";
import { language } from "../i18n/texts.ts";

/** An amount in US dollars; the tooltip has all its decimals. */
export function Money({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return <span class="faint">–</span>;
  return (
    <span class="number" title={exactMoney(value)}>
      {money(value, language())}
    </span>
  );
}

/** An instant, as long ago; the tooltip has it exactly, in the page's time zone. */
export function Instant({
  value,
  isExact = false,
}: {
  readonly value: string | number | undefined;
  isExact?: boolean;
}) {
  if (value === undefined || value === "" || Number.isNaN(toMs(value))) return <span class="faint">–</span>;
  const exact = exactTime(value, language(), preferences.get().zone);
  return (
    <time dateTime={new Date(toMs(value)).toISOString()} title={exact}>
      {isExact ? exact : relativeTime(value, Date.now(), language())}
    </time>
  );
}

/** A count with separators. */
export function Count({ value }: { readonly value: number | undefined }) {
  return <span class="number">{value === undefined ? "–" : count(value, language())}</span>;
}

/** How a state is meant. */
export type Mood = "good" | "warn" | "bad" | "primary" | "plain";

/** A state as a word, with a dot in its colour. */
export function Badge({ mood = "plain", children }: { readonly mood?: Mood; readonly children: ComponentChildren }) {
  return (
    <span class={mood === "plain" ? "badge" : `badge badge-${mood}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** A number with its name, which may open what it sums. */
export function Tile(props: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly href?: string;
}) {
  const { label, value, hint, href } = props;
  const content = (
    <>
      <span class="tile-label">{label}</span>
      <span class="tile-value">{value}</span>
      {hint && <span class="tile-hint">{hint}</span>}
    </>
  );
  return href === undefined ? (
    <div class="card tile">{content}</div>
  ) : (
    <a class="card tile" href={href}>
      {content}
    </a>
  );
}

/** Names and values, one pair a line. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <>
          <dt key={`${name}-name`}>{name}</dt>
          <dd key={name}>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** A value of the wire as it is. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <pre class="json" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
