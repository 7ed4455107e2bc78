import { text } from "../i18n/texts.ts";
import { EmptyState } from "../parts/states.tsx";
import { hrefOf, setSearch, useLocation } from "./router.ts";
import { textOf } from "./search.ts";

/** What is searched for in a list, in lower case; it lives in the address. */
export function useListSearch(): string {
  return textOf(useLocation().search.q).trim().toLowerCase();
}

/** True where one of the values contains what is searched for. */
export function isFound(wanted: string, values: readonly (string | null | undefined)[]): boolean {
  return wanted === "" || values.some((value) => value?.toLowerCase().includes(wanted));
}

/** The field that searches the list of a screen. */
export function SearchBox() {
  const { search } = useLocation();
  return (
    <input
      class="input input-small"
      type="search"
      autoComplete="off"
      aria-label={text("action.search")}
      placeholder={text("action.search")}
      value={textOf(search.q)}
      onInput={(event) => setSearch({ q: event.currentTarget.value || undefined })}
    />
  );
}

/** What a list says whose filters match nothing: the link clears them. */
export function NoMatch() {
  const { path } = useLocation();
  return (
    <EmptyState
      icon="search"
      title={text("message.no_match")}
      action={<a href={hrefOf(path)}>{text("action.clear_filters")}</a>}
    />
  );
}
