/** `lifehook oci convert`: converts 0.1.0 hook files to 1.0.0 without a change of their meaning. */
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { convertHookFile, type ConvertedFile } from '../../lifecycles/container/hooksd/convert.ts';
import { re2Compiler } from '../../model/re2.ts';
import { readHookFile } from '../../lifecycles/container/hooksd/read-hook-file.ts';
import { LifehookError } from '../../model/problem.ts';
import { errorText } from '../../platform/error-text.ts';
import { nodeFiles } from '../../platform/files.ts';
import { isHookFile } from '../by-file/look-at-path.ts';
import type { ConvertOptions } from '../convert/run-convert.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportProblems } from '../report-problems.ts';
import { systemAdvice } from '../system-advice.ts';

const NEW_FILE_MODE = 0o644;

export async function runOciConvert(path: string, options: ConvertOptions): Promise<number> {
  const full = resolve(path);
  const text = await nodeFiles.read(full);
  const reading = readHookFile(
    { folder: dirname(full), name: basename(full), text },
    re2Compiler(),
  );
  if (!reading.ok) throw new LifehookError(reading.problems);
  const conversion = convertHookFile(reading.file);
  switch (conversion.kind) {
    case 'unchanged':
      process.stderr.write(`${path} is a 1.0.0 file already: nothing to convert.\n`);
      return exitCodes.done;
    case 'converted':
      return write([conversion.file], options);
    case 'refused':
      if (options.perCondition === true) return write(conversion.remaining, options);
      reportProblems([conversion.problem]);
      return exitCodes.failed;
    default:
      return conversion satisfies never;
  }
}

async function write(files: readonly ConvertedFile[], { out }: ConvertOptions): Promise<number> {
  for (const { name, text } of files) {
    if (out === undefined) process.stdout.write(files.length === 1 ? text : `// ${name}\n${text}`);
    else await create(join(out, name), text);
  }
  return exitCodes.done;
}

/** Creates a file, and never replaces one: a conversion must not change a hooks directory in use. */
async function create(path: string, text: string): Promise<void> {
  try {
    await nodeFiles.create(path, Buffer.from(text).toString('latin1'), NEW_FILE_MODE);
  } catch (error) {
    throw new LifehookError(
      {
        code: 'LHG011',
        message: `${path} could not be written: ${errorText(error)}.`,
        next: systemAdvice(error) ?? 'name a directory that exists and has no file of that name.',
      },
      { cause: error },
    );
  }
  process.stderr.write(`wrote ${path}\n`);
}

/** The file name ending of hook files, which `lifehook convert` converts one by one in a hooks.d directory. */
export const ending = '.json';
export const isConvertible: (value: unknown) => boolean = isHookFile;
export const convertFile: typeof runOciConvert = runOciConvert;
