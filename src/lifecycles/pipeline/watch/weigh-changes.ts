/**
 * Separates changed files into edits by a user and output of the last iteration's hooks (PIPE-CASE23). Pure.
 *
 * - No edit is dropped silently: a change attributed to a hook is reported, except for declared outputs.
 * - A hook that runs before a build causes no further iteration, since the build has read its output.
 * - Any other hook causes at most one further iteration per file in a session, since an edit of a user at the same time
 *   would look the same. An iteration that only such hooks have started is followed by none that they start, whatever
 *   the names of the files: there is no endless loop.
 */
export interface ChangedFile {
  readonly path: string;
  /** False: the file was touched, but has the same content as at the last iteration. */
  readonly differs: boolean;
  /** Whether the file matches declared outputs of a hook, and was written since the last iteration started. */
  readonly isOutput: boolean;
  /** The hooks that ran when the file was written. */
  readonly hooks: readonly RanMeanwhile[];
}

export interface RanMeanwhile {
  readonly address: string;
  /** Whether, after the hook ran, every group that contains the file was built. */
  readonly isBeforeBuild: boolean;
}

export interface Weighed {
  /** Changes to process. */
  readonly edits: readonly string[];
  /** Changes that the last iteration itself has made: the caller drops them. */
  readonly absorbed: readonly string[];
  /** Warnings to emit, without duplicates. */
  readonly warnings: readonly string[];
  /** The pairs of file and hook that are known in this session. The caller passes them to its next call. */
  readonly known: ReadonlySet<string>;
  /**
   * The hooks to which all of these edits are attributed; empty if one is a user's. The caller passes them to its next
   * call if the edits start an iteration.
   */
  readonly starters: ReadonlySet<string>;
}

export function weighChanges(
  files: readonly ChangedFile[],
  known: ReadonlySet<string>,
  startedBy: ReadonlySet<string> = new Set(),
): Weighed {
  const edits: string[] = [];
  const absorbed: string[] = [];
  const warnings: string[] = [];
  const learned = new Set(known);
  const judged = files.map((file) => ({ path: file.path, ...judge(file, known, startedBy) }));
  for (const { path, whose, hook } of judged) {
    if (whose === 'edit') edits.push(path);
    if (whose === 'hook') absorbed.push(path);
    if (hook === null) continue;
    if (whose === 'edit') {
      if (learned.size < MAX_KNOWN) learned.add(pairOf(path, hook));
    } else {
      warnings.push(whose === 'hook' ? ownText(path, hook) : touchedText(path, hook));
    }
  }
  return { edits, absorbed, warnings, known: learned, starters: startersOf(judged) };
}

function startersOf(judged: readonly Judgement[]): ReadonlySet<string> {
  const addresses = judged.flatMap(({ whose, hook }) =>
    whose === 'edit' ? [hook?.address ?? null] : [],
  );
  const hooks = addresses.filter((address) => address !== null);
  return new Set(hooks.length < addresses.length ? [] : hooks);
}

interface Judgement {
  readonly whose: 'edit' | 'hook' | 'none';
  /** The hook for the warning or for the known pairs; null: there is nothing to report. */
  readonly hook: RanMeanwhile | null;
}

function judge(
  { path, differs, isOutput, hooks }: ChangedFile,
  known: ReadonlySet<string>,
  startedBy: ReadonlySet<string>,
): Judgement {
  if (isOutput) return { whose: differs ? 'hook' : 'none', hook: null };
  const hook = hooks.find(({ isBeforeBuild }) => isBeforeBuild) ?? hooks.at(-1) ?? null;
  if (!differs) return { whose: 'none', hook };
  if (hook === null) return { whose: 'edit', hook };
  const isOwn = hook.isBeforeBuild || known.has(pairOf(path, hook)) || startedBy.has(hook.address);
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
