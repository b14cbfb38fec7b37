/**
 * The story of one seed: which actor did what, in order, in plain words. Each line of the trace becomes a line of the
 * story by a rule, which gives the actor and the text. Lines without a rule are omitted.
 */

export interface StoryRule {
  readonly pattern: RegExp;
  readonly who: string;
  /** Text of the story line. `$1` is the first group of the pattern. */
  readonly text: string;
}

/** Maximum number of lines. A longer story loses its middle. */
const LINES_MAX = 60;
const FIRST_LINES = 15;

const COMMON: readonly StoryRule[] = [
  { pattern: /^VIOLATION of ([^:]+): (.*)$/, who: 'BROKEN', text: '$1: $2' },
  { pattern: /^the faults end$/, who: 'world', text: 'no more faults from here on' },
  { pattern: /^(user|storage|status): (.*)$/, who: '$1', text: '$2' },
  { pattern: /^a user:? (.*)$/, who: 'user', text: '$1' },
  {
    pattern: /^(\S+): (\w+) (\w+)\S* (\S*) \((\w+)\)$/,
    who: 'fault',
    text: 'request of $1 is $5: $2 $3 $4',
  },
  {
    pattern: /^(\S+): the watch of (\S+) breaks$/,
    who: 'fault',
    text: 'watch of $2 breaks at $1',
  },
  { pattern: /^(\S+) is stopped for (.*)$/, who: 'fault', text: '$1 is suspended for $2' },
  { pattern: /^(\S+ (?:is killed|is cut off|is asked to stop).*)$/, who: 'fault', text: '$1' },
  { pattern: /^(the clock of .*|clock set by .*)$/, who: 'fault', text: '$1' },
  { pattern: /^(node \S+ is .*|pod \S+ is .*|container \S+ ends)$/, who: 'fault', text: '$1' },
  { pattern: /^(\S+ (?:starts|has stopped))$/, who: 'process', text: '$1' },
];

/** `lines`: lines of the trace, such as "      12 ms  what happened". */
export function storyOf(lines: readonly string[], rules: readonly StoryRule[]): readonly string[] {
  const reported: string[] = [];
  /** Last printed line of each actor and subject. */
  const last = new Map<string, string>();
  for (const line of untilBroken(lines)) {
    const [, ms = '', what = ''] = /^ *(\d+) ms {2}(.*)$/s.exec(line) ?? [];
    const found = reportedBy([...rules, ...COMMON], what);
    if (found === null) continue;
    const [subject = ''] = found.what.split(':');
    if (last.get(`${found.who} ${subject}`) === found.what) continue;
    last.set(`${found.who} ${subject}`, found.what);
    reported.push(
      `${(Number(ms) / 1_000).toFixed(1).padStart(8)} s  ${found.who.padEnd(11)} ${found.what}`,
    );
  }
  return shortened(reported);
}

/** The lines up to the first violation, because later events may be its consequences. */
function untilBroken(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => line.includes(' ms  VIOLATION of '));
  return at === -1 ? lines : lines.slice(0, at + 1);
}

function reportedBy(
  rules: readonly StoryRule[],
  line: string,
): { readonly who: string; readonly what: string } | null {
  const rule = rules.find(({ pattern }) => pattern.test(line));
  if (rule === undefined) return null;
  const { pattern, who, text } = rule;
  const what = line.replace(pattern, text).replaceAll(/\s+/gu, ' ').trim();
  return { who: line.replace(pattern, who), what: what.slice(0, WIDTH) };
}

const WIDTH = 140;

function shortened(lines: readonly string[]): readonly string[] {
  const left = lines.length - LINES_MAX;
  if (left <= 0) return lines;
  const gap = `           ... ${left} lines ...`;
  return [...lines.slice(0, FIRST_LINES), gap, ...lines.slice(FIRST_LINES + left)];
}
