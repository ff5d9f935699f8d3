import harnessKeys from "./harness-author/references/keys.md" with { type: "text" };
import harnessAuthor from "./harness-author/SKILL.md" with { type: "text" };
import qaDesktop from "./qa/references/desktop.md" with { type: "text" };
import qaWeb from "./qa/references/web.md" with { type: "text" };
import qa from "./qa/SKILL.md" with { type: "text" };
import skillExample from "./skill-creator/references/example.md" with { type: "text" };
import skillCreator from "./skill-creator/SKILL.md" with { type: "text" };

/** The files of our skills, by their paths in the folder that they are written to. They are inside the executable. */
export const BUNDLED_FILES: Readonly<Record<string, string>> = {
  "harness-author/SKILL.md": harnessAuthor,
  "harness-author/references/keys.md": harnessKeys,
  "qa/SKILL.md": qa,
  "qa/references/desktop.md": qaDesktop,
  "qa/references/web.md": qaWeb,
  "skill-creator/SKILL.md": skillCreator,
  "skill-creator/references/example.md": skillExample,
};
