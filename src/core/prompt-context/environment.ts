import { type Item, userText } from "../../protocol/items.ts";
import type { SandboxPolicy } from "../../protocol/policy.ts";
import { localDate, systemTimeZone } from "../../util/local-time.ts";

export type Surroundings = {
  cwd: string;
  shell: string;
  /** Fixed for the session: a clock in the prefix would cost the server's prompt cache. */
  now: Date;
  policy: SandboxPolicy;
};

export function environmentContext({ cwd, shell, now, policy }: Surroundings): Item {
  const lines = [
    "<environment_context>",
    `  <cwd>${escapeXml(cwd)}</cwd>`,
    `  <shell>${escapeXml(shell)}</shell>`,
    `  <current_date>${localDate(now)}</current_date>`,
    `  <timezone>${systemTimeZone()}</timezone>`,
    ...filesystem(policy).map((line) => `  ${line}`),
    "</environment_context>",
  ];
  return userText(lines.join("\n"));
}

function filesystem(policy: SandboxPolicy): string[] {
  if (policy.mode !== "restricted") {
    return [
      "<filesystem>unrestricted</filesystem>",
      `<network enabled="${policy.mode === "off" || policy.network}" />`,
    ];
  }
  const roots = policy.write.map((root) => `  <writable_root>${escapeXml(root)}</writable_root>`);
  const body =
    roots.length > 0 ? ["<filesystem>", ...roots, "</filesystem>"] : ["<filesystem>read-only</filesystem>"];
  return [...body, `<network enabled="${policy.network}" />`];
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
