import { useState } from "preact/hooks";
import { callWithKey, type KeyAnswer } from "../../api/key-call.ts";
import { useChange } from "../../api/query.ts";
import { percent } from "../../format/numbers.ts";
import { language, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { JsonView } from "../../parts/values.tsx";
import { KeyFields, UsedLine } from "./key-fields.tsx";
import { PlaygroundTabs } from "./playground-tabs.tsx";
import { QuestionFields } from "./question-fields.tsx";
import { answersOf, areQuestionsValid, type QuestionDraft, type ShownAnswer, toQuestion } from "./questions.ts";

const firstQuestion: QuestionDraft = { name: "question_1", kind: "predicate", instructions: "", options: "" };

/** Typed questions about a text: each answer with how likely each option is. */
export function Decisions() {
  const [draft, setDraft] = useState({ key: "", model: "" });
  const [input, setInput] = useState("");
  const [questions, setQuestions] = useState<readonly QuestionDraft[]>([firstQuestion]);
  const [answer, setAnswer] = useState<KeyAnswer>();
  const change = useChange(async () => {
    const body = { model: draft.model.trim(), input, questions: questions.map(toQuestion) };
    setAnswer(await callWithKey("v1/decisions", draft.key.trim(), body));
  });
  const isMissing = [draft.key, draft.model, input].some((one) => one.trim() === "");
  const wrong = areQuestionsValid(questions) ? undefined : text("playground.questions_rule");
  const blocked = isMissing ? text("problem.required") : wrong;
  const add = () => setQuestions([...questions, { ...firstQuestion, name: `question_${questions.length + 1}` }]);
  return (
    <Page title={text("console.playground")} about={text("playground.decisions_about")}>
      <PlaygroundTabs active="decisions" />
      <Card>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (blocked === undefined && !change.isPending) void change.run(undefined);
          }}
        >
          <KeyFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
          <TextField label={text("playground.state")} lines={4} value={input} onInput={setInput} />
          <QuestionFields questions={questions} onChange={setQuestions} />
          <div class="form-actions">
            <Button icon="plus" onPress={add}>
              {text("playground.add_question")}
            </Button>
            <Button tone="primary" icon="play" isSubmit isPending={change.isPending} blockedBy={blocked}>
              {text("playground.send")}
            </Button>
          </div>
        </form>
      </Card>
      {change.error && <ErrorAlert error={change.error} />}
      {answer && (
        <Card title={text("playground.answers")} actions={<UsedLine answer={answer} />}>
          <div class="stack">
            {answersOf(answer.value).map((one) => (
              <AnswerView key={one.name} answer={one} />
            ))}
            <details>
              <summary>{text("requests.facts")}</summary>
              <JsonView value={answer.value} />
            </details>
          </div>
        </Card>
      )}
    </Page>
  );
}

/** What was decided, and how likely each option is. */
function AnswerView({ answer: { name, value, confidence, options } }: { readonly answer: ShownAnswer }) {
  const share = (probability: number) => percent(probability, language());
  return (
    <section class="stack" aria-label={name}>
      <p>
        <code>{name}</code> <strong>{value === undefined ? text("playground.refused") : inWords(value)}</strong>{" "}
        {confidence !== undefined && (
          <span class="soft">{`${text("playground.confidence")} ${share(confidence)}`}</span>
        )}
      </p>
      {options.map(({ label, probability }) => (
        <div key={label} class="limit">
          <span>{label}</span>
          <svg class="meter" role="img" aria-label={`${label}: ${share(probability)}`}>
            <rect x="0" y="0" height="6" width={`${probability * 100}%`} />
          </svg>
          <span class="number">{share(probability)}</span>
        </div>
      ))}
    </section>
  );
}

function inWords(value: string | number | boolean): string {
  if (typeof value === "boolean") return text(value ? "message.yes" : "message.no");
  return typeof value === "number" ? value.toFixed(2) : value;
}
