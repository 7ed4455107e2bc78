import { useState } from "preact/hooks";
import { text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { copyText } from "../parts/copy.tsx";
import { Tabs } from "../parts/page.tsx";
import { type SentChat, type SnippetKind, snippetOf } from "./snippets.ts";

const kinds: readonly (readonly [SnippetKind, string])[] = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
];

/** The address of chats of this gateway. */
function chatAddress(): string {
  return new URL("../v1/chat/completions", document.baseURI).href;
}

/** A chat as a program sends it, to copy. */
export function CodeView({ body }: Pick<SentChat, "body">) {
  const [kind, setKind] = useState<SnippetKind>("curl");
  const code = snippetOf(kind, { url: chatAddress(), body });
  return (
    <div class="stack">
      <div class="row">
        <Tabs tabs={kinds} active={kind} onChange={(id) => setKind(kinds.find(([one]) => one === id)?.[0] ?? "curl")} />
        <span class="row-end">
          <Button isSmall icon="copy" onPress={() => void copyText(code)}>
            {text("action.copy")}
          </Button>
        </span>
      </div>
      <pre class="json" tabIndex={0}>
        {code}
      </pre>
    </div>
  );
}
