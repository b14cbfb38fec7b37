/**
 * Finds the source files of an artifact, for its cache key, its inputDigest tag and the watcher. For a Dockerfile,
 * these are all files of the context that its .dockerignore does not exclude: perhaps more than its COPY lines need,
 * never less.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import type { Artifact, CustomBuilder } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { runProgram, type ProgramSession } from '../programs/run-program.ts';
import { readDockerIgnore, type DockerIgnore } from './docker-ignore.ts';
import { textOf } from './text-file.ts';
import { globFiles, isStateBelow, MAX_FILES, walkFiles } from './walk-files.ts';

/**
 * The source files of an artifact: absolute paths, sorted, without duplicates. They include declared outputs of hooks
 * (PIPE-B7), but never session records.
 */
export async function artifactFiles(
  artifact: Artifact,
  session: ProgramSession,
): Promise<readonly string[]> {
  const { files } = session.platform;
  const { before, after } = artifact.hooks;
  const outputs = [...before, ...after].flatMap(({ policy }) => policy.outputs);
  const own = await ofBuilder(artifact, session);
  const declared = await globFiles(artifact.context, outputs, { files });
  const all = [...new Set([...own, ...declared])];
  return all.filter((path) => !isStateBelow(artifact.context, path)).toSorted();
}

async function ofBuilder(artifact: Artifact, session: ProgramSession): Promise<readonly string[]> {
  const { builder, context } = artifact;
  const { files } = session.platform;
  switch (builder.kind) {
    case 'docker':
      return dockerFiles(context, builder.dockerfile, files);
    case 'custom':
      return customFiles(artifact, builder, session);
    case 'folder':
      return filesBelow(
        resolveFrom(context, builder.path),
        readDockerIgnore(builder.ignore.join('\n')),
        files,
      );
    case 'unsupported':
      return filesBelow(context, readDockerIgnore(''), files);
    default:
      return builder satisfies never;
  }
}

/** The files of a build with a Dockerfile. The Dockerfile and the ignore file count even if they are ignored. */
async function dockerFiles(context: string, dockerfile: string, files: Files): Promise<string[]> {
  const own = resolveFrom(context, dockerfile);
  const specialPath = `${own}.dockerignore`;
  const general = `${context}/.dockerignore`;
  const special = await textOf(specialPath, files);
  const text = special ?? (await textOf(general, files));
  const found = await filesBelow(context, readDockerIgnore(text ?? ''), files);
  const ignoreFile = special === null ? general : specialPath;
  return [...found, own, ...(text === null ? [] : [ignoreFile])];
}

async function filesBelow(folder: string, ignore: DockerIgnore, files: Files): Promise<string[]> {
  // An ignored directory is not entered, unless an exception may match something in it.
  const { ignores, hasExceptions } = ignore;
  const found = await walkFiles(folder, hasExceptions ? { files } : { files, skips: ignores });
  return found.filter((path) => !ignores(path)).map((path) => `${folder}/${path}`);
}

async function customFiles(
  { context, image, at }: Artifact,
  { dependencies }: CustomBuilder,
  session: ProgramSession,
): Promise<readonly string[]> {
  const { files } = session.platform;
  switch (dependencies.kind) {
    case 'dockerfile':
      return dockerFiles(context, dependencies.path, files);
    case 'paths': {
      const { ignores } = readDockerIgnore(dependencies.ignore.join('\n'));
      const found = await globFiles(context, dependencies.paths, { files });
      return found.filter((path) => !ignores(path.slice(context.length + 1)));
    }
    case 'command': {
      const printed = await commandFiles(dependencies.command, { context, image }, session);
      if (Array.isArray(printed)) return printed;
      throw new LifehookError({
        code: 'LHL307',
        message: `The dependencies command of ${image} ${printed}.`,
        at,
        next: 'Change it so that it prints a JSON list of paths, such as ["src/a.js"].',
      });
    }
    default:
      return dependencies satisfies never;
  }
}

/** The files that a command lists, or the error: "… exited with code 1". */
async function commandFiles(
  command: string,
  { context, image }: Pick<Artifact, 'context' | 'image'>,
  session: ProgramSession,
): Promise<string[] | string> {
  const argv = ['sh', '-c', command];
  const spec = { argv, cwd: context, source: `build/${image}`, capture: 'stdout' } as const;
  const { outcome, stdout, reason, tail } = await runProgram(spec, session);
  if (outcome !== 'Succeeded') return `failed: ${reason} ${tail}`.trim();
  let list: unknown;
  try {
    list = JSON.parse(stdout);
  } catch {
    return `printed ${JSON.stringify(stdout.slice(0, SHOWN_UNITS))} instead of a JSON list`;
  }
  const isList = Array.isArray(list) && list.every((one) => typeof one === 'string');
  if (!isList || (list as string[]).length > MAX_FILES) return 'did not print a list of paths';
  return (list as string[]).map((path) => resolveFrom(context, path));
}

const SHOWN_UNITS = 80;
