import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { hrefOf, setSearch, useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { duration } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import { IdCopy } from "../../parts/copy.tsx";
import { Card, Page, Tabs } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Count, Facts, Instant, JsonView, Money, Tile } from "../../parts/values.tsx";
import { Bill } from "./bill.tsx";
import { ModelCell, StatusBadge } from "./columns.tsx";
import type { RequestDetail } from "./detail.ts";
import { WhyRefused } from "./reason.tsx";
import { RouteTab } from "./route.tsx";
import { Waterfall } from "./waterfall.tsx";

/** One request, explained: when what happened, what each part of the bill is, which target answered and why. */
export function RequestPage({ eventId }: { readonly eventId: string }) {
  const query = useQuery({
    key: ["ai.request", eventId],
    read: (signal) => api.ai.request({ event_id: eventId }, signal),
    staleMs: 60_000,
  });
  const { value, error, reload } = query;
  return (
    <Page
      title={text("requests.one")}
      crumb={<a href={hrefOf("ai/requests")}>{text("console.requests")}</a>}
      about={<IdCopy value={eventId} />}
    >
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value ? <Explained request={value} /> : !error && <Skeleton />}
    </Page>
  );
}

function Explained({ request }: { readonly request: RequestDetail }) {
  const { search } = useLocation();
  const tab = textOf(search.tab, request.status < 400 ? "bill" : "route");
  return (
    <>
      <Summary request={request} />
      <WhyRefused request={request} />
      <Tabs
        tabs={[
          ["bill", text("requests.bill")],
          ["waterfall", text("requests.waterfall")],
          ["route", text("requests.route")],
          ["facts", text("requests.facts")],
          ["raw", "JSON"],
        ]}
        active={tab}
        onChange={(id) => setSearch({ tab: id })}
      />
      {tab === "bill" && <Bill request={request} />}
      {tab === "waterfall" && <Waterfall request={request} />}
      {tab === "route" && <RouteTab request={request} />}
      {tab === "facts" && <RequestFacts request={request} />}
      {tab === "raw" && <JsonView value={request} />}
    </>
  );
}

function Summary({ request }: { readonly request: RequestDetail }) {
  const { status, reason, cost, latency, time_to_first_token, prompt_tokens, completion_tokens } = request;
  return (
    <div class="tiles">
      <Tile
        label={text("label.state")}
        value={<StatusBadge {...{ status, reason }} />}
        hint={<Instant value={request.at} isExact />}
      />
      <Tile label={text("label.cost")} value={<Money value={cost} />} hint={<ModelCell {...request} />} />
      <Tile
        label={text("label.latency")}
        value={duration(latency)}
        hint={time_to_first_token !== undefined && `${text("label.first_token")} ${duration(time_to_first_token)}`}
      />
      <Tile
        label={text("label.tokens")}
        value={<Count value={prompt_tokens + completion_tokens} />}
        hint={
          <>
            <Count value={prompt_tokens} /> {text("label.prompt_tokens")} · <Count value={completion_tokens} />{" "}
            {text("label.completion_tokens")}
          </>
        }
      />
    </div>
  );
}

function RequestFacts({ request }: { readonly request: RequestDetail }) {
  const { key, project, customer, metadata = {} } = request;
  const owner = (one: typeof key, name: string) =>
    one === undefined ? "–" : <a href={hrefOf(...placeOfOwner(name, one.id))}>{one.name ?? one.id}</a>;
  return (
    <Card>
      <Facts
        rows={[
          [text("label.model_requested"), request.model_requested],
          [text("label.model"), request.model ?? "–"],
          [text("label.key"), owner(key, "key_id")],
          [text("label.project"), owner(project, "project_id")],
          [text("label.customer"), owner(customer, "customer_id")],
          [text("label.user"), request.user ?? "–"],
          [text("label.price"), <Money key="price" value={request.price} />],
          [text("label.saved"), <Money key="saved" value={request.saved} />],
          [
            text("label.saved_tokens"),
            <Count key="saved_tokens" value={request.saved_prompt_tokens + request.saved_completion_tokens} />,
          ],
          ...Object.entries(metadata).map(([name, value]) => [name, value] as const),
        ]}
      />
    </Card>
  );
}

/** A key has a page of its own; of other owners, the requests are shown. */
function placeOfOwner(name: string, id: string): [path: string, search?: Record<string, string>] {
  return name === "key_id" ? [`ai/keys/${id}`] : ["ai/requests", { [name]: id }];
}
