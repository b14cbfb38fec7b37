/**
 * Which of the changed files are somebody's edit, and which are what hooks of the last iteration have left (PIPE-CASE23).
 * Pure.
 *
 * - Nobody's edit is dropped without a word: what is taken for a hook's is told, except for declared outputs.
 * - A hook that changes watched files each time it runs makes at most one iteration more in a session: before a build
 *    none, since the build has read what it left; else one, since an edit at the same time would look the same.
 */
export interface ChangedFile {
  readonly path: string;
  /** False: it was touched, and holds what it held at the last iteration. */
  readonly differs: boolean;
  /** It matches declared outputs of a hook, and was written since the last iteration began. */
  readonly isOutput: boolean;
  /** Hooks that ran when it was written. */
  readonly hooks: readonly RanMeanwhile[];
}

export interface RanMeanwhile {
  readonly address: string;
  /** It stood before a build that has read all that the file is part of. */
  readonly isBeforeBuild: boolean;
}

export interface Weighed {
  /** To be acted on. */
  readonly edits: readonly string[];
  /** As the last iteration left them: to be forgotten. */
  readonly absorbed: readonly string[];
  /** What is told, once for each text. */
  readonly warnings: readonly string[];
  /** Pairs of file and hook that this session now knows: given back with the next call. */
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
  readonly whose: 'edit' | 'hook' | 'nobody';
  /** With which it is told, or remembered; null: there is nothing to be told. */
  readonly hook: RanMeanwhile | null;
}

function judge(
  { path, differs, isOutput, hooks }: ChangedFile,
  known: ReadonlySet<string>,
): Judgement {
  if (isOutput) return { whose: differs ? 'hook' : 'nobody', hook: null };
  const hook = hooks.find(({ isBeforeBuild }) => isBeforeBuild) ?? hooks.at(-1) ?? null;
  if (!differs) return { whose: 'nobody', hook };
  if (hook === null) return { whose: 'edit', hook };
  const isOwn = hook.isBeforeBuild || known.has(pairOf(path, hook));
  return { whose: isOwn ? 'hook' : 'edit', hook };
}

/** Pairs that are remembered. */
const MAX_KNOWN = 10_000;

function pairOf(path: string, { address }: RanMeanwhile): string {
  return JSON.stringify([path, address]);
}

function ownText(path: string, { address }: RanMeanwhile): string {
  return `${address} changes the watched file ${path}: what it writes there begins no iteration. Next: name the file in its \`outputs\` in lifehook.yaml; if you changed it yourself meanwhile, save it again.`;
}

function touchedText(path: string, { address }: RanMeanwhile): string {
  return `${address} wrote the watched file ${path}, and left in it what it held: that begins no iteration.`;
}
