import { expect, test } from "bun:test";
import { pageText } from "../../../src/tools/web/page-text.ts";

test("a page is read without markup, scripts and comments; links keep their address", () => {
  const page = `<html><head><title>T</title><style>p{}</style></head><body><!-- no -->
<h2>Title &amp; more</h2><p>One<br>two &lt;b&gt; &#65;&#x42;</p><script>alert("<p>")</script>
<ul><li>first</li><li><a href="https://a.test/x" rel="y">link</a></li></ul></body></html>`;
  expect(
    pageText(page, "text/html; charset=utf-8")
      .split("\n")
      .filter((line) => line.trim() !== ""),
  ).toEqual(["## Title & more", "One", "two <b> AB", "- first", "- link (https://a.test/x)"]);
});

test("other texts are shown as they are", () => {
  expect(pageText("<a>1 & 2</a>", "application/xml")).toBe("<a>1 & 2</a>");
});
