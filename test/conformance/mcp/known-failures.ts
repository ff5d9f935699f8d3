/** Why a scenario of the official suite is not passed, by its name. One that passes all the same must leave this list. */
export const KNOWN_FAILURES: Readonly<Record<string, string>> = {
  "auth/2025-03-26-oauth-metadata-backcompat":
    "the authority's metadata names another issuer than the address it was read from, and we insist on it (RFC 8414)",
  ...each("no person signs in there, and we show no proof but a secret", [
    "auth/client-credentials-jwt",
    "auth/cross-app-access-complete-flow",
  ]),
  ...each("it calls tools of its own that a coding agent does not have", [
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "json-schema-2020-12",
    "server-sse-polling",
    "tools-call-audio",
    "tools-call-elicitation",
    "tools-call-embedded-resource",
    "tools-call-image",
    "tools-call-mixed-content",
    "tools-call-sampling",
    "tools-call-with-logging",
    "tools-call-with-progress",
  ]),
  ...each("the server has tools, and none of this", [
    "completion-complete",
    "logging-set-level",
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "resources-subscribe",
    "resources-templates-read",
    "resources-unsubscribe",
  ]),
  "dns-rebinding-protection": "the server speaks over stdin and stdout; the address is the bridge's",
};

function each(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
