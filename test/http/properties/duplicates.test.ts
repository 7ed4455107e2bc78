import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDuplicate } from "../../../src/engine/runtime/json/json-duplicates.ts";
import { createFetch } from "../../../src/http/server/fetch.ts";
import { byToken } from "../../engine/support/judges.ts";
import { engineOver } from "../../engine/support/support.ts";

describe("a field that is there twice", () => {
  it("is in no text that was written from a value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, space) => {
        expect(findDuplicate(JSON.stringify(value, null, space))).toBeUndefined();
      }),
    );
  });

  it("is found by its path, however deep it is and however it is written", () => {
    const key = fc.string({ minLength: 1, maxLength: 6 });
    const path = fc.array(key, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(path, fc.jsonValue(), fc.jsonValue(), (names, one, other) => {
        const last = JSON.stringify(names.at(-1));
        const escaped = `"${[...(names.at(-1) ?? "")].map((sign) => [...sign].map(toEscape).join("")).join("")}"`;
        const inner = `{${last}:${JSON.stringify(one)},"not ${names.length}":[{}],${escaped} : ${JSON.stringify(other)}}`;
        const text = names.slice(0, -1).reduceRight((rest, name) => `{${JSON.stringify(name)}:${rest}}`, inner);
        expect(findDuplicate(text)).toBe(names.join("."));
      }),
    );
  });
});

function toEscape(sign: string): string {
  return Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );
}

describe("POST /v1/decisions", () => {
  const noul = '{"kind":"noul"}';
  const post = async (body: string) => {
    const { engine } = engineOver([byToken("a", () => 0.5)]);
    const headers = { "content-type": "application/json" };
    const response = await createFetch(engine)("http://engine/v1/decisions", { method: "POST", headers, body });
    return [response.status, ((await response.json()) as { error?: { param: string } }).error?.param];
  };

  it.each([
    [`{"model":"a/m","questions":{"q":${noul},"r":${noul},"q":${noul}}}`, "questions.q"],
    [
      '{"model":"a/m","questions":{"q":{"kind":"choice","criteria":{"a":null,"b":null,"a":"again"}}}}',
      "questions.q.criteria.a",
    ],
  ])("refuses %s", async (body, param) => expect(await post(body)).toEqual([400, param]));

  it.each([
    [`{"model":"a/m","state":{"x":1,"x":2},"questions":{"q":${noul}}}`, "state.x"],
    [`{"model":"a/m","questions":[${noul},{"a":[0,{"b":1,"b":1}]}]}`, "questions.1.a.1.b"],
  ])("and %s", async (body, param) => expect(await post(body)).toEqual([400, param]));

  it.each([
    `{"model":"a/m","questions":{"q":{"kind":"noul","criteria":{"true":"q","false":"q"}},"criteria":${noul}}}`,
    `{"model":"a/m","input":"q","questions":[${noul.replace("kind", "type").replace("noul", "predicate")}]}`,
  ])("takes %s", async (body) => expect(await post(body)).toEqual([200, undefined]));
});
