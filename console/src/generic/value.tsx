import { useState } from "preact/hooks";
import { bytes, duration } from "../format/numbers.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { Badge, Count, Facts, Instant, JsonView, Money, type Mood } from "../parts/values.tsx";
import type { ElementField } from "./elements.ts";
import { nameOf } from "./names.ts";

const good = /^(active|enabled|available|running|ready|ok|completed|success|succeeded|healthy|true)$/i;
const bad = /^(failed|error|disabled|deleted|unhealthy|denied|stuck)$/i;
const warn = /^(pending|creating|building|limited|degraded|stopped|shutoff|purging)$/i;

/** How a state of the wire is meant, by its word. */
function moodOf(word: string): Mood {
  if (good.test(word)) return "good";
  if (bad.test(word)) return "bad";
  return warn.test(word) ? "warn" : "plain";
}

/** States that the portal itself gives to things, in words of the reader; those of services stand as they are. */
function wordOf(state: string): string {
  if (state === "purging") return text("infra.purging");
  return state === "stuck" ? text("infra.stuck") : state;
}

const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

interface ValueProps {
  /** How the definition says that the value is shown; without it the value itself tells. */
  readonly format?: string | undefined;
  readonly unit?: "ms" | "s" | undefined;
  readonly value: unknown;
  /** Shows an object with all its fields. */
  readonly isOpen?: boolean;
  /** The fields of the object that the definition describes. */
  readonly fields?: readonly ElementField[];
}

/** A value of the wire, as the dashboard's definition says that it is shown. */
export function ValueView({ format, unit = "ms", value, isOpen = false, fields = [] }: ValueProps) {
  if (value === undefined || value === null || value === "") return <span class="faint">–</span>;
  if (typeof value === "boolean")
    return <Badge mood={value ? "good" : "plain"}>{text(value ? "message.yes" : "message.no")}</Badge>;
  if (typeof value === "number") return <NumberView {...{ format, unit, value }} />;
  if (typeof value === "string") return <TextView format={format} value={value} />;
  if (Array.isArray(value)) return <ListView value={value} isOpen={isOpen} />;
  if (!isOpen) return <code>{JSON.stringify(value)}</code>;
  const known = new Map(fields.map((field) => [field.name, field]));
  const rows = Object.entries(value).map(([name, inner]) => {
    const isDeep = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
    const field = known.get(name);
    const shown = <ValueView format={field?.format} unit={field?.unit} value={inner} />;
    return [nameOf(name), isDeep ? <JsonView value={inner} /> : shown] as const;
  });
  return <Facts rows={rows} />;
}

function NumberView({ format, unit, value }: { format: string | undefined; unit: "ms" | "s"; value: number }) {
  if (format === "money") return <Money value={value} />;
  if (format === "duration") return <span class="number">{duration(unit === "s" ? value * 1_000 : value)}</span>;
  if (format === "bytes") return <span class="number">{bytes(value)}</span>;
  if (format === "percent") return <span class="number">{value} %</span>;
  return <Count value={value} />;
}

function TextView({ format, value }: { readonly format: string | undefined; readonly value: string }) {
  if (isInstant.test(value) && (format === "instant" || format === undefined)) return <Instant value={value} />;
  if (format === "state") return <Badge mood={moodOf(value)}>{wordOf(value)}</Badge>;
  if (format === "secret") return <HiddenText value={value} />;
  if (format?.startsWith("id")) return <code title={value}>{value}</code>;
  return <span title={value.length > 40 ? value : undefined}>{value}</span>;
}

/** A secret that is seen when somebody asks for it. */
function HiddenText({ value }: { readonly value: string }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <code>{value}</code>;
  return (
    <Button isSmall tone="quiet" onPress={() => setShown(true)}>
      {text("action.show")}
    </Button>
  );
}

function ListView({ value, isOpen }: { readonly value: readonly unknown[]; readonly isOpen: boolean }) {
  if (value.length === 0) return <span class="faint">–</span>;
  const isPlain = value.every((one) => typeof one !== "object");
  if (isPlain) return <span>{value.join(", ")}</span>;
  return isOpen ? <JsonView value={value} /> : <span class="number">{value.length}</span>;
}
