/** Properties of a rule that are read from its syntax tree. */
export interface RuleSyntax {
  /** The number of nodes of the tree. */
  readonly size: number;
  /** The deepest nesting of loops. */
  readonly nesting: number;
  readonly names: ReadonlySet<string>;
  /** For each call of `matches`: the position in the text at which its receiver ends. */
  readonly matches: readonly number[];
}

const LOOPS = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
/** Name of our own `matches`, which `rule-functions.ts` registers. */
const SAFE_NAME = 're2Matches';

interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly end: number;
}

export function readSyntax(tree: unknown): RuleSyntax {
  const found = { size: 0, nesting: 0, names: new Set<string>(), matches: [] as number[] };
  const visit = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth);
    }
    if (!isNode(value)) return;
    found.size += 1;
    found.nesting = Math.max(found.nesting, depth);
    const call = methodCall(value);
    if (call === undefined) {
      if (value.op === 'id' && typeof value.args === 'string') found.names.add(value.args);
      visit(value.args, depth);
      return;
    }
    if (call.method === 'matches') found.matches.push(call.receiver.end);
    visit(call.receiver, depth);
    visit(call.given, LOOPS.has(call.method) ? depth + 1 : depth);
  };
  visit(tree, 0);
  return found;
}

interface MethodCall {
  readonly method: string;
  readonly receiver: Node;
  readonly given: unknown;
}

function methodCall({ op, args }: Node): MethodCall | undefined {
  if (op !== 'rcall' || !Array.isArray(args)) return undefined;
  const [method, receiver, given] = args as unknown[];
  return typeof method === 'string' && isNode(receiver) ? { method, receiver, given } : undefined;
}

/**
 * Changes a rule to call our own `matches`. The engine's `matches` cannot be replaced, and it uses the regular
 * expressions of JavaScript, which take practically forever for some patterns.
 */
export function withSafeMatches(expression: string, { matches }: RuleSyntax): string {
  return matches
    .toSorted((a, b) => b - a)
    .reduce((text, end) => {
      const call = /^([\s)\]]*\.\s*)matches\b/.exec(text.slice(end));
      if (call === null) {
        throw new Error(
          'write .matches(...) directly after the value it is called on, without a comment in between',
        );
      }
      const start = end + (call[1] ?? '').length;
      return text.slice(0, start) + SAFE_NAME + text.slice(start + 'matches'.length);
    }, expression);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value;
}
