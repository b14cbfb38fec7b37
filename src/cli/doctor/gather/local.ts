/** What is to be known of this machine: no request leaves it. */
import { execFile } from 'node:child_process';
import process from 'node:process';

import { parseServerVersion } from '../../../kube/capabilities.ts';
import type { ClusterChoice } from '../../cluster/cluster-options.ts';
import { findExecutable, pathFolders } from '../../find-executable.ts';
import type { LocalFacts } from '../facts.ts';
import { gatherPlaces } from './places.ts';
import { gatherStrays } from './processes.ts';

/** Milliseconds, of `kubectl version --client`. */
const KUBECTL_TIMEOUT_MS = 5_000;

export async function gatherLocal(choice: ClusterChoice): Promise<LocalFacts> {
  const [kubectl, strays, places] = await Promise.all([
    kubectlFacts(),
    gatherStrays(),
    gatherPlaces(choice),
  ]);
  return { nodeVersion: process.versions.node, kubectl, strays, places };
}

async function kubectlFacts(): Promise<LocalFacts['kubectl']> {
  const path = findExecutable('kubectl', pathFolders());
  if (path === null) return null;
  const text = await new Promise<string>((done) => {
    const options = { timeout: KUBECTL_TIMEOUT_MS };
    execFile(path, ['version', '--client', '-o', 'json'], options, (_error, stdout) => {
      done(stdout);
    });
  });
  return { path, version: versionIn(text) };
}

/** null: it printed something else. */
export function versionIn(text: string): ReturnType<typeof parseServerVersion> {
  try {
    const { clientVersion = {} } = JSON.parse(text) as { clientVersion?: object };
    return parseServerVersion(clientVersion);
  } catch {
    return null;
  }
}
