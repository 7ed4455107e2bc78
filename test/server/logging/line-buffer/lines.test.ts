import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { bufferLines } from "../../../../src/server/logging/line-buffer.ts";

it("lines of one turn are written together, in order, and those of the next by themselves", async () => {
  const written: string[] = [];
  const { write } = bufferLines((lines) => void written.push(lines));
  write("a\n");
  write("b\n");
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual(["a\nb\n"]);
  write("c\n");
  await nextTurn();
  expect(written).toEqual(["a\nb\n", "c\n"]);
});

it("what was gathered is written at the end, once", async () => {
  const written: string[] = [];
  const { write, flush } = bufferLines((lines) => void written.push(lines));
  write("a\n");
  flush();
  flush();
  await nextTurn();
  expect(written).toEqual(["a\n"]);
});
