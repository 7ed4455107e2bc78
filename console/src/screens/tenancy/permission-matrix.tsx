import { useId, useState } from "preact/hooks";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField } from "../../parts/field.tsx";
import { groupByArea, type Permission, pickTemplate, type templates } from "./permissions.ts";

interface MatrixProps {
  readonly all: readonly Permission[];
  /** The names that are chosen. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  /** Why a permission cannot be granted; undefined where it can. */
  readonly refusedBy: (name: string) => string | undefined;
}

const templateNames = ["none", "read", "keys", "all"] as const satisfies readonly (keyof typeof templates)[];

/** Every operation with one box, by area; what cannot be granted says why. */
export function PermissionMatrix({ all, chosen, onChange, refusedBy }: MatrixProps) {
  const [typed, setTyped] = useState("");
  const [isDifferent, setDifferent] = useState(false);
  const mayGrant = (name: string) => refusedBy(name) === undefined;
  const listed = isDifferent ? all.filter(({ name }) => chosen.has(name) !== mayGrant(name)) : all;
  const groups = groupByArea(listed, typed.trim().toLowerCase());
  const set = (names: readonly string[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const name of names.filter(mayGrant)) isOn ? next.add(name) : next.delete(name);
    onChange(next);
  };
  return (
    <div class="stack">
      <div class="row">
        <input
          class="input input-small"
          type="search"
          aria-label={text("action.search")}
          placeholder={text("action.search")}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        {templateNames.map((name) => (
          <Button key={name} isSmall onPress={() => onChange(new Set(pickTemplate(name, all, mayGrant)))}>
            {text(`permissions.template_${name}`)}
          </Button>
        ))}
      </div>
      <div class="row">
        <span class="soft" role="status">
          {text("permissions.chosen", { count: chosen.size, all: all.length })}
        </span>
        <CheckField label={text("permissions.different")} isChecked={isDifferent} onChange={setDifferent} />
      </div>
      <div class="matrix">
        {[...groups].map(([area, permissions]) => (
          <AreaRows
            key={area}
            {...{ area, permissions, chosen, refusedBy, set }}
            isOpen={typed !== "" || isDifferent}
          />
        ))}
        {groups.size === 0 && <p class="soft">{text("message.no_match")}</p>}
      </div>
    </div>
  );
}

interface AreaProps extends Pick<MatrixProps, "chosen" | "refusedBy"> {
  readonly area: string;
  readonly permissions: readonly Permission[];
  readonly isOpen: boolean;
  readonly set: (names: readonly string[], isOn: boolean) => void;
}

function AreaRows({ area, permissions, chosen, refusedBy, isOpen, set }: AreaProps) {
  const names = permissions.map(({ name }) => name);
  const count = names.filter((name) => chosen.has(name)).length;
  return (
    <details open={isOpen}>
      <summary>
        <strong>{area}</strong> <span class="faint">{`${count} / ${names.length}`}</span>
      </summary>
      <div class="row">
        <Button isSmall onPress={() => set(names, true)}>
          {text("action.enable_all")}
        </Button>
        <Button isSmall onPress={() => set(names, false)}>
          {text("action.disable_all")}
        </Button>
      </div>
      <ul>
        {permissions.map((permission) => (
          <PermissionRow
            key={permission.name}
            permission={permission}
            isChosen={chosen.has(permission.name)}
            reason={refusedBy(permission.name)}
            onToggle={(isOn) => set([permission.name], isOn)}
          />
        ))}
      </ul>
    </details>
  );
}

interface RowProps {
  readonly permission: Permission;
  readonly isChosen: boolean;
  readonly reason: string | undefined;
  readonly onToggle: (isOn: boolean) => void;
}

function PermissionRow({ permission, isChosen, reason, onToggle }: RowProps) {
  const id = useId();
  const { name, method, path, summary } = permission;
  return (
    <li class="matrix-row" data-refused={reason !== undefined}>
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        disabled={reason !== undefined}
        aria-describedby={`${id}-about`}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <label for={id}>{summary}</label>
      <span id={`${id}-about`} class="faint mono matrix-path">
        {`${method} ${path} · ${name}`}
        {reason && <span class="cell-sub">{reason}</span>}
      </span>
    </li>
  );
}
