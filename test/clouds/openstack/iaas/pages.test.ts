import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { iaasOf } from "../../../../adapters/clouds/openstack/iaas.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ListPage } from "../../../../src/operations/page.ts";
import { pageOf } from "../../../../src/portal/run/paging.ts";
import { callAt, noon } from "../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";
import { scripted } from "../../support/openstack/scripted.ts";

interface Thing {
  readonly id: string;
  readonly at: string;
  readonly project: string;
}

const instant = (ms: number) => new Date(noon + ms * 1_000).toISOString().replace(".000Z", "Z");
const customer = { reseller: "r1", client_id: "c1" };

/** A service that pages as Nova and Glance do: by creation and id, behind a marker, 400 for one that is gone. */
function answer(things: readonly Thing[], { url }: { readonly url: string }, key: "servers" | "images") {
  const query = new URL(url).searchParams;
  const sign = query.get("sort_dir") === "asc" ? 1 : -1;
  const textOf = ({ at, id }: Thing) => `${at} ${id}`;
  const all = things
    .filter(({ project }) => [null, project].includes(query.get("project_id")))
    .toSorted((one, other) => sign * (textOf(one) < textOf(other) ? -1 : 1));
  const marker = query.get("marker");
  const from = marker === null ? 0 : all.findIndex(({ id }) => id === marker) + 1;
  if (marker !== null && from === 0) return { status: 400, body: { badRequest: { message: "marker not found" } } };
  const limit = Number(query.get("limit") ?? 1_000);
  const page = all.slice(from, from + limit);
  const href = `http://x.test/?limit=${limit}&marker=${page.at(-1)?.id}`;
  const more = from + limit < all.length;
  if (key === "images")
    return {
      body: {
        images: page.map(({ id, at, project }) => ({ id, name: id, created_at: at, owner: project })),
        ...(more ? { next: href } : {}),
      },
    };
  const servers = page.map(({ id, at, project }) => ({ id, name: id, created: at, tenant_id: project }));
  return { body: { servers, servers_links: more ? [{ rel: "next", href }] : [] } };
}

const anyThings = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 999 }).map((number) => `s-${String(number).padStart(3, "0")}`),
    at: fc.nat({ max: 5 }).map(instant),
    project: fc.constantFrom("p1", "p2"),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

describe.each(["servers", "images"] as const)("the pages of %s", (kind) => {
  async function opened(place: typeof customer | Record<string, never>, things: () => readonly Thing[]) {
    const { records } = withPortalKinds(memoryStore());
    const stamps = { created_at: instant(0), updated_at: instant(0), user_id: null, region: "eu-1" };
    await records.put("cloud_project", { id: "p1", ...customer, ...stamps }, 0);
    const { site, requests } = scripted((request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/projects")) return { body: { projects: [] } };
      if (pathname.includes("/projects/")) return { body: { project: { id: "p1", name: "shop" } } };
      return answer(things(), request, kind);
    });
    const iaas = iaasOf(site);
    const asked = () => requests.filter(({ url }) => new URL(url).pathname.includes(kind));
    /** A page as the portal gives it: cut out of the list where the service did not page. */
    const read = async (page: ListPage | undefined) => {
      let next: string | undefined;
      let isPaged = false;
      const showNext = (cursor: string | undefined) => {
        isPaged = true;
        next = cursor;
      };
      const list = (await iaas[kind]({}, { ...callAt(records, place), page, showNext })) as { id: string }[];
      const shown = page === undefined || isPaged ? list : (pageOf(list, page, showNext) as typeof list);
      return { ids: shown.map(({ id }) => id), next, isPaged };
    };
    return { read, asked };
  }

  it("together are the whole list in its order, whoever looks and whatever goes between two of them", async () => {
    const anyPlace = fc.constantFrom(customer, {});
    const anyGone = fc.option(fc.nat({ max: 11 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ things: anyThings, limit: fc.integer({ min: 1, max: 5 }), place: anyPlace, gone: anyGone }),
        async ({ things, limit, place, gone }) => {
          for (const sort of ["created", "-created"]) {
            let present: readonly Thing[] = things;
            const { read } = await opened(place, () => present);
            const whole = (await read(undefined)).ids;
            const before = sort === "created" ? whole : (await read({ sort: "-created", limit: 1_000 })).ids;
            expect(before.toSorted()).toEqual(whole.toSorted());
            const found: string[] = [];
            let after: string | undefined;
            do {
              const page: Awaited<ReturnType<typeof read>> = await read({ limit, sort, ...(after && { after }) });
              expect(page.ids.length).toBeLessThanOrEqual(limit);
              found.push(...page.ids);
              after = page.next;
              if (gone !== undefined) present = present.filter(({ id }) => id !== found[gone]); // also the marker itself
            } while (after !== undefined);
            expect(found).toEqual(before);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("are asked of the service one by one, not as the whole list; a search or another order reads that", async () => {
    const things = Array.from({ length: 50 }, (_, at) => ({ id: `s-${100 + at}`, at: instant(at), project: "p1" }));
    const { read, asked } = await opened({}, () => things);
    const first = await read({ limit: 10 });
    expect([first.ids.length, first.isPaged, asked().length]).toEqual([10, true, 1]);
    expect(new URL(asked()[0]?.url ?? "").searchParams.get("limit")).toBe("11");
    await read({ limit: 10, after: first.next });
    expect(new URL(asked()[1]?.url ?? "").searchParams.get("marker")).toBe("s-109");
    expect((await read({ limit: 10, search: "s-1" })).isPaged).toBe(true); // by the portal
    expect((await read({ limit: 10, sort: "-name" })).ids[0]).toBe("s-149");
  });
});

it("a link under the singular of its list is followed: Cinder's of volume types", async () => {
  const link = { rel: "next", href: "http://x.test/types?limit=1&marker=t1" };
  const { site } = scripted(({ url }) =>
    url.includes("marker=t1")
      ? { body: { volume_types: [{ id: "t2" }] } }
      : { body: { volume_types: [{ id: "t1" }], volume_type_links: [link] } },
  );
  const request = { service: "volume", path: ["types"], key: "volume_types" } as const;
  const types = await site.run({ signal: new AbortController().signal }, (work) => site.cloud.list(request, work));
  expect(types.map(({ id }) => id)).toEqual(["t1", "t2"]);
});
