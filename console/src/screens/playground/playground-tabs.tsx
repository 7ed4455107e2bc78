import { go } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Tabs } from "../../parts/page.tsx";

const names = ["chat", "embeddings", "decisions"] as const;

/** What can be tried: each has a place of its own. */
export function PlaygroundTabs({ active }: { readonly active: (typeof names)[number] }) {
  return (
    <Tabs
      tabs={names.map((name) => [name, text(`playground.tab_${name}`)] as const)}
      active={active}
      onChange={(name) => go(name === "chat" ? "ai/playground" : `ai/playground/${name}`)}
    />
  );
}
