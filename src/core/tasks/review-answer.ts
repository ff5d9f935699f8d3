import { z } from "zod";

const Finding = z.looseObject({
  title: z.string(),
  body: z.string(),
  code_location: z
    .looseObject({
      absolute_file_path: z.string(),
      line_range: z.looseObject({ start: z.number(), end: z.number() }),
    })
    .optional(),
});
const Review = z.looseObject({
  findings: z.array(Finding).default([]),
  overall_explanation: z.string().default(""),
});

/** The review as text for a person. An answer that is not the JSON we asked for is shown as it is. */
export function formatReview(answer: string): string {
  const review = readReview(answer);
  if (!review) return answer;
  const comments = review.findings.map(({ title, body, code_location: at }) => {
    const place = at ? ` — ${at.absolute_file_path}:${at.line_range.start}-${at.line_range.end}` : "";
    const indented = body
      .split("\n")
      .map((line) => (line === "" ? "" : `  ${line}`))
      .join("\n");
    return `- ${title}${place}\n${indented}`;
  });
  if (comments.length === 0) return review.overall_explanation;
  const heading = comments.length === 1 ? "Review comment:" : "Full review comments:";
  return [review.overall_explanation, `${heading}\n\n${comments.join("\n\n")}`]
    .filter((part) => part !== "")
    .join("\n\n");
}

function readReview(answer: string): z.infer<typeof Review> | undefined {
  const start = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    return Review.parse(JSON.parse(answer.slice(start, end + 1)));
  } catch {
    return undefined;
  }
}
