import { engineKinds, type KindDefinition, type KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";

/** The kinds of records that a store knows. */
export interface StoreKinds {
  /** The engine's own, and all that were defined; grows with each definition. */
  readonly kinds: KindDefinitions;
  /** As `Records.define`. */
  define(kinds: KindDefinitions): void;
}

export function knowKinds(): StoreKinds {
  const kinds: Record<string, KindDefinition> = { ...engineKinds };
  return {
    kinds,
    define(defined) {
      for (const [kind, definition] of Object.entries(defined)) kinds[kind] ??= definition;
    },
  };
}
