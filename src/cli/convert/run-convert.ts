/**
 * `lifehook convert`: converts files of other products to Lifehook's form. The content of a file selects its
 * conversion.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import process from 'node:process';

import { readDocuments } from '../../model/located-document.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import { errorText } from '../../platform/error-text.ts';
import { nodeFiles } from '../../platform/files.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileConversions, loadParts } from '../lifecycles.ts';
import { reportProblems } from '../report-problems.ts';
import { convertManifest } from './convert-manifest.ts';
import { fileType, notAFile } from '../not-a-file.ts';
import { readText, standardInput } from '../read-text.ts';
import { systemAdvice } from '../system-advice.ts';
import { yamlDocuments } from '../../model/yaml-text.ts';

/** The files that one lifecycle converts, each by itself. */
export interface FileConversion {
  /** The file name ending by which such files are found in a directory; absent: the user names each file. */
  readonly ending?: string;
  /** `value`: the first document of a file. */
  readonly isConvertible: (value: unknown) => boolean;
  /** Resolves with the exit code. */
  readonly convertFile: (path: string, options: ConvertOptions, output: Output) => Promise<number>;
}

export interface ConvertOptions {
  /** Output directory; absent: standard output. */
  readonly out?: string;
  /** Only for hook files. */
  readonly perCondition?: boolean;
}

export async function runConvert(
  paths: readonly string[],
  options: ConvertOptions,
): Promise<number> {
  let worst: number = exitCodes.done;
  const output = new Output(options.out);
  for (const path of paths) worst = Math.max(worst, await convertPath(path, options, output));
  return worst;
}

async function convertPath(path: string, options: ConvertOptions, output: Output): Promise<number> {
  if (path === '-') {
    const input = { file: 'stdin', text: await standardInput() };
    if ((await conversionOf(input)) !== null) throw needsFile();
    return convertText(input, output);
  }
  const stats = await stat(path);
  if (stats.isDirectory()) return convertFolder(path, options, output);
  const found = { file: path, text: await readText(path) };
  const conversion = await conversionOf(found);
  if (conversion === null) return convertText(found, output);
  // The file is read again, together with the files next to it.
  if (!stats.isFile()) throw new LifehookError(notAFile(path, fileType(stats)));
  return conversion.convertFile(path, options, output);
}

interface FoundText {
  readonly file: string;
  readonly text: string;
}

/** null: no lifecycle converts such a file. */
async function conversionOf({ file, text }: FoundText): Promise<FileConversion | null> {
  const [first] = readDocuments(file, text).documents;
  const parts = await loadParts(fileConversions);
  return parts.find((part) => part.isConvertible(first?.value)) ?? null;
}

function needsFile(): LifehookError {
  return new LifehookError({
    code: 'LHM027',
    at: { file: 'stdin', line: 1, column: 1 },
    message:
      'Standard input is a hook file or a skaffold.yaml, which is converted together with the files of its directory.',
    next: 'Name the file instead of -.',
  });
}

/**
 * Converts the files in a directory, which are found by the file name endings of the lifecycles. Rejects with LHG062 if
 * there are none.
 */
async function convertFolder(
  folder: string,
  options: ConvertOptions,
  output: Output,
): Promise<number> {
  let worst: number = exitCodes.done;
  const names = (await readdir(folder)).toSorted();
  const endings: string[] = [];
  for (const { ending, convertFile } of await loadParts(fileConversions)) {
    if (ending === undefined) continue;
    endings.push(ending);
    for (const name of names.filter((one) => one.endsWith(ending))) {
      worst = Math.max(worst, await convertFile(join(folder, name), options, output));
    }
  }
  const isEmpty = !names.some((name) => endings.some((ending) => name.endsWith(ending)));
  if (isEmpty) throw nothingIn(folder, endings);
  return worst;
}

function nothingIn(folder: string, endings: readonly string[]): LifehookError {
  return new LifehookError({
    code: 'LHG062',
    at: { file: folder, line: 1, column: 1 },
    message: `There is nothing to convert: in a directory, only hook files are converted, and it has no ${endings.join(' or ')} file.`,
    next: 'Name each manifest or skaffold.yaml.',
  });
}

async function convertText({ file, text }: FoundText, output: Output): Promise<number> {
  const { documents, problems, converted } = convertManifest(file, text);
  reportProblems(problems);
  if (converted > 0) {
    const name = `${basename(file, extname(file))}.yaml`;
    await output.write(name, yamlDocuments(documents));
  }
  return exitCodeOf(problems);
}

export function exitCodeOf(problems: readonly Problem[]): number {
  return problems.some(({ severity }) => severity === 'error') ? exitCodes.failed : exitCodes.done;
}

const NEW_FILE_MODE = 0o644;

/** Writes the documents to standard output, or as separate files to a directory. Never replaces an existing file. */
export class Output {
  readonly #folder: string | undefined;
  #isFirst = true;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  async write(name: string, text: string): Promise<void> {
    if (this.#folder === undefined) {
      process.stdout.write(this.#isFirst ? text : `---\n${text}`);
      this.#isFirst = false;
      return;
    }
    const path = join(this.#folder, name);
    try {
      await nodeFiles.create(path, Buffer.from(text).toString('latin1'), NEW_FILE_MODE);
    } catch (error) {
      throw notWritten(path, error);
    }
    process.stderr.write(`wrote ${path}\n`);
  }
}

function notWritten(path: string, error: unknown): LifehookError {
  const why = codeOf(error) === 'EEXIST' ? 'there is one already' : errorText(error);
  return new LifehookError(
    {
      code: 'LHG011',
      message: `${path} could not be written: ${why}.`,
      next: systemAdvice(error) ?? 'name a directory that exists and has no file of that name.',
    },
    { cause: error },
  );
}
