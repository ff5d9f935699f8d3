import { nearest } from "../../util/nearest.ts";

/** The name with its tag: `latest` is meant where there is none. A colon of the host part is not a tag. */
export function withTag(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.includes(":") ? name : `${name}:latest`;
}

/** A model of this name runs on somebody else's machine. */
export function isCloudName(name: string): boolean {
  return /[:-]cloud$/i.test(name.trim());
}

/** The installed name that is meant: the exact one with its tag, without regard to case. */
export function findInstalled(wanted: string, installed: readonly string[]): string | undefined {
  const whole = withTag(wanted.trim()).toLowerCase();
  return installed.find((name) => withTag(name).toLowerCase() === whole);
}

/** Installed names that may have been meant: the same model with another tag, else the nearest spelling. */
export function nearMisses(wanted: string, installed: readonly string[]): string[] {
  const base = familyOf(wanted);
  const relatives = installed.filter((name) => familyOf(name) === base);
  if (relatives.length > 0) return relatives;
  const close = nearest(base, installed.map(familyOf));
  return close === undefined ? [] : installed.filter((name) => familyOf(name) === close);
}

function familyOf(name: string): string {
  const tagged = withTag(name.trim().toLowerCase());
  return tagged.slice(0, tagged.lastIndexOf(":"));
}
