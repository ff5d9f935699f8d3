import { z } from "zod";

/** What a client answers to our requests. The SDK checks what comes in as a request, not these. */

export const Permission = z.looseObject({
  outcome: z.discriminatedUnion("outcome", [
    z.looseObject({ outcome: z.literal("cancelled") }),
    z.looseObject({ outcome: z.literal("selected"), optionId: z.string() }),
  ]),
});

export const Elicitation = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).nullish(),
});
export type Elicitation = z.infer<typeof Elicitation>;

export const FileText = z.looseObject({ content: z.string() });

export const NewTerminal = z.looseObject({ terminalId: z.string() });

export const ExitStatus = z.looseObject({
  exitCode: z.number().int().nullish(),
  signal: z.string().nullish(),
});

export const TerminalOutput = z.looseObject({
  output: z.string(),
  truncated: z.boolean().default(false),
  exitStatus: ExitStatus.nullish(),
});

/** Only that it was done counts. */
export const Done = z.unknown();
