export type Environment = Readonly<Record<string, string | undefined>>;

/** What a server needs to find its home, its programs and its certificates. No keys, no tokens. */
const PASSED_ON =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROGRAMFILES(X86)",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
const CERTIFICATES = [
  "CURL_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
];

/** The whole environment of a stdio server: the core set, the variables named by the user, the values set by the user. */
export function childEnv(
  parent: Environment,
  { env, passedOn }: { env: Readonly<Record<string, string>>; passedOn: readonly string[] },
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of [...PASSED_ON, ...CERTIFICATES, ...passedOn]) {
    const value = parent[name];
    if (value !== undefined) passed[name] = value;
  }
  return { ...passed, ...env };
}
