/**
 * Separates changed files into edits of a user and output of hooks of the last iteration (PIPE-CASE23).
 * Pure.
 *
 * - No edit is dropped silently: a change attributed to a hook is reported, except for declared outputs.
 * - A hook that changes watched files on each run causes at most one more iteration per session: none before a build,
 *    since the build has read its output; otherwise one, since an edit at the same time would look the same.
 */
export interface ChangedFile {
  readonly path: string;
  /** False: it was touched, with the same content as at the last iteration. */
  readonly differs: boolean;
  /** Whether it matches declared outputs of a hook, and was written since the last iteration started. */
  readonly isOutput: boolean;
  /** Hooks that ran when it was written. */
  readonly hooks: readonly RanMeanwhile[];
}

export interface RanMeanwhile {
  readonly address: string;
  /** Whether it existed before a build that has read everything that the file is part of. */
  readonly isBeforeBuild: boolean;
}

export interface Weighed {
  /** Changes to process. */
  readonly edits: readonly string[];
  /** Changes of the last iteration itself: to be dropped. */
  readonly absorbed: readonly string[];
  /** Warnings to emit, without duplicates. */
  readonly warnings: readonly string[];
  /** Known pairs of file and hook of this session: passed to the next call. */
  readonly known: ReadonlySet<string>;
}

export function weighChanges(files: readonly ChangedFile[], known: ReadonlySet<string>): Weighed {
  const edits: string[] = [];
  const absorbed: string[] = [];
  const warnings: string[] = [];
  const learned = new Set(known);
  for (const file of files) {
    const { path } = file;
    const { whose, hook } = judge(file, known);
    if (whose === 'edit') edits.push(path);
    if (whose === 'hook') absorbed.push(path);
    if (hook === null) continue;
    if (whose === 'edit') {
      if (learned.size < MAX_KNOWN) learned.add(pairOf(path, hook));
    } else {
      warnings.push(whose === 'hook' ? ownText(path, hook) : touchedText(path, hook));
    }
  }
  return { edits, absorbed, warnings, known: learned };
}

interface Judgement {
  readonly whose: 'edit' | 'hook' | 'none';
  /** The hook for the warning or the known pairs; null: nothing to report. */
  readonly hook: RanMeanwhile | null;
}

function judge(
  { path, differs, isOutput, hooks }: ChangedFile,
  known: ReadonlySet<string>,
): Judgement {
  if (isOutput) return { whose: differs ? 'hook' : 'none', hook: null };
  const hook = hooks.find(({ isBeforeBuild }) => isBeforeBuild) ?? hooks.at(-1) ?? null;
  if (!differs) return { whose: 'none', hook };
  if (hook === null) return { whose: 'edit', hook };
  const isOwn = hook.isBeforeBuild || known.has(pairOf(path, hook));
  return { whose: isOwn ? 'hook' : 'edit', hook };
}

/** Maximum number of known pairs. */
const MAX_KNOWN = 10_000;

function pairOf(path: string, { address }: RanMeanwhile): string {
  return JSON.stringify([path, address]);
}

function ownText(path: string, { address }: RanMeanwhile): string {
  return `${address} changes the watched file ${path}: this change starts no iteration. Next: name the file in its \`outputs\` in lifehook.yaml; if you changed the file yourself meanwhile, save it again.`;
}

function touchedText(path: string, { address }: RanMeanwhile): string {
  return `${address} wrote the watched file ${path} without changing its content: that starts no iteration.`;
}
