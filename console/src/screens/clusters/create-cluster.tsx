import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/query.ts";
import { go } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorAlert, Skeleton } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { Facts } from "../../parts/values.tsx";
import { isClusterName, isOffered, projectOf, roomForName } from "./cluster.ts";
import { type ClusterDraft, toClusterInput } from "./cluster-draft.ts";
import { PlaceFields, VersionFields } from "./create-fields.tsx";
import { MachineFields, machineProblem } from "./machine-fields.tsx";
import { type CloudProfile, useProfiles } from "./profile.ts";

const steps = ["step_place", "step_machines", "step_version", "step_review"] as const;

const emptyDraft: ClusterDraft = {
  ...{ namespace: "", binding: "", profile: "", region: "", name: "", version: "", purpose: "evaluation" },
  machines: { machine: "", image: "", zones: [], minimum: "1", maximum: "3" },
};

/** A new cluster in four steps, each fed by the cloud profile: what cannot be had is not offered. */
export function CreateCluster({ onClose }: { readonly onClose: () => void }) {
  const profiles = useProfiles();
  return (
    <Dialog title={text("clusters.create")} isWide onClose={onClose}>
      {profiles.isLoading && <Skeleton />}
      {profiles.error && <ErrorAlert error={profiles.error} onRetry={profiles.reload} />}
      {profiles.value && <Wizard profiles={profiles.value} onClose={onClose} />}
    </Dialog>
  );
}

interface WizardProps {
  readonly profiles: readonly CloudProfile[];
  readonly onClose: () => void;
}

function Wizard({ profiles, onClose }: WizardProps) {
  const [draft, setDraft] = useState<ClusterDraft>(() => firstDraft(profiles));
  const [step, setStep] = useState(0);
  const change = useChange(
    (finished: ClusterDraft) => api.clusters.createShoot(toClusterInput(finished)),
    ["clusters"],
  );
  const profile = profiles.find(({ name }) => name === draft.profile);
  const zones = profile?.regions.find(({ name }) => name === draft.region)?.zones ?? [];
  const problem = [
    placeProblem(draft),
    machineProblem(draft.machines),
    draft.version === "" ? text("problem.required") : undefined,
  ][step];
  const set = (part: Partial<ClusterDraft>) => setDraft({ ...draft, ...part });
  const submit = async () => {
    if (problem !== undefined) return;
    if (step < steps.length - 1) {
      setStep(step + 1);
      return;
    }
    if ((await change.run(draft)) === undefined) return;
    toast(text("clusters.begun"));
    onClose();
    go(`clusters/${draft.namespace}/${draft.name}`);
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
      {step === 0 && <PlaceFields {...{ draft, profiles }} onChange={set} />}
      {step === 1 && (
        <MachineFields {...{ draft: draft.machines, profile, zones }} onChange={(machines) => set({ machines })} />
      )}
      {step === 2 && profile && <VersionFields {...{ draft, profile }} onChange={set} />}
      {step === 3 && <Review draft={draft} />}
      {change.error && <ErrorAlert error={change.error} />}
      <div class="form-actions">
        {step > 0 && <Button onPress={() => setStep(step - 1)}>{text("action.back")}</Button>}
        <Button tone="primary" isSubmit isPending={change.isPending} blockedBy={problem}>
          {text(step === steps.length - 1 ? "action.create" : "action.next")}
        </Button>
      </div>
    </form>
  );
}

/** What there is one of is chosen already; the version is the newest that is no preview. */
function firstDraft(profiles: readonly CloudProfile[]): ClusterDraft {
  const [profile] = profiles;
  const [region] = profile?.regions ?? [];
  const now = Date.now();
  const version = profile?.versions.findLast((one) => one.classification !== "preview" && isOffered(one, now));
  const machines = { ...emptyDraft.machines, zones: region?.zones.slice(0, 1) ?? [] };
  return {
    ...emptyDraft,
    profile: profile?.name ?? "",
    region: region?.name ?? "",
    version: version?.version ?? "",
    machines,
  };
}

function placeProblem({ namespace, binding, region, name }: ClusterDraft): string | undefined {
  if (namespace === "" || binding === "" || region === "") return text("problem.required");
  const project = projectOf(namespace);
  return isClusterName(name, project) ? undefined : text("clusters.name_rule", { limit: roomForName(project) });
}

function Review({ draft }: { readonly draft: ClusterDraft }) {
  const { machines } = draft;
  return (
    <Facts
      rows={[
        [text("label.name"), draft.name],
        [text("clusters.cluster_project"), projectOf(draft.namespace)],
        [text("label.region"), `${draft.region} (${machines.zones.join(", ")})`],
        [text("clusters.machines"), `${machines.minimum}–${machines.maximum} × ${machines.machine}`],
        [text("clusters.image"), machines.image],
        ["Kubernetes", draft.version],
        [text("clusters.purpose"), draft.purpose],
      ]}
    />
  );
}

function StepList({ step }: { readonly step: number }) {
  return (
    <ol class="steps">
      {steps.map((name, position) => (
        <li key={name} class="step" aria-current={position === step ? "step" : undefined}>
          <span class="step-number">{position + 1}</span>
          {text(`clusters.${name}`)}
        </li>
      ))}
    </ol>
  );
}
