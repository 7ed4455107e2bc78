import fc from "fast-check";
import { expect, it } from "vitest";
import { toStyle } from "../../../../../console/src/app/theme/style.ts";
import { plainTheme } from "../../../../../src/portal/properties/plain-theme.ts";

const plain = plainTheme.colors;
const names = fc.constantFrom("primary", "background", "surface", "text", "danger", "other");
const color = fc.stringMatching(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/);

it("the plain colours change nothing, in whatever form they are written", () => {
  expect(toStyle(plain, plain)).toBe("");
  expect(toStyle({}, plain)).toBe("");
  expect(toStyle({ surface: "#fff" }, plain)).toBe("");
});

it("a text that is no colour never reaches the style", () => {
  const hostile = fc.oneof(fc.string(), fc.constantFrom("red;}body{display:none", "#12345", "url(//x)", "#fff}*{x:y"));
  fc.assert(
    fc.property(fc.dictionary(names, hostile), fc.dictionary(names, color), (texts, colors) => {
      const isColor = (value: string) => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
      const readable = Object.fromEntries(Object.entries(texts).filter(([, value]) => isColor(value)));
      expect(toStyle({ ...colors, ...texts }, plain)).toBe(
        toStyle(
          {
            ...colors,
            ...Object.fromEntries(Object.keys(texts).map((name) => [name, plain[name as "text"] ?? ""])),
            ...readable,
          },
          plain,
        ),
      );
    }),
  );
});

it("each changed colour sets its tokens in light colours, and only its hue in dark ones", () => {
  const style = toStyle({ primary: "#7a1fa8", background: "#fdf6e3", danger: "#aa0000" }, plain);
  const [light = "", , dark = ""] = style.split("\n");
  expect(light).toContain("--primary:#7a1fa8;");
  expect(light).toContain("--canvas:#fdf6e3");
  expect(light).toContain("--bad:#aa0000;");
  expect(light).not.toContain("--text");
  expect(dark).toContain("--primary:oklch(from #7a1fa8 0.76 min(c,0.13) h)");
  expect(dark).not.toContain("#fdf6e3");
  expect(style.split("\n")).toHaveLength(4);
});

it("pale text is mixed only from text that is read well", () => {
  const pale = (text: string) => /--text-soft:color-mix\(in oklab,#\w+ (\d+)%/.exec(toStyle({ text }, plain))?.[1];
  expect([pale("#000000"), pale("#707070")]).toEqual(["82", "100"]);
});
