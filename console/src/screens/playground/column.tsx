import { useEffect, useState } from "preact/hooks";
import { hrefOf } from "../../app/router.ts";
import { duration } from "../../format/numbers.ts";
import { text } from "../../i18n/texts.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { Badge, Count, Money } from "../../parts/values.tsx";
import type { Answer } from "./answer.ts";
import { type ChatSettings, type ChatTurn, toChatInput } from "./settings.ts";
import { useAnswer } from "./use-answer.ts";

/** What somebody has asked; `number` counts up with each. */
export interface Question {
  readonly number: number;
  readonly content: ChatTurn["content"];
}

interface ColumnProps {
  readonly model: string;
  readonly models: readonly string[];
  readonly settings: ChatSettings;
  readonly question: Question | undefined;
  /** Counts up when everything is to stop. */
  readonly stops: number;
  readonly onModel: (model: string) => void;
  readonly onRemove: (() => void) | undefined;
  readonly onCode: (turns: readonly ChatTurn[]) => void;
}

/** One model's side of the conversation: the same questions, its own answers, and what each of them cost. */
export function Column({ model, models, settings, question, stops, onModel, onRemove, onCode }: ColumnProps) {
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const { answer, send, stop } = useAnswer();
  const ask = async (asked: readonly ChatTurn[]) => {
    setTurns(asked);
    const { text: content, error } = await send(toChatInput(settings, model, asked));
    if (!error && content !== "") setTurns([...asked, { role: "assistant", content }]);
  };
  useEffect(() => {
    if (question && model !== "") void ask([...turns, { role: "user", content: question.content }]);
  }, [question?.number]);
  useEffect(() => {
    if (stops > 0) stop();
  }, [stops]);
  const past = turns.at(-1)?.role === "assistant" ? turns.slice(0, -1) : turns;
  return (
    <section class="card chat-column" aria-label={model || text("label.model")}>
      <div class="card-head chat-head">
        <TextField label={text("label.model")} value={model} onInput={onModel} suggestions={models} />
        {onRemove && <Button tone="quiet" isSmall icon="close" label={text("action.remove")} onPress={onRemove} />}
      </div>
      <div class="card-body chat" aria-live="polite">
        {past.map((turn, position) => (
          <div key={position} class={turn.role === "user" ? "message message-user" : "message"}>
            {turn.role === "assistant" ? <Markdown text={inWords(turn.content)} /> : inWords(turn.content)}
          </div>
        ))}
        {answer.reasoning && (
          <details class="soft">
            <summary>{text("playground.reasoning")}</summary>
            {answer.reasoning}
          </details>
        )}
        {(answer.text || answer.isPending) && (
          <div class="message" aria-busy={answer.isPending}>
            {answer.text ? <Markdown text={answer.text} /> : "…"}
          </div>
        )}
        {answer.error && <ErrorAlert error={answer.error} onRetry={() => void ask(past)} />}
        <AnswerFacts answer={answer} />
      </div>
      <div class="row chat-actions">
        {answer.isPending ? (
          <Button isSmall icon="stop" onPress={stop}>
            {text("playground.stop")}
          </Button>
        ) : (
          past.length > 0 && (
            <Button isSmall icon="refresh" onPress={() => void ask(past)}>
              {text("playground.again")}
            </Button>
          )
        )}
        <Button isSmall icon="copy" onPress={() => onCode(past)}>
          {text("action.copy_code")}
        </Button>
      </div>
    </section>
  );
}

function inWords(content: ChatTurn["content"]): string {
  if (typeof content === "string") return content;
  return content.map(({ text: words, type }) => (typeof words === "string" ? words : `[${String(type)}]`)).join("\n");
}

/** What an answer used, cost and took; its request explains each. */
function AnswerFacts({ answer }: { readonly answer: Answer }) {
  const { isDone, eventId, cost, promptTokens, completionTokens, firstToken, total, cache } = answer;
  if (!isDone) return null;
  return (
    <p class="row soft chat-facts">
      <Money value={cost} />
      <span>
        <Count value={promptTokens} /> → <Count value={completionTokens} />
      </span>
      {firstToken !== undefined && (
        <span title={text("label.first_token")}>
          {text("label.first_token")} {duration(firstToken)}
        </span>
      )}
      {total !== undefined && <span>{duration(total)}</span>}
      {cache && <Badge mood="primary">{cache}</Badge>}
      <a href={hrefOf(`ai/requests/${eventId}`)}>{text("requests.bill")}</a>
    </p>
  );
}
