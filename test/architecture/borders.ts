import { doors } from "./doors.ts";
import { isShipped, type Rule } from "./rule.ts";
import type { SourceFile } from "./tree.ts";

/** The room of a file and its path in it: `src/engine/routing/plan.ts` → `engine`, `routing/plan.ts`. Undefined for what is in no room. */
function locate(path: string): { readonly room: string; readonly inner: string } | undefined {
  const found = /^(?:adapters\/(clouds)|src\/([\w-]+)|(adapters))\/(.+)$/.exec(path);
  const [, clouds, room, adapters, inner = ""] = found ?? [];
  const name = clouds ?? room ?? adapters;
  return name === undefined ? undefined : { room: name, inner };
}

function isOpen(room: string, inner: string): boolean {
  return (doors[room] ?? []).some((door) => inner === door || (door.endsWith("/") && inner.startsWith(door)));
}

/** Every import of a file in another room, with what it reaches there. The console takes types through the same doors. */
function crossings(files: readonly SourceFile[]) {
  return files
    .filter(({ path }) => isShipped(path) || path.startsWith("console/"))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => {
        const to = locate(target);
        return to === undefined || locate(path)?.room === to.room ? [] : [{ path, target, ...to }];
      }),
    );
}

function findWayAround(files: readonly SourceFile[]): string[] {
  return crossings(files)
    .filter(({ room, inner }) => !isOpen(room, inner))
    .map(({ path, target }) => `${path} imports ${target}, which is no door of its room`);
}

function findUnusedDoors(files: readonly SourceFile[]): string[] {
  const used = crossings(files);
  const isUsed = (name: string, door: string) =>
    used.some(({ room, inner }) => room === name && (inner === door || inner.startsWith(door)));
  return Object.entries(doors).flatMap(([room, list]) =>
    list.filter((door) => !isUsed(room, door)).map((door) => `${room}: nobody comes in by ${door}`),
  );
}

/** Who may enter a room, and where (`doors.ts`). */
export const borderRules: readonly Rule[] = [
  {
    title: "a room is entered by its doors",
    find: findWayAround,
    planted: [
      { "src/portal/area.ts": 'import { run } from "../engine/pipeline/run.ts";' },
      { "console/src/a.ts": 'import type { Run } from "../../src/portal/run/run.ts";' },
      { "adapters/clouds/s3/index.ts": 'import { usage } from "../../shared/openai-compatible/usage.ts";' },
    ],
  },
];

/** Asked of the whole tree alone: a small one uses few doors. */
export const doorRules: readonly Rule[] = [
  { title: "somebody comes in by every door", find: findUnusedDoors, planted: [{ "src/engine/errors.ts": "" }] },
];
