import { createStore, useStore } from "../api/store.ts";
import { readSearch, type SearchValues, writeSearch } from "./search.ts";

/** Where the page is: the path below the console's base, and the state that the address holds. */
export interface Location {
  /** Without a slash in front or behind: `ai/requests`. */
  readonly path: string;
  readonly search: SearchValues;
}

const basePath = (): string => new URL(document.baseURI).pathname;

function readLocation(): Location {
  const { pathname, search } = window.location;
  const base = basePath();
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : "";
  return { path: path.replace(/\/+$/, ""), search: readSearch(search) };
}

const location = createStore<Location>({ path: "", search: {} });

/** Follows the address bar and links of the page. Call once. */
export function startRouter(): void {
  location.set(readLocation());
  window.addEventListener("popstate", () => location.set(readLocation()));
  document.addEventListener("click", followLink);
}

/** Where the page is; renders again when that changes. */
export function useLocation(): Location {
  return useStore(location);
}

/** The address of a place in the console, relative to its base. */
export function hrefOf(path: string, search: SearchValues = {}): string {
  const query = writeSearch(search);
  return query === "" ? path || "./" : `${path || "./"}?${query}`;
}

/** Opens a place. `replace` changes the address without a step in the history. */
export function go(path: string, search: SearchValues = {}, { replace = false } = {}): void {
  const url = new URL(hrefOf(path, search), document.baseURI);
  window.history[replace ? "replaceState" : "pushState"](null, "", url);
  location.set(readLocation());
}

/** Changes the state in the address of the open screen; what is undefined is taken out. */
export function setSearch(change: SearchValues, { replace = true } = {}): void {
  const { path, search } = location.get();
  go(path, { ...search, ...change }, { replace });
}

/** Links of the console change the page in place; other origins, new tabs and downloads are the browser's. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.hasAttribute("target") || link.hasAttribute("download")) return;
  const url = new URL(link.getAttribute("href") ?? "", document.baseURI); // not `href`: that of a link in a drawing is an object
  if (url.origin !== window.location.origin || !url.pathname.startsWith(basePath())) return;
  if (url.hash !== "" && link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  window.history.pushState(null, "", url);
  const before = location.get().path;
  location.set(readLocation());
  if (before !== location.get().path) document.querySelector("main")?.scrollTo(0, 0);
}
