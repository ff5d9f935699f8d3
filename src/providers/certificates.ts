import { readFile } from "node:fs/promises";
import { AppError } from "../util/errors.ts";
import { type Env, nonBlank } from "./settings.ts";

/** The first that is set counts. */
const VARIABLES = ["CODEX_CA_CERTIFICATE", "SSL_CERT_FILE"] as const;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The built-in certificates and those of the user's file, in PEM form; undefined when no file is named. Throws AppError
 * "config" for a file that can't be used.
 */
export async function trustedCertificates(env: Env): Promise<readonly string[] | undefined> {
  const variable = VARIABLES.find((name) => nonBlank(env, name) !== undefined);
  if (variable === undefined) return undefined;
  const file = nonBlank(env, variable) ?? "";
  const own = await certificatesIn(file, variable);
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), ...own];
}

async function certificatesIn(file: string, variable: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw unusable(variable, file, "can't be read", cause);
  }
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw unusable(variable, file, "holds no certificate in PEM form");
  const { X509Certificate } = await import("node:crypto");
  for (const [index, certificate] of found.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw unusable(variable, file, `holds a damaged certificate (number ${index + 1})`, cause);
    }
  }
  return found;
}

function unusable(variable: string, file: string, problem: string, cause?: unknown): AppError {
  return new AppError("config", `${variable} names ${file}, which ${problem}`, {
    hint: "name a file that begins with -----BEGIN CERTIFICATE-----, or unset the variable",
    cause,
  });
}
