/**
 * A buildCommand reads the project by itself, so nobody can give it a copy without the records of sessions. Where it
 * calls a program that sends a whole folder, and no ignore file leaves the records out, the user is warned.
 */
import type { Artifact, CustomBuilder } from '../config/model.ts';
import type { PipelineSession } from '../session.ts';
import { readDockerIgnore } from './docker-ignore.ts';
import { STATE_FOLDER } from './walk-files.ts';

type Custom = Pick<Artifact, 'image' | 'context'> & { readonly builder: CustomBuilder };

export async function warnOfRecords(
  { image, context, builder }: Custom,
  session: Pick<PipelineSession, 'platform' | 'hooks'>,
): Promise<void> {
  const program = SENDS_FOLDERS.exec(builder.buildCommand)?.[0];
  if (program === undefined) return;
  const { files } = session.platform;
  const isThere = await files.stat(`${context}/${STATE_FOLDER}`).catch(() => null);
  if (isThere === null) return;
  const text = await files.read(`${context}/.dockerignore`).catch(() => '');
  if (readDockerIgnore(text).ignores(STATE_FOLDER)) return;
  session.hooks.tell({
    type: 'Warning',
    code: 'LHL319',
    message: `${program} in the buildCommand of ${image} may send the records of sessions in ${context}/${STATE_FOLDER} with the build context. Next: Add a line ${STATE_FOLDER} to ${context}/.dockerignore.`,
  });
}

const SENDS_FOLDERS = /\b(?:docker|podman|buildah|nerdctl|buildctl|kaniko)\b/;
