import { useState } from "preact/hooks";
import { callWithKey, type KeyAnswer } from "../../api/key-call.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { KeyFields, UsedLine } from "./key-fields.tsx";
import { PlaygroundTabs } from "./playground-tabs.tsx";
import { linesOf, similarity, vectorsOf } from "./vectors.ts";

/** Texts that are compared with each other in one table. */
const mostTexts = 12;

interface Embedded {
  readonly texts: readonly string[];
  readonly answer: KeyAnswer;
}

/** Texts as vectors: how long they are, and how alike the texts are. */
export function Embeddings() {
  const [draft, setDraft] = useState({ key: "", model: "" });
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState<Embedded>();
  const texts = linesOf(typed);
  const change = useChange(async () => {
    const body = { model: draft.model.trim(), input: texts };
    setShown({ texts, answer: await callWithKey("v1/embeddings", draft.key.trim(), body) });
  });
  const isMissing = [draft.key, draft.model].some((one) => one.trim() === "") || texts.length === 0;
  const blocked = isMissing
    ? text("problem.required")
    : texts.length > mostTexts
      ? text("playground.most_texts", { count: mostTexts })
      : undefined;
  return (
    <Page title={text("console.playground")} about={text("playground.embeddings_about")}>
      <PlaygroundTabs active="embeddings" />
      <Card>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (blocked === undefined && !change.isPending) void change.run(undefined);
          }}
        >
          <KeyFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
          <TextField
            {...{ label: text("playground.texts"), hint: text("playground.texts_hint"), lines: 5, value: typed }}
            onInput={setTyped}
          />
          <div class="form-actions">
            <Button tone="primary" icon="play" isSubmit isPending={change.isPending} blockedBy={blocked}>
              {text("playground.send")}
            </Button>
          </div>
        </form>
      </Card>
      {change.error && <ErrorAlert error={change.error} />}
      {shown && <Likeness {...shown} />}
    </Page>
  );
}

/** Each text against each other, 1 for the same. */
function Likeness({ texts, answer }: Embedded) {
  const vectors = vectorsOf(answer.value);
  const rows = texts.map((words, position) => ({ words, position, vector: vectors[position] ?? [] }));
  return (
    <Card title={text("playground.similarity")} actions={<UsedLine answer={answer} />} isFlush>
      <Table
        label={text("playground.similarity")}
        rows={rows}
        keyOf={({ position }) => String(position)}
        columns={[
          {
            id: "text",
            name: text("texts.text"),
            show: ({ words, position }) => <span class="cell-main">{`${position + 1}. ${words}`}</span>,
          },
          {
            id: "dimensions",
            name: text("playground.dimensions"),
            isNumber: true,
            show: ({ vector }) => vector.length,
          },
          ...rows.map((other) => ({
            id: `to-${other.position}`,
            name: String(other.position + 1),
            isNumber: true,
            show: ({ vector }: (typeof rows)[number]) => similarity(vector, other.vector).toFixed(3),
          })),
        ]}
      />
    </Card>
  );
}
