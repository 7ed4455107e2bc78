import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { hrefOf } from "../../app/router.ts";
import { duration } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import type { Column } from "../../parts/table.tsx";
import { Badge, Count, Instant, Money, type Mood } from "../../parts/values.tsx";

/** One request as the list has it. */
export type AiRequest = AnswerOf<Areas["ai"]["requests"]>[number];

/** How a status is meant. */
function moodOfStatus(status: number): Mood {
  if (status < 400) return "good";
  return status === 429 || status === 402 ? "warn" : "bad";
}

/** The status of a request with its reason, where it failed. */
export function StatusBadge({ status, reason }: Pick<AiRequest, "status" | "reason">) {
  return (
    <Badge mood={moodOfStatus(status)}>
      {status}
      {reason === "ok" ? "" : ` ${reason}`}
    </Badge>
  );
}

/** The model that answered; the one that was asked for, where that is another. */
export function ModelCell({ model, model_requested }: Pick<AiRequest, "model" | "model_requested">) {
  if (model === undefined || model === model_requested) return <span>{model_requested}</span>;
  return (
    <span title={`${model_requested} → ${model}`}>
      <span class="faint">{model_requested} → </span>
      {model}
    </span>
  );
}

/** The columns of requests. */
export function requestColumns(): readonly Column<AiRequest>[] {
  return [
    {
      id: "at",
      name: text("label.time"),
      show: ({ at, event_id }) => (
        <a href={hrefOf(`ai/requests/${event_id}`)}>
          <Instant value={at} />
        </a>
      ),
    },
    { id: "status", name: text("label.state"), show: (row) => <StatusBadge {...row} /> },
    { id: "model", name: text("label.model"), show: (row) => <ModelCell {...row} /> },
    { id: "key", name: text("label.key"), show: ({ key }) => key?.name ?? key?.id ?? <span class="faint">–</span> },
    { id: "project", name: text("label.project"), show: ({ project }) => project?.name ?? project?.id ?? "" },
    {
      id: "tokens",
      name: text("label.tokens"),
      isNumber: true,
      show: ({ prompt_tokens, completion_tokens }) => (
        <span title={`${text("label.prompt_tokens")} → ${text("label.completion_tokens")}`}>
          <Count value={prompt_tokens} /> <span class="faint">→</span> <Count value={completion_tokens} />
        </span>
      ),
    },
    { id: "latency", name: text("label.latency"), isNumber: true, show: ({ latency }) => duration(latency) },
    { id: "cache", name: text("label.cache"), show: ({ cache }) => cache && <Badge mood="primary">{cache}</Badge> },
    { id: "cost", name: text("label.cost"), isNumber: true, show: ({ cost }) => <Money value={cost} /> },
  ];
}
