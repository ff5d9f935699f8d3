import { expect, test } from "bun:test";
import { onlyName, renderTemplate, templateNames } from "../../src/harness/template.ts";

const VALUES = new Map<string, string | number | boolean>([
  ["name", "Ann"],
  ["zero", 0],
  ["empty", ""],
  ["off", false],
  ["on", true],
  ["braces", "{{name}}"],
]);

const render = (template: string) => renderTemplate(template, (name) => VALUES.get(name));

const CASES = [
  ["names are replaced, and a value is not read again", "{{name}} {{zero}} {{braces}}", "Ann 0 {{name}}"],
  [
    "a section is kept when its value is there",
    "a{{#name}}b{{/name}}{{#zero}}c{{/zero}}{{#empty}}d{{/empty}}{{#off}}e{{/off}}",
    "abc",
  ],
  [
    "an inverted section is kept when its value is not there",
    "{{^name}}a{{/name}}{{^empty}}b{{/empty}}{{^off}}c{{/off}}{{^on}}d{{/on}}",
    "bc",
  ],
  ["sections nest, also of the same name", "{{#on}}1{{#on}}2{{/on}}{{^on}}3{{/on}}4{{/on}}5", "1245"],
  ["a tag alone on its line takes no line", "a\n  {{#on}}  \nb\n{{/on}}\nc\n", "a\nb\nc\n"],
  ["a name alone on its line keeps its line", "a\n{{empty}}\nb", "a\n\nb"],
  ["other braces are text", "{ {{ } }} {{ name }} {{}}", "{ {{ } }} {{ name }} {{}}"],
  ["a text without tags is itself", "plain\n", "plain\n"],
] as const;

for (const [title, template, text] of CASES) test(title, () => expect(render(template)).toBe(text));

const BROKEN = [
  ["{{nobody}}", "{{nobody}} is not a known name"],
  ["{{#nobody}}x{{/nobody}}", "{{nobody}} is not a known name"],
  ["{{#on}}x", "{{#on}} is not closed"],
  ["x{{/on}}", "{{/on}} closes a section that is not open"],
  ["{{#on}}{{#name}}{{/on}}{{/name}}", "{{/on}} closes a section that is not open"],
] as const;

for (const [template, reason] of BROKEN) {
  test(`${template} is an error`, () => {
    expect(() => render(template)).toThrow(`a text of the harness is not a valid template: ${reason}`);
  });
}

test("names of a template are listed once", () => {
  expect(templateNames("{{a}}{{#b}}{{a}}{{/b}}{{^c}}{{/c}}")).toEqual(["a", "b", "c"]);
});

test("only a template that is one name is a value", () => {
  expect(["{{a}}", " {{a}}", "{{#a}}", "a"].map(onlyName)).toEqual(["a", undefined, undefined, undefined]);
});
