import { useState } from "preact/hooks";
import { hasRow, rowOf } from "../../api/client.ts";
import { isPermitted } from "../../api/session.ts";
import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { SecretOnce } from "../../parts/copy.tsx";
import { TextField } from "../../parts/field.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { Money } from "../../parts/values.tsx";
import { useModelNames } from "../models.ts";
import { useAnswer } from "../playground/use-answer.ts";

interface KeyMadeProps {
  readonly id: string;
  readonly value: string;
  readonly onDone: () => void;
}

/** A key's new value, shown this once, and a first call on its account to try it. */
export function KeyMade({ id, value, onDone }: KeyMadeProps) {
  return (
    <div class="stack">
      <SecretOnce value={value} />
      <pre class="json" tabIndex={0}>{`TOLLGATE_KEY=${value}`}</pre>
      {hasRow("ai.playground") && isPermitted(rowOf("ai.playground")[2]) && <FirstCall keyId={id} />}
      <div class="form-actions">
        <Button tone="primary" onPress={onDone}>
          {text("action.close")}
        </Button>
      </div>
    </div>
  );
}

/** Sends one request that the key pays for: it is seen live, and its bill is one click away. */
function FirstCall({ keyId }: { readonly keyId: string }) {
  const models = useModelNames("chat");
  const [typed, setTyped] = useState("");
  const { answer, send } = useAnswer();
  const model = typed || (models[0] ?? "");
  const messages = [{ role: "user" as const, content: "Hello" }];
  return (
    <div class="stack">
      <div class="fields">
        <TextField label={text("label.model")} value={model} onInput={setTyped} suggestions={models} />
        <div class="field-button">
          <Button
            icon="play"
            isPending={answer.isPending}
            onPress={() => void send({ key_id: keyId, model, messages, max_completion_tokens: 64 })}
          >
            {text("keys.try")}
          </Button>
        </div>
      </div>
      {answer.error && <ErrorAlert error={answer.error} />}
      {answer.isDone && (
        <div class="alert alert-good" role="status">
          <div class="alert-body">
            {answer.text.slice(0, 200)} · <Money value={answer.cost} />
          </div>
          <a href={hrefOf(`ai/requests/${answer.eventId}`)}>{text("requests.one")}</a>
        </div>
      )}
    </div>
  );
}
