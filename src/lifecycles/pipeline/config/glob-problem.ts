/**
 * What is wrong with a glob, or null: of pods' and containers' names as shipped (path.Match of Go), and of
 * the files of lifehook.yaml. Told when the file is read, not after the deployment (B12).
 */
export function globProblem(glob: string): string | null {
  for (let at = 0; at < glob.length; at += 1) {
    const letter = glob[at];
    if (letter === '\\') {
      at += 1;
      if (at === glob.length) return 'it ends with a backslash that escapes nothing';
    } else if (letter === '[') {
      const end = classEnd(glob, at);
      if (typeof end === 'string') return end;
      at = end;
    }
  }
  return null;
}

/** Of "[a-z]" that begins at `start`: where it ends. */
function classEnd(glob: string, start: number): number | string {
  let at = start + 1;
  if (glob[at] === '^' || glob[at] === '!') at += 1;
  if (glob[at] === ']') return 'its "[]" names no letter';
  for (; at < glob.length; at += 1) {
    if (glob[at] === ']') return at;
    if (glob[at] === '\\') at += 1;
    if (glob[at + 1] === '-' && glob[at + 2] === ']') return 'a range in its "[" has no end';
  }
  return 'its "[" is never closed';
}
