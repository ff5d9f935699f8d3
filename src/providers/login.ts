/**
 * A base URL may hold a name and a password. Addresses are shown and recorded, so those two travel in a header instead:
 * `login` is the value of Authorization.
 */
export function splitLogin(baseUrl: string): { baseUrl: string; login?: string } {
  if (!baseUrl.includes("@") || !URL.canParse(baseUrl)) return { baseUrl };
  const url = new URL(baseUrl);
  if (url.username === "" && url.password === "") return { baseUrl };
  const words = `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = "";
  url.password = "";
  return { baseUrl: url.href, login: `Basic ${Buffer.from(words).toString("base64")}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
