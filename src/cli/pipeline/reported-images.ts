/**
 * Reads and writes the list of built images, a JSON file for the next program:
 * `{"builds":[{"imageName":"web","tag":"gcr.io/p/web:v1"}]}`.
 */
import { writeFile } from 'node:fs/promises';

import type { ReportedImage } from '../../lifecycles/pipeline/drive/known-images.ts';
import type { BuiltArtifact } from '../../lifecycles/pipeline/session.ts';
import { LifehookError } from '../../model/problem.ts';
import { readText } from '../read-text.ts';

export function reportedImagesText(built: readonly BuiltArtifact[]): string {
  const builds = built.map(({ image, reference }) => ({ imageName: image, tag: reference }));
  return `${JSON.stringify({ builds }, null, 2)}\n`;
}

export async function writeReportedImages(
  path: string,
  built: readonly BuiltArtifact[],
): Promise<void> {
  await writeFile(path, reportedImagesText(built));
}

/** The images that the file reports; null: the options name no file. */
export async function readReportedImages(
  path: string | undefined,
): Promise<readonly ReportedImage[] | null> {
  if (path === undefined) return null;
  const builds = listIn(jsonOf(await readText(path)), 'builds');
  const reported = builds?.map((one) => reportedImage(one)) ?? [null];
  return reported.map((one) => {
    if (one === null) throw damaged(path);
    return one;
  });
}

function reportedImage(value: unknown): ReportedImage | null {
  const { imageName, tag } = objectOf(value);
  if (typeof imageName !== 'string' || typeof tag !== 'string') return null;
  return imageName === '' || tag === '' ? null : { image: imageName, reference: tag };
}

function listIn(value: unknown, name: string): readonly unknown[] | null {
  const list = objectOf(value)[name];
  return Array.isArray(list) ? list : null;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function damaged(path: string): LifehookError {
  return new LifehookError({
    code: 'LHL602',
    message: `${path} must contain {"builds":[{"imageName": …, "tag": …}]}, but does not.`,
    next: 'Let `lifehook build --file-output FILE` write it.',
  });
}
