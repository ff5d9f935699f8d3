/** Kinds of files as search programs name them; any other name is taken as the end of the files' names. */
const ENDS: Readonly<Record<string, string>> = {
  c: "{c,h}",
  cpp: "{cpp,cc,cxx,hpp,hh,hxx,h}",
  csharp: "cs",
  html: "{html,htm}",
  js: "{js,jsx,mjs,cjs}",
  kotlin: "{kt,kts}",
  markdown: "{md,markdown,mdx}",
  md: "{md,markdown,mdx}",
  perl: "{pl,pm}",
  py: "{py,pyi}",
  python: "{py,pyi}",
  ruby: "rb",
  rust: "rs",
  sh: "{sh,bash,zsh}",
  ts: "{ts,tsx,mts,cts}",
  typescript: "{ts,tsx,mts,cts}",
  yaml: "{yaml,yml}",
};

/** A pattern for the names of files of this kind. */
export function globOfType(type: string): string {
  const plain = type.replace(/^\./, "").toLowerCase();
  return `*.${Object.hasOwn(ENDS, plain) ? ENDS[plain] : plain}`;
}
