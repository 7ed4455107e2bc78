import { useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api } from "../../api/client.ts";
import { useChange, useQuery } from "../../api/query.ts";
import { blockedBy } from "../../app/blocked.ts";
import { isReachable } from "../../app/nav.ts";
import { bytes } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { IdCopy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { ConfirmDialog } from "../../parts/form-dialog.tsx";
import { EmptyState } from "../../parts/states.tsx";
import { type Column, ReadTable } from "../../parts/table.tsx";
import { Instant, Money } from "../../parts/values.tsx";

interface PanelProps {
  /** E.g. `key:vk_1`. */
  readonly scope: string;
  readonly onClose: () => void;
}

type Answer = AnswerOf<Areas["ai"]["cachedAnswers"]>[number];

/** Answers that are read at once; more are found by their id. */
const shownAnswers = 200;

/** The stored answers of one scope, without their content: found by id, forgotten one by one or together. */
export function ScopePanel({ scope, onClose }: PanelProps) {
  const [wanted, setWanted] = useState("");
  const [act, setAct] = useState<"all" | Answer>();
  const query = useQuery({
    key: ["ai.cachedAnswers", scope],
    read: (signal) => api.ai.cachedAnswers({ cache_scope: scope, limit: shownAnswers }, signal),
    isEnabled: isReachable({ row: "ai.cachedAnswers" }),
  });
  const value = query.value?.filter(({ cache_id, model }) => `${cache_id} ${model}`.includes(wanted.trim()));
  return (
    <Dialog title={scope} isPanel onClose={onClose}>
      <div class="stack">
        <div class="row">
          <Button isSmall tone="danger" blockedBy={blockedBy("ai.forgetAnswers")} onPress={() => setAct("all")}>
            {text("cache.forget_all")}
          </Button>
        </div>
        <TextField label={text("cache.find")} type="search" value={wanted} onInput={setWanted} />
        {query.value?.length === shownAnswers && <p class="faint">{text("cache.first", { count: shownAnswers })}</p>}
        <ReadTable
          label={text("cache.answers")}
          query={{ ...query, value }}
          columns={answerColumns(setAct)}
          keyOf={({ id }) => id}
          empty={<EmptyState icon="archive" title={text(wanted === "" ? "cache.no_answers" : "message.no_match")} />}
        />
      </div>
      {act !== undefined && <ForgetDialog {...{ scope, act }} onClose={() => setAct(undefined)} />}
    </Dialog>
  );
}

function ForgetDialog({ scope, act, onClose }: PanelProps & { readonly act: "all" | Answer }) {
  const change = useChange(
    async () =>
      (act === "all"
        ? await api.ai.forgetAnswers({ cache_scope: scope })
        : await api.ai.forgetAnswer({ cache_scope: scope, answer_id: act.id })) ?? null,
    ["ai"],
  );
  const action = text(act === "all" ? "cache.forget_all" : "cache.forget");
  return (
    <ConfirmDialog title={action} {...{ action, change, onClose }} onDone={onClose}>
      <p>{text("cache.forget_about")}</p>
    </ConfirmDialog>
  );
}

function answerColumns(onForget: (answer: Answer) => void): readonly Column<Answer>[] {
  return [
    {
      id: "id",
      name: text("cache.answer"),
      show: ({ id, model, bytes: size }) => (
        <span class="cell-main">
          {model}
          <span class="cell-sub">{bytes(size)}</span>
          <IdCopy value={id} />
        </span>
      ),
    },
    { id: "until", name: text("keys.expires"), show: ({ expires_at }) => <Instant value={expires_at} /> },
    { id: "cost", name: text("label.cost"), isNumber: true, show: ({ cost }) => <Money value={cost} /> },
    {
      id: "actions",
      name: text("label.actions"),
      show: (answer) => (
        <Button isSmall tone="danger" blockedBy={blockedBy("ai.forgetAnswer")} onPress={() => onForget(answer)}>
          {text("cache.forget")}
        </Button>
      ),
    },
  ];
}
