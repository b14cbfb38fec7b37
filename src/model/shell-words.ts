/** Quotes an argv for a POSIX shell: `cp 'a b' "$X"` keeps its meaning. Pure. */
export function shellWords(argv: readonly string[]): string {
  return argv.map((word) => (PLAIN.test(word) ? word : quoted(word))).join(' ');
}

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
