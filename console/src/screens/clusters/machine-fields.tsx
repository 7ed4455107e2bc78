import { text } from "../../i18n/texts.ts";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { type CloudProfile, imageChoices, machineChoices } from "./profile.ts";

/** What is filled in of a group of machines. */
export interface MachineDraft {
  readonly machine: string;
  /** Name and version. */
  readonly image: string;
  readonly zones: readonly string[];
  readonly minimum: string;
  readonly maximum: string;
}

/** Returns what is wrong with a draft; undefined when it can be sent. */
export function machineProblem({ machine, image, zones, minimum, maximum }: MachineDraft): string | undefined {
  if (machine === "" || image === "") return text("problem.required");
  if (zones.length === 0) return text("clusters.zone_missing");
  const isCount = (value: string) => /^\d{1,4}$/.test(value);
  if (!isCount(minimum) || !isCount(maximum)) return text("problem.number");
  return Number(maximum) < Math.max(1, Number(minimum)) ? text("clusters.size_rule") : undefined;
}

/** Returns the fields of a draft as the rows take them. */
export function toMachineInput({ machine, image, zones, minimum, maximum }: MachineDraft) {
  const [image_name = "", image_version = ""] = image.split(" ");
  const size = { minimum_workers: Number(minimum), maximum_workers: Number(maximum) };
  return { iaas_flavor: machine, image_name, image_version, zones: [...zones], ...size };
}

interface FieldsProps {
  readonly draft: MachineDraft;
  readonly profile: CloudProfile | undefined;
  readonly zones: readonly string[];
  readonly onChange: (draft: MachineDraft) => void;
}

/** Machine, image, zones and size of a group. */
export function MachineFields({ draft, profile, zones, onChange }: FieldsProps) {
  const set = (part: Partial<MachineDraft>) => onChange({ ...draft, ...part });
  const none = [["", "–"]] as const;
  return (
    <>
      <SelectField
        label={text("clusters.machine")}
        value={draft.machine}
        choices={[...none, ...(profile ? machineChoices(profile) : [])]}
        onChange={(machine) => set({ machine })}
      />
      <SelectField
        label={text("clusters.image")}
        value={draft.image}
        choices={[...none, ...(profile ? imageChoices(profile) : [])]}
        onChange={(image) => set({ image })}
      />
      <fieldset class="field">
        <legend>{text("clusters.zones")}</legend>
        {zones.map((zone) => (
          <CheckField
            key={zone}
            label={zone}
            isChecked={draft.zones.includes(zone)}
            onChange={(isChecked) =>
              set({ zones: isChecked ? [...draft.zones, zone] : draft.zones.filter((one) => one !== zone) })
            }
          />
        ))}
      </fieldset>
      <div class="fields">
        <TextField
          {...{ label: text("clusters.minimum"), type: "number", value: draft.minimum }}
          onInput={(minimum) => set({ minimum })}
        />
        <TextField
          {...{ label: text("clusters.maximum"), type: "number", value: draft.maximum }}
          onInput={(maximum) => set({ maximum })}
        />
      </div>
    </>
  );
}
