import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { type KeyDraft, problemsOf, toKeyInput } from "./key-draft.ts";
import { StepFields } from "./key-fields.tsx";
import { KeyMade } from "./key-made.tsx";

const steps = ["keys.step_who", "keys.step_what", "keys.step_limits", "keys.step_review"] as const;

const emptyDraft: KeyDraft = {
  ...{ name: "", description: "", tier: "standard", project_id: "", isUserBound: false },
  ...{ models: "", tools: "", budget: "", budgetWindow: "1M", requests: "", requestWindow: "1m", expires: "" },
};

/** A new key in four steps; its value is shown once, at the end. */
export function KeyWizard({ onDone }: { readonly onDone: (id: string) => void }) {
  const [draft, setDraft] = useState(emptyDraft);
  const [step, setStep] = useState(0);
  const [created, setCreated] = useState<{ id: string; value: string }>();
  const change = useChange((finished: KeyDraft) => api.ai.createKey(toKeyInput(finished)), ["ai"]);
  if (created) return <KeyMade {...created} onDone={() => onDone(created.id)} />;
  const isLast = step === steps.length - 1;
  const blocked = whyBlocked(draft, step);
  const submit = async () => {
    if (blocked) return;
    if (!isLast) {
      setStep(step + 1);
      return;
    }
    const answer = await change.run(draft);
    if (answer) setCreated({ id: answer.id, value: answer.value });
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <StepList step={step} />
      <StepFields {...{ step, draft }} onChange={(part) => setDraft({ ...draft, ...part })} />
      {change.error && <ErrorAlert error={change.error} />}
      <div class="form-actions">
        {step > 0 && <Button onPress={() => setStep(step - 1)}>{text("action.back")}</Button>}
        <Button tone="primary" isSubmit isPending={change.isPending} blockedBy={blocked}>
          {text(isLast ? "action.create" : "action.next")}
        </Button>
      </div>
    </form>
  );
}

/** Why a step cannot be left forwards. */
function whyBlocked(draft: KeyDraft, step: number): string | undefined {
  const problems = problemsOf(draft);
  if (step === 0 && problems.name) return text("problem.required");
  if (step === 1 && problems.tools) return text("keys.tools_rule");
  return step === 2 && problems.limits ? text("problem.number") : undefined;
}

function StepList({ step }: { readonly step: number }) {
  return (
    <ol class="steps">
      {steps.map((name, position) => (
        <li key={name} class="step" aria-current={position === step ? "step" : undefined}>
          <span class="step-number">{position + 1}</span>
          {text(name)}
        </li>
      ))}
    </ol>
  );
}
