import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { text } from "../../i18n/texts.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { ErrorAlert } from "../../parts/states.tsx";
import { compareVersions, isClusterName, isOffered, projectOf, roomForName } from "./cluster.ts";
import type { ClusterDraft } from "./cluster-draft.ts";
import type { CloudProfile } from "./profile.ts";
import { versionChoices } from "./upgrade.tsx";

interface StepProps {
  readonly draft: ClusterDraft;
  readonly onChange: (part: Partial<ClusterDraft>) => void;
}

const none = [["", "–"]] as const;
const purposes = ["evaluation", "development", "testing", "production"] as const;

const nameIn = (metadata: unknown) => String((metadata as { name?: unknown }).name ?? "");

/** Project, credentials, cloud profile, region and name; the name's rule is checked while it is typed. */
export function PlaceFields({ draft, profiles, onChange }: StepProps & { readonly profiles: readonly CloudProfile[] }) {
  const { namespace, name } = draft;
  const profile = profiles.find((one) => one.name === draft.profile);
  const project = projectOf(namespace);
  const isWrong = name !== "" && namespace !== "" && !isClusterName(name, project);
  const rule = text("clusters.name_rule", { limit: roomForName(project) });
  return (
    <>
      <ProjectFields {...{ draft, onChange }} />
      <div class="fields">
        <SelectField
          label={text("clusters.profile")}
          value={draft.profile}
          choices={[...none, ...profiles.map((one) => [one.name, one.name] as const)]}
          onChange={(next) => onChange({ ...forProfile(draft), profile: next })}
        />
        <SelectField
          label={text("label.region")}
          value={draft.region}
          choices={[...none, ...(profile?.regions ?? []).map((one) => [one.name, one.name] as const)]}
          onChange={(region) => onChange({ region, machines: { ...draft.machines, zones: [] } })}
        />
      </div>
      <TextField
        label={text("label.name")}
        value={name}
        hint={namespace === "" ? undefined : rule}
        error={isWrong ? rule : undefined}
        onInput={(next) => onChange({ name: next })}
        isRequired
      />
    </>
  );
}

/** The cluster project, and which of its credentials the machines are made with. */
function ProjectFields({ draft: { namespace, binding }, onChange }: StepProps) {
  const projects = useQuery({ key: ["clusters.projects"], read: (signal) => api.clusters.projects({}, signal) });
  const bindings = useQuery({
    key: ["clusters.secretBindings", namespace],
    read: (signal) => api.clusters.secretBindings({ namespace }, signal),
    isEnabled: namespace !== "",
  });
  const spaces = (projects.value ?? []).map(({ metadata, spec }) => {
    const { namespace: own, description } = (spec ?? {}) as { namespace?: string; description?: string };
    return [own ?? "", [nameIn(metadata), description].filter(Boolean).join(" · ")] as const;
  });
  const names = (bindings.value ?? []).map(({ metadata }) => [nameIn(metadata), nameIn(metadata)] as const);
  const failed = [projects, bindings].find(({ error }) => error);
  return (
    <>
      {failed?.error && <ErrorAlert error={failed.error} onRetry={failed.reload} />}
      <SelectField
        label={text("clusters.cluster_project")}
        value={namespace}
        choices={[...none, ...spaces]}
        onChange={(next) => onChange({ namespace: next, binding: "" })}
      />
      <SelectField
        label={text("clusters.binding")}
        value={binding}
        hint={namespace !== "" && bindings.value?.length === 0 ? text("clusters.no_binding") : undefined}
        choices={[...none, ...names]}
        onChange={(next) => onChange({ binding: next })}
      />
    </>
  );
}

/** What another cloud profile may not have. */
function forProfile({ machines }: ClusterDraft): Partial<ClusterDraft> {
  return { region: "", version: "", machines: { ...machines, machine: "", image: "", zones: [] } };
}

/** The version and what the cluster is for. */
export function VersionFields({ draft, profile, onChange }: StepProps & { readonly profile: CloudProfile }) {
  const now = Date.now();
  const offered = profile.versions
    .filter((one) => isOffered(one, now))
    .sort((one, other) => compareVersions(other.version, one.version));
  return (
    <div class="fields">
      <SelectField
        label="Kubernetes"
        value={draft.version}
        choices={[...none, ...versionChoices(offered)]}
        onChange={(version) => onChange({ version })}
      />
      <SelectField
        label={text("clusters.purpose")}
        value={draft.purpose}
        choices={purposes.map((one) => [one, text(`clusters.purpose_${one}`)] as const)}
        onChange={(purpose) => onChange({ purpose })}
      />
    </div>
  );
}
