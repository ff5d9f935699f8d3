type Abilities = { hasColor: boolean; isUnicode: boolean };

/** Text of the prompt library as this terminal can show it; line ends also begin at the left in raw mode. */
export function writable(text: string, { hasColor, isUnicode }: Abilities): string {
  const lines = text.replace(/\r?\n/g, "\r\n");
  const coloured = hasColor
    ? lines
    : lines.replace(STYLE, (all, codes: string) => (isColor(codes) ? "" : all));
  return isUnicode ? coloured : coloured.replace(SIGNS, (sign) => ASCII[sign] ?? sign);
}

const STYLE = /\u001b\[([\d;]*)m/g;

/** Foreground and background, their defaults included; bold, dim and the like are not colours. */
function isColor(codes: string): boolean {
  return codes.split(";").some((code) => Number(code) >= 30);
}

const ASCII: Readonly<Record<string, string>> = {
  "◆": "*",
  "◇": "o",
  "■": "x",
  "▲": "!",
  "●": ">",
  "○": " ",
  "◼": "x",
  "◻": "_",
  "│": "|",
  "└": "-",
  "▪": "*",
  "█": "_",
  "•": "-",
  "↑": "up",
  "↓": "down",
};
const SIGNS = new RegExp(`[${Object.keys(ASCII).join("")}]`, "g");
