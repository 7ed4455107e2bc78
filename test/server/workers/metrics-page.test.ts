import fc from "fast-check";
import { expect, it } from "vitest";
import { mergePages } from "../../../src/server/workers/metrics-page.ts";

it("says what a metric is once, and whose each sample is", () => {
  const page = (count: number) =>
    `# HELP calls_total Calls\n# TYPE calls_total counter\ncalls_total{key="a b"} ${count}\ncalls_total ${count} 17\n` +
    `# HELP up It serves\n# TYPE up gauge\nup{} 1\n`;
  const pages = [
    { number: 1, text: page(3) },
    { number: 2, text: page(5) },
    { number: 3, text: "" },
  ];
  expect(mergePages(pages)).toBe(
    '# HELP calls_total Calls\n# TYPE calls_total counter\ncalls_total{worker="1",key="a b"} 3\ncalls_total{worker="1"} 3 17\n' +
      'calls_total{worker="2",key="a b"} 5\ncalls_total{worker="2"} 5 17\n\n' +
      '# HELP up It serves\n# TYPE up gauge\nup{worker="1"} 1\nup{worker="2"} 1\n',
  );
});

it("has every sample of every page exactly once, and one description a metric", () => {
  const metric = fc.record({ name: fc.constantFrom("a", "b", "c"), values: fc.array(fc.nat(9), { maxLength: 3 }) });
  const pages = fc.array(fc.uniqueArray(metric, { selector: ({ name }) => name }), { maxLength: 4 });
  fc.assert(
    fc.property(pages, (all) => {
      const write = (list: (typeof all)[number]) =>
        list
          .map(({ name, values }) => `# TYPE ${name} gauge\n${values.map((value) => `${name} ${value}\n`).join("")}`)
          .join("");
      const lines = mergePages(all.map((list, at) => ({ number: at + 1, text: write(list) }))).split("\n");
      const samples = all.flatMap((list, at) =>
        list.flatMap(({ name, values }) => values.map((value) => `${name}{worker="${at + 1}"} ${value}`)),
      );
      expect(lines.filter((line) => line !== "" && !line.startsWith("#")).sort()).toEqual(samples.sort());
      const names = new Set(all.flat().map(({ name }) => name));
      expect(lines.filter((line) => line.startsWith("#"))).toHaveLength(names.size);
    }),
  );
});
