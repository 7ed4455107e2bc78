import type { Terminal } from "../terminal.ts";

/** Says what `--allow openai` means: a model of that name, and most likely not what was meant. Some models do bear a provider's name. */
export async function tellBareProviders(terminal: Terminal, allow: readonly string[] = []): Promise<void> {
  const bare = allow.filter((pattern) => !/[/*]/.test(pattern));
  if (bare.length === 0) return;
  const { kinds } = await import("../providers/kinds.ts");
  for (const name of bare)
    if (Object.hasOwn(kinds, name))
      terminal.err(
        `tollgate: --allow ${name} allows models named ${name}; --allow '${name}/*' allows all of the provider.\n`,
      );
}
