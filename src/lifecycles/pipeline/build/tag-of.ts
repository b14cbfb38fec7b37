/**
 * Computes the tag of one artifact. A failed tagger fails the build (PIPE-B14), whereas skaffold would use "latest" and
 * deploy an unintended image.
 */
import type { Artifact, TagPolicy } from '../config/model.ts';
import { type ProgramSession, runProgram } from '../programs/run-program.ts';
import { hooksTemplateData } from '../values/session-values.ts';
import { expandGoTemplate } from './go-template.ts';
import { formatGoTime } from './go-time.ts';
import type { Value } from './template-functions.ts';

export interface TagFacts {
  readonly artifact: Pick<Artifact, 'image' | 'context'>;
  readonly session: ProgramSession;
  /** The same moment for all artifacts of a build; wall clock, milliseconds. */
  readonly atMs: number;
  /** Digest of the artifact's sources, hex. */
  readonly digest: () => Promise<string>;
}

/** The tag of images that are distinguished by their digests. */
export const SHA256_TAG = 'latest';

export async function tagOf(policy: TagPolicy, facts: TagFacts): Promise<TagResult> {
  const result = await madeBy(policy, facts);
  if (result.kind === 'wrong' || VALID.test(result.tag)) return result;
  const rule =
    'a tag has 1 to 128 letters, digits, "_", "." and "-", and does not begin with "." or "-"';
  return { kind: 'wrong', reason: `it gives ${JSON.stringify(result.tag)}, but ${rule}` };
}

const VALID = /^\w[\w.-]{0,127}$/;

async function madeBy(policy: TagPolicy, facts: TagFacts): Promise<TagResult> {
  switch (policy.kind) {
    case 'gitCommit':
      return gitTag(policy, facts.artifact, facts.session);
    case 'sha256':
      return { kind: 'tag', tag: SHA256_TAG };
    case 'inputDigest':
      return { kind: 'tag', tag: await facts.digest() };
    case 'dateTime':
      return dateTag(policy, facts);
    case 'envTemplate':
      return withoutImage(await templateTag(policy.template, {}, facts), facts);
    case 'customTemplate':
      return customTag(policy, facts);
    default:
      return policy satisfies never;
  }
}

/** Removes the image's name, for old files whose template is the whole name: "{{.IMAGE_NAME}}:{{.FOO}}". */
function withoutImage(result: TagResult, { artifact: { image } }: TagFacts): TagResult {
  if (result.kind === 'wrong' || !result.tag.startsWith(`${image}:`)) return result;
  return { kind: 'tag', tag: result.tag.slice(image.length + 1) };
}

/**
 * Returns the time of the build as a tag. Characters that a tag must not contain become "_", such as the "+" of +03, the
 * offset of a time zone without an abbreviation.
 */
function dateTag(
  { format, timezone }: Extract<TagPolicy, { kind: 'dateTime' }>,
  { atMs }: TagFacts,
): TagResult {
  const tag = formatGoTime(format, { atMs, timezone });
  if (tag === null) return { kind: 'wrong', reason: `there is no time zone "${timezone}"` };
  return { kind: 'tag', tag: tag.replaceAll(/[^\w.-]/g, '_') };
}

async function customTag(
  { template, components }: Extract<TagPolicy, { kind: 'customTemplate' }>,
  facts: TagFacts,
): Promise<TagResult> {
  const made: Record<string, string> = {};
  for (const { name, policy } of components) {
    if (policy.kind === 'customTemplate') {
      return { kind: 'wrong', reason: `its component "${name}" must not be a customTemplate` };
    }
    const result = await madeBy(policy, facts);
    if (result.kind === 'wrong') {
      return { kind: 'wrong', reason: `its component "${name}": ${result.reason}` };
    }
    made[name] = result.tag;
  }
  return templateTag(template, made, facts);
}

/**
 * Expands the template of a tag. Later sources override earlier ones: the environment, values of hooks, the image's
 * name, the components.
 */
async function templateTag(
  template: string,
  components: Readonly<Record<string, string>>,
  { artifact, session }: TagFacts,
): Promise<TagResult> {
  const { callerEnv, values } = session.hooks;
  const data: Record<string, Value> = {
    ...callerEnv,
    hooks: hooksTemplateData(values.byHook()),
    IMAGE_NAME: artifact.image,
    ...components,
  };
  const source = `tag/${artifact.image}`;
  const command = async (argv: readonly string[]): Promise<string | null> => {
    const spec = { argv, cwd: artifact.context, source, capture: 'stdout' } as const;
    const { outcome, stdout } = await runProgram(spec, session);
    return outcome === 'Succeeded' ? stdout.replace(/\n+$/, '') : null;
  };
  const result = await expandGoTemplate(template, { data, command });
  return result.kind === 'text' ? { kind: 'tag', tag: result.text } : result;
}

export type TagResult =
  | { readonly kind: 'tag'; readonly tag: string }
  /** The reason is one sentence without its full stop. */
  | { readonly kind: 'wrong'; readonly reason: string };

type GitPolicy = Extract<TagPolicy, { kind: 'gitCommit' }>;

/** The limit of registries for the length of a tag. */
const MAX_TAG_CHARACTERS = 128;

const DIRTY = '-dirty';

/** "HEAD:./" is the committed tree of the directory in which git runs. */
const ARGUMENTS: Readonly<Record<GitPolicy['variant'], readonly string[]>> = {
  Tags: ['describe', '--tags', '--always'],
  CommitSha: ['rev-parse', 'HEAD'],
  AbbrevCommitSha: ['rev-parse', '--short', 'HEAD'],
  TreeSha: ['rev-parse', 'HEAD:./'],
  AbbrevTreeSha: ['rev-parse', '--short', 'HEAD:./'],
  Branches: ['branch', '--show-current'],
};

/**
 * Reads the tag from git: one of six variants, after a prefix, and with "-dirty" if the artifact's directory has
 * changes.
 */
async function gitTag(
  { variant, prefix, ignoreChanges }: GitPolicy,
  artifact: Pick<Artifact, 'image' | 'context'>,
  session: ProgramSession,
): Promise<TagResult> {
  const ref = await git(ARGUMENTS[variant], artifact, session);
  if (ref.kind === 'wrong') return ref;
  // An empty branch name means that HEAD is detached: use the commit.
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

/**
 * Replaces characters that a tag must not contain. Worked examples: "feature/x+1" becomes feature_x_1; "-x" becomes _x,
 * since a tag must not start with "-" or ".".
 */
function plain(ref: string): string {
  return ref
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^[-.]+/, (found) => '_'.repeat(found.length));
}

/** Limits the length of the tag, but never truncates the suffix that marks changes. */
function cut(tag: string, ending: string): string {
  return tag.slice(0, MAX_TAG_CHARACTERS - ending.length) + ending;
}
