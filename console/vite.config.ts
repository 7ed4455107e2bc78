import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressed } from "./build/compressed.ts";
import { tables } from "./build/tables.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds `dist/console`: hashed names, relative addresses, each file compressed twice, and a manifest. */
export default defineConfig({
  root: folder("."),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [tables(), compressed(folder("../dist/console"))],
  build: {
    outDir: folder("../dist/console"),
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
