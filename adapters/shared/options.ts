/**
 * The options of a provider as they were given. JavaScript lets a caller give none: the checks that follow then say which one lacks, where
 * a destructured `undefined` would only be a TypeError.
 */
export function given<Options extends object>(options: Options): Options {
  return options ?? ({} as Options); // TypeScript's callers cannot get here without any
}
