/** Commands as text to copy. The page itself changes nothing. Pure. */
const COMMAND = /(?:^|: )((?:lifehook|kubectl) .+)$/;

export interface NextStep {
  /** What to do before the command, or instead of one. */
  readonly note: string | null;
  readonly command: string | null;
}

/** The command in the advice of a span: "thaw db-0 by hand, then: lifehook snapshot release ..." has both. */
export function nextStepOf(next: string | undefined): NextStep {
  if (next === undefined) return { note: null, command: null };
  const found = COMMAND.exec(next);
  if (found === null) return { note: next, command: null };
  const note = next.slice(0, found.index);
  return { note: note === '' ? null : note, command: found[1] ?? null };
}
