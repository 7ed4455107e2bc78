import { text } from "../../i18n/texts.ts";
import { Badge, type Mood } from "../../parts/values.tsx";
import { type Health, healthOf, type ShootObject } from "./cluster.ts";

const moods: Readonly<Record<Health, Mood>> = {
  good: "good",
  working: "primary",
  bad: "bad",
  asleep: "plain",
  unknown: "warn",
};

/** How a cluster is doing, with how far what is under way has come. */
export function HealthBadge({ cluster }: { readonly cluster: ShootObject }) {
  const health = healthOf(cluster);
  const { type, progress } = cluster.status?.lastOperation ?? {};
  const doing = health === "working" || health === "bad" ? ` · ${type ?? ""} ${progress ?? 0} %` : "";
  return (
    <Badge mood={moods[health]}>
      {text(`clusters.${health}`)}
      {doing}
    </Badge>
  );
}

/** The conditions of a cluster, each with its reason in the tooltip. */
export function ConditionBadges({ cluster }: { readonly cluster: ShootObject }) {
  const conditions = cluster.status?.conditions ?? [];
  if (conditions.length === 0) return <span class="faint">–</span>;
  return (
    <span class="row row-tight">
      {conditions.map(({ type, status, message, reason }) => (
        <span key={type} title={message ?? reason}>
          <Badge mood={status === "True" ? "good" : status === "False" ? "bad" : "warn"}>{type}</Badge>
        </span>
      ))}
    </span>
  );
}
