import { hrefOf } from "../../app/router.ts";
import { CodeView } from "../../code/code-view.tsx";
import { duration } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Card } from "../../parts/page.tsx";
import { StatusBadge } from "./columns.tsx";
import { type RequestDetail, type RouteStep, routeOf } from "./detail.ts";
import { reasonInWords } from "./reason.tsx";

/** Which targets the request had, in order: which were skipped, asked, failed, answered, each with its reason in words. */
export function RouteTab({ request }: { readonly request: RequestDetail }) {
  const { model_requested: model, prompt_tokens: prompt, completion_tokens: completion, key } = request;
  const search = { model, prompt: String(prompt), completion: String(completion), key_id: key?.id };
  const links = (
    <span class="row">
      <LinkButton isSmall icon="route" href={hrefOf("ai/routing", search)}>
        {text("requests.what_if")}
      </LinkButton>
      <LinkButton isSmall icon="chat" href={hrefOf("ai/playground", { model, account: key && `key:${key.id}` })}>
        {text("requests.try_again")}
      </LinkButton>
    </span>
  );
  return (
    <div class="columns">
      <Card title={text("requests.route")} actions={links}>
        {request.rule !== undefined && <p class="soft">{`${text("routing.rule")} ${request.rule}`}</p>}
        <RouteList request={request} />
      </Card>
      <Card title={text("action.copy_code")}>
        <p class="soft">{text("requests.code_hint")}</p>
        <CodeView body={{ model, messages: [{ role: "user", content: "…" }] }} />
      </Card>
    </div>
  );
}

function RouteList({ request }: { readonly request: RequestDetail }) {
  const steps = routeOf(request);
  if (steps.length === 0)
    return <p class="soft">{request.cache ? text("requests.from_cache") : reasonInWords(request.reason)}</p>;
  return (
    <ol class="plan">
      {steps.map((step, position) => (
        <Step key={`${step.target} ${position}`} step={step} number={position + 1} />
      ))}
    </ol>
  );
}

function Step({ step, number }: { readonly step: RouteStep; readonly number: number }) {
  const { target, kind, reason, message, status, latency } = step;
  return (
    <li data-skipped={kind === "skipped" || kind === "spare"}>
      {kind === "skipped" ? <Icon name="close" /> : <span class="step-number">{number}</span>}
      <span>
        <strong>{target}</strong>
        <span class="cell-sub">
          {kind === "skipped" && `${text("requests.skipped")}: `}
          {kind === "answered" && text("requests.answered")}
          {kind === "spare" && text("requests.not_needed")}
          {kind === "failed" && `${text("requests.failed")}: `}
          {reason !== undefined && reasonInWords(reason)}
        </span>
        {message !== undefined && <span class="cell-sub">{message}</span>}
      </span>
      <span class="row-end row">
        {latency !== undefined && <span class="soft">{duration(latency)}</span>}
        {status !== undefined && <StatusBadge status={status} reason={kind === "failed" ? (reason ?? "") : "ok"} />}
      </span>
    </li>
  );
}
