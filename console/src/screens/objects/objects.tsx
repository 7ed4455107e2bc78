import { isReachable } from "../../app/nav.ts";
import { go } from "../../app/router.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { text } from "../../i18n/texts.ts";
import { Page, Tabs } from "../../parts/page.tsx";
import { SharedAddresses } from "./addresses.tsx";
import { Buckets } from "./buckets.tsx";
import { ReceivedBuckets, SharedBuckets } from "./shares.tsx";

const tabRows = {
  buckets: "objectstore.buckets",
  shared: "objectstore.sharedBuckets",
  received: "objectstore.receivedBuckets",
  addresses: "objectstore.sharedObjects",
} as const;
const tabNames = ["shared", "received", "addresses", "buckets"] as const;

/** The object store: what is shared with whom, until when, and what the buckets hold. */
export function Objects({ rest: [first] }: ScreenProps) {
  const allowed = tabNames.filter((name) => isReachable({ row: tabRows[name] }));
  const open = allowed.find((name) => name === first) ?? "shared";
  return (
    <Page title={text("menu.objectstore")} about={text("objects.about")}>
      <Tabs
        tabs={allowed.map((name) => [name, text(`objects.tab_${name}`)] as const)}
        active={open}
        onChange={(id) => go(id === "shared" ? "objects" : `objects/${id}`)}
      />
      {open === "shared" && <SharedBuckets />}
      {open === "received" && <ReceivedBuckets />}
      {open === "addresses" && <SharedAddresses />}
      {open === "buckets" && <Buckets />}
    </Page>
  );
}
