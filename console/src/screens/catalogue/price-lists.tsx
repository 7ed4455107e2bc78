import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { freshFor, useChange, useQuery } from "../../api/query.ts";
import { session } from "../../api/session.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { count } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/page.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { Badge, Facts, Instant } from "../../parts/values.tsx";

type Sync = AnswerOf<Areas["ai"]["syncPrices"]>;

/** Price lists hold for all tenants: only the provider reads where they come from. */
function isProvider(): boolean {
  const state = session.get();
  return "context" in state && state.context.reseller.name === null;
}

/** Where prices come from, when they were read, and reading them again. */
export function PriceLists() {
  const isAllowed = isProvider() && isReachable({ row: "ai.prices" });
  const [done, setDone] = useState<Sync>();
  const prices = useQuery({
    key: ["ai.prices"],
    read: (signal) => api.ai.prices({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isAllowed,
  });
  const sync = useChange(() => api.ai.syncPrices({}), ["ai"]);
  if (!isAllowed) return null;
  const { value, isLoading, reload } = prices;
  const failed = prices.error ?? sync.error;
  const again = (
    <Button
      isSmall
      icon="refresh"
      blockedBy={blockedBy("ai.syncPrices")}
      isPending={sync.isPending}
      onPress={() => void sync.run(undefined).then(setDone)}
    >
      {text("models.read_again")}
    </Button>
  );
  return (
    <Card title={text("models.lists")} actions={again}>
      {isLoading && <Skeleton lines={2} />}
      {failed && <ErrorAlert error={failed} onRetry={reload} />}
      {value && <ListFacts prices={value} />}
      {done && (
        <p class="soft" role="status">
          {text("models.sync_done", {
            added: done.added.length,
            removed: done.removed.length,
            changed: done.changed.length,
          })}
        </p>
      )}
    </Card>
  );
}

type Prices = AnswerOf<Areas["ai"]["prices"]>;

function ListFacts({ prices }: { readonly prices: Prices }) {
  const { version, sources, models, unpriced_models, synced_at, failure, warnings } = prices;
  const counts = { count: count(models, language()), unpriced: count(unpriced_models, language()) };
  const failed = failure && (
    <Badge key="failure" mood="bad">
      {failure.message}
    </Badge>
  );
  return (
    <Facts
      rows={[
        [text("models.version"), <code key="version">{version}</code>],
        [text("models.sources"), sources.map(({ name }) => name).join(", ")],
        [text("models.counts"), text("models.counts_of", counts)],
        [text("models.read_at"), <Instant key="at" value={synced_at} />],
        ...(failed ? [[text("label.failures"), failed] as const] : []),
        ...(warnings.length === 0 ? [] : [[text("models.warnings"), warnings.join(" · ")] as const]),
      ]}
    />
  );
}
