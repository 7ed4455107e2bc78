import type { Plugin } from "vite";
import { areas } from "../../src/operations/portal/table.ts";
import { defaultLanguage, languages } from "../../src/portal/locales/languages.ts";
import { isLazyText } from "../../src/portal/locales/lazy-texts.ts";
import { plainTheme } from "../../src/portal/properties/plain-theme.ts";

const prefix = "virtual:";

/** Modules that are made of the gateway's own tables while the console is built, so that none of its code is part of the bundle. */
const modules: Readonly<Record<string, () => unknown>> = {
  "virtual:rows": listRows,
  "virtual:theme": () => plainTheme,
  "virtual:languages": () => Object.fromEntries(Object.entries(languages).map(([code, { name }]) => [code, name])),
  ...Object.fromEntries(
    Object.entries(languages).map(([code, { texts }]) => [`virtual:texts/${code}`, () => shorten(code, texts)]),
  ),
  "virtual:texts/late": () =>
    Object.fromEntries(Object.entries(languages[defaultLanguage]?.texts ?? {}).filter(([key]) => isLazyText(key))),
};

/** Serves `virtual:rows`, `virtual:theme`, `virtual:languages` and `virtual:texts/<code>`, and `virtual:texts/late`. */
export function tables(): Plugin {
  return {
    name: "tables",
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load(id) {
      const make = id.startsWith(`\0${prefix}`) ? modules[id.slice(1)] : undefined;
      return make && `export const ${nameOf(id)} = JSON.parse(${JSON.stringify(JSON.stringify(make()))});`;
    },
  };
}

/** The name that a module exports: `rows`, `theme`, `languages`, `texts`. */
function nameOf(id: string): string {
  return id.slice(1 + prefix.length).replace(/\/.*$/, "");
}

/** The operations by area and name: method, path, the permission that the caller needs, and whether the answer is a secret. */
function listRows() {
  return Object.fromEntries(
    Object.entries(areas).map(([area, rows]) => [
      area,
      Object.fromEntries(
        Object.entries(rows).map(([name, { method, path, access, isSecret }]) => {
          return [name, [method, path, access, isSecret]] as const;
        }),
      ),
    ]),
  );
}

/** What an error code means is long; the console shows the message of the error. The default language's words of late screens are a file of their own. */
function shorten(code: string, texts: Readonly<Record<string, string>>) {
  const isLate = (key: string) => code === defaultLanguage && isLazyText(key);
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !key.startsWith("error.") && !isLate(key)));
}
