import { useState } from "preact/hooks";
import { blockedBy } from "../../app/blocked.ts";
import { isFound, NoMatch, SearchBox, useListSearch } from "../../app/list-search.tsx";
import { go, hrefOf, useLocation } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/page.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Count, Instant } from "../../parts/values.tsx";
import type { AlertChannel } from "./alert.ts";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelPanel } from "./channel-panel.tsx";
import { placeColumns } from "./place.ts";
import { addressOf, DeliveryBadge, EnabledBadge } from "./status.tsx";
import { useAlertChannels } from "./use-channels.ts";

/** The channels: where alerts are sent to, and how the deliveries go. */
export function Channels({ openId }: { readonly openId: string | undefined }) {
  const { search } = useLocation();
  const wanted = useListSearch();
  const [isNew, setNew] = useState(false);
  const query = useAlertChannels();
  const shown = query.value?.filter((one) => isFound(wanted, [one.name, addressOf(one)]));
  const open = query.value?.find(({ id }) => id === openId);
  const create = (
    <Button tone="primary" icon="plus" blockedBy={blockedBy("alerts.createChannel")} onPress={() => setNew(true)}>
      {text("alerts.create_channel")}
    </Button>
  );
  const empty = (
    <EmptyState icon="bell" title={text("alerts.no_channels")} action={create}>
      {text("alerts.no_channels_about")}
    </EmptyState>
  );
  return (
    <>
      <div class="row">
        <SearchBox />
        {create}
      </div>
      <Card isFlush>
        <ReadTable
          label={text("alerts.tab_channels")}
          query={{ ...query, value: shown }}
          columns={[...channelColumns(), ...placeColumns(query.value)]}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => go(`alerts/channels/${id}`, search)}
          empty={wanted === "" ? empty : <NoMatch />}
        />
      </Card>
      {open && <ChannelPanel key={open.id} channel={open} onClose={() => go("alerts/channels", search)} />}
      {isNew && <ChannelForm onClose={() => setNew(false)} />}
    </>
  );
}

function channelColumns(): readonly Column<AlertChannel>[] {
  return [
    {
      id: "name",
      name: text("label.name"),
      show: ({ id, name, ...channel }) => (
        <a class="cell-main" href={hrefOf(`alerts/channels/${id}`)}>
          {name}
          <span class="cell-sub">{addressOf(channel)}</span>
        </a>
      ),
    },
    { id: "kind", name: text("label.type"), show: ({ kind }) => text(`alerts.way_${kind}`) },
    { id: "state", name: text("label.state"), show: ({ enabled }) => <EnabledBadge isOn={enabled} /> },
    { id: "delivery", name: text("alerts.deliveries"), show: (channel) => <DeliveryBadge channel={channel} /> },
    { id: "pending", name: text("alerts.pending"), isNumber: true, show: ({ pending }) => <Count value={pending} /> },
    {
      id: "success",
      name: text("alerts.last_success"),
      show: ({ last_success_at }) => <Instant value={last_success_at ?? ""} />,
    },
  ];
}
