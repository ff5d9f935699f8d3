/** Bytes as people say them: `4.7 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power - 1]}`;
}
