/**
 * Loads Node's SQLite. Node 22 says on this occasion, once per process, that the module is experimental; that one warning is left
 * out, since no operator can act on it.
 */
export function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = (...parameters: unknown[]) => {
    if (!/^SQLite is an experimental feature/.test(String(parameters[0])))
      Reflect.apply(emitWarning, process, parameters);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
