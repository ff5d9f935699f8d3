import type { Port } from "../port.ts";

/** Looks for the files that a query means and shows them, if it is still the one that is asked. */
export async function findFiles(port: Port, query: string): Promise<void> {
  const index = await port.files();
  const show = (isSearching: boolean) => {
    const { popup } = port.state;
    if (popup?.kind !== "files" || popup.query !== query) return;
    const items = index.find(query).map((path) => ({ label: path, insert: path }));
    port.change({ popup: { ...popup, items, isSearching, selected: 0 } });
  };
  show(!index.isWhole);
  if (index.isWhole) return;
  await index.whole;
  show(false);
}
