import { type Remark, referenceIn, textIn } from "./remarks.ts";

/** References to environment variables in place of what stands in a file. */
export interface References {
  /** A reference for a secret, with a remark where it stood in the file itself; `usual` is the variable that it is to be put into. */
  refer(value: unknown, usual: string): { readonly reference: string; readonly remarks: readonly Remark[] } | undefined;
}

/** Gives each secret of a file a variable; the same one has the same. */
export function openReferences(): References {
  const variables = new Map<string, string>();
  const taken = new Set<string>();
  const variableFor = (secret: string, usual: string): string => {
    const former = variables.get(secret);
    if (former !== undefined) return former;
    let name = usual;
    for (let count = 2; taken.has(name); count++) name = `${usual}_${count}`;
    taken.add(name);
    variables.set(secret, name);
    return name;
  };
  return {
    refer(value, usual) {
      const reference = referenceIn(value);
      if (reference !== undefined) {
        taken.add(reference.slice("env:".length));
        return { reference, remarks: [] };
      }
      const secret = textIn(value);
      if (secret === undefined) return undefined;
      const name = variableFor(secret, usual);
      const problem = `is a secret in the file, which is not copied: put it into the environment variable ${name}`;
      return { reference: `env:${name}`, remarks: [{ path: [], problem }] };
    },
  };
}
