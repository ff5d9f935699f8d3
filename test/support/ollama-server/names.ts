/** The shown form always has a tag; `latest` is the default (types/model/name.go). */
export function withTag(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.includes(":") ? name : `${name}:latest`;
}

/** Installed names are found without regard to case (types/model/name.go). */
export function sameModel(a: string, b: string): boolean {
  return withTag(a).toLowerCase() === withTag(b).toLowerCase();
}

/** What a message about missing tools calls the model: its full name (server/routes.go). */
export function fullName(name: string): string {
  const tagged = withTag(name);
  return tagged.includes("/") ? `registry.ollama.ai/${tagged}` : `registry.ollama.ai/library/${tagged}`;
}

/** A name that ends so runs in the cloud (internal/modelref). */
export function isCloudName(name: string): boolean {
  return /(:|-)cloud$/i.test(name);
}
