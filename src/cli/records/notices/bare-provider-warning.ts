import type { Terminal } from "../../../server/terminal/terminal.ts";

/**
 * Warns that `--allow openai` allows a model of that name, which is rarely intended. It is no error: some models have a provider's name.
 */
export async function warnBareProviders(terminal: Terminal, allow: readonly string[] = []): Promise<void> {
  const bare = allow.filter((pattern) => !/[/*]/.test(pattern));
  if (bare.length === 0) return;
  const { kinds } = await import("../../../server/providers/kinds.ts");
  for (const name of bare)
    if (Object.hasOwn(kinds, name))
      terminal.err(
        `tollgate: --allow ${name} allows models named ${name}. To allow all models of the provider, use --allow '${name}/*'.\n`,
      );
}
