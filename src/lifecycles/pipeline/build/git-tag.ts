/** Tags from git: six variants, a prefix, and "-dirty" where the artifact's folder has changes. */
import type { Artifact, TagPolicy } from '../config/model.ts';
import { runProgram, type ProgramSession } from '../programs/run-program.ts';

export type TagResult =
  | { readonly kind: 'tag'; readonly tag: string }
  /** One sentence without its full stop. */
  | { readonly kind: 'wrong'; readonly reason: string };

type GitPolicy = Extract<TagPolicy, { kind: 'gitCommit' }>;

/** What registries take. */
export const MAX_TAG_CHARACTERS = 128;

const DIRTY = '-dirty';

/** "HEAD:./" is the folder that git is run in. */
const ARGUMENTS: Readonly<Record<GitPolicy['variant'], readonly string[]>> = {
  Tags: ['describe', '--tags', '--always'],
  CommitSha: ['rev-parse', 'HEAD'],
  AbbrevCommitSha: ['rev-parse', '--short', 'HEAD'],
  TreeSha: ['rev-parse', 'HEAD:./'],
  AbbrevTreeSha: ['rev-parse', '--short', 'HEAD:./'],
  Branches: ['branch', '--show-current'],
};

export async function gitTag(
  { variant, prefix, ignoreChanges }: GitPolicy,
  artifact: Pick<Artifact, 'image' | 'context'>,
  session: ProgramSession,
): Promise<TagResult> {
  const ref = await git(ARGUMENTS[variant], artifact, session);
  if (ref.kind === 'wrong') return ref;
  // No branch is checked out: the commit says where we are.
  const named = ref.tag === '' ? await git(ARGUMENTS.AbbrevCommitSha, artifact, session) : ref;
  if (named.kind === 'wrong') return named;
  if (ignoreChanges) return { kind: 'tag', tag: cut(prefix + plain(named.tag), '') };
  const status = await git(['status', '--porcelain', '.'], artifact, session);
  if (status.kind === 'wrong') return status;
  return { kind: 'tag', tag: cut(prefix + plain(named.tag), status.tag === '' ? '' : DIRTY) };
}

async function git(
  args: readonly string[],
  { image, context }: Pick<Artifact, 'image' | 'context'>,
  session: ProgramSession,
): Promise<TagResult> {
  const argv = ['git', ...args];
  const source = `tag/${image}`;
  const result = await runProgram({ argv, cwd: context, source, capture: 'stdout' }, session);
  if (result.outcome === 'Succeeded') return { kind: 'tag', tag: result.stdout.trim() };
  const [said = ''] = result.tail.split('\n');
  const why = said === '' ? result.reason : said;
  return {
    kind: 'wrong',
    reason: `${argv.join(' ')} failed in ${context}: ${why}`,
  };
}

/** Worked examples: "feature/x+1" is feature_x_1; "-x" is _x, since a tag begins with no "-" or ".". */
function plain(ref: string): string {
  return ref
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^[-.]+/, (found) => '_'.repeat(found.length));
}

/** What tells of changes is never cut away. */
function cut(tag: string, ending: string): string {
  return tag.slice(0, MAX_TAG_CHARACTERS - ending.length) + ending;
}
