import { describe, expect, test } from "vitest";
import { dataUrl, mediaTypeOf, readDataUrl, readInlineFile } from "../../../src/engine/dialects/content.ts";

const authors = ["caller", "vendor"] as const;
const hello = Buffer.from("Héllo").toString("base64");

describe.each(authors)("a data URL of a %s", (author) => {
  test("is read in base64, in any case", () => {
    for (const url of ["data:image/png;base64,AAAA", "DATA:IMAGE/PNG;BASE64,AAAA", "data:image/png;x=1; base64,AAAA"])
      expect(readDataUrl(url, author)).toEqual({ mediaType: "image/png", base64: "AAAA" });
  });

  test("is read percent-encoded", () => {
    expect(readDataUrl("data:text/plain,H%C3%A9llo", author)).toEqual({ mediaType: "text/plain", base64: hello });
    expect(readDataUrl("data:,", author)).toEqual({ mediaType: "text/plain", base64: "" });
  });

  test("names the media type that vendors know", () => {
    expect(readDataUrl("data:image/jpg;base64,/9j/", author)?.mediaType).toBe("image/jpeg");
  });

  test("is read back as it was written", () => {
    expect(readDataUrl(dataUrl("audio/wav", "UklG"), author)).toEqual({ mediaType: "audio/wav", base64: "UklG" });
  });

  test("is nothing else", () => {
    for (const url of ["https://x.test/a.png", "data:image/png;base64", "AAAA"])
      expect(readDataUrl(url, author)).toBeUndefined();
  });
});

test("broken percent-encoding is refused from a caller and taken as it stands from a vendor", () => {
  const url = "data:text/plain,100%";
  expect(readDataUrl(url, "caller")).toBeUndefined();
  expect(readDataUrl(url, "vendor")).toEqual({
    mediaType: "text/plain",
    base64: Buffer.from("100%").toString("base64"),
  });
});

test("file data is a data URL or base64, never a malformed URL", () => {
  expect(readInlineFile("JVBE", "application/pdf")).toEqual({ mediaType: "application/pdf", base64: "JVBE" });
  expect(readInlineFile(dataUrl("text/plain", "QQ=="), "application/pdf")?.mediaType).toBe("text/plain");
  for (const malformed of ["data:text/plain", "data:text/plain,%E0%A4%A"])
    expect(readInlineFile(malformed, "application/pdf")).toBeUndefined();
});

test("a media type is told by the extension of a name or URL", () => {
  expect(mediaTypeOf("https://x.test/a.PNG?size=2")).toBe("image/png");
  expect(mediaTypeOf("notes")).toBeUndefined();
  expect(mediaTypeOf(undefined)).toBeUndefined();
});
