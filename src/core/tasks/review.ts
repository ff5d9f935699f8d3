/** What is reviewed. */
export type ReviewTarget =
  | { kind: "uncommitted" }
  | { kind: "base"; branch: string }
  | { kind: "commit"; sha: string; title?: string }
  | { kind: "custom"; prompt: string };

export function reviewPrompt(target: ReviewTarget): string {
  switch (target.kind) {
    case "uncommitted":
      return "Review the uncommitted changes of this repository: staged, unstaged and untracked files. Start with `git status --porcelain` and `git diff HEAD`.";
    case "base":
      return `Review what this branch changes against ${target.branch}. Find the merge base with \`git merge-base HEAD ${quote(target.branch)}\` and read \`git diff\` from there.`;
    case "commit":
      return `Review the commit ${target.sha}${target.title ? ` ("${target.title}")` : ""}. Read it with \`git show ${quote(target.sha)}\`.`;
    case "custom":
      return target.prompt;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export const REVIEW_INSTRUCTIONS = `You review a change that somebody else wrote. You may read files and run commands that only look; you change nothing.

Report a finding only when all of this holds: it is a real defect in behaviour, security, performance or maintainability; the reviewed change introduced it; its author would fix it on hearing of it; you can name the input or situation in which it goes wrong. Don't report taste, style that a formatter decides, or guesses. An empty list is a good answer for a good change.

For each finding write a title in the imperative of at most 80 characters, and one paragraph: what goes wrong, when, and why. Point at the smallest line range (at most ten lines) inside the change that shows it. Priorities: 0 must be fixed before release, 1 should be fixed next, 2 ordinary, 3 small.

Answer with one JSON object and nothing else:
{"findings":[{"title":string,"body":string,"confidence_score":number 0 to 1,"priority":0|1|2|3,"code_location":{"absolute_file_path":string,"line_range":{"start":number,"end":number}}}],"overall_correctness":"patch is correct"|"patch is incorrect","overall_explanation":string,"overall_confidence_score":number 0 to 1}`;
